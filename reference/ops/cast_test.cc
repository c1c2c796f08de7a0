// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kTypes[] = {kFloat32, kFloat16, kInt32, kQuant8};

// Scale and zeroPoint that would show if they were used.
OperandSpec Spec(OperandType type, const std::vector<uint32_t>& dimensions) {
  if (type != kQuant8) return {type, dimensions};
  return {type, dimensions, 0.25F, 7};
}

hal::V1_2::Model ModelOf(const OperandSpec& input, const OperandSpec& output,
                         bool is_relaxed = false) {
  ModelBuilder builder;
  const uint32_t from = builder.Input(input);
  const uint32_t to = builder.Output(output);
  builder.Operation(OperationType::CAST, {from}, {to}).Relaxed(is_relaxed);
  return builder.model();
}

Evaluated Cast(OperandType from, OperandType to, const std::vector<double>& input,
               bool is_relaxed = false) {
  const std::vector<uint32_t> dimensions = {static_cast<uint32_t>(input.size())};
  return EvaluateDecided(ModelOf(Spec(from, dimensions), Spec(to, dimensions), is_relaxed),
                         {input});
}

TEST(CastTest, KeepsIntegersInAllSixteenPairs) {
  const std::vector<double> integers = {0, 1, 2, 100, 255};
  for (const OperandType from : kTypes) {
    for (const OperandType to : kTypes) {
      const Evaluated result = Cast(from, to, integers);
      EXPECT_THAT(result.from_double, ElementsAreArray(integers));
      EXPECT_THAT(result.from_float, ElementsAreArray(integers));
      for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
    }
  }
}

TEST(CastTest, TruncatesToIntegers) {
  for (const OperandType from : {kFloat32, kFloat16}) {
    EXPECT_THAT(Cast(from, kInt32, {2.75, -2.75, 0.5, -0.5, 1.5}).from_double,
                ElementsAre(2, -2, 0, 0, 1));
    EXPECT_THAT(Cast(from, kQuant8, {2.75, 0.5, 1.5, 254.5}).from_double,
                ElementsAre(2, 0, 1, 254));
  }
}

TEST(CastTest, SaturatesQuantizedOutputs) {
  for (const OperandType from : {kFloat32, kFloat16, kInt32}) {
    const Evaluated result = Cast(from, kQuant8, {256, 1000, -1, -1000});
    EXPECT_THAT(result.from_double, ElementsAre(255, 255, 0, 0));
    for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(Cast(kFloat32, kQuant8, {infinity, -infinity}).from_double, ElementsAre(255, 0));
}

TEST(CastTest, RoundsWhatAFloatDoesNotHold) {
  const Evaluated result = Cast(kInt32, kFloat32, {16777217, -2147483647, 16777216});
  EXPECT_THAT(result.from_float, ElementsAre(16777216, -2147483648, 16777216));
  EXPECT_TRUE(result.enclosure[0].Contains(16777218));
  EXPECT_TRUE(result.enclosure[2].IsExact());
}

TEST(CastTest, RoundsWhatAHalfDoesNotHold) {
  const Evaluated floats = Cast(kFloat32, kFloat16, {0.1, 2049});
  // 0.1 is between 0.0999755859375 and 0.10003662109375.
  EXPECT_THAT(floats.from_double, ElementsAre(0.0999755859375, 2048));
  EXPECT_TRUE(floats.enclosure[0].Contains(0.10003662109375));
  const Evaluated integers = Cast(kInt32, kFloat16, {2049, 2050});
  EXPECT_THAT(integers.from_double, ElementsAre(2048, 2050));
  EXPECT_TRUE(integers.enclosure[0].Contains(2050));
  EXPECT_TRUE(integers.enclosure[1].IsExact());
}

TEST(CastTest, HalvesAreExactAsFloats) {
  const Evaluated result = Cast(kFloat16, kFloat32, {0.0999755859375, -65504});
  EXPECT_THAT(result.from_double, ElementsAre(0.0999755859375, -65504));
  EXPECT_TRUE(result.enclosure[0].IsExact());
}

TEST(CastTest, BeyondTheRangeOfHalvesAnythingMayCome) {
  const Evaluated result = Cast(kFloat32, kFloat16, {70000});
  EXPECT_FALSE(result.enclosure[0].IsBounded());
}

TEST(CastTest, BeyondTheRangeOfInt32AnyIntegerMayCome) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const Evaluated result = Cast(kFloat32, kInt32, {3e9, -3e9, infinity, nan, 2147483520});
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(result.enclosure[i].Contains(-2147483648.0)) << i;
    EXPECT_TRUE(result.enclosure[i].Contains(2147483647)) << i;
  }
  EXPECT_TRUE(result.enclosure[4].IsExact());
  EXPECT_THAT(result.from_double,
              ElementsAre(2147483647, -2147483648.0, 2147483647, 0, 2147483520));
}

TEST(CastTest, OfNaNToQuantizedMayBeAnyInteger) {
  const Evaluated result = Cast(kFloat32, kQuant8, {std::numeric_limits<double>::quiet_NaN()});
  EXPECT_TRUE(result.enclosure[0].Contains(0));
  EXPECT_TRUE(result.enclosure[0].Contains(255));
}

TEST(CastTest, NaNAndInfinityStayInFloats) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Evaluated result =
      Cast(kFloat16, kFloat32, {infinity, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(result.from_float[0], infinity);
  EXPECT_TRUE(std::isnan(result.from_float[1]));
  EXPECT_TRUE(result.enclosure[0].IsExactSpecial());
}

TEST(CastTest, ANumberNearAnIntegerIsDecidedByTheInput) {
  // 2.9999 is 3 as a half: in a relaxed model either integer may come.
  EXPECT_TRUE(Cast(kFloat32, kInt32, {2.9999}).enclosure[0].IsExact());
  const Evaluated relaxed = Cast(kFloat32, kInt32, {2.9999}, true);
  EXPECT_TRUE(relaxed.enclosure[0].Contains(2));
  EXPECT_TRUE(relaxed.enclosure[0].Contains(3));
  EXPECT_FALSE(relaxed.enclosure[0].Contains(1));
}

TEST(CastTest, KeepsTheDimensions) {
  const auto results = EvaluateInAllSystems(ModelOf({kFloat32, {2, 1, 3, 1, 1}}, {kInt32, {}}),
                                            {{1, 2, 3, 4, 5, 6}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].dimensions, ElementsAre(2, 1, 3, 1, 1));
}

TEST(CastTest, RefusesEmptyTensors) {
  const auto graph = PreparedGraph::Create(ModelOf({kFloat32, {0}}, {kInt32, {0}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {empty}).status().message(),
              HasSubstr("CAST input 0 (operand 0) is empty"));
}

TEST(CastTest, RefusesOtherTypes) {
  EXPECT_THAT(PreparedGraph::Create(ModelOf({OperandType::TENSOR_BOOL8, {1}}, {kInt32, {1}}))
                  .status()
                  .message(),
              HasSubstr("CAST input 0 'input' (operand 0) is TENSOR_BOOL8"));
  EXPECT_THAT(PreparedGraph::Create(ModelOf({kInt32, {1}}, {OperandType::TENSOR_BOOL8, {1}}))
                  .status()
                  .message(),
              HasSubstr("CAST output 0 'output' (operand 1) is TENSOR_BOOL8"));
}

TEST(CastTest, CameWithHal12) {
  EXPECT_THAT(PreparedGraph::Create(ModelOf({kFloat32, {1}}, {kInt32, {1}}), HalVersion::V1_1)
                  .status()
                  .message(),
              HasSubstr("CAST"));
}

}  // namespace
}  // namespace nncert
