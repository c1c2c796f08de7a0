// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/name_filter.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "certifying/regular_expression.h"
#include "re2/re2.h"

namespace nncert {

absl::StatusOr<NameFilter> NameFilter::Of(const std::string& expression, absl::string_view flag) {
  NameFilter filter;
  if (expression.empty()) return filter;
  auto pattern = ParseRegularExpression(expression);
  if (!pattern.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(flag, ": ", pattern.status().message()));
  }
  filter.pattern_ = *std::move(pattern);
  return filter;
}

bool NameFilter::Leaves(const std::string& name) const {
  return pattern_ == nullptr || re2::RE2::PartialMatch(name, *pattern_);
}

bool NameFilter::Leaves(const std::string& fixture, const std::string& name) const {
  return Leaves(name) || Leaves(absl::StrCat(fixture, ".", name));
}

std::string NameFilter::ExpressionOf(const std::string& name) {
  return absl::StrCat("^", re2::RE2::QuoteMeta(name), "$");
}

}  // namespace nncert
