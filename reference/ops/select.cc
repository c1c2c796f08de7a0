// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// SELECT: elements of one tensor or of another, by a mask.

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"

namespace nncert {
namespace {

enum : int { kCondition, kIfTrue, kIfFalse };

template <class A>
absl::Status SelectElements(const A& arithmetic, KernelContext<A>& context) {
  const auto condition = context.Input(kCondition);
  const auto if_true = context.Input(kIfTrue);
  const auto if_false = context.Input(kIfFalse);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const auto zero = arithmetic.Constant(0);
  for (size_t i = 0; i < condition.size; ++i) {
    const Truth is_false = arithmetic.Equal(condition[i], zero);
    (*output)[i] = arithmetic.Select(is_false, if_false[i], if_true[i]);
  }
  return absl::OkStatus();
}

}  // namespace

NNCERT_OPERATION_DEFINITION(SELECT) {
  return {
      .summary = "output[i] = condition[i] ? ifTrue[i] : ifFalse[i]",
      .description =
          "All tensors have the same dimensions; nothing is broadcast. Quantized inputs may each "
          "have a scale and a zeroPoint of their own; their real values are quantized anew.",
      .signature =
          {.inputs = {Tensor("condition").Types({OperandType::TENSOR_BOOL8}).Describe("The mask."),
                      NumberTensor("ifTrue").Describe(
                          "What the output has where the condition is true."),
                      Tensor("ifFalse").TypeLike(kIfTrue).Describe(
                          "What the output has where the condition is false.")},
           .outputs = {Tensor("output").TypeLike(kIfTrue).Describe("The elements selected.")}},
      .constraints = {Constraint("condition and ifTrue have the same dimensions",
                                 {.shapes = {kCondition, kIfTrue}},
                                 [](const OperationContext& context) {
                                   return context.Input(kCondition).dimensions ==
                                          context.Input(kIfTrue).dimensions;
                                 }),
                      Constraint("ifTrue and ifFalse have the same dimensions",
                                 {.shapes = {kIfTrue, kIfFalse}},
                                 [](const OperationContext& context) {
                                   return context.Input(kIfTrue).dimensions ==
                                          context.Input(kIfFalse).dimensions;
                                 })},
      .shape = SameShapeAsFirstInput,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return SelectElements(arithmetic, context);
      }),
      .choose =
          [](OperandChooser& choose) {
            ChooseAlike(choose);
            choose.SetOutputRange(
                0, choose.SettledRange(kIfTrue).HullWith(choose.SettledRange(kIfFalse)));
          },
      .error_bound = "none; of one quantization where scale or zeroPoint differ",
      .source = "types.hal 1.2, OperationType::SELECT",
  };
}

}  // namespace nncert
