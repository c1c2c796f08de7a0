// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// MEAN: the mean over some axes of a tensor.

#include "reference/catalogue.h"
#include "reference/ops/elementwise.h"

namespace nncert {
namespace {

enum : int { kInput, kAxes, kKeepDims };

// The dimensions of the input with 1 for those that are averaged over.
Shape KeptDimensions(const OperationContext& context) {
  Shape dimensions = context.Input(kInput).dimensions;
  for (const int32_t axis : context.Int32s(kAxes)) {
    dimensions[CanonicalAxis(axis, context.Rank(kInput))] = 1;
  }
  return dimensions;
}

absl::Status MeanShape(const OperationContext& context, std::vector<Shape>& outputs) {
  outputs[0] = KeptDimensions(context);
  if (context.Int32(kKeepDims) > 0) return absl::OkStatus();
  std::vector<bool> is_reduced(outputs[0].size(), false);
  for (const int32_t axis : context.Int32s(kAxes)) {
    is_reduced[CanonicalAxis(axis, context.Rank(kInput))] = true;
  }
  outputs[0].clear();
  for (size_t i = 0; i < is_reduced.size(); ++i) {
    if (!is_reduced[i]) outputs[0].push_back(context.Input(kInput).dimensions[i]);
  }
  // No tensor of the HAL has rank 0.
  if (outputs[0].empty()) outputs[0].push_back(1);
  return absl::OkStatus();
}

template <class A>
absl::Status Average(const A& arithmetic, KernelContext<A>& context) {
  const auto input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  std::vector<typename A::Accumulator> sums(output->size);
  ForEachBroadcast(input.dimensions, KeptDimensions(context.operation()), input.dimensions,
                   [&](size_t i, size_t, size_t result) { sums[result].Add(input[i]); });

  const double terms = static_cast<double>(input.size) / static_cast<double>(output->size);
  const auto count = arithmetic.Constant(terms);
  const OperandInfo& info = context->Output(0);
  // An implementation may divide integers, which rounds down where storing rounds to nearest. The
  // quotient is a multiple of 1 / terms, so half a step less half of that gets there and no
  // further.
  const double below = IsQuantized(info.type) ? (0.5 - 0.5 / terms) * info.scale : 0;
  for (size_t i = 0; i < output->size; ++i) {
    const auto mean = arithmetic.Divide(arithmetic.Finish(sums[i]), count);
    const auto least = arithmetic.Subtract(mean, arithmetic.Constant(below));
    (*output)[i] = below == 0 ? mean : arithmetic.Select(Truth::kUndecided, least, mean);
  }
  return absl::OkStatus();
}

}  // namespace

NNCERT_OPERATION_DEFINITION(MEAN) {
  return {
      .summary = "output = mean of the input over axes",
      .description =
          "An axis that is named twice, or by a negative and a positive number, is averaged over "
          "once; without axes the output is the input. If every axis is averaged over and "
          "keepDims is not positive, the output has the dimensions [1].",
      .signature =
          {.inputs = {Tensor("input")
                          .Types({OperandType::TENSOR_FLOAT32, OperandType::TENSOR_QUANT8_ASYMM})
                          .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT16})
                          .Ranks({1, 2, 3, 4})
                          .Describe("The elements."),
                      Int32Vector("axes")
                          .Values({ValueHint::Kind::kIndexBelowDimension, 0, 0})
                          .Describe("The axes to average over; negative ones count from the end."),
                      Int32Scalar("keepDims")
                          .Values(Uniform(0, 1))
                          .Describe("Above 0, the axes stay, with dimension 1; else they go.")},
           .outputs = {Tensor("output")
                           .TypeLike(kInput)
                           .Ranks({1, 2, 3, 4})
                           .QuantizedLike(kInput)
                           .Describe("The means.")}},
      .constraints = {{"C1",
                       "each axis is in [-rank, rank)",
                       {kInput},
                       {kAxes},
                       [](const OperationContext& context) {
                         for (const int32_t axis : context.Int32s(kAxes)) {
                           if (CanonicalAxis(axis, context.Rank(kInput)) < 0) return false;
                         }
                         return true;
                       }}},
      .shape = MeanShape,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Average(arithmetic, context);
      }),
      .error_bound =
          "of a sum over the axes in any order, and of a division; a quantized mean may be rounded "
          "down instead of to nearest",
      .source =
          "types.hal 1.1 and 1.2, OperationType::MEAN; the dimensions [1] are those of the "
          "other reductions",
  };
}

}  // namespace nncert
