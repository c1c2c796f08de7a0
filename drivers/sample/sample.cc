// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The reference driver as a shared object; with the option 1.0 or 1.1, as a driver of that HAL.

#include <string_view>

#include "hal/driver_entry.h"
#include "hal/earlier_device.h"
#include "reference/driver/driver.h"

NNCERT_REGISTER_DRIVER([](std::string_view version) {
  return nncert::hal::deviceOfVersion(nncert::MakeReferenceDriver(), version);
});
