// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Which dimension of a batch of images is which: what operations share that only move pixels.

#ifndef NNCERT_REFERENCE_OPS_COMMON_IMAGE_AXES_H_
#define NNCERT_REFERENCE_OPS_COMMON_IMAGE_AXES_H_

#include <cstddef>

namespace nncert {

/// The axes of a tensor of rank 4 that holds a batch of images; the batch is axis 0.
struct ImageAxes {
  size_t height = 1;
  size_t width = 2;
  size_t depth = 3;
};

/// The axes of [batches, height, width, depth] (NHWC), or of [batches, depth, height, width]
/// (NCHW).
constexpr ImageAxes ImageAxesOf(bool is_nchw) {
  return is_nchw ? ImageAxes{.height = 2, .width = 3, .depth = 1} : ImageAxes{};
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_IMAGE_AXES_H_
