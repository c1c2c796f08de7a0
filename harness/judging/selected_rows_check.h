// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rows of an answer whose selection the enclosure leaves open: whether an honest implementation may
// have selected these.

#ifndef NNCERT_HARNESS_JUDGING_SELECTED_ROWS_CHECK_H_
#define NNCERT_HARNESS_JUDGING_SELECTED_ROWS_CHECK_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "harness/judging/comparator.h"
#include "reference/number/ball.h"
#include "reference/possible_rows.h"
#include "reference/unordered_rows.h"

namespace nncert {

/// What rows have of one output.
struct SelectedColumn {
  /// Elements of one row.
  size_t size = 1;
  Criterion criterion;
  /// Those of the answer.
  std::vector<double> actual;
  /// Those of the possible rows.
  absl::Span<const Ball> possible;
};

/// Why rows are none that an honest answer may have, in words; empty when it may. `groups` are the
/// rows of the answer: those of each group of `possible`, or one group of all rows. Each is to be
/// one of the possible rows, none of them twice, with every row among them that is certain, and as
/// many as there may be. Elements are right inside of their enclosure, or off by no more than their
/// criterion.
std::string WhyNotSelected(absl::Span<const SelectedColumn> columns,
                           absl::Span<const RowGroup> groups, const PossibleRows& possible);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_SELECTED_ROWS_CHECK_H_
