// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The elements of operands as numbers and as text.

#ifndef NNCERT_CASES_ELEMENT_VALUES_H_
#define NNCERT_CASES_ELEMENT_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// Elements in the HAL's layout as numbers: integers for quantized types, 0 or 1 for Booleans. The
/// type must not be opaque.
std::vector<double> DecodeElements(hal::V1_2::OperandType type, absl::Span<const uint8_t> elements);

/// A number as messages show it: as few digits as tell it from all other numbers of its type.
std::string FormatElement(hal::V1_2::OperandType type, double value);

/// The indexes of element `index` of a row-major tensor, as "[0, 3, 1]".
std::string MultiIndex(const std::vector<uint32_t>& dimensions, uint64_t index);

}  // namespace nncert

#endif  // NNCERT_CASES_ELEMENT_VALUES_H_
