// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Filters over one channel each, and poolings: what goes along the channels of pixels. Included by
// level.cc alone.

#ifndef NNCERT_REFERENCE_FAST_HOT_DEPTHWISE_H_
#define NNCERT_REFERENCE_FAST_HOT_DEPTHWISE_H_

#include "reference/fast/hot/kernels.h"
#include "reference/fast/hot/requantize.h"
#include "reference/fast/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

// The positions whose sums stay in registers together; a vector of weights is then loaded once for
// all of them.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int kPositions = 8;
#else
inline constexpr int kPositions = 4;
#endif

// The sums of kCount positions from `position` on, for kVectors vectors of channels from `channel`
// on, handed to store(position, channel, sum) vector by vector.
template <int kCount, int kVectors, size_t kWidth, class T, class StoreSum>
NNCERT_HOT_INLINE void AddTaps(const Depthwise<T>& depthwise, size_t position, size_t channel,
                               StoreSum store) {
  using V = Numbers<T, kWidth>;
  V sums[kCount][kVectors] = {};
  const size_t offset = position * depthwise.step + channel;
  for (size_t tap = 0; tap < depthwise.taps; ++tap) {
    const T* weights = depthwise.weights[tap] + channel;
    V weight[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) weight[v] = LoadAs<V>(weights + v * kWidth);
    const T* pixel = depthwise.pixels[tap] + offset;
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i, pixel += depthwise.step) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        sums[i][v] += LoadAs<V>(pixel + v * kWidth) * weight[v];
      }
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) store(position + i, channel + v * kWidth, sums[i][v]);
  }
}

// All channels of kCount positions.
template <int kCount, class T, class StoreSum>
NNCERT_HOT_INLINE void SumPositions(const Depthwise<T>& depthwise, size_t position,
                                    StoreSum store) {
  constexpr size_t kWidth = kLanes<T>;
  const size_t channels = depthwise.channels;
  size_t channel = 0;
  for (; channel + 2 * kWidth <= channels; channel += 2 * kWidth) {
    AddTaps<kCount, 2, kWidth>(depthwise, position, channel, store);
  }
  // What is left, by vectors of half the width each time: no more than one of each.
  if (channel + kWidth <= channels) {
    AddTaps<kCount, 1, kWidth>(depthwise, position, channel, store);
    channel += kWidth;
  }
  if constexpr (kWidth > 2) {
    if (channel + kWidth / 2 <= channels) {
      AddTaps<kCount, 1, kWidth / 2>(depthwise, position, channel, store);
      channel += kWidth / 2;
    }
  }
  if constexpr (kWidth > 4) {
    if (channel + kWidth / 4 <= channels) {
      AddTaps<kCount, 1, kWidth / 4>(depthwise, position, channel, store);
      channel += kWidth / 4;
    }
  }
  for (; channel < channels; ++channel) AddTaps<kCount, 1, 1>(depthwise, position, channel, store);
}

template <class T, class StoreSum>
NNCERT_HOT_INLINE void SumAllPositions(const Depthwise<T>& depthwise, StoreSum store) {
  size_t position = 0;
  for (; position + kPositions <= depthwise.positions; position += kPositions) {
    SumPositions<kPositions>(depthwise, position, store);
  }
  // Rows of small images are not much longer.
  if constexpr (kPositions > 4) {
    if (position + 4 <= depthwise.positions) {
      SumPositions<4>(depthwise, position, store);
      position += 4;
    }
  }
  if (position + 2 <= depthwise.positions) {
    SumPositions<2>(depthwise, position, store);
    position += 2;
  }
  if (position < depthwise.positions) SumPositions<1>(depthwise, position, store);
}

template <class T>
void ComputeDepthwise(const Depthwise<T>& depthwise, const RealDepthwiseResult<T>& result) {
  const size_t channels = depthwise.channels;
  SumAllPositions(
      depthwise, [&](size_t position, size_t channel, auto sum) __attribute__((always_inline)) {
        using V = decltype(sum);
        sum += LoadAs<V>(result.bias + channel);
        const V limited = Limit(sum, result.lowest - V{}, result.highest - V{});
        __builtin_memcpy(result.result + position * channels + channel, &limited, sizeof(limited));
      });
}

inline void ComputeIntegerDepthwise(const Depthwise<float>& depthwise,
                                    const IntegerDepthwiseResult& result) {
  const size_t channels = depthwise.channels;
  const Requantization requantization = result.requantization;
  const RequantizationLimits limits(requantization);
  SumAllPositions(
      depthwise, [&](size_t position, size_t channel, auto sum) __attribute__((always_inline)) {
        constexpr size_t kBytes = sizeof(sum);
        StoreRequantized(ToIntegers(WithZeros<float>(sum)), 0, channel, kBytes / sizeof(float),
                         requantization, limits, result.result + position * channels + channel);
      });
}

inline void BytesToFloats(size_t count, const uint8_t* bytes, bool is_signed, int32_t zero_point,
                          float* floats) {
  // A signed byte with its sign flipped is one without a sign, and greater by 128.
  const int32_t sign = is_signed ? 128 : 0;
  const int32_t zero = zero_point + sign;
  size_t i = 0;
  for (; i + kFloatLanes <= count; i += kFloatLanes) {
    Store(floats + i, ToFloats((LoadBytes(bytes + i) ^ sign) - zero));
  }
  for (; i < count; ++i) floats[i] = static_cast<float>((bytes[i] ^ sign) - zero);
}

// Combines pixels channel by channel, then hands the results to finish(...).
template <size_t kWidth, class Combine, class Finish>
NNCERT_HOT_INLINE void PoolChannels(const Pool& pool, size_t channel, Combine combine,
                                    Finish finish) {
  using V = Numbers<float, kWidth>;
  V value = LoadAs<V>(pool.pixels[0] + channel);
  for (size_t tap = 1; tap < pool.taps; ++tap) {
    value = combine(value, LoadAs<V>(pool.pixels[tap] + channel));
  }
  const V result = Limit(finish(value), pool.lowest - V{}, pool.highest - V{});
  __builtin_memcpy(pool.result + channel, &result, sizeof(result));
}

template <class Combine, class Finish>
NNCERT_HOT_INLINE void ComputePool(const Pool& pool, Combine combine, Finish finish) {
  constexpr size_t kWidth = kLanes<float>;
  size_t channel = 0;
  for (; channel + kWidth <= pool.channels; channel += kWidth) {
    PoolChannels<kWidth>(pool, channel, combine, finish);
  }
  for (; channel < pool.channels; ++channel) PoolChannels<1>(pool, channel, combine, finish);
}

inline void AveragePool(const Pool& pool) {
  ComputePool(
      pool, [](auto x, auto y) { return x + y; }, [&](auto sum) { return sum * pool.scale; });
}

// Combines pixels of bytes channel by channel.
template <class Combine>
NNCERT_HOT_INLINE void CombineBytes(size_t taps, size_t channels, const uint8_t* const* pixels,
                                    int32_t* result, Combine combine) {
  size_t channel = 0;
  for (; channel + kFloatLanes <= channels; channel += kFloatLanes) {
    Int32s value = {};
    for (size_t tap = 0; tap < taps; ++tap) {
      value = combine(value, LoadBytes(pixels[tap] + channel));
    }
    Store(result + channel, value);
  }
  for (; channel < channels; ++channel) {
    int32_t value = 0;
    for (size_t tap = 0; tap < taps; ++tap) value = combine(value, int32_t{pixels[tap][channel]});
    result[channel] = value;
  }
}

inline void SumBytes(size_t taps, size_t channels, const uint8_t* const* pixels, int32_t* result) {
  CombineBytes(taps, channels, pixels, result, [](auto x, auto y) { return x + y; });
}

inline void MaxBytes(size_t taps, size_t channels, const uint8_t* const* pixels, int32_t* result) {
  CombineBytes(taps, channels, pixels, result, [](auto x, auto y) { return x < y ? y : x; });
}

inline void MaxPool(const Pool& pool) {
  // A NaN x stays, for it is not less than y; a NaN y is taken, for it is not less or equal.
  ComputePool(
      pool, [](auto x, auto y) { return y <= x ? x : (x < y ? y : x + y); },
      [](auto x) { return x; });
}

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_FAST_HOT_DEPTHWISE_H_
