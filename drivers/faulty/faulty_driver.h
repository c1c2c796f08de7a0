// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The driver that is assembled from rules by name.

#ifndef NNCERT_DRIVERS_FAULTY_FAULTY_DRIVER_H_
#define NNCERT_DRIVERS_FAULTY_FAULTY_DRIVER_H_

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::faulty {

/// A driver of HAL 1.2 that is wrong as `name` says (see ParseFaults); its version string is
/// "nncert faulty driver: " and the name. It executes synchronously, asynchronously and by bursts.
///
/// A fault that is about operations bites operations; any other bites models with an operation that
/// its conditions hold of, as far as the model alone says. There "every=n" counts the executions of
/// a prepared model; for what happens before there is one, the models. In loading the driver and in
/// getCapabilities there is no model: a fault bites there whatever its conditions are.
///
/// Fails with InvalidArgument when there is no such fault.
absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>> MakeFaultyDriver(std::string_view name);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_FAULTY_DRIVER_H_
