// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Numbers that tell kinds of mutations apart, the same on every machine.

#ifndef NNCERT_HAL_TESTS_MUTATIONS_MUTATION_KIND_H_
#define NNCERT_HAL_TESTS_MUTATIONS_MUTATION_KIND_H_

#include <cstdint>
#include <string_view>

#include "hal/v1_2/types.h"
#include "random/split_mix.h"
#include "system/digest.h"

namespace nncert {

/// The kind of a text.
inline uint64_t KindOfText(std::string_view text) {
  Digest digest;
  digest.Add(text);
  return digest.value();
}

/// The kind that two kinds make in this order.
inline uint64_t CombineKinds(uint64_t first, uint64_t second) {
  return SplitMix64(first ^ SplitMix64(second).Bits()).Bits();
}

/// An operation by its type and the types of its inputs and outputs.
inline uint64_t KindOfOperation(const hal::V1_2::Model& model,
                                const hal::V1_2::Operation& operation) {
  auto kind = static_cast<uint64_t>(operation.type);
  for (const uint32_t operand : operation.inputs) {
    kind = CombineKinds(kind, static_cast<uint64_t>(model.operands[operand].type));
  }
  // Neither list is taken for a part of the other.
  kind = CombineKinds(kind, operation.inputs.size());
  for (const uint32_t operand : operation.outputs) {
    kind = CombineKinds(kind, static_cast<uint64_t>(model.operands[operand].type));
  }
  return kind;
}

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_MUTATIONS_MUTATION_KIND_H_
