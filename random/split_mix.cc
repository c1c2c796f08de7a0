// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random/split_mix.h"

#include <cmath>

namespace nncert {

uint64_t SplitMix64::BitsBeyondExcess(uint64_t bits, uint64_t bound) {
  const uint64_t excess = (0 - bound) % bound;
  while (bits < excess) bits = Bits();
  return bits;
}

double SplitMix64::Uniform(double lowest, double highest) {
  // Some compilers make one operation of a product and a sum and some do not, unless it is asked
  // for.
  return std::fma(highest - lowest, Unit(), lowest);
}

double SplitMix64::WithExponent(int lowest, int highest) {
  const int exponent = Between(lowest, highest);
  const double magnitude = std::ldexp(Uniform(1, 2), exponent);
  return (Bits() & 1) != 0 ? magnitude : -magnitude;
}

}  // namespace nncert
