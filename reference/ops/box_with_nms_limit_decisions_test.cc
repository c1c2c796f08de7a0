// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Decisions of BOX_WITH_NMS_LIMIT that honest implementations may take either way.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "reference/testing/evaluate.h"
#include "reference/testing/suppression_models.h"

namespace nncert::suppression {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pointwise;

constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// Real numbers with the rounding of floats.
auto Near(const std::vector<double>& expected) { return Pointwise(DoubleNear(1e-6), expected); }

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
  for (const SuppressionKernel kernel : {kHard, kLinear, kGaussian}) {
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

}  // namespace
}  // namespace nncert::suppression
