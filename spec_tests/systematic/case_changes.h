// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What is changed of cases that the graph maker has made, so that more of what an operation may be
// given is met.

#ifndef NNCERT_SPEC_TESTS_SYSTEMATIC_CASE_CHANGES_H_
#define NNCERT_SPEC_TESTS_SYSTEMATIC_CASE_CHANGES_H_

#include <cstdint>

#include "cases/test_case.h"
#include "hal/version.h"
#include "random/split_mix.h"

namespace nncert {

/// Makes the elements of an operand of floating point 512 times as large, if the case gives them,
/// and not in a pool. Whether they are now.
bool Enlarge(uint32_t operand, TestCase& test_case);

/// Has quantized outputs saturate, gives all scales powers of two, so that results lie on steps and
/// half way between them, or has outputs hold more than results; if the operation allows it at
/// `version`. What it comes to: 0 for nothing, 1 to 3.
int ChangeScales(hal::HalVersion version, SplitMix64& random, TestCase& test_case);

/// Leaves dimensions of an input of a model of one operation open, if it may at `version`. What it
/// comes to: 0 for nothing, 1 for a dimension, 2 for all and their number.
int LeaveOpen(hal::HalVersion version, SplitMix64& random, TestCase& test_case);

}  // namespace nncert

#endif  // NNCERT_SPEC_TESTS_SYSTEMATIC_CASE_CHANGES_H_
