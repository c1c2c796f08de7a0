// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// EXPAND_DIMS: puts in a dimension of size 1.

#include "reference/catalogue.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/same_elements.h"

namespace nncert {
namespace {

enum : int { kInput, kAxis };

// Where the new dimension stands in the output; -1 when the axis is out of range.
int NewAxis(const OperationContext& context) {
  return CanonicalAxis(context.Int32(kAxis), context.Rank(kInput) + 1);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(EXPAND_DIMS) {
  return {
      .summary = "output = input with a new dimension of size 1 at axis",
      .description =
          "The new dimension stands at the axis among the dimensions of the output. A negative "
          "axis counts from the end of these: -1 puts the dimension behind all others.",
      .signature = {.inputs = {NumberTensor("input").Describe("The tensor that gets a dimension."),
                               Int32Scalar("axis").Values(kNoValues).Describe(
                                   "The index of the new dimension in the output.")},
                    .outputs = {Tensor("output").TypeLike(kInput).QuantizedLike(kInput).Describe(
                        "The elements of the input in one more dimension.")}},
      .constraints = {Constraint(
          "axis is in [-(rank + 1), rank + 1)", {.shapes = {kInput}, .values = {kAxis}},
          [](const OperationContext& context) { return NewAxis(context) >= 0; })},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = context.Input(kInput).dimensions;
        outputs[0].insert(outputs[0].begin() + NewAxis(context), 1);
        return absl::OkStatus();
      },
      .kernel = SameElements(),
      .choose =
          [](OperandChooser& choose) {
            const auto rank = static_cast<int64_t>(choose.Dimensions(kInput).size());
            choose.SetInt32(kAxis, choose.Between(-rank - 1, rank));
          },
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.2, OperationType::EXPAND_DIMS",
  };
}

}  // namespace nncert
