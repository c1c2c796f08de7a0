// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// SOFTMAX: exponentials of each slice along an axis, scaled to sum to one.

#include "reference/ops/softmax.h"

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/axis.h"

namespace nncert {
namespace {

using enum softmax::Slot;

template <class A>
absl::Status Normalize(const A& arithmetic, KernelContext<A>& context) {
  const auto input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const auto beta = arithmetic.Constant(context->Real(kBeta));
  for (const Slice& slice : SlicesAlong(input.dimensions, context->Int32(kAxis, -1))) {
    auto maximum = input[slice.Index(0)];
    for (size_t i = 1; i < slice.length; ++i) {
      maximum = arithmetic.Max(maximum, input[slice.Index(i)]);
    }
    typename A::Accumulator sum;
    for (size_t i = 0; i < slice.length; ++i) {
      const auto difference = arithmetic.Subtract(input[slice.Index(i)], maximum);
      auto& element = (*output)[slice.Index(i)];
      element = arithmetic.Exp(arithmetic.Multiply(difference, beta));
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

}  // namespace

NNCERT_OPERATION_DEFINITION(SOFTMAX) {
  return {
      .summary =
          "output[i] = exp((input[i] - max) * beta) / sum_k exp((input[k] - max) * beta), per "
          "slice along axis",
      .description = "The maximum of the slice is subtracted first, so no exponential overflows.",
      .signature =
          {
              .inputs = {FloatOrQuantizedTensor("input")
                             .Ranks({2, 4})
                             .Ranks(HalVersion::V1_2, {1, 3})
                             .Values(Uniform(-4, 4))
                             .Describe("The logits."),
                         FloatScalarLike("beta", kInput)
                             .Values(LogUniform(0.1, 4))
                             .Describe("What the logits are multiplied by; above 0."),
                         OptionalAxisScalar()},
              .outputs = {Tensor("output")
                              .TypeLike(kInput)
                              .Ranks({2, 4})
                              .Ranks(HalVersion::V1_2, {1, 3})
                              .Quantized(1.f / 256, 0)
                              .Describe("The probabilities, of the dimensions of the input.")},
          },
      .constraints = {Constraint(
                          "beta is greater than zero", {.values = {kBeta}},
                          [](const OperationContext& context) { return context.Real(kBeta) > 0; }),
                      AxisConstraint<kInput, kAxis>()},
      .shape = SameShapeAsFirstInput,
      .kernel = Compute(
          [](const auto& arithmetic, auto& context) { return Normalize(arithmetic, context); }),
      .choose =
          [](OperandChooser& choose) {
            ChooseSlices<kInput, kAxis>(choose);
            choose.SetOutputRange(0, {0, 1});
          },
      .error_bound = "of exp, of the sum of the slice's length, and of one division",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::SOFTMAX",
  };
}

}  // namespace nncert
