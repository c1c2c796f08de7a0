// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What convolutions share: the operands and constraints of images, filters and biases.
//
// Rules: types.hal 1.2, CONV_2D, DEPTHWISE_CONV_2D, GROUPED_CONV_2D and TRANSPOSE_CONV_2D.

#ifndef NNCERT_REFERENCE_OPS_COMMON_CONVOLUTION_H_
#define NNCERT_REFERENCE_OPS_COMMON_CONVOLUTION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reference/operation_definition.h"
#include "reference/ops/common/image.h"
#include "reference/ops/common/weights.h"

namespace nncert {

/// The input slots of a convolution.
struct ConvolutionSlots {
  WindowSlots window;
  int bias;
  int activation;
};

// ---- Operand rules ----

/// The rule of the images that a convolution reads.
inline OperandRule ConvolutionInput() {
  return FloatOrQuantizedTensor("input").Ranks({4}).Describe(
      "The images, [batches, height, width, depthIn] or, for NCHW, [batches, depthIn, height, "
      "width].");
}

/// The rule of a filter of `dimensions`, which may have a scale for each index of dimension
/// `channel_dimension`.
inline OperandRule ConvolutionFilter(int input_slot, std::string_view dimensions,
                                     int channel_dimension) {
  return FilterTensor(input_slot)
      .Values(Uniform(-1, 1))
      .Describe(absl::StrCat("The weights, ", std::string(dimensions),
                             " in either layout. One with a scale for each channel has channelDim ",
                             channel_dimension, "."));
}

/// The rule of the images that a convolution gives, with `depth` channels.
inline OperandRule ConvolutionOutput(int input_slot, std::string_view depth) {
  const std::string channels(depth);
  return Tensor("output")
      .TypeLike(input_slot)
      .Ranks({4})
      .Describe(absl::StrCat("[batches, outputHeight, outputWidth, ", channels,
                             "] or, for NCHW, [batches, ", channels,
                             ", outputHeight, outputWidth]."));
}

// ---- Constraints and shapes ----

/// The last dimension of the filter is the depth of the input, or of one of as many groups of its
/// channels as the INT32 slot `kGroups` says, where that is above 0; -1 for no such slot.
template <WindowSlots kSlots, int kGroups = -1>
Constraint FilterDepthConstraint() {
  constexpr bool kHasGroups = kGroups >= 0;
  return Constraint(kHasGroups
                        ? "the last dimension of the filter * groups is the depth of the input"
                        : "the last dimension of the filter is the depth of the input",
                    {.shapes = {kSlots.input, kSlots.filter},
                     .values = kHasGroups ? std::vector<int>{kGroups, kSlots.layout}
                                          : std::vector<int>{kSlots.layout}},
                    [](const OperationContext& context) {
                      const int64_t groups = kHasGroups ? context.Int32(kGroups) : 1;
                      const auto depth = static_cast<int64_t>(InputImagesOf(context, kSlots).depth);
                      // ImagesConstraint judges images without channels.
                      return groups <= 0 || depth == 0 ||
                             context.Input(kSlots.filter).dimensions[3] * groups == depth;
                    });
}

/// The shape of the output of a convolution: a pixel for each position of the window, of as many
/// channels as dimension `kDimension` of the filter says.
template <WindowSlots kSlots, int kDimension>
absl::Status ConvolutionShape(const OperationContext& context, std::vector<Shape>& outputs) {
  absl::StatusOr<Shape> shape =
      WindowedShape(context, kSlots, context.Input(kSlots.filter).dimensions[kDimension]);
  if (!shape.ok()) return shape.status();
  outputs[0] = *std::move(shape);
  return absl::OkStatus();
}

/// The products of a convolution: those of all weights of an output channel for each output
/// element. There are as many channels as dimension `kDimension` of the filter says.
template <int kFilter, int kDimension>
double ConvolutionSteps(const OperationContext& context) {
  const OperandInfo& filter = context.Input(kFilter);
  return ElementCount(context.Output(0)) * ElementCount(filter) / filter.dimensions[kDimension];
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_CONVOLUTION_H_
