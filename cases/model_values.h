// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a writer of cases reads from a model that may be invalid.

#ifndef NNCERT_CASES_MODEL_VALUES_H_
#define NNCERT_CASES_MODEL_VALUES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// Checks that whatever refers to an operand of the model refers to one that exists. OutOfRange
/// says what does not.
absl::Status CheckOperandIndexes(const hal::V1_2::Model& model);

/// How often operations of the model read each operand. All indexes must be those of operands.
std::vector<uint32_t> CountConsumers(const hal::V1_2::Model& model);

/// The bytes of a constant operand, wherever they lie. OutOfRange when they lie outside of their
/// memory; fails as well when a pool cannot be mapped.
absl::StatusOr<std::vector<uint8_t>> ConstantValue(const hal::V1_2::Model& model, uint32_t index);

}  // namespace nncert

#endif  // NNCERT_CASES_MODEL_VALUES_H_
