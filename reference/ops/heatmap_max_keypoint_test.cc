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
using ::testing::Pointwise;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kQuant16 = OperandType::TENSOR_QUANT16_ASYMM;

auto Near(const std::vector<double>& expected) { return Pointwise(DoubleNear(1e-5), expected); }

// One HEATMAP_MAX_KEYPOINT, its inputs in numbers (integers for quantized types).
struct Localization {
  OperandSpec maps;
  std::vector<double> map_values;
  OperandSpec boxes;
  std::vector<double> box_values;
  bool is_nchw = false;
  OperandSpec scores;
  OperandSpec keypoints;
  bool is_relaxed = false;
};

hal::V1_2::Model ModelOf(const Localization& localization) {
  ModelBuilder builder;
  const uint32_t maps = builder.Input(localization.maps);
  const uint32_t boxes = builder.Input(localization.boxes);
  const uint32_t layout = builder.Bool(localization.is_nchw);
  const uint32_t scores = builder.Output(localization.scores);
  const uint32_t keypoints = builder.Output(localization.keypoints);
  builder.Operation(OperationType::HEATMAP_MAX_KEYPOINT, {maps, boxes, layout}, {scores, keypoints})
      .Relaxed(localization.is_relaxed);
  return builder.model();
}

struct Localized {
  Evaluated scores;
  Evaluated keypoints;
};

Localized Localize(const Localization& localization) {
  const auto results = EvaluateInAllSystems(ModelOf(localization),
                                            {localization.map_values, localization.box_values});
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  return {(*results)[0], (*results)[1]};
}

// One map of 4 x 4 in a box of 8 x 16 (width x height) at (10, 20): a pixel is 2 x 4.
Localization OneMap(const std::vector<double>& map) {
  return {.maps = {kFloat32, {1, 4, 4, 1}},
          .map_values = map,
          .boxes = {kFloat32, {1, 4}},
          .box_values = {10, 20, 18, 36},
          .scores = {kFloat32, {1, 1}},
          .keypoints = {kFloat32, {1, 1, 2}}};
}

// Greatest at row 1, column 2. Slopes (4 - 2) / 2 = 1 along x and (3 - 5) / 2 = -1 along y; second
// differences 2 - 16 + 4 = -10 and 5 - 16 + 3 = -8; the mixed one (0 - 0 - 0 + 0) / 4 = 0. So the
// shift is (1 / 10, -1 / 8) and the maximum 8 + 1 / 20 + 1 / 16.
const std::vector<double> kPeak = {0, 0, 5, 0,  //
                                   0, 2, 8, 4,  //
                                   0, 0, 3, 0,  //
                                   0, 0, 0, 0};

TEST(HeatmapMaxKeypointTest, TheMaximumIsBetweenThePixels) {
  const Localized result = Localize(OneMap(kPeak));
  EXPECT_THAT(result.scores.from_double, Near({8.1125}));
  // (2.5 + 0.1) * 2 + 10 and (1.5 - 0.125) * 4 + 20.
  EXPECT_THAT(result.keypoints.from_double, Near({15.2, 25.5}));
  EXPECT_LT(result.scores.enclosure[0].radius, 1e-4);
  EXPECT_LT(result.keypoints.enclosure[0].radius, 1e-4);
}

TEST(HeatmapMaxKeypointTest, MixedDifferencesTurnTheShift) {
  std::vector<double> map = kPeak;
  // Corners around the peak 2, -1, -1, 2: the mixed difference is (2 + 1 + 1 + 2) / 4 = 1.5.
  map[1] = 2;
  map[3] = -1;
  map[9] = -1;
  map[11] = 2;
  // The determinant is 80 - 2.25 = 77.75; the shift ((-1.5 + 8) / 77.75, (1.5 - 10) / 77.75).
  const double x = 6.5 / 77.75;
  const double y = -8.5 / 77.75;
  const Localized result = Localize(OneMap(map));
  EXPECT_THAT(result.scores.from_double, Near({8 + x - y - 5 * x * x - 4 * y * y + 1.5 * x * y}));
  EXPECT_THAT(result.keypoints.from_double, Near({10 + 2 * (2.5 + x), 20 + 4 * (1.5 + y)}));
}

// Found by fuzzing. The second differences are -2^61 along x and -2^110 - 2^61 along y: their
// product is no float, and float divides an infinity by another.
TEST(HeatmapMaxKeypointTest, CurvaturesThatOverflowLeaveTheMaximumOpen) {
  std::vector<double> map = kPeak;
  map[2] = -0x1p110;
  map[5] = 0;
  map[6] = 0x1p60;
  map[7] = 0;
  map[10] = 0;
  const Localized result = Localize(OneMap(map));
  EXPECT_TRUE(std::isnan(result.scores.from_float[0]));
  // The slope is 2^109 along y, so the shift is 1 / 2: 2^60 + 2^109 / 2 - 2^110 / 8, nearly.
  EXPECT_THAT(result.scores.from_double, ElementsAre(DoubleNear(0x1p107, 0x1p61)));
  EXPECT_FALSE(result.scores.enclosure[0].IsBounded());
  EXPECT_FALSE(result.keypoints.enclosure[0].IsBounded());
}

TEST(HeatmapMaxKeypointTest, NeighboursAreMirroredAtTheEdges) {
  // At the upper left corner, both slopes are 0 and there is no shift.
  std::vector<double> map(16, 1);
  map[0] = 3;
  Localized result = Localize(OneMap(map));
  EXPECT_THAT(result.scores.from_double, Near({3}));
  EXPECT_THAT(result.keypoints.from_double, Near({11, 22}));
  // In the middle of the right edge, there is one along y alone: slope (2 - 1) / 2 = 0.5, second
  // difference 1 - 6 + 2 = -3, along x 1 - 6 + 1 = -4, mixed 0: a shift of 1 / 6.
  map.assign(16, 1);
  map[7] = 3;
  map[11] = 2;
  result = Localize(OneMap(map));
  EXPECT_THAT(result.scores.from_double, Near({3 + 0.25 / 6}));
  EXPECT_THAT(result.keypoints.from_double, Near({17, 20 + 4 * (1.5 + 1.0 / 6)}));
}

TEST(HeatmapMaxKeypointTest, AShiftOfMoreThanOneAndAHalfIsScaledBack) {
  // Slopes (4 - 2) / 2 = 1 and (4 - 0) / 2 = 2. Second differences -2 and -4, the mixed one
  // (4 + 4 + 3 + 0) / 4 = 2.75: nearly flat along a diagonal.
  std::vector<double> map = {-9, -9, -9, -9,  //
                             -9, 0,  0,  -3,  //
                             -9, 2,  4,  4,   //
                             -9, -4, 4,  4};
  // The greatest pixel is the first of the fours.
  // xx = 2 - 8 + 4 = -2, yy = 0 - 8 + 4 = -4, determinant 8 - 7.5625 = 0.4375.
  // x = (2.75 * 2 + 4 * 1) / 0.4375, y = (2.75 * 1 + 2 * 2) / 0.4375: 9.5 and 6.75 in proportion.
  const double x = 1.5;
  const double y = 1.5 * 6.75 / 9.5;
  const Localized result = Localize(OneMap(map));
  EXPECT_THAT(result.keypoints.from_double, Near({10 + 2 * (2.5 + x), 20 + 4 * (2.5 + y)}));
  EXPECT_THAT(result.scores.from_double, Near({4 + x + 2 * y - x * x - 2 * y * y + 2.75 * x * y}));
}

TEST(HeatmapMaxKeypointTest, AFlatMapHasItsMaximumInThePixel) {
  // A ridge: the map is the same along x.
  std::vector<double> map(16, 0);
  for (int x = 0; x < 4; ++x) map[8 + x] = 2;
  for (int x = 0; x < 4; ++x) map[4 + x] = 1;
  const Localized result = Localize(OneMap(map));
  EXPECT_THAT(result.scores.from_double, Near({2}));
  EXPECT_THAT(result.keypoints.from_double, Near({11, 30}));
  // Any of the four pixels may be the greatest.
  EXPECT_TRUE(result.keypoints.enclosure[0].Contains(11));
  EXPECT_TRUE(result.keypoints.enclosure[0].Contains(17));
  EXPECT_LT(result.keypoints.enclosure[0].radius, 8);
}

TEST(HeatmapMaxKeypointTest, OfCloseMaximaEitherMayBeTheGreatest) {
  std::vector<double> map = kPeak;
  map[12] = 8;
  const Localized result = Localize(OneMap(map));
  EXPECT_TRUE(result.keypoints.undecided.ok());
  EXPECT_THAT(result.keypoints.from_double, Near({15.2, 25.5}));
  EXPECT_TRUE(result.keypoints.enclosure[0].Contains(11));
  EXPECT_TRUE(result.keypoints.enclosure[1].Contains(34));
  // In a relaxed model, close enough is one thousandth.
  map[12] = 7.999;
  EXPECT_FALSE(Localize(OneMap(map)).keypoints.enclosure[1].Contains(34));
  Localization relaxed = OneMap(map);
  relaxed.is_relaxed = true;
  EXPECT_TRUE(Localize(relaxed).keypoints.enclosure[1].Contains(34));
}

TEST(HeatmapMaxKeypointTest, NearlyFlatMapsMayGoEitherWay) {
  // Second differences of -0.01 along both axes: the determinant 0.0001 is above the figure of the
  // reference and below that of others.
  std::vector<double> map(16, 0.99);
  map[5] = 1;
  map[1] = map[4] = map[6] = map[9] = 0.995;
  map[6] = 0.996;
  map[4] = 0.994;
  const Localized result = Localize(OneMap(map));
  // A slope of 0.001 over 0.01: 0.1 of a pixel, or nothing.
  EXPECT_THAT(result.keypoints.from_double, Pointwise(DoubleNear(1e-4), {13.2, 26.0}));
  EXPECT_TRUE(result.keypoints.enclosure[0].Contains(13));
  EXPECT_LT(result.keypoints.enclosure[0].radius, 0.11);
}

TEST(HeatmapMaxKeypointTest, EveryBoxHasEveryKeypoint) {
  Localization localization = OneMap({});
  localization.maps.dimensions = {2, 4, 4, 2};
  localization.boxes.dimensions = {2, 4};
  localization.box_values = {10, 20, 18, 36, 0, 0, 4, 4};
  localization.scores.dimensions = {2, 2};
  localization.keypoints.dimensions = {2, 2, 2};
  localization.map_values.assign(64, 0);
  localization.map_values[2 * 0 + 0] = 1;        // box 0, keypoint 0: upper left
  localization.map_values[2 * 3 + 1] = 2;        // box 0, keypoint 1: upper right
  localization.map_values[32 + 2 * 12 + 0] = 3;  // box 1, keypoint 0: lower left
  localization.map_values[32 + 2 * 15 + 1] = 4;  // box 1, keypoint 1: lower right
  Localized result = Localize(localization);
  EXPECT_THAT(result.scores.from_double, Near({1, 2, 3, 4}));
  EXPECT_THAT(result.keypoints.from_double, Near({11, 22, 17, 22, 0.5, 3.5, 3.5, 3.5}));
  // The same maps one after another.
  localization.is_nchw = true;
  localization.maps.dimensions = {2, 2, 4, 4};
  localization.map_values.assign(64, 0);
  localization.map_values[0] = 1;
  localization.map_values[16 + 3] = 2;
  localization.map_values[32 + 12] = 3;
  localization.map_values[48 + 15] = 4;
  result = Localize(localization);
  EXPECT_THAT(result.scores.from_double, Near({1, 2, 3, 4}));
  EXPECT_THAT(result.keypoints.from_double, Near({11, 22, 17, 22, 0.5, 3.5, 3.5, 3.5}));
}

TEST(HeatmapMaxKeypointTest, TakesHalves) {
  Localization localization = OneMap(kPeak);
  for (OperandSpec* spec :
       {&localization.maps, &localization.boxes, &localization.scores, &localization.keypoints}) {
    spec->type = kFloat16;
  }
  const Localized result = Localize(localization);
  EXPECT_THAT(result.scores.from_float, Pointwise(DoubleNear(0.005), {8.1125}));
  EXPECT_THAT(result.keypoints.from_float, Pointwise(DoubleNear(0.02), {15.2, 25.5}));
  EXPECT_GT(result.keypoints.enclosure[0].radius, 15 / 2048.0);
  EXPECT_LT(result.keypoints.enclosure[0].radius, 0.5);
}

TEST(HeatmapMaxKeypointTest, TakesQuantizedOperands) {
  Localization localization = OneMap(kPeak);
  localization.maps = {kQuant8, {1, 4, 4, 1}, 0.5f, 100};
  for (double& value : localization.map_values) value = value / 0.5 + 100;
  localization.boxes = {kQuant16, {1, 4}, 0.125f};
  for (double& value : localization.box_values) value *= 8;
  localization.scores = {kQuant8, {1, 1}, 0.05f, 10};
  localization.keypoints = {kQuant16, {1, 1, 2}, 0.125f};
  const Localized result = Localize(localization);
  // 8.1125 / 0.05 = 162.25 and 10; 15.2 * 8 = 121.6 and 25.5 * 8.
  EXPECT_THAT(result.scores.from_float, ElementsAre(172));
  EXPECT_THAT(result.keypoints.from_float, ElementsAre(122, 204));
}

TEST(HeatmapMaxKeypointTest, NaNLeavesNothingToSay) {
  std::vector<double> map = kPeak;
  map[15] = std::numeric_limits<double>::quiet_NaN();
  const Localized result = Localize(OneMap(map));
  EXPECT_THAT(result.keypoints.from_double, Near({15.2, 25.5}));
  EXPECT_FALSE(result.keypoints.enclosure[0].IsBounded());
}

TEST(HeatmapMaxKeypointTest, DimensionsOfTheOutputsMayBeUnknown) {
  Localization localization = OneMap(kPeak);
  localization.scores.dimensions = {0, 0};
  localization.keypoints.dimensions = {0, 0, 0};
  const Localized result = Localize(localization);
  EXPECT_THAT(result.scores.dimensions, ElementsAre(1, 1));
  EXPECT_THAT(result.keypoints.dimensions, ElementsAre(1, 1, 2));
}

TEST(HeatmapMaxKeypointTest, RefusesABoxWhoseCornersAreNotInOrder) {
  Localization localization = OneMap(kPeak);
  localization.box_values[2] = 9;
  EXPECT_THAT(EvaluateInAllSystems(ModelOf(localization),
                                   {localization.map_values, localization.box_values})
                  .status()
                  .message(),
              AllOf(HasSubstr("HEATMAP_MAX_KEYPOINT input 1 'boxes' (operand 1): row 0 is the box"),
                    HasSubstr("expected x1 <= x2 and y1 <= y2")));
}

TEST(HeatmapMaxKeypointTest, heatmap_max_keypoint_c1_rejects_maps_that_are_not_square) {
  Localization localization = OneMap(kPeak);
  localization.maps.dimensions = {1, 4, 5, 1};
  EXPECT_TRUE(IsRefused(ModelOf(localization), "C1"));
}

TEST(HeatmapMaxKeypointTest, heatmap_max_keypoint_c2_rejects_maps_of_one_pixel) {
  Localization localization = OneMap(kPeak);
  localization.maps.dimensions = {1, 1, 1, 1};
  EXPECT_TRUE(IsRefused(ModelOf(localization), "C2"));
}

TEST(HeatmapMaxKeypointTest, heatmap_max_keypoint_c3_rejects_boxes_not_of_four) {
  Localization localization = OneMap(kPeak);
  localization.boxes.dimensions = {1, 5};
  EXPECT_TRUE(IsRefused(ModelOf(localization), "C3"));
}

TEST(HeatmapMaxKeypointTest, heatmap_max_keypoint_c4_rejects_another_number_of_boxes) {
  Localization localization = OneMap(kPeak);
  localization.boxes.dimensions = {2, 4};
  EXPECT_TRUE(IsRefused(ModelOf(localization), "C4"));
}

TEST(HeatmapMaxKeypointTest, RefusesOtherTypesQuantizationAndVersions) {
  EXPECT_THAT(
      SignatureErrorOf(ModelOf(OneMap(kPeak)), HalVersion::V1_1),
      HasSubstr("HEATMAP_MAX_KEYPOINT was introduced in HAL 1.2; the model is held to HAL 1.1"));
  EXPECT_EQ(SignatureErrorOf(ModelOf(OneMap(kPeak)), HalVersion::V1_2), "");
  Localization localization = OneMap(kPeak);
  localization.maps = {kQuant8, {1, 4, 4, 1}, 0.5f, 100};
  EXPECT_THAT(SignatureErrorOf(ModelOf(localization), HalVersion::V1_2),
              HasSubstr("HEATMAP_MAX_KEYPOINT input 1 'boxes'"));
  localization.boxes = {kQuant16, {1, 4}, 0.25f};
  EXPECT_THAT(SignatureErrorOf(ModelOf(localization), HalVersion::V1_2),
              HasSubstr("expected scale 0.125 and zeroPoint 0"));
}

}  // namespace
}  // namespace nncert
