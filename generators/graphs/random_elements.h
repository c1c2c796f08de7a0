// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Elements of tensors by chance.

#ifndef NNCERT_GENERATORS_GRAPHS_RANDOM_ELEMENTS_H_
#define NNCERT_GENERATORS_GRAPHS_RANDOM_ELEMENTS_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "random/split_mix.h"
#include "reference/operand_chooser.h"

namespace nncert {

/// What numbers the elements of a graph are. With those from kLarge on, which are hostile, some
/// elements of every floating-point tensor are of the class, at least one, and the others any.
enum class ElementClass {
  kAny,        ///< any of the range, with all the digits that the type has
  kLattice,    ///< one of nine numbers: many are equal, sums are exact
  kExtreme,    ///< either end of the range: whatever limits a result bites
  kLarge,      ///< near the greatest number of the type: their products overflow
  kTiny,       ///< near the least normal number of the type: their products underflow
  kSubnormal,  ///< below the least normal number of the type
  kZero,       ///< zeros of either sign
  kInfinite,   ///< infinities of either sign
  kNaN,        ///< not a number
};

/// The classes that are hostile.
inline constexpr std::array<ElementClass, 6> kHostileClasses = {
    ElementClass::kLarge, ElementClass::kTiny,     ElementClass::kSubnormal,
    ElementClass::kZero,  ElementClass::kInfinite, ElementClass::kNaN};

/// Whether a class is hostile: results need not be finite or informative.
bool IsHostile(ElementClass elements);

/// The class in a word, for names: "subnormal".
std::string_view toString(ElementClass elements);

/// The bytes of an operand, in the HAL's layout: its values where they were chosen, else elements
/// in its range. A quantized operand without values has any integers of its type. Elements of a
/// hostile class have the sign that the range has, if it has one.
std::vector<uint8_t> RandomElements(const ChosenOperand& operand, ElementClass elements,
                                    SplitMix64& random);

}  // namespace nncert

#endif  // NNCERT_GENERATORS_GRAPHS_RANDOM_ELEMENTS_H_
