// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Changes what one side of a connection says to the other (hal/transport), message by message, so
// that a fuzzer gets past the framing and the RPC system to the HAL's interfaces and the driver.

#ifndef NNCERT_FUZZING_MESSAGE_MUTATOR_H_
#define NNCERT_FUZZING_MESSAGE_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "fuzzing/byte_mutation.h"
#include "random/split_mix.h"

namespace nncert {

/// Changes what is said: the fields, lists, pointers and capabilities of a message, the number,
/// target or method of a question, the descriptors that go along; or drops, repeats, swaps and
/// inserts messages. Most messages that come out are messages of Cap'n Proto's RPC; questions that
/// are repeated get a number of their own. Now and then it changes the bytes themselves, for the
/// sake of the framing. At most `greatest_size` bytes come out.
std::vector<uint8_t> MutateMessages(absl::Span<const uint8_t> data, size_t greatest_size,
                                    SplitMix64& random, const ByteMutation& mutate_bytes);

/// What begins like `data` and goes on with some messages of `other`.
std::vector<uint8_t> SpliceMessages(absl::Span<const uint8_t> data, absl::Span<const uint8_t> other,
                                    size_t greatest_size, SplitMix64& random);

}  // namespace nncert

#endif  // NNCERT_FUZZING_MESSAGE_MUTATOR_H_
