// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The toy driver as a shared object that takes no option.

#include "hal/driver_entry.h"
#include "hal/testing/toy_driver.h"

NNCERT_REGISTER_DRIVER([] { return std::make_shared<nncert::hal::testing::ToyDriver>(); });
