// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the documentation calls the arguments of operations, so that nobody has to count them.

#ifndef NNCERT_REFERENCE_ARGUMENT_NAMES_H_
#define NNCERT_REFERENCE_ARGUMENT_NAMES_H_

#include <vector>

#include "hal/graph_dump.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// The names in the catalogue of the inputs and outputs of each operation of a model:
/// "strideWidth". Empty lists for an operation that the catalogue does not have, or whose operands
/// do not fit it. The model may be invalid.
std::vector<hal::ArgumentNames> NamesOfArguments(const hal::V1_2::Model& model);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_ARGUMENT_NAMES_H_
