// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kQuant16 = OperandType::TENSOR_QUANT16_SYMM;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

constexpr float kWeightsScale = 1.0F / 64;
constexpr int32_t kWeightsZeroPoint = 100;

// A cell by the integers of its operands, which are inputs of the model.
struct Cell {
  uint32_t batches = 1;
  uint32_t inputs = 1;
  uint32_t outputs = 1;
  std::vector<std::vector<double>> values = std::vector<std::vector<double>>(15);
  // Operands that are not what they should be.
  std::map<int, OperandSpec> wrong = {};
};

hal::V1_2::Model ModelOf(const Cell& cell) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs;
  const OperandSpec value = {kQuant8, {cell.batches, cell.outputs}, 1.0F / 128, 128};
  for (int i = 0; i < 15; ++i) {
    OperandSpec spec = value;
    if (i == 0) spec.dimensions = {cell.batches, cell.inputs};
    if (i >= 1 && i <= 8) {
      spec = {kQuant8,
              {cell.outputs, i <= 4 ? cell.inputs : cell.outputs},
              kWeightsScale,
              kWeightsZeroPoint};
    }
    if (i >= 9 && i <= 12) spec = {kInt32, {cell.outputs}, kWeightsScale / 128};
    if (i == 13) spec = {kQuant16, {cell.batches, cell.outputs}, 1.0F / 2048};
    const auto wrong = cell.wrong.find(i);
    inputs.push_back(builder.Input(wrong == cell.wrong.end() ? spec : wrong->second));
  }
  builder.Operation(OperationType::QUANTIZED_16BIT_LSTM, inputs,
                    {builder.Output({kQuant16, {0, 0}, 1.0F / 2048}),
                     builder.Output({kQuant8, {0, 0}, 1.0F / 128, 128})});
  return builder.model();
}

std::vector<Evaluated> Evaluate(const Cell& cell) {
  const auto results = EvaluateInAllSystems(ModelOf(cell), cell.values);
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? *results : std::vector<Evaluated>(2);
}

// A cell of one unit without weights, whose biases are those real numbers.
Cell CellOfBiases(double input, double forget, double cell_bias, double output, double state) {
  Cell cell;
  const double steps = 128 / static_cast<double>(kWeightsScale);
  const double zero = kWeightsZeroPoint;
  cell.values = {{128},
                 {zero},
                 {zero},
                 {zero},
                 {zero},
                 {zero},
                 {zero},
                 {zero},
                 {zero},
                 {input * steps},
                 {forget * steps},
                 {cell_bias * steps},
                 {output * steps},
                 {state * 2048},
                 {128}};
  return cell;
}

TEST(Quantized16BitLstmTest, HalfOpenGatesHalveTheState) {
  // C' = 3 / 2 + tanh(1) / 2 = 1.880797, 3851.9 steps; h' = tanh(C') / 2 = 0.477277, 61.09 steps.
  const auto results = Evaluate(CellOfBiases(0, 0, 1, 0, 3));
  EXPECT_THAT(results[0].from_double, ElementsAre(3852));
  EXPECT_THAT(results[1].from_double, ElementsAre(128 + 61));
  // What 16-bit numbers lose is some steps of the state, and less than one of the output.
  EXPECT_GE(results[0].enclosure[0].radius, 1);
  EXPECT_LE(results[0].enclosure[0].radius, 8);
  EXPECT_LE(results[1].enclosure[0].radius, 0.5);
}

TEST(Quantized16BitLstmTest, StateAndOutputSaturate) {
  // C' = 15.99 + 1 is limited to 32767 steps; h' = 1 to 127 / 128.
  const auto results = Evaluate(CellOfBiases(30, 30, 30, 30, 15.9));
  EXPECT_THAT(results[0].from_double, ElementsAre(32767));
  EXPECT_THAT(results[1].from_double, ElementsAre(255));
  const auto negative = Evaluate(CellOfBiases(30, 30, -30, 30, -15.9));
  EXPECT_THAT(negative[0].from_double, ElementsAre(-32768));
  EXPECT_THAT(negative[1].from_double, ElementsAre(0));
}

TEST(Quantized16BitLstmTest, ArgumentsMaySaturateAtEight) {
  // With f = logistic(-20), 0 is left of the state of 10; with f = logistic(-8), 6.87 steps.
  const auto results = Evaluate(CellOfBiases(-20, -20, 0, 0, 10));
  EXPECT_THAT(results[0].from_double, ElementsAre(0));
  EXPECT_TRUE(results[0].enclosure[0].Contains(0));
  EXPECT_TRUE(results[0].enclosure[0].Contains(7));
}

double Logistic(double x) { return 1 / (1 + std::exp(-x)); }

// A cell of 2 batches, 3 inputs and 2 outputs.
Cell SomeCell() {
  Cell cell = {.batches = 2, .inputs = 3, .outputs = 2};
  const size_t counts[] = {6, 6, 6, 6, 6, 4, 4, 4, 4, 2, 2, 2, 2, 4, 4};
  for (size_t i = 0; i < 15; ++i) {
    for (size_t k = 0; k < counts[i]; ++k) {
      const auto mixed = static_cast<double>((i * 7919 + k * 104729 + k * k * 31) % 256);
      cell.values[i].push_back(i >= 9 && i <= 13 ? (mixed - 128) * 40 : mixed);
    }
  }
  return cell;
}

TEST(Quantized16BitLstmTest, ByTheEquations) {
  const Cell cell = SomeCell();
  const auto results = Evaluate(cell);
  const auto value = [&](size_t operand, size_t index) {
    return (cell.values[operand][index] - 128) / 128;
  };
  const auto weight = [&](size_t operand, size_t index) {
    return (cell.values[operand][index] - kWeightsZeroPoint) * kWeightsScale;
  };
  for (size_t batch = 0; batch < 2; ++batch) {
    for (size_t unit = 0; unit < 2; ++unit) {
      double arguments[4];
      for (size_t gate = 0; gate < 4; ++gate) {
        arguments[gate] = cell.values[9 + gate][unit] * kWeightsScale / 128;
        for (size_t k = 0; k < 3; ++k) {
          arguments[gate] += weight(1 + gate, unit * 3 + k) * value(0, batch * 3 + k);
        }
        for (size_t k = 0; k < 2; ++k) {
          arguments[gate] += weight(5 + gate, unit * 2 + k) * value(14, batch * 2 + k);
        }
      }
      const size_t index = batch * 2 + unit;
      const double state = std::clamp(Logistic(arguments[1]) * cell.values[13][index] / 2048 +
                                          Logistic(arguments[0]) * std::tanh(arguments[2]),
                                      -16.0, 16.0);
      EXPECT_EQ(results[0].from_double[index], std::round(state * 2048));
      EXPECT_EQ(results[1].from_double[index],
                std::clamp(std::round(Logistic(arguments[3]) * std::tanh(state) * 128) + 128, 0.0,
                           255.0));
    }
  }
}

// What a cell makes of 16-bit numbers with a fixed point.
class FixedPointCell {
 public:
  // The value nearest to x in steps of 2^-fraction_bits, of 16 bits.
  static double Fixed(double x, int fraction_bits) {
    const double steps = std::ldexp(1.0, fraction_bits);
    return std::clamp(std::round(x * steps), -32768.0, 32767.0) / steps;
  }
  // Functions of arguments with 3 bits before the point.
  static double LogisticOf(double x) { return Fixed(Logistic(Fixed(x, 12)), 15); }
  static double TanhOf(double x) { return Fixed(std::tanh(Fixed(x, 12)), 15); }
};

TEST(Quantized16BitLstmTest, EnclosesFixedPointImplementations) {
  for (double input = -10; input <= 10; input += 2.5) {
    for (double state = -15.5; state <= 15.5; state += 3.1) {
      for (const double cell_bias : {-9.0, -0.7, 0.3, 2.0}) {
        Cell cell = CellOfBiases(input, -input / 2, cell_bias, input / 3, 0);
        for (size_t i = 9; i <= 12; ++i) cell.values[i][0] = std::round(cell.values[i][0]);
        cell.values[13][0] = std::round(state * 2048);
        const auto real = [&](size_t i) { return cell.values[i][0] * kWeightsScale / 128; };
        using F = FixedPointCell;
        const double kept = F::Fixed(F::LogisticOf(real(10)) * cell.values[13][0] / 2048, 11);
        const double product = F::Fixed(F::LogisticOf(real(9)) * F::TanhOf(real(11)), 15);
        const double new_state = F::Fixed(kept + F::Fixed(product, 11), 11);
        const double output = F::Fixed(F::LogisticOf(real(12)) * F::TanhOf(new_state), 15);
        const auto results = Evaluate(cell);
        ASSERT_TRUE(results[0].enclosure[0].Contains(new_state * 2048)) << input << " " << state;
        ASSERT_TRUE(results[1].enclosure[0].Contains(
            std::clamp(std::round(output * 128) + 128, 0.0, 255.0)))
            << input << " " << state;
      }
    }
  }
}

TEST(Quantized16BitLstmTest, quantized_16bit_lstm_c1_rejects_other_input_weights) {
  for (const int input : {2, 3, 4}) {
    Cell cell = SomeCell();
    cell.wrong[input] = {kQuant8, {2, 2}, kWeightsScale, kWeightsZeroPoint};
    EXPECT_TRUE(IsRefused(ModelOf(cell), "C1"));
  }
}

TEST(Quantized16BitLstmTest, quantized_16bit_lstm_c2_rejects_other_recurrent_weights) {
  for (const int input : {5, 6, 7, 8}) {
    Cell cell = SomeCell();
    cell.wrong[input] = {kQuant8, {2, 3}, kWeightsScale, kWeightsZeroPoint};
    EXPECT_TRUE(IsRefused(ModelOf(cell), "C2"));
  }
}

TEST(Quantized16BitLstmTest, quantized_16bit_lstm_c3_rejects_other_biases) {
  for (const int input : {9, 10, 11, 12}) {
    Cell cell = SomeCell();
    cell.wrong[input] = {kInt32, {3}, kWeightsScale / 128};
    EXPECT_TRUE(IsRefused(ModelOf(cell), "C3"));
  }
}

TEST(Quantized16BitLstmTest, quantized_16bit_lstm_c4_rejects_other_states) {
  Cell cell = SomeCell();
  cell.wrong[13] = {kQuant16, {1, 2}, 1.0F / 2048};
  EXPECT_TRUE(IsRefused(ModelOf(cell), "C4"));
  cell.wrong = {{14, {kQuant8, {2, 3}, 1.0F / 128, 128}}};
  EXPECT_TRUE(IsRefused(ModelOf(cell), "C4"));
}

TEST(Quantized16BitLstmTest, RefusesOtherQuantization) {
  const auto error_with = [](int input, const OperandSpec& spec) {
    Cell cell = SomeCell();
    cell.wrong[input] = spec;
    return std::string(PreparedGraph::Create(ModelOf(cell)).status().message());
  };
  EXPECT_EQ(error_with(0, {kQuant8, {2, 3}, 1.0F / 128, 128}), "");
  EXPECT_THAT(error_with(0, {kQuant8, {2, 3}, 1.0F / 64, 128}), HasSubstr("'input' (operand 0)"));
  EXPECT_THAT(error_with(0, {kQuant8, {2, 3}, 1.0F / 128, 0}), HasSubstr("'input' (operand 0)"));
  EXPECT_THAT(error_with(3, {kQuant8, {2, 3}, kWeightsScale, 0}),
              HasSubstr("'input_to_cell_weights'"));
  EXPECT_THAT(error_with(8, {kQuant8, {2, 2}, 1, kWeightsZeroPoint}),
              HasSubstr("'recurrent_to_output_weights'"));
  EXPECT_THAT(error_with(11, {kInt32, {2}, kWeightsScale}), HasSubstr("'cell_bias'"));
  EXPECT_THAT(error_with(13, {kQuant16, {2, 2}, 1.0F / 1024}), HasSubstr("'cell_state_in'"));
  EXPECT_THAT(error_with(14, {kQuant8, {2, 2}, 1.0F / 256, 128}), HasSubstr("'output_in'"));
}

TEST(Quantized16BitLstmTest, CameWithHal12) {
  EXPECT_THAT(SignatureErrorOf(ModelOf(SomeCell()), HalVersion::V1_1),
              HasSubstr("QUANTIZED_16BIT_LSTM was introduced in HAL 1.2"));
}

}  // namespace
}  // namespace nncert
