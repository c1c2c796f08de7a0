// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/catalogue.h"
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
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

auto Near(const std::vector<double>& expected) { return Pointwise(DoubleNear(1e-5), expected); }

// One DETECTION_POSTPROCESSING with its inputs.
struct Detection {
  uint32_t batches = 1;
  uint32_t anchor_count = 0;
  uint32_t classes = 0;
  uint32_t encoding = 4;
  std::vector<double> scores;
  std::vector<double> deltas;  // zeros when empty
  std::vector<double> anchors;
  std::vector<double> scales = {1, 1, 1, 1};  // y, x, height, width
  bool is_regular = true;
  int32_t max_detections = 4;
  int32_t max_classes = 1;
  int32_t max_per_class = 10;
  double score_threshold = 0.1;
  double overlap_threshold = 0.4;
  bool has_background = false;
  OperandType type = kFloat32;
  bool is_relaxed = false;
};

hal::V1_2::Model ModelOf(const Detection& detection) {
  const OperandSpec scalar = {detection.type == kFloat16 ? OperandType::FLOAT16
                                                         : OperandType::FLOAT32};
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {
      builder.Input(
          {detection.type, {detection.batches, detection.anchor_count, detection.classes}}),
      builder.Input(
          {detection.type, {detection.batches, detection.anchor_count, detection.encoding}}),
      builder.Input({detection.type, {detection.anchor_count, 4}})};
  for (const double scale : detection.scales) inputs.push_back(builder.Constant(scalar, {scale}));
  inputs.push_back(builder.Bool(detection.is_regular));
  inputs.push_back(builder.Int32(detection.max_detections));
  inputs.push_back(builder.Int32(detection.max_classes));
  inputs.push_back(builder.Int32(detection.max_per_class));
  inputs.push_back(builder.Constant(scalar, {detection.score_threshold}));
  inputs.push_back(builder.Constant(scalar, {detection.overlap_threshold}));
  inputs.push_back(builder.Bool(detection.has_background));
  const std::vector<uint32_t> outputs = {
      builder.Output({detection.type, {0, 0}}), builder.Output({detection.type, {0, 0, 0}}),
      builder.Output({kInt32, {0, 0}}), builder.Output({kInt32, {0}})};
  builder.Operation(OperationType::DETECTION_POSTPROCESSING, inputs, outputs)
      .Relaxed(detection.is_relaxed);
  return builder.model();
}

std::vector<std::vector<double>> InputsOf(const Detection& detection) {
  std::vector<double> deltas = detection.deltas;
  if (deltas.empty()) {
    deltas.assign(detection.batches * detection.anchor_count * detection.encoding, 0);
  }
  return {detection.scores, deltas, detection.anchors};
}

struct Detected {
  Evaluated scores;
  Evaluated boxes;
  Evaluated classes;
  Evaluated counts;
  bool is_undecided = false;
};

Detected Detect(const Detection& detection) {
  const auto results = EvaluateInAllSystems(ModelOf(detection), InputsOf(detection));
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  const auto rows = static_cast<uint32_t>(detection.max_detections);
  EXPECT_THAT((*results)[0].dimensions, ElementsAre(detection.batches, rows));
  EXPECT_THAT((*results)[1].dimensions, ElementsAre(detection.batches, rows, 4));
  EXPECT_THAT((*results)[2].dimensions, ElementsAre(detection.batches, rows));
  EXPECT_THAT((*results)[3].dimensions, ElementsAre(detection.batches));
  return {(*results)[0], (*results)[1], (*results)[2], (*results)[3],
          !(*results)[0].undecided.ok()};
}

std::string RunErrorOf(const Detection& detection) {
  return std::string(
      EvaluateInAllSystems(ModelOf(detection), InputsOf(detection)).status().message());
}

// Two anchors that overlap by a half, [0, 0, 8, 8] and [0, 0, 4, 8] as [y1, x1, y2, x2], and one
// elsewhere, [20, 20, 24, 26]. Class 0 is the background.
Detection ThreeAnchors() {
  Detection detection;
  detection.anchor_count = 3;
  detection.classes = 3;
  detection.scores = {0.99, 0.8, 0.3, 0.99, 0.7, 0.6, 0.99, 0.2, 0.5};
  detection.anchors = {4, 4, 8, 8, 2, 4, 4, 8, 22, 23, 4, 6};
  return detection;
}

TEST(DetectionPostprocessingTest, RegularSuppressesWithinEachClass) {
  const Detected result = Detect(ThreeAnchors());
  EXPECT_FALSE(result.is_undecided);
  // Class 1: 0.8 and not 0.7, 0.2; class 2: 0.6 and not 0.3, 0.5.
  EXPECT_THAT(result.counts.from_double, ElementsAre(4));
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.6, 0.5, 0.2}));
  EXPECT_THAT(result.classes.from_double, ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(result.boxes.from_double, Near({0, 0, 8, 8, 0, 0, 4, 8,  //
                                              20, 20, 24, 26, 20, 20, 24, 26}));
  for (const Ball& ball : result.boxes.enclosure) EXPECT_LT(ball.radius, 1e-4);
}

TEST(DetectionPostprocessingTest, LimitsKeepTheGreatestScores) {
  Detection detection = ThreeAnchors();
  detection.max_detections = 2;
  Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.counts.from_double, ElementsAre(2));
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.6}));
  detection.max_detections = 4;
  detection.max_per_class = 1;
  result = Detect(detection);
  EXPECT_THAT(result.counts.from_double, ElementsAre(2));
  EXPECT_NEAR(result.scores.from_double[0], 0.8, 1e-6);
  EXPECT_NEAR(result.scores.from_double[1], 0.6, 1e-6);
}

TEST(DetectionPostprocessingTest, WhatIsBehindTheLastDetectionMeansNothing) {
  Detection detection = ThreeAnchors();
  detection.score_threshold = 0.7;
  detection.max_detections = 3;
  detection.scores[3 + 1] = 0.6;
  const Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.counts.from_double, ElementsAre(1));
  EXPECT_TRUE(result.counts.enclosure[0].IsExact());
  EXPECT_LT(result.scores.enclosure[0].radius, 1e-6);
  EXPECT_FALSE(result.scores.enclosure[1].IsBounded());
  EXPECT_FALSE(result.boxes.enclosure[4].IsBounded());
  EXPECT_TRUE(result.classes.enclosure[2].Contains(-12345));
}

TEST(DetectionPostprocessingTest, ClassesAreCountedWithOrWithoutTheBackground) {
  Detection detection = ThreeAnchors();
  detection.has_background = true;
  EXPECT_THAT(Detect(detection).classes.from_double, ElementsAre(1, 2, 2, 1));
}

TEST(DetectionPostprocessingTest, FastSuppressesByTheBestClassOfEachAnchor) {
  Detection detection = ThreeAnchors();
  detection.is_regular = false;
  const Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  // The second anchor overlaps the first, whose best class is better.
  EXPECT_THAT(result.counts.from_double, ElementsAre(2));
  EXPECT_NEAR(result.scores.from_double[0], 0.8, 1e-6);
  EXPECT_NEAR(result.scores.from_double[1], 0.5, 1e-6);
  EXPECT_THAT(std::vector<double>(result.classes.from_double.begin(),
                                  result.classes.from_double.begin() + 2),
              ElementsAre(0, 1));
}

TEST(DetectionPostprocessingTest, FastGivesSeveralClassesOfAnAnchor) {
  Detection detection = ThreeAnchors();
  detection.is_regular = false;
  detection.max_classes = 2;
  Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.counts.from_double, ElementsAre(4));
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.5, 0.3, 0.2}));
  EXPECT_THAT(result.classes.from_double, ElementsAre(0, 1, 1, 0));
  // There are just two classes to have.
  detection.max_classes = 5;
  EXPECT_THAT(Detect(detection).counts.from_double, ElementsAre(4));
  // The limit is one of detections, and holds for the output's dimensions.
  detection.max_detections = 3;
  EXPECT_THAT(Detect(detection).scores.from_double, Near({0.8, 0.5, 0.3}));
}

TEST(DetectionPostprocessingTest, DeltasAreDividedByScalesAndMoveTheAnchor) {
  Detection detection;
  detection.anchor_count = 1;
  detection.classes = 2;
  detection.encoding = 6;
  detection.scores = {0, 0.9};
  detection.deltas = {5, -2, std::log(2) * 4, 0, 99, -99};
  detection.anchors = {10, 20, 4, 8};
  detection.scales = {10, 8, 4, 2};
  detection.max_detections = 1;
  // Center y 10 + 4 * 0.5 = 12, x 20 - 8 * 0.25 = 18; height 4 * 2 = 8, width 8.
  EXPECT_THAT(Detect(detection).boxes.from_double, Near({8, 14, 16, 22}));
  detection.scales[3] = 1;
  detection.deltas[3] = -std::log(2);
  EXPECT_THAT(Detect(detection).boxes.from_double, Near({8, 16, 16, 20}));
}

TEST(DetectionPostprocessingTest, ImagesAreJudgedApart) {
  Detection detection = ThreeAnchors();
  detection.batches = 2;
  detection.max_detections = 2;
  const std::vector<double> second = {0, 0.1, 0.2, 0, 0.15, 0.3, 0, 0.9, 0.1};
  detection.scores.insert(detection.scores.end(), second.begin(), second.end());
  detection.score_threshold = 0.12;
  const Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.counts.from_double, ElementsAre(2, 2));
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.6, 0.9, 0.3}));
}

TEST(DetectionPostprocessingTest, TakesHalves) {
  Detection detection = ThreeAnchors();
  detection.type = kFloat16;
  detection.overlap_threshold = 0.25;
  detection.scores = {0, 0.75, 0.25, 0, 0.625, 0.5, 0, 0.125, 0.375};
  const Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_float, ElementsAre(0.75, 0.5, 0.375, 0.125));
  EXPECT_GT(result.boxes.enclosure[8].radius, 20 / 2048.0);
  EXPECT_LT(result.boxes.enclosure[8].radius, 20 * 20 / 2048.0);
}

TEST(DetectionPostprocessingTest, CloseNumbersAreUndecided) {
  Detection detection = ThreeAnchors();
  detection.overlap_threshold = 0.5;
  EXPECT_TRUE(Detect(detection).is_undecided);
  // A score that is just the threshold.
  detection = ThreeAnchors();
  detection.score_threshold = 0.5;
  EXPECT_TRUE(Detect(detection).is_undecided);
  // Equal scores of boxes that overlap, of boxes at the limit, and of classes of an anchor.
  detection = ThreeAnchors();
  detection.scores[4] = 0.8;
  EXPECT_TRUE(Detect(detection).is_undecided);
  detection = ThreeAnchors();
  detection.scores[7] = 0.5;
  EXPECT_FALSE(Detect(detection).is_undecided);
  detection.max_detections = 3;
  EXPECT_TRUE(Detect(detection).is_undecided);
  detection = ThreeAnchors();
  detection.is_regular = false;
  detection.scores[8] = 0.2;
  EXPECT_TRUE(Detect(detection).is_undecided);
  detection.max_classes = 2;
  EXPECT_FALSE(Detect(detection).is_undecided);
}

TEST(DetectionPostprocessingTest, SaysWhichRowsHaveNoOrder) {
  const UnorderedRows& rows =
      FindOperation(OperationType::DETECTION_POSTPROCESSING)->unordered_rows;
  EXPECT_THAT(rows.outputs, ElementsAre(0, 1, 2));
  EXPECT_EQ(rows.group, -1);
  EXPECT_EQ(rows.counts, 3);
}

TEST(DetectionPostprocessingTest, RefusesAnAnchorOfNegativeSize) {
  for (const double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    Detection detection = ThreeAnchors();
    detection.anchors[7] = wrong;
    EXPECT_THAT(
        RunErrorOf(detection),
        AllOf(HasSubstr("DETECTION_POSTPROCESSING input 2 'anchors' (operand 2): row 1 has"),
              HasSubstr("expected at least 0")));
  }
}

TEST(DetectionPostprocessingTest, detection_postprocessing_c1_rejects_deltas_that_do_not_fit) {
  for (const std::vector<uint32_t>& wrong :
       std::vector<std::vector<uint32_t>>{{2, 3, 4}, {1, 2, 4}, {1, 3, 3}}) {
    hal::V1_2::Model model = ModelOf(ThreeAnchors());
    model.operands[1].dimensions = wrong;
    EXPECT_TRUE(IsRefused(model, "C1"));
  }
}

TEST(DetectionPostprocessingTest, detection_postprocessing_c2_rejects_anchors_that_do_not_fit) {
  for (const std::vector<uint32_t>& wrong : std::vector<std::vector<uint32_t>>{{2, 4}, {3, 5}}) {
    hal::V1_2::Model model = ModelOf(ThreeAnchors());
    model.operands[2].dimensions = wrong;
    EXPECT_TRUE(IsRefused(model, "C2"));
  }
}

TEST(DetectionPostprocessingTest, detection_postprocessing_c3_rejects_the_background_alone) {
  hal::V1_2::Model model = ModelOf(ThreeAnchors());
  model.operands[0].dimensions = {1, 3, 1};
  EXPECT_TRUE(IsRefused(model, "C3"));
}

TEST(DetectionPostprocessingTest, detection_postprocessing_c4_rejects_scales_not_above_0) {
  for (size_t i = 0; i < 4; ++i) {
    for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
      Detection detection = ThreeAnchors();
      detection.scales[i] = wrong;
      EXPECT_TRUE(IsRefused(ModelOf(detection), "C4"));
    }
  }
}

TEST(DetectionPostprocessingTest, detection_postprocessing_c5_rejects_a_limit_of_nothing) {
  for (const int32_t wrong : {0, -1}) {
    Detection detection = ThreeAnchors();
    detection.max_detections = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(detection), "C5"));
  }
}

TEST(DetectionPostprocessingTest, detection_postprocessing_c6_rejects_no_class_per_detection) {
  Detection detection = ThreeAnchors();
  detection.max_classes = 0;
  EXPECT_TRUE(PreparedGraph::Create(ModelOf(detection)).ok());
  detection.is_regular = false;
  EXPECT_TRUE(IsRefused(ModelOf(detection), "C6"));
}

TEST(DetectionPostprocessingTest, detection_postprocessing_c7_rejects_no_detection_per_class) {
  Detection detection = ThreeAnchors();
  detection.max_per_class = 0;
  EXPECT_TRUE(IsRefused(ModelOf(detection), "C7"));
  detection.is_regular = false;
  EXPECT_TRUE(PreparedGraph::Create(ModelOf(detection)).ok());
}

TEST(DetectionPostprocessingTest, detection_postprocessing_c8_rejects_negative_thresholds) {
  for (const double wrong : {-0.5, std::numeric_limits<double>::quiet_NaN()}) {
    Detection detection = ThreeAnchors();
    detection.score_threshold = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(detection), "C8"));
    detection = ThreeAnchors();
    detection.overlap_threshold = wrong;
    EXPECT_TRUE(IsRefused(ModelOf(detection), "C8"));
  }
}

TEST(DetectionPostprocessingTest, RefusesOtherTypesAndVersions) {
  EXPECT_THAT(
      SignatureErrorOf(ModelOf(ThreeAnchors()), HalVersion::V1_1),
      HasSubstr(
          "DETECTION_POSTPROCESSING was introduced in HAL 1.2; the model is held to HAL 1.1"));
  EXPECT_EQ(SignatureErrorOf(ModelOf(ThreeAnchors()), HalVersion::V1_2), "");
  hal::V1_2::Model model = ModelOf(ThreeAnchors());
  model.operands[1].type = kFloat16;
  EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_2),
              HasSubstr("DETECTION_POSTPROCESSING input 1 'deltas'"));
}

}  // namespace
}  // namespace nncert
