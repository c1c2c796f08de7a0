// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_NUMBER_MATMUL_H_
#define NNCERT_REFERENCE_NUMBER_MATMUL_H_

#include <cstddef>

#include "reference/number/ball.h"
#include "reference/number/precision.h"

namespace nncert {

/// The sizes of a product of `rows` x `depth` by the transpose of `columns` x `depth`, giving
/// `rows` x `columns`.
///
/// The right factor is stored transposed because that is how the HAL stores weights: one row of
/// `depth` numbers for each output channel. All three matrices are dense and row-major.
struct MatMulSizes {
  size_t rows;
  size_t columns;
  size_t depth;
  /// How many terms there are in the sums that the products are parts of, in whatever order they
  /// are added up: more than `depth` where up to three more products, or addends, join in. 0 stands
  /// for `depth`.
  size_t terms = 0;
};

/// result = left * transpose(right), in single precision.
void MatMul(const MatMulSizes& sizes, const float* left, const float* right, float* result);

/// result = left * transpose(right), in double precision.
void MatMul(const MatMulSizes& sizes, const double* left, const double* right, double* result);

/// The same for a right matrix of floats: of weights that are read but once, half the memory.
void MatMul(const MatMulSizes& sizes, const double* left, const float* right, double* result);

/// Encloses left * transpose(right) as computed at `precision` in any order of summation. Added up,
/// enclosures of several products with the same `terms` enclose their joint sum in any order.
///
/// The midpoint is the product of the midpoints; the radius adds the spread of the factors and the
/// error that SumError grants to |left| |right|, all from two more products of absolute values. A
/// result with a factor that is not a finite number, or with a sum that may leave the range of the
/// precision (of which a part of a longer sum may use a quarter), is Ball::Anything().
void MatMul(const MatMulSizes& sizes, const Precision& precision, const Ball* left,
            const Ball* right, Ball* result);

/// The same for a right matrix of floats, each of which is what implementations of
/// kFloat32Precision hold for it (see Held).
void MatMul(const MatMulSizes& sizes, const Precision& precision, const Ball* left,
            const float* right, Ball* result);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_NUMBER_MATMUL_H_
