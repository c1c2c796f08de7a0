// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The XNNPACK driver as a shared object.

#include "drivers/xnnpack/driver.h"
#include "hal/driver_entry.h"

NNCERT_REGISTER_DRIVER(nncert::MakeXnnpackDriver);
