// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// SPACE_TO_DEPTH: makes one deep pixel of every block of pixels; and DEPTH_TO_SPACE, which undoes
// it.

#include <algorithm>
#include <initializer_list>
#include <numeric>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/image_axes.h"
#include "reference/ops/common/image_choices.h"
#include "reference/ops/common/strided_copy.h"

namespace nncert {
namespace {

enum : int { kInput, kBlockSize, kLayout };

ImageAxes AxesOf(const OperationContext& context) { return ImageAxesOf(context.Bool(kLayout)); }

// The block size; as an unsigned number of 64 bits its square cannot overflow.
uint64_t BlockSizeOf(const OperationContext& context) {
  return static_cast<uint64_t>(context.Int32(kBlockSize));
}

bool IsBlockSizePositive(const OperationContext& context) { return context.Int32(kBlockSize) >= 1; }

// Whether the dimensions of the input at `axes` are multiples of `divisor`.
bool AreMultiples(const OperationContext& context, std::initializer_list<size_t> axes,
                  uint64_t divisor) {
  const Shape& dimensions = context.Input(kInput).dimensions;
  return std::all_of(axes.begin(), axes.end(),
                     [&](size_t axis) { return dimensions[axis] % divisor == 0; });
}

absl::Status SpaceToDepthShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const Shape& input = context.Input(kInput).dimensions;
  const ImageAxes axes = AxesOf(context);
  const uint64_t block = BlockSizeOf(context);
  // The blocks are not larger than the image, so their size fits 32 bits.
  const auto size = static_cast<uint32_t>(block);
  uint64_t dimensions[4] = {input[0]};
  dimensions[axes.height] = input[axes.height] / block;
  dimensions[axes.width] = input[axes.width] / block;
  dimensions[axes.depth] = NumberOfElements({input[axes.depth], size, size});
  return SetComputedShape(context, dimensions, outputs[0]);
}

absl::Status DepthToSpaceShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const Shape& input = context.Input(kInput).dimensions;
  const ImageAxes axes = AxesOf(context);
  const uint64_t block = BlockSizeOf(context);
  uint64_t dimensions[4] = {input[0]};
  dimensions[axes.height] = input[axes.height] * block;
  dimensions[axes.width] = input[axes.width] * block;
  dimensions[axes.depth] = input[axes.depth] / (block * block);
  return SetComputedShape(context, dimensions, outputs[0]);
}

absl::Status MoveSpaceToDepth(MoveContext& context) {
  const ElementsView input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const ImageAxes axes = AxesOf(context.operation());
  const auto block = static_cast<uint32_t>(context->Int32(kBlockSize));
  const auto strides = StridesOf(input.dimensions);
  CopyDimensions dimensions;
  for (size_t axis = 0; axis < 4; ++axis) {
    if (axis == axes.depth) {
      // Channels of the output: rows of the block, columns of the block, channels of the input.
      dimensions.push_back({block, strides[axes.height]});
      dimensions.push_back({block, strides[axes.width]});
      dimensions.push_back({input.dimensions[axis], strides[axis]});
    } else {
      const int64_t step = axis == 0 ? 1 : block;
      dimensions.push_back({output->dimensions[axis], strides[axis] * step});
    }
  }
  StridedCopy(dimensions, 0, input.element_size, input.data, output->data);
  return absl::OkStatus();
}

absl::Status MoveDepthToSpace(MoveContext& context) {
  const ElementsView input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const ImageAxes axes = AxesOf(context.operation());
  const auto block = static_cast<uint32_t>(context->Int32(kBlockSize));
  const auto strides = StridesOf(input.dimensions);
  // From one column of a block to the next, in the input.
  const int64_t column = strides[axes.depth] * output->dimensions[axes.depth];
  CopyDimensions dimensions;
  for (size_t axis = 0; axis < 4; ++axis) {
    if (axis == axes.depth) {
      dimensions.push_back({output->dimensions[axis], strides[axis]});
      continue;
    }
    dimensions.push_back({input.dimensions[axis], strides[axis]});
    if (axis == axes.height) dimensions.push_back({block, column * block});
    if (axis == axes.width) dimensions.push_back({block, column});
  }
  StridedCopy(dimensions, 0, input.element_size, input.data, output->data);
  return absl::OkStatus();
}

Signature SignatureWith(std::string_view output) {
  return {.inputs =
              {FloatOrQuantizedTensor("input").Ranks({4}).Describe(
                   "The images: [batches, height, width, depth], or [batches, depth, height, "
                   "width] when the layout is NCHW."),
               Int32Scalar("blockSize").Values(kNoValues).Describe("Height and width of a block."),
               LayoutScalar().Trailing()},
          .outputs = {
              Tensor("output").TypeLike(kInput).Ranks({4}).QuantizedLike(kInput).Describe(output)}};
}

void ChooseSpaceToDepth(OperandChooser& choose) {
  const auto block = static_cast<uint32_t>(choose.Between(1, 3));
  const ImageSizes images =
      ChooseImagesOfBlocks(choose, kInput, kLayout, {1, block, block, 1, false});
  const auto common = static_cast<uint32_t>(std::gcd(images.height, images.width));
  choose.SetInt32(kBlockSize, choose.IsGiven(kInput) ? choose.DivisorOf(common) : block);
}

void ChooseDepthToSpace(OperandChooser& choose) {
  auto block = static_cast<uint32_t>(choose.Between(1, 3));
  const ImageSizes images =
      ChooseImagesOfBlocks(choose, kInput, kLayout, {1, 1, 1, block * block, false});
  while (images.depth % (block * block) != 0) --block;
  choose.SetInt32(kBlockSize, block);
}

Constraint BlockSizeConstraint() {
  return Constraint("blockSize is at least 1", {.values = {kBlockSize}}, IsBlockSizePositive);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(SPACE_TO_DEPTH) {
  return {
      .summary =
          "output[n, y, x, (dy * block + dx) * depth + c] = input[n, y * block + dy, x * block + "
          "dx, c]",
      .description =
          "Cuts the images into blocks of blockSize times blockSize pixels. Each block becomes one "
          "pixel, whose channels are those of the pixels of the block, row by row.",
      .signature = SignatureWith("The images of blocks: height and width divided by blockSize, "
                                 "depth multiplied by its square."),
      .constraints = {BlockSizeConstraint(),
                      Constraint("blockSize divides height and width of the input",
                                 {.shapes = {kInput}, .values = {kBlockSize, kLayout}},
                                 [](const OperationContext& context) {
                                   const ImageAxes axes = AxesOf(context);
                                   return !IsBlockSizePositive(context) ||
                                          AreMultiples(context, {axes.height, axes.width},
                                                       BlockSizeOf(context));
                                 })},
      .shape = SpaceToDepthShape,
      .kernel = Move(MoveSpaceToDepth),
      .choose = ChooseSpaceToDepth,
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.0 and 1.2, OperationType::SPACE_TO_DEPTH",
  };
}

NNCERT_OPERATION_DEFINITION(DEPTH_TO_SPACE) {
  return {
      .summary =
          "output[n, y * block + dy, x * block + dx, c] = input[n, y, x, (dy * block + dx) * depth "
          "+ c], depth being that of the output",
      .description =
          "Each pixel becomes a block of blockSize times blockSize pixels, among which its "
          "channels are divided row by row.",
      .signature = SignatureWith("The images of pixels: height and width multiplied by blockSize, "
                                 "depth divided by its square."),
      .constraints = {BlockSizeConstraint(),
                      Constraint("the square of blockSize divides the depth of the input",
                                 {.shapes = {kInput}, .values = {kBlockSize, kLayout}},
                                 [](const OperationContext& context) {
                                   const uint64_t block = BlockSizeOf(context);
                                   return !IsBlockSizePositive(context) ||
                                          AreMultiples(context, {AxesOf(context).depth},
                                                       block * block);
                                 })},
      .shape = DepthToSpaceShape,
      .kernel = Move(MoveDepthToSpace),
      .choose = ChooseDepthToSpace,
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.0 and 1.2, OperationType::DEPTH_TO_SPACE",
  };
}

}  // namespace nncert
