// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Products with weights that are floats, at every level that this machine has.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "reference/fast/hot/testing/level_test.h"
#include "reference/number/testing/honest_machine.h"

namespace nncert::hot {
namespace {

struct Sizes {
  size_t rows;
  size_t columns;
  size_t depth;
};

constexpr Sizes kSizes[] = {{1, 1, 1},  {1, 3, 0},   {1, 4, 5},   {2, 9, 8},
                            {3, 7, 17}, {1, 13, 64}, {2, 5, 100}, {1, 6, 512}};

class FloatWeightsTest : public LevelTest {};

std::vector<double> RandomNumbers(TestRandom& random, size_t count) {
  std::vector<double> numbers(count);
  for (double& x : numbers) x = random.Uniform(-2, 2);
  return numbers;
}

std::vector<float> RandomWeights(TestRandom& random, size_t count) {
  std::vector<float> weights(count);
  for (float& x : weights) x = static_cast<float>(random.Uniform(-2, 2));
  return weights;
}

TEST_P(FloatWeightsTest, ProductsAreThoseOfDoubles) {
  TestRandom random(1);
  for (const Sizes& sizes : kSizes) {
    const std::vector<double> left = RandomNumbers(random, sizes.rows * sizes.depth);
    const std::vector<float> right = RandomWeights(random, sizes.columns * sizes.depth);
    std::vector<double> result(sizes.rows * sizes.columns + 1, 99);
    kernels().multiply_few_rows_by_floats(sizes.rows, sizes.columns, sizes.depth, left.data(),
                                          right.data(), result.data());
    for (size_t r = 0; r < sizes.rows; ++r) {
      for (size_t c = 0; c < sizes.columns; ++c) {
        double sum = 0;
        double magnitude = 0;
        for (size_t k = 0; k < sizes.depth; ++k) {
          const double product = left[r * sizes.depth + k] * double{right[c * sizes.depth + k]};
          sum += product;
          magnitude += std::abs(product);
        }
        ASSERT_NEAR(result[r * sizes.columns + c], sum, 1e-15 * magnitude * 8);
      }
    }
    EXPECT_EQ(result.back(), 99);
  }
}

// The three results of multiply_ball_rows, with a number behind each.
struct BallRows {
  explicit BallRows(size_t count)
      : midpoints(count + 1, 99), magnitudes(count + 1, 99), reaches(count + 1, 99) {}
  bool Multiply(const Kernels& kernels, const Sizes& sizes, const std::vector<double>& left,
                const std::vector<double>& left_reach, const std::vector<float>& weights) {
    return kernels.multiply_ball_rows({.rows = sizes.rows,
                                       .columns = sizes.columns,
                                       .depth = sizes.depth,
                                       .left = left.data(),
                                       .left_reach = left_reach.data(),
                                       .weights = weights.data(),
                                       .midpoints = midpoints.data(),
                                       .magnitudes = magnitudes.data(),
                                       .reaches = reaches.data()});
  }
  std::vector<double> midpoints;
  std::vector<double> magnitudes;
  std::vector<double> reaches;
};

TEST_P(FloatWeightsTest, BallsMultiplyAllTheirParts) {
  TestRandom random(2);
  for (const Sizes& sizes : kSizes) {
    const std::vector<double> left = RandomNumbers(random, sizes.rows * sizes.depth);
    std::vector<double> left_reach = left;
    for (double& x : left_reach) x = std::abs(x) + 0.25;
    const std::vector<float> weights = RandomWeights(random, sizes.columns * sizes.depth);
    BallRows rows(sizes.rows * sizes.columns);
    ASSERT_TRUE(rows.Multiply(kernels(), sizes, left, left_reach, weights));
    for (size_t r = 0; r < sizes.rows; ++r) {
      for (size_t c = 0; c < sizes.columns; ++c) {
        double midpoint = 0;
        double magnitude = 0;
        double reach = 0;
        for (size_t k = 0; k < sizes.depth; ++k) {
          const double weight = weights[c * sizes.depth + k];
          midpoint += left[r * sizes.depth + k] * weight;
          magnitude += std::abs(left[r * sizes.depth + k] * weight);
          reach += left_reach[r * sizes.depth + k] * std::abs(weight);
        }
        const size_t i = r * sizes.columns + c;
        ASSERT_NEAR(rows.midpoints[i], midpoint, 8e-15 * magnitude);
        ASSERT_NEAR(rows.magnitudes[i], magnitude, 8e-15 * magnitude);
        ASSERT_NEAR(rows.reaches[i], reach, 8e-15 * reach);
      }
    }
    EXPECT_EQ(rows.midpoints.back(), 99);
    EXPECT_EQ(rows.magnitudes.back(), 99);
    EXPECT_EQ(rows.reaches.back(), 99);
  }
}

TEST_P(FloatWeightsTest, BallsFindSubnormalWeights) {
  const Sizes sizes = {1, 3, 19};
  const std::vector<double> left(sizes.depth, 1);
  for (size_t where = 0; where < sizes.columns * sizes.depth; ++where) {
    std::vector<float> weights(sizes.columns * sizes.depth, 0x1p-126F);
    weights[0] = 0;
    weights[30] = -std::numeric_limits<float>::infinity();
    BallRows rows(sizes.columns);
    EXPECT_TRUE(rows.Multiply(kernels(), sizes, left, left, weights));
    for (const float subnormal : {-0x1.fffffcp-127F, 0x1p-149F}) {
      weights[where] = subnormal;
      EXPECT_FALSE(rows.Multiply(kernels(), sizes, left, left, weights)) << where;
    }
  }
}

NNCERT_TEST_EVERY_LEVEL(FloatWeightsTest);

}  // namespace
}  // namespace nncert::hot
