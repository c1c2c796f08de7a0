// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Outputs as votes for classes: of the highest value, with ties broken by the lowest index. A NaN
// is a vote for nothing.

#ifndef NNCERT_MLTS_METRICS_CLASSES_H_
#define NNCERT_MLTS_METRICS_CLASSES_H_

#include <cstddef>
#include <optional>

#include "absl/types/span.h"

namespace nncert {

/// The index of the highest value, the lowest of them if there are several; nothing when all are
/// NaN, or there are none.
std::optional<size_t> TopClass(absl::Span<const double> values);

/// How many classes come before `index`, an element of `values`, when these are in descending order
/// and equal ones in that of their indexes: 0 for TopClass. Nothing when its value is NaN.
std::optional<size_t> RankOf(absl::Span<const double> values, size_t index);

}  // namespace nncert

#endif  // NNCERT_MLTS_METRICS_CLASSES_H_
