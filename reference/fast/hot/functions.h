// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The exponential and what is made of it, for vectors of floats and of doubles. Included by
// level.cc alone.

#ifndef NNCERT_REFERENCE_FAST_HOT_FUNCTIONS_H_
#define NNCERT_REFERENCE_FAST_HOT_FUNCTIONS_H_

#include "reference/fast/hot/kernels.h"
#include "reference/fast/hot/requantize.h"
#include "reference/fast/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

// x = steps * log(2) + rest, where |rest| is at most log(2) / 2 or a trifle more.
struct ReducedExponent {
  Uint32s steps;  // two's complement
  Floats rest;
};

// For |x| of at most 2^8 or so (Cody and Waite's reduction: the product of the steps and the first
// part of the logarithm is exact, for that part has 24 - 9 bits).
NNCERT_HOT_INLINE ReducedExponent Reduce(Floats x) {
  // Adding 1.5 * 2^23 leaves the nearest integer in the last bits of the sum.
  constexpr float kRounder = 0x1.8p23F;
  const Floats shifted = x * 0x1.715476p0F + kRounder;
  const Floats steps = shifted - kRounder;
  ReducedExponent reduced;
  reduced.steps =
      reinterpret_cast<Uint32s>(shifted) - reinterpret_cast<Uint32s>(Broadcast(kRounder));
  reduced.rest = (x - steps * 0x1.62e4p-1F) - steps * 0x1.7f7d1cp-20F;
  return reduced;
}

// exp(x) - 1 for |x| up to log(2) / 2: the terms up to the seventh of its series, which leave a
// relative error of 0.35^7 / 8!.
NNCERT_HOT_INLINE Floats ExpMinusOneOfRest(Floats x) {
  Floats sum = Broadcast(1.F / 5040);
  sum = sum * x + 1.F / 720;
  sum = sum * x + 1.F / 120;
  sum = sum * x + 1.F / 24;
  sum = sum * x + 1.F / 6;
  sum = sum * x + 0.5F;
  return sum * (x * x) + x;
}

// 2^exponent for exponents of normal numbers.
NNCERT_HOT_INLINE Floats PowerOfTwo(Uint32s exponent) {
  return reinterpret_cast<Floats>((exponent + 127U) << 23);
}

NNCERT_HOT_INLINE Floats Exp(Floats x) {
  // exp(-104) is below half of the least float, and exp(89) above the greatest.
  const ReducedExponent reduced = Reduce(Limit(x, Broadcast(-104.F), Broadcast(89.F)));
  // In two steps, for each of them is a normal number and their product need not be.
  const Uint32s half = reinterpret_cast<Uint32s>(reinterpret_cast<Int32s>(reduced.steps) >> 1);
  return (ExpMinusOneOfRest(reduced.rest) + 1.F) * PowerOfTwo(half) *
         PowerOfTwo(reduced.steps - half);
}

// The sign of `sign` on the magnitude of `magnitude`, which is not negative.
NNCERT_HOT_INLINE Floats WithSign(Floats magnitude, Floats sign) {
  const Uint32s bits = reinterpret_cast<Uint32s>(sign) & 0x8000'0000U;
  return reinterpret_cast<Floats>(reinterpret_cast<Uint32s>(magnitude) | bits);
}

NNCERT_HOT_INLINE Floats Magnitude(Floats x) {
  return reinterpret_cast<Floats>(reinterpret_cast<Uint32s>(x) & 0x7FFF'FFFFU);
}

// tanh(|x|) = -e / (2 + e) with e = exp(-2 |x|) - 1, which loses nothing near zero.
NNCERT_HOT_INLINE Floats Tanh(Floats x) {
  // tanh(10) rounds to 1.
  const Floats magnitude = Magnitude(x);
  const ReducedExponent reduced = Reduce(-2.F * (10.F < magnitude ? Broadcast(10.F) : magnitude));
  const Floats power = PowerOfTwo(reduced.steps);
  const Floats e = ExpMinusOneOfRest(reduced.rest) * power + (power - 1.F);
  return WithSign(Magnitude(e) / (e + 2.F), x);
}

NNCERT_HOT_INLINE Floats Logistic(Floats x) {
  const Floats e = Exp(-Magnitude(x));
  return (x < Floats{} ? e : Broadcast(1.F)) / (e + 1.F);
}

// function(vector) of all `count` numbers, which may be no whole number of vectors.
template <class T, class F>
NNCERT_HOT_INLINE void Map(size_t count, const T* x, T* result, F function) {
  constexpr size_t kWidth = kLanes<T>;
  size_t i = 0;
  for (; i + kWidth <= count; i += kWidth) Store(result + i, function(Load(x + i)));
  if (i == count) return;
  T rest[kWidth] = {};
  for (size_t k = i; k < count; ++k) rest[k - i] = x[k];
  Store(rest, function(Load(rest)));
  for (size_t k = i; k < count; ++k) result[k] = rest[k - i];
}

inline void MapExp(size_t count, const float* x, float* result) {
  Map(
      count, x, result, [](Floats v) __attribute__((always_inline)) { return Exp(v); });
}
inline void MapTanh(size_t count, const float* x, float* result) {
  Map(
      count, x, result, [](Floats v) __attribute__((always_inline)) { return Tanh(v); });
}
inline void MapLogistic(size_t count, const float* x, float* result) {
  Map(
      count, x, result, [](Floats v) __attribute__((always_inline)) { return Logistic(v); });
}

// x = steps * log(2) + rest, as ReducedExponent. The first part of the logarithm has 33 bits.
struct ReducedExponentOfDoubles {
  Doubles steps;  // integers
  Doubles rest;
};

// Adding it leaves the nearest integer, in two's complement, in the last bits of the sum.
inline constexpr double kDoubleRounder = 0x1.8p52;

// For |x| of at most 2^10 or so.
NNCERT_HOT_INLINE ReducedExponentOfDoubles Reduce(const Doubles& x) {
  ReducedExponentOfDoubles reduced;
  reduced.steps = (x * 0x1.71547652b82fep0 + kDoubleRounder) - kDoubleRounder;
  reduced.rest = (x - reduced.steps * 0x1.62e42feep-1) - reduced.steps * 0x1.a39ef35793c76p-33;
  return reduced;
}

// exp(x) - 1 for |x| up to log(2) / 2: the terms up to the 13th of its series, which leave a
// relative error of 0.35^13 / 14!.
NNCERT_HOT_INLINE Doubles ExpMinusOneOfRest(const Doubles& x) {
  Doubles sum = Broadcast(1. / 6227020800);
  sum = sum * x + 1. / 479001600;
  sum = sum * x + 1. / 39916800;
  sum = sum * x + 1. / 3628800;
  sum = sum * x + 1. / 362880;
  sum = sum * x + 1. / 40320;
  sum = sum * x + 1. / 5040;
  sum = sum * x + 1. / 720;
  sum = sum * x + 1. / 120;
  sum = sum * x + 1. / 24;
  sum = sum * x + 1. / 6;
  sum = sum * x + 0.5;
  return sum * (x * x) + x;
}

// 2^exponent for integers that are exponents of normal numbers.
NNCERT_HOT_INLINE Doubles PowerOfTwo(const Doubles& exponent) {
  using Bits = Vector<uint64_t>;
  const Bits integers = reinterpret_cast<Bits>(exponent + kDoubleRounder) -
                        reinterpret_cast<Bits>(Broadcast(kDoubleRounder));
  return reinterpret_cast<Doubles>((integers + 1023U) << 52);
}

// Within 2 units in the last place; of subnormal numbers, one more.
NNCERT_HOT_INLINE Doubles Exp(const Doubles& x) {
  // exp(-746) is below half of the least double, and exp(710) above the greatest.
  const ReducedExponentOfDoubles reduced = Reduce(Limit(x, Broadcast(-746.), Broadcast(710.)));
  // In two steps, for each of them is a normal number and their product need not be.
  const Doubles half = (reduced.steps * 0.5 + kDoubleRounder) - kDoubleRounder;
  return (ExpMinusOneOfRest(reduced.rest) + 1.) * PowerOfTwo(half) *
         PowerOfTwo(reduced.steps - half);
}

template <class T>
inline void Softmax(size_t count, T beta, const T* x, T* result) {
  if (count == 0) return;
  constexpr size_t kWidth = kLanes<T>;
  using V = Vector<T>;
  // A NaN is never the greatest; it becomes the sum's NaN, and so everybody's.
  T greatest = x[0];
  size_t i = 0;
  if (count >= kWidth) {
    V greatests = Load(x);
    for (; i + kWidth <= count; i += kWidth) {
      const V v = Load(x + i);
      greatests = greatests < v ? v : greatests;
    }
    for (size_t k = 0; k < kWidth; ++k)
      greatest = greatest < greatests[k] ? greatests[k] : greatest;
  }
  for (; i < count; ++i) greatest = greatest < x[i] ? x[i] : greatest;
  Map(
      count, x, result, [&](const V& v) __attribute__((always_inline)) {
        return Exp((v - greatest) * beta);
      });
  T sum = 0;
  i = 0;
  if (count >= kWidth) {
    V sums = {};
    for (; i + kWidth <= count; i += kWidth) sums += Load(result + i);
    for (size_t k = 0; k < kWidth; ++k) sum += sums[k];
  }
  for (; i < count; ++i) sum += result[i];
  for (i = 0; i < count; ++i) result[i] /= sum;
}

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_FAST_HOT_FUNCTIONS_H_
