// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/run_identity.h"

#include <cstdint>

#include "certifying/version.h"
#include "system/digest.h"

namespace nncert {

absl::StatusOr<RunIdentity> RunIdentityOf(OpenedDriver& driver, const std::string& selection) {
  return RunIdentityOf(driver.driver(), driver.session().version_string(), selection);
}

absl::StatusOr<RunIdentity> RunIdentityOf(const NamedDriver& driver,
                                          const std::string& driver_version,
                                          const std::string& selection) {
  RunIdentity run;
  run.version = kVersion;
  run.driver = driver.name;
  run.driver_version = driver_version;
  if (!driver.path.empty()) {
    const absl::StatusOr<uint64_t> digest = DigestFile(driver.path);
    if (!digest.ok()) return digest.status();
    run.driver_digest = *digest;
  }
  run.selection = selection;
  return run;
}

}  // namespace nncert
