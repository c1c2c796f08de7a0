// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The functions that compute an operation, by number system.

#ifndef NNCERT_REFERENCE_KERNEL_FUNCTIONS_H_
#define NNCERT_REFERENCE_KERNEL_FUNCTIONS_H_

#include "absl/status/status.h"

namespace nncert {

// Of reference/number/arithmetic.h and reference/kernel.h, which only those who write kernels need.
template <class T>
class RealArithmetic;
using FloatArithmetic = RealArithmetic<float>;
using DoubleArithmetic = RealArithmetic<double>;
class BallArithmetic;
template <class A>
class KernelContext;
class MoveContext;

/// How an operation is computed. Exactly one of the two ways is set: the three instances of a
/// computing kernel, or the one instance of a moving kernel.
struct Kernel {
  absl::Status (*with_float)(const FloatArithmetic&, KernelContext<FloatArithmetic>&) = nullptr;
  absl::Status (*with_double)(const DoubleArithmetic&, KernelContext<DoubleArithmetic>&) = nullptr;
  absl::Status (*with_ball)(const BallArithmetic&, KernelContext<BallArithmetic>&) = nullptr;
  absl::Status (*move)(MoveContext&) = nullptr;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_KERNEL_FUNCTIONS_H_
