// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// SQUEEZE: leaves out dimensions of size 1.

#include <utility>

#include "reference/catalogue.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/same_elements.h"

namespace nncert {
namespace {

enum : int { kInput, kSqueezeDims };

bool AreAxesInRange(const OperationContext& context) {
  return AreAxes(context.Int32s(kSqueezeDims), context.Rank(kInput));
}

// Which dimensions are left out. Those that are listed must be in range.
std::vector<bool> SqueezedAxes(const OperationContext& context) {
  const Shape& input = context.Input(kInput).dimensions;
  if (context.Has(kSqueezeDims)) {
    return NamedAxes(context.Int32s(kSqueezeDims), context.Rank(kInput));
  }
  std::vector<bool> is_one(input.size());
  for (size_t d = 0; d < input.size(); ++d) is_one[d] = input[d] == 1;
  return is_one;
}

bool AreSqueezedDimensionsOne(const OperationContext& context) {
  if (!AreAxesInRange(context)) return true;
  const Shape& input = context.Input(kInput).dimensions;
  const std::vector<bool> is_squeezed = SqueezedAxes(context);
  for (size_t d = 0; d < input.size(); ++d) {
    if (is_squeezed[d] && input[d] != 1) return false;
  }
  return true;
}

void ChooseSqueezed(OperandChooser& choose) {
  Shape dimensions = choose.Dimensions(kInput);
  const std::vector<int32_t> shuffled = ShuffledAxes(choose, dimensions.size());
  if (!choose.IsGiven(kInput)) {
    // Half of the dimensions at most, so that elements are left.
    const uint64_t most = (dimensions.size() + 1) / 2;
    const uint64_t count =
        choose.random().Between<uint64_t>(choose.Has(kSqueezeDims) ? 1 : 0, most);
    for (size_t i = 0; i < count; ++i) dimensions[static_cast<size_t>(shuffled[i])] = 1;
    choose.SetDimensions(kInput, dimensions);
  }
  std::vector<int32_t> axes;
  for (const int32_t axis : shuffled) {
    if (dimensions[static_cast<size_t>(axis)] == 1) axes.push_back(axis);
  }
  // There is nothing to list.
  if (axes.empty()) return choose.SetOmitted(kSqueezeDims, true);
  axes.resize(choose.random().Below(axes.size()) + 1);
  choose.SetInt32s(kSqueezeDims, ListOfAxes(choose, std::move(axes), dimensions.size()));
}

}  // namespace

NNCERT_OPERATION_DEFINITION(SQUEEZE) {
  return {
      .summary = "output = input without dimensions of size 1",
      .description =
          "Leaves out the dimensions that squeezeDims lists, all of which must be 1, or every "
          "dimension of 1 when there is no such list. The documentation is silent on negative "
          "entries and on repeated ones: as in Android's own implementation the former count from "
          "the end, and the latter say nothing new. When no dimension is left, the output has the "
          "dimensions [1].",
      .signature =
          {.inputs = {FloatOrQuantizedTensor("input")
                          .Ranks({1, 2, 3, 4})
                          .Describe("The tensor to be squeezed."),
                      Int32Vector("squeezeDims")
                          .Omittable()
                          .Describe("The dimensions to be left out. Omitted, all of size 1 are.")},
           .outputs = {Tensor("output")
                           .TypeLike(kInput)
                           .Ranks({1, 2, 3, 4})
                           .QuantizedLike(kInput)
                           .Describe("The elements of the input in fewer dimensions.")}},
      .constraints = {Constraint("each entry of squeezeDims is in [-rank, rank)",
                                 {.shapes = {kInput, kSqueezeDims}, .values = {kSqueezeDims}},
                                 AreAxesInRange),
                      Constraint("each dimension that squeezeDims lists is 1",
                                 {.shapes = {kInput, kSqueezeDims}, .values = {kSqueezeDims}},
                                 AreSqueezedDimensionsOne)},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = WithoutAxes(context.Input(kInput).dimensions, SqueezedAxes(context));
        return absl::OkStatus();
      },
      .kernel = SameElements(),
      .choose = ChooseSqueezed,
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.1 and 1.2, OperationType::SQUEEZE",
  };
}

}  // namespace nncert
