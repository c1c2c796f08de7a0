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
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kQuant8Symm = OperandType::TENSOR_QUANT8_SYMM;
constexpr OperandType kPerChannel = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;

hal::V1_2::Model ModelOf(OperationType type, const OperandSpec& input, const OperandSpec& output,
                         bool is_relaxed = false) {
  ModelBuilder builder;
  const uint32_t argument = builder.Input(input);
  const uint32_t result = builder.Output(output);
  builder.Operation(type, {argument}, {result}).Relaxed(is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const hal::V1_2::Model& model, const std::vector<double>& input) {
  return EvaluateDecided(model, {input});
}

TEST(QuantizeTest, RoundsToTheNearestStepAndAddsTheZeroPoint) {
  const Evaluated result =
      Evaluate(ModelOf(OperationType::QUANTIZE, {kFloat32, {2, 2}}, {kQuant8, {2, 2}, 0.5F, 10}),
               {1.4, -1.4, 0, 0.9});
  EXPECT_THAT(result.from_double, ElementsAre(13, 7, 10, 12));
  EXPECT_THAT(result.from_float, ElementsAre(13, 7, 10, 12));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

// Nothing is requantized, which would take a quarter of a step.
TEST(QuantizeTest, WhatIsNearATieIsCertain) {
  const Evaluated result =
      Evaluate(ModelOf(OperationType::QUANTIZE, {kFloat32, {4}}, {kQuant8, {4}, 1, 100}),
               {0.48, 0.52, -0.48, 0.4999999});
  EXPECT_THAT(result.from_double, ElementsAre(100, 101, 100, 100));
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(result.enclosure[i].IsExact()) << i;
  EXPECT_TRUE(result.enclosure[3].Contains(101));
}

TEST(QuantizeTest, TiesGoAwayFromZeroAndMayGoEitherWay) {
  const Evaluated result =
      Evaluate(ModelOf(OperationType::QUANTIZE, {kFloat32, {4}}, {kQuant8, {4}, 1, 100}),
               {0.5, 1.5, -0.5, -1.5});
  EXPECT_THAT(result.from_double, ElementsAre(101, 102, 99, 98));
  EXPECT_TRUE(result.enclosure[0].Contains(100));
  EXPECT_FALSE(result.enclosure[0].Contains(99));
}

TEST(QuantizeTest, Saturates) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Evaluated result =
      Evaluate(ModelOf(OperationType::QUANTIZE, {kFloat32, {4}}, {kQuant8, {4}, 1, 10}),
               {1000, -1000, infinity, -infinity});
  EXPECT_THAT(result.from_double, ElementsAre(255, 0, 255, 0));
}

TEST(QuantizeTest, OfNaNMayBeAnyStep) {
  const Evaluated result =
      Evaluate(ModelOf(OperationType::QUANTIZE, {kFloat32, {1}}, {kQuant8, {1}, 1, 10}),
               {std::numeric_limits<double>::quiet_NaN()});
  EXPECT_TRUE(result.enclosure[0].Contains(0));
  EXPECT_TRUE(result.enclosure[0].Contains(255));
}

TEST(QuantizeTest, OfHalvesAndOfRelaxedFloats) {
  // 100.25 steps: computed in halves, the quotient may be off by a quarter of a step.
  const std::vector<double> input = {100.25};
  const Evaluated halves =
      Evaluate(ModelOf(OperationType::QUANTIZE, {kFloat16, {1}}, {kQuant8, {1}, 1, 0}), input);
  EXPECT_THAT(halves.from_double, ElementsAre(100));
  const Evaluated relaxed = Evaluate(
      ModelOf(OperationType::QUANTIZE, {kFloat32, {1}}, {kQuant8, {1}, 1, 0}, true), {200.4});
  EXPECT_TRUE(relaxed.enclosure[0].Contains(201));
  const Evaluated exact =
      Evaluate(ModelOf(OperationType::QUANTIZE, {kFloat32, {1}}, {kQuant8, {1}, 1, 0}), {200.2});
  EXPECT_TRUE(exact.enclosure[0].IsExact());
}

TEST(QuantizeTest, EmptyTensorsStayEmpty) {
  const auto graph = PreparedGraph::Create(
      ModelOf(OperationType::QUANTIZE, {kFloat32, {0, 2}}, {kQuant8, {0, 2}, 1, 0}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0, 2};
  const auto outputs = (*graph)->Execute(NumberSystem::kDouble, {empty});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 2));
}

TEST(QuantizeTest, TakesAnyRank) {
  const std::vector<uint32_t> six(6, 1);
  const Evaluated result =
      Evaluate(ModelOf(OperationType::QUANTIZE, {kFloat32, six}, {kQuant8, {}, 1, 0}), {7});
  EXPECT_EQ(result.dimensions.size(), 6);
  EXPECT_THAT(result.from_double, ElementsAre(7));
}

TEST(QuantizeTest, CameWithHal12) {
  const hal::V1_2::Model model =
      ModelOf(OperationType::QUANTIZE, {kFloat32, {1}}, {kQuant8, {1}, 1, 0});
  EXPECT_EQ(ErrorOf(model), "");
  EXPECT_THAT(ErrorOf(model, HalVersion::V1_1), HasSubstr("QUANTIZE"));
}

TEST(QuantizeTest, RefusesOtherTypes) {
  EXPECT_THAT(ErrorOf(ModelOf(OperationType::QUANTIZE, {OperandType::TENSOR_INT32, {1}},
                              {kQuant8, {1}, 1, 0})),
              HasSubstr("QUANTIZE input 0 'input' (operand 0) is TENSOR_INT32"));
  EXPECT_THAT(ErrorOf(ModelOf(OperationType::QUANTIZE, {kFloat32, {1}}, {kQuant8Symm, {1}, 1, 0})),
              HasSubstr("QUANTIZE output 0 'output' (operand 1) is TENSOR_QUANT8_SYMM"));
}

TEST(DequantizeTest, OfAsymmetricElements) {
  const Evaluated result =
      Evaluate(ModelOf(OperationType::DEQUANTIZE, {kQuant8, {4}, 0.5F, 128}, {kFloat32, {4}}),
               {0, 127, 128, 255});
  EXPECT_THAT(result.from_double, ElementsAre(-64, -0.5, 0, 63.5));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(DequantizeTest, ProductsThatAFloatDoesNotHoldAreRounded) {
  // 3 * 0.1F has more than 24 significant bits.
  const Evaluated result =
      Evaluate(ModelOf(OperationType::DEQUANTIZE, {kQuant8, {1}, 0.1F, 0}, {kFloat32, {1}}), {3});
  const double product = 3 * static_cast<double>(0.1F);
  EXPECT_THAT(result.from_double, ElementsAre(product));
  EXPECT_THAT(result.from_float, ElementsAre(static_cast<float>(product)));
  EXPECT_NE(result.from_float, result.from_double);
  EXPECT_LT(result.enclosure[0].radius, product * 0x1p-23);
}

TEST(DequantizeTest, OfSymmetricElements) {
  const Evaluated result =
      Evaluate(ModelOf(OperationType::DEQUANTIZE, {kQuant8Symm, {3}, 0.5F, 0}, {kFloat32, {3}}),
               {-128, 0, 127});
  EXPECT_THAT(result.from_double, ElementsAre(-64, 0, 63.5));
}

TEST(DequantizeTest, OfElementsWithAScaleForEachChannel) {
  hal::V1_2::SymmPerChannelQuantParams scales = {.scales = {1, 0.5F, 0.25F}, .channelDim = 1};
  const Evaluated middle =
      Evaluate(ModelOf(OperationType::DEQUANTIZE, {kPerChannel, {2, 3, 2}, 0, 0, scales},
                       {kFloat32, {2, 3, 2}}),
               {4, 4, 4, 4, 4, 4, -8, -8, -8, -8, -8, -8});
  EXPECT_THAT(middle.from_double, ElementsAre(4, 4, 2, 2, 1, 1, -8, -8, -4, -4, -2, -2));
  scales.channelDim = 0;
  const Evaluated outermost = Evaluate(
      ModelOf(OperationType::DEQUANTIZE, {kPerChannel, {3, 2}, 0, 0, scales}, {kFloat32, {3, 2}}),
      {4, 8, 4, 8, 4, 8});
  EXPECT_THAT(outermost.from_double, ElementsAre(4, 8, 2, 4, 1, 2));
}

TEST(DequantizeTest, ToHalves) {
  // 2049 is between two halves.
  const Evaluated result =
      Evaluate(ModelOf(OperationType::DEQUANTIZE, {kQuant8, {2}, 683, 0}, {kFloat16, {2}}), {1, 3});
  EXPECT_THAT(result.from_double, ElementsAre(683, 2048));
  EXPECT_TRUE(result.enclosure[1].Contains(2050));
  EXPECT_TRUE(result.enclosure[0].IsExact());
}

TEST(DequantizeTest, RelaxedFloatsMayBeRoundedToHalves) {
  const Evaluated result = Evaluate(
      ModelOf(OperationType::DEQUANTIZE, {kQuant8, {1}, 683, 0}, {kFloat32, {1}}, true), {3});
  EXPECT_THAT(result.from_double, ElementsAre(2049));
  EXPECT_TRUE(result.enclosure[0].Contains(2048));
  EXPECT_TRUE(result.enclosure[0].Contains(2050));
}

TEST(DequantizeTest, EmptyTensorsStayEmpty) {
  const auto graph = PreparedGraph::Create(
      ModelOf(OperationType::DEQUANTIZE, {kQuant8, {0}, 1, 0}, {kFloat32, {0}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0};
  const auto outputs = (*graph)->Execute(NumberSystem::kBall, {empty});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0));
}

TEST(DequantizeTest, BeforeHal12OnlyAsymmetricElementsToFloats) {
  const OperandSpec asymmetric = {kQuant8, {1}, 1, 0};
  EXPECT_EQ(
      ErrorOf(ModelOf(OperationType::DEQUANTIZE, asymmetric, {kFloat32, {1}}), HalVersion::V1_0),
      "");
  EXPECT_THAT(
      ErrorOf(ModelOf(OperationType::DEQUANTIZE, asymmetric, {kFloat16, {1}}), HalVersion::V1_1),
      HasSubstr("the type is TENSOR_FLOAT16; expected one of HAL 1.1"));
  const hal::V1_2::Model symmetric =
      ModelOf(OperationType::DEQUANTIZE, {kQuant8Symm, {1}, 1, 0}, {kFloat32, {1}});
  EXPECT_EQ(ErrorOf(symmetric), "");
  EXPECT_THAT(ErrorOf(symmetric, HalVersion::V1_1),
              HasSubstr("the type is TENSOR_QUANT8_SYMM; expected one of HAL 1.1"));
}

TEST(DequantizeTest, TakesRanksUpToFour) {
  const std::vector<uint32_t> five(5, 1);
  EXPECT_THAT(ErrorOf(ModelOf(OperationType::DEQUANTIZE, {kQuant8, five, 1, 0}, {kFloat32, five})),
              HasSubstr("DEQUANTIZE input 0 'input' (operand 0) has rank 5"));
}

}  // namespace
}  // namespace nncert
