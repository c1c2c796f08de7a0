// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kQuant16 = OperandType::TENSOR_QUANT16_ASYMM;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

// One AXIS_ALIGNED_BBOX_TRANSFORM, its inputs in numbers (integers for quantized types).
struct Transform {
  OperandSpec boxes;
  std::vector<double> box_values;
  OperandSpec deltas;
  std::vector<double> delta_values;
  std::vector<double> batches;
  OperandSpec sizes;
  std::vector<double> size_values;
  OperandSpec output;
  bool is_relaxed = false;
};

hal::V1_2::Model ModelOf(const Transform& transform) {
  ModelBuilder builder;
  const uint32_t boxes = builder.Input(transform.boxes);
  const uint32_t deltas = builder.Input(transform.deltas);
  const uint32_t batches =
      builder.Input({kInt32, {static_cast<uint32_t>(transform.batches.size())}});
  const uint32_t sizes = builder.Input(transform.sizes);
  const uint32_t output = builder.Output(transform.output);
  builder
      .Operation(OperationType::AXIS_ALIGNED_BBOX_TRANSFORM, {boxes, deltas, batches, sizes},
                 {output})
      .Relaxed(transform.is_relaxed);
  return builder.model();
}

std::vector<std::vector<double>> InputsOf(const Transform& transform) {
  return {transform.box_values, transform.delta_values, transform.batches, transform.size_values};
}

Evaluated Evaluate(const Transform& transform) {
  return EvaluateDecided(ModelOf(transform), InputsOf(transform));
}

auto Near(const std::vector<double>& expected) { return Pointwise(DoubleNear(1e-9), expected); }

// Boxes of sizes 4 x 8 around (6, 10) in an image of 30 x 20 (height x width), and of 10 x 10
// around (15, 15) in one of 18 x 40.
Transform TwoBoxes() {
  return {.boxes = {kFloat32, {2, 4}},
          .box_values = {4, 6, 8, 14, 10, 10, 20, 20},
          .deltas = {kFloat32, {2, 8}},
          .delta_values = {0, 0, 0, 0, 0.5, -0.25, 0, 0,  //
                           0, 0, std::log(2), 0, 0, 0, 0, -std::log(2)},
          .batches = {0, 1},
          .sizes = {kFloat32, {2, 2}},
          .size_values = {30, 20, 18, 40},
          .output = {kFloat32, {2, 8}}};
}

TEST(AxisAlignedBboxTransformTest, DeltasShiftBySizesAndScaleByExponentials) {
  // Unchanged; by (2, -2); 20 wide, cut off at the height of 18; 5 high.
  const Evaluated result = Evaluate(TwoBoxes());
  EXPECT_THAT(result.from_double,
              Pointwise(DoubleNear(1e-6), std::vector<double>{4, 6, 8, 14, 6, 4, 10, 12,  //
                                                              5, 10, 25, 18, 10, 12.5, 20, 17.5}));
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 2e-5);
}

TEST(AxisAlignedBboxTransformTest, ResultsAreCutOffAtTheEdgesOfTheirImage) {
  Transform transform = TwoBoxes();
  transform.delta_values = {-2, 0, 0, 0, 10, 10, 0, 0,  //
                            0,  0, 5, 5, -1, 1,  0, 0};
  // Left of the image; beyond the lower right corner; all of it; over two edges at once.
  EXPECT_THAT(Evaluate(transform).from_double,
              Near({0, 6, 0, 14, 20, 30, 20, 30, 0, 0, 40, 18, 0, 18, 10, 18}));
}

TEST(AxisAlignedBboxTransformTest, ImagesAreHeightThenWidthAndChosenByBatch) {
  Transform transform = TwoBoxes();
  transform.batches = {1, 0};
  transform.delta_values.assign(16, 0);
  transform.delta_values[2] = 5;   // width of box 0
  transform.delta_values[11] = 5;  // height of box 1
  const std::vector<double> result = Evaluate(transform).from_double;
  EXPECT_DOUBLE_EQ(result[2], 40);
  EXPECT_DOUBLE_EQ(result[11], 30);
}

TEST(AxisAlignedBboxTransformTest, TakesHalvesAndEnclosesWhatTheyLose) {
  Transform transform = TwoBoxes();
  for (OperandSpec* spec :
       {&transform.boxes, &transform.deltas, &transform.sizes, &transform.output}) {
    spec->type = kFloat16;
  }
  transform.delta_values = {0, 0, 0, 0, 0.5, -0.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const Evaluated result = Evaluate(transform);
  EXPECT_THAT(result.from_float,
              ElementsAre(4, 6, 8, 14, 6, 4, 10, 12, 10, 10, 20, 18, 10, 10, 20, 18));
  // Middles and halves of about 15, with a handful of roundings of 2^-11.
  EXPECT_GT(result.enclosure[8].radius, 15 / 2048.0);
  EXPECT_LT(result.enclosure[8].radius, 15 * 16 / 2048.0);
  transform = TwoBoxes();
  transform.is_relaxed = true;
  EXPECT_GT(Evaluate(transform).enclosure[8].radius, 15 / 2048.0);
}

TEST(AxisAlignedBboxTransformTest, TakesEighthsOfPixelsAndQuantizedDeltas) {
  Transform transform = TwoBoxes();
  transform.boxes = {kQuant16, {2, 4}, 0.125f};
  transform.deltas = {kQuant8, {2, 8}, 0.25f, 100};
  transform.sizes = {kQuant16, {2, 2}, 0.125f};
  transform.output = {kQuant16, {2, 8}, 0.125f};
  for (double& value : transform.box_values) value *= 8;
  for (double& value : transform.size_values) value *= 8;
  // The first box by (2, -2), the second scaled by exp(0.25) in width: 12.84 / 2 = 6.42 at either
  // side of 15.
  transform.delta_values = {102, 99,  100, 100, 100, 100, 100, 100,  //
                            100, 100, 101, 100, 100, 100, 100, 100};
  EXPECT_THAT(Evaluate(transform).from_float, ElementsAre(48, 32, 80, 96, 32, 48, 64, 112,  //
                                                          69, 80, 171, 144, 80, 80, 160, 144));
}

TEST(AxisAlignedBboxTransformTest, NoBoxesGiveNoBoxes) {
  Transform transform = TwoBoxes();
  transform.boxes.dimensions = {0, 4};
  transform.deltas.dimensions = {0, 8};
  transform.output.dimensions = {0, 8};
  transform.batches = {};
  const auto graph = PreparedGraph::Create(ModelOf(transform));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument boxes;
  boxes.dimensions = {0, 4};
  InputArgument deltas;
  deltas.dimensions = {0, 8};
  InputArgument batches;
  batches.dimensions = {0};
  const std::vector<float> values = {30, 20, 18, 40};
  InputArgument sizes;
  sizes.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(values.data()), 16);
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    const auto outputs = (*graph)->Execute(system, {boxes, deltas, batches, sizes});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 8));
    EXPECT_THAT((*outputs)[0].elements, IsEmpty());
  }
}

TEST(AxisAlignedBboxTransformTest, RefusesABoxWhoseCornersAreNotInOrder) {
  Transform transform = TwoBoxes();
  for (const double wrong : {9.0, std::numeric_limits<double>::quiet_NaN()}) {
    transform.box_values[4] = 20 + wrong;
    EXPECT_THAT(
        EvaluateInAllSystems(ModelOf(transform), InputsOf(transform)).status().message(),
        AllOf(
            HasSubstr("AXIS_ALIGNED_BBOX_TRANSFORM input 0 'boxes' (operand 0): row 1 is the box"),
            HasSubstr("expected x1 <= x2 and y1 <= y2")));
  }
}

TEST(AxisAlignedBboxTransformTest, axis_aligned_bbox_transform_c1_rejects_boxes_not_of_four) {
  Transform transform = TwoBoxes();
  transform.boxes.dimensions = {2, 5};
  EXPECT_TRUE(IsRefused(ModelOf(transform), "C1"));
}

TEST(AxisAlignedBboxTransformTest, axis_aligned_bbox_transform_c2_rejects_deltas_that_do_not_fit) {
  for (const std::vector<uint32_t>& dimensions :
       std::vector<std::vector<uint32_t>>{{3, 8}, {2, 6}, {2, 1}}) {
    Transform transform = TwoBoxes();
    transform.deltas.dimensions = dimensions;
    transform.output.dimensions = {0, 0};
    EXPECT_TRUE(IsRefused(ModelOf(transform), "C2"));
  }
}

TEST(AxisAlignedBboxTransformTest, axis_aligned_bbox_transform_c3_rejects_batches_that_do_not_fit) {
  Transform transform = TwoBoxes();
  transform.batches = {0, 0, 0};
  EXPECT_TRUE(IsRefused(ModelOf(transform), "C3"));
}

TEST(AxisAlignedBboxTransformTest, axis_aligned_bbox_transform_c4_rejects_sizes_not_of_two) {
  Transform transform = TwoBoxes();
  transform.sizes.dimensions = {2, 3};
  EXPECT_TRUE(IsRefused(ModelOf(transform), "C4"));
}

TEST(AxisAlignedBboxTransformTest, axis_aligned_bbox_transform_c5_rejects_batches_out_of_range) {
  for (const double batch : {-1.0, 2.0}) {
    Transform transform = TwoBoxes();
    transform.batches[1] = batch;
    EXPECT_TRUE(IsRefused(ModelOf(transform), "C5", InputsOf(transform)));
  }
}

TEST(AxisAlignedBboxTransformTest, axis_aligned_bbox_transform_c6_rejects_batches_torn_apart) {
  Transform transform = TwoBoxes();
  transform.boxes.dimensions = {3, 4};
  transform.box_values.resize(12);
  transform.deltas.dimensions = {3, 8};
  transform.delta_values.resize(24);
  transform.output.dimensions = {3, 8};
  transform.batches = {0, 1, 0};
  EXPECT_TRUE(IsRefused(ModelOf(transform), "C6", InputsOf(transform)));
}

TEST(AxisAlignedBboxTransformTest, RefusesOtherTypesQuantizationAndVersions) {
  EXPECT_THAT(
      SignatureErrorOf(ModelOf(TwoBoxes()), HalVersion::V1_1),
      HasSubstr(
          "AXIS_ALIGNED_BBOX_TRANSFORM was introduced in HAL 1.2; the model is held to HAL 1.1"));
  EXPECT_EQ(SignatureErrorOf(ModelOf(TwoBoxes()), HalVersion::V1_2), "");
  Transform transform = TwoBoxes();
  transform.boxes = {kQuant16, {2, 4}, 0.125f};
  EXPECT_THAT(SignatureErrorOf(ModelOf(transform), HalVersion::V1_2),
              HasSubstr("AXIS_ALIGNED_BBOX_TRANSFORM input 1 'deltas'"));
  transform.deltas = {kQuant8, {2, 8}, 0.25f, 100};
  transform.sizes = {kQuant16, {2, 2}, 0.25f};
  EXPECT_THAT(SignatureErrorOf(ModelOf(transform), HalVersion::V1_2),
              HasSubstr("input 3 'imageSizes' (operand 3) has scale 0.25"));
}

}  // namespace
}  // namespace nncert
