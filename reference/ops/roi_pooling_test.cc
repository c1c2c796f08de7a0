// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reference/executor.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/model_builder.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kQuant16 = OperandType::TENSOR_QUANT16_ASYMM;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

// The operation, its inputs in numbers (integers for quantized types).
struct Region {
  OperandSpec features = {kFloat32, {1, 4, 4, 1}};
  std::vector<double> values;
  std::vector<std::vector<double>> boxes;
  std::vector<double> batches;
  int32_t height = 1;
  int32_t width = 1;
  double height_ratio = 1;
  double width_ratio = 1;
  bool is_nchw = false;
  std::vector<uint32_t> output = {0, 0, 0, 0};
  float output_scale = 0;
  int32_t output_zero_point = 0;
  bool is_relaxed = false;
};

hal::V1_2::Model ModelOf(const Region& region) {
  const OperandType type = region.features.type;
  const OperandSpec scalar = {type == kFloat16 ? OperandType::FLOAT16 : OperandType::FLOAT32};
  const auto rows = static_cast<uint32_t>(region.boxes.size());
  const auto columns = static_cast<uint32_t>(rows == 0 ? 4 : region.boxes[0].size());
  const bool is_quantized = type == kQuant8;
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {
      builder.Input(region.features),
      builder.Input(
          {is_quantized ? kQuant16 : type, {rows, columns}, is_quantized ? 0.125f : 0.0f}),
      builder.Input({kInt32, {static_cast<uint32_t>(region.batches.size())}}),
      builder.Int32(region.height),
      builder.Int32(region.width),
      builder.Constant(scalar, {region.height_ratio}),
      builder.Constant(scalar, {region.width_ratio}),
      builder.Bool(region.is_nchw)};
  const uint32_t output =
      builder.Output({type, region.output, region.output_scale, region.output_zero_point});
  builder.Operation(OperationType::ROI_POOLING, inputs, {output}).Relaxed(region.is_relaxed);
  return builder.model();
}

std::vector<std::vector<double>> InputsOf(const Region& region) {
  std::vector<double> boxes;
  for (const std::vector<double>& box : region.boxes) {
    boxes.insert(boxes.end(), box.begin(), box.end());
  }
  return {region.values, boxes, region.batches};
}

Evaluated Evaluate(const Region& region) {
  const auto results = EvaluateInAllSystems(ModelOf(region), InputsOf(region));
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  EXPECT_TRUE((*results)[0].undecided.ok());
  return (*results)[0];
}

std::vector<double> OutputOf(const Region& region) { return Evaluate(region).from_double; }

std::string RunErrorOf(const Region& region) {
  return std::string(EvaluateInAllSystems(ModelOf(region), InputsOf(region)).status().message());
}

// A map of 4 x 4 that counts from 1 to 16.
Region OfCount(const std::vector<double>& box) {
  Region region;
  for (int i = 1; i <= 16; ++i) region.values.push_back(i);
  region.boxes = {box};
  region.batches = {0};
  return region;
}

TEST(RoiPoolingTest, CellsGiveTheirGreatestElements) {
  Region region = OfCount({0, 0, 3, 3});
  EXPECT_THAT(OutputOf(region), ElementsAre(16));
  region.height = 2;
  region.width = 2;
  const Evaluated result = Evaluate(region);
  EXPECT_THAT(result.dimensions, ElementsAre(1, 2, 2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(6, 8, 14, 16));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  region.height = 1;
  EXPECT_THAT(OutputOf(region), ElementsAre(14, 16));
}

TEST(RoiPoolingTest, CellsTakeEveryElementThatTheyAreInAtAll) {
  // Four elements in three cells: 0 to 4/3, 4/3 to 8/3, 8/3 to 4.
  Region region = OfCount({0, 0, 3, 3});
  region.height = 3;
  region.width = 3;
  EXPECT_THAT(OutputOf(region), ElementsAre(6, 7, 8, 10, 11, 12, 14, 15, 16));
  // One element in two cells.
  region = OfCount({1, 1, 1, 1});
  region.width = 2;
  EXPECT_THAT(OutputOf(region), ElementsAre(6, 6));
}

TEST(RoiPoolingTest, CornersAreRoundedAndBelongToTheRegion) {
  // Columns 1 and 2, rows 0 to 2.
  EXPECT_THAT(OutputOf(OfCount({0.6, 0.4, 2.4, 1.6})), ElementsAre(11));
  EXPECT_THAT(OutputOf(OfCount({2, 1, 2, 1})), ElementsAre(7));
  Region region = OfCount({4.8, 0.8, 19.2, 3.2});
  region.width_ratio = 8;
  region.height_ratio = 2;
  EXPECT_THAT(OutputOf(region), ElementsAre(11));
}

TEST(RoiPoolingTest, AHalfMayBeRoundedEitherWay) {
  // The reference starts in column 1 of a map that counts backwards; another one in column 0.
  Region region = OfCount({0.5, 0, 1, 0});
  for (double& value : region.values) value = 17 - value;
  const Evaluated result = Evaluate(region);
  EXPECT_THAT(result.from_double, ElementsAre(15));
  EXPECT_TRUE(result.enclosure[0].Contains(16));
  EXPECT_FALSE(result.enclosure[0].Contains(14));
  region.boxes[0][0] = 0.75;
  EXPECT_TRUE(Evaluate(region).enclosure[0].IsExact());
}

TEST(RoiPoolingTest, AnEdgeThatIsBarelyWholeMayTakeOneMoreElement) {
  // Five columns in three cells end at 5 / 3 * 3, which may come to 5.0000005.
  Region region;
  region.features.dimensions = {1, 1, 8, 1};
  region.values = {1, 2, 3, 4, 5, 6, 7, 8};
  region.boxes = {{0, 0, 4, 0}};
  region.batches = {0};
  region.width = 3;
  const Evaluated result = Evaluate(region);
  EXPECT_THAT(result.from_double, ElementsAre(2, 4, 5));
  EXPECT_TRUE(result.enclosure[0].IsExact());
  EXPECT_TRUE(result.enclosure[1].IsExact());
  EXPECT_TRUE(result.enclosure[2].Contains(6));
  EXPECT_FALSE(result.enclosure[2].Contains(7));
}

TEST(RoiPoolingTest, ElementsBeyondTheMapDoNotCount) {
  EXPECT_THAT(OutputOf(OfCount({3, 3, 4, 4})), ElementsAre(16));
  // No element at all.
  EXPECT_THAT(OutputOf(OfCount({4, 4, 4, 4})), ElementsAre(0));
}

TEST(RoiPoolingTest, NegativeElementsAreNotBelowNothing) {
  Region region = OfCount({0, 0, 1, 1});
  for (double& value : region.values) value = -value;
  EXPECT_THAT(OutputOf(region), ElementsAre(-1));
}

TEST(RoiPoolingTest, EveryRegionIsOfItsImageAndHasEveryChannel) {
  Region region = OfCount({0, 0, 1, 1});
  region.features.dimensions = {2, 4, 2, 2};  // images of 4 x 2, channels alternate
  region.values.clear();
  for (int i = 0; i < 16; ++i) region.values.insert(region.values.end(), {1.0 * i, -1.0 * i});
  region.boxes = {{0, 0, 1, 1}, {0, 2, 0, 3}};
  region.batches = {1, 0};
  // Image 1 has elements 8 to 15 and their negatives.
  EXPECT_THAT(OutputOf(region), ElementsAre(11, -8, 6, -4));
}

TEST(RoiPoolingTest, NchwHoldsOneChannelAfterAnother) {
  Region region = OfCount({0, 0, 1, 3});
  region.is_nchw = true;
  region.features.dimensions = {1, 2, 4, 2};
  region.height = 2;
  const Evaluated result = Evaluate(region);
  EXPECT_THAT(result.dimensions, ElementsAre(1, 2, 2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(4, 8, 12, 16));
}

TEST(RoiPoolingTest, TakesHalves) {
  Region region = OfCount({0, 0, 3, 3});
  region.features.type = kFloat16;
  region.height = 2;
  region.width = 2;
  const Evaluated result = Evaluate(region);
  EXPECT_THAT(result.from_float, ElementsAre(6, 8, 14, 16));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(RoiPoolingTest, RelaxedComputationMayRoundCloseCornersEitherWay) {
  Region region = OfCount({0, 0, 2.499, 0});
  EXPECT_THAT(OutputOf(region), ElementsAre(3));
  EXPECT_TRUE(Evaluate(region).enclosure[0].IsExact());
  region.is_relaxed = true;
  EXPECT_TRUE(Evaluate(region).enclosure[0].Contains(4));
}

TEST(RoiPoolingTest, TakesQuantizedOperands) {
  Region region = OfCount({0, 0, 12, 8});  // [0, 0, 1.5, 1]
  region.features = {kQuant8, {1, 4, 4, 1}, 0.5f, 10};
  region.output_scale = 0.5f;
  region.output_zero_point = 10;
  const Evaluated result = Evaluate(region);
  // Columns 0 to 2, or to 1 where halves are rounded down.
  EXPECT_THAT(result.from_float, ElementsAre(7));
  EXPECT_TRUE(result.enclosure[0].Contains(6));
  // Nothing is a real zero.
  region.boxes[0] = {32, 32, 32, 32};
  EXPECT_THAT(Evaluate(region).from_float, ElementsAre(10));
}

TEST(RoiPoolingTest, RefusesNoRegions) {
  Region region = OfCount({0, 0, 1, 1});
  region.boxes = {};
  region.batches = {};
  const auto graph = PreparedGraph::Create(ModelOf(region));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> values(16);
  InputArgument features;
  features.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(values.data()), 64);
  InputArgument boxes;
  boxes.dimensions = {0, 4};
  InputArgument batches;
  batches.dimensions = {0};
  EXPECT_THAT(
      (*graph)->Execute(NumberSystem::kFloat, {features, boxes, batches}).status().message(),
      HasSubstr("is empty"));
}

TEST(RoiPoolingTest, RefusesABoxWhoseCornersAreNotInOrder) {
  Region region = OfCount({0, 0, 1, 1});
  for (const std::vector<double>& wrong : std::vector<std::vector<double>>{
           {2, 0, 1, 1}, {0, 2, 1, 1}, {0, std::numeric_limits<double>::quiet_NaN(), 1, 1}}) {
    region.boxes[0] = wrong;
    EXPECT_THAT(RunErrorOf(region),
                AllOf(HasSubstr("ROI_POOLING input 1 'boxes' (operand 1): row 0 is the box"),
                      HasSubstr("expected x1 <= x2 and y1 <= y2")));
  }
}

TEST(RoiPoolingTest, RefusesABoxOutsideOfTheImage) {
  Region region = OfCount({0, 0, 1, 1});
  for (const std::vector<double>& wrong : std::vector<std::vector<double>>{
           {-1, 0, 1, 1}, {0, -1, 1, 1}, {0, 0, 4.5, 1}, {0, 0, 1, 5}}) {
    region.boxes[0] = wrong;
    EXPECT_THAT(RunErrorOf(region),
                AllOf(HasSubstr("ROI_POOLING input 1 'boxes' (operand 1): row 0"),
                      HasSubstr("inside of the image, [0, 0, 4, 4]")));
  }
  // However large the image is said to be.
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  region.width_ratio = kInfinity;
  region.boxes[0] = {0, 0, kInfinity, 1};
  EXPECT_THAT(RunErrorOf(region), HasSubstr("expected one inside of the image"));
}

TEST(RoiPoolingTest, roi_pooling_c1_rejects_boxes_not_of_four) {
  Region region = OfCount({0, 0, 1, 1});
  region.boxes[0].push_back(1);
  EXPECT_TRUE(IsRefused(ModelOf(region), "C1"));
}

TEST(RoiPoolingTest, roi_pooling_c2_rejects_another_number_of_batches) {
  Region region = OfCount({0, 0, 1, 1});
  region.batches.push_back(0);
  EXPECT_TRUE(IsRefused(ModelOf(region), "C2"));
}

TEST(RoiPoolingTest, roi_pooling_c3_rejects_batches_out_of_range) {
  for (const double batch : {-1.0, 1.0}) {
    Region region = OfCount({0, 0, 1, 1});
    region.batches[0] = batch;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C3", InputsOf(region)));
  }
}

TEST(RoiPoolingTest, roi_pooling_c4_rejects_batches_that_are_torn_apart) {
  Region region = OfCount({0, 0, 1, 1});
  region.features.dimensions[0] = 2;
  region.values.resize(32);
  region.boxes.assign(3, region.boxes[0]);
  region.batches = {0, 1, 0};
  EXPECT_TRUE(IsRefused(ModelOf(region), "C4", InputsOf(region)));
}

TEST(RoiPoolingTest, roi_pooling_c5_rejects_an_output_without_size) {
  for (const int32_t wrong : {0, -2}) {
    Region region = OfCount({0, 0, 1, 1});
    region.height = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C5"));
    region = OfCount({0, 0, 1, 1});
    region.width = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C5"));
  }
}

TEST(RoiPoolingTest, roi_pooling_c6_rejects_ratios_that_are_not_positive) {
  for (const double wrong : {0.0, -2.0, std::numeric_limits<double>::quiet_NaN()}) {
    Region region = OfCount({0, 0, 1, 1});
    region.height_ratio = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C6"));
    region = OfCount({0, 0, 1, 1});
    region.width_ratio = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C6"));
  }
}

TEST(RoiPoolingTest, RefusesOtherTypesQuantizationAndVersions) {
  EXPECT_NE(SignatureErrorOf(ModelOf(OfCount({0, 0, 1, 1})), HalVersion::V1_1), "");
  EXPECT_EQ(SignatureErrorOf(ModelOf(OfCount({0, 0, 1, 1})), HalVersion::V1_2), "");
  hal::V1_2::Model model = ModelOf(OfCount({0, 0, 1, 1}));
  model.operands[1].type = kFloat16;
  EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_2), HasSubstr("ROI_POOLING input 1 'boxes'"));
  Region region = OfCount({0, 0, 1, 1});
  region.features = {kQuant8, {1, 4, 4, 1}, 0.5f, 10};
  region.output_scale = 0.5f;
  region.output_zero_point = 10;
  EXPECT_EQ(SignatureErrorOf(ModelOf(region), HalVersion::V1_2), "");
  model = ModelOf(region);
  model.operands[1].scale = 0.25f;
  EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_2),
              HasSubstr("expected scale 0.125 and zeroPoint 0"));
}

}  // namespace
}  // namespace nncert
