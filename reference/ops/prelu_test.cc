// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/model_builder.h"
#include "reference/testing/elementwise.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using hal::V1_2::OperationType;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

hal::V1_2::Model ModelOf(const OperandSpec& a, const OperandSpec& b, const OperandSpec& output,
                         bool is_relaxed = false) {
  return BinaryModel(OperationType::PRELU, a, b, output, is_relaxed);
}

TEST(PreluTest, MultipliesNegativeElementsByAlpha) {
  for (const OperandType type : {kFloat32, kFloat16}) {
    const OperandSpec row = {type, {5}};
    const Evaluated result =
        Evaluate(ModelOf(row, row, row), {-4, -4, 0, 3, -0.5}, {0.25, -2, 7, 7, 0});
    EXPECT_THAT(result.from_double, ElementsAre(-1, 8, 0, 3, 0));
    EXPECT_THAT(result.from_float, ElementsAre(-1, 8, 0, 3, 0));
    EXPECT_TRUE(result.enclosure[3].IsExact());
    EXPECT_LT(result.enclosure[0].radius, type == kFloat32 ? 1e-7 : 2e-3);
  }
}

TEST(PreluTest, OfQuantizedElementsWhateverTheScales) {
  // Inputs -2, 2, -64 and 63.5, alphas 0.5, 0.5, -5 and -5.
  // -1, 2, 320 and 63.5 in steps of 0.25 from 100: 96, 108, above the range, above the range.
  const std::vector<double> input = {124, 132, 0, 255};
  const std::vector<double> alpha = {22, 22, 0, 0};
  const auto with = [&](float scale, int32_t zero_point) {
    return Evaluate(ModelOf({kQuant8, {4}, 0.5F, 128}, {kQuant8, {4}, 0.25F, 20},
                            {kQuant8, {4}, scale, zero_point}),
                    input, alpha);
  };
  EXPECT_THAT(with(0.25F, 100).from_double, ElementsAre(96, 108, 255, 255));
  // In steps of 2, -1 is a tie; 2, 320 and 63.5 are 1, 160 and 31.75 steps.
  const Evaluated coarse = with(2, 10);
  EXPECT_THAT(std::vector<double>(coarse.from_double.begin() + 1, coarse.from_double.end()),
              ElementsAre(11, 170, 42));
  EXPECT_TRUE(coarse.enclosure[0].Contains(9) && coarse.enclosure[0].Contains(10));
  EXPECT_TRUE(coarse.enclosure[2].IsExact());
  // In steps of 1/16, finer than the product of the scales.
  EXPECT_THAT(with(0.0625F, 100).from_double, ElementsAre(84, 132, 255, 255));
}

TEST(PreluTest, BroadcastsAlphaOverChannels) {
  const Evaluated result =
      Evaluate(ModelOf({kFloat32, {1, 2, 2}}, {kFloat32, {1, 1, 2}}, {kFloat32, {1, 2, 2}}),
               {-1, -1, -2, 5}, {10, 100});
  EXPECT_THAT(result.from_double, ElementsAre(-10, -100, -20, 5));
}

TEST(PreluTest, BroadcastsTheInputTooAndToUnknownDimensions) {
  const Evaluated result = Evaluate(
      ModelOf({kFloat32, {2, 1}}, {kFloat32, {1, 1, 1, 1, 2}}, {kFloat32, {}}), {-1, 2}, {3, 4});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 1, 1, 2, 2));
  EXPECT_THAT(result.from_double, ElementsAre(-3, -4, 2, 2));
}

TEST(PreluTest, AnArgumentAroundZeroIsOnEitherSide) {
  // 1.0001 - 1 in halves is anything from -0.001 to 0.001, so the output from -0.1 to 0.001.
  ModelBuilder builder;
  const OperandSpec row = {kFloat32, {1}};
  const uint32_t a = builder.Input(row);
  const uint32_t b = builder.Input(row);
  const uint32_t alpha = builder.Input(row);
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Temporary(row);
  const uint32_t result = builder.Output(row);
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::PRELU, {sum, alpha}, {result}).Relaxed();
  const auto results = EvaluateInAllSystems(builder.model(), {{1.0001}, {-1}, {100}});
  ASSERT_TRUE(results.ok()) << results.status();
  const Ball& ball = (*results)[0].enclosure[0];
  EXPECT_TRUE(ball.Contains(-0.01));
  EXPECT_TRUE(ball.Contains(0.0005));
  EXPECT_LT(ball.Upper(), 0.002);
  EXPECT_GT(ball.Lower(), -0.1);
}

TEST(PreluTest, OfSpecials) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const OperandSpec row = {kFloat32, {4}};
  const Evaluated result =
      Evaluate(ModelOf(row, row, row), {-infinity, infinity, nan, 2}, {2, -1, 1, nan});
  EXPECT_EQ(result.from_double[0], -infinity);
  EXPECT_EQ(result.from_double[1], infinity);
  EXPECT_TRUE(std::isnan(result.from_double[2]));
  EXPECT_EQ(result.from_double[3], 2);
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(PreluTest, RefusesDimensionsThatDoNotBroadcast) {
  EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {2}}, {kFloat32, {3}}, {kFloat32, {3}})),
              HasSubstr("PRELU: dimensions [2] and [3] do not broadcast"));
}

TEST(PreluTest, RefusesOtherTypesAndMixedOnes) {
  const OperandSpec integers = {kInt32, {1}};
  EXPECT_THAT(ErrorOf(ModelOf(integers, integers, integers)),
              HasSubstr("PRELU input 0 'input' (operand 0) is TENSOR_INT32"));
  EXPECT_THAT(
      ErrorOf(ModelOf({kFloat32, {1}}, {kFloat16, {1}}, {kFloat32, {1}})),
      HasSubstr("PRELU input 1 'alpha' (operand 1) is TENSOR_FLOAT16; expected TENSOR_FLOAT32"));
}

TEST(PreluTest, CameWithHal12) {
  const OperandSpec row = {kFloat32, {1}};
  EXPECT_EQ(ErrorOf(ModelOf(row, row, row)), "");
  EXPECT_THAT(ErrorOf(ModelOf(row, row, row), HalVersion::V1_1),
              HasSubstr("the type is PRELU; expected one of HAL 1.1"));
}

TEST(PreluTest, RefusesEmptyTensors) {
  EXPECT_THAT(EmptyTensorErrorOf(OperationType::PRELU, kFloat32, kFloat32),
              HasSubstr("PRELU input 0 (operand 0) is empty: [0, 2]"));
}

}  // namespace
}  // namespace nncert
