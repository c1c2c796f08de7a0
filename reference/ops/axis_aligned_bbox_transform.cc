// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// AXIS_ALIGNED_BBOX_TRANSFORM: boxes moved and scaled by the deltas that a network gives them.

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/boxes.h"

namespace nncert {
namespace {

enum : int { kBoxes, kDeltas, kBatches, kImageSizes };

void ChooseAxisAlignedBboxTransform(OperandChooser& choose) {
  const Shape& deltas = choose.Dimensions(kDeltas);
  const uint32_t boxes = deltas[0];
  uint32_t classes = deltas[1];
  if (choose.IsGiven(kDeltas)) {
    if (choose.Range(kDeltas).Magnitude() > kGreatestDelta) return choose.Decline();
    classes = std::max(classes / uint32_t{kCorners}, 1U);
  }
  choose.SetDimensions(kDeltas, {boxes, classes * uint32_t{kCorners}});
  const uint32_t images = choose.Size(4);
  constexpr ValueRange kSizes = {8, 64};
  std::vector<double> values(images * size_t{2});
  for (double& value : values) value = choose.random().Uniform(kSizes.lowest, kSizes.highest);
  choose.SetDimensions(kImageSizes, {images, 2});
  choose.SetRange(kImageSizes, kSizes);
  choose.SetValues(kImageSizes, std::move(values));
  // Some boxes are partly outside of their image.
  const Extent<double> extent = {-kSizes.highest / 8, kSizes.highest};
  ChooseBoxes(choose, kBoxes, boxes, extent, extent);
  ChooseBatches(choose, kBatches, boxes, images);
  choose.SetOutputRange(0, {0, kSizes.highest});
}

}  // namespace

NNCERT_OPERATION_DEFINITION(AXIS_ALIGNED_BBOX_TRANSFORM) {
  return {
      .summary =
          "output = the box of size (w * exp(dw), h * exp(dh)) around (cx + dx * w, cy + dy * h), "
          "cut off at the edges of its image, of each box of center (cx, cy) and size (w, h)",
      .description =
          "Every box has four deltas [dx, dy, dw, dh] for each class, and gives one box for each "
          "class. Each coordinate of the result is limited to the image, from 0 to its width or "
          "height.",
      .signature =
          {.inputs = {Tensor("boxes")
                          .Types({OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16,
                                  OperandType::TENSOR_QUANT16_ASYMM})
                          .Ranks({2})
                          .Quantized(0.125f, 0)
                          .Values(kNoValues)
                          .Describe("[boxes, 4]: [x1, y1, x2, y2], x1 <= x2 and y1 <= y2. Anything "
                                    "else is an error."),
                      Tensor("deltas")
                          .TypeWhen(kBoxes, OperandType::TENSOR_FLOAT32,
                                    OperandType::TENSOR_FLOAT32)
                          .TypeWhen(kBoxes, OperandType::TENSOR_FLOAT16,
                                    OperandType::TENSOR_FLOAT16)
                          .TypeWhen(kBoxes, OperandType::TENSOR_QUANT16_ASYMM,
                                    OperandType::TENSOR_QUANT8_ASYMM)
                          .Ranks({2})
                          .Values(Uniform(-1, 1))
                          .Describe("[boxes, classes * 4]: for each class [dx, dy, dw, dh]; shifts "
                                    "in units of the size of the box, logarithms of factors."),
                      BatchIndexes(),
                      Tensor("imageSizes")
                          .TypeLike(kBoxes)
                          .Ranks({2})
                          .Quantized(0.125f, 0)
                          .Values(kNoValues)
                          .Describe("[images, 2]: [height, width] of each image.")},
           .outputs = {Tensor("output").TypeLike(kBoxes).Ranks({2}).Quantized(0.125f, 0).Describe(
               "[boxes, classes * 4]: a box [x1, y1, x2, y2] for each class.")}},
      .constraints =
          {BoxRowsConstraint<kBoxes>(),
           Constraint("deltas has a row for each box, with four numbers for each of some classes",
                      {.shapes = {kBoxes, kDeltas}},
                      [](const OperationContext& context) {
                        const Shape& deltas = context.Input(kDeltas).dimensions;
                        return deltas[0] == context.Input(kBoxes).dimensions[0] && deltas[1] > 0 &&
                               deltas[1] % kCorners == 0;
                      }),
           BatchCountConstraint<kBoxes, kBatches>(),
           Constraint("imageSizes has two numbers for each of some images",
                      {.shapes = {kImageSizes}},
                      [](const OperationContext& context) {
                        const Shape& sizes = context.Input(kImageSizes).dimensions;
                        return sizes[0] > 0 && sizes[1] == 2;
                      }),
           BatchRangeConstraint<kImageSizes, kBatches>(), BatchOrderConstraint<kBatches>()},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = context.Input(kDeltas).dimensions;
        return absl::OkStatus();
      },
      .kernel =
          Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) -> absl::Status {
            auto output = context.Output(0);
            if (!output.ok()) return output.status();
            const auto boxes = context.Input(kBoxes);
            const auto deltas = context.Input(kDeltas);
            const auto sizes = context.Input(kImageSizes);
            const std::vector<int32_t> batches = context->Int32s(kBatches);
            if (absl::Status status =
                    CheckBoxes(arithmetic, context.operation(), kBoxes, boxes.elements());
                !status.ok()) {
              return status;
            }
            const size_t classes = deltas.dimensions[1] / kCorners;
            for (size_t row = 0; row < batches.size(); ++row) {
              const auto* image = sizes.data + static_cast<size_t>(batches[row]) * 2;
              for (size_t i = row * classes; i < (row + 1) * classes; ++i) {
                MoveBox(arithmetic, boxes.data + row * kCorners, deltas.data + i * kCorners,
                        image[0], image[1], output->data + i * kCorners);
              }
            }
            return absl::OkStatus();
          }),
      .choose = ChooseAxisAlignedBboxTransform,
      .error_bound = "of an exponential and the few sums and products around it",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::AXIS_ALIGNED_BBOX_TRANSFORM",
  };
}

}  // namespace nncert
