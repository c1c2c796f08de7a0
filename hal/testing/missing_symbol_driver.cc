// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A shared object that needs a function which nobody has.

extern "C" int nncert_test_function_that_nobody_has();
extern "C" const char* nncert_driver_abi() {
  return nncert_test_function_that_nobody_has() != 0 ? "" : nullptr;
}
