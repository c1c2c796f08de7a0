// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/fuzz_random.h"

namespace nncert {

uint64_t FuzzRandom::Next() {
  state_ += 0x9E3779B97F4A7C15;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

uint64_t FuzzRandom::Below(uint64_t bound) { return bound == 0 ? 0 : Next() % bound; }

}  // namespace nncert
