// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// ARGMAX: where along an axis the greatest element is.

#include <algorithm>
#include <limits>

#include "reference/catalogue.h"
#include "reference/ops/axis.h"
#include "reference/ops/selection.h"

namespace nncert {
namespace {

enum : int { kInput, kAxis };

// The index of the greatest element of a slice; in an enclosure, of every element that may be the
// greatest. Real numbers take the first of several.
template <class A>
typename A::Number IndexOfGreatest(const A& arithmetic,
                                   const TensorView<const typename A::Number>& input,
                                   const Slice& slice) {
  using Number = typename A::Number;
  if constexpr (kIsEnclosure<A>) {
    // Whatever is certainly less than some other element is not the greatest.
    double bar = -std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < slice.length; ++i) {
      const Ball& element = input[slice.Index(i)];
      if (MayBeNaN(element)) return IndexRange<Number>(0, slice.length - 1);
      bar = std::max(bar, LeastOf(element));
    }
    const auto may_be_greatest = [&](size_t i) { return GreatestOf(input[slice.Index(i)]) >= bar; };
    size_t first = 0;
    while (!may_be_greatest(first)) ++first;
    size_t last = slice.length - 1;
    while (!may_be_greatest(last)) --last;
    return IndexRange<Number>(first, last);
  } else {
    size_t greatest = 0;
    for (size_t i = 1; i < slice.length; ++i) {
      if (arithmetic.Less(input[slice.Index(greatest)], input[slice.Index(i)]) == Truth::kTrue) {
        greatest = i;
      }
    }
    return IndexNumber<Number>(greatest);
  }
}

}  // namespace

NNCERT_OPERATION_DEFINITION(ARGMAX) {
  return {
      .summary = "output[...] = the i with the greatest input[..., i, ...] along axis",
      .description =
          "The output has the dimensions of the input without the axis; for an input of rank 1 it "
          "has the dimensions [1]. Which of several greatest elements is answered is up to the "
          "implementation. The reference takes the first.",
      .signature =
          {.inputs = {Tensor("input")
                          .Types(HalVersion::V1_2,
                                 {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16,
                                  OperandType::TENSOR_INT32, OperandType::TENSOR_QUANT8_ASYMM})
                          .Describe("The elements to be compared."),
                      Int32Scalar("axis")
                          .Values({ValueHint::Kind::kNone})
                          .Describe("The axis of the slices; negative counts from the end.")},
           .outputs = {Tensor("output")
                           .Types(HalVersion::V1_2, {OperandType::TENSOR_INT32})
                           .Describe("An index along the axis for each slice.")}},
      .constraints = {{"C1",
                       "axis is in [-rank, rank)",
                       {kInput},
                       {kAxis},
                       [](const OperationContext& context) {
                         return CanonicalAxis(context.Int32(kAxis), context.Rank(kInput)) >= 0;
                       }}},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = context.Input(kInput).dimensions;
        outputs[0].erase(outputs[0].begin() +
                         CanonicalAxis(context.Int32(kAxis), context.Rank(kInput)));
        // A tensor without dimensions would be one of unknown rank.
        if (outputs[0].empty()) outputs[0].push_back(1);
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
              (*output)[i++] = IndexOfGreatest(arithmetic, input, slice);
            }
            return absl::OkStatus();
          }),
      .error_bound = "none: any index of an element that may be the greatest",
      .source = "types.hal 1.2, OperationType::ARGMAX",
  };
}

}  // namespace nncert
