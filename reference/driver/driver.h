// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The reference driver: HAL 1.2 on the operation catalogue.

#ifndef NNCERT_REFERENCE_DRIVER_DRIVER_H_
#define NNCERT_REFERENCE_DRIVER_DRIVER_H_

#include <memory>

#include "hal/v1_2/interfaces.h"

namespace nncert {

/// A driver that executes models by the catalogue's kernels in float. It is a driver like any
/// other: what it computes is compared with the oracle, which computes in double.
///
/// It supports every operation that the catalogue has, lists the extensions that are linked in,
/// refuses whatever breaks a rule of the HAL or a constraint of an operation (INVALID_ARGUMENT),
/// and executes several requests at the same time. Large operations are shared by all processors.
/// An execution whose values an operation does not accept ends with GENERAL_FAILURE. An execution
/// that takes more than kMostSteps (see executor.h), or more memory than there is, ends with
/// GENERAL_FAILURE as well.
///
/// A compilation is cached in a model cache file and a data cache file (see cached_model.h). They
/// are sealed without a key: a model that was made up is prepared like any client's, if it is
/// valid.
std::shared_ptr<hal::V1_2::IDevice> MakeReferenceDriver();

/// The same driver with `most_steps` in place of kMostSteps.
std::shared_ptr<hal::V1_2::IDevice> MakeReferenceDriverOf(double most_steps);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_DRIVER_DRIVER_H_
