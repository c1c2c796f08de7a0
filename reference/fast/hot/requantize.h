// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// From sums to elements of quantized tensors. Included by level.cc alone.
//
// An element is computed in single precision first. That settles it unless the result is so near to
// a tie that double precision might round to the other side; then it is computed again.

#ifndef NNCERT_REFERENCE_FAST_HOT_REQUANTIZE_H_
#define NNCERT_REFERENCE_FAST_HOT_REQUANTIZE_H_

#include "reference/fast/hot/convert.h"
#include "reference/fast/hot/kernels.h"
#include "reference/fast/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

/// The limits of a requantization as vectors. A copy of its own: stores of bytes may be to
/// anything, so what they might change would be read again after each of them.
struct RequantizationLimits {
  explicit NNCERT_HOT_INLINE RequantizationLimits(const Requantization& requantization)
      : lowest(Broadcast(requantization.lowest)),
        highest(Broadcast(requantization.highest)),
        float_lowest(Broadcast(static_cast<float>(requantization.lowest))),
        float_highest(Broadcast(static_cast<float>(requantization.highest))),
        zero_point(Broadcast(requantization.zero_point)) {}
  Doubles lowest;
  Doubles highest;
  Floats float_lowest;
  Floats float_highest;
  Int32s zero_point;
};

// To the nearest integer, ties away from zero, when it is truncated: a step towards that side of a
// half, less one unit in the last place, lest the greatest number below a tie be carried over it.
NNCERT_HOT_INLINE Doubles ShiftByHalf(Doubles real) {
  using Bits = Vector<int64_t>;
  constexpr double kHalf = 0x1.fffffffffffffp-2;
  const Bits sign = reinterpret_cast<Bits>(real) & Broadcast(INT64_MIN);
  return real + reinterpret_cast<Doubles>(sign | reinterpret_cast<Bits>(Broadcast(kHalf)));
}

/// kFloatLanes elements of what is `real` steps from the zero point.
NNCERT_HOT_INLINE void StoreRounded(const DoublePair& real, const RequantizationLimits& limits,
                                    uint8_t* result) {
  const Int32s steps = ToIntegers({ShiftByHalf(Limit(real.lower, limits.lowest, limits.highest)),
                                   ShiftByHalf(Limit(real.upper, limits.lowest, limits.highest))});
  StoreBytes(steps + limits.zero_point, result);
}

/// kFloatLanes elements of what is `real` steps from the zero point, up to `doubt` (less than half
/// a step). Returns whether no doubt can have changed an element; without doubt, that is true.
template <bool kIsInDoubt = true>
NNCERT_HOT_INLINE bool StoreIfCertain(Floats real, const RequantizationLimits& limits, float doubt,
                                      uint8_t* result) {
  real = Limit(real, limits.float_lowest, limits.float_highest);
  const Uint32s sign = reinterpret_cast<Uint32s>(real) & 0x8000'0000U;
  const Floats half = reinterpret_cast<Floats>(sign | reinterpret_cast<Uint32s>(Broadcast(0.5F)));
  const Floats shifted = real + half;
  const Int32s steps = ToIntegers(shifted);
  StoreBytes(steps + limits.zero_point, result);
  if constexpr (!kIsInDoubt) return true;
  // `shifted` is an integer at a tie; what is cut off is then near 0 or near a whole step.
  const Floats cut = shifted - ToFloats(steps) - half;
  const Floats distance = reinterpret_cast<Floats>(reinterpret_cast<Uint32s>(cut) & 0x7FFF'FFFFU);
  return !IsAny(distance > Broadcast(0.5F - doubt));
}

/// What the product of an exact integer and a multiplier, both rounded to single precision, may be
/// from its exact value, up to 2^8 steps: three roundings, and that of adding a half.
inline constexpr float kProductDoubt = 0x1p-13F;

/// The elements of sum[i] + row_offset in channels `channel` + i, for i below `count`, which is
/// at most kFloatLanes.
NNCERT_HOT_INLINE void StoreRequantized(Int32s sums, int32_t row_offset, size_t channel,
                                        size_t count, const Requantization& requantization,
                                        const RequantizationLimits& limits, uint8_t* result) {
  uint8_t room[kFloatLanes];
  uint8_t* to = count == kFloatLanes ? result : room;
  bool is_certain = false;
  DoublePair total;
  const size_t multiplier = channel * requantization.multiplier_step;
  if (requantization.integer_offsets != nullptr) {
    // Unsigned, for the parts may overflow while the whole does not.
    const Uint32s integers =
        reinterpret_cast<Uint32s>(sums) + static_cast<uint32_t>(row_offset) +
        reinterpret_cast<Uint32s>(Load(requantization.integer_offsets + channel));
    const Floats real = ToFloats(reinterpret_cast<Int32s>(integers)) *
                        Load(requantization.float_multipliers + multiplier);
    is_certain = StoreIfCertain(real, limits, kProductDoubt, to);
    if (!is_certain) total = ToDoubles(reinterpret_cast<Int32s>(integers));
  } else {
    const double* offsets = requantization.offsets + channel;
    total = ToDoubles(sums);
    total.lower += Load(offsets) + static_cast<double>(row_offset);
    total.upper += Load(offsets + kDoubleLanes) + static_cast<double>(row_offset);
  }
  if (!is_certain) {
    const double* multipliers = requantization.multipliers + multiplier;
    StoreRounded({total.lower * Load(multipliers), total.upper * Load(multipliers + kDoubleLanes)},
                 limits, to);
  }
  if (to == room) {
    for (size_t i = 0; i < count; ++i) result[i] = room[i];
  }
}

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_FAST_HOT_REQUANTIZE_H_
