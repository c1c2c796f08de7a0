// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Random models of one operation, of every operation and type that the XNNPACK driver supports,
// with channels and images of sizes that leave XNNPACK's kernels remainders of every kind.

#ifndef NNCERT_DRIVERS_XNNPACK_RANDOM_MODELS_H_
#define NNCERT_DRIVERS_XNNPACK_RANDOM_MODELS_H_

#include <cstdint>
#include <vector>

#include "cases/test_case.h"
#include "hal/v1_2/types.h"

namespace nncert::xnnpack {

/// A case of one operation whose first input is of `type`, with one example whose outputs are not
/// filled in. The same seed gives the same case everywhere. Most, not all, are such that the driver
/// supports them.
TestCase RandomCase(hal::V1_2::OperationType operation, hal::V1_2::OperandType type, uint64_t seed);

}  // namespace nncert::xnnpack

#endif  // NNCERT_DRIVERS_XNNPACK_RANDOM_MODELS_H_
