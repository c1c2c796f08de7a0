// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// LOG_SOFTMAX: the logarithms of SOFTMAX.

#include <cmath>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/axis.h"

namespace nncert {
namespace {

enum : int { kInput, kBeta, kAxis };

}  // namespace

NNCERT_OPERATION_DEFINITION(LOG_SOFTMAX) {
  return {
      .summary =
          "output[i] = input[i] * beta - log(sum_k exp(input[k] * beta)), per slice along axis",
      .description =
          "The maximum of the slice may be subtracted from every element first, which changes "
          "nothing but that no exponential overflows and not all of them underflow.",
      .signature = {.inputs = {FloatTensor("input").Values(Uniform(-4, 4)).Describe("The logits."),
                               FloatScalarLike("beta", kInput)
                                   .Values(LogUniform(0.1, 4))
                                   .Describe("What the logits are multiplied by; above 0."),
                               AxisScalar()},
                    .outputs = {Tensor("output").TypeLike(kInput).Describe(
                        "The logarithms of the probabilities, of the dimensions of the input.")}},
      .constraints = {Constraint(
                          "beta is greater than zero", {.values = {kBeta}},
                          [](const OperationContext& context) { return context.Real(kBeta) > 0; }),
                      AxisConstraint<kInput, kAxis>()},
      .shape = SameShapeAsFirstInput,
      .kernel =
          Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) -> absl::Status {
            const auto input = context.Input(kInput);
            auto output = context.Output(0);
            if (!output.ok()) return output.status();
            const auto beta = arithmetic.Constant(context->Real(kBeta));
            for (const Slice& slice : SlicesAlong(input.dimensions, context->Int32(kAxis))) {
              auto maximum = input[slice.Index(0)];
              auto magnitude = arithmetic.Abs(maximum);
              for (size_t i = 1; i < slice.length; ++i) {
                const auto& element = input[slice.Index(i)];
                maximum = arithmetic.Max(maximum, element);
                magnitude = arithmetic.Max(magnitude, arithmetic.Abs(element));
              }
              magnitude = arithmetic.Multiply(magnitude, beta);
              typename A::Accumulator sum;
              for (size_t i = 0; i < slice.length; ++i) {
                auto& element = (*output)[slice.Index(i)];
                element =
                    arithmetic.Multiply(arithmetic.Subtract(input[slice.Index(i)], maximum), beta);
                sum.Add(arithmetic.Exp(element));
              }
              const auto logarithm = arithmetic.Log(arithmetic.Finish(sum));
              for (size_t i = 0; i < slice.length; ++i) {
                auto& element = (*output)[slice.Index(i)];
                // Without subtracting the maximum, the products and the sum's logarithm are of the
                // size of the greatest product, and each of the products loses one rounding, the
                // logarithm ten.
                element = arithmetic.Loosen(arithmetic.Subtract(element, logarithm), magnitude, 12);
              }
            }
            return absl::OkStatus();
          }),
      .choose =
          [](OperandChooser& choose) {
            const int axis = ChooseAxis(choose, kAxis, kInput);
            const double length = choose.Dimensions(kInput)[static_cast<size_t>(axis)];
            const ValueRange input = choose.SettledRange(kInput);
            const double spread = choose.Range(kBeta).highest * (input.highest - input.lowest);
            choose.SetOutputRange(0, {-spread - std::log(length), 0});
          },
      .error_bound =
          "of exp, of the sum of the slice's length and of a logarithm, with the maximum "
          "subtracted or not, but without the underflow that subtracting it avoids",
      .source = "types.hal 1.2, OperationType::LOG_SOFTMAX",
  };
}

}  // namespace nncert
