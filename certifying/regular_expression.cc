// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/regular_expression.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace nncert {

absl::StatusOr<std::shared_ptr<const re2::RE2>> ParseRegularExpression(
    const std::string& expression) {
  re2::RE2::Options options;
  options.set_encoding(re2::RE2::Options::EncodingLatin1);
  options.set_log_errors(false);
  auto parsed = std::make_shared<const re2::RE2>(expression, options);
  if (!parsed->ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", expression, "' is no regular expression: ", parsed->error()));
  }
  return parsed;
}

}  // namespace nncert
