// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Which class an image is of.

#ifndef NNCERT_MLTS_DATA_SETS_LABELS_H_
#define NNCERT_MLTS_DATA_SETS_LABELS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace nncert {

/// The classes of a network by their texts.
class ClassNames {
 public:
  /// No texts: a class is its number.
  ClassNames() = default;

  /// The classes of a file whose lines are their texts, the first being that of class 0. Of several
  /// lines that are alike, the last counts, as in MLTS. Fails as ReadFileLines does.
  static absl::StatusOr<ClassNames> Read(const std::string& path);

  /// The class that is called `text`, or whose number it is where there are no texts.
  /// InvalidArgument when there is none.
  absl::StatusOr<uint32_t> ClassOf(const std::string& text) const;

  /// How many lines were the same as an earlier one.
  size_t repeated() const { return repeated_; }

 private:
  std::string path_;
  std::map<std::string, uint32_t> classes_;
  size_t repeated_ = 0;
};

/// The number of digits alone, below 2^32; nothing for any other text.
std::optional<uint32_t> WholeNumber(const std::string& text);

/// The number at the end of a file's name, before its extension: 17 of "image-17.jpeg"; nothing
/// when there is none below 2^32.
std::optional<uint32_t> NumberInName(const std::string& path);

/// Whether a file's name ends as that of an image: ".jpg", ".jpeg" or, if `with_png`, ".png", in
/// small letters or large.
bool IsImageName(const std::string& path, bool with_png);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_LABELS_H_
