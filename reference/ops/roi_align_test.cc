// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/execution/executor.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"
#include "reference/testing/roi_models.h"

namespace nncert {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pointwise;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

auto Near(const std::vector<double>& expected) { return Pointwise(DoubleNear(1e-5), expected); }

// A map of 4 x 4 where the element in row y and column x is 10 y + x, so that a sample at (x, y) is
// that too.
std::vector<double> Ramp() {
  std::vector<double> values;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) values.push_back(10 * y + x);
  }
  return values;
}

RegionModel OfRamp(const std::vector<double>& box) {
  RegionModel region = {.operation = OperationType::ROI_ALIGN};
  region.values = Ramp();
  region.boxes = {box};
  region.batches = {0};
  return region;
}

TEST(RoiAlignTest, SamplesAreInTheMiddleOfTheCellsOfTheGrid) {
  RegionModel region = OfRamp({1, 0, 3, 2});
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
  RegionModel region = OfRamp({4, 0, 12, 4});
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
  RegionModel region = OfRamp({2, 0, 4, 1});
  region.width_samples = 2;
  // At 2.5 and 3.5 of row 0.5.
  EXPECT_THAT(OutputOf(region), Near({7.75}));
}

// One element of 4 in the middle of zeros.
RegionModel OfPeak(const std::vector<double>& box, int32_t samples) {
  RegionModel region = OfRamp(box);
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
  RegionModel region = OfPeak({0, 0, 2.5, 2}, 0);
  EXPECT_THAT(OutputOf(region), Near({4 * share / 2}));
  region.height_samples = 1;
  EXPECT_THAT(OutputOf(region), Near({4 * share}));
}

TEST(RoiAlignTest, HowManySamplesAreEnoughMayBeOpen) {
  // Three cells of just 2 elements: a quotient of 2.0000001 would need three samples.
  RegionModel region = {.operation = OperationType::ROI_ALIGN};
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
RegionModel TwoImages() {
  RegionModel region = {.operation = OperationType::ROI_ALIGN};
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
  RegionModel region = TwoImages();
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
  RegionModel region = OfRamp({1, 0, 3, 2});
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
  RegionModel region = OfRamp({8, 0, 25, 16});  // [1, 0, 3.125, 2]
  region.features = {kQuant8, {1, 4, 4, 1}, 0.5f, 20};
  for (double& value : region.values) value = value / 0.5 + 20;
  region.output_scale = 0.25f;
  region.output_zero_point = 3;
  // 10 + 2.0625 = 12.0625, in quarters 48.25.
  EXPECT_THAT(Evaluate(region).from_float, ElementsAre(51));
}

TEST(RoiAlignTest, NoRegionsGiveNothing) {
  RegionModel region = OfRamp({0, 0, 1, 1});
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
  RegionModel region = OfRamp({0, 0, 1, 1});
  region.height_samples = -1;
  EXPECT_TRUE(IsRefused(ModelOf(region), "C7"));
  region = OfRamp({0, 0, 1, 1});
  region.width_samples = -1;
  EXPECT_TRUE(IsRefused(ModelOf(region), "C7"));
}

TEST(RoiAlignTest, roi_align_c8_rejects_maps_without_elements) {
  RegionModel region = OfRamp({0, 0, 0, 0});
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
  ExpectCornersInOrder(OfRamp({0, 0, 1, 1}));
}

TEST(RoiAlignTest, RefusesABoxOutsideOfTheImage) {
  ExpectBoxesWithinTheImage(OfRamp({0, 0, 1, 1}));
}

TEST(RoiAlignTest, roi_align_c1_rejects_boxes_not_of_four) {
  ExpectBoxesOfFour(OfRamp({0, 0, 1, 1}));
}

TEST(RoiAlignTest, roi_align_c2_rejects_another_number_of_batches) {
  ExpectABatchForEachBox(OfRamp({0, 0, 1, 1}));
}

TEST(RoiAlignTest, roi_align_c3_rejects_batches_out_of_range) {
  ExpectBatchesInRange(OfRamp({0, 0, 1, 1}));
}

TEST(RoiAlignTest, roi_align_c4_rejects_batches_that_are_torn_apart) {
  ExpectBatchesTogether(OfRamp({0, 0, 1, 1}));
}

TEST(RoiAlignTest, roi_align_c5_rejects_an_output_without_size) {
  ExpectOutputOfSomeSize(OfRamp({0, 0, 1, 1}));
}

TEST(RoiAlignTest, roi_align_c6_rejects_ratios_that_are_not_positive) {
  ExpectPositiveRatios(OfRamp({0, 0, 1, 1}));
}

TEST(RoiAlignTest, RefusesOtherTypesQuantizationAndVersions) {
  ExpectTypesQuantizationAndVersion(OfRamp({0, 0, 1, 1}));
}

}  // namespace
}  // namespace nncert
