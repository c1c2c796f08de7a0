// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/execution/executor.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/roi_models.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// A map of 4 x 4 that counts from 1 to 16.
RegionModel OfCount(const std::vector<double>& box) {
  RegionModel region = {.operation = OperationType::ROI_POOLING};
  for (int i = 1; i <= 16; ++i) region.values.push_back(i);
  region.boxes = {box};
  region.batches = {0};
  return region;
}

TEST(RoiPoolingTest, CellsGiveTheirGreatestElements) {
  RegionModel region = OfCount({0, 0, 3, 3});
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
  RegionModel region = OfCount({0, 0, 3, 3});
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
  RegionModel region = OfCount({4.8, 0.8, 19.2, 3.2});
  region.width_ratio = 8;
  region.height_ratio = 2;
  EXPECT_THAT(OutputOf(region), ElementsAre(11));
}

TEST(RoiPoolingTest, AHalfMayBeRoundedEitherWay) {
  // The reference starts in column 1 of a map that counts backwards; another one in column 0.
  RegionModel region = OfCount({0.5, 0, 1, 0});
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
  RegionModel region = {.operation = OperationType::ROI_POOLING};
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
  RegionModel region = OfCount({0, 0, 1, 1});
  for (double& value : region.values) value = -value;
  EXPECT_THAT(OutputOf(region), ElementsAre(-1));
}

TEST(RoiPoolingTest, EveryRegionIsOfItsImageAndHasEveryChannel) {
  RegionModel region = OfCount({0, 0, 1, 1});
  region.features.dimensions = {2, 4, 2, 2};  // images of 4 x 2, channels alternate
  region.values.clear();
  for (int i = 0; i < 16; ++i) region.values.insert(region.values.end(), {1.0 * i, -1.0 * i});
  region.boxes = {{0, 0, 1, 1}, {0, 2, 0, 3}};
  region.batches = {1, 0};
  // Image 1 has elements 8 to 15 and their negatives.
  EXPECT_THAT(OutputOf(region), ElementsAre(11, -8, 6, -4));
}

TEST(RoiPoolingTest, NchwHoldsOneChannelAfterAnother) {
  RegionModel region = OfCount({0, 0, 1, 3});
  region.is_nchw = true;
  region.features.dimensions = {1, 2, 4, 2};
  region.height = 2;
  const Evaluated result = Evaluate(region);
  EXPECT_THAT(result.dimensions, ElementsAre(1, 2, 2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(4, 8, 12, 16));
}

TEST(RoiPoolingTest, TakesHalves) {
  RegionModel region = OfCount({0, 0, 3, 3});
  region.features.type = kFloat16;
  region.height = 2;
  region.width = 2;
  const Evaluated result = Evaluate(region);
  EXPECT_THAT(result.from_float, ElementsAre(6, 8, 14, 16));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(RoiPoolingTest, RelaxedComputationMayRoundCloseCornersEitherWay) {
  RegionModel region = OfCount({0, 0, 2.499, 0});
  EXPECT_THAT(OutputOf(region), ElementsAre(3));
  EXPECT_TRUE(Evaluate(region).enclosure[0].IsExact());
  region.is_relaxed = true;
  EXPECT_TRUE(Evaluate(region).enclosure[0].Contains(4));
}

TEST(RoiPoolingTest, TakesQuantizedOperands) {
  RegionModel region = OfCount({0, 0, 12, 8});  // [0, 0, 1.5, 1]
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
  RegionModel region = OfCount({0, 0, 1, 1});
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
  ExpectCornersInOrder(OfCount({0, 0, 1, 1}));
}

TEST(RoiPoolingTest, RefusesABoxOutsideOfTheImage) {
  ExpectBoxesWithinTheImage(OfCount({0, 0, 1, 1}));
}

TEST(RoiPoolingTest, roi_pooling_c1_rejects_boxes_not_of_four) {
  ExpectBoxesOfFour(OfCount({0, 0, 1, 1}));
}

TEST(RoiPoolingTest, roi_pooling_c2_rejects_another_number_of_batches) {
  ExpectABatchForEachBox(OfCount({0, 0, 1, 1}));
}

TEST(RoiPoolingTest, roi_pooling_c3_rejects_batches_out_of_range) {
  ExpectBatchesInRange(OfCount({0, 0, 1, 1}));
}

TEST(RoiPoolingTest, roi_pooling_c4_rejects_batches_that_are_torn_apart) {
  ExpectBatchesTogether(OfCount({0, 0, 1, 1}));
}

TEST(RoiPoolingTest, roi_pooling_c5_rejects_an_output_without_size) {
  ExpectOutputOfSomeSize(OfCount({0, 0, 1, 1}));
}

TEST(RoiPoolingTest, roi_pooling_c6_rejects_ratios_that_are_not_positive) {
  ExpectPositiveRatios(OfCount({0, 0, 1, 1}));
}

TEST(RoiPoolingTest, RefusesOtherTypesQuantizationAndVersions) {
  ExpectTypesQuantizationAndVersion(OfCount({0, 0, 1, 1}));
}

}  // namespace
}  // namespace nncert
