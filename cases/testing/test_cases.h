// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Small test cases for the harness's own tests.

#ifndef NNCERT_CASES_TESTING_TEST_CASES_H_
#define NNCERT_CASES_TESTING_TEST_CASES_H_

#include <string>
#include <vector>

#include "cases/test_case.h"
#include "reference/model_builder.h"

namespace nncert {

/// A case of `model` with one example: numbers for each input, and for each output the expected
/// ones (see BytesOf). Dimensions are those of the model. The names are `name` and
/// `name`_dynamic_output_shape.
TestCase CaseWith(const hal::V1_2::Model& model, const std::vector<std::vector<double>>& inputs,
                  const std::vector<std::vector<double>>& outputs,
                  const std::string& name = "test");

/// a + b, of `type` and dimensions [2, 2]: {1, 2, 3, 4} + {10, 20, 30, 40}. Quantized types have
/// scale 1 and zeroPoint 0.
TestCase AddCase(hal::V1_2::OperandType type = hal::V1_2::OperandType::TENSOR_FLOAT32);

/// Two operations with an output each: 0 is a + b, 1 is a * b; {1, 2} and {3, 4}.
TestCase AddMulCase();

/// a + b + c, from left to right, each one element in TENSOR_FLOAT32.
TestCase SumOfThreeCase(double a, double b, double c, double expected);

}  // namespace nncert

#endif  // NNCERT_CASES_TESTING_TEST_CASES_H_
