// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the entries of the table are; unary_exhaustive_test.cc computes them on every 8-bit and half
// value.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kBool8 = OperandType::TENSOR_BOOL8;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

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
  const Evaluated result =
      Evaluate(ModelOf(OperationType::LOGISTIC, spec, spec), {1000, -1000, kInfinity, -kInfinity});
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

TEST(ReluTest, LimitsToZeroOnward) {
  const OperandSpec spec = {kFloat32, {5}};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::RELU, spec, spec), {-3, -1e-30, 0, 2.5, 1e30});
  EXPECT_THAT(result.from_double, ElementsAre(0, 0, 0, 2.5, DoubleNear(1e30, 1e23)));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(ReluTest, OfHalvesAndOfQuantizedElements) {
  const OperandSpec halves = {kFloat16, {3}};
  EXPECT_THAT(Evaluate(ModelOf(OperationType::RELU, halves, halves), {-1, 0.5, 60000}).from_double,
              ElementsAre(0, 0.5, 60000));
  const OperandSpec steps = {kQuant8, {4}, 0.5F, 100};
  const Evaluated result = Evaluate(ModelOf(OperationType::RELU, steps, steps), {0, 99, 101, 255});
  EXPECT_THAT(result.from_double, ElementsAre(100, 100, 101, 255));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(Relu1Test, LimitsToMinusOneAndOne) {
  const OperandSpec spec = {kFloat32, {5}};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::RELU1, spec, spec), {-3, -1, 0.25, 1, 7});
  EXPECT_THAT(result.from_double, ElementsAre(-1, -1, 0.25, 1, 1));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(Relu1Test, OfHalvesAndOfQuantizedElements) {
  const OperandSpec halves = {kFloat16, {3}};
  EXPECT_THAT(Evaluate(ModelOf(OperationType::RELU1, halves, halves), {-2, -0.5, 2}).from_double,
              ElementsAre(-1, -0.5, 1));
  // One is step 102, minus one step 98.
  const OperandSpec steps = {kQuant8, {4}, 0.5F, 100};
  EXPECT_THAT(Evaluate(ModelOf(OperationType::RELU1, steps, steps), {0, 99, 102, 255}).from_double,
              ElementsAre(98, 99, 102, 102));
}

TEST(Relu1Test, RefusesAQuantizedOutputOfAnotherScale) {
  for (const OperationType type : {OperationType::RELU, OperationType::RELU1}) {
    EXPECT_THAT(ErrorOf(ModelOf(type, {kQuant8, {1}, 0.5F, 1}, {kQuant8, {1}, 0.25F, 1})),
                HasSubstr("output 0 'output' (operand 1)"));
  }
}

TEST(TanhTest, IsTheHyperbolicTangent) {
  // tanh(log k) = (k^2 - 1) / (k^2 + 1).
  const OperandSpec spec = {kFloat32, {5}};
  const Evaluated result = Evaluate(ModelOf(OperationType::TANH, spec, spec),
                                    {0, std::log(2), -std::log(3), kInfinity, -1000});
  EXPECT_THAT(result.from_double,
              ElementsAre(0, DoubleNear(0.6, 1e-7), DoubleNear(-0.8, 1e-7), 1, -1));
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 2e-6);
}

TEST(TanhTest, OfQuantizedElementsSinceHal12) {
  // tanh(0.5) = 0.4621172 is 59.15 steps of 1/128; tanh(12.7) is 1, and the last step 127/128.
  const hal::V1_2::Model model =
      ModelOf(OperationType::TANH, {kQuant8, {4}, 0.1F, 128}, {kQuant8, {4}, 1.0F / 128, 128});
  EXPECT_THAT(Evaluate(model, {133, 128, 255, 0}).from_double, ElementsAre(187, 128, 255, 0));
  EXPECT_THAT(ErrorOf(model, HalVersion::V1_1), HasSubstr("TENSOR_QUANT8_ASYMM"));
}

TEST(TanhTest, RefusesAQuantizedOutputOfAnotherScaleOrZeroPoint) {
  for (const OperandSpec& output :
       {OperandSpec{kQuant8, {1}, 1.0F / 256, 128}, OperandSpec{kQuant8, {1}, 1.0F / 128, 0}}) {
    EXPECT_THAT(ErrorOf(ModelOf(OperationType::TANH, {kQuant8, {1}, 0.1F, 128}, output)),
                HasSubstr("TANH output 0 'output' (operand 1)"));
  }
}

TEST(FloorTest, IsTheGreatestIntegerNotAbove) {
  for (const OperandType type : {kFloat32, kFloat16}) {
    const OperandSpec spec = {type, {6}};
    const Evaluated result =
        Evaluate(ModelOf(OperationType::FLOOR, spec, spec), {1.5, -1.5, 2, -0.25, 0, kInfinity});
    EXPECT_THAT(result.from_double, ElementsAre(1, -2, 2, -1, 0, kInfinity));
    for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  }
}

TEST(FloorTest, RelaxedFloatsBelowAnIntegerMayBeTheInteger) {
  // 2.9999 as a half is 3.
  const OperandSpec spec = {kFloat32, {2}};
  const Evaluated result = Evaluate(ModelOf(OperationType::FLOOR, spec, spec, true), {2.9999, 2.5});
  EXPECT_THAT(result.from_double, ElementsAre(2, 2));
  EXPECT_TRUE(result.enclosure[0].Contains(3));
  EXPECT_FALSE(result.enclosure[0].Contains(1));
  EXPECT_TRUE(result.enclosure[1].IsExact());
}

TEST(FloorTest, TakesRanksOneToFourAndHalvesSinceHal12) {
  for (int rank = 1; rank <= 5; ++rank) {
    const OperandSpec spec = {kFloat32, std::vector<uint32_t>(rank, 1)};
    EXPECT_EQ(ErrorOf(ModelOf(OperationType::FLOOR, spec, spec)).empty(), rank <= 4) << rank;
  }
  const OperandSpec halves = {kFloat16, {1}};
  EXPECT_THAT(ErrorOf(ModelOf(OperationType::FLOOR, halves, halves), HalVersion::V1_1),
              HasSubstr("TENSOR_FLOAT16"));
}

TEST(AbsTest, IsTheDistanceFromZero) {
  for (const OperandType type : {kFloat32, kFloat16}) {
    const OperandSpec spec = {type, {5}};
    const Evaluated result =
        Evaluate(ModelOf(OperationType::ABS, spec, spec), {-1.5, 2, 0, -kInfinity, -0.0});
    EXPECT_THAT(result.from_double, ElementsAre(1.5, 2, 0, kInfinity, 0));
    for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  }
}

TEST(NegTest, TurnsTheSign) {
  for (const OperandType type : {kFloat32, kFloat16, kInt32}) {
    const OperandSpec spec = {type, {4}};
    const Evaluated result = Evaluate(ModelOf(OperationType::NEG, spec, spec), {3, -1024, 0, 7});
    EXPECT_THAT(result.from_double, ElementsAre(-3, 1024, 0, -7));
    EXPECT_THAT(result.from_float, ElementsAre(-3, 1024, 0, -7));
    for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  }
}

TEST(NegTest, TheLeastIntegerMayBecomeAnything) {
  const OperandSpec spec = {kInt32, {3}};
  const Evaluated result = Evaluate(ModelOf(OperationType::NEG, spec, spec),
                                    {-2147483648.0, 2147483647.0, -2147483647.0});
  EXPECT_TRUE(result.enclosure[0].Contains(-2147483648.0));
  EXPECT_TRUE(result.enclosure[0].Contains(2147483647.0));
  EXPECT_THAT(result.from_float[1], -2147483647.0);
  EXPECT_THAT(result.from_float[2], 2147483647.0);
  EXPECT_TRUE(result.enclosure[1].IsExact() && result.enclosure[2].IsExact());
}

TEST(ExpTest, IsThePowerOfE) {
  const OperandSpec spec = {kFloat32, {4}};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::EXP, spec, spec), {0, std::log(5), -200, -kInfinity});
  EXPECT_THAT(result.from_double, ElementsAre(1, DoubleNear(5, 1e-6), DoubleNear(0, 1e-80), 0));
  EXPECT_LT(result.enclosure[1].radius, 5e-6);
  EXPECT_LT(result.enclosure[2].radius, 1e-37);
}

TEST(ExpTest, BeyondTheRangeMayBeAnything) {
  const OperandSpec spec = {kFloat16, {2}};
  const Evaluated result = Evaluate(ModelOf(OperationType::EXP, spec, spec), {12, 10});
  EXPECT_THAT(result.from_double[0], kInfinity);
  EXPECT_FALSE(result.enclosure[0].IsBounded());
  // exp(10) = 22026.5; halves are 16 apart there.
  EXPECT_THAT(result.from_double[1], DoubleNear(22026.5, 8));
  EXPECT_LT(result.enclosure[1].radius, 150);
}

TEST(LogTest, IsTheNaturalLogarithm) {
  const OperandSpec spec = {kFloat32, {6}};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::LOG, spec, spec), {1, std::exp(1.0), 0.25, kInfinity, 0, -1});
  EXPECT_THAT(result.from_double[0], 0);
  EXPECT_THAT(result.from_double[1], DoubleNear(1, 1e-7));
  EXPECT_THAT(result.from_double[2], DoubleNear(-1.3862944, 1e-7));
  EXPECT_THAT(result.from_double[3], kInfinity);
  EXPECT_THAT(result.from_double[4], -kInfinity);
  EXPECT_TRUE(std::isnan(result.from_double[5]));
  EXPECT_TRUE(result.enclosure[0].IsExact());
  EXPECT_LT(result.enclosure[2].radius, 2e-6);
  EXPECT_TRUE(result.enclosure[5].IsExact());
}

TEST(LogTest, OfHalvesAndOfRelaxedFloats) {
  // log(2) = 0.693147; halves are 2^-11 apart there.
  const OperandSpec halves = {kFloat16, {1}};
  const Evaluated result = Evaluate(ModelOf(OperationType::LOG, halves, halves), {2});
  EXPECT_THAT(result.from_double, ElementsAre(DoubleNear(0.693147, 0x1p-12)));
  EXPECT_LT(result.enclosure[0].radius, 0.01);
  const OperandSpec floats = {kFloat32, {1}};
  const Evaluated relaxed = Evaluate(ModelOf(OperationType::LOG, floats, floats, true), {2});
  EXPECT_GT(relaxed.enclosure[0].radius, 1e-3);
}

TEST(RsqrtTest, IsTheReciprocalOfTheRoot) {
  for (const OperandType type : {kFloat32, kFloat16}) {
    const OperandSpec spec = {type, {5}};
    const Evaluated result =
        Evaluate(ModelOf(OperationType::RSQRT, spec, spec), {1, 16, 0.25, kInfinity, -4});
    EXPECT_THAT(std::vector<double>(result.from_double.begin(), result.from_double.begin() + 4),
                ElementsAre(1, 0.25, 2, 0));
    EXPECT_TRUE(std::isnan(result.from_double[4]));
    EXPECT_LT(result.enclosure[1].radius, type == kFloat32 ? 4e-7 : 2e-3);
  }
}

TEST(RsqrtTest, OfZeroMayBeAnything) {
  const OperandSpec spec = {kFloat32, {2}};
  const Evaluated result = Evaluate(ModelOf(OperationType::RSQRT, spec, spec), {0, -0.0});
  EXPECT_THAT(result.from_double, ElementsAre(kInfinity, -kInfinity));
  for (const Ball& ball : result.enclosure) EXPECT_FALSE(ball.IsBounded());
}

TEST(SqrtTest, IsTheSquareRoot) {
  for (const OperandType type : {kFloat32, kFloat16}) {
    const OperandSpec spec = {type, {5}};
    const Evaluated result =
        Evaluate(ModelOf(OperationType::SQRT, spec, spec), {0, 1, 6.25, kInfinity, -1});
    EXPECT_THAT(std::vector<double>(result.from_double.begin(), result.from_double.begin() + 4),
                ElementsAre(0, 1, 2.5, kInfinity));
    EXPECT_TRUE(std::isnan(result.from_double[4]));
    EXPECT_LT(result.enclosure[2].radius, type == kFloat32 ? 1e-6 : 1e-2);
  }
}

TEST(SinTest, IsTheSineOfRadians) {
  // sin(pi / 6) = 1/2, sin(-pi / 2) = -1, and pi is held to 2^-23.
  constexpr double kPi = 3.141592653589793;
  const OperandSpec spec = {kFloat32, {6}};
  const Evaluated result = Evaluate(ModelOf(OperationType::SIN, spec, spec),
                                    {0, kPi / 6, -kPi / 2, kPi, kInfinity, kNaN});
  EXPECT_THAT(result.from_double[0], 0);
  EXPECT_THAT(result.from_double[1], DoubleNear(0.5, 1e-7));
  EXPECT_THAT(result.from_double[2], DoubleNear(-1, 1e-12));
  EXPECT_THAT(result.from_double[3], DoubleNear(0, 2e-7));
  EXPECT_TRUE(std::isnan(result.from_double[4]));
  EXPECT_TRUE(std::isnan(result.from_double[5]));
  for (int i = 0; i < 4; ++i) EXPECT_LT(result.enclosure[i].radius, 2e-6);
}

TEST(SinTest, LargeArgumentsAreIllConditionedInHalves) {
  // In a relaxed model 1000.25 is held to 0.25, and a reduction may lose twice as much again.
  const OperandSpec spec = {kFloat32, {2}};
  const std::vector<double> angles = {1000.25, 1};
  const Evaluated exact = Evaluate(ModelOf(OperationType::SIN, spec, spec), angles);
  EXPECT_LT(exact.enclosure[0].radius, 2e-4);
  const Evaluated relaxed = Evaluate(ModelOf(OperationType::SIN, spec, spec, true), angles);
  EXPECT_GT(relaxed.enclosure[0].radius, 0.3);
  EXPECT_LT(relaxed.enclosure[0].radius, 1.01);
  EXPECT_LT(relaxed.enclosure[1].radius, 0.011);
}

TEST(LogicalNotTest, NegatesBooleans) {
  const OperandSpec spec = {kBool8, {2}};
  const Evaluated result = Evaluate(ModelOf(OperationType::LOGICAL_NOT, spec, spec), {0, 1});
  EXPECT_THAT(result.from_double, ElementsAre(1, 0));
  EXPECT_THAT(result.from_float, ElementsAre(1, 0));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(LogicalNotTest, EveryByteButZeroIsTrue) {
  const OperandSpec spec = {kBool8, {3}};
  const auto graph = PreparedGraph::Create(ModelOf(OperationType::LOGICAL_NOT, spec, spec));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::byte bytes[3] = {std::byte{0}, std::byte{2}, std::byte{255}};
  InputArgument argument;
  argument.elements = bytes;
  const auto outputs = (*graph)->Execute(NumberSystem::kFloat, {argument});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].elements, ElementsAre(std::byte{1}, std::byte{0}, std::byte{0}));
}

TEST(LogicalNotTest, OfAnUndecidedBooleanIsUndecided) {
  // 1 + 1e-9 may be 1 or more.
  ModelBuilder builder;
  const OperandSpec row = {kFloat32, {1}};
  const uint32_t a = builder.Input(row);
  const uint32_t b = builder.Input(row);
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Temporary(row);
  const uint32_t equal = builder.Temporary({kBool8, {1}});
  const uint32_t answer = builder.Output({kBool8, {1}});
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::EQUAL, {sum, b}, {equal});
  builder.Operation(OperationType::LOGICAL_NOT, {equal}, {answer});
  const auto results = EvaluateInAllSystems(builder.model(), {{1e-9}, {1}});
  ASSERT_TRUE(results.ok()) << results.status();
  const Ball& ball = (*results)[0].enclosure[0];
  EXPECT_TRUE(ball.Contains(0) && ball.Contains(1));
}

// Operations that came with HAL 1.2 take any rank, and no empty tensors.
class NewUnaryOperationTest : public testing::TestWithParam<OperationType> {
 protected:
  static OperandType type() { return GetParam() == OperationType::LOGICAL_NOT ? kBool8 : kFloat32; }
};

INSTANTIATE_TEST_SUITE_P(All, NewUnaryOperationTest,
                         testing::Values(OperationType::ABS, OperationType::EXP, OperationType::LOG,
                                         OperationType::LOGICAL_NOT, OperationType::NEG,
                                         OperationType::RSQRT, OperationType::SIN,
                                         OperationType::SQRT));

TEST_P(NewUnaryOperationTest, CameWithHal12) {
  const OperandSpec spec = {type(), {2}};
  EXPECT_EQ(ErrorOf(ModelOf(GetParam(), spec, spec)), "");
  EXPECT_THAT(ErrorOf(ModelOf(GetParam(), spec, spec), HalVersion::V1_1),
              HasSubstr("; expected one of HAL 1.1"));
}

TEST_P(NewUnaryOperationTest, TakesAnyRankAndUnknownDimensions) {
  const Evaluated result =
      Evaluate(ModelOf(GetParam(), {type(), {1, 1, 1, 1, 1, 2}}, {type(), {}}), {1, 1});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 1, 1, 1, 1, 2));
}

TEST_P(NewUnaryOperationTest, RefusesOtherTypes) {
  const OperandSpec spec = {kQuant8, {1}, 1, 0};
  EXPECT_THAT(ErrorOf(ModelOf(GetParam(), spec, spec)),
              HasSubstr("input 0 'input' (operand 0) is TENSOR_QUANT8_ASYMM"));
  const OperandSpec integers = {kInt32, {1}};
  EXPECT_EQ(ErrorOf(ModelOf(GetParam(), integers, integers)).empty(),
            GetParam() == OperationType::NEG);
}

TEST_P(NewUnaryOperationTest, RefusesEmptyTensors) {
  const auto graph = PreparedGraph::Create(ModelOf(GetParam(), {type(), {0, 2}}, {type(), {0, 2}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0, 2};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {empty}).status().message(),
              HasSubstr("is empty: [0, 2]"));
}

class ActivationOperationTest : public testing::TestWithParam<OperationType> {};

INSTANTIATE_TEST_SUITE_P(All, ActivationOperationTest,
                         testing::Values(OperationType::LOGISTIC, OperationType::RELU,
                                         OperationType::RELU1, OperationType::RELU6,
                                         OperationType::TANH));

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
