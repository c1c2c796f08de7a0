// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models that reach every part of the fast kernels.

#ifndef NNCERT_REFERENCE_FAST_TESTING_FAST_CASES_H_
#define NNCERT_REFERENCE_FAST_TESTING_FAST_CASES_H_

#include <string>
#include <vector>

#include "hal/v1_2/types.h"

namespace nncert {

/// A model of one operation, with what to execute it on.
struct FastCase {
  /// Letters, digits and underscores.
  std::string name;
  hal::V1_2::Model model;
  /// Numbers for each model input; integers for quantized ones.
  std::vector<std::vector<double>> inputs;
  /// The outputs are sums, or made of sums, whose terms may be added in any order: doubles agree
  /// but for that, and otherwise to the last bit.
  bool has_sums = true;
};

/// All cases: for every operation with a fast kernel every type, layout, activation and broadcast,
/// weights that are constants and that are inputs, and sizes around every threshold of the kernels:
/// one or several pieces of work, vectors with a remainder, numbers that a kernel declines. They
/// are made once.
const std::vector<FastCase>& FastCases();

/// The cases of some operations, by the file that they are made in.
std::vector<FastCase> ConvolutionCases();
std::vector<FastCase> ElementwiseCases();
std::vector<FastCase> RecurrentCases();

}  // namespace nncert

#endif  // NNCERT_REFERENCE_FAST_TESTING_FAST_CASES_H_
