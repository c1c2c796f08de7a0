// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the catalogue knows that operations can be met with, and what of it a coverage has not.

#ifndef NNCERT_SPEC_TESTS_SYSTEMATIC_REACH_H_
#define NNCERT_SPEC_TESTS_SYSTEMATIC_REACH_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/coverage/coverage.h"
#include "reference/operation_definition.h"

namespace nncert {

/// Whether the graph maker makes operations of the definition, with a first input of `type`, that
/// meet a condition, one of CoverageConditions: by the signature; but for those that it does not
/// make all the same, which are listed with the reason. (Whether any model can, CanMeet of
/// cases/coverage/coverage_items.h says.)
bool CanBeMadeToMeet(const OperationDefinition& definition, OperandType type,
                     std::string_view condition);

/// The types that the first input of an operation may have at any version.
std::vector<OperandType> FirstTypes(const OperationDefinition& definition);

/// What gaps are looked for in.
enum class GapScope {
  kOperations,  ///< whether an operation has everything in some type
  kTypes,       ///< in each type of the first input that can
};

/// What no operation, or no operation of a type, was met with: "CONV_2D TENSOR_FLOAT16:
/// dimension>512", each
///
/// - operation and type itself, and each HAL version that has it in some type,
/// - condition that can be met,
/// - optional input, there and left out,
/// - fused activation, and layout.
std::vector<std::string> GapsOf(const Coverage& coverage, GapScope scope);

/// Conditions that operations of the coverage meet although they are listed as those that cannot.
std::vector<std::string> WronglyListed(const Coverage& coverage);

}  // namespace nncert

#endif  // NNCERT_SPEC_TESTS_SYSTEMATIC_REACH_H_
