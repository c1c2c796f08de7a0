// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Operations on two operands element by element, and conversions. Included by level.cc alone.

#ifndef NNCERT_REFERENCE_FAST_HOT_ELEMENTWISE_H_
#define NNCERT_REFERENCE_FAST_HOT_ELEMENTWISE_H_

#include "reference/fast/hot/kernels.h"
#include "reference/fast/hot/requantize.h"
#include "reference/fast/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

template <BinaryOperation kOperation, class V>
NNCERT_HOT_INLINE V Combine(V x, V y) {
  if constexpr (kOperation == BinaryOperation::kAdd) return x + y;
  if constexpr (kOperation == BinaryOperation::kSubtract) return x - y;
  if constexpr (kOperation == BinaryOperation::kMultiply) return x * y;
  if constexpr (kOperation == BinaryOperation::kDivide) return x / y;
}

template <BinaryOperation kOperation, bool kIsAOne, bool kIsBOne, class T>
NNCERT_HOT_INLINE void CombineAll(const RealBinary<T>& binary) {
  const auto operand = [](const T* from, bool is_one, size_t i) __attribute__((always_inline)) {
    return is_one ? Broadcast(*from) : Load(from + i);
  };
  const Vector<T> lowest = Broadcast(binary.lowest);
  const Vector<T> highest = Broadcast(binary.highest);
  size_t i = 0;
  for (; i + kLanes<T> <= binary.count; i += kLanes<T>) {
    const Vector<T> x = operand(binary.a, kIsAOne, i);
    const Vector<T> y = operand(binary.b, kIsBOne, i);
    Store(binary.result + i, Limit(Combine<kOperation>(x, y), lowest, highest));
  }
  for (; i < binary.count; ++i) {
    const T x = binary.a[kIsAOne ? 0 : i];
    const T y = binary.b[kIsBOne ? 0 : i];
    binary.result[i] = Limit(Combine<kOperation>(x, y), binary.lowest, binary.highest);
  }
}

template <BinaryOperation kOperation, class T>
inline void CombineBySteps(const RealBinary<T>& binary) {
  if (binary.a_step == 0) {
    if (binary.b_step == 0) return CombineAll<kOperation, true, true>(binary);
    return CombineAll<kOperation, true, false>(binary);
  }
  if (binary.b_step == 0) return CombineAll<kOperation, false, true>(binary);
  CombineAll<kOperation, false, false>(binary);
}

template <class T>
inline void ComputeRealBinary(const RealBinary<T>& binary) {
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

// kFloatLanes elements of an IntegerBinary whose operands, less their zero points, are x and y.
template <bool kIsProduct, bool kIsInDoubt>
NNCERT_HOT_INLINE void CombineIntegers(const IntegerBinary& binary, const Int32s& x,
                                       const Int32s& y, float doubt,
                                       const RequantizationLimits& limits, uint8_t* result) {
  const auto combine = [&](const auto& a, const auto& b, auto a_multiplier, auto b_multiplier)
      __attribute__((always_inline)) {
    if constexpr (kIsProduct) return a * b * a_multiplier;
    return a * a_multiplier + b * b_multiplier;
  };
  const Floats real =
      combine(ToFloats(x), ToFloats(y), Broadcast(static_cast<float>(binary.a_multiplier)),
              Broadcast(static_cast<float>(binary.b_multiplier)));
  if (StoreIfCertain<kIsInDoubt>(real, limits, doubt, result)) return;
  const DoublePair a = ToDoubles(x);
  const DoublePair b = ToDoubles(y);
  StoreRounded({combine(a.lower, b.lower, binary.a_multiplier, binary.b_multiplier),
                combine(a.upper, b.upper, binary.a_multiplier, binary.b_multiplier)},
               limits, result);
}

// What a sum may be off in single precision: 0 where that is exact, for no more bits are needed
// than it has, as with equal scales, or where one is half of the other.
inline float DoubtOfSum(const IntegerBinary& binary) {
  const double a = Magnitude(binary.a_multiplier);
  const double b = Magnitude(binary.b_multiplier);
  // Differences of bytes have 9 bits, the sum has one more, and 14 bits are left for the fraction
  // of sums below 2^10.
  const auto is_short = [](double x) {
    return x < 2 && x * 0x1p13 == static_cast<double>(static_cast<int32_t>(x * 0x1p13));
  };
  if (is_short(a) && is_short(b)) return 0;
  // The terms may be greater than their sum: each has two roundings, the sum one more.
  const double reach = 256 * (a + b) + 256;
  // Where single precision could be off by half a step, nothing is certain.
  return static_cast<float>(Min(reach * 0x1p-22, 0.5));
}

template <bool kIsProduct, bool kIsInDoubt, bool kIsAOne, bool kIsBOne>
NNCERT_HOT_INLINE void CombineAllIntegers(const IntegerBinary& all, float doubt) {
  const IntegerBinary binary = all;  // a copy, for the reason of that of the limits
  const RequantizationLimits limits(binary.requantization);
  const auto operand = [](const uint8_t* from, bool is_one, int32_t zero_point, size_t i)
      __attribute__((always_inline)) {
    return (is_one ? Broadcast(static_cast<int32_t>(*from)) : LoadBytes(from + i)) - zero_point;
  };
  size_t i = 0;
  for (; i + kFloatLanes <= binary.count; i += kFloatLanes) {
    CombineIntegers<kIsProduct, kIsInDoubt>(
        binary, operand(binary.a, kIsAOne, binary.a_zero_point, i),
        operand(binary.b, kIsBOne, binary.b_zero_point, i), doubt, limits, binary.result + i);
  }
  if (i == binary.count) return;
  // The rest, copied into whole vectors.
  uint8_t rest_of_a[kFloatLanes] = {};
  uint8_t rest_of_b[kFloatLanes] = {};
  uint8_t rest[kFloatLanes];
  for (size_t k = i; k < binary.count; ++k) {
    rest_of_a[k - i] = binary.a[kIsAOne ? 0 : k];
    rest_of_b[k - i] = binary.b[kIsBOne ? 0 : k];
  }
  CombineIntegers<kIsProduct, kIsInDoubt>(binary, operand(rest_of_a, false, binary.a_zero_point, 0),
                                          operand(rest_of_b, false, binary.b_zero_point, 0), doubt,
                                          limits, rest);
  for (size_t k = i; k < binary.count; ++k) binary.result[k] = rest[k - i];
}

template <bool kIsProduct, bool kIsInDoubt>
inline void CombineIntegersBySteps(const IntegerBinary& binary, float doubt) {
  if (binary.a_step == 0) {
    if (binary.b_step == 0) {
      return CombineAllIntegers<kIsProduct, kIsInDoubt, true, true>(binary, doubt);
    }
    return CombineAllIntegers<kIsProduct, kIsInDoubt, true, false>(binary, doubt);
  }
  if (binary.b_step == 0) {
    return CombineAllIntegers<kIsProduct, kIsInDoubt, false, true>(binary, doubt);
  }
  CombineAllIntegers<kIsProduct, kIsInDoubt, false, false>(binary, doubt);
}

inline void ComputeIntegerBinary(const IntegerBinary& binary) {
  if (binary.is_product) return CombineIntegersBySteps<true, true>(binary, kProductDoubt);
  const float doubt = DoubtOfSum(binary);
  return doubt == 0 ? CombineIntegersBySteps<false, false>(binary, doubt)
                    : CombineIntegersBySteps<false, true>(binary, doubt);
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
  __builtin_memcpy(rest, halves + i, (count - i) * sizeof(*rest));
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
  __builtin_memcpy(halves + i, narrow, (count - i) * sizeof(*narrow));
}

#endif  // defined(__F16C__)

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_FAST_HOT_ELEMENTWISE_H_
