// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/float16.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace nncert::hal {
namespace {

constexpr uint16_t kInfinity = 0x7C00;
constexpr uint16_t kLargestFinite = 0x7BFF;

bool IsNan(uint16_t bits) { return (bits & 0x7C00) == 0x7C00 && (bits & 0x3FF) != 0; }

// The value by the standard's definition, with arithmetic that shares nothing with the conversion.
double ValueByDefinition(uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  if (exponent == 31) return sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Float16Test, all_65536_halves_have_the_value_of_the_definition_as_float_and_double) {
  for (uint32_t i = 0; i <= 0xFFFF; ++i) {
    const uint16_t bits = static_cast<uint16_t>(i);
    if (IsNan(bits)) {
      EXPECT_TRUE(std::isnan(Float16ToFloat(bits))) << i;
      EXPECT_TRUE(std::isnan(Float16ToDouble(bits))) << i;
      EXPECT_EQ(std::signbit(Float16ToFloat(bits)), (bits & 0x8000) != 0) << i;
      continue;
    }
    EXPECT_EQ(Float16ToFloat(bits), ValueByDefinition(bits)) << i;
    EXPECT_EQ(Float16ToDouble(bits), ValueByDefinition(bits)) << i;
    EXPECT_EQ(std::signbit(Float16ToDouble(bits)), (bits & 0x8000) != 0) << i;
  }
}

TEST(Float16Test, all_65536_halves_survive_the_way_through_float_and_double) {
  for (uint32_t i = 0; i <= 0xFFFF; ++i) {
    const uint16_t bits = static_cast<uint16_t>(i);
    // A signalling NaN comes back quiet, everything else as it was.
    const uint16_t expected = IsNan(bits) ? static_cast<uint16_t>(bits | 0x200) : bits;
    EXPECT_EQ(FloatToFloat16(Float16ToFloat(bits)), expected) << i;
    EXPECT_EQ(DoubleToFloat16(Float16ToDouble(bits)), expected) << i;
  }
}

TEST(Float16Test, everything_between_two_neighbours_rounds_to_the_nearer_and_ties_to_the_even_one) {
  for (const uint16_t sign : {uint16_t{0}, uint16_t{0x8000}}) {
    for (uint16_t lower = 0; lower < kLargestFinite; ++lower) {
      const uint16_t a = sign | lower;
      const uint16_t b = sign | (lower + 1);
      const double middle = (ValueByDefinition(a) + ValueByDefinition(b)) / 2;
      const double infinity = std::numeric_limits<double>::infinity();
      EXPECT_EQ(DoubleToFloat16(middle), (a & 1) == 0 ? a : b) << a;
      EXPECT_EQ(DoubleToFloat16(std::nextafter(middle, 0)), a) << a;
      EXPECT_EQ(DoubleToFloat16(std::nextafter(middle, sign == 0 ? infinity : -infinity)), b) << a;
      // The middle of two halves has one bit more than a half, so it is a float as well.
      EXPECT_EQ(FloatToFloat16(static_cast<float>(middle)), (a & 1) == 0 ? a : b) << a;
    }
  }
}

TEST(Float16Test, a_double_is_rounded_once_not_by_way_of_float) {
  // Just above the middle of 1 and its successor: rounding to float first would lose the excess and
  // then round the tie to even, down to 1.
  const double value = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(DoubleToFloat16(value), 0x3C01);
  EXPECT_EQ(FloatToFloat16(static_cast<float>(value)), 0x3C00);
}

TEST(Float16Test, magnitudes_round_to_infinity_from_65520_on) {
  EXPECT_EQ(DoubleToFloat16(65504), kLargestFinite);
  EXPECT_EQ(DoubleToFloat16(std::nextafter(65520.0, 0)), kLargestFinite);
  EXPECT_EQ(DoubleToFloat16(65520), kInfinity);
  EXPECT_EQ(DoubleToFloat16(-65520), 0x8000 | kInfinity);
  EXPECT_EQ(DoubleToFloat16(std::numeric_limits<double>::max()), kInfinity);
  EXPECT_EQ(FloatToFloat16(std::numeric_limits<float>::max()), kInfinity);
  EXPECT_EQ(DoubleToFloat16(-std::numeric_limits<double>::infinity()), 0x8000 | kInfinity);
}

TEST(Float16Test, magnitudes_up_to_half_the_smallest_subnormal_round_to_signed_zero) {
  EXPECT_EQ(DoubleToFloat16(0x1p-25), 0);
  EXPECT_EQ(DoubleToFloat16(std::nextafter(0x1p-25, 1)), 1);
  EXPECT_EQ(DoubleToFloat16(-0x1p-25), 0x8000);
  EXPECT_EQ(DoubleToFloat16(0x1p-1000), 0);
  EXPECT_EQ(DoubleToFloat16(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(DoubleToFloat16(-std::numeric_limits<double>::denorm_min()), 0x8000);
  EXPECT_EQ(FloatToFloat16(std::numeric_limits<float>::denorm_min()), 0);
  EXPECT_EQ(DoubleToFloat16(-0.0), 0x8000);
}

TEST(Float16Test, nan_stays_nan_even_when_its_payload_is_below_the_half) {
  const uint16_t bits = DoubleToFloat16(std::bit_cast<double>(uint64_t{0x7FF0'0000'0000'0001}));
  EXPECT_TRUE(IsNan(bits));
  EXPECT_TRUE(IsNan(DoubleToFloat16(-std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace nncert::hal
