// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Changes test cases at random, one field at a time, so that a fuzzer gets past the reader of case
// files and into validation, planning and kernels.

#ifndef NNCERT_FUZZING_CASE_MUTATOR_H_
#define NNCERT_FUZZING_CASE_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "cases/test_case.h"
#include "fuzzing/byte_mutation.h"
#include "random/split_mix.h"

namespace nncert {

/// Changes one field of the case: an operand's type, dimensions, quantization or lifetime, an
/// operation's type or operands, a constant, an input of a request. What comes out need not be
/// valid. `mutate_bytes` changes what is plain bytes.
void MutateCase(TestCase& test_case, SplitMix64& random, const ByteMutation& mutate_bytes);

/// Changes a case file at random and gives its new bytes; changes the bytes themselves when they
/// are no case file, when the new ones would be more than `greatest_size`, and now and then for the
/// sake of the reader.
std::vector<uint8_t> MutateCaseFile(absl::Span<const uint8_t> bytes, size_t greatest_size,
                                    SplitMix64& random, const ByteMutation& mutate_bytes);

}  // namespace nncert

#endif  // NNCERT_FUZZING_CASE_MUTATOR_H_
