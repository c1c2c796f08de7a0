// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Which operations a driver supports, as far as cases tell.

#ifndef NNCERT_CERTIFYING_OUTCOME_SUPPORT_SHARE_H_
#define NNCERT_CERTIFYING_OUTCOME_SUPPORT_SHARE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "harness/records/case_result.h"

namespace nncert {

/// How many of the cases of one operation and type a driver supports.
struct SupportShare {
  /// The name of the operation; see OperationName.
  std::string operation;
  /// The type of its first input: "TENSOR_FLOAT32".
  std::string type;
  /// The cases with a verdict other than UNSUPPORTED.
  size_t supported = 0;
  /// All of them; at least 1.
  size_t cases = 0;

  bool operator==(const SupportShare&) const = default;
};

/// The shares by operation and type, by their names. `results` has one for each of `cases`. Cases
/// of several operations are left out, because nobody says which of them is not supported, and
/// cases that a driver is to refuse.
std::vector<SupportShare> SharesOf(absl::Span<const CaseInMode> cases,
                                   absl::Span<const CaseResult> results);

/// The shares as lines of text that end with newlines: how many operations, and pairs of operation
/// and type, have a case that is supported, and how many of these pairs one that is not; then,
/// unless all cases of all are, a line for each of these operations, and the names of the others.
/// `shares` is what SharesOf gives; empty when that is.
std::string DescribeShares(absl::Span<const SupportShare> shares);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_OUTCOME_SUPPORT_SHARE_H_
