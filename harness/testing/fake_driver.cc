// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// An honest fake device as a driver in a shared object.

#include "hal/driver_entry.h"
#include "harness/testing/fake_device.h"

NNCERT_REGISTER_DRIVER([] { return nncert::MakeFakeDevice(); });
