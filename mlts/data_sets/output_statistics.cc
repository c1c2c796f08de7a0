// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/output_statistics.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "system/file_content.h"

namespace nncert {

absl::StatusOr<OutputStatistics> ReadOutputStatistics(const std::string& path) {
  const absl::StatusOr<std::vector<uint8_t>> file = ReadFileBytes(path);
  if (!file.ok()) return file.status();
  constexpr size_t kPair = 2 * sizeof(float);
  if (file->empty() || file->size() % kPair != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": has ", file->size(), " bytes, no pairs of two floats of 4 bytes"));
  }
  OutputStatistics statistics;
  for (size_t i = 0; i < file->size(); i += kPair) {
    float pair[2];
    std::memcpy(pair, file->data() + i, kPair);
    if (!std::isfinite(pair[0]) || !std::isfinite(pair[1])) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": the mean or the deviation of element ", i / kPair, " is not finite"));
    }
    statistics.mean.push_back(pair[0]);
    statistics.deviation.push_back(pair[1]);
  }
  return statistics;
}

}  // namespace nncert
