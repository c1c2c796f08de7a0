// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// GATHER: picks slices of a tensor along an axis by index.

#include <algorithm>
#include <cstring>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/strided_copy.h"

namespace nncert {
namespace {

enum : int { kInput, kAxis, kIndices };

bool IndicesAreInRange(const OperationContext& context) {
  if (AxisOf(context, kAxis, kInput) < 0) return true;
  const int64_t length = LengthAlong(context, kAxis, kInput);
  const std::vector<int32_t> indices = context.Int32s(kIndices);
  return !indices.empty() && std::all_of(indices.begin(), indices.end(), [length](int32_t index) {
    return index >= 0 && index < length;
  });
}

absl::Status GatheredShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const Shape& indices = context.Input(kIndices).dimensions;
  Shape& output = outputs[0];
  output = context.Input(kInput).dimensions;
  const auto place = output.erase(output.begin() + AxisOf(context, kAxis, kInput));
  output.insert(place, indices.begin(), indices.end());
  return absl::OkStatus();
}

absl::Status GatherKernel(MoveContext& context) {
  const ElementsView input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const AxisSizes sizes = SizesAround(input.dimensions, context->Int32(kAxis));
  const std::vector<int32_t> indices = context->Int32s(kIndices);
  WithRunSize(sizes.inner * input.element_size, [&](auto run) {
    const std::byte* from = input.data;
    std::byte* to = output->data;
    for (size_t outer = 0; outer < sizes.outer; ++outer, from += sizes.length * run) {
      for (const int32_t index : indices) {
        std::memcpy(to, from + static_cast<size_t>(index) * run, run);
        to += run;
      }
    }
  });
  context.Requantize(kInput, 0, output->data);
  return absl::OkStatus();
}

void ChooseIndices(OperandChooser& choose) {
  const auto axis = static_cast<size_t>(ChooseAxis(choose, kAxis, kInput));
  const Shape& input = choose.Dimensions(kInput);
  // An output of more than four dimensions is seldom.
  size_t most_rank = input.size() < 4 ? 5 - input.size() : 1;
  if (choose.OneIn(16)) ++most_rank;
  uint64_t elements = NumberOfElements(input) / input[axis];
  Shape indices(choose.random().Below(most_rank) + 1);
  for (uint32_t& dimension : indices) {
    dimension = choose.Size(MostTimes(choose, elements));
    elements *= dimension;
  }
  choose.SetDimensions(kIndices, indices);
  choose.SetRange(kIndices, {0, input[axis] - 1.0});
  ChooseRequantization(choose, kInput);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(GATHER) {
  return {
      .summary = "output[a..., i..., b...] = input[a..., indices[i...], b...]",
      .description =
          "Picks the slices of the input that the indices call, along the axis. In place of the "
          "axis the output has the dimensions of the indices. A quantized output may have a scale "
          "and zero point of its own.",
      .signature = {.inputs = {NumberTensor("input").Describe("The tensor with the slices."),
                               Int32Scalar("axis").Values(kNoValues).Describe(
                                   "The axis; a negative one counts from the end."),
                               Tensor("indices")
                                   .Types({OperandType::TENSOR_INT32})
                                   .Parameter()
                                   .Values(kNoValues)
                                   .Describe("Indexes into the dimension of the input along the "
                                             "axis, in a tensor of any rank.")},
                    .outputs = {Tensor("output").TypeLike(kInput).Describe(
                        "The slices: the dimensions of the input before the axis, those of the "
                        "indices, and those of the input after the axis.")}},
      .constraints =
          {AxisConstraint<kInput, kAxis>(),
           Constraint("there are indices, and each is in [0, dimension of the input along axis)",
                      {.shapes = {kInput, kIndices}, .values = {kAxis, kIndices}},
                      IndicesAreInRange)},
      .shape = GatheredShape,
      .kernel = Move(GatherKernel),
      .choose = ChooseIndices,
      .error_bound = "none: elements are moved, or rounded to another scale",
      .source = "types.hal 1.2, OperationType::GATHER",
  };
}

}  // namespace nncert
