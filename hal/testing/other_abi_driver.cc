// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A shared object with the stamp of another toolchain, and a factory that must not be called.

#include <cstdlib>

extern "C" const char* nncert_driver_abi() { return "nncert-driver-0 of another compiler"; }
extern "C" void nncert_create_device(void* /*slot*/) { std::abort(); }
