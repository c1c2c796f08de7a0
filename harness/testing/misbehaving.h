// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The driver that ruins its own process, in a process of its own.

#ifndef NNCERT_HARNESS_TESTING_MISBEHAVING_H_
#define NNCERT_HARNESS_TESTING_MISBEHAVING_H_

#include <filesystem>
#include <string>

#include "absl/time/time.h"
#include "harness/isolation/driver_process.h"

namespace nncert {

/// The program that loads a driver and serves it, among a test's files.
inline constexpr char kDriverHost[] = "hal/transport/driver_host";

/// What is said of a process that made up an address.
inline constexpr char kSegmentationFault[] =
    "the driver's process was killed by SIGSEGV (Segmentation fault)";

/// The absolute path of misbehaving_driver.so, which is among the files of a test.
inline std::string MisbehavingDriver() {
  return std::filesystem::absolute("harness/testing/misbehaving_driver.so").string();
}

/// How to start it so that it misbehaves as `kind` says; see misbehaving_driver.cc. The deadline is
/// that of the start as well.
inline DriverProcessOptions MisbehavingOptions(const std::string& kind,
                                               absl::Duration deadline = absl::Seconds(30)) {
  DriverProcessOptions options;
  options.name = kind;
  options.program = kDriverHost;
  options.driver = MisbehavingDriver();
  options.option = kind;
  options.deadline = deadline;
  return options;
}

}  // namespace nncert

#endif  // NNCERT_HARNESS_TESTING_MISBEHAVING_H_
