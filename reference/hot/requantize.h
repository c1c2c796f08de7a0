// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// From sums to elements of quantized tensors. Included by level.cc alone.

#ifndef NNCERT_REFERENCE_HOT_REQUANTIZE_H_
#define NNCERT_REFERENCE_HOT_REQUANTIZE_H_

#include "reference/hot/kernels.h"
#include "reference/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

// Vectors of as many small integers as a vector has doubles.
inline constexpr size_t kDoubleLanes = kLanes<double>;
using Doubles = Vector<double>;
using NarrowInt32 = Vector<int32_t, kDoubleLanes * sizeof(int32_t)>;
using NarrowFloat = Vector<float, kDoubleLanes * sizeof(float)>;
using NarrowUint8 = Vector<uint8_t, kDoubleLanes>;

// A vector of another size than the level's.
template <class V, class T>
NNCERT_HOT_INLINE V LoadNarrow(const T* from) {
  V vector;
  __builtin_memcpy(&vector, from, sizeof(vector));
  return vector;
}

// The limits of a requantization as vectors.
struct RequantizationLimits {
  explicit NNCERT_HOT_INLINE RequantizationLimits(const Requantization& requantization)
      : lowest(Broadcast(requantization.lowest)),
        highest(Broadcast(requantization.highest)),
        zero_point(requantization.zero_point) {}
  Doubles lowest;
  Doubles highest;
  int32_t zero_point;
};

// kDoubleLanes elements of what is `real` steps from the zero point.
NNCERT_HOT_INLINE void StoreRounded(Doubles real, const RequantizationLimits& limits,
                                    uint8_t* result) {
  using Bits = Vector<int64_t>;
  real = Limit(real, limits.lowest, limits.highest);
  // To the nearest integer, ties away from zero: truncated after a step towards that side of a
  // half, less one unit in the last place, lest the greatest number below a tie be carried over it.
  constexpr double kHalf = 0x1.fffffffffffffp-2;
  const Bits sign = reinterpret_cast<Bits>(real) & Broadcast(INT64_MIN);
  real += reinterpret_cast<Doubles>(sign | reinterpret_cast<Bits>(Broadcast(kHalf)));
  const NarrowInt32 steps = __builtin_convertvector(real, NarrowInt32) + limits.zero_point;
  const NarrowUint8 elements = __builtin_convertvector(steps, NarrowUint8);
  __builtin_memcpy(result, &elements, sizeof(elements));
}

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_HOT_REQUANTIZE_H_
