// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rows without an order: which row of a driver's answer is to be compared with which expected row.
//
// A row is compared as a whole: its elements of all outputs are those of one row of the answer.

#ifndef NNCERT_HARNESS_JUDGING_ROW_ALIGNMENT_H_
#define NNCERT_HARNESS_JUDGING_ROW_ALIGNMENT_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "cases/test_case.h"
#include "hal/v1_2/types.h"
#include "harness/judging/comparator.h"
#include "reference/number/ball.h"
#include "reference/unordered_rows.h"

namespace nncert {

/// The rows of one operation among the outputs of a model.
struct RowSet {
  UnorderedRows rows;
  /// Those of rows.outputs that are outputs of the model, as positions in Model::outputIndexes. Not
  /// empty.
  std::vector<size_t> outputs;
  /// Positions of the outputs that rows.group and rows.counts stand for, if they are outputs of the
  /// model.
  std::optional<size_t> group;
  std::optional<size_t> counts;
};

/// Every set of rows without an order that outputs of `model` directly are.
std::vector<RowSet> RowSetsOf(const hal::V1_2::Model& model);

/// What rows have of one output.
struct RowColumns {
  /// Elements of one row.
  size_t size = 1;
  Criterion criterion;
  /// As many elements as there are rows times `size`.
  std::vector<double> expected;
  std::vector<double> actual;
  /// What honest answers are; empty when that is not known.
  absl::Span<const Ball> enclosure;
};

/// The rows of a set as an example expects them.
struct ExpectedRows {
  /// Those of RowSet::outputs that are compared.
  std::vector<size_t> outputs;
  /// What rows have of each of them; of the answer and the enclosure nothing yet.
  std::vector<RowColumns> columns;
  /// How many rows there are, at least one.
  size_t rows = 0;
  /// Which of them may change places.
  std::vector<RowGroup> groups;
};

/// The rows of a set in example number `example` of a case in the catalogue's numbering. Nothing
/// when there are none, or when the dimensions of the outputs do not fit together.
std::optional<ExpectedRows> ExpectedRowsOf(const TestCase& test_case, size_t example,
                                           const RowSet& set);

/// Which rows belong to each expected row: the rows of the answer, and those of the enclosure.
struct RowAlignment {
  std::vector<size_t> actual;
  std::vector<size_t> enclosure;
  /// Whether each row of the answer passes as the one that is expected.
  bool is_complete = false;
};

/// Finds rows of the answer that pass for the expected ones, as many as can be: each element is
/// within its criterion or, where enclosures are given, inside of the enclosure of the expected
/// row. Rows only change places within `groups`; those that pass for none take the places that are
/// left, in order. Every output has `rows` rows.
RowAlignment AlignRows(absl::Span<const RowColumns> outputs, absl::Span<const RowGroup> groups,
                       size_t rows);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_ROW_ALIGNMENT_H_
