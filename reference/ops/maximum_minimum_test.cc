// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reference/model_builder.h"
#include "reference/testing/elementwise.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using hal::V1_2::OperationType;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kBool8 = OperandType::TENSOR_BOOL8;

TEST(MaximumTest, IsTheGreaterOfEveryType) {
  for (const OperandType type : {kFloat32, kFloat16, kInt32}) {
    const OperandSpec row = {type, {4}};
    const Evaluated result =
        Evaluate(BinaryModel(OperationType::MAXIMUM, row, row, row), {1, -2, 5, 0}, {3, -4, 5, -1});
    EXPECT_THAT(result.from_double, ElementsAre(3, -2, 5, 0));
    EXPECT_THAT(result.from_float, ElementsAre(3, -2, 5, 0));
    for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  }
}

TEST(MinimumTest, IsTheLesserOfEveryType) {
  for (const OperandType type : {kFloat32, kFloat16, kInt32}) {
    const OperandSpec row = {type, {4}};
    const Evaluated result =
        Evaluate(BinaryModel(OperationType::MINIMUM, row, row, row), {1, -2, 5, 0}, {3, -4, 5, -1});
    EXPECT_THAT(result.from_double, ElementsAre(1, -4, 5, -1));
    EXPECT_THAT(result.from_float, ElementsAre(1, -4, 5, -1));
    for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  }
}

TEST(MaximumTest, TellsLargeIntegersApart) {
  // They are the same float.
  const OperandSpec row = {kInt32, {2}};
  const Evaluated result = Evaluate(BinaryModel(OperationType::MAXIMUM, row, row, row),
                                    {2147483646, -2147483648.0}, {2147483647, -2147483647.0});
  EXPECT_THAT(result.from_float, ElementsAre(2147483647, -2147483647.0));
}

TEST(MaximumTest, OfQuantizedElementsIsStoredInStepsOfTheOutput) {
  // max((130 - 128) * 0.5, (8 - 10) * 0.25) = 1 is step 10 + 5; max(-64, -2.5) = -2.5 saturates;
  // max(63.5, 61.25) = 63.5 saturates; max(0.5, 0.75) = 0.75 is 7.5 steps, a tie.
  const hal::V1_2::Model model = BinaryModel(OperationType::MAXIMUM, {kQuant8, {4}, 0.5F, 128},
                                             {kQuant8, {4}, 0.25F, 10}, {kQuant8, {4}, 0.1F, 5});
  const Evaluated result = Evaluate(model, {130, 0, 255, 129}, {8, 0, 255, 13});
  EXPECT_THAT(std::vector<double>(result.from_double.begin(), result.from_double.begin() + 3),
              ElementsAre(15, 0, 255));
  EXPECT_TRUE(result.enclosure[0].IsExact());
  EXPECT_TRUE(result.enclosure[3].Contains(12) && result.enclosure[3].Contains(13));
}

TEST(MinimumTest, OfQuantizedElementsIsStoredInStepsOfTheOutput) {
  // min(1, -0.5) = -0.5 is step 5 - 5; min(-64, -2.5) saturates; min(63.5, 20) = 20 is step 205.
  const hal::V1_2::Model model = BinaryModel(OperationType::MINIMUM, {kQuant8, {3}, 0.5F, 128},
                                             {kQuant8, {3}, 0.25F, 10}, {kQuant8, {3}, 0.1F, 5});
  const Evaluated result = Evaluate(model, {130, 0, 255}, {8, 0, 90});
  EXPECT_THAT(result.from_double, ElementsAre(0, 0, 205));
}

TEST(MinimumTest, QuantizedElementsOfOneScaleArePassedOn) {
  const OperandSpec row = {kQuant8, {3}, 0.1F, 77};
  const Evaluated result =
      Evaluate(BinaryModel(OperationType::MINIMUM, row, row, row), {0, 100, 255}, {255, 99, 254});
  EXPECT_THAT(result.from_double, ElementsAre(0, 99, 254));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(MaximumTest, Broadcasts) {
  const Evaluated result = Evaluate(BinaryModel(OperationType::MAXIMUM, {kFloat32, {2, 1, 2}},
                                                {kFloat32, {2, 1}}, {kFloat32, {}}),
                                    {1, 4, 2, 6}, {3, 5});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 2, 2));
  EXPECT_THAT(result.from_double, ElementsAre(3, 4, 5, 5, 3, 6, 5, 6));
}

TEST(MinimumTest, BroadcastsTensorsOfAnyRank) {
  const Evaluated result =
      Evaluate(BinaryModel(OperationType::MINIMUM, {kInt32, {1, 1, 1, 1, 2, 1}}, {kInt32, {3}},
                           {kInt32, {1, 1, 1, 1, 2, 3}}),
               {2, 5}, {1, 3, 9});
  EXPECT_THAT(result.from_double, ElementsAre(1, 2, 2, 1, 3, 5));
}

TEST(MaximumTest, RelaxedFloatsThatAreTheSameHalfMayBeEither) {
  const OperandSpec row = {kFloat32, {1}};
  const Evaluated result =
      Evaluate(BinaryModel(OperationType::MAXIMUM, row, row, row, true), {1.0001}, {1});
  EXPECT_TRUE(result.enclosure[0].Contains(1));
  EXPECT_LT(result.enclosure[0].radius, 1e-3);
}

TEST(MaximumTest, OfNaNMayBeEither) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const OperandSpec row = {kFloat32, {2}};
  const Evaluated result =
      Evaluate(BinaryModel(OperationType::MAXIMUM, row, row, row), {nan, infinity}, {1, 2});
  EXPECT_FALSE(result.enclosure[0].IsBounded());
  EXPECT_THAT(result.from_double[1], infinity);
  EXPECT_TRUE(result.enclosure[1].IsExact());
}

class ExtremumTest : public testing::TestWithParam<OperationType> {};

INSTANTIATE_TEST_SUITE_P(All, ExtremumTest,
                         testing::Values(OperationType::MAXIMUM, OperationType::MINIMUM));

TEST_P(ExtremumTest, CameWithHal12) {
  const OperandSpec row = {kFloat32, {1}};
  EXPECT_EQ(ErrorOf(BinaryModel(GetParam(), row, row, row)), "");
  EXPECT_THAT(
      ErrorOf(BinaryModel(GetParam(), row, row, row), HalVersion::V1_1),
      AllOf(HasSubstr("operation 0: the type is M"), HasSubstr("; expected one of HAL 1.1")));
}

TEST_P(ExtremumTest, RefusesOtherTypesAndMixedOnes) {
  const OperandSpec booleans = {kBool8, {1}};
  EXPECT_THAT(ErrorOf(BinaryModel(GetParam(), booleans, booleans, booleans)),
              HasSubstr("input 0 'a' (operand 0) is TENSOR_BOOL8"));
  EXPECT_THAT(ErrorOf(BinaryModel(GetParam(), {kFloat32, {1}}, {kInt32, {1}}, {kFloat32, {1}})),
              HasSubstr("input 1 'b' (operand 1) is TENSOR_INT32; expected TENSOR_FLOAT32"));
  EXPECT_THAT(ErrorOf(BinaryModel(GetParam(), {kFloat32, {1}}, {kFloat32, {1}}, {kInt32, {1}})),
              HasSubstr("output 0 'output' (operand 2) is TENSOR_INT32; expected TENSOR_FLOAT32"));
}

TEST_P(ExtremumTest, RefusesDimensionsThatDoNotBroadcast) {
  EXPECT_THAT(ErrorOf(BinaryModel(GetParam(), {kFloat32, {2}}, {kFloat32, {3}}, {kFloat32, {3}})),
              HasSubstr("dimensions [2] and [3] do not broadcast"));
}

TEST(MaximumTest, RefusesEmptyTensors) {
  EXPECT_THAT(EmptyTensorErrorOf(OperationType::MAXIMUM, kFloat32, kFloat32),
              HasSubstr("MAXIMUM input 0 (operand 0) is empty: [0, 2]"));
}

TEST(MinimumTest, RefusesEmptyTensors) {
  EXPECT_THAT(EmptyTensorErrorOf(OperationType::MINIMUM, kFloat32, kFloat32),
              HasSubstr("MINIMUM input 0 (operand 0) is empty: [0, 2]"));
}

}  // namespace
}  // namespace nncert
