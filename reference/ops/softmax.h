// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where SOFTMAX takes its operands.

#ifndef NNCERT_REFERENCE_OPS_SOFTMAX_H_
#define NNCERT_REFERENCE_OPS_SOFTMAX_H_

namespace nncert::softmax {

/// The inputs of SOFTMAX by slot.
enum Slot : int { kInput, kBeta, kAxis };

}  // namespace nncert::softmax

#endif  // NNCERT_REFERENCE_OPS_SOFTMAX_H_
