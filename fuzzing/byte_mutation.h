// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the mutators of fuzzing leave to the fuzzer.

#ifndef NNCERT_FUZZING_BYTE_MUTATION_H_
#define NNCERT_FUZZING_BYTE_MUTATION_H_

#include <cstdint>
#include <functional>
#include <vector>

namespace nncert {

/// Changes bytes in place, as a fuzzer's own mutation of raw data does.
using ByteMutation = std::function<void(std::vector<uint8_t>& bytes)>;

}  // namespace nncert

#endif  // NNCERT_FUZZING_BYTE_MUTATION_H_
