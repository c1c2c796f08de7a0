// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Makes libFuzzer change messages instead of bytes.

#include "absl/types/span.h"
#include "fuzzing/message_mutator.h"
#include "fuzzing/mutator_hook.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t greatest_size,
                                          unsigned int seed) {
  nncert::SplitMix64 random(seed);
  return nncert::GiveBytes(nncert::MutateMessages(absl::MakeConstSpan(data, size), greatest_size,
                                                  random, nncert::MutateBytes),
                           data);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data, size_t size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t greatest_size,
                                            unsigned int seed) {
  nncert::SplitMix64 random(seed);
  return nncert::GiveBytes(
      nncert::SpliceMessages(absl::MakeConstSpan(data, size),
                             absl::MakeConstSpan(other, other_size), greatest_size, random),
      out);
}
