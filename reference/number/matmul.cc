// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/number/matmul.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace nncert {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
void RealMatMul(const MatMulSizes& sizes, const T* left, const T* right, T* result) {
  const auto rows = static_cast<Eigen::Index>(sizes.rows);
  const auto columns = static_cast<Eigen::Index>(sizes.columns);
  const auto depth = static_cast<Eigen::Index>(sizes.depth);
  if (rows == 0 || columns == 0) return;
  Eigen::Map<const Matrix<T>> left_matrix(left, rows, depth);
  Eigen::Map<const Matrix<T>> right_matrix(right, columns, depth);
  Eigen::Map<Matrix<T>> result_matrix(result, rows, columns);
  if (rows == 1) {
    // A matrix-vector product: several times faster than a matrix product with one row.
    result_matrix.row(0).transpose().noalias() = right_matrix * left_matrix.row(0).transpose();
  } else {
    result_matrix.noalias() = left_matrix * right_matrix.transpose();
  }
}

// The midpoints, their magnitudes, and the magnitudes plus radii of the entries of `balls`.
struct Parts {
  Matrix<double> midpoint;
  Matrix<double> magnitude;
  Matrix<double> reach;
};

Parts Split(const Ball* balls, size_t rows, size_t columns) {
  Parts parts;
  const auto row_count = static_cast<Eigen::Index>(rows);
  const auto column_count = static_cast<Eigen::Index>(columns);
  parts.midpoint.resize(row_count, column_count);
  parts.magnitude.resize(row_count, column_count);
  parts.reach.resize(row_count, column_count);
  for (size_t i = 0; i < rows * columns; ++i) {
    const double magnitude = std::abs(balls[i].midpoint);
    parts.midpoint.data()[i] = balls[i].midpoint;
    parts.magnitude.data()[i] = magnitude;
    parts.reach.data()[i] = magnitude + balls[i].radius;
  }
  return parts;
}

}  // namespace

void MatMul(const MatMulSizes& sizes, const float* left, const float* right, float* result) {
  RealMatMul(sizes, left, right, result);
}

void MatMul(const MatMulSizes& sizes, const double* left, const double* right, double* result) {
  RealMatMul(sizes, left, right, result);
}

void MatMul(const MatMulSizes& sizes, const Precision& precision, const Ball* left,
            const Ball* right, Ball* result) {
  const Parts left_parts = Split(left, sizes.rows, sizes.depth);
  const Parts right_parts = Split(right, sizes.columns, sizes.depth);
  const Matrix<double> midpoint = left_parts.midpoint * right_parts.midpoint.transpose();
  const Matrix<double> magnitude = left_parts.magnitude * right_parts.magnitude.transpose();
  const Matrix<double> reach = left_parts.reach * right_parts.reach.transpose();
  const auto terms = static_cast<double>(std::max(sizes.depth, sizes.terms));
  // A partial sum may hold terms of every part.
  const double limit = precision.largest_finite / (sizes.terms > sizes.depth ? 4 : 1);
  for (size_t i = 0; i < sizes.rows * sizes.columns; ++i) {
    // With an infinity, a NaN or an unbounded factor in its row or column, the reach is not finite.
    const double reach_here = reach.data()[i];
    const double error = SumError(precision, terms, reach_here);
    if (!(reach_here + error <= limit)) {
      result[i] = Ball::Anything();
      continue;
    }
    const double spread = std::max(0.0, reach_here - magnitude.data()[i]);
    result[i] = {midpoint.data()[i], spread + error};
  }
}

}  // namespace nncert
