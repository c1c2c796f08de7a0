// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where ADD, DIV, MUL and SUB take their operands.

#ifndef NNCERT_REFERENCE_OPS_ARITHMETIC_H_
#define NNCERT_REFERENCE_OPS_ARITHMETIC_H_

namespace nncert::arithmetic {

/// The inputs by slot.
enum Slot : int { kA, kB, kActivation };

}  // namespace nncert::arithmetic

#endif  // NNCERT_REFERENCE_OPS_ARITHMETIC_H_
