// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The reference driver with the extension com.example.sequences, which is linked into it.

#include "hal/driver_entry.h"
#include "reference/driver/driver.h"

NNCERT_REGISTER_DRIVER(nncert::MakeReferenceDriver);
