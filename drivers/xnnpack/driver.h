// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// XNNPACK as a driver of HAL 1.2: single precision and quantized elements of eight bits, images as
// NHWC, shapes that are known before the execution. It shares nothing with the reference driver
// but hal/.

#ifndef NNCERT_DRIVERS_XNNPACK_DRIVER_H_
#define NNCERT_DRIVERS_XNNPACK_DRIVER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "hal/v1_2/interfaces.h"

namespace nncert {

/// Makes the driver. Fails with Unavailable when XNNPACK does not run on this processor.
absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>> MakeXnnpackDriver();

}  // namespace nncert

#endif  // NNCERT_DRIVERS_XNNPACK_DRIVER_H_
