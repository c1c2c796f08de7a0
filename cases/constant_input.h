// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models of constants alone, which the HAL does not allow.

#ifndef NNCERT_CASES_CONSTANT_INPUT_H_
#define NNCERT_CASES_CONSTANT_INPUT_H_

#include "cases/test_case.h"

namespace nncert {

/// Gives a model of constants alone, which is not valid, a tensor of its first operation as an
/// input. Whether there is one that it can have.
bool MakeConstantAnInput(TestCase& test_case);

}  // namespace nncert

#endif  // NNCERT_CASES_CONSTANT_INPUT_H_
