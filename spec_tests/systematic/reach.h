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
/// meet a condition, one of CoverageConditions: those that can meet it by the catalogue (CanMeet),
/// but for a few that it does not make all the same.
bool CanBeMadeToMeet(const OperationDefinition& definition, OperandType type,
                     std::string_view condition);

/// What can be asked of operations by the catalogue (CoverageItemsOf), and no operation of the
/// coverage was asked: "CONV_2D TENSOR_FLOAT16: dimension>512"; of an operation and type that it
/// has not at all also "CONV_2D TENSOR_FLOAT16".
std::vector<std::string> GapsOf(const Coverage& coverage);

}  // namespace nncert

#endif  // NNCERT_SPEC_TESTS_SYSTEMATIC_REACH_H_
