// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Coverage as a page to be looked at.

#ifndef NNCERT_CERTIFYING_PAGE_COVERAGE_PAGE_H_
#define NNCERT_CERTIFYING_PAGE_COVERAGE_PAGE_H_

#include <string>

#include "cases/coverage/coverage.h"

namespace nncert {

/// A page of its own: a matrix of operations and types by kinds of coverage items, and beneath, for
/// each operation, every item by type with how often it was met. `subject` says what the cases are,
/// such as the paths that they were read from.
std::string CoverageToHtml(const Coverage& coverage, const std::string& subject);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_PAGE_COVERAGE_PAGE_H_
