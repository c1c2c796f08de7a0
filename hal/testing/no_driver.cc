// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A shared object that is no driver.

extern "C" int nncert_test_not_a_driver() { return 1; }
