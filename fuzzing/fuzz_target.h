// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a fuzz target defines, for libFuzzer and for the replay of a corpus alike.

#ifndef NNCERT_FUZZING_FUZZ_TARGET_H_
#define NNCERT_FUZZING_FUZZ_TARGET_H_

#include <cstddef>
#include <cstdint>

/// Runs the code under test on `size` bytes at `data`, whatever they are, and ends the program when
/// it finds a defect. Always 0, as libFuzzer demands.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#endif  // NNCERT_FUZZING_FUZZ_TARGET_H_
