// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Makes libFuzzer change test cases instead of bytes.

#include "absl/types/span.h"
#include "fuzzing/case_mutator.h"
#include "fuzzing/mutator_hook.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t greatest_size,
                                          unsigned int seed) {
  nncert::SplitMix64 random(seed);
  return nncert::GiveBytes(nncert::MutateCaseFile(absl::MakeConstSpan(data, size), greatest_size,
                                                  random, nncert::MutateBytes),
                           data);
}
