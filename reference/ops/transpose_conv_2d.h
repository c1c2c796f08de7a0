// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where TRANSPOSE_CONV_2D takes its operands, and the window that they make.

#ifndef NNCERT_REFERENCE_OPS_TRANSPOSE_CONV_2D_H_
#define NNCERT_REFERENCE_OPS_TRANSPOSE_CONV_2D_H_

#include "reference/ops/common/convolution.h"
#include "reference/ops/common/image.h"

namespace nncert::transpose_conv_2d {

/// The inputs of TRANSPOSE_CONV_2D by slot.
enum Slot : int {
  kInput,
  kFilter,
  kBias,
  kPaddingLeft,
  kPaddingRight,
  kPaddingTop,
  kPaddingBottom,
  kOutputShape,
  kPaddingScheme,
  kStrideWidth,
  kStrideHeight,
  kActivation,
  kLayout
};

/// The input images and the filter, and what is done with the sums. The window itself slides over
/// the output.
inline constexpr ConvolutionSlots kSlots = {.window = {.input = kInput,
                                                       .filter = kFilter,
                                                       .padding_scheme = kPaddingScheme,
                                                       .stride_width = kStrideWidth,
                                                       .stride_height = kStrideHeight,
                                                       .layout = kLayout},
                                            .bias = kBias,
                                            .activation = kActivation};

/// The window of the convolution whose transpose this is: `image` is the output here, and the
/// window takes one position for each pixel of the input. Strides must be above 0, outputShape
/// valid.
Window WindowOverOutput(const OperationContext& context);

}  // namespace nncert::transpose_conv_2d

#endif  // NNCERT_REFERENCE_OPS_TRANSPOSE_CONV_2D_H_
