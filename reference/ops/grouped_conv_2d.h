// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where GROUPED_CONV_2D takes its operands.

#ifndef NNCERT_REFERENCE_OPS_GROUPED_CONV_2D_H_
#define NNCERT_REFERENCE_OPS_GROUPED_CONV_2D_H_

#include "reference/ops/common/convolution.h"
#include "reference/ops/common/image.h"

namespace nncert::grouped_conv_2d {

/// The inputs of GROUPED_CONV_2D by slot.
enum Slot : int {
  kInput,
  kFilter,
  kBias,
  kPaddingLeft,
  kPaddingRight,
  kPaddingTop,
  kPaddingBottom,
  kPaddingScheme,
  kStrideWidth,
  kStrideHeight,
  kGroups,
  kActivation,
  kLayout
};

/// The slots of the window and of what is done with its sums.
inline constexpr ConvolutionSlots kSlots = {.window = {.input = kInput,
                                                       .filter = kFilter,
                                                       .padding_left = kPaddingLeft,
                                                       .padding_right = kPaddingRight,
                                                       .padding_top = kPaddingTop,
                                                       .padding_bottom = kPaddingBottom,
                                                       .padding_scheme = kPaddingScheme,
                                                       .stride_width = kStrideWidth,
                                                       .stride_height = kStrideHeight,
                                                       .layout = kLayout},
                                            .bias = kBias,
                                            .activation = kActivation};

}  // namespace nncert::grouped_conv_2d

#endif  // NNCERT_REFERENCE_OPS_GROUPED_CONV_2D_H_
