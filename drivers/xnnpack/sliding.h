// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Windows that move over images: their paddings and strides as the HAL's operations give them.

#ifndef NNCERT_DRIVERS_XNNPACK_SLIDING_H_
#define NNCERT_DRIVERS_XNNPACK_SLIDING_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "drivers/xnnpack/operation_view.h"

namespace nncert::xnnpack {

/// A window along one axis of an image, in pixels.
struct Sliding {
  int64_t image = 0;
  int64_t window = 0;
  int64_t stride = 1;
  int64_t dilation = 1;
  /// The padding at both ends. In a transposed convolution what is cut off of the output; `after`
  /// may then be negative.
  int64_t before = 0;
  int64_t after = 0;

  /// From the first pixel of a window to the last.
  int64_t extent() const { return (window - 1) * dilation + 1; }

  /// Pads as little as gives ceil(image / stride) outputs, the smaller half before.
  void PadToSame();

  /// The number of windows that fit; 0 when none does.
  int64_t output() const;
};

/// The windows along both axes.
struct Windows {
  Sliding height;
  Sliding width;
};

/// How paddings are given: by their sizes, or by one of the HAL's schemes. NONE pads as VALID does.
enum class Padding { NONE = 0, SAME = 1, VALID = 2, EXPLICIT, UNKNOWN };

/// Reads operands of an operation one after the other.
class OperandReader {
 public:
  OperandReader(OperationView& op, size_t next) : op_(op), next_(next) {}

  int32_t integer() { return op_.integer(next_++); }
  bool flag() { return op_.flag(next_++); }
  bool atEnd() const { return next_ >= op_.inputCount(); }

  /// Reads the paddings (left, right, top, bottom), or the scheme when `is_implicit`, and the
  /// strides (width, height) into `windows`. Returns how the paddings are given.
  Padding ReadPaddingsAndStrides(bool is_implicit, Windows& windows);

  /// Reads the layout, if there is one more operand. Returns whether it is NCHW.
  bool ReadLayout() { return !atEnd() && flag(); }

  /// Reads the dilations (width, height), if there are more operands.
  void ReadDilations(Windows& windows);

 private:
  OperationView& op_;
  size_t next_;
};

/// Checks what has been read of the windows and finds the paddings of `padding`, which depend on
/// the images and the windows. Refuses strides and dilations below 1, and paddings below 0.
absl::Status Complete(const OperationView& op, Padding padding, Windows& windows);

}  // namespace nncert::xnnpack

#endif  // NNCERT_DRIVERS_XNNPACK_SLIDING_H_
