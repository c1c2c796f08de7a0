// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/coverage/coverage.h"

#include <set>

#include "absl/strings/str_cat.h"

namespace nncert {

void Coverage::Add(const Coverage& other) {
  cases += other.cases;
  for (const auto& [key, theirs] : other.operations) {
    OperationCoverage& ours = operations[key];
    ours.count += theirs.count;
    for (const auto& [feature, count] : theirs.features) ours.features[feature] += count;
  }
  for (const auto& [edge, count] : other.edges) edges[edge] += count;
}

uint64_t Coverage::Count(std::string_view operation, std::string_view feature) const {
  uint64_t count = 0;
  for (const auto& [key, entry] : operations) {
    if (key.first != operation) continue;
    const auto found = entry.features.find(feature);
    if (found != entry.features.end()) count += found->second;
  }
  return count;
}

std::string DescribeCoverage(const Coverage& coverage) {
  std::set<std::string_view> names;
  size_t features = 0;
  for (const auto& [key, operation] : coverage.operations) {
    names.insert(key.first);
    features += operation.features.size();
  }
  return absl::StrCat(names.size(), " operations in ", coverage.operations.size(), " types, ",
                      features, " features, ", coverage.edges.size(), " edges");
}

}  // namespace nncert
