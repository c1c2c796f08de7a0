// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/fast_convolution.h"

#include <algorithm>
#include <cstring>

#include "reference/ops/packed_weights.h"
#include "reference/ops/weights.h"

namespace nncert {
namespace {

// The window of a convolution over its input, and its output.
struct Geometry {
  Geometry(const OperationContext& operation, const ConvolutionSlots& slots)
      : window(WindowOf(operation, slots.window)),
        images(InputImagesOf(operation, slots.window)),
        results(ImageSizesOf(operation.Output(0).dimensions, images.is_nchw)),
        taps(static_cast<size_t>(window.vertical.filter * window.horizontal.filter)) {}

  // The taps inside the images for each column of the output.
  std::vector<WindowTaps> TapsAcross() const {
    std::vector<WindowTaps> across(results.width);
    for (size_t x = 0; x < across.size(); ++x) {
      across[x] = window.horizontal.TapsAt(static_cast<int64_t>(x));
    }
    return across;
  }

  Window window;
  ImageSizes images;
  ImageSizes results;
  size_t taps;
};

// From NCHW to NHWC order.
template <class T>
void CopyToNhwc(const ImageSizes& sizes, const T* nchw, T* nhwc) {
  for (size_t pixel = 0; pixel < sizes.Pixels(); ++pixel) {
    const T* from = nchw + sizes.PixelOffset(pixel);
    for (size_t channel = 0; channel < sizes.depth; ++channel) {
      *nhwc++ = from[channel * sizes.ChannelStride()];
    }
  }
}

// From NHWC to NCHW order.
template <class T>
void CopyToNchw(const ImageSizes& sizes, const T* nhwc, T* nchw) {
  for (size_t pixel = 0; pixel < sizes.Pixels(); ++pixel) {
    T* to = nchw + sizes.PixelOffset(pixel);
    for (size_t channel = 0; channel < sizes.depth; ++channel) {
      to[channel * sizes.ChannelStride()] = *nhwc++;
    }
  }
}

// The pixels under the taps of the filter for `count` positions from `first` on, counted in the
// order batch, row, column: pixels[i * taps + tap]. A pixel has `size` T from the next one; those
// outside of the images are `outside`.
template <class T>
void PixelsUnderFilter(const Geometry& geometry, const std::vector<WindowTaps>& across,
                       const T* elements, size_t size, const T* outside, size_t first, size_t count,
                       const T** pixels) {
  const Window& window = geometry.window;
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  const size_t step = static_cast<size_t>(window.horizontal.dilation) * size;
  size_t x = first % results.width;
  for (size_t position = first; position < first + count;) {
    const size_t row = position / results.width;
    const size_t batch = row / results.height;
    const WindowTaps down = window.vertical.TapsAt(static_cast<int64_t>(row % results.height));
    for (; x < results.width && position < first + count; ++x, ++position) {
      for (int64_t i = 0; i < window.vertical.filter; ++i) {
        const bool is_inside = i >= down.first && i < down.end;
        const int64_t left = is_inside ? across[x].first : window.horizontal.filter;
        const int64_t right = is_inside ? across[x].end : window.horizontal.filter;
        const int64_t image_row = down.image + (i - down.first) * window.vertical.dilation;
        int64_t j = 0;
        for (; j < left; ++j) *pixels++ = outside;
        if (j < right) {
          const T* pixel =
              elements +
              ((batch * images.height + image_row) * images.width + across[x].image) * size;
          for (; j < right; ++j, pixel += step) *pixels++ = pixel;
        }
        for (; j < window.horizontal.filter; ++j) *pixels++ = outside;
      }
    }
    x = 0;
  }
}

// Pixels of few channels are copied together, for each pixel by itself would be too short a piece
// of work.
constexpr size_t kFewestChannels = 8;

// How the rows of the product, one for each position, are divided among threads. What a piece reads
// of the images should stay in a cache; each piece reads all weights.
size_t PositionsAtATime(const Geometry& geometry) {
  constexpr size_t kNumbers = size_t{1} << 16;
  return std::clamp<size_t>(kNumbers / geometry.images.depth, 32, 1024);
}

// Runs work(first, count) for all positions of the output.
template <class Context, class Work>
void ForPositions(Context& context, const Geometry& geometry, Work work) {
  const size_t positions = geometry.results.Pixels();
  context.ParallelFor(positions, PositionsAtATime(geometry),
                      [&](size_t begin, size_t end) { work(begin, end - begin); });
}

}  // namespace

template <class T>
absl::Status ConvolveReals(const ConvolutionSlots& slots,
                           KernelContext<RealArithmetic<T>>& context) {
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const Geometry geometry(operation, slots);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  const size_t taps = geometry.taps;
  const size_t depth = images.depth;
  const T* elements = NhwcElements(context, slots.window.input, images);
  const auto& packed = context.template FromConstants<PackedReals<T>>({slots.window.filter}, [&]() {
    return PackedReals<T>(results.depth, taps * depth, context.Input(slots.window.filter).data);
  });
  const ActivationLimits limits = LimitsOf(ActivationOf(operation, slots.activation));
  const std::vector<WindowTaps> across = geometry.TapsAcross();
  const std::vector<T> outside(depth);
  const bool is_gathered = depth < kFewestChannels && taps > 1;

  hot::RealProduct<T> whole;
  whole.columns = results.depth;
  whole.taps = is_gathered ? 1 : taps;
  whole.depth = is_gathered ? taps * depth : depth;
  whole.packed = packed.numbers.data();
  whole.bias =
      LoadBias(RealArithmetic<T>(), context, slots.window.input, slots.window.filter, slots.bias);
  whole.lowest = static_cast<T>(limits.lowest);
  whole.highest = static_cast<T>(limits.highest);
  whole.result = results.is_nchw ? context.UninitializedScratch(output->size) : output->data;
  whole.stride = results.depth;
  ForPositions(context, geometry, [&](size_t first, size_t count) {
    hot::RealProduct<T> product = whole;
    product.rows = count;
    product.result += first * whole.stride;
    std::vector<const T*> pieces(count * product.taps);
    std::vector<T> gathered(is_gathered ? count * product.depth : 0);
    if (is_gathered) {
      WindowsToRows(geometry.window, images, elements, first, count, T{0}, gathered.data());
      for (size_t i = 0; i < count; ++i) pieces[i] = gathered.data() + i * product.depth;
    } else {
      PixelsUnderFilter(geometry, across, elements, depth, outside.data(), first, count,
                        pieces.data());
    }
    product.left = pieces.data();
    HotKernels<T>().multiply(product);
  });
  if (results.is_nchw) CopyToNchw(results, whole.result, output->data);
  return absl::OkStatus();
}

template absl::Status ConvolveReals(const ConvolutionSlots&, KernelContext<FloatArithmetic>&);
template absl::Status ConvolveReals(const ConvolutionSlots&, KernelContext<DoubleArithmetic>&);

namespace {

// The bytes of quantized images in NHWC order.
const uint8_t* NhwcBytes(IntegerContext& context, int slot, const ImageSizes& images) {
  const auto input = context.Input<uint8_t>(slot);
  if (!images.is_nchw) return input.data;
  auto* bytes = context.UninitializedScratch<uint8_t>(input.size);
  CopyToNhwc(images, input.data, bytes);
  return bytes;
}

// What is made of a quantized filter.
struct IntegerFilter {
  PackedIntegers packed;
  OutputRequantization requantization;
};

}  // namespace

absl::Status ConvolveIntegers(const ConvolutionSlots& slots, IntegerContext& context) {
  const OperationContext& operation = context.operation();
  if (operation.Input(slots.window.input).type != OperandType::TENSOR_QUANT8_ASYMM) {
    return Declined();
  }
  const Geometry geometry(operation, slots);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  const size_t taps = geometry.taps;
  const size_t depth = images.depth;
  if (taps * depth > hot::kLargestIntegerDepth) return Declined();
  auto output = context.Output<uint8_t>(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const bool is_gathered = depth < kFewestChannels && taps > 1;
  const size_t piece = is_gathered ? taps * depth : depth;
  const auto& filter = context.FromConstants<IntegerFilter>(
      {slots.window.filter, slots.bias}, [&]() -> IntegerFilter {
        const OperandInfo& info = operation.Input(slots.window.filter);
        PackedIntegers packed(info, results.depth, is_gathered ? 1 : taps, piece,
                              context.Input<uint8_t>(slots.window.filter).data);
        OutputRequantization requantization(
            operation.Input(slots.window.input), info, operation.Output(0),
            ActivationOf(operation, slots.activation), results.depth, taps * depth,
            packed.sums.data(), context.Input<int32_t>(slots.bias).data);
        return {std::move(packed), std::move(requantization)};
      });

  const hot::IntegerProducts& kernels = hot::BestKernels().integers;
  const auto zero = static_cast<uint8_t>(operation.Input(slots.window.input).zeroPoint);
  const uint8_t* bytes = NhwcBytes(context, slots.window.input, images);
  const size_t stored_size = kernels.PaddedDepth(piece) * kernels.left_size;
  // The images as the product reads them, and a pixel outside of them.
  const auto* stored = reinterpret_cast<const std::byte*>(bytes);
  std::vector<std::byte> outside(stored_size);
  if (!is_gathered) {
    kernels.store_left(1, depth, std::vector<uint8_t>(depth, zero).data(), outside.data());
    if (!kernels.KeepsBytes(depth)) {
      auto* room = context.UninitializedScratch<std::byte>(images.Pixels() * stored_size);
      kernels.store_left(images.Pixels(), depth, bytes, room);
      stored = room;
    }
  }
  const std::vector<WindowTaps> across = geometry.TapsAcross();

  hot::IntegerProduct whole;
  whole.columns = results.depth;
  whole.taps = is_gathered ? 1 : taps;
  whole.depth = piece;
  whole.packed = filter.packed.bytes.data();
  whole.right_offset = filter.packed.right_offset;
  whole.requantization = filter.requantization.Get();
  whole.result =
      results.is_nchw ? context.UninitializedScratch<uint8_t>(output->size) : output->data;
  whole.stride = results.depth;
  ForPositions(context, geometry, [&](size_t first, size_t count) {
    hot::IntegerProduct product = whole;
    product.rows = count;
    product.result += first * whole.stride;
    std::vector<const std::byte*> pieces(count * product.taps);
    std::vector<uint8_t> gathered(is_gathered ? count * piece : 0);
    std::vector<std::byte> gathered_and_stored(is_gathered ? count * stored_size : 0);
    if (is_gathered) {
      WindowsToRows(geometry.window, images, bytes, first, count, zero, gathered.data());
      kernels.store_left(count, piece, gathered.data(), gathered_and_stored.data());
      for (size_t i = 0; i < count; ++i) pieces[i] = gathered_and_stored.data() + i * stored_size;
    } else {
      PixelsUnderFilter(geometry, across, stored, stored_size, outside.data(), first, count,
                        pieces.data());
    }
    product.left = reinterpret_cast<const void* const*>(pieces.data());
    kernels.multiply(product);
  });
  if (results.is_nchw) CopyToNchw(results, whole.result, output->data);
  return absl::OkStatus();
}

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

// Calls visit(run) for runs that make up row `row` of the output, counted over all batches.
// `filter` has `channels` numbers for each tap, and so has a pixel of `elements`.
template <class T, class Visitor>
void ForTapRuns(const Geometry& geometry, const std::vector<WindowTaps>& across, const T* elements,
                const T* filter, size_t channels, size_t row, TapRun<T>& run, Visitor visit) {
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
        run.pixels.push_back(elements + (image_row * images.width + column) * channels);
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
size_t RowsAtATime(const Geometry& geometry) {
  constexpr size_t kProducts = size_t{1} << 18;
  const size_t products = geometry.results.width * geometry.results.depth * geometry.taps;
  return std::max<size_t>(1, kProducts / std::max<size_t>(1, products));
}

// The depthwise product of a run, without its result.
template <class T>
hot::Depthwise<T> DepthwiseOf(const Geometry& geometry, size_t channels, const TapRun<T>& run) {
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
  const Geometry geometry(operation, slots);
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
          ForTapRuns(geometry, across, elements, filter, channels, row, run,
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
  const Geometry geometry(operation, slots);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  constexpr size_t kMostTaps = 256;
  if (geometry.taps > kMostTaps) return Declined();
  auto output = context.Output<uint8_t>(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const size_t channels = results.depth;
  const auto& filter = context.FromConstants<IntegerDepthwiseFilter>(
      {slots.window.filter, slots.bias},
      [&]() { return MakeIntegerDepthwiseFilter(slots, context); });
  const uint8_t* bytes = NhwcBytes(context, slots.window.input, images);
  if (channels != images.depth) {
    auto* repeated = context.UninitializedScratch<uint8_t>(images.Pixels() * channels);
    RepeatChannels(images.Pixels() * images.depth, channels / images.depth, bytes, repeated);
    bytes = repeated;
  }
  auto* elements = context.UninitializedScratch<float>(images.Pixels() * channels);
  hot::BestKernels().bytes_to_floats(images.Pixels() * channels, bytes, info.zeroPoint, elements);
  const std::vector<WindowTaps> across = geometry.TapsAcross();
  hot::IntegerDepthwiseResult whole;
  whole.requantization = filter.requantization.Get();
  whole.result =
      results.is_nchw ? context.UninitializedScratch<uint8_t>(output->size) : output->data;
  context.ParallelFor(results.batches * results.height, RowsAtATime(geometry),
                      [&](size_t begin, size_t end) {
                        TapRun<float> run;
                        for (size_t row = begin; row < end; ++row) {
                          ForTapRuns<float>(geometry, across, elements, filter.weights.data(),
                                            channels, row, run, [&](const TapRun<float>& taps) {
                                              hot::IntegerDepthwiseResult result = whole;
                                              result.result += taps.first * channels;
                                              hot::BestKernels().integer_depthwise(
                                                  DepthwiseOf(geometry, channels, taps), result);
                                            });
                        }
                      });
  if (results.is_nchw) CopyToNchw(results, whole.result, output->data);
  return absl::OkStatus();
}

}  // namespace nncert
