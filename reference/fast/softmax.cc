// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// SOFTMAX of innermost slices by the hot kernels, and of quantized elements by a table.

#include "reference/ops/softmax.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "reference/fast/ball_products.h"
#include "reference/fast/hot/levels.h"
#include "reference/fast/packed_weights.h"
#include "reference/fast_kernel.h"
#include "reference/ops/common/axis.h"

namespace nncert {
namespace {

using enum softmax::Slot;

// Whether the elements of each slice follow each other.
bool AreInnermost(const std::vector<Slice>& slices) {
  return slices.empty() || slices.front().stride == 1;
}

// Declines slices that are not innermost.
template <class T>
absl::Status NormalizeReals(const RealArithmetic<T>& arithmetic,
                            FastContext<RealArithmetic<T>>& context) {
  const Shape& dimensions = context->Input(kInput).dimensions;
  const std::vector<Slice> slices = SlicesAlong(dimensions, context->Int32(kAxis, -1));
  if (!AreInnermost(slices)) return Declined();
  const auto input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const T beta = arithmetic.Constant(context->Real(kBeta));
  for (const Slice& slice : slices) {
    HotKernels<T>().softmax(slice.length, beta, input.data + slice.first,
                            output->data + slice.first);
  }
  return absl::OkStatus();
}

// Sets `result` to the softmax of `count` balls. False where the hot kernels cannot enclose it, and
// `result` is then arbitrary.
bool NormalizeSlice(const BallArithmetic& arithmetic, const Ball& beta, size_t count,
                    const Ball* input, Ball* result) {
  if (!beta.IsExact() || !std::isfinite(beta.midpoint)) return false;
  const Precision& precision = arithmetic.precision();
  hot::BallTotals totals;
  if (!hot::BestKernels().ball_exponentials({.count = count,
                                             .x = DoublesOf(input),
                                             .beta = beta.midpoint,
                                             .function_ulps = BallArithmetic::kFunctionUlps,
                                             .precision = BallPrecisionOf(precision),
                                             .result = DoublesOf(result)},
                                            totals)) {
    return false;
  }
  const double error = SumError(precision, static_cast<double>(count), totals.magnitudes);
  if (!(totals.magnitudes + error <= precision.largest_finite)) return false;
  const Ball sum = {totals.midpoints, totals.radii + error};
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  hot::BestKernels().ball_binary({.operation = hot::BinaryOperation::kDivide,
                                  .count = count,
                                  .a = DoublesOf(result),
                                  .b = DoublesOf(&sum),
                                  .b_step = 0,
                                  .quotient_roundings = 2 * BallArithmetic::kQuotientUlps,
                                  .precision = BallPrecisionOf(precision),
                                  .lowest = -kNoLimit,
                                  .highest = kNoLimit,
                                  .result = DoublesOf(result)});
  return true;
}

// Declines slices that are not innermost, and those that the hot kernels cannot enclose.
absl::Status NormalizeBalls(const BallArithmetic& arithmetic,
                            FastContext<BallArithmetic>& context) {
  const Shape& dimensions = context->Input(kInput).dimensions;
  const std::vector<Slice> slices = SlicesAlong(dimensions, context->Int32(kAxis, -1));
  if (!AreInnermost(slices)) return Declined();
  const auto input = context.Input(kInput);
  const Ball beta = arithmetic.Constant(context->Real(kBeta));
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  for (const Slice& slice : slices) {
    if (!NormalizeSlice(arithmetic, beta, slice.length, input.data + slice.first,
                        output->data + slice.first)) {
      return Declined();
    }
  }
  return absl::OkStatus();
}

// The exponentials of what a quantized element may be below the greatest.
struct Exponentials {
  Exponentials(double scale, double beta) {
    for (size_t i = 0; i < std::size(values); ++i) {
      values[i] = std::exp(-static_cast<double>(i) * scale * beta);
    }
  }
  double values[256];
};

// On quantized elements, of which there are so few that each exponential is known.
absl::Status NormalizeIntegers(IntegerContext& context) {
  const OperandInfo& info = context->Input(kInput);
  if (info.type != OperandType::TENSOR_QUANT8_ASYMM || !std::isfinite(context->Real(kBeta))) {
    return Declined();
  }
  const auto input = context.Input<uint8_t>(kInput);
  auto output = context.Output<uint8_t>(0);
  if (!output.ok()) return output.status();
  const auto& exponentials = context.FromConstants<Exponentials>(
      {kBeta}, [&]() { return Exponentials(info.scale, context->Real(kBeta)); });
  const double steps_per_one = 1.0 / context->Output(0).scale;
  for (const Slice& slice : SlicesAlong(input.dimensions, context->Int32(kAxis, -1))) {
    int maximum = 0;
    for (size_t i = 0; i < slice.length; ++i) {
      maximum = std::max<int>(maximum, input[slice.Index(i)]);
    }
    double sum = 0;
    for (size_t i = 0; i < slice.length; ++i) {
      sum += exponentials.values[maximum - input[slice.Index(i)]];
    }
    for (size_t i = 0; i < slice.length; ++i) {
      const double steps =
          exponentials.values[maximum - input[slice.Index(i)]] / sum * steps_per_one;
      // Not negative, so this rounds to the nearest, ties away from zero. One is a step too many.
      (*output)[slice.Index(i)] = static_cast<uint8_t>(std::min(steps + 0.5, 255.0));
    }
  }
  return absl::OkStatus();
}

}  // namespace

NNCERT_FAST_KERNEL(SOFTMAX, {.with_float = NormalizeReals<float>,
                             .with_double = NormalizeReals<double>,
                             .with_ball = NormalizeBalls,
                             .with_integers = NormalizeIntegers});

}  // namespace nncert
