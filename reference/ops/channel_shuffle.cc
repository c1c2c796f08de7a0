// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// CHANNEL_SHUFFLE: takes channels from groups in turn.

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/strided_copy.h"

namespace nncert {
namespace {

enum : int { kInput, kNumGroups, kAxis };

absl::Status ShuffleKernel(MoveContext& context) {
  const ElementsView input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const AxisSizes sizes = SizesAround(input.dimensions, context->Int32(kAxis));
  const auto groups = static_cast<uint32_t>(context->Int32(kNumGroups));
  const auto group_size = static_cast<uint32_t>(sizes.length / groups);
  const auto inner = static_cast<int64_t>(sizes.inner);
  const auto channels = static_cast<int64_t>(sizes.length);
  StridedCopy({{static_cast<uint32_t>(sizes.outer), channels * inner},
               {group_size, inner},
               {groups, group_size * inner},
               {static_cast<uint32_t>(sizes.inner), 1}},
              0, input.element_size, input.data, output->data);
  return absl::OkStatus();
}

}  // namespace

NNCERT_OPERATION_DEFINITION(CHANNEL_SHUFFLE) {
  return {
      .summary = "output[..., k * numGroups + g, ...] = input[..., g * groupSize + k, ...]",
      .description =
          "Divides the channels, that is the indexes along the axis, into numGroups groups of "
          "groupSize neighbours, then takes the first channel of every group, the second one of "
          "every group, and so on.",
      .signature =
          {.inputs = {FloatOrQuantizedTensor("input")
                          .Ranks({1, 2, 3, 4})
                          .Describe("The tensor to be shuffled."),
                      Int32Scalar("numGroups").Values(kNoValues).Describe("The number of groups."),
                      Int32Scalar("axis").Values(kNoValues).Describe(
                          "The axis of the channels; a negative one counts from the end.")},
           .outputs = {Tensor("output")
                           .TypeLike(kInput)
                           .Ranks({1, 2, 3, 4})
                           .QuantizedLike(kInput)
                           .Describe("The shuffled tensor, of the dimensions of the input.")}},
      .constraints = {AxisConstraint<kInput, kAxis>(),
                      Constraint("numGroups is at least 1", {.values = {kNumGroups}},
                                 [](const OperationContext& context) {
                                   return context.Int32(kNumGroups) >= 1;
                                 }),
                      Constraint("numGroups divides the dimension of the input along axis",
                                 {.shapes = {kInput}, .values = {kNumGroups, kAxis}},
                                 [](const OperationContext& context) {
                                   return DividesLength(context, kNumGroups, kAxis, kInput);
                                 })},
      .shape = SameShapeAsFirstInput,
      .kernel = Move(ShuffleKernel),
      .choose =
          [](OperandChooser& choose) {
            // Channels of whole groups, unless they are given.
            const int axis = ChooseAxis(choose, kAxis, kInput);
            Shape dimensions = choose.Dimensions(kInput);
            if (!choose.IsGiven(kInput)) {
              dimensions[static_cast<size_t>(axis)] *= static_cast<uint32_t>(choose.Between(1, 3));
              choose.SetDimensions(kInput, dimensions);
            }
            choose.SetInt32(kNumGroups, choose.DivisorOf(dimensions[static_cast<size_t>(axis)]));
          },
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.2, OperationType::CHANNEL_SHUFFLE",
  };
}

}  // namespace nncert
