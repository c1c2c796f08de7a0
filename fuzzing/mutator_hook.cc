// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Makes libFuzzer change test cases instead of bytes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "fuzzing/case_mutator.h"

// libFuzzer's own mutation of bytes, and the hook that it calls in its place.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t greatest_size);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t greatest_size,
                                          unsigned int seed) {
  nncert::FuzzRandom random(seed);
  const auto mutate_bytes = [](std::vector<uint8_t>& bytes) {
    // Room to grow by a few bytes.
    const size_t old_size = bytes.size();
    bytes.resize(old_size + 8);
    bytes.resize(LLVMFuzzerMutate(bytes.data(), old_size, bytes.size()));
  };
  const std::vector<uint8_t> mutated =
      nncert::MutateCaseFile(absl::MakeConstSpan(data, size), greatest_size, random, mutate_bytes);
  std::copy(mutated.begin(), mutated.end(), data);
  return mutated.size();
}
