// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Arithmetic on two broadcast tensors, and functions of one, by the hot kernels.

#ifndef NNCERT_REFERENCE_OPS_FAST_ELEMENTWISE_H_
#define NNCERT_REFERENCE_OPS_FAST_ELEMENTWISE_H_

#include "reference/hot/kernels.h"
#include "reference/kernel.h"
#include "reference/ops/elementwise.h"

namespace nncert {

/// Sets output 0 to activation(a op b) for inputs 0 and 1, broadcast.
template <class T>
absl::Status CombineReals(hot::BinaryOperation operation, FusedActivationFunc activation,
                          KernelContext<RealArithmetic<T>>& context);

/// The same for balls.
absl::Status CombineBalls(hot::BinaryOperation operation, FusedActivationFunc activation,
                          const BallArithmetic& arithmetic, KernelContext<BallArithmetic>& context);

/// The same on TENSOR_QUANT8_ASYMM elements, rounded once. Declines other types, and division.
absl::Status CombineIntegers(hot::BinaryOperation operation, FusedActivationFunc activation,
                             IntegerContext& context);

/// Sets output 0 to function(count, elements of input 0, result).
absl::Status MapFloats(void (*function)(size_t count, const float* x, float* result),
                       KernelContext<FloatArithmetic>& context);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_FAST_ELEMENTWISE_H_
