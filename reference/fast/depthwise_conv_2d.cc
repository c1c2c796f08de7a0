// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// DEPTHWISE_CONV_2D by the hot kernels: on real numbers, on the integers of quantized operands and
// on balls.

#include "reference/ops/depthwise_conv_2d.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

#include "reference/execution/memory.h"
#include "reference/fast/ball_products.h"
#include "reference/fast/packed_weights.h"
#include "reference/fast/window_geometry.h"
#include "reference/ops/common/weights.h"

namespace nncert {
namespace {

using depthwise_conv_2d::kSlots;

// Where a depthwise filter is at positions of one row of the output: the same taps are inside of
// the images at all of them.
template <class T>
struct TapRun {
  size_t first;                  // position in the whole output
  size_t count;                  // positions
  std::vector<const T*> pixels;  // under each tap at the first position
  std::vector<const T*> weights;
};

// Rows of images, counted over all batches, of `width` pixels of `channels` numbers each. Not all
// of them may be there: row r lies where row r % count does.
template <class T>
struct ImageRows {
  const T* elements;
  size_t channels;
  size_t width;
  size_t count;
};

// Calls visit(run) for runs that make up row `row` of the output, counted over all batches.
// `across` says which taps have pixels of `rows`, for each column of the output; `filter` has as
// many numbers for each tap as a pixel has.
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
      TapsAt(window.vertical, static_cast<int64_t>(row % geometry.results.height));
  const size_t step = static_cast<size_t>(window.horizontal.dilation) * channels;
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
      const T* pixel =
          rows.elements + (image_row % rows.count * rows.width + taps.image) * channels;
      const T* weights = filter + (i * window.horizontal.filter + taps.first) * channels;
      for (int64_t j = taps.first; j < taps.end; ++j, pixel += step, weights += channels) {
        run.pixels.push_back(pixel);
        run.weights.push_back(weights);
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

template <class T>
absl::Status ConvolveReals(const RealArithmetic<T>& arithmetic,
                           FastContext<RealArithmetic<T>>& context) {
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const WindowGeometry geometry(operation, kSlots.window);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  const size_t channels = results.depth;
  const T* elements = NhwcElements(context, kSlots.window.input, images);
  if (channels != images.depth) {
    T* repeated = context.UninitializedScratch(images.Pixels() * channels);
    RepeatChannels(images.Pixels() * images.depth, channels / images.depth, elements, repeated);
    elements = repeated;
  }
  const T* filter = context.Input(kSlots.window.filter).data;
  const ActivationLimits limits = LimitsOf(ActivationOf(operation, kSlots.activation));
  const std::vector<WindowTaps> across = geometry.TapsAcross();
  hot::RealDepthwiseResult<T> whole;
  whole.bias =
      LoadBias(arithmetic, context, kSlots.window.input, kSlots.window.filter, kSlots.bias);
  whole.lowest = static_cast<T>(limits.lowest);
  whole.highest = static_cast<T>(limits.highest);
  whole.result = results.is_nchw ? context.UninitializedScratch(output->size) : output->data;
  const ImageRows<T> rows = {elements, channels, images.width, images.batches * images.height};
  context.ParallelFor(
      results.batches * results.height, RowsAtATime(geometry), [&](size_t begin, size_t end) {
        TapRun<T> run;
        for (size_t row = begin; row < end; ++row) {
          ForTapRuns(geometry, across, rows, filter, row, run, [&](const TapRun<T>& taps) {
            hot::RealDepthwiseResult<T> result = whole;
            result.result += taps.first * channels;
            HotKernels<T>().depthwise(DepthwiseOf(geometry, channels, taps), result);
          });
        }
      });
  if (results.is_nchw) CopyToNchw(results, whole.result, output->data);
  return absl::OkStatus();
}

// What a row of a quantized image becomes: zeros stand beside it for what the filter reaches
// outside, so that the same taps are inside at all positions. Where these would be more than three
// times as many as its own pixels, the row is just these.
struct PaddedRow {
  explicit PaddedRow(const WindowGeometry& geometry)
      : inside(geometry.images.width), width(inside) {
    const WindowAxis& axis = geometry.window.horizontal;
    const size_t reach = ReachOf(axis);
    if (reach > 4 * inside) {
      across = geometry.TapsAcross();
      return;
    }
    before = static_cast<size_t>(axis.padding_head);
    inside = std::min(inside, reach - before);
    width = reach;
    across.resize(geometry.results.width);
    for (size_t x = 0; x < across.size(); ++x) {
      across[x] = {0, axis.filter, static_cast<int64_t>(x) * axis.stride};
    }
  }

  size_t before = 0;               // zeros, in pixels
  size_t inside;                   // pixels of the image
  size_t width;                    // pixels in all
  std::vector<WindowTaps> across;  // the taps inside for each column of the output
};

// Rows of quantized images as floats less their zero point: as many as lie under the filter at
// once, each of them converted when it is first needed.
class FloatRows {
 public:
  // Of images of `bytes`, `channels` a pixel. Throws std::bad_alloc when there is not memory
  // enough.
  FloatRows(const WindowGeometry& geometry, const PaddedRow& padded, const uint8_t* bytes,
            size_t channels, int32_t zero_point)
      : geometry_(geometry),
        padded_(padded),
        bytes_(bytes),
        zero_point_(zero_point),
        rows_(RowsUnderFilter(geometry), kNone) {
    const size_t row_size = padded.width * channels;
    if (!room_.Reserve(rows_.size() * row_size * sizeof(float))) throw std::bad_alloc();
    auto* floats = reinterpret_cast<float*>(room_.data());
    view_ = {floats, channels, padded.width, rows_.size()};
    const size_t end = (padded.before + padded.inside) * channels;
    for (size_t i = 0; i < rows_.size(); ++i, floats += row_size) {
      std::fill_n(floats, padded.before * channels, 0.0F);
      std::fill_n(floats + end, row_size - end, 0.0F);
    }
  }

  // Rows that hold those under the filter at row `row` of the output. Those of before are lost.
  const ImageRows<float>& Under(size_t row) {
    const WindowAxis& axis = geometry_.window.vertical;
    const ImageSizes& images = geometry_.images;
    const size_t height = geometry_.results.height;
    const WindowTaps down = TapsAt(axis, static_cast<int64_t>(row % height));
    for (int64_t i = 0; i < down.end - down.first; ++i) {
      const size_t image_row = row / height * images.height + down.image + i * axis.dilation;
      const size_t place = image_row % rows_.size();
      if (rows_[place] == image_row) continue;
      hot::BestKernels().bytes_to_floats(
          padded_.inside * view_.channels, bytes_ + image_row * images.width * view_.channels,
          /*is_signed=*/false, zero_point_,
          reinterpret_cast<float*>(room_.data()) +
              (place * padded_.width + padded_.before) * view_.channels);
      rows_[place] = image_row;
    }
    return view_;
  }

 private:
  static constexpr size_t kNone = std::numeric_limits<size_t>::max();

  static size_t RowsUnderFilter(const WindowGeometry& geometry) {
    const WindowAxis& axis = geometry.window.vertical;
    const int64_t rows = (axis.filter - 1) * axis.dilation + 1;
    return std::min(static_cast<size_t>(rows), geometry.images.height);
  }

  const WindowGeometry& geometry_;
  const PaddedRow& padded_;
  const uint8_t* const bytes_;
  const int32_t zero_point_;
  std::vector<size_t> rows_;  // the row that is in each place
  Buffer room_;
  ImageRows<float> view_;
};

// What is made of a quantized depthwise filter.
struct IntegerDepthwiseFilter {
  // As they are: few enough to become floats each time, which take much more memory.
  std::vector<uint8_t> weights;
  OutputRequantization requantization;
};

IntegerDepthwiseFilter MakeIntegerDepthwiseFilter(IntegerContext& context) {
  const OperationContext& operation = context.operation();
  const OperandInfo& info = operation.Input(kSlots.window.filter);
  const auto elements = context.Input<uint8_t>(kSlots.window.filter).elements();
  std::vector<uint8_t> weights(elements.begin(), elements.end());
  context.LetGo(kSlots.window.filter, 0, elements.size());
  const size_t channels = info.dimensions[3];
  // Inputs have their zero point subtracted already, so sums of weights make no difference.
  OutputRequantization requantization(
      operation.Input(kSlots.window.input), info, operation.Output(0),
      ActivationOf(operation, kSlots.activation), channels, info.dimensions[1] * info.dimensions[2],
      /*weight_sums=*/nullptr, context.Input<int32_t>(kSlots.bias).data);
  context.LetGo(kSlots.bias, 0, channels);
  return {std::move(weights), std::move(requantization)};
}

absl::Status ConvolveIntegers(IntegerContext& context) {
  const OperationContext& operation = context.operation();
  const OperandInfo& info = operation.Input(kSlots.window.input);
  if (info.type != OperandType::TENSOR_QUANT8_ASYMM) return Declined();
  const WindowGeometry geometry(operation, kSlots.window);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  constexpr size_t kMostTaps = 256;
  if (geometry.taps > kMostTaps) return Declined();
  auto output = context.Output<uint8_t>(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const size_t channels = results.depth;
  const auto& filter = context.FromConstants<IntegerDepthwiseFilter>(
      {kSlots.window.filter, kSlots.bias, kSlots.activation},
      [&]() { return MakeIntegerDepthwiseFilter(context); });
  const OperandInfo& filter_info = operation.Input(kSlots.window.filter);
  const bool is_signed = filter_info.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
  auto* weights = context.UninitializedScratch<float>(filter.weights.size());
  hot::BestKernels().bytes_to_floats(filter.weights.size(), filter.weights.data(), is_signed,
                                     is_signed ? 0 : filter_info.zeroPoint, weights);
  const uint8_t* bytes = NhwcBytes(context, kSlots.window.input, images);
  if (channels != images.depth) {
    auto* repeated = context.UninitializedScratch<uint8_t>(images.Pixels() * channels);
    RepeatChannels(images.Pixels() * images.depth, channels / images.depth, bytes, repeated);
    bytes = repeated;
  }
  const PaddedRow padded(geometry);
  hot::IntegerDepthwiseResult whole;
  whole.requantization = filter.requantization.Get();
  whole.result =
      results.is_nchw ? context.UninitializedScratch<uint8_t>(output->size) : output->data;
  // Rows of the images that two pieces of work need become floats twice.
  const size_t rows_at_a_time =
      std::max(RowsAtATime(geometry), 4 * static_cast<size_t>(geometry.window.vertical.filter));
  const auto convolve_rows = [&](size_t begin, size_t end) {
    FloatRows rows(geometry, padded, bytes, channels, info.zeroPoint);
    TapRun<float> run;
    const auto convolve = [&](const TapRun<float>& taps) {
      hot::IntegerDepthwiseResult result = whole;
      result.result += taps.first * channels;
      hot::BestKernels().integer_depthwise(DepthwiseOf(geometry, channels, taps), result);
    };
    for (size_t row = begin; row < end; ++row) {
      ForTapRuns(geometry, padded.across, rows.Under(row), weights, row, run, convolve);
    }
  };
  context.ParallelFor(results.batches * results.height, rows_at_a_time, convolve_rows);
  if (results.is_nchw) CopyToNchw(results, whole.result, output->data);
  return absl::OkStatus();
}

// The balls of images in NHWC order, each channel as many times as there are `channels` for it.
const Ball* RepeatedElements(FastContext<BallArithmetic>& context, int slot,
                             const ImageSizes& images, size_t channels) {
  const Ball* elements = NhwcElements(context, slot, images);
  if (channels == images.depth) return elements;
  Ball* repeated = context.UninitializedScratch(images.Pixels() * channels);
  RepeatChannels(images.Pixels() * images.depth, channels / images.depth, elements, repeated);
  return repeated;
}

// The same taken apart.
BallParts PartsOfImages(FastContext<BallArithmetic>& context, int slot, const ImageSizes& images,
                        size_t channels) {
  const size_t count = images.Pixels() * channels;
  if (channels == images.depth && !images.is_nchw) {
    if (const float* floats = context.Floats(slot)) return {count, floats};
  }
  return {count, RepeatedElements(context, slot, images, channels), /*needs_exact=*/false};
}

// By products of parts of balls. Declines what single precision does not bound.
absl::Status MultiplyParts(const BallArithmetic& arithmetic, FastContext<BallArithmetic>& context) {
  const OperationContext& operation = context.operation();
  const WindowGeometry geometry(operation, kSlots.window);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  const size_t channels = results.depth;
  if (geometry.taps > kMostBallTerms) return Declined();
  const auto& filter = context.FromConstants<BallParts>({kSlots.window.filter}, [&]() {
    return BallParts(geometry.taps * channels, context.Input(kSlots.window.filter).data,
                     /*needs_exact=*/true);
  });
  if (!filter.is_fast) return Declined();
  hot::BallSums whole;
  const Ball* bias =
      LoadBias(arithmetic, context, kSlots.window.input, kSlots.window.filter, kSlots.bias);
  if (!PrepareBallSums(arithmetic.precision(), ActivationOf(operation, kSlots.activation), channels,
                       geometry.taps, bias, whole)) {
    return Declined();
  }
  const BallParts parts = PartsOfImages(context, kSlots.window.input, images, channels);
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
  const size_t image_rows = images.batches * images.height;
  const auto multiply = [&](size_t row, const auto& image, const auto& weights, auto& sums) {
    using T = typename std::decay_t<decltype(image)>::value_type;
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    const std::vector<T> no_bias(channels);
    TapRun<T> run;
    const ImageRows<T> rows = {image.data(), channels, images.width, image_rows};
    ForTapRuns(geometry, across, rows, weights.data(), row, run, [&](const TapRun<T>& taps) {
      HotKernels<T>().depthwise(DepthwiseOf(geometry, channels, taps),
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

// The same of any balls: the sums of all channels grow tap by tap, as the elements lie. Declines
// weights of which the padding may make something else than zero.
absl::Status AddUpTaps(const BallArithmetic& arithmetic, FastContext<BallArithmetic>& context) {
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const WindowGeometry geometry(operation, kSlots.window);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  const size_t channels = results.depth;
  const Ball* filter = context.Input(kSlots.window.filter).data;
  const bool is_finite = std::all_of(
      filter, filter + geometry.taps * channels,
      [](const Ball& weight) { return std::isfinite(std::abs(weight.midpoint) + weight.radius); });
  if (!is_finite) return Declined();
  const Ball* elements = RepeatedElements(context, kSlots.window.input, images, channels);
  const Ball* bias =
      LoadBias(arithmetic, context, kSlots.window.input, kSlots.window.filter, kSlots.bias);
  const FusedActivationFunc activation = ActivationOf(operation, kSlots.activation);
  const WindowAxis& vertical = geometry.window.vertical;
  const WindowAxis& horizontal = geometry.window.horizontal;
  const std::vector<WindowTaps> all_across = geometry.TapsAcross();
  std::vector<BallArithmetic::Accumulator> sums(channels);
  std::vector<Ball> finished(channels);
  for (size_t position = 0; position < results.Pixels(); ++position) {
    const size_t y = position / results.width % results.height;
    const size_t batch = position / results.width / results.height;
    const WindowTaps down = TapsAt(vertical, static_cast<int64_t>(y));
    const WindowTaps& across = all_across[position % results.width];
    std::fill(sums.begin(), sums.end(), BallArithmetic::Accumulator());
    for (int64_t i = down.first; i < down.end; ++i) {
      const size_t row = batch * images.height + down.image + (i - down.first) * vertical.dilation;
      for (int64_t j = across.first; j < across.end; ++j) {
        const size_t column = across.image + (j - across.first) * horizontal.dilation;
        const Ball* pixel = elements + (row * images.width + column) * channels;
        const Ball* weights = filter + (i * horizontal.filter + j) * channels;
        for (size_t c = 0; c < channels; ++c) sums[c].MultiplyAdd(pixel[c], weights[c]);
      }
    }
    for (size_t c = 0; c < channels; ++c) finished[c] = arithmetic.Finish(sums[c]);
    AddBiasAndActivate(arithmetic, activation, channels, geometry.taps, finished.data(), bias,
                       output->data + results.PixelOffset(position), results.ChannelStride());
  }
  return absl::OkStatus();
}

absl::Status ConvolveBalls(const BallArithmetic& arithmetic, FastContext<BallArithmetic>& context) {
  absl::Status status = MultiplyParts(arithmetic, context);
  return IsDeclined(status) ? AddUpTaps(arithmetic, context) : status;
}

}  // namespace

NNCERT_FAST_KERNEL(DEPTHWISE_CONV_2D, {.with_float = ConvolveReals<float>,
                                       .with_double = ConvolveReals<double>,
                                       .with_ball = ConvolveBalls,
                                       .with_integers = ConvolveIntegers});

}  // namespace nncert
