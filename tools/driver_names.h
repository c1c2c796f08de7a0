// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What people may write behind --driver.

#ifndef NNCERT_TOOLS_DRIVER_NAMES_H_
#define NNCERT_TOOLS_DRIVER_NAMES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "harness/driver_session.h"

namespace nncert {

/// A driver that somebody asked for.
struct NamedDriver {
  /// What to call it, and what to write behind --driver to get it again: as it was written, or for
  /// the configured one its bundled name or its path.
  std::string name;
  /// The absolute path of the shared object.
  std::string path;
  /// What the driver is created with: hal::DriverSlot::option.
  std::string option;
};

/// Finds a driver: the path of a shared object; the name of a driver that is bundled under
/// drivers/, "sample" (a file of that name in the current folder is preferred when it says so with
/// a slash, "./sample"); or, when empty, the driver that the build was configured with
/// (--//:driver=). A colon behind the name, or behind a path that ends in ".so", begins the
/// driver's option: "faulty:all_nan". A path that exists as it is written has no option. NotFound
/// says what was looked for, and which names there are.
absl::StatusOr<NamedDriver> FindDriver(const std::string& driver);

/// Opens a driver in this process; its session is called by NamedDriver::name. Fails as
/// DriverSession::Open does.
absl::StatusOr<std::unique_ptr<DriverSession>> OpenDriver(const NamedDriver& driver);

/// The names of the bundled drivers, sorted.
absl::StatusOr<std::vector<std::string>> BundledDrivers();

}  // namespace nncert

#endif  // NNCERT_TOOLS_DRIVER_NAMES_H_
