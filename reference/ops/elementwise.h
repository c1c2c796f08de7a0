// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What element-wise kernels share: fused activations and broadcasting.

#ifndef NNCERT_REFERENCE_OPS_ELEMENTWISE_H_
#define NNCERT_REFERENCE_OPS_ELEMENTWISE_H_

#include <cstddef>

#include "absl/status/status.h"
#include "hal/v1_2/types.h"
#include "reference/kernel.h"
#include "reference/operation_definition.h"
#include "reference/tensor.h"

namespace nncert {

/// The fused activation functions of the HAL (types.hal 1.0, FusedActivationFunc).
using hal::V1_2::FusedActivationFunc;

/// Applies a fused activation: NONE is x, RELU max(x, 0), RELU1 x limited to [-1, 1], RELU6 x
/// limited to [0, 6].
template <class A>
typename A::Number Activate(const A& arithmetic, FusedActivationFunc activation,
                            const typename A::Number& x) {
  switch (activation) {
    case FusedActivationFunc::NONE:
      return x;
    case FusedActivationFunc::RELU:
      return arithmetic.Max(x, arithmetic.Constant(0));
    case FusedActivationFunc::RELU1:
      return Clamp(arithmetic, x, -1, 1);
    case FusedActivationFunc::RELU6:
      return Clamp(arithmetic, x, 0, 6);
  }
  return x;
}

/// The activation that the INT32 input `slot` asks for; checked by ActivationConstraint.
inline FusedActivationFunc ActivationOf(const OperationContext& context, int slot) {
  return static_cast<FusedActivationFunc>(context.Int32(slot));
}

/// The constraint that the INT32 input `kSlot` is an activation, labelled `label`.
template <int kSlot>
Constraint ActivationConstraint(std::string_view label) {
  return {label, "activation is 0, 1, 2 or 3", {}, {kSlot}, [](const OperationContext& context) {
            return context.Int32(kSlot) >= 0 && context.Int32(kSlot) <= 3;
          }};
}

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

/// Walks over the elements of an output that two inputs broadcast to, calling visit(output_index,
/// a_index, b_index) in row-major order.
template <class Visitor>
void ForEachBroadcast(const Shape& a, const Shape& b, const Shape& output, Visitor visit) {
  ForEachBroadcastRow(a, b, output, [&](const BroadcastRow& row) {
    for (size_t i = 0; i < row.count; ++i) {
      visit(row.first + i, row.a + i * row.a_step, row.b + i * row.b_step);
    }
  });
}

/// Sets output 0 to function(arithmetic, element) for each element of input 0.
template <class A, class F>
absl::Status MapElements(const A& arithmetic, KernelContext<A>& context, F function) {
  const auto input = context.Input(0);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  for (size_t i = 0; i < input.size; ++i) (*output)[i] = function(arithmetic, input[i]);
  return absl::OkStatus();
}

/// Sets output 0 to function(arithmetic, a, b) over inputs 0 and 1, broadcast.
template <class A, class F>
absl::Status MapBroadcast(const A& arithmetic, KernelContext<A>& context, F function) {
  const auto a = context.Input(0);
  const auto b = context.Input(1);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  if (a.dimensions == b.dimensions) {
    for (size_t i = 0; i < a.size; ++i) (*output)[i] = function(arithmetic, a[i], b[i]);
    return absl::OkStatus();
  }
  ForEachBroadcast(a.dimensions, b.dimensions, output->dimensions,
                   [&](size_t i, size_t a_index, size_t b_index) {
                     (*output)[i] = function(arithmetic, a[a_index], b[b_index]);
                   });
  return absl::OkStatus();
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_ELEMENTWISE_H_
