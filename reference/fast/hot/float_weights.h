// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Products of a few rows, of doubles or of balls, with weights that are floats: large weights are
// read but once, so half the bytes take half the time. Included by level.cc alone.

#ifndef NNCERT_REFERENCE_FAST_HOT_FLOAT_WEIGHTS_H_
#define NNCERT_REFERENCE_FAST_HOT_FLOAT_WEIGHTS_H_

#include "reference/fast/hot/balls.h"
#include "reference/fast/hot/convert.h"
#include "reference/fast/hot/kernels.h"
#include "reference/fast/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

// The columns whose sums stay in registers together.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int kFloatColumns = 4;
#else
inline constexpr int kFloatColumns = 2;
#endif

NNCERT_HOT_INLINE double SumOfLanes(const Doubles& x) {
  double sum = x[0];
#pragma GCC unroll 8
  for (size_t i = 1; i < kDoubleLanes; ++i) sum += x[i];
  return sum;
}

// result[c] = sum_k left[k] * right[c][k] for kColumns rows of the right matrix.
template <int kColumns>
NNCERT_HOT_INLINE void MultiplyRowByFloats(size_t depth, const double* left, const float* right,
                                           double* result) {
  constexpr size_t kStep = 2 * kDoubleLanes;
  Doubles even[kColumns] = {};
  Doubles odd[kColumns] = {};
  size_t k = 0;
  for (; k + kStep <= depth; k += kStep) {
    const Doubles first = Load(left + k);
    const Doubles second = Load(left + k + kDoubleLanes);
#pragma GCC unroll 4
    for (int c = 0; c < kColumns; ++c) {
      even[c] += first * LoadWidened(right + c * depth + k);
      odd[c] += second * LoadWidened(right + c * depth + k + kDoubleLanes);
    }
  }
#pragma GCC unroll 4
  for (int c = 0; c < kColumns; ++c) {
    double sum = SumOfLanes(even[c] + odd[c]);
    for (size_t i = k; i < depth; ++i) sum += left[i] * double{right[c * depth + i]};
    result[c] = sum;
  }
}

inline void MultiplyFewRowsByFloats(size_t rows, size_t columns, size_t depth, const double* left,
                                    const float* right, double* result) {
  for (size_t row = 0; row < rows; ++row, left += depth, result += columns) {
    size_t c = 0;
    for (; c + kFloatColumns <= columns; c += kFloatColumns) {
      MultiplyRowByFloats<kFloatColumns>(depth, left, right + c * depth, result + c);
    }
    for (; c < columns; ++c) MultiplyRowByFloats<1>(depth, left, right + c * depth, result + c);
  }
}

using UnsignedBits = Vector<uint64_t>;

// A double of a float that is subnormal has, less one, fewer than these bits; that of zero does
// not, for it wraps around.
inline constexpr uint64_t kLeastNormalFloatBits = uint64_t{1023 - 126} << 52;

// Columns [column, column + kColumns) of one row. Keeps the least bits, less one, of weights in
// `least`.
template <int kColumns>
NNCERT_HOT_INLINE void MultiplyBallRow(const BallRowProducts& products, size_t row, size_t column,
                                       UnsignedBits& least) {
  const size_t depth = products.depth;
  const double* left = products.left + row * depth;
  const double* left_reach = products.left_reach + row * depth;
  const float* weights = products.weights + column * depth;
  Doubles midpoints[kColumns] = {};
  Doubles magnitudes[kColumns] = {};
  Doubles reaches[kColumns] = {};
  // Numbers k to k + kDoubleLanes - 1, whose weights are `stride` apart from column to column.
  const auto add = [&](const Doubles& x, const Doubles& x_reach, const float* from, size_t stride)
      __attribute__((always_inline)) {
    const Doubles x_magnitude = Magnitudes(x);
#pragma GCC unroll 4
    for (int c = 0; c < kColumns; ++c) {
      const Doubles weight = LoadWidened(from + c * stride);
      const Doubles weight_magnitude = Magnitudes(weight);
      midpoints[c] += x * weight;
      magnitudes[c] += x_magnitude * weight_magnitude;
      reaches[c] += x_reach * weight_magnitude;
      const UnsignedBits bits = reinterpret_cast<UnsignedBits>(weight_magnitude) - 1;
      least = bits < least ? bits : least;
    }
  };
  size_t k = 0;
  for (; k + kDoubleLanes <= depth; k += kDoubleLanes) {
    add(Load(left + k), Load(left_reach + k), weights + k, depth);
  }
  if (k < depth) {
    // The last ones, copied into whole vectors.
    double rest[kDoubleLanes] = {};
    double rest_of_reaches[kDoubleLanes] = {};
    float rest_of_weights[kColumns * kDoubleLanes] = {};
    Copy(left + k, depth - k, rest);
    Copy(left_reach + k, depth - k, rest_of_reaches);
    for (int c = 0; c < kColumns; ++c) {
      Copy(weights + c * depth + k, depth - k, rest_of_weights + c * kDoubleLanes);
    }
    add(Load(rest), Load(rest_of_reaches), rest_of_weights, kDoubleLanes);
  }
  const size_t first = row * products.columns + column;
#pragma GCC unroll 4
  for (int c = 0; c < kColumns; ++c) {
    products.midpoints[first + c] = SumOfLanes(midpoints[c]);
    products.magnitudes[first + c] = SumOfLanes(magnitudes[c]);
    products.reaches[first + c] = SumOfLanes(reaches[c]);
  }
}

inline bool MultiplyBallRows(const BallRowProducts& all) {
  const BallRowProducts products = all;  // a copy, which no store to the results can change
  UnsignedBits least = ~UnsignedBits{};
  for (size_t row = 0; row < products.rows; ++row) {
    size_t c = 0;
    for (; c + kFloatColumns <= products.columns; c += kFloatColumns) {
      MultiplyBallRow<kFloatColumns>(products, row, c, least);
    }
    for (; c < products.columns; ++c) MultiplyBallRow<1>(products, row, c, least);
  }
  for (size_t i = 0; i < kDoubleLanes; ++i) {
    if (least[i] < kLeastNormalFloatBits - 1) return false;
  }
  return true;
}

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_FAST_HOT_FLOAT_WEIGHTS_H_
