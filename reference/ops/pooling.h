// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where the poolings take their operands.

#ifndef NNCERT_REFERENCE_OPS_POOLING_H_
#define NNCERT_REFERENCE_OPS_POOLING_H_

#include "reference/ops/common/image.h"

namespace nncert::pooling {

/// The inputs of a pooling by slot.
enum Slot : int {
  kInput,
  kPaddingLeft,
  kPaddingRight,
  kPaddingTop,
  kPaddingBottom,
  kPaddingScheme,
  kStrideWidth,
  kStrideHeight,
  kFilterWidth,
  kFilterHeight,
  kActivation,
  kLayout
};

/// The slots of the window.
inline constexpr WindowSlots kWindow = {.input = kInput,
                                        .filter_width = kFilterWidth,
                                        .filter_height = kFilterHeight,
                                        .padding_left = kPaddingLeft,
                                        .padding_right = kPaddingRight,
                                        .padding_top = kPaddingTop,
                                        .padding_bottom = kPaddingBottom,
                                        .padding_scheme = kPaddingScheme,
                                        .stride_width = kStrideWidth,
                                        .stride_height = kStrideHeight,
                                        .layout = kLayout};

}  // namespace nncert::pooling

#endif  // NNCERT_REFERENCE_OPS_POOLING_H_
