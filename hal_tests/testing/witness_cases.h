// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Small cases that have something to break for every check of the suites between them.

#ifndef NNCERT_HAL_TESTS_TESTING_WITNESS_CASES_H_
#define NNCERT_HAL_TESTS_TESTING_WITNESS_CASES_H_

#include <vector>

#include "cases/case_source.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// A quantized convolution with a constant filter that has a scale for each channel.
hal::V1_2::Model ConvModel();

/// The model with its constants in a pool.
hal::V1_2::Model InPool(hal::V1_2::Model model);

/// Sums in float and quantized, models of several operations and outputs, and convolutions with
/// constants in the model and in a pool.
std::vector<LoadedCase> WitnessCases();

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_TESTING_WITNESS_CASES_H_
