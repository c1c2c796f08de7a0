// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/outcome/verdict_matrix.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "hal/version.h"

namespace nncert {

std::vector<MatrixCell> MatrixOf(absl::Span<const CaseInMode> cases,
                                 absl::Span<const CaseResult> results) {
  std::map<std::tuple<std::string, std::string, hal::HalVersion>, std::map<Verdict, uint64_t>>
      cells;
  for (size_t i = 0; i < std::min(cases.size(), results.size()); ++i) {
    const hal::HalVersion version =
        cases[i].loaded->test_case.minimumVersion.value_or(hal::HalVersion::V1_2);
    ++cells[{results[i].operation, results[i].type, version}][results[i].verdict];
  }
  std::vector<MatrixCell> matrix;
  for (auto& [key, counts] : cells) {
    const auto& [operation, type, version] = key;
    matrix.push_back({operation, type, std::string(toString(version)), std::move(counts)});
  }
  return matrix;
}

}  // namespace nncert
