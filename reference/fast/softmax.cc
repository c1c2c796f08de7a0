// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// SOFTMAX of innermost slices by the hot kernels, and of quantized elements by a table.

#include "reference/ops/softmax.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "reference/fast/ball_products.h"
#include "reference/fast/hot/levels.h"
#include "reference/fast/packed_weights.h"
#include "reference/fast_kernel.h"
#include "reference/ops/common/axis.h"

namespace nncert {
namespace {

using enum softmax::Slot;

// The slices as rows, one after the other, of numbers that follow each other; nothing where those
// of a slice do not.
struct Rows {
  size_t count;
  size_t length;
};
std::optional<Rows> RowsOf(const OperationContext& operation) {
  const AxisSizes sizes =
      SizesAround(operation.Input(kInput).dimensions, operation.Int32(kAxis, -1));
  if (sizes.inner > 1) return std::nullopt;
  return Rows{sizes.length == 0 ? 0 : sizes.outer * sizes.inner, sizes.length};
}

// Declines slices that are not innermost.
template <class T>
absl::Status NormalizeReals(const RealArithmetic<T>& arithmetic,
                            FastContext<RealArithmetic<T>>& context) {
  const std::optional<Rows> rows = RowsOf(context.operation());
  if (!rows.has_value()) return Declined();
  const auto input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const T beta = arithmetic.Constant(context->Real(kBeta));
  for (size_t row = 0; row < rows->count; ++row) {
    const size_t first = row * rows->length;
    HotKernels<T>().softmax(rows->length, beta, input.data + first, output->data + first);
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
  // These exponentials are wider than the definition's, whose sum may be clear of zero.
  if (!(totals.midpoints > totals.radii + error)) return false;
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
  const std::optional<Rows> rows = RowsOf(context.operation());
  if (!rows.has_value()) return Declined();
  const auto input = context.Input(kInput);
  const Ball beta = arithmetic.Constant(context->Real(kBeta));
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  for (size_t row = 0; row < rows->count; ++row) {
    const size_t first = row * rows->length;
    if (!NormalizeSlice(arithmetic, beta, rows->length, input.data + first, output->data + first)) {
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
