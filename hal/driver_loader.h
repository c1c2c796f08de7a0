// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Loads drivers from shared objects; hal/driver_entry.h is the contract.

#ifndef NNCERT_HAL_DRIVER_LOADER_H_
#define NNCERT_HAL_DRIVER_LOADER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "hal/v1_0/interfaces.h"

namespace nncert::hal {

/// The device of a driver in a shared object, which is never null; `option` is passed on to the
/// driver. The object stays loaded until the process ends, because prepared models and threads of a
/// driver may outlive its device.
///
/// Fails with a message that names the file: NotFound when it does not exist; InvalidArgument when
/// it is no shared object, lacks something it is linked to, or exports no driver;
/// FailedPrecondition when it was compiled for another ABI, with what differs; Internal when the
/// driver creates no device or throws.
absl::StatusOr<std::shared_ptr<V1_0::IDevice>> LoadDriver(const std::string& path,
                                                          const std::string& option = "");

/// What differs between the stamps (see driverAbiStamp) of a driver and of the program that is to
/// load it, in words: "_GLIBCXX_USE_CXX11_ABI is 0 in the driver and 1 in this program"; empty when
/// the driver can be loaded. The compiler's own version, which stamps once had, counts for nothing.
std::string describeAbiDifference(const std::string& ofDriver, const std::string& ofProgram);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_DRIVER_LOADER_H_
