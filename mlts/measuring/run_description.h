// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What results say of a run before anything is measured.

#ifndef NNCERT_MLTS_MEASURING_RUN_DESCRIPTION_H_
#define NNCERT_MLTS_MEASURING_RUN_DESCRIPTION_H_

#include <string>

#include "absl/time/time.h"
#include "harness/isolation/driver_session.h"
#include "mlts/results/results.h"

namespace nncert {

/// Results without any result: the driver, which is called `name`, the machine, nncert's version,
/// the command line, and that the run begins now. `deadline` is for the driver's answers.
MltsResults DescribeRun(DriverSession& session, const std::string& name, const std::string& command,
                        absl::Duration deadline);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_RUN_DESCRIPTION_H_
