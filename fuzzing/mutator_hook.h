// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the hooks that libFuzzer calls have in common.

#ifndef NNCERT_FUZZING_MUTATOR_HOOK_H_
#define NNCERT_FUZZING_MUTATOR_HOOK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// libFuzzer's own mutation of bytes, and the hooks that it calls in its place.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t greatest_size);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t greatest_size,
                                          unsigned int seed);
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data, size_t size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t greatest_size,
                                            unsigned int seed);

namespace nncert {

/// Changes bytes as libFuzzer does. They may become a few more.
inline void MutateBytes(std::vector<uint8_t>& bytes) {
  const size_t old_size = bytes.size();
  bytes.resize(old_size + 8);
  bytes.resize(LLVMFuzzerMutate(bytes.data(), old_size, bytes.size()));
}

/// Hands bytes over to libFuzzer.
inline size_t GiveBytes(const std::vector<uint8_t>& bytes, uint8_t* to) {
  std::copy(bytes.begin(), bytes.end(), to);
  return bytes.size();
}

}  // namespace nncert

#endif  // NNCERT_FUZZING_MUTATOR_HOOK_H_
