// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The fast functions, by the hot kernels.

#include <cstdint>

#include "reference/fast/hot/levels.h"
#include "reference/fast/matmul.h"
#include "reference/fast_kernel.h"

namespace nncert {
namespace {

void MultiplyFloats(const MatrixProductSizes& sizes, const float* left, const Matrix<float>& right,
                    float* result) {
  MatMul(sizes, left, right.numbers, result);
}

void MultiplyDoubles(const MatrixProductSizes& sizes, const double* left,
                     const Matrix<double>& right, double* result) {
  if (right.floats != nullptr) return MatMul(sizes, left, right.floats, result);
  MatMul(sizes, left, right.numbers, result);
}

void MultiplyBalls(const MatrixProductSizes& sizes, const Precision& precision, const Ball* left,
                   const Matrix<Ball>& right, Ball* result) {
  if (right.floats != nullptr) return MatMul(sizes, precision, left, right.floats, result);
  MatMul(sizes, precision, left, right.numbers, result);
}

const FastFunctions* HotFunctions() {
  const hot::Kernels& kernels = hot::BestKernels();
  static const FastFunctions functions = {
      .multiply_floats = MultiplyFloats,
      .multiply_doubles = MultiplyDoubles,
      .multiply_balls = MultiplyBalls,
      .tanh = kernels.tanh,
      .logistic = kernels.logistic,
      .floats_to_doubles = kernels.floats_to_doubles,
      .floats_to_balls = kernels.floats_to_balls,
      .halves_to_floats = kernels.halves_to_floats,
      .floats_to_halves = kernels.floats_to_halves,
  };
  return &functions;
}

const FastFunctionsRegistration registration(&HotFunctions);

}  // namespace
}  // namespace nncert
