// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// SOFTMAX: exponentials of each slice along an axis, scaled to sum to one.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <type_traits>

#include "reference/catalogue.h"
#include "reference/hot/levels.h"
#include "reference/ops/axis.h"
#include "reference/ops/ball_products.h"
#include "reference/ops/packed_weights.h"

namespace nncert {
namespace {

enum : int { kInput, kBeta, kAxis };

// Sets `result` to the softmax of `count` balls. False where the hot kernels cannot enclose it, and
// `result` is then arbitrary.
bool NormalizeBalls(const BallArithmetic& arithmetic, const Ball& beta, size_t count,
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

template <class A>
absl::Status Normalize(const A& arithmetic, KernelContext<A>& context) {
  const auto input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const auto beta = arithmetic.Constant(context->Real(kBeta));
  for (const Slice& slice : SlicesAlong(input.dimensions, context->Int32(kAxis, -1))) {
    if (slice.stride == 1) {
      const auto* from = input.data + slice.first;
      auto* to = output->data + slice.first;
      if constexpr (std::is_same_v<A, BallArithmetic>) {
        if (NormalizeBalls(arithmetic, beta, slice.length, from, to)) continue;
      } else {
        HotKernels<typename A::Number>().softmax(slice.length, beta, from, to);
        continue;
      }
    }
    auto maximum = input[slice.Index(0)];
    for (size_t i = 1; i < slice.length; ++i)
      maximum = arithmetic.Max(maximum, input[slice.Index(i)]);
    typename A::Accumulator sum;
    for (size_t i = 0; i < slice.length; ++i) {
      auto& element = (*output)[slice.Index(i)];
      element = arithmetic.Exp(
          arithmetic.Multiply(arithmetic.Subtract(input[slice.Index(i)], maximum), beta));
      sum.Add(element);
    }
    const auto total = arithmetic.Finish(sum);
    for (size_t i = 0; i < slice.length; ++i) {
      auto& element = (*output)[slice.Index(i)];
      element = arithmetic.Divide(element, total);
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

// Normalize on quantized elements, of which there are so few that each exponential is known.
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

NNCERT_OPERATION_DEFINITION(SOFTMAX) {
  return {
      .summary =
          "output[i] = exp((input[i] - max) * beta) / sum_k exp((input[k] - max) * beta), per "
          "slice along axis",
      .description = "The maximum of the slice is subtracted first, so no exponential overflows.",
      .signature =
          {
              .inputs =
                  {Tensor("input")
                       .Types({OperandType::TENSOR_FLOAT32, OperandType::TENSOR_QUANT8_ASYMM})
                       .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT16})
                       .Ranks({2, 4})
                       .Ranks(HalVersion::V1_2, {1, 3})
                       .Values(Uniform(-4, 4))
                       .Describe("The logits."),
                   FloatScalarLike("beta", kInput)
                       .Values(LogUniform(0.1, 4))
                       .Describe("What the logits are multiplied by; above 0."),
                   Int32Scalar("axis")
                       .Since(HalVersion::V1_2)
                       .Trailing()
                       .Describe(
                           "The axis of the slices; negative counts from the end. Default -1.")},
              .outputs = {Tensor("output")
                              .TypeLike(kInput)
                              .Ranks({2, 4})
                              .Ranks(HalVersion::V1_2, {1, 3})
                              .Quantized(1.f / 256, 0)
                              .Describe("The probabilities, of the dimensions of the input.")},
          },
      .constraints = {{"C1",
                       "beta is greater than zero",
                       {},
                       {kBeta},
                       [](const OperationContext& context) { return context.Real(kBeta) > 0; }},
                      {"C2",
                       "axis is in [-rank, rank)",
                       {kInput},
                       {kAxis},
                       [](const OperationContext& context) {
                         return CanonicalAxis(context.Int32(kAxis, -1), context.Rank(kInput)) >= 0;
                       }}},
      .shape = SameShapeAsFirstInput,
      .kernel =
          Compute([]<class A>(const A& arithmetic,
                              KernelContext<A>& context) { return Normalize(arithmetic, context); },
                  NormalizeIntegers),
      .error_bound = "of exp, of the sum of the slice's length, and of one division",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::SOFTMAX",
  };
}

}  // namespace nncert
