// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A comparison that never complains would make every case of the oracle pass.

#include "generators/oracle/answer_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "hal/testing/status_is.h"

namespace nncert {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

OperandInfo Info(OperandType type, float scale = 0, int32_t zero_point = 0) {
  OperandInfo info;
  info.type = type;
  info.scale = scale;
  info.zeroPoint = zero_point;
  return info;
}

const OperandInfo kFloat32 = Info(OperandType::TENSOR_FLOAT32);
const OperandInfo kInt32 = Info(OperandType::TENSOR_INT32);

TEST(BoundsOfTest, Float32IsWithinTheToleranceOfItsTerms) {
  EXPECT_TRUE(BoundsOf(kFloat32, 1, 1).Hold(1 + 0.9e-11));
  EXPECT_FALSE(BoundsOf(kFloat32, 1, 1).Hold(1 + 1.1e-11));
  EXPECT_TRUE(BoundsOf(kFloat32, 1, 1000).Hold(1 + 0.9e-8));
  EXPECT_FALSE(BoundsOf(kFloat32, 1, 1000).Hold(1 - 1.1e-8));
  EXPECT_FALSE(BoundsOf(kFloat32, 0, 0).Hold(1e-300));
}

TEST(BoundsOfTest, ARoundingToSinglePrecisionDoesNotPass) {
  EXPECT_FALSE(BoundsOf(kFloat32, 0.1, 0.1).Hold(0.1F));
}

TEST(BoundsOfTest, SpecialValuesAreExact) {
  EXPECT_TRUE(BoundsOf(kFloat32, kNaN, kNaN).Hold(kNaN));
  EXPECT_FALSE(BoundsOf(kFloat32, kNaN, kNaN).Hold(0));
  EXPECT_FALSE(BoundsOf(kFloat32, 0, 0).Hold(kNaN));
  EXPECT_TRUE(BoundsOf(kFloat32, kInfinity, kInfinity).Hold(kInfinity));
  EXPECT_FALSE(BoundsOf(kFloat32, kInfinity, kInfinity).Hold(1e308));
  EXPECT_FALSE(BoundsOf(kFloat32, kInfinity, kInfinity).Hold(-kInfinity));
}

TEST(BoundsOfTest, AnOpenElementMayBeAnything) {
  EXPECT_TRUE(BoundsOf(kFloat32, 0, kInfinity).Hold(1e300));
  EXPECT_TRUE(BoundsOf(kFloat32, 0, kInfinity).Hold(kNaN));
  EXPECT_TRUE(BoundsOf(kFloat32, kNaN, kInfinity).Hold(3));
}

TEST(BoundsOfTest, HalvesAreRoundedToNearest) {
  const OperandInfo half = Info(OperandType::TENSOR_FLOAT16);
  // The halves around 0.1 are 0x1.998p-4 and 0x1.99cp-4; it is nearer to the former.
  EXPECT_TRUE(BoundsOf(half, 0.1, 0.1).Hold(0x1.998p-4));
  EXPECT_FALSE(BoundsOf(half, 0.1, 0.1).Hold(0x1.99cp-4));
  EXPECT_FALSE(BoundsOf(half, 0.1, 0.1).Hold(0.1));
  // A tie may go either way, for either computation may lose its last bit.
  EXPECT_TRUE(BoundsOf(half, 1 + 0x1p-11, 1).Hold(1));
  EXPECT_TRUE(BoundsOf(half, 1 + 0x1p-11, 1).Hold(1 + 0x1p-10));
  EXPECT_TRUE(BoundsOf(half, 1e5, 1e5).Hold(kInfinity));
}

TEST(BoundsOfTest, QuantizedValuesAreRoundedToTheNearestStep) {
  const OperandInfo quantized = Info(OperandType::TENSOR_QUANT8_ASYMM, 0.5F, 10);
  // 1.2 is 2.4 steps from the zero point.
  EXPECT_TRUE(BoundsOf(quantized, 1.2, 1.2).Hold(12));
  EXPECT_FALSE(BoundsOf(quantized, 1.2, 1.2).Hold(13));
  EXPECT_FALSE(BoundsOf(quantized, 1.2, 1.2).Hold(11));
  // 1.25 is a tie.
  EXPECT_TRUE(BoundsOf(quantized, 1.25, 1.25).Hold(12));
  EXPECT_TRUE(BoundsOf(quantized, 1.25, 1.25).Hold(13));
  EXPECT_FALSE(BoundsOf(quantized, 1.25, 1.25).Hold(11));
  EXPECT_TRUE(BoundsOf(quantized, 1000, 1000).Hold(255));
  EXPECT_FALSE(BoundsOf(quantized, 1000, 1000).Hold(254));
  EXPECT_TRUE(BoundsOf(quantized, -kInfinity, kInfinity).Hold(0));
}

TEST(BoundsOfTest, IntegersAreExact) {
  EXPECT_TRUE(BoundsOf(kInt32, 7, 7).Hold(7));
  EXPECT_FALSE(BoundsOf(kInt32, 7, 7).Hold(8));
  EXPECT_FALSE(BoundsOf(Info(OperandType::TENSOR_BOOL8), 1, 1).Hold(0));
}

// An error that says of results how they differ from the answers.
auto Differs(const std::string& how) {
  return hal::testing::StatusIs(absl::StatusCode::kOutOfRange, testing::HasSubstr(how));
}

// Results and what they are compared with, for one or more outputs.
class CompareTest : public testing::Test {
 protected:
  void Add(const OperandInfo& info, std::vector<uint32_t> dimensions, std::vector<double> found,
           std::vector<double> wanted) {
    OperandInfo of_result = info;
    of_result.dimensions.assign(dimensions.begin(), dimensions.end());
    elements_.push_back(std::move(found));
    infos_.push_back(of_result);
    Answer answer;
    for (const double value : wanted) answer.magnitudes.push_back(std::abs(value));
    answer.values = std::move(wanted);
    answers_.push_back(answer);
    dimensions_.push_back(std::move(dimensions));
  }
  absl::Status Compare(AnswerComparison comparison) const {
    std::vector<Computed> computed;
    for (size_t i = 0; i < infos_.size(); ++i) computed.push_back({infos_[i], elements_[i]});
    return CompareWithAnswers(comparison, computed, answers_, dimensions_);
  }

  std::vector<OperandInfo> infos_;
  std::vector<std::vector<double>> elements_;
  std::vector<Answer> answers_;
  std::vector<std::vector<uint32_t>> dimensions_;
};

TEST_F(CompareTest, NamesTheElementThatDiffers) {
  Add(kFloat32, {2}, {1, 2}, {1, 2});
  Add(kFloat32, {3}, {1, 2, 3}, {1, 2, 4});
  EXPECT_THAT(Compare(AnswerComparison::kElements),
              Differs("output 1 element 2 is 3; expected 3.99999999996 to"));
}

TEST_F(CompareTest, ChecksDimensions) {
  Add(kFloat32, {2}, {1, 2}, {1, 2});
  EXPECT_TRUE(Compare(AnswerComparison::kElements).ok());
  dimensions_[0] = {1, 2};
  EXPECT_THAT(Compare(AnswerComparison::kElements),
              Differs("output 0 has dimensions [2]; expected [1, 2]"));
}

TEST_F(CompareTest, RowsOfABatchMayComeInAnyOrder) {
  Add(kFloat32, {3}, {0.5, 0.9, 0.7}, {0.9, 0.5, 0.7});
  Add(kFloat32, {3, 2}, {1, 2, 3, 4, 5, 6}, {3, 4, 1, 2, 5, 6});
  Add(kInt32, {3}, {0, 0, 1}, {0, 0, 1});
  EXPECT_TRUE(Compare(AnswerComparison::kGroupedRows).ok());
}

TEST_F(CompareTest, RowsGoTogetherInAllOutputs) {
  Add(kFloat32, {2}, {0.5, 0.9}, {0.9, 0.5});
  Add(kFloat32, {2, 2}, {3, 4, 1, 2}, {3, 4, 1, 2});
  Add(kInt32, {2}, {0, 0}, {0, 0});
  EXPECT_THAT(Compare(AnswerComparison::kGroupedRows),
              Differs("row 0 of batch 0, with 0.5 in output 0, is none of those expected"));
}

TEST_F(CompareTest, NoRowIsMatchedTwice) {
  Add(kFloat32, {2}, {0.5, 0.5}, {0.5, 0.9});
  Add(kInt32, {2}, {0, 0}, {0, 0});
  EXPECT_THAT(Compare(AnswerComparison::kGroupedRows),
              Differs("row 1 of batch 0, with 0.5 in output 0, is none of those expected"));
}

TEST_F(CompareTest, RowsOfABatchStandTogether) {
  Add(kFloat32, {3}, {0.5, 0.7, 0.9}, {0.5, 0.9, 0.7});
  Add(kInt32, {3}, {0, 1, 0}, {0, 0, 1});
  EXPECT_THAT(Compare(AnswerComparison::kGroupedRows),
              Differs("row 2 is of batch 0, whose rows have ended before"));
}

// 1000 samples of two classes, `first` of them of class 0.
std::vector<double> Samples(int first) {
  std::vector<double> samples(1000, 1.0);
  std::fill_n(samples.begin(), first, 0.0);
  return samples;
}

TEST_F(CompareTest, SamplesFollowTheDistribution) {
  // Of a fair coin 1000 throws have a standard deviation of 15.8.
  Add(kInt32, {1, 1000}, Samples(520), {0.5, 0.5});
  EXPECT_TRUE(Compare(AnswerComparison::kDistribution).ok());
  elements_[0] = Samples(600);
  EXPECT_THAT(Compare(AnswerComparison::kDistribution),
              Differs("row 0 of 1000 samples has a chi-square of 40 for 1 degrees of freedom"));
}

TEST_F(CompareTest, SamplesAreClasses) {
  Add(kInt32, {1, 1000}, Samples(500), {0.5, 0.5});
  elements_[0][17] = 2;
  EXPECT_THAT(Compare(AnswerComparison::kDistribution),
              Differs("row 0 has the sample 2; expected [0, 2)"));
  elements_[0][17] = -1;
  EXPECT_THAT(Compare(AnswerComparison::kDistribution),
              Differs("row 0 has the sample -1; expected [0, 2)"));
}

TEST_F(CompareTest, ClassesThatHardlyEverComeDoNotComeOften) {
  Add(kInt32, {1, 1000}, Samples(970), {1, 1e-12});
  EXPECT_THAT(Compare(AnswerComparison::kDistribution),
              Differs("row 0 has 30 samples of rare classes; 1e-09 expected"));
  elements_[0] = Samples(1000);
  EXPECT_TRUE(Compare(AnswerComparison::kDistribution).ok());
}

}  // namespace
}  // namespace nncert
