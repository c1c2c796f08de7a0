// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The toy driver as a shared object. The option makes it fail in the ways that a driver can.

#include <stdexcept>

#include "absl/status/statusor.h"
#include "hal/driver_entry.h"
#include "hal/testing/toy_driver.h"

namespace {

absl::StatusOr<std::shared_ptr<nncert::hal::testing::ToyDriver>> Create(std::string_view option) {
  if (option == "fail") return absl::UnavailableError("the device is not plugged in");
  if (option == "throw") throw std::runtime_error("an exception of the driver");
  if (option == "null") return std::shared_ptr<nncert::hal::testing::ToyDriver>();
  return std::make_shared<nncert::hal::testing::ToyDriver>();
}

}  // namespace

NNCERT_REGISTER_DRIVER(Create);
