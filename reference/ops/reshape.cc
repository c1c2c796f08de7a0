// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// RESHAPE: the same elements in other dimensions.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/same_elements.h"

namespace nncert {
namespace {

enum : int { kInput, kShape };

constexpr int32_t kToBeFound = -1;

// The dimensions that the shape asks for, without the one that is to be found.
Shape GivenDimensions(const std::vector<int32_t>& shape) {
  Shape given;
  for (const int32_t entry : shape) {
    if (entry != kToBeFound) given.push_back(static_cast<uint32_t>(entry));
  }
  return given;
}

bool EntriesArePositiveOrToBeFound(const OperationContext& context) {
  const std::vector<int32_t> shape = context.Int32s(kShape);
  return std::all_of(shape.begin(), shape.end(),
                     [](int32_t entry) { return entry > 0 || entry == kToBeFound; });
}

bool AtMostOneEntryIsToBeFound(const OperationContext& context) {
  const std::vector<int32_t> shape = context.Int32s(kShape);
  return std::count(shape.begin(), shape.end(), kToBeFound) <= 1;
}

// Does not judge a shape that is none.
bool KeepsTheNumberOfElements(const OperationContext& context) {
  const std::vector<int32_t> shape = context.Int32s(kShape);
  if (shape.empty() || !EntriesArePositiveOrToBeFound(context) ||
      !AtMostOneEntryIsToBeFound(context)) {
    return true;
  }
  const uint64_t elements = NumberOfElements(context.Input(kInput).dimensions);
  const Shape given = GivenDimensions(shape);
  const uint64_t known = NumberOfElements(given);
  return given.size() == shape.size() ? elements == known : elements % known == 0;
}

absl::Status ReshapedShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const std::vector<int32_t> shape = context.Int32s(kShape);
  const uint64_t found =
      NumberOfElements(context.Input(kInput).dimensions) / NumberOfElements(GivenDimensions(shape));
  std::vector<uint64_t> dimensions(shape.begin(), shape.end());
  std::replace(dimensions.begin(), dimensions.end(), static_cast<uint64_t>(kToBeFound), found);
  return SetComputedShape(context, dimensions, outputs[0]);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(RESHAPE) {
  return {
      .summary = "output = input, element by element in row-major order, with dimensions shape",
      .description =
          "One entry of the shape may be -1: that dimension is what makes the number of elements "
          "come out. A shape of -1 alone gives a vector.",
      .signature = {.inputs = {FloatOrQuantizedTensor("input")
                                   .Ranks({1, 2, 3, 4})
                                   .Describe("The tensor to be reshaped."),
                               Int32Vector("shape").Describe(
                                   "The dimensions of the output; one may be -1.")},
                    .outputs = {Tensor("output")
                                    .TypeLike(kInput)
                                    .Ranks({1, 2, 3, 4})
                                    .QuantizedLike(kInput)
                                    .Describe("The elements of the input in new dimensions.")}},
      .constraints =
          {Constraint("shape has 1 to 4 entries", {.shapes = {kShape}},
                      [](const OperationContext& context) {
                        const uint32_t entries = context.Input(kShape).dimensions[0];
                        return entries >= 1 && entries <= 4;
                      }),
           Constraint("each entry of shape is positive or -1",
                      {.shapes = {kShape}, .values = {kShape}}, EntriesArePositiveOrToBeFound),
           Constraint("at most one entry of shape is -1", {.shapes = {kShape}, .values = {kShape}},
                      AtMostOneEntryIsToBeFound),
           Constraint("shape makes as many elements as the input has",
                      {.shapes = {kInput, kShape}, .values = {kShape}}, KeepsTheNumberOfElements)},
      .shape = ReshapedShape,
      .kernel = SameElements(),
      .choose =
          [](OperandChooser& choose) {
            const auto elements =
                static_cast<uint32_t>(NumberOfElements(choose.Dimensions(kInput)));
            const size_t rank = choose.random().Below(4) + 1;
            const Shape dimensions = DimensionsOfElements(choose, elements, rank);
            std::vector<int32_t> shape(dimensions.begin(), dimensions.end());
            if (choose.OneIn(2)) shape[choose.random().Below(rank)] = kToBeFound;
            choose.SetInt32s(kShape, shape);
          },
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.0, OperationType::RESHAPE",
  };
}

}  // namespace nncert
