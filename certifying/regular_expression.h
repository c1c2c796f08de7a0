// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Regular expressions that people write: in flags and in files.

#ifndef NNCERT_CERTIFYING_REGULAR_EXPRESSION_H_
#define NNCERT_CERTIFYING_REGULAR_EXPRESSION_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "re2/re2.h"

namespace nncert {

/// The expression, of bytes, in RE2's syntax (https://github.com/google/re2/wiki/Syntax): whatever
/// it is, to match it takes time in proportion to the text, and it has no back-references and does
/// not look ahead. Thread-safe. InvalidArgument, with the expression and what is wrong with it,
/// when it is none, or takes too much memory.
absl::StatusOr<std::shared_ptr<const re2::RE2>> ParseRegularExpression(
    const std::string& expression);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_REGULAR_EXPRESSION_H_
