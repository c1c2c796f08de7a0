// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models as pictures.

#ifndef NNCERT_HAL_GRAPH_DUMP_H_
#define NNCERT_HAL_GRAPH_DUMP_H_

#include <ostream>
#include <string_view>

#include "hal/v1_2/types.h"

namespace nncert::hal {

/// Writes a model as a Graphviz digraph, with `name` in a comment on its first line.
///
/// Operands are ellipses d<index>, white on black when they are inputs or outputs of the model.
/// Their labels tell the index, COPY or REF for constants and NO for omitted operands, the type
/// (abbreviated), the value of a scalar in operandValues, and the dimensions joined by 'x'.
/// Operations are boxes n<index>. Edges are numbered where an operation has more than one of a
/// kind. Invalid models are drawn as far as that goes.
void graphDump(std::string_view name, const V1_2::Model& model, std::ostream& stream);

/// Writes the same to the log, line by line.
void graphDump(std::string_view name, const V1_2::Model& model);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_GRAPH_DUMP_H_
