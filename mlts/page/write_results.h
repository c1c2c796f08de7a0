// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The files that a run leaves behind.

#ifndef NNCERT_MLTS_PAGE_WRITE_RESULTS_H_
#define NNCERT_MLTS_PAGE_WRITE_RESULTS_H_

#include <string>

#include "absl/status/status.h"
#include "mlts/results/results.h"

namespace nncert {

/// Writes results.json, results.csv and report.html into a folder, which is made when needed. Each
/// is there as a whole or not at all, so that it may be called again as a run goes on. The error
/// names the file.
absl::Status WriteResults(const MltsResults& results, const std::string& directory);

}  // namespace nncert

#endif  // NNCERT_MLTS_PAGE_WRITE_RESULTS_H_
