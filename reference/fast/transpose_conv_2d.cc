// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// TRANSPOSE_CONV_2D as convolutions of the input, one for each place that an output pixel may have
// between the input pixels that are a stride apart.

#include "reference/ops/transpose_conv_2d.h"

#include <algorithm>

#include "reference/fast/window_products.h"
#include "reference/fast_kernel.h"
#include "reference/ops/common/weights.h"

namespace nncert {
namespace {

using enum transpose_conv_2d::Slot;

// Along one axis, the output elements `first`, `first` + stride, ... Each is a sum over the same
// taps of the filter, which are a stride apart: they are a convolution of the input without stride.
struct Phase {
  int64_t first = 0;
  int64_t tap = 0;    // the first of the taps
  WindowAxis window;  // over the input; the taps count backwards
};

Phase PhaseFrom(int64_t first, const WindowAxis& axis, size_t positions) {
  Phase phase;
  phase.first = first;
  phase.tap = (first + axis.padding_head) % axis.stride;
  WindowAxis& window = phase.window;
  window.image = static_cast<int64_t>(positions);
  window.filter = phase.tap < axis.filter ? (axis.filter - 1 - phase.tap) / axis.stride + 1 : 0;
  // The first tap multiplies the input element whose place in the output it is; later taps multiply
  // earlier elements.
  window.padding_head = window.filter - 1 - (first + axis.padding_head) / axis.stride;
  const int64_t count = (axis.image - 1 - first) / axis.stride + 1;
  window.padding_tail = count - 1 - window.image - window.padding_head + window.Span();
  return phase;
}

// The number of phases along an axis: each element of the output belongs to one.
int64_t PhasesOf(const WindowAxis& axis) { return std::min(axis.stride, axis.image); }

template <class A>
absl::Status Convolve(const A& arithmetic, FastContext<A>& context) {
  using Number = typename A::Number;
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const ImageSizes images = InputImagesOf(operation, transpose_conv_2d::kSlots.window);
  const ImageSizes results = ImageSizesOf(output->dimensions, images.is_nchw);
  const Window window = transpose_conv_2d::WindowOverOutput(operation);
  ImageSizes nhwc = images;
  nhwc.is_nchw = false;
  const Number* elements = NhwcElements(context, kInput, images);
  const auto filter = context.Input(kFilter);
  const Number* bias = LoadBias(arithmetic, context, kInput, kFilter, kBias);
  const FusedActivationFunc activation = ActivationOf(operation, kActivation);

  const int64_t filter_height = window.vertical.filter;
  const int64_t filter_width = window.horizontal.filter;
  WindowProducts<A> products(arithmetic);
  Number* taps = context.Scratch(filter.size);
  for (int64_t top = 0; top < PhasesOf(window.vertical); ++top) {
    const Phase y = PhaseFrom(top, window.vertical, images.height);
    for (int64_t left = 0; left < PhasesOf(window.horizontal); ++left) {
      const Phase x = PhaseFrom(left, window.horizontal, images.width);
      // The taps of this phase, backwards.
      Number* to = taps;
      for (size_t c = 0; c < results.depth; ++c) {
        for (int64_t i = y.window.filter - 1; i >= 0; --i) {
          for (int64_t j = x.window.filter - 1; j >= 0; --j) {
            const int64_t row = y.tap + i * window.vertical.stride;
            const int64_t column = x.tap + j * window.horizontal.stride;
            const size_t tap =
                (c * filter_height + row) * static_cast<size_t>(filter_width) + column;
            to = std::copy_n(filter.data + tap * images.depth, images.depth, to);
          }
        }
      }
      const auto down = static_cast<size_t>(y.window.Positions());
      const auto across = static_cast<size_t>(x.window.Positions());
      const size_t terms = static_cast<size_t>(y.window.filter * x.window.filter) * images.depth;
      products({y.window, x.window}, nhwc, elements, taps, results.depth,
               [&](size_t position, const Number* sums) {
                 const size_t batch = position / across / down;
                 const size_t row = y.first + position / across % down * window.vertical.stride;
                 const size_t column = x.first + position % across * window.horizontal.stride;
                 const size_t pixel = (batch * results.height + row) * results.width + column;
                 AddBiasAndActivate(arithmetic, activation, results.depth, terms, sums, bias,
                                    output->data + results.PixelOffset(pixel),
                                    results.ChannelStride());
               });
    }
  }
  return absl::OkStatus();
}

}  // namespace

NNCERT_FAST_KERNEL(TRANSPOSE_CONV_2D, {.with_float = Convolve<FloatArithmetic>,
                                       .with_double = Convolve<DoubleArithmetic>,
                                       .with_ball = Convolve<BallArithmetic>});

}  // namespace nncert
