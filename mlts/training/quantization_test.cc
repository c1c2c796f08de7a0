// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/quantization.h"

#include <array>
#include <limits>

#include "gtest/gtest.h"

namespace nncert {
namespace {

TEST(QuantizationTest, an_activation_range_has_zero_at_its_lower_end) {
  const Quantization quantization = AsymmetricQuantization({0, 6});
  EXPECT_FLOAT_EQ(quantization.scale, 6.F / 255);
  EXPECT_EQ(quantization.zero_point, 0);
}

TEST(QuantizationTest, ranges_are_widened_to_hold_zero) {
  const Quantization above = AsymmetricQuantization({2, 5.1F});
  EXPECT_FLOAT_EQ(above.scale, 0.02F);
  EXPECT_EQ(above.zero_point, 0);
  const Quantization below = AsymmetricQuantization({-5.1F, -2});
  EXPECT_FLOAT_EQ(below.scale, 0.02F);
  EXPECT_EQ(below.zero_point, 255);
}

TEST(QuantizationTest, numbers_of_the_range_are_at_most_half_a_step_off) {
  const TensorRange range = {-1.7F, 3.9F};
  const Quantization quantization = AsymmetricQuantization(range);
  for (int i = 0; i <= 1000; ++i) {
    const float value =
        range.lowest + (range.highest - range.lowest) * static_cast<float>(i) / 1000;
    const int32_t integer = Quantized(value, quantization, 0, 255);
    EXPECT_NEAR(static_cast<float>(integer - quantization.zero_point) * quantization.scale, value,
                0.5F * quantization.scale * 1.001F);
  }
  EXPECT_EQ(Quantized(0, quantization, 0, 255), quantization.zero_point);
}

TEST(QuantizationTest, what_lies_beyond_goes_to_the_end) {
  EXPECT_EQ(Quantized(1000, {.scale = 0.5F, .zero_point = 128}, 0, 255), 255);
  EXPECT_EQ(Quantized(-1000, {.scale = 0.5F, .zero_point = 128}, 0, 255), 0);
  constexpr int32_t kLowest = std::numeric_limits<int32_t>::min();
  constexpr int32_t kHighest = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(Quantized(1e30F, {.scale = 1e-6F}, kLowest, kHighest), kHighest);
  EXPECT_EQ(Quantized(-1e30F, {.scale = 1e-6F}, kLowest, kHighest), kLowest);
}

TEST(QuantizationTest, nothing_but_zeros_has_a_scale_too) {
  EXPECT_EQ(AsymmetricQuantization({0, 0}).scale, 1);
  EXPECT_EQ(AsymmetricQuantization({0, 0}).zero_point, 0);
  EXPECT_EQ(SymmetricScale(0), 1);
}

TEST(QuantizationTest, the_greatest_magnitude_is_127_steps) {
  EXPECT_EQ(Quantized(-0.3F, {.scale = SymmetricScale(0.3F)}, -127, 127), -127);
}

TEST(QuantizationTest, ranges_are_those_of_the_values) {
  const std::array<float, 4> values = {3, -2, 8, 0};
  EXPECT_EQ(RangeOf(values).lowest, -2);
  EXPECT_EQ(RangeOf(values).highest, 8);
}

}  // namespace
}  // namespace nncert
