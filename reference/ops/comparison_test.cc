// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/elementwise.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kBool8 = OperandType::TENSOR_BOOL8;

hal::V1_2::Model ModelOf(const OperandSpec& a, const OperandSpec& b, const OperandSpec& output,
                         bool is_relaxed = false) {
  return BinaryModel(OperationType::EQUAL, a, b, output, is_relaxed);
}

bool IsUndecidedAnswer(const Ball& ball) { return ball.Contains(0) && ball.Contains(1); }

TEST(EqualTest, OfEveryTypeButQuantized) {
  for (const OperandType type : {kFloat32, kFloat16, kInt32}) {
    const Evaluated result =
        Evaluate(ModelOf({type, {4}}, {type, {4}}, {kBool8, {4}}), {1, 2, -3, 0}, {1, 3, -3, -1});
    EXPECT_THAT(result.from_double, ElementsAre(1, 0, 1, 0));
    EXPECT_THAT(result.from_float, ElementsAre(1, 0, 1, 0));
    for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  }
}

TEST(EqualTest, OfBooleans) {
  const Evaluated result =
      Evaluate(ModelOf({kBool8, {4}}, {kBool8, {4}}, {kBool8, {4}}), {0, 0, 1, 1}, {0, 1, 0, 1});
  EXPECT_THAT(result.from_double, ElementsAre(1, 0, 0, 1));
}

TEST(EqualTest, AllBytesButZeroAreTheSameTruth) {
  const auto graph = PreparedGraph::Create(ModelOf({kBool8, {2}}, {kBool8, {2}}, {kBool8, {2}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::byte a[2] = {std::byte{1}, std::byte{255}};
  const std::byte b[2] = {std::byte{2}, std::byte{0}};
  std::vector<InputArgument> arguments(2);
  arguments[0].elements = a;
  arguments[1].elements = b;
  const auto floats = (*graph)->Execute(NumberSystem::kFloat, arguments);
  ASSERT_TRUE(floats.ok()) << floats.status();
  EXPECT_THAT((*floats)[0].elements, ElementsAre(std::byte{1}, std::byte{0}));
  const auto doubles = (*graph)->Execute(NumberSystem::kDouble, arguments);
  ASSERT_TRUE(doubles.ok()) << doubles.status();
  EXPECT_THAT((*doubles)[0].doubles(), ElementsAre(1, 0));
}

TEST(EqualTest, LargeIntegersAreComparedExactly) {
  // As floats these would be equal.
  const Evaluated result = Evaluate(ModelOf({kInt32, {2}}, {kInt32, {2}}, {kBool8, {2}}),
                                    {2147483647, 16777217}, {2147483646, 16777216});
  EXPECT_THAT(result.from_float, ElementsAre(0, 0));
}

TEST(EqualTest, QuantizedElementsOfTheSameParametersAreComparedByTheirIntegers) {
  const OperandSpec spec = {kQuant8, {3}, 0.1F, 3};
  const Evaluated result = Evaluate(ModelOf(spec, spec, {kBool8, {3}}), {0, 7, 255}, {0, 8, 255});
  EXPECT_THAT(result.from_double, ElementsAre(1, 0, 1));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(EqualTest, QuantizedElementsOfDifferentParametersAreComparedAsReals) {
  // (130 - 128) * 1 = (14 - 10) * 0.5 = 2; the integers are never equal.
  const Evaluated result =
      Evaluate(ModelOf({kQuant8, {3}, 1, 128}, {kQuant8, {3}, 0.5F, 10}, {kBool8, {3}}),
               {130, 130, 128}, {14, 15, 128});
  EXPECT_THAT(result.from_double, ElementsAre(1, 0, 0));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(EqualTest, RealsThatOnlyNearlyAgreeMayCompareEitherWay) {
  // 0.1F * 30 and 0.3F * 10 differ in the eighth digit; rounded to floats they may be equal.
  const Evaluated result = Evaluate(
      ModelOf({kQuant8, {2}, 0.1F, 0}, {kQuant8, {2}, 0.3F, 0}, {kBool8, {2}}), {30, 30}, {10, 11});
  EXPECT_TRUE(IsUndecidedAnswer(result.enclosure[0]));
  EXPECT_TRUE(result.enclosure[1].IsExact());
}

TEST(EqualTest, ResultsOfOtherOperationsMayCompareEitherWay) {
  ModelBuilder builder;
  const OperandSpec row = {kFloat32, {1}};
  const uint32_t a = builder.Input(row);
  const uint32_t b = builder.Input(row);
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Temporary(row);
  const uint32_t answer = builder.Output({kBool8, {1}});
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::EQUAL, {sum, b}, {answer});
  EXPECT_TRUE(IsUndecidedAnswer(Evaluate(builder.model(), {1e-9}, {1}).enclosure[0]));
  EXPECT_TRUE(Evaluate(builder.model(), {1}, {1}).enclosure[0].IsExact());
}

TEST(EqualTest, RelaxedFloatsMayBeTheSameHalf) {
  const OperandSpec row = {kFloat32, {2}};
  const Evaluated result = Evaluate(ModelOf(row, row, {kBool8, {2}}, true), {1.0001, 1}, {1, 1});
  EXPECT_TRUE(IsUndecidedAnswer(result.enclosure[0]));
  EXPECT_TRUE(result.enclosure[1].IsExact());
}

TEST(EqualTest, FollowsIEEE754ForSpecials) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const OperandSpec row = {kFloat32, {4}};
  const Evaluated result = Evaluate(ModelOf(row, row, {kBool8, {4}}), {nan, infinity, infinity, 0},
                                    {nan, infinity, -infinity, -0.0});
  EXPECT_THAT(result.from_float, ElementsAre(0, 1, 0, 1));
}

TEST(EqualTest, Broadcasts) {
  const Evaluated result =
      Evaluate(ModelOf({kInt32, {2, 1}}, {kInt32, {3}}, {kBool8, {2, 3}}), {1, 3}, {1, 2, 3});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 3));
  EXPECT_THAT(result.from_double, ElementsAre(1, 0, 0, 0, 0, 1));
}

TEST(EqualTest, TakesAnyRankAndUnknownDimensions) {
  const Evaluated result = Evaluate(
      ModelOf({kInt32, {1, 1, 1, 1, 2}}, {kInt32, {2}}, {kBool8, {0, 0, 0, 0, 0}}), {1, 2}, {1, 3});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 1, 1, 1, 2));
  EXPECT_THAT(result.from_double, ElementsAre(1, 0));
}

TEST(EqualTest, RefusesDimensionsThatDoNotBroadcast) {
  EXPECT_THAT(ErrorOf(ModelOf({kInt32, {2}}, {kInt32, {3}}, {kBool8, {3}})),
              HasSubstr("EQUAL: dimensions [2] and [3] do not broadcast"));
}

TEST(EqualTest, RefusesInputsOfDifferentTypesAndOtherOutputs) {
  EXPECT_THAT(ErrorOf(ModelOf({kInt32, {1}}, {kFloat32, {1}}, {kBool8, {1}})),
              HasSubstr("EQUAL input 1 'b' (operand 1) is TENSOR_FLOAT32; expected TENSOR_INT32"));
  EXPECT_THAT(ErrorOf(ModelOf({kInt32, {1}}, {kInt32, {1}}, {kInt32, {1}})),
              HasSubstr("EQUAL output 0 'output' (operand 2) is TENSOR_INT32"));
}

TEST(EqualTest, CameWithHal12) {
  EXPECT_THAT(ErrorOf(ModelOf({kInt32, {1}}, {kInt32, {1}}, {kBool8, {1}}), HalVersion::V1_1),
              HasSubstr("TENSOR_BOOL8"));
}

// What each comparison answers when a is below, equal to and above b, and with NaN.
struct ComparisonCase {
  OperationType type;
  double below;
  double equal;
  double above;
  double unordered;
};

constexpr ComparisonCase kComparisons[] = {
    {OperationType::EQUAL, 0, 1, 0, 0},   {OperationType::NOT_EQUAL, 1, 0, 1, 1},
    {OperationType::LESS, 1, 0, 0, 0},    {OperationType::LESS_EQUAL, 1, 1, 0, 0},
    {OperationType::GREATER, 0, 0, 1, 0}, {OperationType::GREATER_EQUAL, 0, 1, 1, 0},
};

class ComparisonTest : public testing::TestWithParam<ComparisonCase> {
 protected:
  static hal::V1_2::Model ComparisonOf(const OperandSpec& a, const OperandSpec& b,
                                       const OperandSpec& output, bool is_relaxed = false) {
    return BinaryModel(GetParam().type, a, b, output, is_relaxed);
  }
};

INSTANTIATE_TEST_SUITE_P(All, ComparisonTest, testing::ValuesIn(kComparisons));

TEST_P(ComparisonTest, OrdersNumbersOfEveryType) {
  const ComparisonCase& expected = GetParam();
  for (const OperandType type : {kFloat32, kFloat16, kInt32}) {
    const OperandSpec row = {type, {4}};
    const Evaluated result =
        Evaluate(ComparisonOf(row, row, {kBool8, {4}}), {-2, 5, 5, 1024}, {-1, 5, -5, 1024});
    const auto is_right =
        ElementsAre(expected.below, expected.equal, expected.above, expected.equal);
    EXPECT_THAT(result.from_double, is_right);
    EXPECT_THAT(result.from_float, is_right);
    for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  }
}

TEST_P(ComparisonTest, FalseIsBelowTrue) {
  const ComparisonCase& expected = GetParam();
  const OperandSpec row = {kBool8, {4}};
  const Evaluated result = Evaluate(ComparisonOf(row, row, row), {0, 0, 1, 1}, {1, 0, 0, 1});
  EXPECT_THAT(result.from_double,
              ElementsAre(expected.below, expected.equal, expected.above, expected.equal));
}

TEST_P(ComparisonTest, TellsLargeIntegersApart) {
  const ComparisonCase& expected = GetParam();
  const OperandSpec row = {kInt32, {3}};
  const Evaluated result =
      Evaluate(ComparisonOf(row, row, {kBool8, {3}}), {2147483646, -2147483648.0, 16777217},
               {2147483647, -2147483648.0, 16777216});
  EXPECT_THAT(result.from_float, ElementsAre(expected.below, expected.equal, expected.above));
}

TEST_P(ComparisonTest, OfQuantizedElementsOfOneMeaning) {
  const ComparisonCase& expected = GetParam();
  const OperandSpec row = {kQuant8, {3}, 0.1F, 77};
  const Evaluated result =
      Evaluate(ComparisonOf(row, row, {kBool8, {3}}), {3, 100, 255}, {4, 100, 254});
  EXPECT_THAT(result.from_double, ElementsAre(expected.below, expected.equal, expected.above));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST_P(ComparisonTest, OfQuantizedElementsOfDifferentMeanings) {
  // a is 2, 2 and 2; b is (15 - 10) * 0.5 = 2.5, 2 and (2 - 10) * 0.5 = -4.
  const ComparisonCase& expected = GetParam();
  const Evaluated result =
      Evaluate(ComparisonOf({kQuant8, {3}, 1, 128}, {kQuant8, {3}, 0.5F, 10}, {kBool8, {3}}),
               {130, 130, 130}, {15, 14, 2});
  EXPECT_THAT(result.from_double, ElementsAre(expected.below, expected.equal, expected.above));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST_P(ComparisonTest, RealsThatOnlyNearlyAgreeMayCompareEitherWay) {
  // 0.1F * 30 and 0.3F * 10 differ in the eighth digit; 0.3F * 11 is well above.
  const Evaluated result =
      Evaluate(ComparisonOf({kQuant8, {2}, 0.1F, 0}, {kQuant8, {2}, 0.3F, 0}, {kBool8, {2}}),
               {30, 30}, {10, 11});
  EXPECT_TRUE(IsUndecidedAnswer(result.enclosure[0]));
  EXPECT_TRUE(result.enclosure[1].IsExact());
  EXPECT_EQ(result.from_double[1], GetParam().below);
}

TEST_P(ComparisonTest, FollowsIEEE754ForSpecials) {
  const ComparisonCase& expected = GetParam();
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const OperandType type : {kFloat32, kFloat16}) {
    const OperandSpec row = {type, {6}};
    const Evaluated result =
        Evaluate(ComparisonOf(row, row, {kBool8, {6}}), {nan, 1, infinity, infinity, -infinity, 0},
                 {nan, nan, infinity, -infinity, 3, -0.0});
    const auto is_right = ElementsAre(expected.unordered, expected.unordered, expected.equal,
                                      expected.above, expected.below, expected.equal);
    EXPECT_THAT(result.from_float, is_right);
    EXPECT_THAT(result.from_double, is_right);
  }
}

TEST_P(ComparisonTest, RelaxedFloatsMayBeTheSameHalf) {
  const OperandSpec row = {kFloat32, {2}};
  const Evaluated result =
      Evaluate(ComparisonOf(row, row, {kBool8, {2}}, true), {1.0001, 1}, {1, 1.5});
  EXPECT_TRUE(IsUndecidedAnswer(result.enclosure[0]));
  EXPECT_TRUE(result.enclosure[1].IsExact());
  EXPECT_EQ(result.from_double[1], GetParam().below);
}

TEST_P(ComparisonTest, BroadcastsTensorsOfAnyRankToUnknownDimensions) {
  const ComparisonCase& expected = GetParam();
  const Evaluated result = Evaluate(
      ComparisonOf({kInt32, {1, 1, 1, 2, 1}}, {kInt32, {3}}, {kBool8, {}}), {1, 3}, {1, 2, 3});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 1, 1, 2, 3));
  EXPECT_THAT(result.from_double, ElementsAre(expected.equal, expected.below, expected.below,
                                              expected.above, expected.above, expected.equal));
}

TEST_P(ComparisonTest, RefusesWhatDoesNotFitTogether) {
  EXPECT_THAT(ErrorOf(ComparisonOf({kInt32, {2}}, {kInt32, {3}}, {kBool8, {3}})),
              HasSubstr("dimensions [2] and [3] do not broadcast"));
  EXPECT_THAT(ErrorOf(ComparisonOf({kInt32, {1}}, {kFloat32, {1}}, {kBool8, {1}})),
              HasSubstr("input 1 'b' (operand 1) is TENSOR_FLOAT32; expected TENSOR_INT32"));
  EXPECT_THAT(ErrorOf(ComparisonOf({kInt32, {1}}, {kInt32, {1}}, {kInt32, {1}})),
              HasSubstr("output 0 'output' (operand 2) is TENSOR_INT32"));
}

TEST_P(ComparisonTest, CameWithHal12) {
  const hal::V1_2::Model model = ComparisonOf({kInt32, {1}}, {kInt32, {1}}, {kBool8, {1}});
  EXPECT_EQ(ErrorOf(model), "");
  EXPECT_THAT(ErrorOf(model, HalVersion::V1_1),
              HasSubstr("the type is TENSOR_BOOL8; expected one of HAL 1.1"));
}

TEST_P(ComparisonTest, RefusesEmptyTensors) {
  EXPECT_THAT(EmptyTensorErrorOf(GetParam().type, kInt32, kBool8),
              HasSubstr("input 0 (operand 0) is empty: [0, 2]"));
}

}  // namespace
}  // namespace nncert
