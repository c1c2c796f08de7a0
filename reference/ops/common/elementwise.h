// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What element-wise operations share: fused activations and broadcasting.

#ifndef NNCERT_REFERENCE_OPS_COMMON_ELEMENTWISE_H_
#define NNCERT_REFERENCE_OPS_COMMON_ELEMENTWISE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "hal/v1_2/types.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
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

/// The constraint that the INT32 input `kSlot` is an activation.
template <int kSlot>
Constraint ActivationConstraint() {
  return Constraint("activation is 0, 1, 2 or 3", {.values = {kSlot}},
                    [](const OperationContext& context) {
                      return context.Int32(kSlot) >= 0 && context.Int32(kSlot) <= 3;
                    });
}

/// Where the element of a tensor of `shape` is that belongs to element `index` of an output of the
/// dimensions `output`, which it is broadcast to: aligned at the innermost, and repeated along
/// dimensions of 1.
inline size_t BroadcastIndex(const Shape& shape, const Shape& output, size_t index) {
  size_t result = 0;
  size_t stride = 1;
  for (size_t i = 1; i <= shape.size(); ++i) {
    const size_t dimension = shape[shape.size() - i];
    const size_t place = index % output[output.size() - i];
    index /= output[output.size() - i];
    if (dimension != 1) result += place * stride;
    stride *= dimension;
  }
  return result;
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

/// Sets output 0 to function(arithmetic, x, y) over the elements of `a` and `b`, broadcast.
template <class A, class F>
absl::Status MapBroadcast(const A& arithmetic, KernelContext<A>& context,
                          const TensorView<const typename A::Number>& a,
                          const TensorView<const typename A::Number>& b, F function) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  if (a.dimensions == b.dimensions) {
    for (size_t i = 0; i < a.size; ++i) (*output)[i] = function(arithmetic, a[i], b[i]);
    return absl::OkStatus();
  }
  for (size_t i = 0; i < output->size; ++i) {
    (*output)[i] = function(arithmetic, a[BroadcastIndex(a.dimensions, output->dimensions, i)],
                            b[BroadcastIndex(b.dimensions, output->dimensions, i)]);
  }
  return absl::OkStatus();
}

/// Sets output 0 to function(arithmetic, x, y) over inputs 0 and 1, broadcast.
template <class A, class F>
absl::Status MapBroadcast(const A& arithmetic, KernelContext<A>& context, F function) {
  return MapBroadcast(arithmetic, context, context.Input(0), context.Input(1), function);
}

// ---- Recipes ----

/// Settles the activation in `slot`. What comes of numbers in `range`, or, half of the time,
/// `range` itself: a quantized output that holds just what the activation lets through does not
/// show whether it was applied.
inline ValueRange ChooseActivation(OperandChooser& choose, int slot, ValueRange range) {
  const auto activation = static_cast<FusedActivationFunc>(choose.Between(0, 3));
  choose.SetInt32(slot, static_cast<int64_t>(activation));
  if (choose.OneIn(2)) return range;
  const DoubleArithmetic arithmetic;
  return {Activate(arithmetic, activation, range.lowest),
          Activate(arithmetic, activation, range.highest)};
}

/// What function(arithmetic, x) makes of numbers in `range`, as far as some of them tell, zero
/// among them.
template <class F>
ValueRange RangeOfFunction(F function, ValueRange range) {
  const DoubleArithmetic arithmetic;
  constexpr int kSteps = 16;
  const auto at = [&](double x) {
    const double y = function(arithmetic, x);
    return ValueRange{y, y};
  };
  ValueRange results = at(range.lowest);
  for (int i = 1; i <= kSteps; ++i) {
    results = results.HullWith(at(range.lowest + (range.highest - range.lowest) * i / kSteps));
  }
  return range.lowest < 0 && range.highest > 0 ? results.HullWith(at(0)) : results;
}

/// What function(arithmetic, x, y) makes of numbers in `a` and `b`, as far as the ends tell.
template <class F>
ValueRange RangeOfFunction(F function, ValueRange a, ValueRange b) {
  const auto with = [&](double y) {
    return RangeOfFunction(
        [&](const auto& arithmetic, double x) { return function(arithmetic, x, y); }, a);
  };
  return with(b.lowest).HullWith(with(b.highest));
}

/// The recipe of an operation that is function(arithmetic, x) of each element of its input.
template <class F>
void ChooseMapped(OperandChooser& choose) {
  ChooseAlike(choose);
  choose.SetOutputRange(0, RangeOfFunction(F{}, choose.SettledRange(0)));
}

/// The recipe of an operation that is function(arithmetic, x, y) of inputs 0 and 1, broadcast, with
/// an activation in slot 2 if `kIsActivated`.
template <class F, bool kIsActivated = false>
void ChooseMappedBroadcast(OperandChooser& choose) {
  ChooseBroadcast(choose);
  if (choose.wants_alike() && !choose.IsGiven(0) && !choose.IsGiven(1)) {
    // What may be both operands.
    const ValueRange both = {std::max(choose.Range(0).lowest, choose.Range(1).lowest),
                             std::min(choose.Range(0).highest, choose.Range(1).highest)};
    if (both.lowest < both.highest) {
      choose.SetRange(0, both);
      choose.SetRange(1, both);
    }
  }
  // One after the other: compilers evaluate arguments in different orders, and a seed is to choose
  // the same with each.
  const ValueRange of_second = choose.SettledRange(1);
  const ValueRange of_first = choose.SettledRange(0);
  ValueRange range = RangeOfFunction(F{}, of_first, of_second);
  if constexpr (kIsActivated) range = ChooseActivation(choose, 2, range);
  choose.SetOutputRange(0, range);
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_ELEMENTWISE_H_
