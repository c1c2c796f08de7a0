// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The faulty driver as a shared object: --driver=faulty:NAME.

#include "drivers/faulty/faulty_driver.h"
#include "hal/driver_entry.h"

NNCERT_REGISTER_DRIVER(nncert::faulty::MakeFaultyDriver);
