// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Random numbers that are the same everywhere: those of the standard library's engines are, but not
// what its distributions make of them.

#ifndef NNCERT_RANDOM_SPLIT_MIX_H_
#define NNCERT_RANDOM_SPLIT_MIX_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace nncert {

/// A generator of random numbers that gives the same ones for the same seed with every compiler, on
/// every processor. Any seed is as good as another. SplitMix64: Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014, figure 15.
class SplitMix64 {
 public:
  /// The generator whose numbers are those of `seed`.
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  /// 64 random bits. Every other function takes its numbers from here: most take one, those of
  /// integers seldom more.
  uint64_t Bits() {
    state_ += kIncrement;
    uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
  }

  /// Goes past the next `count` numbers of Bits, at once however many they are.
  void Skip(uint64_t count) { state_ += count * kIncrement; }

  /// An integer in [0, bound), each as likely as the others; 0 when `bound` is 0.
  uint64_t Below(uint64_t bound) {
    if (bound == 0) return 0;
    uint64_t bits = Bits();
    // The first 2^64 % bound numbers are one more for some remainders than for others. How many
    // they are takes a division, which most numbers are spared: these are not even less than the
    // bound.
    if (bits < bound) bits = BitsBeyondExcess(bits, bound);
    return bits % bound;
  }

  /// An integer in [lowest, highest], each as likely as the others. `lowest` must not be greater.
  template <std::integral Integer>
  Integer Between(Integer lowest, Integer highest) {
    // Two's complement: the distance and the sum are right for signed integers as well.
    const uint64_t distance = static_cast<uint64_t>(highest) - static_cast<uint64_t>(lowest);
    const uint64_t step = distance == UINT64_MAX ? Bits() : Below(distance + 1);
    return static_cast<Integer>(static_cast<uint64_t>(lowest) + step);
  }

  /// True one time in `chances`; always when that is 0.
  bool OneIn(uint64_t chances) { return Below(chances) == 0; }

  /// A copy of one of the elements of `choices`, which must not be empty.
  template <class Container>
  auto OneOf(const Container& choices) {
    return *(std::begin(choices) + static_cast<std::ptrdiff_t>(Below(std::size(choices))));
  }

  /// A number in [0, 1): a multiple of 2^-53, each as likely as the others.
  double Unit() { return static_cast<double>(Bits() >> 11) * 0x1p-53; }

  /// A number in [lowest, highest]: that of Unit, stretched and rounded once. `highest` itself
  /// comes only by rounding.
  double Uniform(double lowest, double highest);

  /// A number of either sign whose exponent is uniform in [lowest, highest], as std::ldexp has it:
  /// its magnitude is in [2^lowest, 2^(highest + 1)].
  double WithExponent(int lowest, int highest);

 private:
  // These bits, or the next that are not among the first 2^64 % bound.
  uint64_t BitsBeyondExcess(uint64_t bits, uint64_t bound);

  // 2^64 divided by the golden ratio, made odd, so that all states come before one comes again.
  static constexpr uint64_t kIncrement = 0x9E3779B97F4A7C15;

  uint64_t state_;
};

}  // namespace nncert

#endif  // NNCERT_RANDOM_SPLIT_MIX_H_
