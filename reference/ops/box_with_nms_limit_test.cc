// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reference/catalogue.h"
#include "reference/execution/executor.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"
#include "reference/testing/suppression_models.h"

namespace nncert::suppression {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;

constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// Real numbers with the rounding of floats.
auto Near(const std::vector<double>& expected) { return Pointwise(DoubleNear(1e-6), expected); }

TEST(BoxWithNmsLimitTest, HardSuppressionLeavesOutWhatOverlapsABetterBox) {
  const Detected result = Detect(ThreeBoxes());
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_double, Near({0.9, 0.7}));
  EXPECT_THAT(result.boxes.from_double, ElementsAre(0, 0, 10, 10, 20, 20, 30, 30));
  EXPECT_THAT(result.classes.from_double, ElementsAre(1, 1));
  EXPECT_THAT(result.batches.from_double, ElementsAre(0, 0));
  EXPECT_EQ(result.boxes.from_float, result.boxes.from_double);
}

TEST(BoxWithNmsLimitTest, AnOverlapBelowTheThresholdSuppressesNothing) {
  Detection detection = ThreeBoxes();
  detection.overlap_threshold = 0.6;
  EXPECT_THAT(Detect(detection).scores.from_double, Near({0.9, 0.8, 0.7}));
}

TEST(BoxWithNmsLimitTest, LinearSuppressionLowersByTheOverlap) {
  Detection detection = ThreeBoxes();
  detection.kernel = kLinear;
  // 0.8 * (1 - 0.5) = 0.4, now less than 0.7.
  const Detected result = Detect(detection);
  EXPECT_THAT(result.scores.from_double, Near({0.9, 0.7, 0.4}));
  EXPECT_THAT(result.boxes.from_double, ElementsAre(0, 0, 10, 10, 20, 20, 30, 30, 0, 0, 10, 5));
  detection.drop_threshold = 0.41;
  EXPECT_THAT(Detect(detection).scores.from_double, Near({0.9, 0.7}));
  detection.overlap_threshold = 0.51;
  EXPECT_THAT(Detect(detection).scores.from_double, Near({0.9, 0.8, 0.7}));
}

TEST(BoxWithNmsLimitTest, GaussianSuppressionLowersByTheSquareOfTheOverlap) {
  Detection detection = ThreeBoxes();
  detection.kernel = kGaussian;
  // 0.8 * exp(-0.25 / 0.5) = 0.8 * 0.60653066 = 0.48522453.
  const Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_double, Near({0.9, 0.7, 0.48522453}));
  detection.drop_threshold = 0.49;
  EXPECT_THAT(Detect(detection).scores.from_double, Near({0.9, 0.7}));
}

TEST(BoxWithNmsLimitTest, ScoresAreLoweredByEveryBoxSelectedBefore) {
  // The lower half overlaps the square by 0.5 but not the upper half; the upper half twice over
  // has overlap 1 with itself: 0.6 * (1 - 0.5) * (1 - 1) = 0.
  Detection detection =
      OneClass({0.9, 0.8, 0.7, 0.6}, {kSquare, kUpperHalf, {0, 5, 10, 10}, kUpperHalf});
  detection.kernel = kLinear;
  detection.drop_threshold = 0.01;
  EXPECT_THAT(Detect(detection).scores.from_double, Near({0.9, 0.4, 0.35}));
}

// Two rows of three classes. Class 0 is the background, whose boxes and scores do not matter.
Detection ThreeClasses() {
  Detection detection;
  detection.classes = 3;
  detection.scores = {1, 0.6, 0.9, 1, 0.8, 0.7};
  for (int row = 0; row < 2; ++row) {
    for (int c = 0; c < 3; ++c) {
      const double left = 100 * row + 10 * c;
      detection.boxes.insert(detection.boxes.end(), {left, 0, left + 5, 5});
    }
  }
  detection.batches = {0, 0};
  return detection;
}

TEST(BoxWithNmsLimitTest, ClassesAreIndependentAndComeOneAfterAnother) {
  Detection detection = ThreeClasses();
  const Detected result = Detect(detection);
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.6, 0.9, 0.7}));
  EXPECT_THAT(result.classes.from_double, ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(result.boxes.from_double, ElementsAre(110, 0, 115, 5, 10, 0, 15, 5,  //
                                                    20, 0, 25, 5, 120, 0, 125, 5));
  // Boxes of different classes do not suppress each other, even where they are the same.
  for (size_t i = 0; i < detection.boxes.size(); ++i) detection.boxes[i] = kSquare[i % 4];
  EXPECT_THAT(Detect(detection).scores.from_double, Near({0.8, 0.9}));
}

TEST(BoxWithNmsLimitTest, TheLimitKeepsTheGreatestScoresOfAllClasses) {
  Detection detection = ThreeClasses();
  detection.max_detections = 3;
  const Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_double, Near({0.8, 0.9, 0.7}));
  EXPECT_THAT(result.classes.from_double, ElementsAre(1, 2, 2));
  // The one that is left out is not in the enclosure.
  for (const Ball& ball : result.scores.enclosure) EXPECT_FALSE(ball.Contains(0.6));
  detection.max_detections = 1;
  EXPECT_THAT(Detect(detection).classes.from_double, ElementsAre(2));
  detection.max_detections = 0;
  EXPECT_THAT(Detect(detection).classes.from_double, IsEmpty());
  detection.max_detections = 100;
  EXPECT_THAT(Detect(detection).classes.from_double, ElementsAre(1, 1, 2, 2));
}

TEST(BoxWithNmsLimitTest, ImagesAreIndependentAndStayInOrder) {
  Detection detection = OneClass({0.5, 0.9, 0.7, 0.6}, {kSquare, kElsewhere, kSquare, kElsewhere});
  detection.batches = {7, 7, 7, 2};
  detection.max_detections = 1;
  const Detected result = Detect(detection);
  EXPECT_THAT(result.scores.from_double, Near({0.9, 0.6}));
  EXPECT_THAT(result.batches.from_double, ElementsAre(7, 2));
  for (const Ball& ball : result.batches.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(BoxWithNmsLimitTest, TakesHalves) {
  Detection detection = OneClass({0.75, 0.875, 0.625}, {kUpperHalf, kSquare, kElsewhere});
  detection.type = kFloat16;
  detection.kernel = kLinear;
  const Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_float, ElementsAre(0.875, 0.625, 0.375));
  EXPECT_THAT(result.boxes.from_float, ElementsAre(0, 0, 10, 10, 20, 20, 30, 30, 0, 0, 10, 5));
}

TEST(BoxWithNmsLimitTest, TakesQuantizedScoresAndBoxes) {
  // Steps of 0.01 from 10: 0.8, 0.9 and 0.7; corners in eighths.
  Detection detection =
      OneClass({0.8, 0.9, 0.7}, {{0, 0, 80, 40}, {0, 0, 80, 80}, {160, 160, 240, 65535}});
  detection.type = kQuant8;
  for (double& score : detection.scores) score = std::round(score / 0.01) + 10;
  Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_THAT(result.scores.from_float, ElementsAre(100, 80));
  EXPECT_THAT(result.boxes.from_float, ElementsAre(0, 0, 80, 80, 160, 160, 240, 65535));
  detection.kernel = kLinear;
  result = Detect(detection);
  EXPECT_THAT(result.scores.from_float, ElementsAre(100, 80, 50));
}

TEST(BoxWithNmsLimitTest, OneBoxOfAnImageIsKnownExactly) {
  const Detected result = Detect(OneClass({0.9, 0.8}, {kSquare, kUpperHalf}));
  ASSERT_EQ(result.scores.enclosure.size(), 1u);
  EXPECT_EQ(result.scores.enclosure[0].midpoint, 0.9f);
  EXPECT_LT(result.scores.enclosure[0].radius, 1e-7);
  for (const Ball& ball : result.boxes.enclosure) EXPECT_TRUE(ball.IsExact());
  EXPECT_TRUE(result.classes.enclosure[0].IsExact());
}

TEST(BoxWithNmsLimitTest, EveryRowIsEnclosedTightly) {
  Detection detection = ThreeClasses();
  detection.kernel = kGaussian;
  const Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  for (const Ball& ball : result.scores.enclosure) EXPECT_LT(ball.radius, 1e-6);
  for (const Evaluated* output : {&result.boxes, &result.classes, &result.batches}) {
    for (const Ball& ball : output->enclosure) EXPECT_TRUE(ball.IsExact());
  }
}

TEST(BoxWithNmsLimitTest, SaysWhichRowsHaveNoOrder) {
  const UnorderedRows& rows = FindOperation(OperationType::BOX_WITH_NMS_LIMIT)->unordered_rows;
  EXPECT_THAT(rows.outputs, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(rows.group, 3);
  EXPECT_EQ(rows.counts, -1);
}

TEST(BoxWithNmsLimitTest, NoBoxesGiveNoBoxes) {
  const auto graph = PreparedGraph::Create(ModelOf(Detection()));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument scores;
  scores.dimensions = {0, 2};
  InputArgument boxes;
  boxes.dimensions = {0, 8};
  InputArgument batches;
  batches.dimensions = {0};
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    const auto outputs = (*graph)->Execute(system, {scores, boxes, batches});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0));
    EXPECT_THAT((*outputs)[1].info.dimensions, ElementsAre(0, 4));
    EXPECT_THAT((*outputs)[2].info.dimensions, ElementsAre(0));
    EXPECT_THAT((*outputs)[3].info.dimensions, ElementsAre(0));
  }
}

TEST(BoxWithNmsLimitTest, RefusesABoxWhoseCornersAreNotInOrder) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& wrong :
       std::vector<std::vector<double>>{{5, 0, 4, 1}, {0, 5, 1, 4}, {nan, 0, 1, 1}}) {
    EXPECT_THAT(RunErrorOf(OneClass({0.9, 0.8}, {kSquare, wrong})),
                AllOf(HasSubstr("operation 0: BOX_WITH_NMS_LIMIT"),
                      HasSubstr("input 1 'boxes' (operand 1): row 1 class 0"),
                      HasSubstr("expected x1 <= x2 and y1 <= y2")));
  }
}

TEST(BoxWithNmsLimitTest, box_with_nms_limit_c1_rejects_boxes_that_do_not_fit_the_scores) {
  hal::V1_2::Model model = ModelOf(ThreeBoxes());
  for (const std::vector<uint32_t>& wrong :
       std::vector<std::vector<uint32_t>>{{2, 8}, {3, 4}, {3, 12}}) {
    model.operands[1].dimensions = wrong;
    EXPECT_THAT(PreparedGraph::Create(model).status().message(),
                AllOf(RefusedBy("BOX_WITH_NMS_LIMIT", "C1"),
                      HasSubstr("input 0 'scores' (operand 0) of dimensions [3, 2]"),
                      HasSubstr("input 1 'boxes' (operand 1)")));
  }
}

TEST(BoxWithNmsLimitTest, box_with_nms_limit_c2_rejects_batches_that_do_not_fit_the_scores) {
  hal::V1_2::Model model = ModelOf(ThreeBoxes());
  model.operands[2].dimensions = {4};
  EXPECT_THAT(PreparedGraph::Create(model).status().message(),
              AllOf(RefusedBy("BOX_WITH_NMS_LIMIT", "C2"),
                    HasSubstr("input 2 'batches' (operand 2) of dimensions [4]")));
}

TEST(BoxWithNmsLimitTest, box_with_nms_limit_c3_rejects_a_single_class) {
  Detection detection;
  detection.classes = 1;
  detection.scores = {0.9};
  detection.boxes = kSquare;
  detection.batches = {0};
  EXPECT_THAT(ErrorOf(detection),
              AllOf(RefusedBy("BOX_WITH_NMS_LIMIT", "C3"), HasSubstr("of dimensions [1, 1]")));
}

TEST(BoxWithNmsLimitTest, box_with_nms_limit_c4_rejects_a_negative_batch) {
  Detection detection = ThreeBoxes();
  detection.batches = {-1, 0, 0};
  EXPECT_THAT(RunErrorOf(detection), AllOf(RefusedBy("BOX_WITH_NMS_LIMIT", "C4"),
                                           HasSubstr("input 2 'batches' (operand 2)")));
}

TEST(BoxWithNmsLimitTest, box_with_nms_limit_c5_rejects_batches_that_are_torn_apart) {
  Detection detection = ThreeBoxes();
  detection.batches = {0, 1, 0};
  EXPECT_THAT(RunErrorOf(detection), AllOf(RefusedBy("BOX_WITH_NMS_LIMIT", "C5"),
                                           HasSubstr("input 2 'batches' (operand 2)")));
}

TEST(BoxWithNmsLimitTest, box_with_nms_limit_c6_rejects_an_unknown_kernel) {
  for (const int32_t kernel : {-1, 3}) {
    Detection detection = ThreeBoxes();
    detection.kernel = kernel;
    EXPECT_THAT(ErrorOf(detection), AllOf(RefusedBy("BOX_WITH_NMS_LIMIT", "C6"),
                                          HasSubstr("input 5 'kernel' (operand 5)")));
  }
}

TEST(BoxWithNmsLimitTest, box_with_nms_limit_c7_rejects_a_sigma_of_zero) {
  for (const double sigma : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    Detection detection = ThreeBoxes();
    detection.sigma = sigma;
    EXPECT_EQ(ErrorOf(detection), "");
    detection.kernel = kGaussian;
    EXPECT_THAT(ErrorOf(detection),
                AllOf(RefusedBy("BOX_WITH_NMS_LIMIT", "C7"), HasSubstr("input 7 'sigma'")));
  }
}

TEST(BoxWithNmsLimitTest, RefusesOtherTypesQuantizationAndVersions) {
  EXPECT_THAT(ErrorOf(ThreeBoxes(), HalVersion::V1_1),
              HasSubstr("the type is BOX_WITH_NMS_LIMIT; expected one of HAL 1.1"));
  hal::V1_2::Model model = ModelOf(ThreeBoxes());
  model.operands[1].type = kFloat16;
  EXPECT_THAT(PreparedGraph::Create(model).status().message(),
              HasSubstr("BOX_WITH_NMS_LIMIT input 1 'boxes' (operand 1)"));
  Detection quantized = ThreeBoxes();
  quantized.type = kQuant8;
  EXPECT_EQ(ErrorOf(quantized), "");
  model = ModelOf(quantized);
  model.operands[1].scale = 0.25f;
  EXPECT_THAT(PreparedGraph::Create(model).status().message(),
              AllOf(HasSubstr("BOX_WITH_NMS_LIMIT input 1 'boxes' (operand 1)"),
                    HasSubstr("expected scale 0.125 and zeroPoint 0")));
  model = ModelOf(quantized);
  model.operands[model.outputIndexes[0]].scale = 0.25f;
  EXPECT_THAT(PreparedGraph::Create(model).status().message(),
              HasSubstr("BOX_WITH_NMS_LIMIT output 0 'scores'"));
}

TEST(BoxWithNmsLimitTest, RefusesAnOutputOfAnotherSizeThanTurnsOut) {
  hal::V1_2::Model model = ModelOf(ThreeBoxes());
  model.operands[model.outputIndexes[1]].dimensions = {3, 4};
  const Detection detection = ThreeBoxes();
  const auto results =
      EvaluateInAllSystems(model, {detection.scores, detection.boxes, detection.batches});
  EXPECT_THAT(results.status().message(), HasSubstr("[2, 4]; the model declares [3, 4]"));
}

}  // namespace
}  // namespace nncert::suppression
