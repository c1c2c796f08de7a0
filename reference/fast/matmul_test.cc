// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/number/arithmetic.h"
#include "reference/number/testing/honest_machine.h"

namespace nncert {
namespace {

// Two matrices of numbers that a machine holds.
struct Factors {
  MatrixProductSizes sizes;
  std::vector<double> left;
  std::vector<double> right;

  std::vector<double> LeftRow(size_t row) const {
    return {left.begin() + row * sizes.depth, left.begin() + (row + 1) * sizes.depth};
  }
  std::vector<double> RightRow(size_t column) const {
    return {right.begin() + column * sizes.depth, right.begin() + (column + 1) * sizes.depth};
  }
};

Factors RandomFactors(const MatrixProductSizes& sizes, const HonestMachine& machine,
                      TestRandom& random, int spread) {
  Factors factors = {sizes, std::vector<double>(sizes.rows * sizes.depth),
                     std::vector<double>(sizes.columns * sizes.depth)};
  for (double& x : factors.left) x = machine.Round(random.WithExponent(-spread, 0));
  for (double& x : factors.right) x = machine.Round(random.WithExponent(-spread, 0));
  return factors;
}

std::vector<Ball> ExactBalls(const std::vector<double>& numbers) {
  std::vector<Ball> balls;
  for (const double number : numbers) balls.push_back({number, 0});
  return balls;
}

const MatrixProductSizes kSizes[] = {{1, 1, 1}, {1, 7, 33}, {5, 1, 100}, {4, 3, 257}, {16, 16, 64}};

TEST(MatMulTest, IntegersAreExactInFloatAndDouble) {
  TestRandom random(1);
  for (const MatrixProductSizes& sizes : kSizes) {
    std::vector<int64_t> left(sizes.rows * sizes.depth);
    std::vector<int64_t> right(sizes.columns * sizes.depth);
    for (int64_t& x : left) x = static_cast<int64_t>(random.Bits() % 201) - 100;
    for (int64_t& x : right) x = static_cast<int64_t>(random.Bits() % 201) - 100;
    const std::vector<float> left_floats(left.begin(), left.end());
    const std::vector<float> right_floats(right.begin(), right.end());
    const std::vector<double> left_doubles(left.begin(), left.end());
    const std::vector<double> right_doubles(right.begin(), right.end());
    std::vector<float> floats(sizes.rows * sizes.columns, -1);
    std::vector<double> doubles(sizes.rows * sizes.columns, -1);
    MatMul(sizes, left_floats.data(), right_floats.data(), floats.data());
    MatMul(sizes, left_doubles.data(), right_doubles.data(), doubles.data());
    for (size_t row = 0; row < sizes.rows; ++row) {
      for (size_t column = 0; column < sizes.columns; ++column) {
        int64_t expected = 0;
        for (size_t k = 0; k < sizes.depth; ++k) {
          expected += left[row * sizes.depth + k] * right[column * sizes.depth + k];
        }
        EXPECT_EQ(floats[row * sizes.columns + column], static_cast<float>(expected));
        EXPECT_EQ(doubles[row * sizes.columns + column], static_cast<double>(expected));
      }
    }
  }
}

// Sizes with few rows, and with many.
const MatrixProductSizes kSizesWithFloats[] = {{1, 1, 1}, {3, 7, 33}, {1, 16, 64, 99}, {20, 5, 17}};

std::vector<float> RandomFloats(TestRandom& random, size_t count) {
  std::vector<float> floats(count);
  for (float& x : floats) x = static_cast<float>(random.WithExponent(-6, 0));
  return floats;
}

TEST(MatMulTest, FloatsStandForDoubles) {
  TestRandom random(7);
  for (const MatrixProductSizes& sizes : kSizesWithFloats) {
    std::vector<double> left(sizes.rows * sizes.depth);
    for (double& x : left) x = random.WithExponent(-6, 0);
    const std::vector<float> right = RandomFloats(random, sizes.columns * sizes.depth);
    const std::vector<double> right_doubles(right.begin(), right.end());
    std::vector<double> result(sizes.rows * sizes.columns);
    std::vector<double> expected(result.size());
    MatMul(sizes, left.data(), right.data(), result.data());
    MatMul(sizes, left.data(), right_doubles.data(), expected.data());
    for (size_t i = 0; i < result.size(); ++i) ASSERT_NEAR(result[i], expected[i], 1e-13);
  }
}

TEST(MatMulTest, FloatsStandForWhatImplementationsHold) {
  TestRandom random(8);
  for (const MatrixProductSizes& sizes : kSizesWithFloats) {
    std::vector<Ball> left(sizes.rows * sizes.depth);
    for (Ball& x : left) x = {random.WithExponent(-6, 0), std::abs(random.WithExponent(-20, -9))};
    std::vector<float> right = RandomFloats(random, sizes.columns * sizes.depth);
    // The second is held as zero by some.
    for (const float special : {1.F, 0x1p-130F, std::numeric_limits<float>::infinity()}) {
      right[right.size() / 2] = special;
      std::vector<Ball> right_balls;
      for (const float x : right) right_balls.push_back(Held(double{x}, kFloat32Precision));
      std::vector<Ball> result(sizes.rows * sizes.columns);
      std::vector<Ball> expected(result.size());
      MatMul(sizes, kFloat32Precision, left.data(), right.data(), result.data());
      MatMul(sizes, kFloat32Precision, left.data(), right_balls.data(), expected.data());
      for (size_t i = 0; i < result.size(); ++i) {
        ASSERT_EQ(result[i].IsBounded(), expected[i].IsBounded());
        if (!expected[i].IsBounded()) continue;
        ASSERT_NEAR(result[i].midpoint, expected[i].midpoint, 1e-13);
        ASSERT_NEAR(result[i].radius, expected[i].radius, 1e-13);
      }
    }
  }
}

TEST(MatMulTest, EnclosesEverySummationOrderOfHonestMachines) {
  TestRandom random(2);
  for (const HonestMachine& machine : HonestMachines()) {
    for (const MatrixProductSizes& sizes : kSizes) {
      for (const int spread : {0, 3, 6}) {
        const Factors factors = RandomFactors(sizes, machine, random, spread);
        std::vector<Ball> result(sizes.rows * sizes.columns);
        MatMul(sizes, machine.precision(), ExactBalls(factors.left).data(),
               ExactBalls(factors.right).data(), result.data());
        for (size_t i = 0; i < result.size(); ++i) {
          const std::vector<double> x = factors.LeftRow(i / sizes.columns);
          const std::vector<double> y = factors.RightRow(i % sizes.columns);
          long double exact = 0;
          long double magnitude = 0;
          for (size_t k = 0; k < sizes.depth; ++k) {
            exact += static_cast<long double>(x[k]) * y[k];
            magnitude += std::abs(static_cast<long double>(x[k]) * y[k]);
          }
          ASSERT_TRUE(result[i].IsBounded());
          ASSERT_LE(std::abs(exact - result[i].midpoint), result[i].radius);
          for (const SumOrder order : kSumOrders) {
            ASSERT_TRUE(result[i].Contains(machine.DotProduct(x, y, order)))
                << machine.name() << " order " << static_cast<int>(order);
          }
          const double n = static_cast<double>(sizes.depth);
          const Precision& precision = machine.precision();
          ASSERT_LE(result[i].radius, (n + 1) * 1.01 * precision.unit_roundoff * magnitude +
                                          4 * n * precision.underflow);
        }
      }
    }
  }
}

TEST(MatMulTest, EnclosesProductsOfNumbersThatAreOnlyEnclosed) {
  TestRandom random(3);
  for (const HonestMachine& machine : HonestMachines()) {
    for (const MatrixProductSizes& sizes : kSizes) {
      const Factors factors = RandomFactors(sizes, machine, random, 3);
      const auto around = [&](const std::vector<double>& numbers) {
        std::vector<Ball> balls;
        for (const double number : numbers) {
          const double radius = random.Bits() % 4 == 0 ? 0 : random.Uniform(0, 0.01);
          const double midpoint = number + (random.Bits() % 2 == 0 ? radius : -radius);
          balls.push_back({midpoint, std::max(radius, std::abs(number - midpoint))});
        }
        return balls;
      };
      std::vector<Ball> result(sizes.rows * sizes.columns);
      MatMul(sizes, machine.precision(), around(factors.left).data(), around(factors.right).data(),
             result.data());
      for (size_t i = 0; i < result.size(); ++i) {
        for (const SumOrder order : kSumOrders) {
          ASSERT_TRUE(result[i].Contains(machine.DotProduct(
              factors.LeftRow(i / sizes.columns), factors.RightRow(i % sizes.columns), order)))
              << machine.name();
        }
      }
    }
  }
}

TEST(MatMulTest, AgreesWithTheAccumulator) {
  TestRandom random(4);
  const HonestMachine machine(false, false);
  const MatrixProductSizes sizes = {3, 4, 50};
  const Factors factors = RandomFactors(sizes, machine, random, 2);
  std::vector<Ball> left = ExactBalls(factors.left);
  std::vector<Ball> right = ExactBalls(factors.right);
  for (Ball& ball : left) ball.radius = random.Uniform(0, 0.1);
  for (Ball& ball : right) ball.radius = random.Uniform(0, 0.1);
  std::vector<Ball> result(12);
  const BallArithmetic arithmetic(kFloat32Precision);
  arithmetic.MatrixProduct(sizes, left.data(), right.data(), result.data());
  for (size_t i = 0; i < result.size(); ++i) {
    BallArithmetic::Accumulator sum;
    for (size_t k = 0; k < sizes.depth; ++k) {
      sum.MultiplyAdd(left[i / 4 * 50 + k], right[i % 4 * 50 + k]);
    }
    EXPECT_NEAR(result[i].midpoint, arithmetic.Finish(sum).midpoint, 1e-12);
    EXPECT_NEAR(result[i].radius, arithmetic.Finish(sum).radius, 1e-12);
  }
}

TEST(MatMulTest, AZeroRowGivesExactZeros) {
  const MatrixProductSizes sizes = {2, 1, 3};
  const std::vector<Ball> left = ExactBalls({0, 0, 0, 1, 2, 3});
  const std::vector<Ball> right = ExactBalls({4, 5, 6});
  std::vector<Ball> result(2);
  MatMul(sizes, kFloat16Precision, left.data(), right.data(), result.data());
  EXPECT_TRUE(result[0].IsExact());
  EXPECT_EQ(result[0].midpoint, 0);
  EXPECT_EQ(result[1].midpoint, 32);
  EXPECT_FALSE(result[1].IsExact());
}

TEST(MatMulTest, NothingToAddGivesZero) {
  const MatrixProductSizes sizes = {2, 2, 0};
  std::vector<Ball> balls(4, Ball{7, 7});
  const Ball* no_balls = nullptr;
  MatMul(sizes, kFloat32Precision, no_balls, no_balls, balls.data());
  std::vector<float> floats(4, 7);
  const float* no_floats = nullptr;
  MatMul(sizes, no_floats, no_floats, floats.data());
  const MatrixProductSizes row = {1, 4, 0};
  std::vector<double> doubles(4, 7);
  const double* no_doubles = nullptr;
  MatMul(row, no_doubles, no_doubles, doubles.data());
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(balls[i].IsExact());
    EXPECT_EQ(balls[i].midpoint, 0);
    EXPECT_EQ(floats[i], 0);
    EXPECT_EQ(doubles[i], 0);
  }
}

TEST(MatMulTest, NoRowsOrColumnsIsNothingToDo) {
  const std::vector<Ball> balls(3);
  Ball untouched = {7, 7};
  MatMul({0, 1, 3}, kFloat32Precision, nullptr, balls.data(), &untouched);
  const Ball* no_balls = nullptr;
  MatMul({1, 0, 3}, kFloat32Precision, balls.data(), no_balls, &untouched);
  EXPECT_EQ(untouched.midpoint, 7);
}

TEST(MatMulTest, SpecialsSpoilTheirOwnRowAndColumnAlone) {
  const MatrixProductSizes sizes = {2, 2, 2};
  std::vector<Ball> left = ExactBalls({1, 2, 3, 4});
  std::vector<Ball> right = ExactBalls({5, 6, 7, 8});
  std::vector<Ball> result(4);
  for (const Ball& special :
       {Ball{std::numeric_limits<double>::infinity(), 0},
        Ball{std::numeric_limits<double>::quiet_NaN(), 0}, Ball::Anything()}) {
    left[1] = special;
    MatMul(sizes, kFloat32Precision, left.data(), right.data(), result.data());
    EXPECT_FALSE(result[0].IsBounded());
    EXPECT_FALSE(result[1].IsBounded());
    EXPECT_EQ(result[2].midpoint, 39);
    EXPECT_EQ(result[3].midpoint, 53);
    EXPECT_LT(result[3].radius, 1e-4);
  }
}

TEST(MatMulTest, SumsBeyondTheRangeAreAnything) {
  const MatrixProductSizes sizes = {1, 1, 3};
  // The first two products leave the range of halves, whatever comes after.
  const std::vector<Ball> left = ExactBalls({200, 200, -200});
  const std::vector<Ball> right = ExactBalls({200, 200, 200});
  Ball result;
  MatMul(sizes, kFloat16Precision, left.data(), right.data(), &result);
  EXPECT_FALSE(result.IsBounded());
  MatMul(sizes, kFloat32Precision, left.data(), right.data(), &result);
  EXPECT_EQ(result.midpoint, 40000);
}

TEST(MatMulTest, QuantizedSumsAreOnlyRoundedOnce) {
  const MatrixProductSizes sizes = {1, 1, 4096};
  const std::vector<Ball> left(4096, Ball{255, 0});
  const std::vector<Ball> right(4096, Ball{127, 0});
  Ball result;
  MatMul(sizes, kQuantizedPrecision, left.data(), right.data(), &result);
  EXPECT_EQ(result.midpoint, 4096 * 255.0 * 127);
  EXPECT_LE(result.radius, result.midpoint * 0x1p-23);
}

TEST(MatMulTest, ProductsThatArePartsEncloseTheirJointSumInAnyOrder) {
  TestRandom random(11);
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    for (int round = 0; round < 100; ++round) {
      const size_t first = 1 + random.Bits() % 20;
      const size_t second = 1 + random.Bits() % 20;
      const Factors factors = RandomFactors({1, 1, first + second}, machine, random, 6);
      const std::vector<Ball> left = ExactBalls(factors.left);
      const std::vector<Ball> right = ExactBalls(factors.right);
      Ball parts[2];
      MatMul({1, 1, first, first + second}, machine.precision(), left.data(), right.data(),
             &parts[0]);
      MatMul({1, 1, second, first + second}, machine.precision(), left.data() + first,
             right.data() + first, &parts[1]);
      const Ball sum = arithmetic.Add(parts[0], parts[1]);
      for (const SumOrder order : kSumOrders) {
        ASSERT_TRUE(sum.Contains(machine.DotProduct(factors.left, factors.right, order)))
            << machine.name();
      }
    }
  }
}

TEST(MatMulTest, PartsWhoseJointSumMayLeaveTheRangeAreAnything) {
  // 50000 and then 20000 - 20000: a partial sum may be 70000, which no half holds.
  const std::vector<Ball> left = ExactBalls({250, 200, -200});
  const std::vector<Ball> right = ExactBalls({200, 100, 100});
  Ball first;
  MatMul({1, 1, 1, 3}, kFloat16Precision, left.data(), right.data(), &first);
  EXPECT_FALSE(first.IsBounded());
  MatMul({1, 1, 1, 3}, kFloat32Precision, left.data(), right.data(), &first);
  EXPECT_EQ(first.midpoint, 50000);
}

}  // namespace
}  // namespace nncert
