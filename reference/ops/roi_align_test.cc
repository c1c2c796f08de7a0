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

auto Near(const std::vector<double>& expected) { return Pointwise(DoubleNear(1e-5), expected); }

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
  int32_t height_samples = 1;
  int32_t width_samples = 1;
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
      builder.Int32(region.height_samples),
      builder.Int32(region.width_samples),
      builder.Bool(region.is_nchw)};
  const uint32_t output =
      builder.Output({type, region.output, region.output_scale, region.output_zero_point});
  builder.Operation(OperationType::ROI_ALIGN, inputs, {output}).Relaxed(region.is_relaxed);
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

// A map of 4 x 4 where the element in row y and column x is 10 y + x, so that a sample at (x, y) is
// that too.
std::vector<double> Ramp() {
  std::vector<double> values;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) values.push_back(10 * y + x);
  }
  return values;
}

Region OfRamp(const std::vector<double>& box) {
  Region region;
  region.values = Ramp();
  region.boxes = {box};
  region.batches = {0};
  return region;
}

TEST(RoiAlignTest, SamplesAreInTheMiddleOfTheCellsOfTheGrid) {
  Region region = OfRamp({1, 0, 3, 2});
  region.height = 2;
  region.width = 2;
  const Evaluated result = Evaluate(region);
  EXPECT_THAT(result.dimensions, ElementsAre(1, 2, 2, 1));
  EXPECT_THAT(result.from_double, Near({6.5, 7.5, 16.5, 17.5}));
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 1e-4);
  // Height comes before width.
  region.width = 1;
  EXPECT_THAT(OutputOf(region), Near({7, 17}));
}

TEST(RoiAlignTest, RatiosDivideTheCorners) {
  Region region = OfRamp({4, 0, 12, 4});
  region.height = 2;
  region.width = 2;
  region.height_ratio = 2;
  region.width_ratio = 4;
  EXPECT_THAT(OutputOf(region), Near({6.5, 7.5, 16.5, 17.5}));
}

TEST(RoiAlignTest, RegionsAreAtLeastOneElementWideAndHigh) {
  EXPECT_THAT(OutputOf(OfRamp({1, 1, 1, 1})), Near({16.5}));
  EXPECT_THAT(OutputOf(OfRamp({1, 1, 1.5, 3})), Near({21.5}));
}

TEST(RoiAlignTest, SamplesBeyondTheLastElementAreLikeIt) {
  EXPECT_THAT(OutputOf(OfRamp({3, 3, 4, 4})), Near({33}));
  Region region = OfRamp({2, 0, 4, 1});
  region.width_samples = 2;
  // At 2.5 and 3.5 of row 0.5.
  EXPECT_THAT(OutputOf(region), Near({7.75}));
}

// One element of 4 in the middle of zeros.
Region OfPeak(const std::vector<double>& box, int32_t samples) {
  Region region = OfRamp(box);
  region.values.assign(16, 0);
  region.values[5] = 4;
  region.height_samples = samples;
  region.width_samples = samples;
  return region;
}

TEST(RoiAlignTest, AveragesTheSamplesOfACell) {
  EXPECT_THAT(OutputOf(OfPeak({0, 0, 2, 2}, 1)), Near({4}));
  // At 0.5 and 1.5 along both axes: half of the way from the element, 4 / 4.
  EXPECT_THAT(OutputOf(OfPeak({0, 0, 2, 2}, 2)), Near({1}));
  // At 1/3, 1 and 5/3: (1/3 + 1 + 1/3) / 3 = 5/9 along either axis.
  EXPECT_THAT(OutputOf(OfPeak({0, 0, 2, 2}, 3)), Near({4 * 25.0 / 81}));
}

TEST(RoiAlignTest, SamplesMayBeAsManyAsTheCellHasElements) {
  EXPECT_THAT(OutputOf(OfPeak({0, 0, 2, 2}, 0)), Near({1}));
  // 2.5 elements need three samples, at 5/12, 15/12 and 25/12: (5/12 + 9/12 + 0) / 3.
  const double share = 14.0 / 36;
  EXPECT_THAT(OutputOf(OfPeak({0, 0, 2.5, 2.5}, 0)), Near({4 * share * share}));
  // Each axis for itself.
  Region region = OfPeak({0, 0, 2.5, 2}, 0);
  EXPECT_THAT(OutputOf(region), Near({4 * share / 2}));
  region.height_samples = 1;
  EXPECT_THAT(OutputOf(region), Near({4 * share}));
}

TEST(RoiAlignTest, HowManySamplesAreEnoughMayBeOpen) {
  // Three cells of just 2 elements: a quotient of 2.0000001 would need three samples.
  Region region;
  region.features.dimensions = {1, 1, 8, 1};
  region.values = {0, 0, 0, 4, 0, 0, 0, 0};
  region.boxes = {{0, 0, 6, 1}};
  region.batches = {0};
  region.height_samples = 1;
  region.width_samples = 0;
  region.width = 3;
  const Evaluated result = Evaluate(region);
  // In the second cell at 2.5 and 3.5: 4 * (1/2 + 1/2) / 2; or at 7/3, 3 and 11/3: 4 * (1/3 + 1 +
  // 1/3) / 3.
  EXPECT_THAT(result.from_double, Near({0, 2, 0}));
  EXPECT_TRUE(result.enclosure[1].Contains(4 * 5.0 / 9));
  EXPECT_LT(result.enclosure[1].radius, 0.13);
  // What divides by a power of two is exact.
  region.width = 2;
  region.boxes = {{0, 0, 4, 1}};
  EXPECT_LT(Evaluate(region).enclosure[1].radius, 1e-5);
}

// Two images of two channels: channel 1 is 100 more than channel 0, image 1 is 1000 more than 0.
Region TwoImages() {
  Region region;
  region.features.dimensions = {2, 4, 4, 2};
  for (const double image : {0.0, 1000.0}) {
    for (const double element : Ramp()) {
      region.values.insert(region.values.end(), {image + element, image + element + 100});
    }
  }
  region.boxes = {{1, 0, 3, 2}, {0, 0, 1, 1}, {2, 2, 3, 3}};
  region.batches = {1, 1, 0};
  return region;
}

TEST(RoiAlignTest, EveryRegionIsOfItsImageAndHasEveryChannel) {
  EXPECT_THAT(OutputOf(TwoImages()), Near({1012, 1112, 1005.5, 1105.5, 27.5, 127.5}));
}

TEST(RoiAlignTest, NchwHoldsOneChannelAfterAnother) {
  Region region = TwoImages();
  region.is_nchw = true;
  region.features.dimensions = {2, 2, 4, 4};
  region.values.clear();
  for (const double offset : {0.0, 100.0, 1000.0, 1100.0}) {
    for (const double element : Ramp()) region.values.push_back(element + offset);
  }
  region.width = 2;
  const Evaluated result = Evaluate(region);
  EXPECT_THAT(result.dimensions, ElementsAre(3, 2, 1, 2));
  EXPECT_THAT(result.from_double, Near({1011.5, 1012.5, 1111.5, 1112.5, 1005.25, 1005.75, 1105.25,
                                        1105.75, 27.25, 27.75, 127.25, 127.75}));
}

TEST(RoiAlignTest, TakesHalvesAndEnclosesWhatTheyLose) {
  Region region = OfRamp({1, 0, 3, 2});
  region.features.type = kFloat16;
  region.height_samples = 2;
  region.width_samples = 2;
  const Evaluated result = Evaluate(region);
  EXPECT_THAT(result.from_float, ElementsAre(12));
  EXPECT_GT(result.enclosure[0].radius, 12 / 2048.0);
  EXPECT_LT(result.enclosure[0].radius, 1);
  region.features.type = kFloat32;
  EXPECT_LT(Evaluate(region).enclosure[0].radius, 1e-4);
  region.is_relaxed = true;
  EXPECT_GT(Evaluate(region).enclosure[0].radius, 12 / 2048.0);
}

TEST(RoiAlignTest, TakesQuantizedOperands) {
  Region region = OfRamp({8, 0, 25, 16});  // [1, 0, 3.125, 2]
  region.features = {kQuant8, {1, 4, 4, 1}, 0.5f, 20};
  for (double& value : region.values) value = value / 0.5 + 20;
  region.output_scale = 0.25f;
  region.output_zero_point = 3;
  // 10 + 2.0625 = 12.0625, in quarters 48.25.
  EXPECT_THAT(Evaluate(region).from_float, ElementsAre(51));
}

TEST(RoiAlignTest, NoRegionsGiveNothing) {
  Region region = OfRamp({0, 0, 1, 1});
  region.boxes = {};
  region.batches = {};
  region.height = 2;
  region.width = 3;
  region.output = {0, 2, 3, 1};
  const auto graph = PreparedGraph::Create(ModelOf(region));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> values(16);
  InputArgument features;
  features.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(values.data()), 64);
  InputArgument boxes;
  boxes.dimensions = {0, 4};
  InputArgument batches;
  batches.dimensions = {0};
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    const auto outputs = (*graph)->Execute(system, {features, boxes, batches});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 2, 3, 1));
    EXPECT_THAT((*outputs)[0].elements, IsEmpty());
  }
}

TEST(RoiAlignTest, roi_align_c7_rejects_negative_numbers_of_samples) {
  Region region = OfRamp({0, 0, 1, 1});
  region.height_samples = -1;
  EXPECT_TRUE(IsRefused(ModelOf(region), "C7"));
  region = OfRamp({0, 0, 1, 1});
  region.width_samples = -1;
  EXPECT_TRUE(IsRefused(ModelOf(region), "C7"));
}

TEST(RoiAlignTest, roi_align_c8_rejects_maps_without_elements) {
  Region region = OfRamp({0, 0, 0, 0});
  region.features.dimensions = {0, 0, 0, 0};
  const auto graph = PreparedGraph::Create(ModelOf(region));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument features;
  features.dimensions = {1, 0, 4, 1};
  const std::vector<float> box(4);
  InputArgument boxes;
  boxes.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(box.data()), 16);
  InputArgument batches;
  batches.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(box.data()), 4);
  EXPECT_THAT(
      (*graph)->Execute(NumberSystem::kFloat, {features, boxes, batches}).status().message(),
      RefusedBy("ROI_ALIGN", "C8"));
}

TEST(RoiAlignTest, RefusesABoxWhoseCornersAreNotInOrder) {
  Region region = OfRamp({0, 0, 1, 1});
  for (const std::vector<double>& wrong : std::vector<std::vector<double>>{
           {2, 0, 1, 1}, {0, 2, 1, 1}, {0, std::numeric_limits<double>::quiet_NaN(), 1, 1}}) {
    region.boxes[0] = wrong;
    EXPECT_THAT(RunErrorOf(region),
                AllOf(HasSubstr("ROI_ALIGN input 1 'boxes' (operand 1): row 0 is the box"),
                      HasSubstr("expected x1 <= x2 and y1 <= y2")));
  }
}

TEST(RoiAlignTest, RefusesABoxOutsideOfTheImage) {
  Region region = OfRamp({0, 0, 1, 1});
  for (const std::vector<double>& wrong : std::vector<std::vector<double>>{
           {-1, 0, 1, 1}, {0, -1, 1, 1}, {0, 0, 4.5, 1}, {0, 0, 1, 5}}) {
    region.boxes[0] = wrong;
    EXPECT_THAT(RunErrorOf(region), AllOf(HasSubstr("ROI_ALIGN input 1 'boxes' (operand 1): row 0"),
                                          HasSubstr("inside of the image, [0, 0, 4, 4]")));
  }
  // However large the image is said to be.
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  region.width_ratio = kInfinity;
  region.boxes[0] = {0, 0, kInfinity, 1};
  EXPECT_THAT(RunErrorOf(region), HasSubstr("expected one inside of the image"));
}

TEST(RoiAlignTest, roi_align_c1_rejects_boxes_not_of_four) {
  Region region = OfRamp({0, 0, 1, 1});
  region.boxes[0].push_back(1);
  EXPECT_TRUE(IsRefused(ModelOf(region), "C1"));
}

TEST(RoiAlignTest, roi_align_c2_rejects_another_number_of_batches) {
  Region region = OfRamp({0, 0, 1, 1});
  region.batches.push_back(0);
  EXPECT_TRUE(IsRefused(ModelOf(region), "C2"));
}

TEST(RoiAlignTest, roi_align_c3_rejects_batches_out_of_range) {
  for (const double batch : {-1.0, 1.0}) {
    Region region = OfRamp({0, 0, 1, 1});
    region.batches[0] = batch;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C3", InputsOf(region)));
  }
}

TEST(RoiAlignTest, roi_align_c4_rejects_batches_that_are_torn_apart) {
  Region region = OfRamp({0, 0, 1, 1});
  region.features.dimensions[0] = 2;
  region.values.resize(32);
  region.boxes.assign(3, region.boxes[0]);
  region.batches = {0, 1, 0};
  EXPECT_TRUE(IsRefused(ModelOf(region), "C4", InputsOf(region)));
}

TEST(RoiAlignTest, roi_align_c5_rejects_an_output_without_size) {
  for (const int32_t wrong : {0, -2}) {
    Region region = OfRamp({0, 0, 1, 1});
    region.height = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C5"));
    region = OfRamp({0, 0, 1, 1});
    region.width = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C5"));
  }
}

TEST(RoiAlignTest, roi_align_c6_rejects_ratios_that_are_not_positive) {
  for (const double wrong : {0.0, -2.0, std::numeric_limits<double>::quiet_NaN()}) {
    Region region = OfRamp({0, 0, 1, 1});
    region.height_ratio = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C6"));
    region = OfRamp({0, 0, 1, 1});
    region.width_ratio = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(region), "C6"));
  }
}

TEST(RoiAlignTest, RefusesOtherTypesQuantizationAndVersions) {
  EXPECT_NE(SignatureErrorOf(ModelOf(OfRamp({0, 0, 1, 1})), HalVersion::V1_1), "");
  EXPECT_EQ(SignatureErrorOf(ModelOf(OfRamp({0, 0, 1, 1})), HalVersion::V1_2), "");
  hal::V1_2::Model model = ModelOf(OfRamp({0, 0, 1, 1}));
  model.operands[1].type = kFloat16;
  EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_2), HasSubstr("ROI_ALIGN input 1 'boxes'"));
  Region region = OfRamp({0, 0, 1, 1});
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
