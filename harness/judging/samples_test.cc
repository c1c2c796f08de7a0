// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/samples.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using ::testing::HasSubstr;

// An error that says of samples that they are not as they should be, with `text` in it.
auto IsOff(const std::string& text) {
  return hal::testing::StatusIs(absl::StatusCode::kOutOfRange, HasSubstr(text));
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Logits LogitsOf(const std::vector<double>& values, uint64_t rows) {
  Logits logits;
  for (const double value : values) logits.values.push_back({value, 0});
  logits.rows = rows;
  logits.classes = values.size() / rows;
  return logits;
}

// ---- Frequencies within a tolerance ----

TEST(CompareFrequencies, MustFollowTheSoftmax) {
  // Two classes, three to one.
  const Logits logits = LogitsOf({std::log(3.0), 0}, 1);
  std::vector<double> samples(100, 0);
  std::fill(samples.begin(), samples.begin() + 25, 1);
  EXPECT_TRUE(CompareFrequencies(logits, samples, 0.001).ok());
  std::fill(samples.begin(), samples.begin() + 30, 1);
  EXPECT_TRUE(CompareFrequencies(logits, samples, 0.06).ok());
  const absl::Status off = CompareFrequencies(logits, samples, 0.04);
  EXPECT_THAT(std::string(off.message()), HasSubstr("class 0 has frequency 0.7 in row 0"));
}

TEST(CompareFrequencies, EveryRowHasItsOwnDistribution) {
  const Logits logits = LogitsOf({0, -1000, -1000, 0}, 2);
  EXPECT_TRUE(CompareFrequencies(logits, {0, 0, 0, 1, 1, 1}, 0.01).ok());
  const absl::Status off = CompareFrequencies(logits, {0, 0, 0, 0, 0, 0}, 0.01);
  EXPECT_THAT(std::string(off.message()), HasSubstr("in row 1"));
}

TEST(CompareFrequencies, LargeLogitsDoNotOverflow) {
  EXPECT_TRUE(CompareFrequencies(LogitsOf({5000, 5000}, 1), {0, 1}, 0.01).ok());
}

TEST(CompareFrequencies, NanLogitsPassNothing) {
  EXPECT_THAT(CompareFrequencies(LogitsOf({kNan, 0}, 1), {0, 1}, 1), IsOff("expected nan"));
}

// ---- What both functions check first ----

TEST(Samples, MustBeClasses) {
  for (const double sample : {-1.0, 2.0, 1024.0, 2147483647.0, -2147483648.0}) {
    const Logits logits = LogitsOf({0, 0}, 1);
    for (const absl::Status& status :
         {CompareFrequencies(logits, {0, sample, 1}, 1), TestSamples(logits, {0, sample, 1})}) {
      EXPECT_TRUE(absl::IsOutOfRange(status)) << sample;
      EXPECT_THAT(std::string(status.message()), HasSubstr("sample [0, 1]"));
    }
  }
}

TEST(Samples, MustHaveSizesThatFit) {
  Logits odd = LogitsOf({0, 0, 0}, 1);
  odd.rows = 2;
  for (const auto& [logits, samples] : {std::pair{LogitsOf({0, 0}, 1), std::vector<double>{}},
                                        {Logits{}, std::vector<double>{0}},
                                        {odd, std::vector<double>{0, 0}},
                                        {LogitsOf({0, 0}, 2), std::vector<double>{0, 0, 0}}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(CompareFrequencies(logits, samples, 1)));
    EXPECT_TRUE(absl::IsInvalidArgument(TestSamples(logits, samples)));
  }
}

// ---- The statistical test ----

// Draws from the softmax of one row of logits by inverting the distribution function.
class Sampler {
 public:
  explicit Sampler(uint64_t seed) : random_(seed) {}

  double operator()(const std::vector<double>& logits) {
    double total = 0;
    for (const double logit : logits) total += std::exp(logit);
    double rest = static_cast<double>(random_() >> 11) * 0x1p-53 * total;
    for (size_t i = 0; i < logits.size(); ++i) {
      rest -= std::exp(logits[i]);
      if (rest < 0) return static_cast<double>(i);
    }
    return static_cast<double>(logits.size() - 1);
  }

 private:
  std::mt19937_64 random_;
};

// Logits of 0, 0.01, 0.02, ... in some order, of which neighbours have nothing in common.
std::vector<double> SpreadLogits(size_t classes) {
  std::vector<double> logits;
  for (size_t i = 0; i < classes; ++i) {
    logits.push_back(0.01 * static_cast<double>(i * 7919 % classes));
  }
  return logits;
}

std::vector<double> Draw(const std::vector<double>& logits, size_t count, uint64_t seed = 1) {
  Sampler sampler(seed);
  std::vector<double> samples;
  for (size_t i = 0; i < count; ++i) samples.push_back(sampler(logits));
  return samples;
}

TEST(TestSamples, RightSamplesPass) {
  const std::vector<std::vector<double>> all_logits = {
      {0}, {0, 0}, {0, -1000}, {0, -10}, {3, 1, 2}, SpreadLogits(64), SpreadLogits(1024)};
  for (const std::vector<double>& logits : all_logits) {
    for (const size_t count : {1, 2, 3, 16, 128, 4096}) {
      for (uint64_t seed = 0; seed < 20; ++seed) {
        const absl::Status status = TestSamples(LogitsOf(logits, 1), Draw(logits, count, seed));
        EXPECT_TRUE(status.ok()) << logits.size() << " classes, " << count << ": " << status;
      }
    }
  }
}

TEST(TestSamples, RightSamplesOfManyRowsPass) {
  std::vector<double> logits;
  std::vector<double> samples;
  Sampler sampler(7);
  for (int row = 0; row < 50; ++row) {
    const std::vector<double> own = {0.1 * row, 0, -0.05 * row};
    logits.insert(logits.end(), own.begin(), own.end());
    for (int i = 0; i < 40; ++i) samples.push_back(sampler(own));
  }
  const absl::Status status = TestSamples(LogitsOf(logits, 50), samples);
  EXPECT_TRUE(status.ok()) << status;
}

TEST(TestSamples, LogitsMayBeRoundedToHalfPrecision) {
  // Between 512 and 1024 halves are 0.5 apart.
  const std::vector<double> samples = Draw({0, 0}, 1 << 14);
  Logits logits = LogitsOf({1000.2, 1000}, 1);
  EXPECT_THAT(TestSamples(logits, samples),
              IsOff("8188 of 16384 samples; expected a share of 0.4502"));
  logits.precision = kFloat16Precision;
  EXPECT_TRUE(TestSamples(logits, samples).ok());
}

TEST(TestSamples, LogitsMayBeEnclosedOnly) {
  const std::vector<double> samples = Draw({0, 0}, 1 << 14);
  Logits logits = LogitsOf({0.2, 0}, 1);
  EXPECT_THAT(TestSamples(logits, samples),
              IsOff("8188 of 16384 samples; expected a share of 0.4502"));
  logits.values[0].radius = 0.2;
  EXPECT_TRUE(TestSamples(logits, samples).ok());
}

TEST(TestSamples, NothingIsWrongWithAClassOfWhichNothingIsKnown) {
  // Weights that hide the others' in a sum, and one that overflows.
  for (const double radius : {20.0, 42.0, 300.0, 1000.0}) {
    Logits logits = LogitsOf({0.3, 0.1, 0.8, 0.8}, 1);
    logits.values[3].radius = radius;
    std::vector<double> samples(64, 3);
    EXPECT_TRUE(TestSamples(logits, samples).ok()) << radius;
    for (size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<double>(i / 4 % 4);
    const absl::Status status = TestSamples(logits, samples);
    EXPECT_TRUE(status.ok()) << radius << ": " << status;
  }
}

TEST(TestSamples, AConstantFails) {
  const std::vector<double> samples(128, 5);
  EXPECT_THAT(TestSamples(LogitsOf(SpreadLogits(1024), 1), samples), IsOff("128 of 128 samples"));
  EXPECT_THAT(TestSamples(LogitsOf({0, 0}, 1), std::vector<double>(64, 1)),
              IsOff("class 0 in row 0: 0 of 64 samples; expected a share of 0.5"));
  // As it should be where there is no choice.
  EXPECT_TRUE(TestSamples(LogitsOf({-1000, 0}, 1), std::vector<double>(64, 1)).ok());
}

TEST(TestSamples, AClassThatCannotBeFails) {
  EXPECT_THAT(TestSamples(LogitsOf({0, -80}, 1), std::vector<double>(64, 1)),
              IsOff("class 1 in row 0: 64 of 64 samples; expected a share of 8.941e-08"));
  EXPECT_THAT(TestSamples(LogitsOf({0, -1000, 0}, 1), std::vector<double>(64, 1)),
              IsOff("class 1 in row 0: 64 of 64 samples; expected a share of 1.192e-07"));
}

// A wrong way to sample from 1024 classes with probabilities that differ by up to exp(10).
struct WrongSampler {
  std::string name;
  std::function<std::vector<double>(const std::vector<double>& logits)> draw;
};

TEST(TestSamples, BiasedSamplesFail) {
  const std::vector<double> logits = SpreadLogits(1024);
  const auto transformed = [](const std::vector<double>& from, auto function) {
    std::vector<double> to;
    for (const double logit : from) to.push_back(function(logit));
    return Draw(to, 1024);
  };
  const WrongSampler samplers[] = {
      {"uniform", [&](const auto& from) { return transformed(from, [](double) { return 0; }); }},
      {"opposite",
       [&](const auto& from) { return transformed(from, [](double x) { return -x; }); }},
      {"half the logits",
       [&](const auto& from) { return transformed(from, [](double x) { return x / 2; }); }},
      {"base 2",
       [&](const auto& from) { return transformed(from, [](double x) { return x * 0.693; }); }},
      {"logits as weights",
       [&](const auto& from) {
         return transformed(from, [](double x) { return std::log(x + 1e-9); });
       }},
      {"even classes",
       [&](const auto& from) {
         std::vector<double> samples = Draw(from, 1024);
         for (double& sample : samples) sample -= std::fmod(sample, 2);
         return samples;
       }},
      {"the first half",
       [&](const auto& from) {
         std::vector<double> samples = Draw(from, 1024);
         for (double& sample : samples) sample = std::floor(sample / 2);
         return samples;
       }},
      {"the next class",
       [&](const auto& from) {
         std::vector<double> samples = Draw(from, 1024);
         for (double& sample : samples) sample = std::fmod(sample + 1, 1024);
         return samples;
       }},
  };
  for (const WrongSampler& sampler : samplers) {
    EXPECT_TRUE(absl::IsOutOfRange(TestSamples(LogitsOf(logits, 1), sampler.draw(logits))))
        << sampler.name;
  }
}

TEST(TestSamples, SamplesThatDependOnEachOtherFail) {
  const std::vector<double> logits = {0, 0, 0, 0, 0, 0, 0, 0};
  std::vector<double> pairs = Draw(logits, 128);
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) pairs[i + 1] = pairs[i];
  EXPECT_THAT(std::string(TestSamples(LogitsOf(logits, 1), pairs).message()),
              HasSubstr("the same class as the next"));

  // Each row starts the random numbers anew.
  std::vector<double> rows_of_logits;
  std::vector<double> samples;
  for (int row = 0; row < 16; ++row) {
    rows_of_logits.insert(rows_of_logits.end(), logits.begin(), logits.end());
    const std::vector<double> own = Draw(logits, 8);
    samples.insert(samples.end(), own.begin(), own.end());
  }
  EXPECT_THAT(TestSamples(LogitsOf(rows_of_logits, 16), samples),
              IsOff("the classes whose index has the bit 4 in all rows: 16 of 128 samples"));
}

TEST(TestSamples, ABiasOfFewSamplesShowsInAllRowsTogether) {
  std::vector<double> logits;
  for (int row = 0; row < 100; ++row) logits.insert(logits.end(), {0.0, 0.1});
  const Logits of_rows = LogitsOf(logits, 100);
  EXPECT_THAT(std::string(TestSamples(of_rows, std::vector<double>(100, 1)).message()),
              HasSubstr("in all rows"));
}

// ---- Where logits come from ----

// RANDOM_MULTINOMIAL of [1, 2] logits, which are an input, negated.
TestCase NegatedLogitsCase(OperandType type) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({type, {1, 2}});
  const uint32_t logits = builder.Temporary({type, {1, 2}});
  const uint32_t count = builder.Int32(4);
  const uint32_t seeds = builder.Constant({OperandType::TENSOR_INT32, {2}}, {37, 42});
  builder.Operation(OperationType::NEG, {input}, {logits});
  builder.Operation(OperationType::RANDOM_MULTINOMIAL, {logits, count, seeds},
                    {builder.Output({OperandType::TENSOR_INT32, {1, 4}})});
  return CaseWith(builder.model(), {{1, -2}}, {{0, 0, 0, 0}});
}

TEST(FindLogits, MayBeComputedOnTheWay) {
  const absl::StatusOr<Logits> logits =
      FindLogits(NegatedLogitsCase(OperandType::TENSOR_FLOAT32), 0, 0);
  ASSERT_TRUE(logits.ok()) << logits.status();
  EXPECT_EQ(logits->rows, 1U);
  EXPECT_EQ(logits->classes, 2U);
  ASSERT_EQ(logits->values.size(), 2U);
  EXPECT_TRUE(logits->values[0].Contains(-1));
  EXPECT_TRUE(logits->values[1].Contains(2));
  EXPECT_EQ(logits->precision.unit_roundoff, kFloat32Precision.unit_roundoff);
}

TEST(FindLogits, AreOfHalfPrecisionWhereTheModelIs) {
  const double half = kFloat16Precision.unit_roundoff;
  TestCase relaxed = NegatedLogitsCase(OperandType::TENSOR_FLOAT32);
  relaxed.model.relaxComputationFloat32toFloat16 = true;
  for (const TestCase& test_case : {relaxed, NegatedLogitsCase(OperandType::TENSOR_FLOAT16)}) {
    const absl::StatusOr<Logits> logits = FindLogits(test_case, 0, 0);
    ASSERT_TRUE(logits.ok()) << logits.status();
    EXPECT_EQ(logits->precision.unit_roundoff, half);
  }
}

TEST(FindLogits, MustBeFinite) {
  TestCase test_case = NegatedLogitsCase(OperandType::TENSOR_FLOAT32);
  test_case.examples[0].inputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, {1, kNan});
  const absl::Status status = FindLogits(test_case, 0, 0).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("not all finite"));
}

}  // namespace
}  // namespace nncert
