// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Products of matrices of 8-bit integers. Included by level.cc alone.
//
// The tile is that of real_product.h, but each step along the depth takes a group of elements that
// fill 32 bits, which one instruction multiplies and adds to a 32-bit sum: four bytes where the
// processor has VNNI, else two elements widened to 16 bits.

#ifndef NNCERT_REFERENCE_FAST_HOT_INTEGER_PRODUCT_H_
#define NNCERT_REFERENCE_FAST_HOT_INTEGER_PRODUCT_H_

#include "reference/fast/hot/kernels.h"
#include "reference/fast/hot/requantize.h"
#include "reference/fast/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

#if defined(__AVX512VNNI__)

// Unsigned bytes times signed ones. Unsigned right elements are packed less 128.
using LeftElement = uint8_t;
using RightElement = int8_t;
inline constexpr bool kIsRightShifted = true;

NNCERT_HOT_INLINE Int32s AddGroupProducts(Int32s sum, Int32s x, Int32s y) {
  return reinterpret_cast<Int32s>(_mm512_dpbusd_epi32(
      reinterpret_cast<__m512i>(sum), reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(y)));
}

#else

// Differences of bytes have 9 bits, so everything is widened to 16.
using LeftElement = int16_t;
using RightElement = int16_t;
inline constexpr bool kIsRightShifted = false;

NNCERT_HOT_INLINE Int32s AddGroupProducts(Int32s sum, Int32s x, Int32s y) {
#if defined(__AVX512BW__)
  return sum + reinterpret_cast<Int32s>(
                   _mm512_madd_epi16(reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(y)));
#elif defined(__AVX2__)
  return sum + reinterpret_cast<Int32s>(
                   _mm256_madd_epi16(reinterpret_cast<__m256i>(x), reinterpret_cast<__m256i>(y)));
#elif defined(__SSE2__)
  return sum + reinterpret_cast<Int32s>(
                   _mm_madd_epi16(reinterpret_cast<__m128i>(x), reinterpret_cast<__m128i>(y)));
#else
  // The odd elements of the groups are the upper halves of their 32 bits.
  return sum + ((x << 16) >> 16) * ((y << 16) >> 16) + (x >> 16) * (y >> 16);
#endif
}

#endif

inline constexpr size_t kGroup = sizeof(int32_t) / sizeof(LeftElement);
inline constexpr size_t kIntegerPanel = 2 * kLanes<int32_t>;

#if defined(__AVX512F__)
inline constexpr int kIntegerTileRows = 10;
#elif defined(__AVX2__)
inline constexpr int kIntegerTileRows = 5;
#elif defined(__aarch64__)
inline constexpr int kIntegerTileRows = 8;
#else
inline constexpr int kIntegerTileRows = 4;
#endif

inline size_t PaddedDepth(size_t depth) { return (depth + kGroup - 1) / kGroup * kGroup; }

// The tile of kRows rows from `row` on and of the panel of columns from `column` on: its first
// kVectors vectors of them. Adds row_offsets[r] to the sums of row `row` + r.
template <int kVectors, int kRows>
void MultiplyIntegerTile(const IntegerProduct& product, size_t row, size_t column,
                         const int32_t* row_offsets) {
  constexpr size_t kWidth = kLanes<int32_t>;
  Int32s sums[kRows][kVectors] = {};
  const size_t groups = PaddedDepth(product.depth) / kGroup;
  const int32_t* panel =
      static_cast<const int32_t*>(product.packed) + column * product.taps * groups;
  for (size_t tap = 0; tap < product.taps; ++tap) {
    const char* left[kRows];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      left[r] = static_cast<const char*>(product.left[(row + r) * product.taps + tap]);
    }
    for (size_t k = 0; k < groups; ++k) {
      Int32s right[kVectors];
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) right[v] = Load(panel + v * kWidth);
      panel += kIntegerPanel;
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        int32_t group = 0;
        __builtin_memcpy(&group, left[r] + k * sizeof(group), sizeof(group));
        const Int32s x = Broadcast(group);
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) sums[r][v] = AddGroupProducts(sums[r][v], x, right[v]);
      }
    }
  }
  // In memory only now: the loop below is not unrolled, which would keep all sums there.
  Int32s finished[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) finished[r][v] = sums[r][v];
  }
  const size_t columns = Min(kIntegerPanel, product.columns - column);
  const Requantization requantization = product.requantization;
  const RequantizationLimits limits(requantization);
  for (int r = 0; r < kRows; ++r) {
    uint8_t* result = product.result + (row + r) * product.stride + column;
    StoreRequantized(finished[r][0], row_offsets[r], column, Min(columns, kWidth), requantization,
                     limits, result);
    if constexpr (kVectors > 1) {
      StoreRequantized(finished[r][1], row_offsets[r], column + kWidth, columns - kWidth,
                       requantization, limits, result + kWidth);
    }
  }
}

template <int kVectors, int kRows = kIntegerTileRows>
NNCERT_HOT_INLINE void MultiplyIntegerTileOf(int rows, const IntegerProduct& product, size_t row,
                                             size_t column, const int32_t* row_offsets) {
  if constexpr (kRows > 1) {
    if (rows < kRows) {
      return MultiplyIntegerTileOf<kVectors, kRows - 1>(rows, product, row, column, row_offsets);
    }
  }
  MultiplyIntegerTile<kVectors, kRows>(product, row, column, row_offsets);
}

#if defined(__AVX512VNNI__)
// The sum of a row in eight parts: that of bytes 8 i to 8 i + 7 of each 64 is in lane i.
NNCERT_HOT_INLINE __m512i PartialSumsOfRow(const IntegerProduct& product, size_t row) {
  const void* const* pieces = product.left + row * product.taps;
  const __m512i zero = _mm512_setzero_si512();
  const size_t rest = product.depth % sizeof(zero);
  const size_t whole = product.depth - rest;
  const uint64_t rest_mask = (uint64_t{1} << rest) - 1;
  __m512i sums = zero;
  for (size_t tap = 0; tap < product.taps; ++tap) {
    const auto* left = static_cast<const LeftElement*>(pieces[tap]);
    for (size_t k = 0; k < whole; k += sizeof(zero)) {
      sums = _mm512_add_epi64(sums, _mm512_sad_epu8(_mm512_loadu_si512(left + k), zero));
    }
    const __m512i bytes = _mm512_maskz_loadu_epi8(rest_mask, left + whole);
    sums = _mm512_add_epi64(sums, _mm512_sad_epu8(bytes, zero));
  }
  return sums;
}
#endif

// Sets sums[i] to the sum of the left elements of row `first` + i.
NNCERT_HOT_INLINE void SumRows(const IntegerProduct& product, size_t first, size_t count,
                               int32_t* sums) {
#if defined(__AVX512VNNI__)
  // Sums do not reach 2^32, so those of two rows are added up at once.
  for (size_t i = 0; i < count; i += 2) {
    __m512i both = PartialSumsOfRow(product, first + i);
    if (i + 1 < count) {
      const __m512i second = PartialSumsOfRow(product, first + i + 1);
      both = _mm512_or_si512(both, _mm512_slli_epi64(second, 32));
    }
    const auto sum = static_cast<uint64_t>(_mm512_reduce_add_epi64(both));
    sums[i] = static_cast<int32_t>(sum);
    if (i + 1 < count) sums[i + 1] = static_cast<int32_t>(sum >> 32);
  }
#else
  for (size_t i = 0; i < count; ++i) {
    sums[i] = 0;
    for (size_t tap = 0; tap < product.taps; ++tap) {
      const void* piece = product.left[(first + i) * product.taps + tap];
      const auto* left = static_cast<const LeftElement*>(piece);
      for (size_t k = 0; k < product.depth; ++k) sums[i] += left[k];
    }
  }
#endif
}

inline void MultiplyIntegers(const IntegerProduct& product) {
  constexpr size_t kRowsAtATime = 256;
  int32_t row_offsets[kRowsAtATime];
  for (size_t first = 0; first < product.rows; first += kRowsAtATime) {
    const size_t rows = Min(kRowsAtATime, product.rows - first);
    if (product.right_offset == 0) {
      for (size_t i = 0; i < rows; ++i) row_offsets[i] = 0;
    } else {
      SumRows(product, first, rows, row_offsets);
      for (size_t i = 0; i < rows; ++i) row_offsets[i] *= product.right_offset;
    }
    const size_t tiles = (rows + kIntegerTileRows - 1) / kIntegerTileRows;
    for (size_t column = 0; column < product.columns; column += kIntegerPanel) {
      for (size_t tile = 0; tile < tiles; ++tile) {
        const size_t row = rows * tile / tiles;
        const size_t end = rows * (tile + 1) / tiles;
        const auto count = static_cast<int>(end - row);
        // The columns that a panel is filled up with take as long as others.
        if (product.columns - column > kLanes<int32_t>) {
          MultiplyIntegerTileOf<2>(count, product, first + row, column, row_offsets + row);
        } else {
          MultiplyIntegerTileOf<1>(count, product, first + row, column, row_offsets + row);
        }
      }
    }
  }
}

inline void StoreLeft(size_t count, size_t depth, const uint8_t* pieces, void* stored) {
  auto* to = static_cast<LeftElement*>(stored);
  const size_t padding = PaddedDepth(depth) - depth;
  if (padding == 0) {
    for (size_t i = 0; i < count * depth; ++i) to[i] = pieces[i];
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < depth; ++k) *to++ = *pieces++;
    for (size_t k = 0; k < padding; ++k) *to++ = 0;
  }
}

inline int32_t PackIntegers(size_t columns, size_t taps, size_t depth, const void* right,
                            bool is_signed, int32_t zero_point, void* packed) {
  const auto* bytes = static_cast<const uint8_t*>(right);
  const auto* signed_bytes = static_cast<const int8_t*>(right);
  // What is subtracted now; the rest of the zero point is left to right_offset.
  const int32_t shift = !kIsRightShifted ? zero_point : is_signed ? 0 : 128;
  auto* to = static_cast<RightElement*>(packed);
  for (size_t column = 0; column < columns; column += kIntegerPanel) {
    for (size_t tap = 0; tap < taps; ++tap) {
      for (size_t group = 0; group < PaddedDepth(depth); group += kGroup) {
        for (size_t c = column; c < column + kIntegerPanel; ++c) {
          for (size_t k = group; k < group + kGroup; ++k) {
            const bool is_padding = c >= columns || k >= depth;
            const size_t i = is_padding ? 0 : (c * taps + tap) * depth + k;
            const int32_t element = is_signed ? signed_bytes[i] : bytes[i];
            *to++ = static_cast<RightElement>(is_padding ? 0 : element - shift);
          }
        }
      }
    }
  }
  return shift - zero_point;
}

inline constexpr IntegerProducts kIntegerProducts = {
    .left_size = sizeof(LeftElement),
    .group = kGroup,
    .panel = kIntegerPanel,
    .store_left = StoreLeft,
    .pack = PackIntegers,
    .multiply = MultiplyIntegers,
};

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_FAST_HOT_INTEGER_PRODUCT_H_
