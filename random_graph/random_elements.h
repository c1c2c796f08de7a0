// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Elements of tensors by chance.

#ifndef NNCERT_RANDOM_GRAPH_RANDOM_ELEMENTS_H_
#define NNCERT_RANDOM_GRAPH_RANDOM_ELEMENTS_H_

#include <cstdint>
#include <vector>

#include "random/split_mix.h"
#include "reference/operand_chooser.h"

namespace nncert {

/// What numbers the elements of a graph are.
enum class ElementClass {
  kAny,      ///< any of the range, with all the digits that the type has
  kLattice,  ///< one of nine numbers: many are equal, sums are exact
};

/// The bytes of an operand, in the HAL's layout: its values where they were chosen, else elements
/// in its range. A quantized operand without values has any integers of its type.
std::vector<uint8_t> RandomElements(const ChosenOperand& operand, ElementClass elements,
                                    SplitMix64& random);

}  // namespace nncert

#endif  // NNCERT_RANDOM_GRAPH_RANDOM_ELEMENTS_H_
