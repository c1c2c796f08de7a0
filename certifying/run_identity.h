// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the journals of runs on a driver are of.

#ifndef NNCERT_CERTIFYING_RUN_IDENTITY_H_
#define NNCERT_CERTIFYING_RUN_IDENTITY_H_

#include <string>

#include "absl/status/statusor.h"
#include "certifying/driver_names.h"
#include "harness/records/journal.h"

namespace nncert {

/// The identity of a run of this nncert on a driver, chosen and done as `selection` says
/// (RunIdentity::selection). The number and digest of the cases are left to the caller. Fails when
/// the driver's file cannot be read.
absl::StatusOr<RunIdentity> RunIdentityOf(OpenedDriver& driver, const std::string& selection);

/// The same of a driver that says this version of itself.
absl::StatusOr<RunIdentity> RunIdentityOf(const NamedDriver& driver,
                                          const std::string& driver_version,
                                          const std::string& selection);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_RUN_IDENTITY_H_
