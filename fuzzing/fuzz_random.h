// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the mutators of fuzzing have in common.

#ifndef NNCERT_FUZZING_FUZZ_RANDOM_H_
#define NNCERT_FUZZING_FUZZ_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

namespace nncert {

/// A portable generator of random numbers (SplitMix64: Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014, figure 15): the same seed gives the same numbers
/// everywhere.
class FuzzRandom {
 public:
  explicit FuzzRandom(uint64_t seed) : state_(seed) {}

  /// A number in [0, bound); 0 when bound is 0.
  uint64_t Below(uint64_t bound);
  /// True one time in `chances`.
  bool OneIn(uint64_t chances) { return Below(chances) == 0; }
  /// One of the elements of `choices`, which must not be empty.
  template <class Container>
  auto OneOf(const Container& choices) {
    return *(std::begin(choices) + static_cast<ptrdiff_t>(Below(std::size(choices))));
  }

 private:
  uint64_t Next();
  uint64_t state_;
};

/// Changes bytes in place, as a fuzzer's own mutation of raw data does.
using ByteMutation = std::function<void(std::vector<uint8_t>& bytes)>;

}  // namespace nncert

#endif  // NNCERT_FUZZING_FUZZ_RANDOM_H_
