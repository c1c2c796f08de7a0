// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Broadcasting row by row.

#ifndef NNCERT_REFERENCE_FAST_BROADCAST_ROWS_H_
#define NNCERT_REFERENCE_FAST_BROADCAST_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "reference/tensor.h"

namespace nncert {

/// Elements that follow each other in an output that two inputs broadcast to.
struct BroadcastRow {
  size_t first;   ///< where they begin in the output
  size_t count;   ///< how many there are
  size_t a;       ///< where the elements of the first input begin
  size_t a_step;  ///< from one of them to the next: 1, or 0 for one that is repeated
  size_t b;       ///< the same for the second input
  size_t b_step;
};

/// Divides an output that two inputs broadcast to into the longest rows that go through both inputs
/// in constant steps, and calls visit(BroadcastRow) for each, in row-major order.
template <class Visitor>
void ForEachBroadcastRow(const Shape& a, const Shape& b, const Shape& output, Visitor visit) {
  const size_t count = NumberOfElements(output);
  if (count == 0) return;
  const size_t rank = output.size();
  // The step in each input for one step along each dimension of the output; 0 where the input is
  // repeated.
  const auto strides_of = [rank](const Shape& shape) {
    absl::InlinedVector<size_t, 5> strides(rank, 0);
    size_t stride = 1;
    for (size_t i = 0; i < shape.size(); ++i) {
      const uint32_t dimension = shape[shape.size() - 1 - i];
      strides[rank - 1 - i] = dimension == 1 ? 0 : stride;
      stride *= dimension;
    }
    return strides;
  };
  const absl::InlinedVector<size_t, 5> a_strides = strides_of(a);
  const absl::InlinedVector<size_t, 5> b_strides = strides_of(b);
  // The innermost dimensions make a row as long as each continues the steps of the one within it.
  // A dimension of 1 is no step at all.
  BroadcastRow row = {0, 1, 0, 0, 0, 0};
  size_t outer = rank;
  for (; outer > 0; --outer) {
    const size_t d = outer - 1;
    if (output[d] == 1) continue;
    if (row.count == 1) {
      row.a_step = a_strides[d];
      row.b_step = b_strides[d];
    } else if (a_strides[d] != row.a_step * row.count || b_strides[d] != row.b_step * row.count) {
      break;
    }
    row.count *= output[d];
  }
  absl::InlinedVector<uint32_t, 5> index(outer, 0);
  for (; row.first < count; row.first += row.count) {
    visit(row);
    for (size_t d = outer; d-- > 0;) {
      row.a += a_strides[d];
      row.b += b_strides[d];
      if (++index[d] < output[d]) break;
      index[d] = 0;
      row.a -= a_strides[d] * output[d];
      row.b -= b_strides[d] * output[d];
    }
  }
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_FAST_BROADCAST_ROWS_H_
