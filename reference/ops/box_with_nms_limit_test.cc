// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "reference/catalogue.h"
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

enum Kernel : int32_t { kHard, kLinear, kGaussian };

// Real numbers with the rounding of floats.
auto Near(const std::vector<double>& expected) { return Pointwise(DoubleNear(1e-6), expected); }

// One BOX_WITH_NMS_LIMIT, its inputs in numbers (integers for quantized types).
struct Detection {
  std::vector<double> scores;   // [rows, classes]
  std::vector<double> boxes;    // [rows, 4 * classes]
  std::vector<double> batches;  // [rows]
  double score_threshold = 0.3;
  int32_t max_detections = -1;
  int32_t kernel = kHard;
  double overlap_threshold = 0.4;
  double sigma = 0.5;
  double drop_threshold = 0.3;
  uint32_t classes = 2;
  OperandType type = kFloat32;
  bool is_relaxed = false;
  float score_scale = 0.01f;
  int32_t score_zero_point = 10;
};

hal::V1_2::Model ModelOf(const Detection& detection) {
  const bool is_quantized = detection.type == kQuant8;
  const bool is_half = detection.type == kFloat16;
  const auto rows = static_cast<uint32_t>(detection.batches.size());
  OperandSpec scores = {detection.type, {rows, detection.classes}};
  if (is_quantized) {
    scores.scale = detection.score_scale;
    scores.zeroPoint = detection.score_zero_point;
  }
  OperandSpec boxes = {is_quantized ? kQuant16 : detection.type, {rows, 4 * detection.classes}};
  if (is_quantized) boxes.scale = 0.125f;
  const OperandSpec scalar = {is_half ? OperandType::FLOAT16 : OperandType::FLOAT32};
  ModelBuilder builder;
  const uint32_t score_input = builder.Input(scores);
  const uint32_t box_input = builder.Input(boxes);
  const uint32_t batch_input = builder.Input({kInt32, {rows}});
  const std::vector<uint32_t> inputs = {score_input,
                                        box_input,
                                        batch_input,
                                        builder.Constant(scalar, {detection.score_threshold}),
                                        builder.Int32(detection.max_detections),
                                        builder.Int32(detection.kernel),
                                        builder.Constant(scalar, {detection.overlap_threshold}),
                                        builder.Constant(scalar, {detection.sigma}),
                                        builder.Constant(scalar, {detection.drop_threshold})};
  scores.dimensions = {0};
  boxes.dimensions = {0, 4};
  const uint32_t score_output = builder.Output(scores);
  const uint32_t box_output = builder.Output(boxes);
  const uint32_t class_output = builder.Output({kInt32, {0}});
  const uint32_t batch_output = builder.Output({kInt32, {0}});
  builder
      .Operation(OperationType::BOX_WITH_NMS_LIMIT, inputs,
                 {score_output, box_output, class_output, batch_output})
      .Relaxed(detection.is_relaxed);
  return builder.model();
}

struct Detected {
  Evaluated scores;
  Evaluated boxes;
  Evaluated classes;
  Evaluated batches;
  bool is_undecided = false;
};

Detected Detect(const Detection& detection) {
  const auto results = EvaluateInAllSystems(ModelOf(detection),
                                            {detection.scores, detection.boxes, detection.batches});
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  const Detected detected = {(*results)[0], (*results)[1], (*results)[2], (*results)[3],
                             !(*results)[0].undecided.ok()};
  const auto count = static_cast<uint32_t>(detected.scores.from_double.size());
  EXPECT_THAT(detected.scores.dimensions, ElementsAre(count));
  EXPECT_THAT(detected.boxes.dimensions, ElementsAre(count, 4));
  EXPECT_THAT(detected.classes.dimensions, ElementsAre(count));
  EXPECT_THAT(detected.batches.dimensions, ElementsAre(count));
  return detected;
}

std::string ErrorOf(const Detection& detection, HalVersion version = HalVersion::V1_2) {
  return std::string(PreparedGraph::Create(ModelOf(detection), version).status().message());
}

// The error of running it.
std::string RunErrorOf(const Detection& detection) {
  return std::string(EvaluateInAllSystems(ModelOf(detection),
                                          {detection.scores, detection.boxes, detection.batches})
                         .status()
                         .message());
}

// Rows of two classes, the background's boxes like those of class 1.
Detection OneClass(const std::vector<double>& scores,
                   const std::vector<std::vector<double>>& boxes) {
  Detection detection;
  for (const double score : scores) {
    detection.scores.insert(detection.scores.end(), {1 - score, score});
  }
  for (const std::vector<double>& box : boxes) {
    for (int i = 0; i < 2; ++i) {
      detection.boxes.insert(detection.boxes.end(), box.begin(), box.end());
    }
  }
  detection.batches.assign(scores.size(), 0);
  return detection;
}

// The overlap of the first two is 50 / 100 = 0.5; the third is elsewhere.
const std::vector<double> kSquare = {0, 0, 10, 10};
const std::vector<double> kUpperHalf = {0, 0, 10, 5};
const std::vector<double> kElsewhere = {20, 20, 30, 30};

Detection ThreeBoxes() { return OneClass({0.8, 0.9, 0.7}, {kUpperHalf, kSquare, kElsewhere}); }

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

TEST(BoxWithNmsLimitTest, OfEqualScoresThatOverlapEitherMayBeLeft) {
  const Detected result = Detect(OneClass({0.9, 0.9}, {kUpperHalf, kSquare}));
  EXPECT_THAT(result.boxes.from_double, ElementsAre(0, 0, 10, 5));
  EXPECT_TRUE(result.is_undecided);
}

TEST(BoxWithNmsLimitTest, OfEqualScoresAtTheLimitEitherMayBeLeftOut) {
  Detection detection = OneClass({0.9, 0.9, 0.8}, {kSquare, kElsewhere, {50, 50, 60, 60}});
  detection.max_detections = 1;
  EXPECT_TRUE(Detect(detection).is_undecided);
  detection.max_detections = 2;
  const Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  for (const Ball& ball : result.boxes.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(BoxWithNmsLimitTest, ManyEqualScoresThatDoNotOverlapAreDecided) {
  std::vector<double> scores(200, 0.5);
  std::vector<std::vector<double>> boxes;
  for (int i = 0; i < 200; ++i) boxes.push_back({20.0 * i, 0, 20.0 * i + 10, 10});
  for (const Kernel kernel : {kHard, kLinear, kGaussian}) {
    Detection detection = OneClass(scores, boxes);
    detection.kernel = kernel;
    const Detected result = Detect(detection);
    EXPECT_FALSE(result.is_undecided);
    EXPECT_EQ(result.scores.from_double.size(), 200u);
  }
}

TEST(BoxWithNmsLimitTest, TooManyOrdersAreUndecided) {
  std::vector<double> scores(40, 0.5);
  std::vector<std::vector<double>> boxes;
  for (int i = 0; i < 40; ++i) boxes.push_back({4.0 * i, 0, 4.0 * i + 10, 10});
  EXPECT_TRUE(Detect(OneClass(scores, boxes)).is_undecided);
}

TEST(BoxWithNmsLimitTest, ScoresBelowTheThresholdTakeNoPart) {
  Detection detection = OneClass({0.5, 0.25, 0.75}, {kSquare, kElsewhere, {50, 50, 60, 60}});
  detection.score_threshold = 0.3;
  EXPECT_THAT(Detect(detection).scores.from_double, ElementsAre(0.75, 0.5));
  detection.score_threshold = 0.8;
  EXPECT_THAT(Detect(detection).scores.from_double, IsEmpty());
}

TEST(BoxWithNmsLimitTest, AScoreThatIsTheThresholdMayOrMayNotTakePart) {
  Detection detection = OneClass({0.5, 0.75}, {kSquare, kElsewhere});
  detection.score_threshold = 0.5;
  Detected result = Detect(detection);
  EXPECT_THAT(result.scores.from_double, ElementsAre(0.75, 0.5));
  EXPECT_TRUE(result.is_undecided);
  // It does not matter when better boxes fill the image anyway.
  detection.max_detections = 1;
  result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_FALSE(result.scores.enclosure[0].Contains(0.5));
}

TEST(BoxWithNmsLimitTest, AnOverlapThatIsTheThresholdMayOrMayNotSuppress) {
  Detection detection = ThreeBoxes();
  detection.overlap_threshold = 0.5;
  EXPECT_THAT(Detect(detection).scores.from_double, Near({0.9, 0.7}));
  EXPECT_TRUE(Detect(detection).is_undecided);
  // The linear kernel then either leaves 0.8 or makes it 0.4: the same boxes in any case.
  detection.kernel = kLinear;
  const Detected result = Detect(detection);
  EXPECT_FALSE(result.is_undecided);
  EXPECT_TRUE(result.scores.enclosure[2].Contains(0.4));
  EXPECT_TRUE(result.scores.enclosure[2].Contains(0.8));
  EXPECT_LT(result.scores.enclosure[0].radius, 1e-6);
  EXPECT_LT(result.scores.enclosure[1].radius, 1e-6);
}

TEST(BoxWithNmsLimitTest, ABoxThatMayBeSuppressedKeepsItsScoreOtherwise) {
  // Whether the half stays is open, but it does not matter: two others are better.
  Detection detection =
      OneClass({0.9, 0.5, 0.8, 0.7}, {kSquare, kUpperHalf, kElsewhere, {50, 50, 60, 60}});
  detection.overlap_threshold = 0.5;
  detection.max_detections = 3;
  EXPECT_FALSE(Detect(detection).is_undecided);
  // Among the best three it would matter.
  detection.max_detections = 4;
  EXPECT_TRUE(Detect(detection).is_undecided);
  // When there are others below, there are three in any case, but not the same.
  detection = OneClass({0.9, 0.8, 0.7, 0.6}, {kSquare, kUpperHalf, kElsewhere, {50, 50, 60, 60}});
  detection.overlap_threshold = 0.5;
  detection.max_detections = 3;
  EXPECT_TRUE(Detect(detection).is_undecided);
}

TEST(BoxWithNmsLimitTest, RelaxedComputationMayNotSeparateAnOverlapFromTheThreshold) {
  // The overlap is 0.5 and the threshold 0.5001, the same number to half precision.
  Detection detection = ThreeBoxes();
  detection.overlap_threshold = 0.5001;
  EXPECT_FALSE(Detect(detection).is_undecided);
  detection.is_relaxed = true;
  EXPECT_TRUE(Detect(detection).is_undecided);
}

TEST(BoxWithNmsLimitTest, WhetherHardSuppressionDropsLowScoresIsOpen) {
  // 0.35 is below the threshold of 0.5 for dropping when it is held against it for the first time.
  Detection detection = OneClass({0.9, 0.35}, {kSquare, kElsewhere});
  detection.drop_threshold = 0.5;
  EXPECT_THAT(Detect(detection).scores.from_double, Near({0.9}));
  EXPECT_TRUE(Detect(detection).is_undecided);
  // Soft suppression is documented to drop it.
  detection.kernel = kLinear;
  EXPECT_THAT(Detect(detection).scores.from_double, Near({0.9}));
  EXPECT_FALSE(Detect(detection).is_undecided);
  // A score of 0 is not below a threshold of 0.
  detection = OneClass({0.9, 0.8}, {kSquare, kUpperHalf});
  detection.drop_threshold = 0;
  EXPECT_THAT(Detect(detection).scores.from_double, Near({0.9, 0}));
  EXPECT_TRUE(Detect(detection).is_undecided);
}

TEST(BoxWithNmsLimitTest, TheOverlapOfBoxesWithoutAreaIsUndecided) {
  const std::vector<double> point = {3, 3, 3, 3};
  const Detected result = Detect(OneClass({0.9, 0.8}, {point, point}));
  EXPECT_EQ(result.scores.from_double.size(), 2u);
  EXPECT_TRUE(result.is_undecided);
  // With a box that has an area it is 0.
  EXPECT_FALSE(Detect(OneClass({0.9, 0.8}, {point, kSquare})).is_undecided);
}

TEST(BoxWithNmsLimitTest, NoScoreMayBeNaNWithoutBeingUndecided) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Detected result = Detect(OneClass({0.9, nan}, {kSquare, kElsewhere}));
  EXPECT_THAT(result.scores.from_double, Near({0.9}));
  EXPECT_TRUE(result.is_undecided);
}

TEST(BoxWithNmsLimitTest, ScoresBelowZeroAreUndecided) {
  Detection detection = OneClass({-0.1, -0.2}, {kSquare, kElsewhere});
  detection.score_threshold = -1;
  detection.drop_threshold = -1;
  const Detected result = Detect(detection);
  EXPECT_EQ(result.scores.from_double.size(), 2u);
  EXPECT_TRUE(result.is_undecided);
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

// The rows of `detection` in another order.
Detection Reordered(const Detection& detection, const std::vector<size_t>& order) {
  Detection result = detection;
  const size_t classes = detection.classes;
  for (size_t i = 0; i < order.size(); ++i) {
    std::copy_n(detection.scores.begin() + order[i] * classes, classes,
                result.scores.begin() + i * classes);
    std::copy_n(detection.boxes.begin() + order[i] * classes * 4, classes * 4,
                result.boxes.begin() + i * classes * 4);
  }
  return result;
}

// Whether the rows of `other` are in the enclosures of those of `result`, one each. Boxes are
// known exactly, so a row has one enclosure that it may be in, or equal ones.
bool AreRowsEnclosed(const Detected& result, const Detected& other) {
  const size_t rows = result.scores.enclosure.size();
  if (other.scores.from_double.size() != rows) return false;
  std::vector<bool> is_taken(rows);
  for (size_t i = 0; i < rows; ++i) {
    size_t row = 0;
    for (; row < rows; ++row) {
      bool is_inside = !is_taken[row] &&
                       result.scores.enclosure[row].Contains(other.scores.from_double[i]) &&
                       result.classes.enclosure[row].Contains(other.classes.from_double[i]);
      for (size_t k = 0; k < 4; ++k) {
        is_inside &=
            result.boxes.enclosure[4 * row + k].Contains(other.boxes.from_double[4 * i + k]);
      }
      if (is_inside) break;
    }
    if (row == rows) return false;
    is_taken[row] = true;
  }
  return true;
}

TEST(BoxWithNmsLimitTest, TheEnclosureHoldsWhateverOtherOrdersOfTheInputGive) {
  // Few different scores and places make many ties, and the order of the input breaks them. What
  // another order gives must be the same rows, each in the enclosure of one.
  std::mt19937 random(3);
  int decided = 0;
  int decided_with_another_answer = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const size_t rows = 3 + random() % 6;
    Detection detection;
    detection.type = kQuant8;
    detection.score_zero_point = 0;
    detection.kernel = static_cast<int32_t>(random() % 3);
    detection.max_detections = static_cast<int32_t>(random() % 5) - 1;
    detection.classes = 2 + random() % 2;
    detection.score_threshold = 0.255;
    detection.drop_threshold = 0.155;
    detection.batches.assign(rows, 0);
    for (size_t i = 0; i < rows * detection.classes; ++i) {
      detection.scores.push_back(20 + 10.0 * (random() % 8));
      const double left = 24.0 * (random() % 8);
      const double top = 24.0 * (random() % 4);
      detection.boxes.insert(detection.boxes.end(), {left, top, left + 80, top + 80});
    }
    const Detected result = Detect(detection);
    if (result.is_undecided) continue;
    ++decided;
    bool has_another_answer = false;
    std::vector<size_t> order(rows);
    std::iota(order.begin(), order.end(), size_t{0});
    for (int i = 0; i < 20; ++i) {
      for (size_t k = rows; k > 1; --k) std::swap(order[k - 1], order[random() % k]);
      const Detected other = Detect(Reordered(detection, order));
      EXPECT_TRUE(AreRowsEnclosed(result, other));
      has_another_answer |= other.boxes.from_double != result.boxes.from_double;
    }
    decided_with_another_answer += has_another_answer ? 1 : 0;
  }
  EXPECT_GT(decided, 100);
  EXPECT_GT(decided_with_another_answer, 50);
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
  EXPECT_NE(ErrorOf(ThreeBoxes(), HalVersion::V1_1), "");
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
}  // namespace nncert
