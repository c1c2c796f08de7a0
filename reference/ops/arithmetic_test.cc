// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// One operation of arithmetic on two model inputs.
hal::V1_2::Model ModelOf(OperationType type, const OperandSpec& a, const OperandSpec& b,
                         const OperandSpec& output, int32_t activation = 0,
                         bool is_relaxed = false) {
  ModelBuilder builder;
  const uint32_t first = builder.Input(a);
  const uint32_t second = builder.Input(b);
  const uint32_t function = builder.Int32(activation);
  const uint32_t result = builder.Output(output);
  builder.Operation(type, {first, second, function}, {result}).Relaxed(is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const hal::V1_2::Model& model, const std::vector<std::vector<double>>& inputs) {
  return EvaluateDecided(model, inputs);
}

TEST(AddTest, AddsElementByElement) {
  const OperandSpec row = {kFloat32, {2, 2}};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::ADD, row, row, row), {{1, -2, 0.5, 1e6}, {10, 2, 0.25, 1}});
  EXPECT_THAT(result.from_double, ElementsAre(11, 0, 0.75, 1000001));
  EXPECT_THAT(result.from_float, ElementsAre(11, 0, 0.75, 1000001));
}

TEST(AddTest, BroadcastsBothWays) {
  // The shapes of types.hal: [4, 1, 2] and [5, 4, 3, 1] give [5, 4, 3, 2]. Here [2, 1] and [1, 3].
  const Evaluated result = Evaluate(
      ModelOf(OperationType::ADD, {kFloat32, {2, 1}}, {kFloat32, {1, 3}}, {kFloat32, {2, 3}}),
      {{10, 20}, {1, 2, 3}});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 3));
  EXPECT_THAT(result.from_double, ElementsAre(11, 12, 13, 21, 22, 23));
}

TEST(AddTest, BroadcastsTheLowerRank) {
  const Evaluated result = Evaluate(
      ModelOf(OperationType::ADD, {kFloat32, {2}}, {kFloat32, {2, 1, 2}}, {kFloat32, {2, 1, 2}}),
      {{10, 20}, {1, 2, 3, 4}});
  EXPECT_THAT(result.from_double, ElementsAre(11, 22, 13, 24));
}

// Sums of integers that are so many that they are read some at a time, of every type and with every
// way to repeat the second operand.
TEST(AddTest, AddsManyElements) {
  constexpr uint32_t kRows = 40;
  constexpr uint32_t kColumns = 71;
  struct Repetition {
    std::vector<uint32_t> dimensions;
    uint32_t row_step;
    uint32_t column_step;
  };
  const Repetition repetitions[] = {
      {{kRows, kColumns}, kColumns, 1}, {{kColumns}, 0, 1}, {{kRows, 1}, 1, 0}, {{1}, 0, 0}};
  for (const OperandType type : {kFloat32, kFloat16, kQuant8}) {
    const bool is_quantized = type == kQuant8;
    const float scale = is_quantized ? 0.5F : 0.F;
    const int zero_point = is_quantized ? 100 : 0;
    for (const Repetition& repetition : repetitions) {
      const OperandSpec a = {type, {kRows, kColumns}, scale, zero_point};
      const OperandSpec b = {type, repetition.dimensions, scale, zero_point};
      std::vector<double> a_values(kRows * kColumns);
      for (size_t i = 0; i < a_values.size(); ++i) {
        a_values[i] = static_cast<double>(i % 97) - 48 + zero_point;
      }
      const size_t b_count =
          (kRows - 1) * repetition.row_step + (kColumns - 1) * repetition.column_step + 1;
      std::vector<double> b_values(b_count);
      for (size_t i = 0; i < b_count; ++i) {
        b_values[i] = static_cast<double>(i % 31) - 15 + zero_point;
      }
      const Evaluated result = Evaluate(ModelOf(OperationType::ADD, a, b, a), {a_values, b_values});
      ASSERT_EQ(result.from_double.size(), a_values.size());
      for (size_t i = 0; i < a_values.size(); ++i) {
        const double other =
            b_values[i / kColumns * repetition.row_step + i % kColumns * repetition.column_step];
        const double sum = a_values[i] + other - zero_point;
        ASSERT_EQ(result.from_double[i], sum) << "element " << i;
        ASSERT_EQ(result.from_float[i], sum) << "element " << i;
        ASSERT_LE(result.enclosure[i].radius, 0.1) << "element " << i;
      }
    }
  }
}

TEST(AddTest, AppliesEveryActivation) {
  const OperandSpec row = {kFloat32, {4}};
  const std::vector<std::vector<double>> inputs = {{-4, -0.5, 2, 9}, {0, 0, 0, 0}};
  const auto with = [&](int activation) {
    return Evaluate(ModelOf(OperationType::ADD, row, row, row, activation), inputs).from_double;
  };
  EXPECT_THAT(with(0), ElementsAre(-4, -0.5, 2, 9));
  EXPECT_THAT(with(1), ElementsAre(0, 0, 2, 9));
  EXPECT_THAT(with(2), ElementsAre(-1, -0.5, 1, 1));
  EXPECT_THAT(with(3), ElementsAre(0, 0, 2, 6));
}

TEST(AddTest, AddsHalves) {
  const OperandSpec row = {kFloat16, {2}};
  // 2048 + 1 is between two halves, 2048 and 2050, and ties to even.
  const Evaluated result =
      Evaluate(ModelOf(OperationType::ADD, row, row, row), {{1.5, 2048}, {0.25, 1}});
  EXPECT_THAT(result.from_double, ElementsAre(1.75, 2048));
  EXPECT_TRUE(result.enclosure[1].Contains(2050));
}

TEST(AddTest, AddsQuantizedElementsOfDifferentScales) {
  // (130 - 128) * 0.5 + (20 - 10) * 0.25 = 3.5, in steps of 0.1 from 5: 35 + 5.
  // (0 - 128) * 0.5 + (255 - 10) * 0.25 = -2.75, below the range of the output.
  const Evaluated result = Evaluate(ModelOf(OperationType::ADD, {kQuant8, {2}, 0.5F, 128},
                                            {kQuant8, {2}, 0.25F, 10}, {kQuant8, {2}, 0.1F, 5}),
                                    {{130, 0}, {20, 255}});
  EXPECT_THAT(result.from_double, ElementsAre(40, 0));
  EXPECT_THAT(result.from_float, ElementsAre(40, 0));
  EXPECT_TRUE(result.enclosure[0].IsExact());
}

TEST(AddTest, ActivationOfQuantizedElementsIsOfTheReals) {
  // 6 is step 60 + 5; 0 is step 5.
  const OperandSpec input = {kQuant8, {3}, 0.5F, 128};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::ADD, input, input, {kQuant8, {3}, 0.1F, 5}, 3),
               {{148, 108, 130}, {128, 128, 128}});
  EXPECT_THAT(result.from_double, ElementsAre(65, 5, 15));
}

TEST(AddTest, TiesOfQuantizedElementsMayGoEitherWay) {
  // 0.5 + 0 in steps of 1.
  const OperandSpec input = {kQuant8, {1}, 0.5F, 0};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::ADD, input, input, {kQuant8, {1}, 1.0F, 0}), {{1}, {0}});
  EXPECT_THAT(result.from_double, ElementsAre(1));
  EXPECT_TRUE(result.enclosure[0].Contains(0));
  EXPECT_TRUE(result.enclosure[0].Contains(1));
  EXPECT_FALSE(result.enclosure[0].Contains(2));
}

TEST(AddTest, RelaxedComputationMayRoundTheInputsToHalves) {
  // 1.0001 and 1 are the same half, so that nothing may be left of the difference.
  const OperandSpec row = {kFloat32, {1}};
  const std::vector<std::vector<double>> inputs = {{1.0001}, {-1}};
  const Evaluated exact = Evaluate(ModelOf(OperationType::ADD, row, row, row), inputs);
  EXPECT_FALSE(exact.enclosure[0].Contains(0));
  const Evaluated relaxed = Evaluate(ModelOf(OperationType::ADD, row, row, row, 0, true), inputs);
  EXPECT_TRUE(relaxed.enclosure[0].Contains(0));
  EXPECT_LT(relaxed.enclosure[0].radius, 1e-3);
}

TEST(AddTest, DimensionsOfTheOutputMayBeUnknown) {
  const Evaluated result =
      Evaluate(ModelOf(OperationType::ADD, {kFloat32, {2, 1}}, {kFloat32, {2}}, {kFloat32, {0, 0}}),
               {{1, 2}, {10, 20}});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 2));
  EXPECT_THAT(result.from_double, ElementsAre(11, 21, 12, 22));
}

TEST(AddTest, RefusesDimensionsThatDoNotBroadcast) {
  EXPECT_THAT(ErrorOf(ModelOf(OperationType::ADD, {kFloat32, {2, 3}}, {kFloat32, {2, 2}},
                              {kFloat32, {2, 3}})),
              HasSubstr("ADD: dimensions [2, 3] and [2, 2] do not broadcast"));
}

TEST(AddTest, add_c1_rejects_an_unknown_activation) {
  const OperandSpec row = {kFloat32, {1}};
  for (const int32_t activation : {-1, 4}) {
    EXPECT_THAT(ErrorOf(ModelOf(OperationType::ADD, row, row, row, activation)),
                AllOf(RefusedBy("ADD", "C1"), HasSubstr("'activation'"), HasSubstr("operand 2")));
  }
}

TEST(AddTest, RefusesHalvesBeforeHal12) {
  const OperandSpec row = {kFloat16, {1}};
  EXPECT_EQ(ErrorOf(ModelOf(OperationType::ADD, row, row, row)), "");
  EXPECT_THAT(ErrorOf(ModelOf(OperationType::ADD, row, row, row), HalVersion::V1_1),
              HasSubstr("TENSOR_FLOAT16"));
}

TEST(MulTest, MultipliesElementByElementAndBroadcasts) {
  const Evaluated result =
      Evaluate(ModelOf(OperationType::MUL, {kFloat32, {2, 2}}, {kFloat32, {2}}, {kFloat32, {2, 2}}),
               {{1, 2, 3, -4}, {10, 0.5}});
  EXPECT_THAT(result.from_double, ElementsAre(10, 1, 30, -2));
}

TEST(MulTest, AppliesEveryActivation) {
  const OperandSpec row = {kFloat32, {4}};
  const std::vector<std::vector<double>> inputs = {{-2, -0.25, 1, 3}, {2, 2, 2, 3}};
  const auto with = [&](int activation) {
    return Evaluate(ModelOf(OperationType::MUL, row, row, row, activation), inputs).from_double;
  };
  EXPECT_THAT(with(0), ElementsAre(-4, -0.5, 2, 9));
  EXPECT_THAT(with(1), ElementsAre(0, 0, 2, 9));
  EXPECT_THAT(with(2), ElementsAre(-1, -0.5, 1, 1));
  EXPECT_THAT(with(3), ElementsAre(0, 0, 2, 6));
}

TEST(MulTest, MultipliesHalves) {
  const OperandSpec row = {kFloat16, {2}};
  // 3 * 0.3330078125 = 0.9990234375 exactly, and a half holds it.
  const Evaluated result =
      Evaluate(ModelOf(OperationType::MUL, row, row, row), {{1.5, 3}, {-2, 0.3330078125}});
  EXPECT_THAT(result.from_double, ElementsAre(-3, 0.9990234375));
}

TEST(MulTest, MultipliesQuantizedElements) {
  // 1.5 * 2 = 3 is step 30 + 1; -1 * 10 = -10 saturates at 0; 100 * 10 = 1000 at 255.
  const Evaluated result = Evaluate(ModelOf(OperationType::MUL, {kQuant8, {3}, 0.5F, 8},
                                            {kQuant8, {3}, 0.1F, 0}, {kQuant8, {3}, 0.1F, 1}),
                                    {{11, 6, 208}, {20, 100, 100}});
  EXPECT_THAT(result.from_double, ElementsAre(31, 0, 255));
}

TEST(MulTest, ProductsBelowTheRangeOfHalvesMayBeFlushed) {
  const OperandSpec row = {kFloat16, {1}};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::MUL, row, row, row), {{0x1p-8}, {0x1p-8}});
  EXPECT_THAT(result.from_double, ElementsAre(0x1p-16));
  EXPECT_TRUE(result.enclosure[0].Contains(0));
}

TEST(MulTest, ProductsBeyondTheRangeOfHalvesMayBeAnything) {
  const OperandSpec row = {kFloat16, {1}};
  const Evaluated result = Evaluate(ModelOf(OperationType::MUL, row, row, row), {{256}, {256}});
  EXPECT_FALSE(result.enclosure[0].IsBounded());
}

TEST(MulTest, mul_c1_rejects_an_unknown_activation) {
  const OperandSpec row = {kFloat32, {1}};
  EXPECT_THAT(ErrorOf(ModelOf(OperationType::MUL, row, row, row, 4)),
              AllOf(RefusedBy("MUL", "C1"), HasSubstr("'activation'")));
}

TEST(MulTest, mul_c2_rejects_an_output_scale_not_above_the_product) {
  const OperandSpec input = {kQuant8, {1}, 0.5F, 0};
  EXPECT_THAT(ErrorOf(ModelOf(OperationType::MUL, input, input, {kQuant8, {1}, 0.25F, 0})),
              RefusedBy("MUL", "C2"));
  EXPECT_EQ(ErrorOf(ModelOf(OperationType::MUL, input, input, {kQuant8, {1}, 0.26F, 0})), "");
}

TEST(MulTest, AnInputThatTheRequestLeavesOutIsRefused) {
  const OperandSpec row = {kFloat32, {1}};
  const auto graph = PreparedGraph::Create(ModelOf(OperationType::MUL, row, row, row));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const float one = 1;
  std::vector<InputArgument> arguments(2);
  arguments[0].elements =
      absl::MakeConstSpan(reinterpret_cast<const std::byte*>(&one), sizeof(one));
  arguments[1].has_no_value = true;
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    EXPECT_THAT((*graph)->Execute(system, arguments).status().message(),
                HasSubstr("MUL input 1 (operand 1) has no value"));
  }
}

TEST(SubTest, SubtractsElementByElementAndBroadcasts) {
  const Evaluated result = Evaluate(
      ModelOf(OperationType::SUB, {kFloat32, {2, 1}}, {kFloat32, {1, 3}}, {kFloat32, {2, 3}}),
      {{10, 20}, {1, 2.5, -3}});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 3));
  EXPECT_THAT(result.from_double, ElementsAre(9, 7.5, 13, 19, 17.5, 23));
  EXPECT_THAT(result.from_float, ElementsAre(9, 7.5, 13, 19, 17.5, 23));
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 2e-6);
}

TEST(SubTest, AppliesEveryActivation) {
  const OperandSpec row = {kFloat32, {4}};
  const std::vector<std::vector<double>> inputs = {{-4, 0.5, 2, 10}, {0, 1, 0, 1}};
  const auto with = [&](int activation) {
    return Evaluate(ModelOf(OperationType::SUB, row, row, row, activation), inputs).from_double;
  };
  EXPECT_THAT(with(0), ElementsAre(-4, -0.5, 2, 9));
  EXPECT_THAT(with(1), ElementsAre(0, 0, 2, 9));
  EXPECT_THAT(with(2), ElementsAre(-1, -0.5, 1, 1));
  EXPECT_THAT(with(3), ElementsAre(0, 0, 2, 6));
}

TEST(SubTest, SubtractsHalves) {
  const OperandSpec row = {kFloat16, {2}};
  // 2048 - 0.75 is between two halves, 2047 and 2048.
  const Evaluated result =
      Evaluate(ModelOf(OperationType::SUB, row, row, row), {{1.5, 2048}, {0.25, 0.75}});
  EXPECT_THAT(result.from_double, ElementsAre(1.25, 2047));
  EXPECT_TRUE(result.enclosure[1].Contains(2048));
}

TEST(SubTest, SubtractsQuantizedElementsOfDifferentScales) {
  // (130 - 128) * 0.5 - (20 - 10) * 0.25 = -1.5, in steps of 0.1 from 50: -15 + 50.
  // (0 - 128) * 0.5 - (255 - 10) * 0.25 saturates below, (255 - 128) * 0.5 - 0 above.
  const Evaluated result = Evaluate(ModelOf(OperationType::SUB, {kQuant8, {3}, 0.5F, 128},
                                            {kQuant8, {3}, 0.25F, 10}, {kQuant8, {3}, 0.1F, 50}),
                                    {{130, 0, 255}, {20, 255, 10}});
  EXPECT_THAT(result.from_double, ElementsAre(35, 0, 255));
  EXPECT_THAT(result.from_float, ElementsAre(35, 0, 255));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(SubTest, ActivationOfQuantizedElementsIsOfTheReals) {
  // 10, -10 and 0.5 become 1, -1 and 0.5: steps 15, 5 - 10 saturated, and 10.
  const OperandSpec input = {kQuant8, {3}, 0.5F, 128};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::SUB, input, input, {kQuant8, {3}, 0.1F, 5}, 2),
               {{148, 108, 130}, {128, 128, 129}});
  EXPECT_THAT(result.from_double, ElementsAre(15, 0, 10));
}

TEST(SubTest, CameWithHal11AndQuantizedElementsAndHalvesWithHal12) {
  const OperandSpec floats = {kFloat32, {1}};
  const hal::V1_2::Model model = ModelOf(OperationType::SUB, floats, floats, floats);
  EXPECT_EQ(ErrorOf(model, HalVersion::V1_1), "");
  EXPECT_THAT(ErrorOf(model, HalVersion::V1_0),
              HasSubstr("the type is SUB; expected one of HAL 1.0"));
  for (const OperandSpec& spec : {OperandSpec{kFloat16, {1}}, OperandSpec{kQuant8, {1}, 1, 0}}) {
    const hal::V1_2::Model newer = ModelOf(OperationType::SUB, spec, spec, spec);
    EXPECT_EQ(ErrorOf(newer), "");
    EXPECT_THAT(ErrorOf(newer, HalVersion::V1_1),
                AllOf(HasSubstr(" is TENSOR_"), HasSubstr("; expected "), HasSubstr("HAL 1.1")));
  }
}

TEST(SubTest, sub_c1_rejects_an_unknown_activation) {
  const OperandSpec row = {kFloat32, {1}};
  for (const int32_t activation : {-1, 4}) {
    EXPECT_THAT(ErrorOf(ModelOf(OperationType::SUB, row, row, row, activation)),
                AllOf(RefusedBy("SUB", "C1"), HasSubstr("'activation'")));
  }
}

TEST(DivTest, DividesElementByElementAndBroadcasts) {
  const Evaluated result =
      Evaluate(ModelOf(OperationType::DIV, {kFloat32, {2, 2}}, {kFloat32, {2}}, {kFloat32, {0, 0}}),
               {{1, 2, 3, -6}, {4, 0.5}});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 2));
  EXPECT_THAT(result.from_double, ElementsAre(0.25, 4, 0.75, -12));
  EXPECT_THAT(result.from_float, ElementsAre(0.25, 4, 0.75, -12));
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 5e-6);
}

TEST(DivTest, AppliesEveryActivation) {
  const OperandSpec row = {kFloat32, {4}};
  const std::vector<std::vector<double>> inputs = {{-8, -1, 4, 9}, {2, 2, 2, 1}};
  const auto with = [&](int activation) {
    return Evaluate(ModelOf(OperationType::DIV, row, row, row, activation), inputs).from_double;
  };
  EXPECT_THAT(with(0), ElementsAre(-4, -0.5, 2, 9));
  EXPECT_THAT(with(1), ElementsAre(0, 0, 2, 9));
  EXPECT_THAT(with(2), ElementsAre(-1, -0.5, 1, 1));
  EXPECT_THAT(with(3), ElementsAre(0, 0, 2, 6));
}

TEST(DivTest, QuotientsByZeroMayBeAnything) {
  const double infinity = std::numeric_limits<double>::infinity();
  const OperandSpec row = {kFloat32, {3}};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::DIV, row, row, row), {{1, -1, 0}, {0, 0, 0}});
  EXPECT_EQ(result.from_double[0], infinity);
  EXPECT_EQ(result.from_double[1], -infinity);
  EXPECT_TRUE(std::isnan(result.from_double[2]));
  for (const Ball& ball : result.enclosure) EXPECT_FALSE(ball.IsBounded());
}

TEST(DivTest, DividesHalvesAndRelaxedFloats) {
  // 1 / 3 = 0.333333; halves are 2^-12 apart there.
  const OperandSpec halves = {kFloat16, {1}};
  const Evaluated result =
      Evaluate(ModelOf(OperationType::DIV, halves, halves, halves), {{1}, {3}});
  EXPECT_NEAR(result.from_double[0], 1.0 / 3, 0x1p-13);
  EXPECT_LT(result.enclosure[0].radius, 2e-3);
  const OperandSpec floats = {kFloat32, {1}};
  const Evaluated relaxed =
      Evaluate(ModelOf(OperationType::DIV, floats, floats, floats, 0, true), {{1}, {3}});
  EXPECT_GT(relaxed.enclosure[0].radius, 1e-4);
  EXPECT_LT(relaxed.enclosure[0].radius, 2e-3);
}

TEST(DivTest, CameWithHal11AndHalvesWithHal12) {
  const OperandSpec floats = {kFloat32, {1}};
  const hal::V1_2::Model model = ModelOf(OperationType::DIV, floats, floats, floats);
  EXPECT_EQ(ErrorOf(model, HalVersion::V1_1), "");
  EXPECT_THAT(ErrorOf(model, HalVersion::V1_0),
              HasSubstr("the type is DIV; expected one of HAL 1.0"));
  const OperandSpec halves = {kFloat16, {1}};
  EXPECT_THAT(ErrorOf(ModelOf(OperationType::DIV, halves, halves, halves), HalVersion::V1_1),
              HasSubstr("TENSOR_FLOAT16"));
  const OperandSpec steps = {kQuant8, {1}, 1, 0};
  EXPECT_THAT(ErrorOf(ModelOf(OperationType::DIV, steps, steps, steps)),
              HasSubstr("DIV input 0 'a' (operand 0) is TENSOR_QUANT8_ASYMM"));
}

TEST(DivTest, div_c1_rejects_an_unknown_activation) {
  const OperandSpec row = {kFloat32, {1}};
  for (const int32_t activation : {-1, 4}) {
    EXPECT_THAT(ErrorOf(ModelOf(OperationType::DIV, row, row, row, activation)),
                AllOf(RefusedBy("DIV", "C1"), HasSubstr("'activation'")));
  }
}

class ArithmeticTest : public testing::TestWithParam<OperationType> {};

INSTANTIATE_TEST_SUITE_P(All, ArithmeticTest,
                         testing::Values(OperationType::ADD, OperationType::DIV, OperationType::MUL,
                                         OperationType::SUB));

TEST_P(ArithmeticTest, EmptyTensorsGiveEmptyTensors) {
  const auto graph = PreparedGraph::Create(
      ModelOf(GetParam(), {kFloat32, {0, 2}}, {kFloat32, {1, 2}}, {kFloat32, {0, 2}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const float row[2] = {1, 2};
  std::vector<InputArgument> arguments(2);
  arguments[0].dimensions = {0, 2};
  arguments[1].elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(row), sizeof(row));
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    const auto outputs = (*graph)->Execute(system, arguments);
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 2));
    EXPECT_THAT((*outputs)[0].elements, IsEmpty());
  }
}

TEST_P(ArithmeticTest, TakesRanksOneToFour) {
  for (int rank = 1; rank <= 5; ++rank) {
    const OperandSpec spec = {kFloat32, std::vector<uint32_t>(rank, 1)};
    EXPECT_EQ(ErrorOf(ModelOf(GetParam(), spec, spec, spec)).empty(), rank <= 4) << rank;
  }
}

TEST_P(ArithmeticTest, RefusesMixedTypes) {
  EXPECT_THAT(ErrorOf(ModelOf(GetParam(), {kFloat32, {1}}, {kFloat16, {1}}, {kFloat32, {1}})),
              HasSubstr("input 1 'b' (operand 1) is TENSOR_FLOAT16; expected TENSOR_FLOAT32"));
}

}  // namespace
}  // namespace nncert
