// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Small valid models for the tests of this folder.

#ifndef NNCERT_HAL_TESTING_MODELS_H_
#define NNCERT_HAL_TESTING_MODELS_H_

#include "hal/v1_2/types.h"

namespace nncert::hal::testing {

/// A model that every version can express: output = ADD(ADD(input, a), b), float tensors of
/// dimensions {2}. Operands: 0 input, 1 a in operandValues, 2 the activation in operandValues,
/// 3 a temporary, 4 b in a pool at byte 8, 5 the output.
V1_2::Model TwoAdditions();

/// A request of TwoAdditions: pool 0 holds the input {1, 2}, pool 1 takes the output.
V1_2::Request TwoAdditionsRequest();

/// A model of HAL 1.2 with one operand of every kind that there is: every extra parameter, an
/// extension operation, an OEM operand, an omitted argument, relaxed arithmetic, pools of every
/// kind.
V1_2::Model OneOfEverything();

}  // namespace nncert::hal::testing

#endif  // NNCERT_HAL_TESTING_MODELS_H_
