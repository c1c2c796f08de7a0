// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the tests of the extension's operations have in common.

#ifndef NNCERT_DRIVERS_EXAMPLE_EXTENSION_TESTING_H_
#define NNCERT_DRIVERS_EXAMPLE_EXTENSION_TESTING_H_

#include <cstdint>
#include <vector>

#include "drivers/example_extension/sequences.h"
#include "reference/extension.h"
#include "reference/model_builder.h"

namespace nncert {

/// A TENSOR_FLOAT32.
inline OperandSpec Float32(const std::vector<uint32_t>& dimensions) {
  return {OperandType::TENSOR_FLOAT32, dimensions};
}

/// A TENSOR_FIXED16.
inline OperandSpec Fixed16(const std::vector<uint32_t>& dimensions, int32_t fraction_bits) {
  return {.type = CatalogueOperandType(kSequences, SEQUENCES_TENSOR_FIXED16),
          .dimensions = dimensions,
          .extraParams = BytesOfValue(FixedPointParams{fraction_bits})};
}

}  // namespace nncert

#endif  // NNCERT_DRIVERS_EXAMPLE_EXTENSION_TESTING_H_
