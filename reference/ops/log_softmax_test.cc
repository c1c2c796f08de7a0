// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/number/testing/honest_machine.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;

hal::V1_2::Model ModelOf(const OperandSpec& input, double beta, int32_t axis,
                         const OperandSpec& output, bool is_relaxed = false) {
  ModelBuilder builder;
  const OperandSpec real = {input.type == kFloat16 ? OperandType::FLOAT16 : OperandType::FLOAT32};
  const std::vector<uint32_t> inputs = {builder.Input(input), builder.Constant(real, {beta}),
                                        builder.Int32(axis)};
  const uint32_t result = builder.Output(output);
  builder.Operation(OperationType::LOG_SOFTMAX, inputs, {result}).Relaxed(is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const OperandSpec& input, double beta, int32_t axis,
                   const std::vector<double>& values, bool is_relaxed = false) {
  const auto results =
      EvaluateInAllSystems(ModelOf(input, beta, axis, input, is_relaxed), {values});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated{};
}

// log 1, log 2 and log 5, whose softmax is 1/8, 2/8 and 5/8.
const std::vector<double> kLogits = {0, std::log(2), std::log(5)};

TEST(LogSoftmaxTest, IsTheLogarithmOfSoftmax) {
  const Evaluated result = Evaluate({kFloat32, {1, 3}}, 1, -1, kLogits);
  EXPECT_THAT(result.from_double,
              Pointwise(DoubleNear(1e-6), {std::log(0.125), std::log(0.25), std::log(0.625)}));
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 1e-5);
}

TEST(LogSoftmaxTest, BetaMultipliesTheLogits) {
  // With beta 2: 1, 4 and 25 of 30.
  EXPECT_THAT(
      Evaluate({kFloat32, {3}}, 2, 0, kLogits).from_double,
      Pointwise(DoubleNear(1e-6), {std::log(1.0 / 30), std::log(4.0 / 30), std::log(25.0 / 30)}));
}

TEST(LogSoftmaxTest, RunsAlongEveryAxisOfAnyRank) {
  // Along axis 2 of 5: log 1 and log 3 at the first index of the last axis, zeros at the second.
  const std::vector<double> values = {0, 0, std::log(3), 0};
  const std::vector<double> expected = {std::log(0.25), std::log(0.5), std::log(0.75),
                                        std::log(0.5)};
  for (const int32_t axis : {2, -3}) {
    EXPECT_THAT(Evaluate({kFloat32, {1, 1, 2, 1, 2}}, 1, axis, values).from_double,
                Pointwise(DoubleNear(1e-6), expected));
  }
}

TEST(LogSoftmaxTest, ASliceOfOneElementIsZero) {
  EXPECT_THAT(Evaluate({kFloat32, {2, 1}}, 1, -1, {7, -3}).from_double, ElementsAre(0, 0));
}

TEST(LogSoftmaxTest, LargeLogitsNeitherOverflowNorUnderflow) {
  const Evaluated result = Evaluate({kFloat32, {2, 2}}, 1, -1, {1000, 0, -1000, -1000});
  EXPECT_THAT(result.from_double, ElementsAre(0, -1000, -std::log(2.0), -std::log(2.0)));
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 2e-3);
}

TEST(LogSoftmaxTest, OfHalvesAndRelaxed) {
  const std::vector<double> expected = {std::log(0.125), std::log(0.25), std::log(0.625)};
  const Evaluated halves = Evaluate({kFloat16, {3}}, 1, 0, kLogits);
  EXPECT_THAT(halves.from_double, Pointwise(DoubleNear(2e-3), expected));
  const Evaluated relaxed = Evaluate({kFloat32, {3}}, 1, 0, kLogits, true);
  EXPECT_THAT(relaxed.from_double, Pointwise(DoubleNear(1e-6), expected));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_GT(relaxed.enclosure[i].radius, 1e-3);
    EXPECT_LT(relaxed.enclosure[i].radius, 0.06);
    EXPECT_LT(halves.enclosure[i].radius, 0.06);
  }
}

TEST(LogSoftmaxTest, EnclosuresHoldWhatHonestMachinesGive) {
  TestRandom random(64);
  for (const bool is_half : {false, true}) {
    const HonestMachine machine(is_half, true);
    const auto log = [&](double x) { return machine.Round(std::log(machine.Round(x))); };
    for (int repetition = 0; repetition < 100; ++repetition) {
      std::vector<double> logits(7);
      for (double& logit : logits) logit = machine.Round(random.Uniform(-4, 4));
      const double beta = machine.Round(random.Uniform(0.5, 1.5));
      const Evaluated result = Evaluate({is_half ? kFloat16 : kFloat32, {7}}, beta, 0, logits);
      const double greatest = *std::max_element(logits.begin(), logits.end());
      std::vector<double> plain;
      std::vector<double> shifted;
      for (const double logit : logits) {
        plain.push_back(machine.Exp(machine.Multiply(logit, beta)));
        shifted.push_back(machine.Exp(machine.Multiply(machine.Subtract(logit, greatest), beta)));
      }
      for (const SumOrder order : kSumOrders) {
        const double log_plain = log(machine.Sum(plain, order));
        const double log_shifted = log(machine.Sum(shifted, order));
        for (size_t i = 0; i < logits.size(); ++i) {
          const double product = machine.Multiply(logits[i], beta);
          const double shift = machine.Multiply(machine.Subtract(logits[i], greatest), beta);
          for (const double output :
               {machine.Subtract(product, log_plain), machine.Subtract(shift, log_shifted),
                machine.Subtract(product,
                                 machine.Add(machine.Multiply(greatest, beta), log_shifted))}) {
            EXPECT_TRUE(result.enclosure[i].Contains(output)) << machine.name() << ": " << output;
          }
        }
      }
    }
  }
}

TEST(LogSoftmaxTest, log_softmax_c1_rejects_beta_not_above_zero) {
  const OperandSpec spec = {kFloat32, {1, 3}};
  for (const double beta : {0.0, -1.0, std::nan("")}) {
    EXPECT_TRUE(IsRefused(ModelOf(spec, beta, -1, spec), "C1"));
  }
}

TEST(LogSoftmaxTest, log_softmax_c2_rejects_an_axis_out_of_range) {
  const OperandSpec spec = {kFloat32, {1, 3}};
  for (const int32_t axis :
       {2, -3, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}) {
    EXPECT_TRUE(IsRefused(ModelOf(spec, 1, axis, spec), "C2"));
  }
}

TEST(LogSoftmaxTest, TakesFloatsSinceHal12) {
  const OperandSpec spec = {kFloat32, {3}};
  EXPECT_EQ(SignatureErrorOf(ModelOf(spec, 1, 0, spec), HalVersion::V1_2), "");
  EXPECT_THAT(SignatureErrorOf(ModelOf(spec, 1, 0, spec), HalVersion::V1_1),
              HasSubstr("LOG_SOFTMAX was introduced in HAL 1.2; the model is held to HAL 1.1"));
  const OperandSpec quant8 = {OperandType::TENSOR_QUANT8_ASYMM, {3}, 1};
  EXPECT_THAT(SignatureErrorOf(ModelOf(quant8, 1, 0, quant8), HalVersion::V1_2),
              HasSubstr("(operand 0) is TENSOR_QUANT8_ASYMM; expected "));
  EXPECT_THAT(SignatureErrorOf(ModelOf(spec, 1, 0, {kFloat16, {3}}), HalVersion::V1_2),
              AllOf(HasSubstr("LOG_SOFTMAX output 0 "),
                    HasSubstr("is TENSOR_FLOAT16; expected TENSOR_FLOAT32")));
}

}  // namespace
}  // namespace nncert
