// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A driver that is off by two in every element of quantized outputs.

#include "drivers/faulty/faulty_driver.h"
#include "hal/driver_entry.h"
#include "reference/driver.h"

NNCERT_REGISTER_DRIVER([] {
  return nncert::MakeFaultyDriver(nncert::MakeReferenceDriver(), "nncert faulty_off_by_two",
                                  &nncert::MoveByTwoSteps);
});
