// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

hal::V1_2::Model ModelOf(const OperandSpec& input, double beta, std::optional<int32_t> axis,
                         const OperandSpec& output, bool is_relaxed = false) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input(input)};
  const OperandType scalar = input.type == kFloat16 ? OperandType::FLOAT16 : OperandType::FLOAT32;
  inputs.push_back(builder.Constant({scalar}, {beta}));
  if (axis.has_value()) inputs.push_back(builder.Int32(*axis));
  const uint32_t result = builder.Output(output);
  builder.Operation(OperationType::SOFTMAX, inputs, {result}).Relaxed(is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const hal::V1_2::Model& model, const std::vector<double>& input) {
  return EvaluateDecided(model, {input});
}

// Logarithms of 1, 2 and 5, whose softmax is 1/8, 2/8 and 5/8.
const std::vector<double> kLogits = {std::log(1), std::log(2), std::log(5)};

TEST(SoftmaxTest, ScalesExponentialsToSumToOne) {
  const OperandSpec spec = {kFloat32, {1, 3}};
  const Evaluated result = Evaluate(ModelOf(spec, 1, std::nullopt, spec), kLogits);
  EXPECT_THAT(result.from_double, ElementsAre(DoubleNear(0.125, 1e-7), DoubleNear(0.25, 1e-7),
                                              DoubleNear(0.625, 1e-7)));
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 1e-5);
}

TEST(SoftmaxTest, BetaMultipliesTheLogits) {
  // With beta 2: exp(2 log k) = k * k, so 1, 4 and 25 of 30.
  const OperandSpec spec = {kFloat32, {1, 3}};
  const Evaluated result = Evaluate(ModelOf(spec, 2, std::nullopt, spec), kLogits);
  EXPECT_THAT(result.from_double,
              ElementsAre(DoubleNear(1.0 / 30, 1e-7), DoubleNear(4.0 / 30, 1e-7),
                          DoubleNear(25.0 / 30, 1e-7)));
}

TEST(SoftmaxTest, EqualLogitsShareEqually) {
  const OperandSpec spec = {kFloat32, {2, 4}};
  const Evaluated result =
      Evaluate(ModelOf(spec, 1, std::nullopt, spec), {3, 3, 3, 3, -1, -1, -1, -1});
  EXPECT_THAT(result.from_double, ElementsAreArray(std::vector<double>(8, 0.25)));
}

TEST(SoftmaxTest, LargeLogitsDoNotOverflow) {
  const OperandSpec spec = {kFloat32, {1, 2}};
  const Evaluated result = Evaluate(ModelOf(spec, 1, std::nullopt, spec), {1000, -1000});
  EXPECT_THAT(result.from_double, ElementsAre(1, 0));
  EXPECT_LT(result.enclosure[0].radius, 1e-5);
}

TEST(SoftmaxTest, RunsAlongEveryAxis) {
  // Both slices along axis 0 hold log 1 and log 3.
  const OperandSpec spec = {kFloat32, {2, 2}};
  const std::vector<double> logits = {0, std::log(3), std::log(3), 0};
  for (const int32_t axis : {0, -2}) {
    const Evaluated result = Evaluate(ModelOf(spec, 1, axis, spec), logits);
    EXPECT_THAT(result.from_double, ElementsAre(DoubleNear(0.25, 1e-7), DoubleNear(0.75, 1e-7),
                                                DoubleNear(0.75, 1e-7), DoubleNear(0.25, 1e-7)));
  }
}

TEST(SoftmaxTest, AxisInTheMiddleOfFourDimensions) {
  const OperandSpec spec = {kFloat32, {1, 3, 1, 2}};
  // Along axis 1: log 1, log 2, log 5 at the first index of the last axis, and zeros at the second.
  const Evaluated result =
      Evaluate(ModelOf(spec, 1, 1, spec), {kLogits[0], 0, kLogits[1], 0, kLogits[2], 0});
  EXPECT_THAT(result.from_double, ElementsAre(DoubleNear(0.125, 1e-7), DoubleNear(1.0 / 3, 1e-7),
                                              DoubleNear(0.25, 1e-7), DoubleNear(1.0 / 3, 1e-7),
                                              DoubleNear(0.625, 1e-7), DoubleNear(1.0 / 3, 1e-7)));
}

TEST(SoftmaxTest, OfHalves) {
  const OperandSpec spec = {kFloat16, {1, 3}};
  const Evaluated result = Evaluate(ModelOf(spec, 1, std::nullopt, spec), kLogits);
  EXPECT_THAT(result.from_double, ElementsAre(DoubleNear(0.125, 5e-4), DoubleNear(0.25, 5e-4),
                                              DoubleNear(0.625, 5e-4)));
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 0.05);
}

TEST(SoftmaxTest, OfQuantizedLogits) {
  // In steps of 1: exp(0), exp(-1), of 1 + exp(-1) = 1.3678794: 0.7310586 and 0.2689414, in steps
  // of 1/256: 187.15 and 68.85.
  const Evaluated result =
      Evaluate(ModelOf({kQuant8, {1, 2}, 1, 10}, 1, std::nullopt, {kQuant8, {1, 2}, 1.0F / 256, 0}),
               {20, 19});
  EXPECT_THAT(result.from_double, ElementsAre(187, 69));
  EXPECT_TRUE(result.enclosure[0].IsExact());
  EXPECT_TRUE(result.enclosure[1].IsExact());
}

TEST(SoftmaxTest, AQuantizedOneSaturates) {
  const Evaluated result = Evaluate(
      ModelOf({kQuant8, {1, 1}, 1, 0}, 1, std::nullopt, {kQuant8, {1, 1}, 1.0F / 256, 0}), {20});
  EXPECT_THAT(result.from_double, ElementsAre(255));
}

TEST(SoftmaxTest, RelaxedComputationWidensTheEnclosure) {
  const OperandSpec spec = {kFloat32, {1, 3}};
  const Evaluated result = Evaluate(ModelOf(spec, 1, std::nullopt, spec, true), kLogits);
  EXPECT_GT(result.enclosure[0].radius, 1e-4);
  EXPECT_LT(result.enclosure[0].radius, 0.05);
}

TEST(SoftmaxTest, DimensionsMayBeUnknown) {
  const Evaluated result =
      Evaluate(ModelOf({kFloat32, {1, 3}}, 1, std::nullopt, {kFloat32, {0, 0}}), kLogits);
  EXPECT_THAT(result.dimensions, ElementsAre(1, 3));
}

TEST(SoftmaxTest, AnEmptyBatchStaysEmpty) {
  const auto graph =
      PreparedGraph::Create(ModelOf({kFloat32, {0, 3}}, 1, std::nullopt, {kFloat32, {0, 3}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0, 3};
  const auto outputs = (*graph)->Execute(NumberSystem::kBall, {empty});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 3));
}

TEST(SoftmaxTest, softmax_c1_rejects_beta_not_above_zero) {
  const OperandSpec spec = {kFloat32, {1, 3}};
  for (const double beta : {0.0, -1.0, std::nan("")}) {
    EXPECT_THAT(ErrorOf(ModelOf(spec, beta, std::nullopt, spec)),
                AllOf(RefusedBy("SOFTMAX", "C1"), HasSubstr("'beta' (operand 1)")));
  }
}

TEST(SoftmaxTest, softmax_c2_rejects_an_axis_out_of_range) {
  const OperandSpec spec = {kFloat32, {1, 3}};
  for (const int32_t axis : {2, -3}) {
    EXPECT_THAT(ErrorOf(ModelOf(spec, 1, axis, spec)),
                AllOf(RefusedBy("SOFTMAX", "C2"), HasSubstr("'axis' (operand 2)")));
  }
}

TEST(SoftmaxTest, RefusesAQuantizedOutputOfAnotherScale) {
  EXPECT_THAT(
      ErrorOf(ModelOf({kQuant8, {1, 2}, 1, 0}, 1, std::nullopt, {kQuant8, {1, 2}, 1.0F / 128, 0})),
      HasSubstr("expected scale 0.00390625 and zeroPoint 0"));
}

TEST(SoftmaxTest, RanksOneAndThreeAndTheAxisCameWithHal12) {
  const OperandSpec one = {kFloat32, {3}};
  const OperandSpec two = {kFloat32, {1, 3}};
  EXPECT_EQ(ErrorOf(ModelOf(one, 1, std::nullopt, one)), "");
  EXPECT_THAT(ErrorOf(ModelOf(one, 1, std::nullopt, one), HalVersion::V1_1),
              HasSubstr("has rank 1; expected rank 2 or 4"));
  EXPECT_THAT(ErrorOf(ModelOf(two, 1, 1, two), HalVersion::V1_0),
              HasSubstr("SOFTMAX: has 3 inputs; expected 2"));
}

}  // namespace
}  // namespace nncert
