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

/// Walks over the elements of an output that two inputs broadcast to, calling visit(output_index,
/// a_index, b_index) in row-major order.
template <class Visitor>
void ForEachBroadcast(const Shape& a, const Shape& b, const Shape& output, Visitor visit) {
  const size_t rank = output.size();
  // The step in each input for one step along each dimension of the output; 0 where the input is
  // repeated.
  absl::InlinedVector<size_t, 5> a_strides(rank, 0);
  absl::InlinedVector<size_t, 5> b_strides(rank, 0);
  const auto fill = [rank](const Shape& shape, absl::InlinedVector<size_t, 5>& strides) {
    size_t stride = 1;
    for (size_t i = 0; i < shape.size(); ++i) {
      const uint32_t dimension = shape[shape.size() - 1 - i];
      strides[rank - 1 - i] = dimension == 1 ? 0 : stride;
      stride *= dimension;
    }
  };
  fill(a, a_strides);
  fill(b, b_strides);
  const size_t count = NumberOfElements(output);
  if (count == 0) return;
  // The innermost dimension is a loop of its own, of two constant steps.
  const size_t row = rank == 0 ? 1 : output[rank - 1];
  const size_t a_step = rank == 0 ? 0 : a_strides[rank - 1];
  const size_t b_step = rank == 0 ? 0 : b_strides[rank - 1];
  absl::InlinedVector<uint32_t, 5> index(rank, 0);
  size_t a_index = 0;
  size_t b_index = 0;
  for (size_t i = 0; i < count; i += row) {
    for (size_t k = 0; k < row; ++k) visit(i + k, a_index + k * a_step, b_index + k * b_step);
    for (size_t d = rank == 0 ? 0 : rank - 1; d-- > 0;) {
      a_index += a_strides[d];
      b_index += b_strides[d];
      if (++index[d] < output[d]) break;
      index[d] = 0;
      a_index -= a_strides[d] * output[d];
      b_index -= b_strides[d] * output[d];
    }
  }
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
