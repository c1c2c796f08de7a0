// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Poolings of images by the hot kernels.

#ifndef NNCERT_REFERENCE_OPS_FAST_POOLING_H_
#define NNCERT_REFERENCE_OPS_FAST_POOLING_H_

#include "reference/kernel.h"
#include "reference/ops/image.h"

namespace nncert {

/// What a window is summarized as; kNone stands for what the hot kernels have no function for, and
/// must not be given to the functions below.
enum class FastPooling { kNone, kMean, kGreatest };

/// Sets output 0 to the activated summaries of the windows that the slots describe.
absl::Status PoolFloats(FastPooling pooling, const WindowSlots& slots, int activation_slot,
                        KernelContext<FloatArithmetic>& context);

/// The same on TENSOR_QUANT8_ASYMM elements: sums are exact, and the output, which has the
/// quantization of the input, is rounded once. Declines other types, and windows whose sums no
/// float may hold.
absl::Status PoolIntegers(FastPooling pooling, const WindowSlots& slots, int activation_slot,
                          IntegerContext& context);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_FAST_POOLING_H_
