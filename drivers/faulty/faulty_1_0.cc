// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The faulty driver as one of HAL 1.0, for tests: a complete certification of such a driver takes a
// tenth of the time.

#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "drivers/faulty/faulty_driver.h"
#include "hal/driver_entry.h"
#include "hal/earlier_device.h"
#include "hal/v1_0/interfaces.h"
#include "hal/version.h"

NNCERT_REGISTER_DRIVER(
    [](std::string_view name) -> absl::StatusOr<std::shared_ptr<nncert::hal::V1_0::IDevice>> {
      auto device = nncert::faulty::MakeFaultyDriver(name);
      if (!device.ok()) return device.status();
      return nncert::hal::deviceOfVersion(*std::move(device), nncert::hal::HalVersion::V1_0);
    });
