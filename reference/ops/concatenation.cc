// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// CONCATENATION: puts tensors side by side along an axis.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/computed_shape.h"

namespace nncert {
namespace {

enum : int { kInputs, kAxis };

bool AllInputs(const OperationContext& context, bool (*holds)(const OperationContext&, int)) {
  for (int i = 0; i < context.Count(kInputs); ++i) {
    if (!holds(context, i)) return false;
  }
  return true;
}

// Whether the dimensions of input i are those of the first, but for the one along the axis.
bool FitsTheFirst(const OperationContext& context, int i) {
  const Shape& first = context.Input(kInputs).dimensions;
  const Shape& other = context.Input(kInputs, i).dimensions;
  if (first.size() != other.size()) return false;
  for (size_t d = 0; d < first.size(); ++d) {
    if (static_cast<int32_t>(d) != context.Int32(kAxis) && first[d] != other[d]) return false;
  }
  return true;
}

bool HasQuantizationOfTheOutput(const OperationContext& context, int i) {
  const OperandInfo& input = context.Input(kInputs, i);
  return !IsQuantized(input.type) ||
         (input.scale == context.Output(0).scale && input.zeroPoint == context.Output(0).zeroPoint);
}

absl::Status ConcatenatedShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const auto axis = static_cast<size_t>(context.Int32(kAxis));
  const Shape& first = context.Input(kInputs).dimensions;
  std::vector<uint64_t> dimensions(first.begin(), first.end());
  for (int i = 1; i < context.Count(kInputs); ++i) {
    dimensions[axis] += context.Input(kInputs, i).dimensions[axis];
  }
  return SetComputedShape(context, dimensions, outputs[0]);
}

template <class A>
absl::Status Concatenate(const A&, KernelContext<A>& context) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const int axis = context->Int32(kAxis);
  const AxisSizes whole = SizesAround(output->dimensions, axis);
  size_t offset = 0;
  for (int i = 0; i < context->Count(kInputs); ++i) {
    const auto input = context.Input(kInputs, i);
    const size_t block = SizesAround(input.dimensions, axis).length * whole.inner;
    for (size_t outer = 0; outer < whole.outer; ++outer) {
      std::copy_n(input.data + outer * block, block,
                  output->data + outer * whole.length * whole.inner + offset);
    }
    offset += block;
  }
  return absl::OkStatus();
}

void ChooseInputs(OperandChooser& choose) {
  Shape dimensions = choose.Dimensions(kInputs);
  const size_t axis = choose.random().Below(dimensions.size());
  choose.SetInt32(kAxis, static_cast<int64_t>(axis));
  const auto count = static_cast<int>(choose.Between(1, 5));
  choose.SetCount(kInputs, count);
  const uint64_t slice = NumberOfElements(dimensions) / dimensions[axis];
  for (int i = 1; i < count; ++i) {
    dimensions[axis] = choose.Size(MostTimes(choose, slice * static_cast<uint64_t>(count)));
    choose.SetDimensions(kInputs, dimensions, i);
  }
  // All have one scale and zero point: before HAL 1.2 always, since then now and then.
  if (IsQuantized(choose.Type(kInputs)) &&
      (choose.version() < HalVersion::V1_2 || choose.OneIn(2))) {
    const auto [scale, zero_point] = choose.SettledQuantization(kInputs);
    for (int i = 1; i < count; ++i) choose.SetQuantization(kInputs, scale, zero_point, i);
    choose.SetOutputQuantization(0, scale, zero_point);
  }
  choose.SetOutputRange(0, choose.SettledRange(kInputs));
}

}  // namespace

NNCERT_OPERATION_DEFINITION(CONCATENATION) {
  return {
      .summary = "output[..., i, ...] = inputs[k][..., i - start_k, ...], side by side along axis",
      .description =
          "The inputs have the same dimensions but for the one along the axis, along which the "
          "output has all of them one after another. Quantized inputs may each have a scale and a "
          "zeroPoint of their own since HAL 1.2; their real values are quantized anew.",
      .signature = {.inputs = {FloatOrQuantizedTensor("inputs")
                                   .Ranks({1, 2, 3, 4})
                                   .Variadic()
                                   .Describe("One or more tensors, all of one type."),
                               Int32Scalar("axis").Values(kNoValues).Describe(
                                   "The axis, counted from the outermost; never negative.")},
                    .outputs = {Tensor("output")
                                    .TypeLike(kInputs)
                                    .Ranks({1, 2, 3, 4})
                                    .Describe("The inputs side by side.")}},
      .constraints =
          {Constraint("all inputs have the type of the first", {.others = {kInputs}},
                      [](const OperationContext& context) {
                        return AllInputs(context, [](const OperationContext& operation, int i) {
                          return operation.Input(kInputs, i).type == operation.Input(kInputs).type;
                        });
                      }),
           Constraint("before HAL 1.2, quantized inputs have scale and zeroPoint of the output",
                      {.others = {kInputs, OutputOperand(0)}},
                      [](const OperationContext& context) {
                        return context.version() >= HalVersion::V1_2 ||
                               AllInputs(context, HasQuantizationOfTheOutput);
                      }),
           Constraint("axis is in [0, rank)", {.shapes = {kInputs}, .values = {kAxis}},
                      [](const OperationContext& context) {
                        return context.Int32(kAxis) >= 0 &&
                               context.Int32(kAxis) < context.Rank(kInputs);
                      }),
           Constraint(
               "all inputs have the dimensions of the first but for the one along axis",
               {.shapes = {kInputs}, .values = {kAxis}},
               [](const OperationContext& context) { return AllInputs(context, FitsTheFirst); })},
      .shape = ConcatenatedShape,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Concatenate(arithmetic, context);
      }),
      .choose = ChooseInputs,
      .error_bound = "none; of one quantization where scale or zeroPoint differ",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.0 and 1.2, OperationType::CONCATENATION",
  };
}

}  // namespace nncert
