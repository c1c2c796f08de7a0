// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Operations on two operands element by element, and conversions. Included by level.cc alone.

#ifndef NNCERT_REFERENCE_HOT_ELEMENTWISE_H_
#define NNCERT_REFERENCE_HOT_ELEMENTWISE_H_

#include "reference/hot/kernels.h"
#include "reference/hot/requantize.h"
#include "reference/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

template <BinaryOperation kOperation, class V>
NNCERT_HOT_INLINE V Combine(V x, V y) {
  if constexpr (kOperation == BinaryOperation::kAdd) return x + y;
  if constexpr (kOperation == BinaryOperation::kSubtract) return x - y;
  if constexpr (kOperation == BinaryOperation::kMultiply) return x * y;
  if constexpr (kOperation == BinaryOperation::kDivide) return x / y;
}

template <BinaryOperation kOperation, bool kIsAOne, bool kIsBOne>
NNCERT_HOT_INLINE void CombineAll(const RealBinary& binary) {
  const auto operand = [](const float* from, bool is_one, size_t i) __attribute__((always_inline)) {
    return is_one ? Broadcast(*from) : Load(from + i);
  };
  const Vector<float> lowest = Broadcast(binary.lowest);
  const Vector<float> highest = Broadcast(binary.highest);
  size_t i = 0;
  for (; i + kLanes<float> <= binary.count; i += kLanes<float>) {
    const Vector<float> x = operand(binary.a, kIsAOne, i);
    const Vector<float> y = operand(binary.b, kIsBOne, i);
    Store(binary.result + i, Limit(Combine<kOperation>(x, y), lowest, highest));
  }
  for (; i < binary.count; ++i) {
    const float x = binary.a[kIsAOne ? 0 : i];
    const float y = binary.b[kIsBOne ? 0 : i];
    binary.result[i] = Limit(Combine<kOperation>(x, y), binary.lowest, binary.highest);
  }
}

template <BinaryOperation kOperation>
inline void CombineBySteps(const RealBinary& binary) {
  if (binary.a_step == 0) {
    if (binary.b_step == 0) return CombineAll<kOperation, true, true>(binary);
    return CombineAll<kOperation, true, false>(binary);
  }
  if (binary.b_step == 0) return CombineAll<kOperation, false, true>(binary);
  CombineAll<kOperation, false, false>(binary);
}

inline void ComputeRealBinary(const RealBinary& binary) {
  switch (binary.operation) {
    case BinaryOperation::kAdd:
      return CombineBySteps<BinaryOperation::kAdd>(binary);
    case BinaryOperation::kSubtract:
      return CombineBySteps<BinaryOperation::kSubtract>(binary);
    case BinaryOperation::kMultiply:
      return CombineBySteps<BinaryOperation::kMultiply>(binary);
    case BinaryOperation::kDivide:
      return CombineBySteps<BinaryOperation::kDivide>(binary);
  }
}

template <bool kIsProduct>
NNCERT_HOT_INLINE void CombineIntegers(const IntegerBinary& binary) {
  const RequantizationLimits limits(binary.requantization);
  const double a_zero = binary.a_zero_point;
  const double b_zero = binary.b_zero_point;
  const auto combine = [&](Doubles x, Doubles y) __attribute__((always_inline)) {
    x -= a_zero;
    y -= b_zero;
    if constexpr (kIsProduct) return x * y * binary.a_multiplier;
    return x * binary.a_multiplier + y * binary.b_multiplier;
  };
  const auto widen = [](const NarrowUint8& bytes) __attribute__((always_inline)) {
    return __builtin_convertvector(__builtin_convertvector(bytes, NarrowInt32), Doubles);
  };
  const auto same = [](uint8_t byte) __attribute__((always_inline)) {
    return static_cast<double>(byte) - Doubles{};
  };
  const auto operand = [&](const uint8_t* from, size_t step, size_t i)
      __attribute__((always_inline)) {
    return step == 0 ? same(*from) : widen(LoadNarrow<NarrowUint8>(from + i));
  };
  size_t i = 0;
  for (; i + kDoubleLanes <= binary.count; i += kDoubleLanes) {
    StoreRounded(combine(operand(binary.a, binary.a_step, i), operand(binary.b, binary.b_step, i)),
                 limits, binary.result + i);
  }
  for (; i < binary.count; ++i) {
    uint8_t elements[kDoubleLanes];
    StoreRounded(combine(same(binary.a[i * binary.a_step]), same(binary.b[i * binary.b_step])),
                 limits, elements);
    binary.result[i] = elements[0];
  }
}

inline void ComputeIntegerBinary(const IntegerBinary& binary) {
  return binary.is_product ? CombineIntegers<true>(binary) : CombineIntegers<false>(binary);
}

#if defined(__F16C__)

inline constexpr size_t kHalves = 8;

NNCERT_HOT_INLINE void WidenHalves(const uint16_t* halves, float* floats) {
  __m128i bits;
  __builtin_memcpy(&bits, halves, sizeof(bits));
  _mm256_storeu_ps(floats, _mm256_cvtph_ps(bits));
}

NNCERT_HOT_INLINE void NarrowToHalves(const float* floats, uint16_t* halves) {
  const __m128i bits = _mm256_cvtps_ph(_mm256_loadu_ps(floats), _MM_FROUND_TO_NEAREST_INT);
  __builtin_memcpy(halves, &bits, sizeof(bits));
}

inline void HalvesToFloats(size_t count, const uint16_t* halves, float* floats) {
  size_t i = 0;
  for (; i + kHalves <= count; i += kHalves) WidenHalves(halves + i, floats + i);
  if (i == count) return;
  uint16_t rest[kHalves] = {};
  float wide[kHalves];
  for (size_t k = i; k < count; ++k) rest[k - i] = halves[k];
  WidenHalves(rest, wide);
  for (size_t k = i; k < count; ++k) floats[k] = wide[k - i];
}

inline void FloatsToHalves(size_t count, const float* floats, uint16_t* halves) {
  size_t i = 0;
  for (; i + kHalves <= count; i += kHalves) NarrowToHalves(floats + i, halves + i);
  if (i == count) return;
  float rest[kHalves] = {};
  uint16_t narrow[kHalves];
  for (size_t k = i; k < count; ++k) rest[k - i] = floats[k];
  NarrowToHalves(rest, narrow);
  for (size_t k = i; k < count; ++k) halves[k] = narrow[k - i];
}

#endif  // defined(__F16C__)

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_HOT_ELEMENTWISE_H_
