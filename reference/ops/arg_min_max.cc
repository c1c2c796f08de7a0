// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// ARGMAX and ARGMIN: where along an axis the greatest or the least element is.

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/selection.h"

namespace nncert {
namespace {

enum : int { kInput, kAxis };

// The i in [0, length) with the greatest `element(i)`; in an enclosure, every i that may have it.
// Real numbers take the first of several.
template <class A, class F>
typename A::Number IndexOfGreatest(const A& arithmetic, size_t length, F element) {
  if constexpr (kIsEnclosure<A>) {
    return IndexesOfGreatest(length, element);
  } else {
    size_t greatest = 0;
    for (size_t i = 1; i < length; ++i) {
      if (arithmetic.Less(element(greatest), element(i)) == Truth::kTrue) greatest = i;
    }
    return IndexNumber<typename A::Number>(greatest);
  }
}

void ChooseArg(OperandChooser& choose) {
  const auto axis = static_cast<size_t>(ChooseAxis(choose, kAxis, kInput));
  choose.SetOutputRange(0, {0, choose.Dimensions(kInput)[axis] - 1.0});
}

// What tells the two operations apart, but for the order of the elements.
struct ArgOperation {
  std::string_view summary;
  std::string_view description;
  std::string_view source;
};

// The definition of ARGMAX under the order in which `order`, [](const auto& arithmetic, const auto&
// x), increases.
template <class F>
OperationDefinition Arg(const ArgOperation& operation, F) {
  return {
      .summary = operation.summary,
      .description = operation.description,
      .signature = {.inputs = {NumberTensor("input").Describe("The elements to be compared."),
                               AxisScalar()},
                    .outputs = {Tensor("output")
                                    .Types({OperandType::TENSOR_INT32})
                                    .Describe("An index along the axis for each slice.")}},
      .constraints = {AxisConstraint<kInput, kAxis>()},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = WithoutAxes(context.Input(kInput).dimensions,
                                 NamedAxes({context.Int32(kAxis)}, context.Rank(kInput)));
        return absl::OkStatus();
      },
      .kernel =
          Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) -> absl::Status {
            // The order of quantized elements is that of their integers.
            const auto input = context.IntegerInput(kInput);
            auto output = context.Output(0);
            if (!output.ok()) return output.status();
            size_t i = 0;
            for (const Slice& slice : SlicesAlong(input.dimensions, context->Int32(kAxis))) {
              (*output)[i++] = IndexOfGreatest(arithmetic, slice.length, [&](size_t element) {
                return F{}(arithmetic, input[slice.Index(element)]);
              });
            }
            return absl::OkStatus();
          }),
      .choose = ChooseArg,
      .error_bound = "none: any index of an element that may be the one",
      .source = operation.source,
  };
}

}  // namespace

NNCERT_OPERATION_DEFINITION(ARGMAX) {
  return Arg(
      {
          .summary = "output[...] = the i with the greatest input[..., i, ...] along axis",
          .description =
              "The output has the dimensions of the input without the axis; for an input of rank 1 "
              "it has the dimensions [1]. Which of several greatest elements is answered is up to "
              "the implementation. The reference takes the first.",
          .source = "types.hal 1.2, OperationType::ARGMAX",
      },
      [](const auto& /*arithmetic*/, const auto& x) { return x; });
}

NNCERT_OPERATION_DEFINITION(ARGMIN) {
  return Arg(
      {
          .summary = "output[...] = the i with the least input[..., i, ...] along axis",
          .description =
              "The output has the dimensions of the input without the axis; for an input of rank 1 "
              "it has the dimensions [1]. Which of several least elements is answered is up to the "
              "implementation. The reference takes the first.",
          .source = "types.hal 1.2, OperationType::ARGMIN",
      },
      [](const auto& arithmetic, const auto& x) { return arithmetic.Negate(x); });
}

}  // namespace nncert
