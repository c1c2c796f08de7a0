// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a spec calls operands.

#ifndef NNCERT_CASES_OPERAND_NAMES_H_
#define NNCERT_CASES_OPERAND_NAMES_H_

#include <string>
#include <vector>

#include "hal/v1_2/types.h"

namespace nncert {

/// Names for the operands of a model in a spec, each a variable of its own: as the operation calls
/// it that writes the operand, or else the first that reads it, with the operand's number where
/// names are not unique ("output_1"); "op7" where there is no name.
std::vector<std::string> NamesOfOperands(const hal::V1_2::Model& model);

}  // namespace nncert

#endif  // NNCERT_CASES_OPERAND_NAMES_H_
