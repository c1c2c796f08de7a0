// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// GROUPED_CONV_2D as products of matrices, group by group.

#include "reference/ops/grouped_conv_2d.h"

#include "reference/fast/window_products.h"
#include "reference/fast_kernel.h"
#include "reference/ops/common/weights.h"

namespace nncert {
namespace {

using enum grouped_conv_2d::Slot;
using grouped_conv_2d::kSlots;

template <class A>
absl::Status Convolve(const A& arithmetic, FastContext<A>& context) {
  using Number = typename A::Number;
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const Window window = WindowOf(operation, kSlots.window);
  const ImageSizes images = InputImagesOf(operation, kSlots.window);
  const ImageSizes results = ImageSizesOf(output->dimensions, images.is_nchw);
  const auto input = context.Input(kInput);
  const auto filter = context.Input(kFilter);
  const Number* bias = LoadBias(arithmetic, context, kInput, kFilter, kBias);
  const FusedActivationFunc activation = ActivationOf(operation, kActivation);

  const auto groups = static_cast<size_t>(operation.Int32(kGroups));
  ImageSizes group = images;  // the channels of one group alone, in NHWC order
  group.depth = images.depth / groups;
  group.is_nchw = false;
  const size_t filters = results.depth / groups;
  const size_t terms = filter.size / results.depth;
  Number* elements = context.Scratch(group.Pixels() * group.depth);
  WindowProducts<A> products(arithmetic);
  for (size_t g = 0; g < groups; ++g) {
    for (size_t pixel = 0; pixel < images.Pixels(); ++pixel) {
      const Number* from =
          input.data + images.PixelOffset(pixel) + g * group.depth * images.ChannelStride();
      Number* to = elements + pixel * group.depth;
      for (size_t k = 0; k < group.depth; ++k) to[k] = from[k * images.ChannelStride()];
    }
    const size_t first = g * filters;  // of the output channels of this group
    products(window, group, elements, filter.data + first * terms, filters,
             [&](size_t position, const Number* sums) {
               AddBiasAndActivate(
                   arithmetic, activation, filters, terms, sums, bias + first,
                   output->data + results.PixelOffset(position) + first * results.ChannelStride(),
                   results.ChannelStride());
             });
  }
  return absl::OkStatus();
}

}  // namespace

NNCERT_FAST_KERNEL(GROUPED_CONV_2D, {.with_float = Convolve<FloatArithmetic>,
                                     .with_double = Convolve<DoubleArithmetic>,
                                     .with_ball = Convolve<BallArithmetic>});

}  // namespace nncert
