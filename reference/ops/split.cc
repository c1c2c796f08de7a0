// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// SPLIT: cuts a tensor along an axis into equal parts.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/strided_copy.h"

namespace nncert {
namespace {

enum : int { kInput, kAxis, kNumSplits };

bool HasAnOutputForEverySplit(const OperationContext& context) {
  return context.Int32(kNumSplits) == context.OutputCount();
}

absl::Status SplitKernel(MoveContext& context) {
  const ElementsView input = context.Input(kInput);
  const AxisSizes sizes = SizesAround(input.dimensions, context->Int32(kAxis));
  const size_t whole = sizes.length * sizes.inner;
  const size_t part = whole / static_cast<size_t>(context->OutputCount());
  const MoveDimensions dimensions = {
      {sizes.outer, static_cast<int64_t>(whole), static_cast<int64_t>(part)}, {part, 1, 1}};
  for (int i = 0; i < context->OutputCount(); ++i) {
    auto output = context.Output(i);
    if (!output.ok()) return output.status();
    CopyElements(dimensions, input.element_size,
                 input.data + static_cast<size_t>(i) * part * input.element_size, output->data);
  }
  return absl::OkStatus();
}

void ChooseParts(OperandChooser& choose) {
  constexpr uint32_t kMostParts = 5;
  const auto axis = static_cast<size_t>(ChooseAxis(choose, kAxis, kInput));
  Shape dimensions = choose.Dimensions(kInput);
  int64_t parts = 0;
  if (choose.IsGiven(kInput)) {
    parts = choose.DivisorOf(dimensions[axis]);
  } else {
    parts =
        choose.Between(1, std::min(MostTimes(choose, NumberOfElements(dimensions)), kMostParts));
    dimensions[axis] *= static_cast<uint32_t>(parts);
    choose.SetDimensions(kInput, dimensions);
  }
  choose.SetInt32(kNumSplits, parts);
  choose.SetOutputCount(static_cast<int>(parts));
}

}  // namespace

NNCERT_OPERATION_DEFINITION(SPLIT) {
  return {
      .summary =
          "outputs[k][..., i, ...] = input[..., k * length + i, ...], length being that of the "
          "outputs along axis",
      .description =
          "Cuts the tensor into numSplits parts of equal length, one after another along the axis. "
          "The documentation is silent on a negative axis: as in Android's own implementation it "
          "counts from the end.",
      .signature =
          {.inputs =
               {NumberTensor("input").Describe("The tensor to be split."),
                Int32Scalar("axis").Values(kNoValues).Describe("The axis along which it is cut."),
                Int32Scalar("numSplits").Values(kNoValues).Describe("How many parts there are.")},
           .outputs = {Tensor("outputs").TypeLike(kInput).QuantizedLike(kInput).Variadic().Describe(
               "The parts: the dimensions of the input, but for the one along the axis, which is "
               "divided by numSplits.")}},
      .constraints = {AxisConstraint<kInput, kAxis>(),
                      Constraint("numSplits is the number of outputs", {.values = {kNumSplits}},
                                 HasAnOutputForEverySplit),
                      Constraint("numSplits divides the dimension of the input along axis",
                                 {.shapes = {kInput}, .values = {kAxis, kNumSplits}},
                                 [](const OperationContext& context) {
                                   return DividesLength(context, kNumSplits, kAxis, kInput);
                                 })},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        Shape part = context.Input(kInput).dimensions;
        part[static_cast<size_t>(AxisOf(context, kAxis, kInput))] /=
            static_cast<uint32_t>(outputs.size());
        for (Shape& output : outputs) output = part;
        return absl::OkStatus();
      },
      .kernel = Move(SplitKernel),
      .choose = ChooseParts,
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.2, OperationType::SPLIT",
  };
}

}  // namespace nncert
