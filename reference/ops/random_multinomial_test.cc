// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/catalogue.h"
#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;

hal::V1_2::Model ModelOf(const OperandSpec& logits, int32_t samples,
                         const std::vector<int32_t>& seeds = {1, 2}) {
  ModelBuilder builder;
  const uint32_t input = builder.Input(logits);
  builder.Operation(OperationType::RANDOM_MULTINOMIAL,
                    {input, builder.Int32(samples), builder.Int32Vector(seeds)},
                    {builder.Output({OperandType::TENSOR_INT32, {0, 0}})});
  return builder.model();
}

Evaluated Evaluate(const hal::V1_2::Model& model, const std::vector<double>& logits) {
  const auto results = EvaluateInAllSystems(model, {logits});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated();
}

// Pearson's statistic of the samples [first, first + count) against the probabilities.
double ChiSquared(const std::vector<double>& samples, size_t first, size_t count,
                  const std::vector<double>& probabilities) {
  double statistic = 0;
  for (size_t c = 0; c < probabilities.size(); ++c) {
    const auto begin = samples.begin() + static_cast<std::ptrdiff_t>(first);
    const auto seen = static_cast<double>(
        std::count(begin, begin + static_cast<std::ptrdiff_t>(count), static_cast<double>(c)));
    const double expected = static_cast<double>(count) * probabilities[c];
    statistic += (seen - expected) * (seen - expected) / expected;
  }
  return statistic;
}

TEST(RandomMultinomialTest, HasTheDistributionOfTheLogits) {
  // Probabilities 1/8, 2/8, 5/8 and, with a number added to all logits, 6/10, 3/10, 1/10. With 2
  // degrees of freedom, the statistic is above 13.8 once in a thousand times.
  const std::vector<double> logits = {std::log(1),      std::log(2),      std::log(5),
                                      std::log(6) - 70, std::log(3) - 70, std::log(1) - 70};
  constexpr size_t kSamples = 40000;
  for (const OperandType type : {kFloat32, kFloat16}) {
    for (const int32_t seed : {0, 1, -5, 123456789}) {
      const Evaluated result = Evaluate(ModelOf({type, {2, 3}}, kSamples, {seed, 7}), logits);
      EXPECT_THAT(result.dimensions, ElementsAre(2, kSamples));
      if (type == kFloat16) continue;  // the logits are rounded, and so are the probabilities
      EXPECT_LT(ChiSquared(result.from_double, 0, kSamples, {0.125, 0.25, 0.625}), 13.8);
      EXPECT_LT(ChiSquared(result.from_double, kSamples, kSamples, {0.6, 0.3, 0.1}), 13.8);
      EXPECT_EQ(result.from_float, result.from_double);
    }
  }
}

TEST(RandomMultinomialTest, SamplesAreIndependent) {
  // Of two fair classes, samples in a row are equal half of the time, and so are those at the same
  // place of other rows: 10000 of 20000 with a standard deviation of 70.7.
  constexpr size_t kSamples = 20001;
  const Evaluated result = Evaluate(ModelOf({kFloat32, {2, 2}}, kSamples), {0, 0, 0, 0});
  int equal_to_next = 0;
  int equal_to_other_row = 0;
  for (size_t i = 0; i + 1 < kSamples; ++i) {
    equal_to_next += result.from_double[i] == result.from_double[i + 1] ? 1 : 0;
    equal_to_other_row += result.from_double[i] == result.from_double[kSamples + i] ? 1 : 0;
  }
  EXPECT_NEAR(equal_to_next, 10000, 250);
  EXPECT_NEAR(equal_to_other_row, 10000, 250);
}

TEST(RandomMultinomialTest, BothSeedsMatter) {
  const OperandSpec logits = {kFloat32, {1, 4}};
  const auto samples = [&](const std::vector<int32_t>& seeds) {
    return Evaluate(ModelOf(logits, 100, seeds), {0, 0, 0, 0}).from_double;
  };
  const auto some = samples({3, 4});
  EXPECT_EQ(samples({3, 4}), some);
  EXPECT_NE(samples({3, 5}), some);
  EXPECT_NE(samples({2, 4}), some);
  EXPECT_NE(samples({4, 3}), some);
}

TEST(RandomMultinomialTest, TheEnclosureHoldsEveryClass) {
  const Evaluated result = Evaluate(ModelOf({kFloat32, {1, 5}}, 3), {0, 50, 0, 0, 0});
  for (const Ball& ball : result.enclosure) {
    EXPECT_EQ(ball.Lower(), 0);
    EXPECT_EQ(ball.Upper(), 4);
  }
  EXPECT_THAT(result.from_double, Each(1));
  EXPECT_TRUE(FindOperation(OperationType::RANDOM_MULTINOMIAL)->outputs_are_random);
}

TEST(RandomMultinomialTest, LogitsThatAreNotFiniteAreNeverDrawn) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::nan("");
  const Evaluated result =
      Evaluate(ModelOf({kFloat32, {2, 4}}, 1000), {-infinity, 3, nan, 3, nan, infinity, 1e30, nan});
  for (size_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(result.from_double[i] == 1 || result.from_double[i] == 3);
    ASSERT_EQ(result.from_double[1000 + i], 2);
  }
  // When there is nothing to draw from.
  EXPECT_THAT(Evaluate(ModelOf({kFloat32, {1, 2}}, 3), {nan, -infinity}).from_double, Each(0));
}

TEST(RandomMultinomialTest, random_multinomial_c1_rejects_no_samples) {
  for (const int32_t samples : {0, -1}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {1, 2}}, samples), "C1"));
  }
}

TEST(RandomMultinomialTest, random_multinomial_c2_rejects_other_numbers_of_seeds) {
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {1, 2}}, 1, {1}), "C2"));
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {1, 2}}, 1, {1, 2, 3}), "C2"));
}

TEST(RandomMultinomialTest, RefusesMoreSamplesThanATensorHolds) {
  EXPECT_THAT(
      EvaluateInAllSystems(ModelOf({kFloat32, {2, 1}}, 0x7FFFFFFF), {{0, 0}}).status().message(),
      HasSubstr("would have dimensions [2, 2147483647]"));
}

TEST(RandomMultinomialTest, CameWithHal12) {
  EXPECT_THAT(SignatureErrorOf(ModelOf({kFloat32, {1, 2}}, 1), HalVersion::V1_1),
              HasSubstr("RANDOM_MULTINOMIAL was introduced in HAL 1.2"));
}

}  // namespace
}  // namespace nncert
