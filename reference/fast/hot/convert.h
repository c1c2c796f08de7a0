// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Conversions between vectors of different element types. Included by level.cc alone.
//
// GCC makes scalar code of most of them when they are written with __builtin_convertvector, so
// where there is an instruction it is named.

#ifndef NNCERT_REFERENCE_FAST_HOT_CONVERT_H_
#define NNCERT_REFERENCE_FAST_HOT_CONVERT_H_

#include "reference/fast/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

using Int32s = Vector<int32_t>;
using Uint32s = Vector<uint32_t>;
using Floats = Vector<float>;
using Doubles = Vector<double>;
inline constexpr size_t kFloatLanes = kLanes<float>;
inline constexpr size_t kDoubleLanes = kLanes<double>;
static_assert(kFloatLanes == 2 * kDoubleLanes);

/// Twice a vector of doubles: as many numbers as a vector of 32-bit ones has.
struct DoublePair {
  Doubles lower;
  Doubles upper;
};

/// kFloatLanes bytes as integers.
NNCERT_HOT_INLINE Int32s LoadBytes(const uint8_t* bytes) {
#if defined(__AVX512F__)
  return reinterpret_cast<Int32s>(
      _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))));
#elif defined(__AVX2__)
  return reinterpret_cast<Int32s>(
      _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes))));
#elif defined(__SSE4_1__)
  int32_t four = 0;
  __builtin_memcpy(&four, bytes, sizeof(four));
  return reinterpret_cast<Int32s>(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(four)));
#elif defined(__SSE2__)
  int32_t four = 0;
  __builtin_memcpy(&four, bytes, sizeof(four));
  const __m128i zero = _mm_setzero_si128();
  const __m128i wide = _mm_unpacklo_epi8(_mm_cvtsi32_si128(four), zero);
  return reinterpret_cast<Int32s>(_mm_unpacklo_epi16(wide, zero));
#else
  return __builtin_convertvector(LoadAs<Vector<uint8_t, kFloatLanes> >(bytes), Int32s);
#endif
}

/// Integers in [0, 255] as kFloatLanes bytes.
NNCERT_HOT_INLINE void StoreBytes(const Int32s& integers, uint8_t* bytes) {
#if defined(__AVX512F__)
  _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes),
                   _mm512_cvtepi32_epi8(reinterpret_cast<__m512i>(integers)));
#elif defined(__AVX2__)
  const auto all = reinterpret_cast<__m256i>(integers);
  const __m128i wide =
      _mm_packs_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(bytes), _mm_packus_epi16(wide, wide));
#elif defined(__SSE2__)
  const auto all = reinterpret_cast<__m128i>(integers);
  const __m128i wide = _mm_packs_epi32(all, all);
  const int32_t four = _mm_cvtsi128_si32(_mm_packus_epi16(wide, wide));
  __builtin_memcpy(bytes, &four, sizeof(four));
#else
  const auto narrow = __builtin_convertvector(integers, Vector<uint8_t, kFloatLanes>);
  __builtin_memcpy(bytes, &narrow, sizeof(narrow));
#endif
}

NNCERT_HOT_INLINE DoublePair ToDoubles(const Int32s& integers) {
#if defined(__AVX512F__)
  const auto all = reinterpret_cast<__m512i>(integers);
  return {reinterpret_cast<Doubles>(_mm512_cvtepi32_pd(_mm512_castsi512_si256(all))),
          reinterpret_cast<Doubles>(_mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(all, 1)))};
#elif defined(__AVX2__)
  const auto all = reinterpret_cast<__m256i>(integers);
  return {reinterpret_cast<Doubles>(_mm256_cvtepi32_pd(_mm256_castsi256_si128(all))),
          reinterpret_cast<Doubles>(_mm256_cvtepi32_pd(_mm256_extracti128_si256(all, 1)))};
#elif defined(__SSE2__)
  const auto all = reinterpret_cast<__m128i>(integers);
  return {reinterpret_cast<Doubles>(_mm_cvtepi32_pd(all)),
          reinterpret_cast<Doubles>(_mm_cvtepi32_pd(_mm_unpackhi_epi64(all, all)))};
#else
  DoublePair pair;
  for (size_t i = 0; i < kDoubleLanes; ++i) {
    pair.lower[i] = integers[i];
    pair.upper[i] = integers[kDoubleLanes + i];
  }
  return pair;
#endif
}

/// Truncated. The numbers must be in the range of the integers.
NNCERT_HOT_INLINE Int32s ToIntegers(const DoublePair& pair) {
#if defined(__AVX512F__)
  const __m256i lower = _mm512_cvttpd_epi32(reinterpret_cast<__m512d>(pair.lower));
  const __m256i upper = _mm512_cvttpd_epi32(reinterpret_cast<__m512d>(pair.upper));
  return reinterpret_cast<Int32s>(_mm512_inserti64x4(_mm512_castsi256_si512(lower), upper, 1));
#elif defined(__AVX2__)
  const __m128i lower = _mm256_cvttpd_epi32(reinterpret_cast<__m256d>(pair.lower));
  const __m128i upper = _mm256_cvttpd_epi32(reinterpret_cast<__m256d>(pair.upper));
  return reinterpret_cast<Int32s>(_mm256_inserti128_si256(_mm256_castsi128_si256(lower), upper, 1));
#elif defined(__SSE2__)
  const __m128i lower = _mm_cvttpd_epi32(reinterpret_cast<__m128d>(pair.lower));
  const __m128i upper = _mm_cvttpd_epi32(reinterpret_cast<__m128d>(pair.upper));
  return reinterpret_cast<Int32s>(_mm_unpacklo_epi64(lower, upper));
#else
  Int32s integers;
  for (size_t i = 0; i < kDoubleLanes; ++i) {
    integers[i] = static_cast<int32_t>(pair.lower[i]);
    integers[kDoubleLanes + i] = static_cast<int32_t>(pair.upper[i]);
  }
  return integers;
#endif
}

/// kDoubleLanes floats as doubles.
NNCERT_HOT_INLINE Doubles LoadWidened(const float* floats) {
#if defined(__AVX512F__)
  return reinterpret_cast<Doubles>(_mm512_cvtps_pd(_mm256_loadu_ps(floats)));
#elif defined(__AVX2__)
  return reinterpret_cast<Doubles>(_mm256_cvtps_pd(_mm_loadu_ps(floats)));
#else
  const auto narrow = LoadAs<Vector<float, kVectorBytes / 2> >(floats);
  Doubles doubles;
  for (size_t i = 0; i < kDoubleLanes; ++i) doubles[i] = narrow[i];
  return doubles;
#endif
}

/// kDoubleLanes doubles rounded to the nearest floats, and stored.
NNCERT_HOT_INLINE void StoreNarrowed(const Doubles& doubles, float* floats) {
#if defined(__AVX512F__)
  _mm256_storeu_ps(floats, _mm512_cvtpd_ps(reinterpret_cast<__m512d>(doubles)));
#elif defined(__AVX2__)
  _mm_storeu_ps(floats, _mm256_cvtpd_ps(reinterpret_cast<__m256d>(doubles)));
#else
  for (size_t i = 0; i < kDoubleLanes; ++i) floats[i] = static_cast<float>(doubles[i]);
#endif
}

NNCERT_HOT_INLINE Floats ToFloats(const Int32s& integers) {
  return __builtin_convertvector(integers, Floats);
}

/// Truncated. The numbers must be in the range of the integers.
NNCERT_HOT_INLINE Int32s ToIntegers(const Floats& floats) {
  return __builtin_convertvector(floats, Int32s);
}

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_FAST_HOT_CONVERT_H_
