// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/xnnpack/sliding.h"

#include <algorithm>

#include "drivers/xnnpack/rules.h"

namespace nncert::xnnpack {
namespace {

Padding PaddingOf(int32_t scheme) {
  const bool is_known = scheme >= 0 && scheme <= static_cast<int32_t>(Padding::VALID);
  return is_known ? static_cast<Padding>(scheme) : Padding::UNKNOWN;
}

absl::Status CompleteAxis(Padding padding, Sliding& axis) {
  if (axis.window < 1) return Refuse("a window has no pixels");
  if (axis.stride < 1 || axis.dilation < 1) return Refuse("a stride or a dilation is below 1");
  if (axis.before < 0 || axis.after < 0) return Refuse("a padding is negative");
  if (padding == Padding::SAME) axis.PadToSame();
  return absl::OkStatus();
}

}  // namespace

void Sliding::PadToSame() {
  const int64_t wanted = (image + stride - 1) / stride;
  const int64_t total = std::max<int64_t>(0, (wanted - 1) * stride + extent() - image);
  before = total / 2;
  after = total - before;
}

int64_t Sliding::output() const {
  const int64_t free = image + before + after - extent();
  return free < 0 ? 0 : free / stride + 1;
}

Padding OperandReader::ReadPaddingsAndStrides(bool is_implicit, Windows& windows) {
  Padding padding = Padding::EXPLICIT;
  if (is_implicit) {
    padding = PaddingOf(integer());
  } else {
    windows.width.before = integer();
    windows.width.after = integer();
    windows.height.before = integer();
    windows.height.after = integer();
  }
  windows.width.stride = integer();
  windows.height.stride = integer();
  return padding;
}

void OperandReader::ReadDilations(Windows& windows) {
  if (atEnd()) return;
  windows.width.dilation = integer();
  windows.height.dilation = integer();
}

absl::Status Complete(const OperationView& op, Padding padding, Windows& windows) {
  if (!op.status().ok()) return op.status();
  if (padding == Padding::UNKNOWN) return Refuse("the padding scheme is unknown");
  if (absl::Status status = CompleteAxis(padding, windows.height); !status.ok()) return status;
  return CompleteAxis(padding, windows.width);
}

}  // namespace nncert::xnnpack
