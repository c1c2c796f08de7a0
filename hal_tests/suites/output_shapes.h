// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite of output shapes: what a driver of 1.2 reports of its outputs when their dimensions are
// known beforehand, when they are not, and when a buffer is too small for them.

#ifndef NNCERT_HAL_TESTS_SUITES_OUTPUT_SHAPES_H_
#define NNCERT_HAL_TESTS_SUITES_OUTPUT_SHAPES_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// A check for each thing that is reported in each of the three situations.
std::vector<Check> OutputShapeChecks();

/// A test for each case in each mode: NeuralnetworksHidlTest.NAME where the model says all
/// dimensions, DynamicOutputShapeTest.NAME where it leaves them open. In the latter each output in
/// turn gets a buffer that is too small, by one byte and of one byte alone. None on a device before
/// 1.2, which reports nothing of outputs.
std::vector<std::unique_ptr<SuiteTest>> MakeOutputShapeTests(absl::Span<const CaseInMode> cases,
                                                             hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_SUITES_OUTPUT_SHAPES_H_
