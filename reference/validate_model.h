// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The rules of the HAL's operations, for drivers: they are installed beside the library of hal/
// (docs/writing_a_driver.md).

#ifndef NNCERT_REFERENCE_VALIDATE_MODEL_H_
#define NNCERT_REFERENCE_VALIDATE_MODEL_H_

#include "absl/status/status.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert {

/// Checks everything that can be checked of a model without executing it, as a model of `version`:
/// structure, operands, and every operation. InvalidArgument for an invalid model. Operations that
/// the catalogue does not have (OEM operations, and those of unknown extensions) are only checked
/// structurally.
absl::Status ValidateModel(const hal::V1_2::Model& model,
                           hal::HalVersion version = hal::HalVersion::V1_2);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_VALIDATE_MODEL_H_
