// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the entries of the table are; unary_exhaustive_test.cc computes them on every 8-bit and half
// value.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/executor.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/model_builder.h"

namespace nncert {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

hal::V1_2::Model ModelOf(OperationType type, const OperandSpec& input, const OperandSpec& output,
                         bool is_relaxed = false) {
  ModelBuilder builder;
  const uint32_t argument = builder.Input(input);
  const uint32_t result = builder.Output(output);
  builder.Operation(type, {argument}, {result}).Relaxed(is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const hal::V1_2::Model& model, const std::vector<double>& input) {
  const auto results = EvaluateInAllSystems(model, {input});
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  EXPECT_TRUE((*results)[0].undecided.ok());
  return (*results)[0];
}

std::string ErrorOf(const hal::V1_2::Model& model, HalVersion version = HalVersion::V1_2) {
  return std::string(PreparedGraph::Create(model, version).status().message());
}

TEST(LogisticTest, IsTheLogisticSigmoid) {
  // logistic(log k) = k / (k + 1); logistic(-x) = 1 - logistic(x).
  const OperandSpec spec = {kFloat32, {2, 2}};
  const Evaluated result = Evaluate(ModelOf(OperationType::LOGISTIC, spec, spec),
                                    {0, std::log(3), -std::log(3), std::log(9)});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 2));
  EXPECT_THAT(result.from_double, ElementsAre(0.5, DoubleNear(0.75, 1e-7), DoubleNear(0.25, 1e-7),
                                              DoubleNear(0.9, 1e-7)));
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 2e-6);
}

TEST(LogisticTest, SaturatesWithoutOverflow) {
  const OperandSpec spec = {kFloat32, {4}};
  const double infinity = std::numeric_limits<double>::infinity();
  const Evaluated result =
      Evaluate(ModelOf(OperationType::LOGISTIC, spec, spec), {1000, -1000, infinity, -infinity});
  EXPECT_THAT(result.from_float, ElementsAre(1, 0, 1, 0));
  EXPECT_LT(result.enclosure[1].radius, 2e-6);
}

TEST(LogisticTest, OfHalvesAndOfRelaxedFloats) {
  const Evaluated halves =
      Evaluate(ModelOf(OperationType::LOGISTIC, {kFloat16, {1}}, {kFloat16, {1}}), {2});
  // 1 / (1 + exp(-2)) = 0.880797; halves are 2^-11 apart there.
  EXPECT_THAT(halves.from_double, ElementsAre(DoubleNear(0.880797, 0x1p-12)));
  EXPECT_LT(halves.enclosure[0].radius, 0.012);
  const Evaluated relaxed =
      Evaluate(ModelOf(OperationType::LOGISTIC, {kFloat32, {1}}, {kFloat32, {1}}, true), {2});
  EXPECT_GT(relaxed.enclosure[0].radius, 1e-4);
}

TEST(LogisticTest, OfQuantizedElements) {
  // 1 / (1 + exp(-1)) = 0.7310586 is 187.15 steps of 1/256; logistic(12.7) saturates at 255.
  const Evaluated result = Evaluate(
      ModelOf(OperationType::LOGISTIC, {kQuant8, {3}, 0.1F, 128}, {kQuant8, {3}, 1.0F / 256, 0}),
      {138, 128, 255});
  EXPECT_THAT(result.from_double, ElementsAre(187, 128, 255));
}

TEST(LogisticTest, RefusesAQuantizedOutputOfAnotherScale) {
  EXPECT_THAT(ErrorOf(ModelOf(OperationType::LOGISTIC, {kQuant8, {3}, 0.1F, 128},
                              {kQuant8, {3}, 1.0F / 128, 0})),
              HasSubstr("LOGISTIC output 0 'output' (operand 1) has scale 0.0078125"));
}

TEST(Relu6Test, LimitsToZeroAndSix) {
  const OperandSpec spec = {kFloat32, {5}};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::RELU6, spec, spec), {-3, 0, 2.5, 6, 1e30});
  EXPECT_THAT(result.from_double, ElementsAre(0, 0, 2.5, 6, 6));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(Relu6Test, OfHalves) {
  const OperandSpec spec = {kFloat16, {3}};
  const Evaluated result = Evaluate(ModelOf(OperationType::RELU6, spec, spec), {-1, 5.99609375, 7});
  EXPECT_THAT(result.from_double, ElementsAre(0, 5.99609375, 6));
}

TEST(Relu6Test, OfQuantizedElements) {
  // Zero is step 100, six is step 112.
  const OperandSpec spec = {kQuant8, {4}, 0.5F, 100};
  const Evaluated result = Evaluate(ModelOf(OperationType::RELU6, spec, spec), {0, 100, 111, 255});
  EXPECT_THAT(result.from_double, ElementsAre(100, 100, 111, 112));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(Relu6Test, RefusesAQuantizedOutputOfAnotherScale) {
  EXPECT_THAT(
      ErrorOf(ModelOf(OperationType::RELU6, {kQuant8, {1}, 0.5F, 1}, {kQuant8, {1}, 0.5F, 0})),
      HasSubstr("RELU6 output 0 'output' (operand 1)"));
}

class ActivationOperationTest : public testing::TestWithParam<OperationType> {};

INSTANTIATE_TEST_SUITE_P(All, ActivationOperationTest,
                         testing::Values(OperationType::LOGISTIC, OperationType::RELU6));

TEST_P(ActivationOperationTest, TakesRanksOneToFour) {
  for (int rank = 1; rank <= 5; ++rank) {
    const OperandSpec spec = {kFloat32, std::vector<uint32_t>(rank, 1)};
    EXPECT_EQ(ErrorOf(ModelOf(GetParam(), spec, spec)).empty(), rank <= 4) << rank;
  }
}

TEST_P(ActivationOperationTest, TakesHalvesSinceHal12) {
  const OperandSpec spec = {kFloat16, {1}};
  EXPECT_EQ(ErrorOf(ModelOf(GetParam(), spec, spec)), "");
  EXPECT_THAT(ErrorOf(ModelOf(GetParam(), spec, spec), HalVersion::V1_1),
              HasSubstr("TENSOR_FLOAT16"));
}

TEST_P(ActivationOperationTest, KeepsDimensionsUnknownBefore) {
  const Evaluated result =
      Evaluate(ModelOf(GetParam(), {kFloat32, {3, 1}}, {kFloat32, {}}), {1, 2, 3});
  EXPECT_THAT(result.dimensions, ElementsAre(3, 1));
}

TEST_P(ActivationOperationTest, EmptyTensorsStayEmpty) {
  const auto graph =
      PreparedGraph::Create(ModelOf(GetParam(), {kFloat32, {0, 2}}, {kFloat32, {0, 2}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0, 2};
  const auto outputs = (*graph)->Execute(NumberSystem::kFloat, {empty});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 2));
}

TEST_P(ActivationOperationTest, RefusesAnOutputOfOtherDimensions) {
  EXPECT_THAT(ErrorOf(ModelOf(GetParam(), {kFloat32, {2, 3}}, {kFloat32, {3, 2}})),
              HasSubstr("dimensions are [2, 3]; the model declares [3, 2]"));
}

TEST_P(ActivationOperationTest, RefusesAnOutputOfAnotherType) {
  EXPECT_THAT(ErrorOf(ModelOf(GetParam(), {kFloat32, {2}}, {kFloat16, {2}})),
              HasSubstr("is TENSOR_FLOAT16; expected TENSOR_FLOAT32"));
}

}  // namespace
}  // namespace nncert
