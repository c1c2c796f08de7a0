// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The parts of a cell; whole cells are computed in lstm_test.cc.

#include "reference/ops/common/lstm_cell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "reference/number/testing/honest_machine.h"

namespace nncert {
namespace {

TEST(LstmActivationTest, CodesAreThoseOfTheHal) {
  for (int32_t code = -3; code < 10; ++code) {
    EXPECT_EQ(IsLstmActivation(code), code == 0 || code == 1 || code == 3 || code == 4 || code == 6)
        << code;
  }
}

TEST(LstmActivationTest, Functions) {
  const DoubleArithmetic arithmetic;
  EXPECT_EQ(ActivateLstm(arithmetic, LstmActivation::kNone, -7), -7);
  EXPECT_EQ(ActivateLstm(arithmetic, LstmActivation::kRelu, -7), 0);
  EXPECT_EQ(ActivateLstm(arithmetic, LstmActivation::kRelu, 7), 7);
  EXPECT_EQ(ActivateLstm(arithmetic, LstmActivation::kRelu6, 7), 6);
  EXPECT_EQ(ActivateLstm(arithmetic, LstmActivation::kTanh, 0.5), std::tanh(0.5));
  EXPECT_EQ(ActivateLstm(arithmetic, LstmActivation::kLogistic, 0), 0.5);
}

TEST(NormalizeLayerTest, GivesMeanZeroAndVarianceOne) {
  // Mean 3, variance 4: (5 - 3) / 2 = 1.
  std::vector<double> numbers = {1, 5, 1, 5};
  NormalizeLayer(DoubleArithmetic(), 4, numbers.data());
  EXPECT_NEAR(numbers[0], -1, 1e-8);
  EXPECT_NEAR(numbers[1], 1, 1e-8);
}

TEST(NormalizeLayerTest, NothingIsAddedToASmallVariance) {
  // Mean 0.003, variance 4e-6.
  std::vector<double> numbers = {0.001, 0.005, 0.001, 0.005};
  NormalizeLayer(DoubleArithmetic(), 4, numbers.data());
  EXPECT_NEAR(numbers[0], -1, 1e-12);
  EXPECT_NEAR(numbers[1], 1, 1e-12);
}

TEST(NormalizeLayerTest, EqualNumbersBecomeZeros) {
  std::vector<double> numbers(7, 0.3);
  NormalizeLayer(DoubleArithmetic(), 7, numbers.data());
  for (const double number : numbers) EXPECT_NEAR(number, 0, 1e-10);
}

TEST(NormalizeLayerTest, EqualNumbersAreEnclosedByAnything) {
  // One pass may leave any small variance, even a negative one.
  std::vector<Ball> balls(7, Ball{0.3, 0});
  NormalizeLayer(BallArithmetic(kFloat32Precision), 7, balls.data());
  EXPECT_FALSE(balls[0].IsBounded());
}

// How an implementation may compute the reciprocal of the standard deviation.
enum class Epsilon { kNone, kAdded, kInPlaceOfZero };

std::vector<double> NormalizeOn(const HonestMachine& machine, const std::vector<double>& numbers,
                                bool in_one_pass, Epsilon epsilon, SumOrder order) {
  const double count = machine.Round(static_cast<double>(numbers.size()));
  const double mean = machine.Divide(machine.Sum(numbers, order), count);
  std::vector<double> differences;
  for (const double x : numbers) differences.push_back(machine.Subtract(x, mean));
  const std::vector<double>& squared = in_one_pass ? numbers : differences;
  double variance = machine.Divide(machine.DotProduct(squared, squared, order), count);
  if (in_one_pass) variance = machine.Subtract(variance, machine.Multiply(mean, mean));
  if (epsilon == Epsilon::kAdded) variance = machine.Add(variance, 1e-8);
  if (epsilon == Epsilon::kInPlaceOfZero && variance == 0) variance = 1e-8;
  const double reciprocal = machine.Divide(1, machine.Sqrt(variance));
  for (double& x : differences) x = machine.Multiply(x, reciprocal);
  return differences;
}

TEST(NormalizeLayerTest, EnclosesHonestImplementationsInOnePassAndTwo) {
  TestRandom random(41);
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    int bounded = 0;
    for (int round = 0; round < 300; ++round) {
      const size_t count = 2 + random.Bits() % 60;
      // A mean from nothing to some times the deviation.
      const double offset = random.Uniform(0, round % 2 == 0 ? 0.5 : 8);
      std::vector<double> numbers;
      std::vector<Ball> balls;
      for (size_t i = 0; i < count; ++i) {
        numbers.push_back(machine.Round(random.Uniform(-1, 1) + offset));
        balls.push_back({numbers.back(), 0});
      }
      NormalizeLayer(arithmetic, count, balls.data());
      bounded += balls[0].IsBounded() ? 1 : 0;
      for (const bool in_one_pass : {false, true}) {
        for (const Epsilon epsilon : {Epsilon::kNone, Epsilon::kAdded, Epsilon::kInPlaceOfZero}) {
          for (const SumOrder order : kSumOrders) {
            const std::vector<double> computed =
                NormalizeOn(machine, numbers, in_one_pass, epsilon, order);
            for (size_t i = 0; i < count; ++i) {
              ASSERT_TRUE(balls[i].Contains(computed[i]))
                  << machine.name() << ": " << computed[i] << " is not in " << balls[i].midpoint
                  << " +/- " << balls[i].radius;
            }
          }
        }
      }
    }
    EXPECT_GT(bounded, 100) << machine.name();
  }
}

// A cell of one unit whose gates are all biases: i = f = o = logistic(0), g = tanh(bias).
TEST(LstmCellTest, StepsThroughTime) {
  const std::vector<double> zero = {0};
  const std::vector<double> bias = {0.5};
  LstmGate<double> gate = {
      .input_weights = zero.data(), .recurrent_weights = zero.data(), .bias = zero.data()};
  LstmParameters<double> parameters = {
      .sizes = {.batches = 1, .input_size = 1, .aux_input_size = 0, .units = 1, .output_size = 1},
      .input = gate,
      .forget = gate,
      .cell = gate,
      .output = gate};
  parameters.cell.bias = bias.data();
  const DoubleArithmetic arithmetic;
  const double output_state = 7;
  const double cell_state = 1;
  LstmCell<DoubleArithmetic> cell(arithmetic, parameters, &output_state, &cell_state);
  const std::vector<double> input(5, 3);
  cell.SetInputs(5, input.data(), nullptr);
  // C' = C / 2 + tanh(0.5) / 2.
  double expected = 1;
  for (size_t step = 0; step < 5; ++step) {
    cell.Step(step);
    expected = expected / 2 + std::tanh(0.5) / 2;
    EXPECT_NEAR(cell.cell_state()[0], expected, 1e-15);
    EXPECT_NEAR(cell.output()[0], std::tanh(expected) / 2, 1e-15);
  }
}

TEST(LstmCellTest, ASecondInputHasWeightsOfItsOwn) {
  // The cell sees 2 * 3 + 5 * (7 * 11 + 13 * 17) = 1496 without activation; i = o = 1, f = 0.
  const std::vector<double> zero = {0};
  const std::vector<double> zeros = {0, 0};
  const std::vector<double> open = {1e3};
  const std::vector<double> shut = {-1e3};
  const LstmGate<double> gate = {.input_weights = zero.data(),
                                 .aux_input_weights = zeros.data(),
                                 .recurrent_weights = zero.data(),
                                 .bias = open.data()};
  LstmParameters<double> parameters = {
      .sizes = {.batches = 1, .input_size = 1, .aux_input_size = 2, .units = 1, .output_size = 1},
      .input = gate,
      .forget = gate,
      .cell = gate,
      .output = gate,
      .activation = LstmActivation::kNone};
  parameters.forget.bias = shut.data();
  parameters.cell.bias = zero.data();
  const std::vector<double> weights = {2};
  const std::vector<double> aux_weights = {35, 65};
  parameters.cell.input_weights = weights.data();
  parameters.cell.aux_input_weights = aux_weights.data();
  const DoubleArithmetic arithmetic;
  const double output_state = 0;
  const double cell_state = 100;
  LstmCell<DoubleArithmetic> cell(arithmetic, parameters, &output_state, &cell_state);
  const double input = 3;
  const std::vector<double> aux_input = {11, 17};
  cell.SetInputs(1, &input, aux_input.data());
  cell.Step(0);
  EXPECT_NEAR(cell.cell_state()[0], 6 + 5 * (7 * 11 + 13 * 17), 1e-9);
  EXPECT_NEAR(cell.output()[0], 1496, 1e-9);
}

}  // namespace
}  // namespace nncert
