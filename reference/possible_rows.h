// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rows of an answer whose selection an enclosure leaves open, as boxes whose scores are too close
// to say which of them is dropped.

#ifndef NNCERT_REFERENCE_POSSIBLE_ROWS_H_
#define NNCERT_REFERENCE_POSSIBLE_ROWS_H_

#include <cstddef>
#include <vector>

#include "reference/number/ball.h"

namespace nncert {

/// What is known of the rows of an operation (see UnorderedRows) when it is not known which there
/// are: every honest answer has some of these, none of them twice, and all that are certain.
struct PossibleRows {
  /// How many rows a group has.
  struct Group {
    size_t least = 0;
    size_t most = 0;
  };

  /// Whether the outputs have room for more rows, and counts say how many there are.
  bool have_counts = false;
  /// The groups: of rows that a count goes with, one for each count; else those that the operation
  /// gives rows of, in order.
  std::vector<Group> groups;
  /// The group of each row.
  std::vector<size_t> group_of;
  /// Whether each row is in every honest answer.
  std::vector<bool> is_certain;
  /// By outputs of the operation: the elements of all rows, as kept for kBall; empty for outputs
  /// that rows are not made of.
  std::vector<std::vector<Ball>> elements;

  /// How many rows there are to choose from.
  size_t size() const { return group_of.size(); }
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_POSSIBLE_ROWS_H_
