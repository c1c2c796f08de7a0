// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "drivers/example_extension/testing.h"
#include "reference/catalogue.h"
#include "reference/execution/executor.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

hal::V1_2::Model ModelOf(const OperandSpec& seeds, const RecurrenceRule& rule, int32_t length,
                         const OperandSpec& output, bool is_relaxed = false) {
  ModelBuilder builder;
  const uint32_t first = builder.Input(seeds);
  const uint32_t weights = builder.ConstantBytes(
      {CatalogueOperandType(kSequences, SEQUENCES_RECURRENCE_RULE)}, BytesOfValue(rule));
  const uint32_t count = builder.Int32(length);
  const uint32_t sequences = builder.Output(output);
  builder.Extension(kSequences)
      .Operation(CatalogueOperationType(kSequences, SEQUENCES_RECURRENCE), {first, weights, count},
                 {sequences})
      .Relaxed(is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const hal::V1_2::Model& model, const std::vector<double>& seeds) {
  const auto results = EvaluateInAllSystems(model, {seeds});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated{};
}

std::string ErrorOf(const hal::V1_2::Model& model) {
  return std::string(PreparedGraph::Create(model).status().message());
}

TEST(RecurrenceTest, ContinuesEachPairOfSeeds) {
  // The numbers of Fibonacci, and those of Lucas.
  const Evaluated result =
      Evaluate(ModelOf(Float32({2, 2}), {1, 1}, 7, Float32({2, 7})), {0, 1, 2, 1});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 7));
  EXPECT_THAT(result.from_float, ElementsAre(0, 1, 1, 2, 3, 5, 8, 2, 1, 3, 4, 7, 11, 18));
  EXPECT_THAT(result.from_double, ElementsAre(0, 1, 1, 2, 3, 5, 8, 2, 1, 3, 4, 7, 11, 18));
}

TEST(RecurrenceTest, WeighsThePreviousTermAndTheEarlierOne) {
  // 2 * 3 - 0.5 * 1 = 5.5, 2 * 5.5 - 0.5 * 3 = 9.5.
  const Evaluated result = Evaluate(ModelOf(Float32({2}), {2, -0.5}, 4, Float32({4})), {1, 3});
  EXPECT_THAT(result.from_double, ElementsAre(1, 3, 5.5, 9.5));
}

TEST(RecurrenceTest, MayBeShorterThanItsSeeds) {
  EXPECT_THAT(Evaluate(ModelOf(Float32({2}), {1, 1}, 1, Float32({1})), {4, 5}).from_float,
              ElementsAre(4));
}

TEST(RecurrenceTest, FindsTheDimensionsOfTheOutput) {
  EXPECT_THAT(Evaluate(ModelOf(Float32({1, 2}), {1, 1}, 3, Float32({0, 0})), {1, 1}).dimensions,
              ElementsAre(1, 3));
}

TEST(RecurrenceTest, EnclosureOfARelaxedModelIsThatOfHalves) {
  // A third of the term before: 9, 3, 1, each product off by some 2^-11 of itself, twice.
  const RecurrenceRule third = {1.0F / 3, 0};
  const Evaluated exact = Evaluate(ModelOf(Float32({2}), third, 4, Float32({4})), {0, 9});
  const Evaluated relaxed = Evaluate(ModelOf(Float32({2}), third, 4, Float32({4}), true), {0, 9});
  EXPECT_LT(exact.enclosure[3].radius, 1e-6);
  EXPECT_GT(relaxed.enclosure[3].radius, 1e-4);
  EXPECT_LT(relaxed.enclosure[3].radius, 1e-2);
}

TEST(RecurrenceTest, FixedPointCountsItsFractionBits) {
  // Seeds 0 and 4 / 4 = 1; terms 0, 1, 0.5, 0.25, 0.125 in eighths.
  const Evaluated result = Evaluate(ModelOf(Fixed16({2}, 2), {0.5, 0}, 5, Fixed16({5}, 3)), {0, 4});
  EXPECT_THAT(result.from_float, ElementsAre(0, 8, 4, 2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(0, 8, 4, 2, 1));
}

TEST(RecurrenceTest, FixedPointSaturates) {
  const Evaluated result =
      Evaluate(ModelOf(Fixed16({2}, 0), {-200, 0}, 4, Fixed16({4}, 0)), {0, 1});
  EXPECT_THAT(result.from_double, ElementsAre(0, 1, -200, 32767));
}

TEST(RecurrenceTest, ConvertsBetweenTypes) {
  EXPECT_THAT(Evaluate(ModelOf(Fixed16({2}, 1), {1, 1}, 3, Float32({3})), {1, 2}).from_double,
              ElementsAre(0.5, 1, 1.5));
  EXPECT_THAT(Evaluate(ModelOf(Float32({2}), {1, 1}, 3, Fixed16({3}, 1)), {0.5, 1}).from_double,
              ElementsAre(1, 2, 3));
}

TEST(RecurrenceTest, recurrence_c1_rejects_seeds_that_are_no_pairs) {
  EXPECT_TRUE(IsRefused(ModelOf(Float32({2, 3}), {1, 1}, 4, Float32({2, 4})), "C1"));
}

TEST(RecurrenceTest, recurrence_c2_rejects_weights_that_are_not_finite) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(IsRefused(ModelOf(Float32({2}), {1, infinity}, 4, Float32({4})), "C2"));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(IsRefused(ModelOf(Float32({2}), {nan, 1}, 4, Float32({4})), "C2"));
}

TEST(RecurrenceTest, recurrence_c3_rejects_a_length_below_1) {
  EXPECT_TRUE(IsRefused(ModelOf(Float32({2}), {1, 1}, 0, Float32({0})), "C3"));
}

TEST(RecurrenceTest, NamesItsTypesInErrors) {
  const OperandSpec halves = {OperandType::TENSOR_FLOAT16, {2}};
  EXPECT_THAT(ErrorOf(ModelOf(halves, {1, 1}, 3, Float32({3}))),
              HasSubstr("com.example.sequences.RECURRENCE input 0 'seeds' (operand 0) is "
                        "TENSOR_FLOAT16; expected TENSOR_FLOAT32 or "
                        "com.example.sequences.TENSOR_FIXED16"));
}

TEST(RecurrenceTest, RefusesExtraParamsOfAnotherForm) {
  OperandSpec seeds = Fixed16({2}, 4);
  seeds.extraParams = std::monostate();
  EXPECT_THAT(
      ErrorOf(ModelOf(seeds, {1, 1}, 3, Float32({3}))),
      HasSubstr("operand 0, com.example.sequences.TENSOR_FIXED16: extraParams has 0 bytes"));
  EXPECT_THAT(ErrorOf(ModelOf(Fixed16({2}, 16), {1, 1}, 3, Float32({3}))),
              HasSubstr("fractionBits is 16; expected 0 to 15"));
  EXPECT_THAT(ErrorOf(ModelOf(Fixed16({2}, -1), {1, 1}, 3, Float32({3}))),
              HasSubstr("fractionBits is -1; expected 0 to 15"));
}

TEST(RecurrenceTest, RefusesConstantsOfTheWrongSize) {
  ModelBuilder builder;
  const uint32_t seeds = builder.Input(Float32({2}));
  const uint32_t rule = builder.ConstantBytes(
      {CatalogueOperandType(kSequences, SEQUENCES_RECURRENCE_RULE)}, {0, 0, 0, 0});
  const uint32_t length = builder.Int32(3);
  const uint32_t output = builder.Output(Float32({3}));
  builder.Extension(kSequences)
      .Operation(CatalogueOperationType(kSequences, SEQUENCES_RECURRENCE), {seeds, rule, length},
                 {output});
  EXPECT_THAT(ErrorOf(builder.model()),
              HasSubstr("operand 1, com.example.sequences.RECURRENCE_RULE: the constant has 4 "
                        "bytes; expected 8"));
}

}  // namespace
}  // namespace nncert
