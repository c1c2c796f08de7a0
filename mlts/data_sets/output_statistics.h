// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What undoes the normalization of a network's output.

#ifndef NNCERT_MLTS_DATA_SETS_OUTPUT_STATISTICS_H_
#define NNCERT_MLTS_DATA_SETS_OUTPUT_STATISTICS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace nncert {

/// Of each element of an output, what it is multiplied by and what is added then.
struct OutputStatistics {
  std::vector<float> mean;
  std::vector<float> deviation;
};

/// Reads MLTS's file of them: little-endian floats, a mean and a standard deviation for each
/// element. Fails as ReadFileBytes does, or with InvalidArgument for another size, or a value that
/// is not finite; the message begins with the path.
absl::StatusOr<OutputStatistics> ReadOutputStatistics(const std::string& path);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_OUTPUT_STATISTICS_H_
