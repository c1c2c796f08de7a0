// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// TRANSPOSE: permutes the dimensions of a tensor.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/strided_copy.h"

namespace nncert {
namespace {

enum : int { kInput, kPermutation };

// The permutation; that which reverses the dimensions when none is given.
std::vector<int32_t> PermutationOf(const OperationContext& context) {
  if (context.Has(kPermutation)) return context.Int32s(kPermutation);
  std::vector<int32_t> reversed;
  for (int i = context.Rank(kInput); i-- > 0;) reversed.push_back(i);
  return reversed;
}

bool IsPermutation(const OperationContext& context) {
  std::vector<int32_t> permutation = PermutationOf(context);
  if (static_cast<int>(permutation.size()) != context.Rank(kInput)) return false;
  std::sort(permutation.begin(), permutation.end());
  for (size_t i = 0; i < permutation.size(); ++i) {
    if (permutation[i] != static_cast<int32_t>(i)) return false;
  }
  return true;
}

}  // namespace

NNCERT_OPERATION_DEFINITION(TRANSPOSE) {
  return {
      .summary = "output[i_permutation[0], i_permutation[1], ...] = input[i_0, i_1, ...]",
      .description = "Dimension i of the output is dimension permutation[i] of the input.",
      .signature =
          {.inputs =
               {FloatOrQuantizedTensor("input")
                    .Ranks({1, 2, 3, 4})
                    .Describe("The tensor to be transposed."),
                Int32Vector("permutation")
                    .Omittable()
                    .Values(kNoValues)
                    .Describe(
                        "A permutation of 0 to rank - 1. Omitted, the dimensions are reversed.")},
           .outputs = {Tensor("output")
                           .TypeLike(kInput)
                           .Ranks({1, 2, 3, 4})
                           .QuantizedLike(kInput)
                           .Describe("The transposed tensor.")}},
      .constraints = {Constraint("permutation holds each of 0 to rank - 1 once",
                                 {.shapes = {kInput, kPermutation}, .values = {kPermutation}},
                                 IsPermutation)},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        for (const int32_t axis : PermutationOf(context)) {
          outputs[0].push_back(context.Input(kInput).dimensions[axis]);
        }
        return absl::OkStatus();
      },
      .kernel = Move([](MoveContext& context) -> absl::Status {
        const ElementsView input = context.Input(kInput);
        auto output = context.Output(0);
        if (!output.ok()) return output.status();
        const std::vector<int32_t> permutation = PermutationOf(context.operation());
        const auto strides = StridesOf(input.dimensions);
        CopyDimensions dimensions;
        for (size_t d = 0; d < permutation.size(); ++d) {
          dimensions.push_back(
              {output->dimensions[d], strides[static_cast<size_t>(permutation[d])]});
        }
        StridedCopy(dimensions, 0, input.element_size, input.data, output->data);
        return absl::OkStatus();
      }),
      .choose =
          [](OperandChooser& choose) {
            choose.SetInt32s(kPermutation, ShuffledAxes(choose, choose.Dimensions(kInput).size()));
          },
      .error_bound = "none: elements are moved",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::TRANSPOSE",
  };
}

}  // namespace nncert
