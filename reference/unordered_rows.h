// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rows of outputs whose order the documentation of an operation leaves open, as those of detected
// boxes: an answer is as good as any other that has the same rows in another order.

#ifndef NNCERT_REFERENCE_UNORDERED_ROWS_H_
#define NNCERT_REFERENCE_UNORDERED_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"

namespace nncert {

/// Which outputs of an operation list rows without an order. A row is what all of `outputs` have at
/// one index.
struct UnorderedRows {
  /// The outputs that the rows are made of; empty when every order is fixed.
  std::vector<int> outputs = {};
  /// The one of `outputs` whose elements say which group each row is of, or -1. Rows are indexes of
  /// the first dimension. Groups follow each other in fixed order; rows of a group do not.
  int group = -1;
  /// The output (not one of `outputs`) that says how many rows there are, or -1. Rows are then
  /// indexes of the second dimension, in groups that are indexes of the first; element i is the
  /// number of rows of group i, and what is behind them means nothing.
  int counts = -1;

  /// How many leading dimensions of the outputs count rows.
  size_t RowRank() const { return counts >= 0 ? 2 : 1; }
};

/// Rows that may change places with each other: `count` from row `first`.
struct RowGroup {
  size_t first = 0;
  size_t count = 0;

  bool operator==(const RowGroup&) const = default;
};

/// The number of elements that one row has of an output of `dimensions`.
inline size_t RowSizeOf(const UnorderedRows& rows, absl::Span<const uint32_t> dimensions) {
  size_t size = 1;
  for (size_t i = rows.RowRank(); i < dimensions.size(); ++i) size *= dimensions[i];
  return size;
}

/// The groups of the rows of outputs whose dimensions begin like `dimensions`: runs of rows that
/// have the same group_of(row), or, where the operation counts rows, the first count_of(i) rows of
/// each index i of the first dimension. Only one of the two functions is called.
inline std::vector<RowGroup> GroupsOf(const UnorderedRows& rows,
                                      absl::Span<const uint32_t> dimensions,
                                      absl::FunctionRef<double(size_t)> group_of,
                                      absl::FunctionRef<size_t(size_t)> count_of) {
  std::vector<RowGroup> groups;
  if (rows.counts >= 0) {
    const size_t most = dimensions[1];
    for (size_t i = 0; i < dimensions[0]; ++i) {
      groups.push_back({i * most, std::min(count_of(i), most)});
    }
    return groups;
  }
  double last = 0;
  for (size_t row = 0; row < dimensions[0]; ++row) {
    const double group = group_of(row);
    if (groups.empty() || group != last) groups.push_back({row, 0});
    ++groups.back().count;
    last = group;
  }
  return groups;
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_UNORDERED_ROWS_H_
