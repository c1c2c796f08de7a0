// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The depthwise ones of fast_convolution.h.

#include <algorithm>
#include <limits>
#include <new>
#include <type_traits>

#include "reference/memory.h"
#include "reference/ops/ball_products.h"
#include "reference/ops/fast_convolution.h"
#include "reference/ops/packed_weights.h"
#include "reference/ops/weights.h"
#include "reference/ops/window_geometry.h"

namespace nncert {
namespace {

// Where a depthwise filter is at positions of one row of the output: the same taps are inside of
// the images at all of them.
template <class T>
struct TapRun {
  size_t first;                  // position in the whole output
  size_t count;                  // positions
  std::vector<const T*> pixels;  // under each tap at the first position
  std::vector<const T*> weights;
};

// Rows of images, counted over all batches: those from `first` on, `channels` numbers a pixel.
template <class T>
struct ImageRows {
  const T* elements;
  size_t channels;
  size_t first = 0;
};

// Calls visit(run) for runs that make up row `row` of the output, counted over all batches.
// `filter` has as many numbers for each tap as a pixel has.
template <class T, class Visitor>
void ForTapRuns(const WindowGeometry& geometry, const std::vector<WindowTaps>& across,
                const ImageRows<T>& rows, const T* filter, size_t row, TapRun<T>& run,
                Visitor visit) {
  const size_t channels = rows.channels;
  const Window& window = geometry.window;
  const ImageSizes& images = geometry.images;
  const size_t width = geometry.results.width;
  const size_t batch = row / geometry.results.height;
  const WindowTaps down =
      window.vertical.TapsAt(static_cast<int64_t>(row % geometry.results.height));
  for (size_t x = 0; x < width; x += run.count) {
    const WindowTaps& taps = across[x];
    run.first = row * width + x;
    run.count = 1;
    while (x + run.count < width && across[x + run.count].first == taps.first &&
           across[x + run.count].end == taps.end) {
      ++run.count;
    }
    run.pixels.clear();
    run.weights.clear();
    for (int64_t i = down.first; i < down.end; ++i) {
      const size_t image_row =
          batch * images.height + down.image + (i - down.first) * window.vertical.dilation;
      for (int64_t j = taps.first; j < taps.end; ++j) {
        const size_t column = taps.image + (j - taps.first) * window.horizontal.dilation;
        const size_t pixel = (image_row - rows.first) * images.width + column;
        run.pixels.push_back(rows.elements + pixel * channels);
        run.weights.push_back(filter + (i * window.horizontal.filter + j) * channels);
      }
    }
    visit(run);
  }
}

// Each channel `multiplier` times, so that each channel of the output has an input of its own.
template <class T>
void RepeatChannels(size_t count, size_t multiplier, const T* elements, T* repeated) {
  for (size_t i = 0; i < count; ++i) repeated = std::fill_n(repeated, multiplier, elements[i]);
}

// Rows of the output that make a piece of work for a thread.
size_t RowsAtATime(const WindowGeometry& geometry) {
  constexpr size_t kProducts = size_t{1} << 18;
  const size_t products = geometry.results.width * geometry.results.depth * geometry.taps;
  return std::max<size_t>(1, kProducts / std::max<size_t>(1, products));
}

// The depthwise product of a run, without its result.
template <class T>
hot::Depthwise<T> DepthwiseOf(const WindowGeometry& geometry, size_t channels,
                              const TapRun<T>& run) {
  return {.positions = run.count,
          .taps = run.pixels.size(),
          .channels = channels,
          .pixels = run.pixels.data(),
          .step = static_cast<size_t>(geometry.window.horizontal.stride) * channels,
          .weights = run.weights.data()};
}

}  // namespace

template <class T>
absl::Status ConvolveDepthwiseReals(const ConvolutionSlots& slots,
                                    KernelContext<RealArithmetic<T>>& context) {
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const WindowGeometry geometry(operation, slots.window);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  const size_t channels = results.depth;
  const T* elements = NhwcElements(context, slots.window.input, images);
  if (channels != images.depth) {
    T* repeated = context.UninitializedScratch(images.Pixels() * channels);
    RepeatChannels(images.Pixels() * images.depth, channels / images.depth, elements, repeated);
    elements = repeated;
  }
  const T* filter = context.Input(slots.window.filter).data;
  const ActivationLimits limits = LimitsOf(ActivationOf(operation, slots.activation));
  const std::vector<WindowTaps> across = geometry.TapsAcross();
  hot::RealDepthwiseResult<T> whole;
  whole.bias =
      LoadBias(RealArithmetic<T>(), context, slots.window.input, slots.window.filter, slots.bias);
  whole.lowest = static_cast<T>(limits.lowest);
  whole.highest = static_cast<T>(limits.highest);
  whole.result = results.is_nchw ? context.UninitializedScratch(output->size) : output->data;
  context.ParallelFor(
      results.batches * results.height, RowsAtATime(geometry), [&](size_t begin, size_t end) {
        TapRun<T> run;
        for (size_t row = begin; row < end; ++row) {
          ForTapRuns(geometry, across, ImageRows<T>{elements, channels}, filter, row, run,
                     [&](const TapRun<T>& taps) {
                       hot::RealDepthwiseResult<T> result = whole;
                       result.result += taps.first * channels;
                       HotKernels<T>().depthwise(DepthwiseOf(geometry, channels, taps), result);
                     });
        }
      });
  if (results.is_nchw) CopyToNchw(results, whole.result, output->data);
  return absl::OkStatus();
}

template absl::Status ConvolveDepthwiseReals(const ConvolutionSlots&,
                                             KernelContext<FloatArithmetic>&);
template absl::Status ConvolveDepthwiseReals(const ConvolutionSlots&,
                                             KernelContext<DoubleArithmetic>&);

namespace {

// The rows of images, counted over all batches, that rows [begin, end) of the output need.
struct RowRange {
  size_t first = 0;
  size_t count = 0;
};

RowRange RowsUnder(const WindowGeometry& geometry, size_t begin, size_t end) {
  size_t first = std::numeric_limits<size_t>::max();
  size_t last = 0;
  for (size_t row = begin; row < end; ++row) {
    const size_t batch = row / geometry.results.height;
    const WindowTaps down =
        geometry.window.vertical.TapsAt(static_cast<int64_t>(row % geometry.results.height));
    if (down.first >= down.end) continue;
    const size_t top = batch * geometry.images.height + down.image;
    first = std::min(first, top);
    last = std::max(last, top + (down.end - down.first - 1) * geometry.window.vertical.dilation);
  }
  return first > last ? RowRange() : RowRange{first, last - first + 1};
}

// What is made of a quantized depthwise filter.
struct IntegerDepthwiseFilter {
  std::vector<float> weights;  // less their zero point
  OutputRequantization requantization;
};

IntegerDepthwiseFilter MakeIntegerDepthwiseFilter(const ConvolutionSlots& slots,
                                                  IntegerContext& context) {
  const OperationContext& operation = context.operation();
  const OperandInfo& info = operation.Input(slots.window.filter);
  const bool is_signed = info.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
  const auto elements = context.Input<uint8_t>(slots.window.filter);
  const size_t channels = info.dimensions[3];
  std::vector<float> weights(elements.size);
  for (size_t i = 0; i < elements.size; ++i) {
    weights[i] = static_cast<float>(is_signed ? static_cast<int8_t>(elements[i])
                                              : elements[i] - info.zeroPoint);
  }
  // Inputs have their zero point subtracted already, so sums of weights make no difference.
  const std::vector<double> no_sums(channels);
  return {std::move(weights),
          OutputRequantization(operation.Input(slots.window.input), info, operation.Output(0),
                               ActivationOf(operation, slots.activation), channels,
                               info.dimensions[1] * info.dimensions[2], no_sums.data(),
                               context.Input<int32_t>(slots.bias).data)};
}

}  // namespace

absl::Status ConvolveDepthwiseIntegers(const ConvolutionSlots& slots, IntegerContext& context) {
  const OperationContext& operation = context.operation();
  const OperandInfo& info = operation.Input(slots.window.input);
  if (info.type != OperandType::TENSOR_QUANT8_ASYMM) return Declined();
  const WindowGeometry geometry(operation, slots.window);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  constexpr size_t kMostTaps = 256;
  if (geometry.taps > kMostTaps) return Declined();
  auto output = context.Output<uint8_t>(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const size_t channels = results.depth;
  const auto& filter = context.FromConstants<IntegerDepthwiseFilter>(
      {slots.window.filter, slots.bias, slots.activation},
      [&]() { return MakeIntegerDepthwiseFilter(slots, context); });
  const uint8_t* bytes = NhwcBytes(context, slots.window.input, images);
  if (channels != images.depth) {
    auto* repeated = context.UninitializedScratch<uint8_t>(images.Pixels() * channels);
    RepeatChannels(images.Pixels() * images.depth, channels / images.depth, bytes, repeated);
    bytes = repeated;
  }
  const std::vector<WindowTaps> across = geometry.TapsAcross();
  hot::IntegerDepthwiseResult whole;
  whole.requantization = filter.requantization.Get();
  whole.result =
      results.is_nchw ? context.UninitializedScratch<uint8_t>(output->size) : output->data;
  const size_t row_size = images.width * channels;
  // Rows of the images that two pieces of work need become floats twice.
  const size_t rows_at_a_time =
      std::max(RowsAtATime(geometry), 2 * static_cast<size_t>(geometry.window.vertical.filter));
  context.ParallelFor(
      results.batches * results.height, rows_at_a_time, [&](size_t begin, size_t end) {
        // Of the images, only what these rows need is held as floats.
        const RowRange range = RowsUnder(geometry, begin, end);
        Buffer room;
        if (!room.Reserve(range.count * row_size * sizeof(float))) throw std::bad_alloc();
        auto* elements = reinterpret_cast<float*>(room.data());
        hot::BestKernels().bytes_to_floats(range.count * row_size, bytes + range.first * row_size,
                                           info.zeroPoint, elements);
        const ImageRows<float> rows = {elements, channels, range.first};
        TapRun<float> run;
        for (size_t row = begin; row < end; ++row) {
          ForTapRuns(geometry, across, rows, filter.weights.data(), row, run,
                     [&](const TapRun<float>& taps) {
                       hot::IntegerDepthwiseResult result = whole;
                       result.result += taps.first * channels;
                       hot::BestKernels().integer_depthwise(DepthwiseOf(geometry, channels, taps),
                                                            result);
                     });
        }
      });
  if (results.is_nchw) CopyToNchw(results, whole.result, output->data);
  return absl::OkStatus();
}

absl::Status ConvolveDepthwiseBalls(const ConvolutionSlots& slots, const BallArithmetic& arithmetic,
                                    KernelContext<BallArithmetic>& context) {
  const OperationContext& operation = context.operation();
  const WindowGeometry geometry(operation, slots.window);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  const size_t channels = results.depth;
  if (geometry.taps > kMostBallTerms) return Declined();
  const auto& filter = context.FromConstants<BallParts>({slots.window.filter}, [&]() {
    return BallParts(geometry.taps * channels, context.Input(slots.window.filter).data,
                     /*needs_exact=*/true);
  });
  if (!filter.is_fast) return Declined();
  hot::BallSums whole;
  const Ball* bias =
      LoadBias(arithmetic, context, slots.window.input, slots.window.filter, slots.bias);
  if (!PrepareBallSums(arithmetic.precision(), ActivationOf(operation, slots.activation), channels,
                       geometry.taps, bias, whole)) {
    return Declined();
  }
  const Ball* elements = NhwcElements(context, slots.window.input, images);
  if (channels != images.depth) {
    Ball* repeated = context.UninitializedScratch(images.Pixels() * channels);
    RepeatChannels(images.Pixels() * images.depth, channels / images.depth, elements, repeated);
    elements = repeated;
  }
  const BallParts parts(images.Pixels() * channels, elements, /*needs_exact=*/false);
  if (!parts.is_fast) return Declined();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const std::vector<WindowTaps> across = geometry.TapsAcross();
  Ball* balls = results.is_nchw ? context.UninitializedScratch(output->size) : output->data;
  // The sums of one row of the output.
  struct RowSums {
    explicit RowSums(size_t count) : midpoints(count), magnitudes(count), spreads(count) {}
    std::vector<double> midpoints;
    std::vector<float> magnitudes;
    std::vector<float> spreads;
  };
  const auto multiply = [&](size_t row, const auto& image, const auto& weights, auto& sums) {
    using T = typename std::decay_t<decltype(image)>::value_type;
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    const std::vector<T> no_bias(channels);
    TapRun<T> run;
    ForTapRuns(geometry, across, ImageRows<T>{image.data(), channels}, weights.data(), row, run,
               [&](const TapRun<T>& taps) {
                 HotKernels<T>().depthwise(
                     DepthwiseOf(geometry, channels, taps),
                     {no_bias.data(), -kInfinity, kInfinity,
                      sums.data() + (taps.first - row * results.width) * channels});
               });
  };
  context.ParallelFor(
      results.batches * results.height, RowsAtATime(geometry), [&](size_t begin, size_t end) {
        RowSums row_sums(results.width * channels);
        for (size_t row = begin; row < end; ++row) {
          multiply(row, parts.midpoints, filter.midpoints, row_sums.midpoints);
          multiply(row, parts.magnitudes, filter.magnitudes, row_sums.magnitudes);
          if (!parts.are_exact) multiply(row, parts.radii, filter.magnitudes, row_sums.spreads);
          hot::BallSums sums = whole;
          sums.rows = results.width;
          sums.midpoints = row_sums.midpoints.data();
          sums.magnitudes = row_sums.magnitudes.data();
          sums.spreads = parts.are_exact ? nullptr : row_sums.spreads.data();
          sums.inflation = InflationOf(geometry.taps);
          sums.terms = static_cast<double>(geometry.taps);
          sums.result = reinterpret_cast<double*>(balls + row * results.width * channels);
          hot::BestKernels().finish_balls(sums);
        }
      });
  if (results.is_nchw) CopyToNchw(results, balls, output->data);
  return absl::OkStatus();
}

}  // namespace nncert
