// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/number/matmul.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

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
  std::vector<bool> is_row_regular;  // every entry of the row bounded and finite
};

Parts Split(const Ball* balls, size_t rows, size_t columns) {
  Parts parts;
  const auto row_count = static_cast<Eigen::Index>(rows);
  const auto column_count = static_cast<Eigen::Index>(columns);
  parts.midpoint.resize(row_count, column_count);
  parts.magnitude.resize(row_count, column_count);
  parts.reach.resize(row_count, column_count);
  parts.is_row_regular.resize(rows);
  for (size_t row = 0; row < rows; ++row) {
    bool is_regular = true;
    for (size_t i = row * columns; i < (row + 1) * columns; ++i) {
      const double magnitude = std::abs(balls[i].midpoint);
      parts.midpoint.data()[i] = balls[i].midpoint;
      parts.magnitude.data()[i] = magnitude;
      parts.reach.data()[i] = magnitude + balls[i].radius;
      is_regular &= std::isfinite(parts.reach.data()[i]);
    }
    parts.is_row_regular[row] = is_regular;
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
  const auto depth = static_cast<double>(sizes.depth);
  for (size_t i = 0; i < sizes.rows * sizes.columns; ++i) {
    // An infinity, a NaN or an unbounded factor spoils its own row or column of the result alone.
    const bool is_regular = left_parts.is_row_regular[i / sizes.columns] &&
                            right_parts.is_row_regular[i % sizes.columns];
    const double reach_here = reach.data()[i];
    const double error = SumError(precision, depth, reach_here);
    if (!is_regular || !(reach_here + error <= precision.largest_finite)) {
      result[i] = Ball::Anything();
      continue;
    }
    const double spread = std::max(0.0, reach_here - magnitude.data()[i]);
    result[i] = {midpoint.data()[i], spread + error};
  }
}

}  // namespace nncert
