// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The windows of convolutions and pooling on their images.

#ifndef NNCERT_REFERENCE_CALLS_WINDOWS_H_
#define NNCERT_REFERENCE_CALLS_WINDOWS_H_

#include <cstdint>
#include <optional>

#include "reference/calls/operation_call.h"

namespace nncert {

/// Where the two axes of an image and its channels are among its dimensions.
struct ImageAxes {
  size_t height;
  size_t width;
  size_t channels;
};

/// The axes of the first tensor, by the slot "layout".
ImageAxes AxesOf(const OperationCall& call);

/// How many elements of an image axis the window spans, dilation included; nothing when the
/// operation has no window, or its size is not known.
std::optional<int64_t> WindowExtentOf(const OperationCall& call, bool is_width);

/// How far an image is padded, in pixels.
struct Paddings {
  int32_t left = 0;
  int32_t right = 0;
  int32_t top = 0;
  int32_t bottom = 0;
};

/// The paddings of a convolution or pooling (but not of TRANSPOSE_CONV_2D), explicit or found from
/// the implicit scheme: SAME pads by as little as lets the output have ceil(input / stride)
/// elements, half of it (rounded down) before the image. Nothing for other operations.
std::optional<Paddings> PaddingsOf(const OperationCall& call);

/// Gives such an operation explicit paddings, in place of the ones that it has.
void SetPaddings(OperationCall& call, const Paddings& paddings);

/// Pads the first tensor, an image of rank 4, with elements that stand for `value`. Returns whether
/// it did: not where the result had more than 2^24 elements. The call is then of no use any more.
bool PadImage(OperationCall& call, const Paddings& paddings, double value);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_CALLS_WINDOWS_H_
