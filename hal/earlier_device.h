// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A driver of HAL 1.2 as one of an earlier version.

#ifndef NNCERT_HAL_EARLIER_DEVICE_H_
#define NNCERT_HAL_EARLIER_DEVICE_H_

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "hal/v1_0/interfaces.h"
#include "hal/v1_2/interfaces.h"
#include "hal/version.h"

namespace nncert::hal {

/// The device as one of `version`: a client can call what that version has and nothing later, of
/// the device and of the models that it prepares. Of 1.2 the device itself. Must not be null.
std::shared_ptr<V1_0::IDevice> deviceOfVersion(std::shared_ptr<V1_2::IDevice> device,
                                               HalVersion version);

/// The same where the version is the option that a driver is created with (DriverSlot::option):
/// "1.0", "1.1", "1.2", or empty for 1.2. Fails with InvalidArgument for any other option.
absl::StatusOr<std::shared_ptr<V1_0::IDevice>> deviceOfVersion(
    std::shared_ptr<V1_2::IDevice> device, std::string_view option);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_EARLIER_DEVICE_H_
