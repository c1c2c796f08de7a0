// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models as pictures.

#ifndef NNCERT_HAL_GRAPH_DUMP_H_
#define NNCERT_HAL_GRAPH_DUMP_H_

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "hal/v1_2/types.h"

namespace nncert::hal {

/// What the arguments of an operation are called: nothing, or a name for each.
struct ArgumentNames {
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};
};

/// Draws a model for Graphviz (`dot -Tsvg`), under the title `name`.
///
/// What flows is drawn, what is constant is written where it is read, so that models of a hundred
/// operations can be followed:
///
/// - An operation is a table: its number and name, then a row for each constant or omitted input.
/// - Every other operand is a rounded box: inputs of the model green, outputs orange, with their
///   number among them, anything else white.
/// - Arrows run from operands to the operations that read them, and to operands from the operations
///   that write them. They say which input or output it is where there are several, by its name
///   where `names` has one for it: `names` is empty or has an entry for each operation.
///
/// Of each operand its number, type, dimensions, quantization and lifetime are told, of constants
/// also the elements if they are few and in operandValues, otherwise where they lie. The same model
/// gives the same text. Invalid models are drawn as far as that goes: operands that there are not
/// have a row in the operation that names them. Control characters, backslashes and what is not
/// ASCII are drawn as question marks.
void graphDump(std::string_view name, const V1_2::Model& model, std::ostream& stream,
               const std::vector<ArgumentNames>& names = {});

}  // namespace nncert::hal

#endif  // NNCERT_HAL_GRAPH_DUMP_H_
