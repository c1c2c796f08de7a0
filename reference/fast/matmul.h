// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Products of dense matrices by the hot kernels.

#ifndef NNCERT_REFERENCE_FAST_MATMUL_H_
#define NNCERT_REFERENCE_FAST_MATMUL_H_

#include <cstddef>

#include "reference/number/ball.h"
#include "reference/number/matrix_product.h"
#include "reference/number/precision.h"

namespace nncert {

/// result = left * transpose(right), in single precision.
void MatMul(const MatrixProductSizes& sizes, const float* left, const float* right, float* result);

/// result = left * transpose(right), in double precision.
void MatMul(const MatrixProductSizes& sizes, const double* left, const double* right,
            double* result);

/// The same for a right matrix of floats: of weights that are read but once, half the memory.
void MatMul(const MatrixProductSizes& sizes, const double* left, const float* right,
            double* result);

/// Encloses left * transpose(right) as computed at `precision` in any order of summation. Added up,
/// enclosures of several products with the same `terms` enclose their joint sum in any order.
///
/// The midpoint is the product of the midpoints; the radius adds the spread of the factors and the
/// error that SumError grants to |left| |right|, all from two more products of absolute values. A
/// result with a factor that is not a finite number, or with a sum that may leave the range of the
/// precision (of which a part of a longer sum may use a quarter), is Ball::Anything().
void MatMul(const MatrixProductSizes& sizes, const Precision& precision, const Ball* left,
            const Ball* right, Ball* result);

/// The same for a right matrix of floats, each of which is what implementations of
/// kFloat32Precision hold for it (see Held).
void MatMul(const MatrixProductSizes& sizes, const Precision& precision, const Ball* left,
            const float* right, Ball* result);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_FAST_MATMUL_H_
