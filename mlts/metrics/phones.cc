// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/phones.h"

#include <algorithm>
#include <optional>

#include "mlts/metrics/classes.h"

namespace nncert {

std::vector<uint32_t> ClassesOf(const std::vector<std::vector<double>>& scores) {
  std::vector<uint32_t> classes;
  for (const std::vector<double>& step : scores) {
    const std::optional<size_t> top = TopClass(step);
    classes.push_back(top ? static_cast<uint32_t>(*top) : kNoClass);
  }
  return classes;
}

std::vector<uint32_t> PhonesOf(absl::Span<const uint32_t> classes) {
  std::vector<uint32_t> phones;
  for (size_t i = 0; i < classes.size(); ++i) {
    const bool is_repeated = i > 0 && classes[i] == classes[i - 1];
    if (!is_repeated && classes[i] != kBlank) phones.push_back(classes[i]);
  }
  return phones;
}

uint64_t EditDistance(absl::Span<const uint32_t> one, absl::Span<const uint32_t> other) {
  // Of each start of `other`, the distance from the start of `one` that has been looked at.
  std::vector<uint64_t> distances(other.size() + 1);
  for (size_t i = 0; i < distances.size(); ++i) distances[i] = i;
  for (size_t i = 0; i < one.size(); ++i) {
    uint64_t diagonal = distances[0];
    distances[0] = i + 1;
    for (size_t j = 0; j < other.size(); ++j) {
      const uint64_t replaced = diagonal + (one[i] == other[j] ? 0 : 1);
      diagonal = distances[j + 1];
      distances[j + 1] = std::min({replaced, diagonal + 1, distances[j] + 1});
    }
  }
  return distances.back();
}

double MltsPhoneErrorRate(absl::Span<const uint32_t> classes, absl::Span<const uint32_t> golden) {
  if (classes.empty()) return 0;
  return static_cast<double>(EditDistance(classes, golden)) * 100 /
         static_cast<double>(classes.size());
}

}  // namespace nncert
