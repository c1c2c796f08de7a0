// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// SPACE_TO_BATCH_ND: makes smaller images of every block-th pixel, one for each pixel of a block;
// and BATCH_TO_SPACE_ND, which puts them together again.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/image_axes.h"
#include "reference/ops/common/image_choices.h"
#include "reference/ops/common/strided_copy.h"
#include "reference/ops/common/zero_element.h"

namespace nncert {
namespace {

enum : int { kInput, kBlockSizes };
// Slots after the block sizes.
namespace space_to_batch {
enum : int { kPaddings = 2, kLayout };
}  // namespace space_to_batch
namespace batch_to_space {
enum : int { kLayout = 2 };
}  // namespace batch_to_space

// Height and width of a block.
struct Block {
  int64_t height;
  int64_t width;

  bool IsPositive() const { return height >= 1 && width >= 1; }
  // At most 2^62.
  uint64_t Pixels() const { return static_cast<uint64_t>(height * width); }
};

bool HasTwoBlockSizes(const OperationContext& context) {
  return context.Input(kBlockSizes).dimensions[0] == 2;
}

// There must be two block sizes.
Block BlockOf(const OperationContext& context) {
  const std::vector<int32_t> sizes = context.Int32s(kBlockSizes);
  return {sizes[0], sizes[1]};
}

bool HasPositiveBlock(const OperationContext& context) {
  return HasTwoBlockSizes(context) && BlockOf(context).IsPositive();
}

// Rows above and below the image, columns left and right of it.
struct Paddings {
  int64_t top;
  int64_t bottom;
  int64_t left;
  int64_t right;

  bool AreNonNegative() const { return top >= 0 && bottom >= 0 && left >= 0 && right >= 0; }
  bool AreZero() const { return top == 0 && bottom == 0 && left == 0 && right == 0; }
};

bool HasFourPaddings(const OperationContext& context) {
  return context.Input(space_to_batch::kPaddings).dimensions == Shape{2, 2};
}

// There must be four paddings.
Paddings PaddingsOf(const OperationContext& context) {
  const std::vector<int32_t> paddings = context.Int32s(space_to_batch::kPaddings);
  return {paddings[0], paddings[1], paddings[2], paddings[3]};
}

bool HasNonNegativePaddings(const OperationContext& context) {
  return HasFourPaddings(context) && PaddingsOf(context).AreNonNegative();
}

ImageAxes SpaceToBatchAxes(const OperationContext& context) {
  return ImageAxesOf(context.Bool(space_to_batch::kLayout));
}

ImageAxes BatchToSpaceAxes(const OperationContext& context) {
  return ImageAxesOf(context.Bool(batch_to_space::kLayout));
}

// Height and width of the padded image.
struct PaddedSize {
  int64_t height;
  int64_t width;
};

PaddedSize PaddedSizeOf(const OperationContext& context) {
  const Shape& input = context.Input(kInput).dimensions;
  const ImageAxes axes = SpaceToBatchAxes(context);
  const Paddings paddings = PaddingsOf(context);
  return {paddings.top + input[axes.height] + paddings.bottom,
          paddings.left + input[axes.width] + paddings.right};
}

bool BlockDividesPaddedImage(const OperationContext& context) {
  if (!HasPositiveBlock(context) || !HasNonNegativePaddings(context)) return true;
  const Block block = BlockOf(context);
  const PaddedSize size = PaddedSizeOf(context);
  return size.height % block.height == 0 && size.width % block.width == 0;
}

absl::Status SpaceToBatchShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const Shape& input = context.Input(kInput).dimensions;
  const ImageAxes axes = SpaceToBatchAxes(context);
  const Block block = BlockOf(context);
  const PaddedSize size = PaddedSizeOf(context);
  uint64_t dimensions[4];
  dimensions[0] = NumberOfElements(
      {input[0], static_cast<uint32_t>(block.height), static_cast<uint32_t>(block.width)});
  dimensions[axes.height] = static_cast<uint64_t>(size.height / block.height);
  dimensions[axes.width] = static_cast<uint64_t>(size.width / block.width);
  dimensions[axes.depth] = input[axes.depth];
  return SetComputedShape(context, dimensions, outputs[0]);
}

absl::Status BatchToSpaceShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const Shape& input = context.Input(kInput).dimensions;
  const ImageAxes axes = BatchToSpaceAxes(context);
  const Block block = BlockOf(context);
  uint64_t dimensions[4];
  dimensions[0] = input[0] / block.Pixels();
  dimensions[axes.height] = input[axes.height] * static_cast<uint64_t>(block.height);
  dimensions[axes.width] = input[axes.width] * static_cast<uint64_t>(block.width);
  dimensions[axes.depth] = input[axes.depth];
  return SetComputedShape(context, dimensions, outputs[0]);
}

// Where every block-th element of a padded axis comes from: elements [begin, end) of the output are
// elements `first`, `first` + block, ... of the input, and the others are padding.
struct AxisRange {
  int64_t begin;
  int64_t end;
  int64_t first;
};

// The range for those that stand at `offset` in their block. All but the number of elements of the
// output are within 2^31.
AxisRange RangeAt(int64_t offset, int64_t block, int64_t padding, int64_t input_size,
                  int64_t output_size) {
  const auto ceiling = [block](int64_t distance) {
    return distance <= 0 ? 0 : (distance + block - 1) / block;
  };
  const int64_t begin = std::min(ceiling(padding - offset), output_size);
  const int64_t end = std::clamp(ceiling(padding + input_size - offset), begin, output_size);
  return {begin, end, begin * block + offset - padding};
}

absl::Status MoveSpaceToBatch(MoveContext& context) {
  const ElementsView input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const ImageAxes axes = SpaceToBatchAxes(context.operation());
  const Block block = BlockOf(context.operation());
  const Paddings paddings = PaddingsOf(context.operation());
  const auto from_strides = StridesOf(input.dimensions);
  const auto to_strides = StridesOf(output->dimensions);
  if (!paddings.AreZero()) {
    const ZeroElement zero(context.system(), context->Output(0));
    ElementFill(zero.data(), output->element_size)
        .Fill(NumberOfElements(output->dimensions), output->data);
  }
  MoveDimensions dimensions(4);
  for (size_t axis = 0; axis < 4; ++axis) {
    dimensions[axis] = {input.dimensions[axis], from_strides[axis], to_strides[axis]};
  }
  MoveDimension& rows = dimensions[axes.height];
  MoveDimension& columns = dimensions[axes.width];
  rows.from *= block.height;
  columns.from *= block.width;
  const auto size = static_cast<int64_t>(output->element_size);
  // The images of one place in the block stand one after another in the output.
  std::byte* place = output->data;
  for (int64_t y = 0; y < block.height; ++y) {
    const AxisRange range_y = RangeAt(y, block.height, paddings.top, input.dimensions[axes.height],
                                      output->dimensions[axes.height]);
    rows.count = static_cast<uint64_t>(range_y.end - range_y.begin);
    for (int64_t x = 0; x < block.width; ++x) {
      const AxisRange range_x = RangeAt(x, block.width, paddings.left, input.dimensions[axes.width],
                                        output->dimensions[axes.width]);
      columns.count = static_cast<uint64_t>(range_x.end - range_x.begin);
      if (rows.count > 0 && columns.count > 0) {
        const int64_t from =
            range_y.first * from_strides[axes.height] + range_x.first * from_strides[axes.width];
        const int64_t to = range_y.begin * rows.to + range_x.begin * columns.to;
        CopyElements(dimensions, input.element_size, input.data + from * size, place + to * size);
      }
      place += static_cast<int64_t>(input.dimensions[0]) * to_strides[0] * size;
    }
  }
  return absl::OkStatus();
}

absl::Status MoveBatchToSpace(MoveContext& context) {
  const ElementsView input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const ImageAxes axes = BatchToSpaceAxes(context.operation());
  const Block block = BlockOf(context.operation());
  const auto strides = StridesOf(input.dimensions);
  // From one place in the block to the next, in the input.
  const int64_t place = strides[0] * output->dimensions[0];
  CopyDimensions dimensions;
  for (size_t axis = 0; axis < 4; ++axis) {
    const uint32_t count = axis == 0 ? output->dimensions[0] : input.dimensions[axis];
    dimensions.push_back({count, strides[axis]});
    if (axis == axes.height) {
      dimensions.push_back({static_cast<uint32_t>(block.height), place * block.width});
    }
    if (axis == axes.width) dimensions.push_back({static_cast<uint32_t>(block.width), place});
  }
  StridedCopy(dimensions, 0, input.element_size, input.data, output->data);
  return absl::OkStatus();
}

void ChooseSpaceToBatch(OperandChooser& choose) {
  const ImageSizes images = ChooseImages(choose, kInput, space_to_batch::kLayout);
  ChoosePaddable(choose, kInput);
  std::vector<int32_t> block;
  std::vector<double> paddings;
  for (const size_t length : {images.height, images.width}) {
    const int64_t size = choose.Between(1, 3);
    const int64_t head = choose.Between(0, 2);
    const int64_t missing = (size - (static_cast<int64_t>(length) + head) % size) % size;
    const int64_t tail = missing + (choose.OneIn(3) ? size : 0);
    block.push_back(static_cast<int32_t>(size));
    paddings.push_back(static_cast<double>(head));
    paddings.push_back(static_cast<double>(tail));
  }
  choose.SetInt32s(kBlockSizes, block);
  choose.SetDimensions(space_to_batch::kPaddings, {2, 2});
  choose.SetValues(space_to_batch::kPaddings, paddings);
}

void ChooseBatchToSpace(OperandChooser& choose) {
  auto height = static_cast<uint32_t>(choose.Between(1, 3));
  auto width = static_cast<uint32_t>(choose.Between(1, 3));
  const ImageSizes images = ChooseImagesOfBlocks(choose, kInput, batch_to_space::kLayout,
                                                 {size_t{height} * width, 1, 1, 1, false});
  if (choose.IsGiven(kInput)) {
    const auto batches = static_cast<uint32_t>(images.batches);
    height = choose.DivisorOf(batches);
    width = choose.DivisorOf(batches / height);
  }
  choose.SetInt32s(kBlockSizes, {static_cast<int32_t>(height), static_cast<int32_t>(width)});
}

OperandRule InputTensor() {
  return FloatOrQuantizedTensor("input").Ranks({4}).Describe(
      "The images: [batches, height, width, depth], or [batches, depth, height, width] when the "
      "layout is NCHW.");
}

OperandRule OutputTensor(std::string_view description) {
  return Tensor("output").TypeLike(kInput).Ranks({4}).QuantizedLike(kInput).Describe(description);
}

OperandRule BlockSizesVector() {
  return Int32Vector("blockSizes").Describe("Height and width of a block.");
}

Constraint TwoBlockSizesConstraint() {
  return Constraint("blockSizes has 2 entries", {.shapes = {kBlockSizes}}, HasTwoBlockSizes);
}

Constraint PositiveBlockConstraint() {
  return Constraint("each entry of blockSizes is at least 1",
                    {.shapes = {kBlockSizes}, .values = {kBlockSizes}},
                    [](const OperationContext& context) {
                      return !HasTwoBlockSizes(context) || HasPositiveBlock(context);
                    });
}

}  // namespace

NNCERT_OPERATION_DEFINITION(SPACE_TO_BATCH_ND) {
  using space_to_batch::kLayout;
  using space_to_batch::kPaddings;
  return {
      .summary =
          "output[(dy * block_width + dx) * batches + n, y, x, c] = padded[n, y * block_height + "
          "dy, x * block_width + dx, c]",
      .description =
          "Surrounds the images with zeros and cuts them into blocks. The first pixel of every "
          "block makes an image, so does the second, and so on row by row of the block. Quantized "
          "images are padded with their zeroPoint.",
      .signature = {.inputs = {InputTensor(), BlockSizesVector(),
                               Tensor("paddings")
                                   .Types({OperandType::TENSOR_INT32})
                                   .Ranks({2})
                                   .Parameter()
                                   .Values(kNoValues)
                                   .Describe("[[top, bottom], [left, right]]: the pixels that are "
                                             "put around each image."),
                               LayoutScalar().Trailing()},
                    .outputs = {OutputTensor(
                        "The smaller images: batches multiplied by the pixels of a block, height "
                        "and width of the padded image divided by those of a block.")}},
      .constraints = {TwoBlockSizesConstraint(), PositiveBlockConstraint(),
                      Constraint("paddings have the dimensions [2, 2]", {.shapes = {kPaddings}},
                                 HasFourPaddings),
                      Constraint("each padding is at least 0",
                                 {.shapes = {kPaddings}, .values = {kPaddings}},
                                 [](const OperationContext& context) {
                                   return !HasFourPaddings(context) ||
                                          HasNonNegativePaddings(context);
                                 }),
                      Constraint("the block divides height and width of the padded image",
                                 {.shapes = {kInput, kBlockSizes, kPaddings},
                                  .values = {kBlockSizes, kPaddings, kLayout}},
                                 BlockDividesPaddedImage),
                      PadsWithZeroConstraint<kInput>()},
      .shape = SpaceToBatchShape,
      .kernel = Move(MoveSpaceToBatch),
      .choose = ChooseSpaceToBatch,
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.1 and 1.2, OperationType::SPACE_TO_BATCH_ND",
  };
}

NNCERT_OPERATION_DEFINITION(BATCH_TO_SPACE_ND) {
  using batch_to_space::kLayout;
  return {
      .summary =
          "output[n, y * block_height + dy, x * block_width + dx, c] = input[(dy * block_width + "
          "dx) * batches + n, y, x, c], batches being those of the output",
      .description =
          "Puts images together block by block: the first images have the first pixel of every "
          "block, the next ones the second, and so on row by row of the block.",
      .signature = {.inputs = {InputTensor(), BlockSizesVector(), LayoutScalar().Trailing()},
                    .outputs = {OutputTensor(
                        "The larger images: batches divided by the pixels of a block, height and "
                        "width multiplied by those of a block.")}},
      .constraints = {TwoBlockSizesConstraint(), PositiveBlockConstraint(),
                      Constraint("the number of pixels of a block divides the batches of the input",
                                 {.shapes = {kInput, kBlockSizes}, .values = {kBlockSizes}},
                                 [](const OperationContext& context) {
                                   return !HasPositiveBlock(context) ||
                                          context.Input(kInput).dimensions[0] %
                                                  BlockOf(context).Pixels() ==
                                              0;
                                 })},
      .shape = BatchToSpaceShape,
      .kernel = Move(MoveBatchToSpace),
      .choose = ChooseBatchToSpace,
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.1 and 1.2, OperationType::BATCH_TO_SPACE_ND",
  };
}

}  // namespace nncert
