// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/number/testing/honest_machine.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;

struct Normalization {
  OperandSpec input;
  double gamma = 1;
  double beta = 0;
  double epsilon = 0;
  bool is_nchw = false;
  bool is_relaxed = false;
};

hal::V1_2::Model ModelOf(const Normalization& normalization) {
  ModelBuilder builder;
  const OperandSpec real = {normalization.input.type == kFloat16 ? OperandType::FLOAT16
                                                                 : OperandType::FLOAT32};
  const std::vector<uint32_t> inputs = {
      builder.Input(normalization.input), builder.Constant(real, {normalization.gamma}),
      builder.Constant(real, {normalization.beta}), builder.Constant(real, {normalization.epsilon}),
      builder.Bool(normalization.is_nchw)};
  const uint32_t output = builder.Output(normalization.input);
  builder.Operation(OperationType::INSTANCE_NORMALIZATION, inputs, {output})
      .Relaxed(normalization.is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const Normalization& normalization, const std::vector<double>& values) {
  const auto results = EvaluateInAllSystems(ModelOf(normalization), {values});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated{};
}

const OperandSpec kImage = {kFloat32, {1, 2, 2, 1}};

TEST(InstanceNormalizationTest, DividesByTheDeviationFromTheMean) {
  // Mean 4, variance (9 + 1 + 1 + 9) / 4 = 5. The mean of squares is 21.
  const double root = std::sqrt(5);
  EXPECT_THAT(Evaluate({.input = kImage}, {1, 3, 5, 7}).from_double,
              Pointwise(DoubleNear(1e-12), {-3 / root, -1 / root, 1 / root, 3 / root}));
}

TEST(InstanceNormalizationTest, GammaBetaAndEpsilonAreInTheOrderOfTheHal) {
  // sqrt(5 + 4) = 3.
  EXPECT_THAT(
      Evaluate({.input = kImage, .gamma = 6, .beta = -10, .epsilon = 4}, {1, 3, 5, 7}).from_double,
      Pointwise(DoubleNear(1e-12), {-16.0, -12.0, -8.0, -4.0}));
}

TEST(InstanceNormalizationTest, ChannelsAndImagesStayApart) {
  // Variances 1, 4, 9 and 100; means 1, 10, -3 and 0.
  const std::vector<double> nhwc = {0, 12, 2, 8, -6, -10, 0, 10};
  const std::vector<double> expected = {-1, 1, 1, -1, -1, -1, 1, 1};
  EXPECT_THAT(Evaluate({.input = {kFloat32, {2, 1, 2, 2}}}, nhwc).from_double,
              Pointwise(DoubleNear(1e-12), expected));
  const std::vector<double> nchw = {0, 2, 12, 8, -6, 0, -10, 10};
  const std::vector<double> expected_nchw = {-1, 1, 1, -1, -1, 1, -1, 1};
  EXPECT_THAT(Evaluate({.input = {kFloat32, {2, 2, 1, 2}}, .is_nchw = true}, nchw).from_double,
              Pointwise(DoubleNear(1e-12), expected_nchw));
}

TEST(InstanceNormalizationTest, EpsilonKeepsEqualElementsFromBeingDividedByZero) {
  const std::vector<double> equal = {3, 3, 3, 3};
  const Evaluated result = Evaluate({.input = kImage, .beta = 2, .epsilon = 0.01}, equal);
  EXPECT_THAT(result.from_double, ElementsAre(2, 2, 2, 2));
  EXPECT_LT(result.enclosure[0].radius, 1e-4);
  const Evaluated without = Evaluate({.input = kImage, .beta = 2}, equal);
  EXPECT_FALSE(without.enclosure[0].IsBounded());
}

TEST(InstanceNormalizationTest, HalvesAndRelaxed) {
  const double root = std::sqrt(5);
  const std::vector<double> expected = {-3 / root, -1 / root, 1 / root, 3 / root};
  const Evaluated halves = Evaluate({.input = {kFloat16, {1, 2, 2, 1}}}, {1, 3, 5, 7});
  EXPECT_THAT(halves.from_double, Pointwise(DoubleNear(1e-3), expected));
  const Evaluated relaxed = Evaluate({.input = kImage, .is_relaxed = true}, {1, 3, 5, 7});
  EXPECT_THAT(relaxed.from_double, Pointwise(DoubleNear(1e-12), expected));
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(halves.enclosure[i].IsBounded());
    EXPECT_GT(relaxed.enclosure[i].radius, 1e-3);
    EXPECT_LT(relaxed.enclosure[i].radius, 0.2);
    // What divides by the root of the mean of squares, 21, is not honest.
    EXPECT_FALSE(relaxed.enclosure[i].Contains(expected[i] * root / std::sqrt(21)));
  }
}

TEST(InstanceNormalizationTest, EnclosuresAreTight) {
  const Evaluated result = Evaluate({.input = kImage}, {1, 3, 5, 7});
  for (const Ball& ball : result.enclosure) {
    EXPECT_GT(ball.radius, 0x1p-24);
    // 32 roundings of the mean of squares 21 are 134 of the variance 5, and 67 of its root; the
    // rest is for the mean.
    EXPECT_LT(ball.radius, 2 * 67 * 0x1p-24 * 3 / std::sqrt(5));
  }
}

TEST(InstanceNormalizationTest, EnclosuresHoldBothFormulasOfTheVariance) {
  TestRandom random(57);
  for (const bool is_half : {false, true}) {
    const HonestMachine machine(is_half, false);
    for (int repetition = 0; repetition < 50; ++repetition) {
      const double offset = random.Uniform(-3, 3);
      std::vector<double> values(12);
      for (double& value : values) value = machine.Round(offset + random.Uniform(-2, 2));
      const double gamma = machine.Round(1.3);
      const double beta = machine.Round(-0.7);
      const double epsilon = machine.Round(0.01);
      const Evaluated result = Evaluate({.input = {is_half ? kFloat16 : kFloat32, {1, 3, 4, 1}},
                                         .gamma = gamma,
                                         .beta = beta,
                                         .epsilon = epsilon},
                                        values);
      for (const SumOrder order : kSumOrders) {
        const double mean = machine.Divide(machine.Sum(values, order), 12);
        std::vector<double> distances;
        for (const double value : values) distances.push_back(machine.Subtract(value, mean));
        const double by_distances =
            machine.Divide(machine.DotProduct(distances, distances, order), 12);
        const double by_squares =
            machine.Subtract(machine.Divide(machine.DotProduct(values, values, order), 12),
                             machine.Multiply(mean, mean));
        for (const double variance : {by_distances, by_squares}) {
          const double deviation = machine.Sqrt(machine.Add(variance, epsilon));
          const double scale = machine.Divide(gamma, deviation);
          const double shift = machine.Subtract(beta, machine.Multiply(mean, scale));
          for (size_t i = 0; i < values.size(); ++i) {
            const double distance = distances[i];
            for (const double output :
                 {machine.Add(machine.Divide(machine.Multiply(distance, gamma), deviation), beta),
                  machine.Add(machine.Multiply(distance, scale), beta),
                  machine.Add(machine.Multiply(values[i], scale), shift)}) {
              EXPECT_TRUE(result.enclosure[i].Contains(output))
                  << machine.name() << ": " << output << " is not in "
                  << result.enclosure[i].midpoint << " +/- " << result.enclosure[i].radius;
            }
          }
        }
      }
    }
  }
}

TEST(InstanceNormalizationTest, RefusesEmptyImages) {
  const auto graph = PreparedGraph::Create(ModelOf({.input = {kFloat32, {0, 1, 2, 1}}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0, 1, 2, 1};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {empty}).status().message(),
              HasSubstr("INSTANCE_NORMALIZATION input 0 (operand 0) is empty"));
}

TEST(InstanceNormalizationTest, TakesFloatsSinceHal12) {
  EXPECT_EQ(SignatureErrorOf(ModelOf({.input = kImage}), HalVersion::V1_2), "");
  EXPECT_THAT(
      SignatureErrorOf(ModelOf({.input = kImage}), HalVersion::V1_1),
      HasSubstr("INSTANCE_NORMALIZATION was introduced in HAL 1.2; the model is held to HAL 1.1"));
  EXPECT_THAT(SignatureErrorOf(ModelOf({.input = {kFloat32, {2, 2, 1}}}), HalVersion::V1_2),
              HasSubstr("has rank 3; expected rank 4"));
  EXPECT_THAT(
      SignatureErrorOf(ModelOf({.input = {OperandType::TENSOR_QUANT8_ASYMM, {1, 2, 2, 1}, 1}}),
                       HalVersion::V1_2),
      HasSubstr("(operand 0) is TENSOR_QUANT8_ASYMM; expected "));
}

}  // namespace
}  // namespace nncert
