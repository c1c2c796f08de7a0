// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where FULLY_CONNECTED takes its operands.

#ifndef NNCERT_REFERENCE_OPS_FULLY_CONNECTED_H_
#define NNCERT_REFERENCE_OPS_FULLY_CONNECTED_H_

namespace nncert::fully_connected {

/// The inputs of FULLY_CONNECTED by slot.
enum Slot : int { kInput, kWeights, kBias, kActivation };

}  // namespace nncert::fully_connected

#endif  // NNCERT_REFERENCE_OPS_FULLY_CONNECTED_H_
