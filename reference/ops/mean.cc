// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// MEAN: the mean over some axes of a tensor.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/number/precision.h"
#include "reference/ops/common/reduction.h"

namespace nncert {
namespace {

template <class A>
absl::Status Average(const A& arithmetic, KernelContext<A>& context) {
  const auto input = context.Input(kReductionInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const auto [groups, members] =
      ReductionGroupsOf(input.dimensions, ReducedAxes(context.operation()));

  const auto terms = static_cast<double>(members.size());
  const auto count = arithmetic.Constant(terms);
  const OperandInfo& info = context->Output(0);
  // An implementation may divide integers, which rounds down where storing rounds to nearest. The
  // quotient is a multiple of 1 / terms, so half a step less half of that, together with what
  // storing allows anyway, gets there and no further.
  const double steps = 0.5 - 0.5 / terms - kQuantizedPrecision.quantization_slack;
  const double below = IsQuantized(info.type) ? std::max(steps, 0.0) * info.scale : 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    typename A::Accumulator sum;
    for (const size_t member : members) sum.Add(input[groups[i] + member]);
    const auto mean = arithmetic.Divide(arithmetic.Finish(sum), count);
    const auto least = arithmetic.Subtract(mean, arithmetic.Constant(below));
    (*output)[i] = below == 0 ? mean : arithmetic.Select(Truth::kUndecided, least, mean);
  }
  return absl::OkStatus();
}

void ChooseMean(OperandChooser& choose) {
  const uint64_t terms = ChooseReduction(choose);
  const ValueRange sum = RangeOfSum(choose.SettledRange(kReductionInput), terms);
  const auto count = static_cast<double>(terms);
  choose.SetOutputRange(0, {sum.lowest / count, sum.highest / count});
}

}  // namespace

NNCERT_OPERATION_DEFINITION(MEAN) {
  return {
      .summary = "output = mean of the input over axes",
      .description =
          "An axis that is named twice, or by a negative and a positive number, is averaged over "
          "once; without axes the output is the input. If every axis is averaged over and keepDims "
          "is not positive, the output has the dimensions [1].",
      .signature =
          {.inputs = {FloatOrQuantizedTensor("input").Ranks({1, 2, 3, 4}).Describe("The elements."),
                      ReductionAxes(),
                      Int32Scalar("keepDims")
                          .Values(Uniform(0, 1))
                          .Describe("Above 0, the axes stay, with dimension 1; else they go.")},
           .outputs = {Tensor("output")
                           .TypeLike(kReductionInput)
                           .Ranks({1, 2, 3, 4})
                           .QuantizedLike(kReductionInput)
                           .Describe("The means.")}},
      .constraints = {ReductionAxesConstraint()},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = ReducedShape(context, context.Int32(kReductionKeepDims) > 0);
        return absl::OkStatus();
      },
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Average(arithmetic, context);
      }),
      .choose = ChooseMean,
      .error_bound =
          "of a sum over the axes in any order, and of a division; a quantized mean may be rounded "
          "down instead of to nearest",
      .source =
          "types.hal 1.1 and 1.2, OperationType::MEAN; the dimensions [1] are those of the other "
          "reductions",
  };
}

}  // namespace nncert
