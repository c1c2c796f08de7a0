// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Changes test cases at random, one field at a time, so that a fuzzer gets past the reader of case
// files and into validation, planning and kernels.

#ifndef NNCERT_FUZZING_CASE_MUTATOR_H_
#define NNCERT_FUZZING_CASE_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/types/span.h"
#include "hal/test_case.h"

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

/// Changes one field of the case: an operand's type, dimensions, quantization or lifetime, an
/// operation's type or operands, a constant, an input of a request. What comes out need not be
/// valid. `mutate_bytes` changes what is plain bytes.
void MutateCase(hal::TestCase& test_case, FuzzRandom& random, const ByteMutation& mutate_bytes);

/// Changes a case file at random and gives its new bytes; changes the bytes themselves when they
/// are no case file, when the new ones would be more than `greatest_size`, and now and then for the
/// sake of the reader.
std::vector<uint8_t> MutateCaseFile(absl::Span<const uint8_t> bytes, size_t greatest_size,
                                    FuzzRandom& random, const ByteMutation& mutate_bytes);

}  // namespace nncert

#endif  // NNCERT_FUZZING_CASE_MUTATOR_H_
