// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Reading JSON files that people write: the first thing that is wrong is told with its place.

#ifndef NNCERT_MLTS_DATA_SETS_JSON_CURSOR_H_
#define NNCERT_MLTS_DATA_SETS_JSON_CURSOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nlohmann/json_fwd.hpp"

namespace nncert {

/// A place in a JSON document. What is asked of it is given or, where it is not there or of another
/// kind, something empty, and the first of such errors is kept: "FILE: models[2].inputSize is
/// missing".
class JsonCursor {
 public:
  /// The whole document of a file. Fails as ReadFileBytes does, or with the line and column of what
  /// is no JSON.
  static absl::StatusOr<JsonCursor> Open(const std::string& path);

  /// The same place, whose errors, and those of all places reached from it, are kept apart.
  JsonCursor WithOwnErrors() const;

  /// The first error of any place that shares this one's errors.
  const absl::Status& status() const { return *status_; }

  /// Keeps an error that the reader finds: "FILE: models[2].inputSize" and the text.
  void Fail(const std::string& text) const;

  /// Where this is, as messages have it: "FILE: models[2].inputSize".
  const std::string& where() const { return where_; }

  /// The member of an object, which must be there.
  JsonCursor operator[](const std::string& name) const;
  /// Whether this is an object that has the member; an error when it is no object.
  bool Has(const std::string& name) const;
  /// The names of an object's members, in alphabetical order.
  std::vector<std::string> Names() const;
  /// An error for each member of an object that is none of these.
  void AllowOnly(const std::vector<std::string>& names) const;

  /// The elements of a list.
  std::vector<JsonCursor> Elements() const;

  /// A text, which is not empty.
  std::string String() const;
  bool IsString() const;
  double Number() const;
  /// A whole number of at least `least`, below 2^32.
  uint32_t Integer(uint32_t least) const;

 private:
  JsonCursor(std::shared_ptr<const nlohmann::json> document, const nlohmann::json* value,
             std::string where, std::shared_ptr<absl::Status> status);

  std::shared_ptr<const nlohmann::json> document_;
  // Null after an error.
  const nlohmann::json* value_;
  std::string where_;
  std::shared_ptr<absl::Status> status_;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_JSON_CURSOR_H_
