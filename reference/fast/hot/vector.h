// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Vectors of the level's width, by the vector extension of GCC and Clang: one source for every
// instruction set. Included by level.cc alone.
//
// What a level compiles must not be merged with what another level, or the rest of the program,
// compiled of the same inline function: the linker would keep one of them, perhaps with
// instructions that the machine lacks. So everything lies in a namespace named for the level, and
// nothing of the standard library is used that is an inline function.

#ifndef NNCERT_REFERENCE_HOT_VECTOR_H_
#define NNCERT_REFERENCE_HOT_VECTOR_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#ifndef NNCERT_HOT_LEVEL
#define NNCERT_HOT_LEVEL baseline
#endif

#define NNCERT_HOT_INLINE inline __attribute__((always_inline))

namespace nncert::hot::NNCERT_HOT_LEVEL {

#if defined(__AVX512F__)
inline constexpr size_t kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr size_t kVectorBytes = 32;
#else
inline constexpr size_t kVectorBytes = 16;
#endif

/// The numbers of type T in a vector.
template <class T>
inline constexpr size_t kLanes = kVectorBytes / sizeof(T);

// An alias cannot carry the attribute for a dependent type; a member type can.
template <class T, size_t kBytes>
struct VectorType {
  typedef T Type __attribute__((vector_size(kBytes)));  // NOLINT(modernize-use-using)
};

template <class T, size_t kBytes = kVectorBytes>
using Vector = typename VectorType<T, kBytes>::Type;

// A vector of kWidth numbers; kWidth 1 is for what does not fill a vector.
template <class T, size_t kWidth>
struct NumbersOf {
  using Type = Vector<T, kWidth * sizeof(T)>;
};
template <class T>
struct NumbersOf<T, 1> {
  using Type = T;
};
template <class T, size_t kWidth>
using Numbers = typename NumbersOf<T, kWidth>::Type;

/// The integer of the size of a float or a double.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == sizeof(int32_t), int32_t, int64_t>;

/// The vector at `from`, which need not be aligned.
template <class T>
NNCERT_HOT_INLINE Vector<T> Load(const T* from) {
  Vector<T> vector;
  __builtin_memcpy(&vector, from, sizeof(vector));
  return vector;
}

/// The same for a vector type of any size.
template <class V, class T>
NNCERT_HOT_INLINE V LoadAs(const T* from) {
  V vector;
  __builtin_memcpy(&vector, from, sizeof(vector));
  return vector;
}

template <class T>
NNCERT_HOT_INLINE void Store(T* to, const Vector<T>& vector) {
  __builtin_memcpy(to, &vector, sizeof(vector));
}

/// A vector of equal numbers. (x - 0 is x, also for a negative zero, so no subtraction remains.)
template <class T>
NNCERT_HOT_INLINE Vector<T> Broadcast(T x) {
  return x - Vector<T>{};
}

/// A number, or a vector of two and more, with zeros behind it up to a whole vector. (By way of
/// memory a wide load would wait for the narrow store before it.)
template <class T, class V>
NNCERT_HOT_INLINE Vector<T> WithZeros(const V& numbers) {
  constexpr size_t kBytes = sizeof(V);
  if constexpr (kBytes == kVectorBytes) {
    return numbers;
  } else if constexpr (kBytes == sizeof(T)) {
    return Vector<T>{numbers};
  } else if constexpr (kBytes == 2 * sizeof(T)) {
    return WithZeros<T>(__builtin_shufflevector(numbers, V{}, 0, 1, 2, 3));
  } else if constexpr (kBytes == 4 * sizeof(T)) {
    return WithZeros<T>(__builtin_shufflevector(numbers, V{}, 0, 1, 2, 3, 4, 5, 6, 7));
  } else {
    static_assert(kBytes == 8 * sizeof(T));
    return WithZeros<T>(__builtin_shufflevector(numbers, V{}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                                12, 13, 14, 15));
  }
}

/// x limited to [lowest, highest]; a NaN stays a NaN.
template <class T>
NNCERT_HOT_INLINE T Limit(T x, T lowest, T highest) {
  x = lowest > x ? lowest : x;
  return highest < x ? highest : x;
}

/// Whether any number of a mask, each of which is 0 or -1, is not 0.
NNCERT_HOT_INLINE bool IsAny(const Vector<int32_t>& mask) {
#if defined(__AVX512F__)
  const auto bits = reinterpret_cast<__m512i>(mask);
  return _mm512_test_epi32_mask(bits, bits) != 0;
#elif defined(__AVX2__)
  return _mm256_movemask_epi8(reinterpret_cast<__m256i>(mask)) != 0;
#elif defined(__SSE2__)
  return _mm_movemask_epi8(reinterpret_cast<__m128i>(mask)) != 0;
#else
  const auto halves = reinterpret_cast<Vector<int64_t> >(mask);
  return (halves[0] | halves[1]) != 0;
#endif
}

NNCERT_HOT_INLINE double Magnitude(double x) { return x < 0 ? -x : x; }

template <class T>
NNCERT_HOT_INLINE constexpr T Min(T x, T y) {
  return x < y ? x : y;
}

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_HOT_VECTOR_H_
