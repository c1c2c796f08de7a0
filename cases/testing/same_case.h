// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Compares test cases by value.

#ifndef NNCERT_CASES_TESTING_SAME_CASE_H_
#define NNCERT_CASES_TESTING_SAME_CASE_H_

#include <string>

#include "cases/test_case.h"

namespace nncert {

/// What tells two cases apart, or nothing. Unlike ==, pools are the same when their kinds and their
/// bytes are.
std::string DifferenceOf(const TestCase& a, const TestCase& b);

/// The same but for two things of no consequence: where constants lie in operandValues or in pools,
/// and bytes of outputs that are not compared. Constants have the same values, and are still in one
/// of these or the other.
std::string DifferenceBesideLayout(const TestCase& a, const TestCase& b);

}  // namespace nncert

#endif  // NNCERT_CASES_TESTING_SAME_CASE_H_
