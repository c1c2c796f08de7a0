// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/run_identity.h"

#include <cstdint>

#include "certifying/version.h"
#include "system/digest.h"

namespace nncert {

absl::StatusOr<RunIdentity> RunIdentityOf(OpenedDriver& driver, const std::string& selection) {
  RunIdentity run;
  run.version = kVersion;
  run.driver = driver.driver().name;
  run.driver_version = driver.session().version_string();
  if (const std::string& path = driver.driver().path; !path.empty()) {
    const absl::StatusOr<uint64_t> digest = DigestFile(path);
    if (!digest.ok()) return digest.status();
    run.driver_digest = *digest;
  }
  run.selection = selection;
  return run;
}

}  // namespace nncert
