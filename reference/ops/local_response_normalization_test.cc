// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/number/testing/honest_machine.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;

struct Damping {
  OperandSpec input;
  int32_t radius = 1;
  double bias = 1;
  double alpha = 1;
  double beta = 1;
  std::optional<int32_t> axis = std::nullopt;
  bool is_relaxed = false;
};

hal::V1_2::Model ModelOf(const Damping& damping) {
  ModelBuilder builder;
  const OperandSpec real = {damping.input.type == kFloat16 ? OperandType::FLOAT16
                                                           : OperandType::FLOAT32};
  std::vector<uint32_t> inputs = {builder.Input(damping.input), builder.Int32(damping.radius),
                                  builder.Constant(real, {damping.bias}),
                                  builder.Constant(real, {damping.alpha}),
                                  builder.Constant(real, {damping.beta})};
  if (damping.axis.has_value()) inputs.push_back(builder.Int32(*damping.axis));
  builder
      .Operation(OperationType::LOCAL_RESPONSE_NORMALIZATION, inputs,
                 {builder.Output(damping.input)})
      .Relaxed(damping.is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const Damping& damping, const std::vector<double>& values) {
  const auto results = EvaluateInAllSystems(ModelOf(damping), {values});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated{};
}

const OperandSpec kVector = {kFloat32, {1, 1, 1, 4}};
const std::vector<double> kValues = {1, -2, 3, 4};

TEST(LocalResponseNormalizationTest, DividesBySumsOfSquaresAround) {
  // Sums 1 + 4, 1 + 4 + 9, 4 + 9 + 16, 9 + 16, and 1 more.
  EXPECT_THAT(Evaluate({.input = kVector}, kValues).from_double,
              Pointwise(testing::DoubleEq(), {1.0 / 6, -2.0 / 15, 3.0 / 30, 4.0 / 26}));
}

TEST(LocalResponseNormalizationTest, BiasAlphaAndBetaAreInTheOrderOfTheHal) {
  // (9 + 0.5 * 1)^2, ...
  EXPECT_THAT(Evaluate({.input = kVector, .radius = 0, .bias = 9, .alpha = 0.5, .beta = 2}, kValues)
                  .from_double,
              Pointwise(testing::DoubleEq(), {1 / 90.25, -2 / 121.0, 3 / 182.25, 4 / 289.0}));
  // A root.
  EXPECT_THAT(Evaluate({.input = kVector, .radius = 0, .bias = 2, .alpha = 2, .beta = 0.5}, kValues)
                  .from_double,
              Pointwise(testing::DoubleEq(),
                        {0.5, -2 / std::sqrt(10), 3 / std::sqrt(20), 4 / std::sqrt(34)}));
}

TEST(LocalResponseNormalizationTest, HugeRadiusesTakeInEverything) {
  for (const int32_t radius : {3, 4, std::numeric_limits<int32_t>::max()}) {
    const Evaluated result = Evaluate({.input = kVector, .radius = radius, .bias = 2}, kValues);
    EXPECT_THAT(result.from_double,
                Pointwise(testing::DoubleEq(), {1.0 / 32, -2.0 / 32, 3.0 / 32, 4.0 / 32}));
  }
}

TEST(LocalResponseNormalizationTest, NegativeRadiusesTakeInNothing) {
  for (const int32_t radius : {-1, std::numeric_limits<int32_t>::min()}) {
    const Evaluated result = Evaluate({.input = kVector, .radius = radius, .bias = 2}, kValues);
    EXPECT_THAT(result.from_double, ElementsAre(0.5, -1, 1.5, 2));
  }
}

TEST(LocalResponseNormalizationTest, RunsAlongEveryAxis) {
  const std::vector<double> values = {1, 10, -2, 20, 3, 30, 4, 40};
  const std::vector<double> expected = {1.0 / 6,  10.0 / 501,  -2.0 / 15, 20.0 / 1401,
                                        3.0 / 30, 30.0 / 2901, 4.0 / 26,  40.0 / 2501};
  for (const OperandSpec& input :
       {OperandSpec{kFloat32, {4, 2}}, {kFloat32, {1, 4, 2}}, {kFloat32, {1, 1, 4, 2}}}) {
    const auto rank = static_cast<int32_t>(input.dimensions.size());
    for (const int32_t axis : {-2, rank - 2}) {
      EXPECT_THAT(Evaluate({.input = input, .axis = axis}, values).from_double,
                  Pointwise(testing::DoubleEq(), expected));
    }
  }
  EXPECT_THAT(Evaluate({.input = {kFloat32, {4}}}, kValues).from_double,
              Pointwise(testing::DoubleEq(), {1.0 / 6, -2.0 / 15, 3.0 / 30, 4.0 / 26}));
}

TEST(LocalResponseNormalizationTest, HalvesAreRoundedToHalves) {
  // 1 / 3 to 11 bits.
  EXPECT_THAT(Evaluate({.input = {kFloat16, {1}}, .radius = 0, .bias = 2}, {1}).from_double,
              ElementsAre(1365.0 / 4096));
}

TEST(LocalResponseNormalizationTest, EnclosuresAreTight) {
  const Evaluated result = Evaluate({.input = kVector, .beta = 0.5}, kValues);
  for (size_t i = 0; i < kValues.size(); ++i) {
    EXPECT_GT(result.enclosure[i].radius, std::abs(result.from_double[i]) * 0x1p-24);
    EXPECT_LT(result.enclosure[i].radius, std::abs(result.from_double[i]) * 50 * 0x1p-24);
  }
  const Evaluated relaxed = Evaluate({.input = kVector, .beta = 0.5, .is_relaxed = true}, kValues);
  for (size_t i = 0; i < kValues.size(); ++i) {
    EXPECT_LT(relaxed.enclosure[i].radius, std::abs(relaxed.from_double[i]) * 52 * 0x1p-11);
  }
}

TEST(LocalResponseNormalizationTest, ABaseThatMayNotBePositiveIsOpen) {
  // -1 + 1 * 1 is zero.
  const Evaluated result =
      Evaluate({.input = {kFloat32, {1}}, .radius = 0, .bias = -1, .beta = 0.5}, {1});
  EXPECT_FALSE(result.enclosure[0].IsBounded());
}

TEST(LocalResponseNormalizationTest, ABiasOfZeroDividesBySquaresAlone) {
  const Evaluated result =
      Evaluate({.input = {kFloat32, {5}}, .radius = 1, .bias = 0}, {4, 0, 0, 0, 2});
  EXPECT_EQ(result.from_double[0], 0.25);
  EXPECT_LT(result.enclosure[0].radius, 1e-6);
  EXPECT_TRUE(result.enclosure[1].Contains(0));
  EXPECT_LT(result.enclosure[1].radius, 1e-30);
  EXPECT_FALSE(result.enclosure[2].IsBounded());
  EXPECT_EQ(result.from_double[4], 0.5);
}

// What a machine makes of sums of squares, each added up anew or kept from window to window.
std::vector<double> SumsOf(const HonestMachine& machine, const std::vector<double>& values,
                           size_t radius, bool is_running) {
  std::vector<double> squares;
  for (const double value : values) squares.push_back(machine.Multiply(value, value));
  std::vector<double> sums;
  double running = 0;
  size_t behind = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t end = std::min(values.size(), i + radius + 1);
    const size_t first = i < radius ? 0 : i - radius;
    if (is_running) {
      while (behind < end) running = machine.Add(running, squares[behind++]);
      if (first > 0) running = machine.Subtract(running, squares[first - 1]);
      sums.push_back(running);
    } else {
      sums.push_back(machine.Sum({squares.begin() + static_cast<int64_t>(first),
                                  squares.begin() + static_cast<int64_t>(end)},
                                 SumOrder::kBackward));
    }
  }
  return sums;
}

TEST(LocalResponseNormalizationTest, EnclosuresHoldWhatHonestMachinesGive) {
  TestRandom random(13);
  for (const bool is_half : {false, true}) {
    const HonestMachine machine(is_half, false);
    for (int repetition = 0; repetition < 50; ++repetition) {
      std::vector<double> values(12);
      for (double& value : values) value = machine.Round(random.Uniform(-2, 2));
      // One that dwarfs the others, of which a running sum keeps traces.
      values[3] *= 8;
      const Evaluated result =
          Evaluate({.input = {is_half ? kFloat16 : kFloat32, {12}}, .radius = 2}, values);
      for (const bool is_running : {false, true}) {
        const std::vector<double> sums = SumsOf(machine, values, 2, is_running);
        for (size_t i = 0; i < values.size(); ++i) {
          const double output = machine.Divide(values[i], machine.Add(1, sums[i]));
          EXPECT_TRUE(result.enclosure[i].Contains(output))
              << machine.name() << (is_running ? ", running" : "") << ", element " << i;
        }
      }
    }
  }
}

TEST(LocalResponseNormalizationTest, local_response_normalization_c1_rejects_axes_out_of_range) {
  for (const int32_t axis :
       {4, -5, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}) {
    EXPECT_TRUE(IsRefused(ModelOf({.input = kVector, .axis = axis}), "C1"));
  }
}

TEST(LocalResponseNormalizationTest, OtherRanksHalvesAndTheAxisCameWithHal12) {
  EXPECT_EQ(SignatureErrorOf(ModelOf({.input = kVector}), HalVersion::V1_0), "");
  for (const auto& [damping, error] : std::vector<std::pair<Damping, std::string>>{
           {{.input = kVector, .axis = -1}, "has 6 inputs; expected 5 at HAL 1.1"},
           {{.input = {kFloat32, {4}}}, "has rank 1; expected rank 4"},
           {{.input = {kFloat16, {1, 1, 1, 4}}},
            "is TENSOR_FLOAT16; expected TENSOR_FLOAT32 at HAL 1.1"}}) {
    EXPECT_EQ(SignatureErrorOf(ModelOf(damping), HalVersion::V1_2), "");
    EXPECT_THAT(SignatureErrorOf(ModelOf(damping), HalVersion::V1_1), HasSubstr(error));
  }
  EXPECT_THAT(
      SignatureErrorOf(ModelOf({.input = {OperandType::TENSOR_QUANT8_ASYMM, {1, 1, 1, 4}, 1}}),
                       HalVersion::V1_2),
      HasSubstr("(operand 0) is TENSOR_QUANT8_ASYMM; expected "));
}

}  // namespace
}  // namespace nncert
