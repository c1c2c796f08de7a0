// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// IEEE 754 binary16 (half precision): the storage of FLOAT16 and TENSOR_FLOAT16 operands.
//
// A half has a sign bit, 5 bits of exponent (bias 15) and 10 bits of fraction. Its largest finite
// value is 65504, its smallest normal one 2^-14, its smallest subnormal one 2^-24.

#ifndef NNCERT_HAL_FLOAT16_H_
#define NNCERT_HAL_FLOAT16_H_

#include <bit>
#include <cstdint>

namespace nncert::hal {

/// A half as it lies in memory. Computing with it means converting it first.
struct Float16 {
  uint16_t bits = 0;

  /// Whether both have the same bits; so 0 is not -0, and a NaN is itself.
  bool operator==(const Float16&) const = default;
};

/// The half with these bits as a float; exact. A NaN stays a NaN with its sign and payload, and
/// becomes a quiet one.
constexpr float Float16ToFloat(uint16_t bits) {
  const uint32_t sign = (bits & 0x8000U) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1FU;
  const uint32_t fraction = bits & 0x3FFU;
  if (exponent == 0x1F) {
    const uint32_t quiet = fraction == 0 ? 0 : 0x0040'0000U;
    return std::bit_cast<float>(sign | 0x7F80'0000U | quiet | fraction << 13);
  }
  if (exponent == 0) {
    // A subnormal half is a multiple of 2^-24, which a float holds exactly.
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | (exponent + 127 - 15) << 23 | fraction << 13);
}

/// The half with these bits as a double; exact, NaNs as in Float16ToFloat.
constexpr double Float16ToDouble(uint16_t bits) {
  // Every half, NaNs apart, is a float and so a double; a quiet NaN keeps its payload on the way.
  return static_cast<double>(Float16ToFloat(bits));
}

namespace internal {

// The half nearest to sign * significand * 2^exponent, ties to even. `significand` is not zero.
constexpr uint16_t RoundToFloat16(uint16_t sign, uint64_t significand, int exponent) {
  // Where the leading bit stands; a normal half of that magnitude has steps of 2^(leading - 10),
  // and no half has steps finer than 2^-24.
  const int leading = exponent + 63 - std::countl_zero(significand);
  if (leading > 15) return sign | 0x7C00U;
  const int step = leading - 10 < -24 ? -24 : leading - 10;
  const int dropped = step - exponent;
  uint64_t steps = 0;
  if (dropped <= 0) {
    steps = significand << -dropped;
  } else if (dropped < 64) {
    steps = significand >> dropped;
    const uint64_t rest = significand & ((uint64_t{1} << dropped) - 1);
    const uint64_t half = uint64_t{1} << (dropped - 1);
    if (rest > half || (rest == half && (steps & 1) != 0)) ++steps;
  }
  // Counted in steps, the halves of one exponent after the other are consecutive integers, so a
  // carry out of the fraction moves to the next exponent, and past the last one to infinity.
  const uint64_t below = static_cast<uint64_t>(step + 24) << 10;
  const uint64_t magnitude = below + steps;
  return static_cast<uint16_t>(sign | (magnitude < 0x7C00U ? magnitude : 0x7C00U));
}

}  // namespace internal

/// The bits of the half nearest to a double, ties to even: rounded once. Magnitudes from 65520 on
/// become infinity. A NaN becomes a quiet NaN with its sign and the top of its payload.
constexpr uint16_t DoubleToFloat16(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint16_t sign = static_cast<uint16_t>(bits >> 48 & 0x8000U);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FFU);
  const uint64_t fraction = bits & 0x000F'FFFF'FFFF'FFFFU;
  if (exponent == 0x7FF) {
    if (fraction == 0) return sign | 0x7C00U;
    return static_cast<uint16_t>(sign | 0x7E00U | fraction >> 42);
  }
  // Where halves are normal, their last bit is bit 42. Half of that is added, but for a tie whose
  // last bit is even; a carry moves to the next exponent, and past the last one to infinity.
  if (exponent >= 1023 - 14 && exponent <= 1023 + 15) {
    const uint64_t magnitude = bits & 0x7FFF'FFFF'FFFF'FFFFU;
    const uint64_t rounded = magnitude + 0x1FF'FFFF'FFFFU + ((magnitude >> 42) & 1U);
    return static_cast<uint16_t>(sign | ((rounded >> 42) - ((1023U - 15U) << 10)));
  }
  // Subnormal doubles are far below half of the smallest half.
  if (exponent == 0) return sign;
  return internal::RoundToFloat16(sign, fraction | uint64_t{1} << 52, exponent - 1023 - 52);
}

/// The bits of the half nearest to a float, ties to even; as DoubleToFloat16, for a float is
/// exactly a double.
constexpr uint16_t FloatToFloat16(float value) {
  return DoubleToFloat16(static_cast<double>(value));
}

}  // namespace nncert::hal

#endif  // NNCERT_HAL_FLOAT16_H_
