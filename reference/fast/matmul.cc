// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast/matmul.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/fast/hot/levels.h"
#include "reference/number/arithmetic.h"

namespace nncert {
namespace {

const hot::RealKernels<float>& KernelsFor(float /*number*/) { return hot::BestKernels().floats; }
const hot::RealKernels<double>& KernelsFor(double /*number*/) { return hot::BestKernels().doubles; }

// Packing reads and writes the right matrix once; it takes as long as a dozen rows.
constexpr size_t kFewRows = 12;

template <class T>
void RealMatMul(const MatrixProductSizes& sizes, const T* left, const T* right, T* result) {
  if (sizes.rows == 0 || sizes.columns == 0) return;
  const hot::RealKernels<T>& kernels = KernelsFor(T{});
  if (sizes.rows <= kFewRows) {
    kernels.multiply_few_rows(sizes.rows, sizes.columns, sizes.depth, left, right, result);
    return;
  }
  const size_t panels = (sizes.columns + kernels.panel - 1) / kernels.panel;
  std::vector<T> packed(panels * kernels.panel * sizes.depth);
  kernels.pack(sizes.columns, sizes.depth, right, packed.data());
  // Some rows at a time, which stay in a cache while they meet all columns.
  constexpr size_t kNumbersAtATime = size_t{1} << 16;
  const size_t at_a_time =
      std::clamp<size_t>(kNumbersAtATime / std::max<size_t>(1, sizes.depth), 32, 1024);
  std::vector<const T*> rows(std::min(at_a_time, sizes.rows));
  for (size_t first = 0; first < sizes.rows; first += at_a_time) {
    const size_t count = std::min(at_a_time, sizes.rows - first);
    for (size_t i = 0; i < count; ++i) rows[i] = left + (first + i) * sizes.depth;
    kernels.multiply({.rows = count,
                      .columns = sizes.columns,
                      .taps = 1,
                      .depth = sizes.depth,
                      .left = rows.data(),
                      .packed = packed.data(),
                      .bias = nullptr,
                      .lowest = -std::numeric_limits<T>::infinity(),
                      .highest = std::numeric_limits<T>::infinity(),
                      .result = result + first * sizes.columns,
                      .stride = sizes.columns});
  }
}

// The midpoints, their magnitudes, and the magnitudes plus radii of the entries of `balls`.
struct Parts {
  Parts(const Ball* balls, size_t count) : midpoint(count), magnitude(count), reach(count) {
    for (size_t i = 0; i < count; ++i) {
      midpoint[i] = balls[i].midpoint;
      magnitude[i] = std::abs(balls[i].midpoint);
      reach[i] = magnitude[i] + balls[i].radius;
      are_exact = are_exact && balls[i].radius == 0;
    }
  }
  std::vector<double> midpoint;
  std::vector<double> magnitude;
  std::vector<double> reach;
  bool are_exact = true;
};

// The enclosures of products: of the midpoints, of their magnitudes, and of the magnitudes plus
// radii.
void Enclose(const MatrixProductSizes& sizes, const Precision& precision,
             const std::vector<double>& midpoint, const std::vector<double>& magnitude,
             const std::vector<double>& reach, Ball* result) {
  const auto terms = static_cast<double>(std::max(sizes.depth, sizes.terms));
  // A partial sum may hold terms of every part.
  const double limit = precision.largest_finite / (sizes.terms > sizes.depth ? 4 : 1);
  for (size_t i = 0; i < sizes.rows * sizes.columns; ++i) {
    // With an infinity, a NaN or an unbounded factor in its row or column, the reach is not finite.
    const double reach_here = reach[i];
    const double error = SumError(precision, terms, reach_here);
    if (!(reach_here + error <= limit)) {
      result[i] = Ball::Anything();
      continue;
    }
    const double spread = std::max(0.0, reach_here - magnitude[i]);
    result[i] = {midpoint[i], spread + error};
  }
}

}  // namespace

void MatMul(const MatrixProductSizes& sizes, const float* left, const float* right, float* result) {
  RealMatMul(sizes, left, right, result);
}

void MatMul(const MatrixProductSizes& sizes, const double* left, const double* right,
            double* result) {
  RealMatMul(sizes, left, right, result);
}

void MatMul(const MatrixProductSizes& sizes, const Precision& precision, const Ball* left,
            const Ball* right, Ball* result) {
  const Parts left_parts(left, sizes.rows * sizes.depth);
  const Parts right_parts(right, sizes.columns * sizes.depth);
  const auto multiply = [&](const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> product(sizes.rows * sizes.columns);
    RealMatMul(sizes, x.data(), y.data(), product.data());
    return product;
  };
  const std::vector<double> midpoint = multiply(left_parts.midpoint, right_parts.midpoint);
  const std::vector<double> magnitude = multiply(left_parts.magnitude, right_parts.magnitude);
  const bool are_exact = left_parts.are_exact && right_parts.are_exact;
  const std::vector<double> reach =
      are_exact ? magnitude : multiply(left_parts.reach, right_parts.reach);
  Enclose(sizes, precision, midpoint, magnitude, reach, result);
}

void MatMul(const MatrixProductSizes& sizes, const double* left, const float* right,
            double* result) {
  if (sizes.rows <= kFewRows) {
    hot::BestKernels().multiply_few_rows_by_floats(sizes.rows, sizes.columns, sizes.depth, left,
                                                   right, result);
    return;
  }
  std::vector<double> wide(sizes.columns * sizes.depth);
  hot::BestKernels().floats_to_doubles(wide.size(), right, wide.data());
  MatMul(sizes, left, wide.data(), result);
}

void MatMul(const MatrixProductSizes& sizes, const Precision& precision, const Ball* left,
            const float* right, Ball* result) {
  if (sizes.rows <= kFewRows) {
    const Parts parts(left, sizes.rows * sizes.depth);
    const size_t count = sizes.rows * sizes.columns;
    std::vector<double> midpoint(count);
    std::vector<double> magnitude(count);
    std::vector<double> reach(count);
    if (hot::BestKernels().multiply_ball_rows({.rows = sizes.rows,
                                               .columns = sizes.columns,
                                               .depth = sizes.depth,
                                               .left = parts.midpoint.data(),
                                               .left_reach = parts.reach.data(),
                                               .weights = right,
                                               .midpoints = midpoint.data(),
                                               .magnitudes = magnitude.data(),
                                               .reaches = reach.data()})) {
      Enclose(sizes, precision, midpoint, magnitude, reach, result);
      return;
    }
  }
  std::vector<Ball> held(sizes.columns * sizes.depth);
  for (size_t i = 0; i < held.size(); ++i) held[i] = Held(double{right[i]}, kFloat32Precision);
  MatMul(sizes, precision, left, held.data(), result);
}

}  // namespace nncert
