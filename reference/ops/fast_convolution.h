// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Convolutions by the hot kernels: on real numbers, and on the integers of quantized operands.

#ifndef NNCERT_REFERENCE_OPS_FAST_CONVOLUTION_H_
#define NNCERT_REFERENCE_OPS_FAST_CONVOLUTION_H_

#include "reference/kernel.h"
#include "reference/ops/image.h"

namespace nncert {

/// The input slots of a convolution.
struct ConvolutionSlots {
  WindowSlots window;
  int bias;
  int activation;
};

/// CONV_2D with a filter of [depthOut, filterHeight, filterWidth, depthIn] on numbers of type T,
/// float or double.
template <class T>
absl::Status ConvolveReals(const ConvolutionSlots& slots,
                           KernelContext<RealArithmetic<T>>& context);

/// The same on the elements of quantized operands: sums are exact, and the output is rounded once.
/// Declines filters of more than hot::kLargestIntegerDepth taps.
absl::Status ConvolveIntegers(const ConvolutionSlots& slots, IntegerContext& context);

/// The same on balls. Declines images that are not finite or of extreme sizes, and filters that are
/// not exact.
absl::Status ConvolveBalls(const ConvolutionSlots& slots, const BallArithmetic& arithmetic,
                           KernelContext<BallArithmetic>& context);

/// DEPTHWISE_CONV_2D with a filter of [1, filterHeight, filterWidth, depthOut].
template <class T>
absl::Status ConvolveDepthwiseReals(const ConvolutionSlots& slots,
                                    KernelContext<RealArithmetic<T>>& context);

/// The same on the elements of quantized operands. Declines filters of more than 256 taps, whose
/// sums no float may hold.
absl::Status ConvolveDepthwiseIntegers(const ConvolutionSlots& slots, IntegerContext& context);

/// The same on balls, as ConvolveBalls.
absl::Status ConvolveDepthwiseBalls(const ConvolutionSlots& slots, const BallArithmetic& arithmetic,
                                    KernelContext<BallArithmetic>& context);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_FAST_CONVOLUTION_H_
