// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/name_filter.h"

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace nncert {

absl::StatusOr<NameFilter> NameFilter::Of(const std::string& expression) {
  NameFilter filter;
  filter.leaves_all_ = expression.empty();
  try {
    filter.pattern_.assign(expression, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", expression, "' is no regular expression: ", error.what()));
  }
  return filter;
}

bool NameFilter::Leaves(const std::string& name) const {
  return leaves_all_ || std::regex_search(name, pattern_);
}

bool NameFilter::Leaves(const std::string& fixture, const std::string& name) const {
  return Leaves(name) || Leaves(absl::StrCat(fixture, ".", name));
}

std::string NameFilter::ExpressionOf(const std::string& name) {
  std::string expression = "^";
  for (const char letter : name) {
    if (!absl::ascii_isalnum(letter) && letter != '_') expression += '\\';
    expression += letter;
  }
  return expression + "$";
}

}  // namespace nncert
