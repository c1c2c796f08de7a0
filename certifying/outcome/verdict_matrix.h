// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the cases of a run came to, by operation, type and HAL version.

#ifndef NNCERT_CERTIFYING_OUTCOME_VERDICT_MATRIX_H_
#define NNCERT_CERTIFYING_OUTCOME_VERDICT_MATRIX_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "harness/records/case_result.h"
#include "harness/records/verdict.h"

namespace nncert {

/// The cases of one operation and type that the same HAL versions can run.
struct MatrixCell {
  /// CaseResult::operation and CaseResult::type.
  std::string operation;
  std::string type;
  /// The lowest version that can run them: "1.2".
  std::string version;
  /// How many came to which verdict; those that none came to are not there.
  std::map<Verdict, uint64_t> counts;

  bool operator==(const MatrixCell&) const = default;
};

/// The cells that have a case, by operation, type and version. `results` has one for each of
/// `cases`.
std::vector<MatrixCell> MatrixOf(absl::Span<const CaseInMode> cases,
                                 absl::Span<const CaseResult> results);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_OUTCOME_VERDICT_MATRIX_H_
