// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Which names --filter leaves, and flags like it.

#ifndef NNCERT_CERTIFYING_NAME_FILTER_H_
#define NNCERT_CERTIFYING_NAME_FILTER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace nncert {

/// A regular expression (RE2) that is looked for in names.
class NameFilter {
 public:
  /// Leaves every name.
  NameFilter() = default;

  /// The filter of an expression; every name for the empty one. InvalidArgument, which names the
  /// flag that somebody gave the expression for, when it is none.
  static absl::StatusOr<NameFilter> Of(const std::string& expression,
                                       absl::string_view flag = "--filter");

  /// Whether the expression occurs in the name.
  bool Leaves(const std::string& name) const;

  /// Whether it occurs in the name of a test, with "FIXTURE." before it or without.
  bool Leaves(const std::string& fixture, const std::string& name) const;

  /// What leaves this name alone.
  static std::string ExpressionOf(const std::string& name);

 private:
  std::shared_ptr<const re2::RE2> pattern_;  // null: every name
};

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_NAME_FILTER_H_
