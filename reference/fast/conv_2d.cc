// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// CONV_2D by the hot kernels: on real numbers, on the integers of quantized operands and on balls.

#include "reference/ops/conv_2d.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "reference/fast/ball_products.h"
#include "reference/fast/packed_weights.h"
#include "reference/fast/padded_images.h"
#include "reference/fast/window_geometry.h"
#include "reference/fast/window_products.h"
#include "reference/ops/common/weights.h"

namespace nncert {
namespace {

using conv_2d::kSlots;

// Pixels of few channels are read together, those under a row of the filter as one piece: each
// pixel by itself would be too short a piece of work.
constexpr size_t kFewestChannels = 8;

// What the product reads in one piece at each position, and how many pieces there are.
struct Pieces {
  explicit Pieces(const WindowGeometry& geometry)
      : are_rows(geometry.images.depth < kFewestChannels && geometry.taps > 1),
        taps(are_rows ? static_cast<size_t>(geometry.window.vertical.filter) : geometry.taps),
        depth(are_rows
                  ? geometry.images.depth * static_cast<size_t>(geometry.window.horizontal.filter)
                  : geometry.images.depth) {}

  bool are_rows;
  size_t taps;
  size_t depth;
};

// The taps for each column of the output, where PixelsUnderFilter looks them up.
std::vector<WindowTaps> TapsAcross(const WindowGeometry& geometry, const Pieces& pieces) {
  if (pieces.are_rows || IsPixelByPixel(geometry)) return {};
  return geometry.TapsAcross();
}

// How the rows of the product, one for each position, are divided among threads. What a piece reads
// of the images should stay in a cache; each piece reads all weights.
size_t PositionsAtATime(const WindowGeometry& geometry) {
  constexpr size_t kNumbers = size_t{1} << 16;
  return std::clamp<size_t>(kNumbers / geometry.images.depth, 32, 1024);
}

// Runs work(first, count) for all positions of the output.
template <class Context, class Work>
void ForPositions(Context& context, const WindowGeometry& geometry, Work work) {
  const size_t positions = geometry.results.Pixels();
  context.ParallelFor(positions, PositionsAtATime(geometry),
                      [&](size_t begin, size_t end) { work(begin, end - begin); });
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
  const size_t taps = geometry.taps;
  const size_t depth = images.depth;
  const T* elements = NhwcElements(context, kSlots.window.input, images);
  const auto let_go = [&](size_t first, size_t last) {
    context.LetGo(kSlots.window.filter, first * taps * depth, last * taps * depth);
  };
  const auto& packed =
      context.template FromConstants<PackedReals<T>>({kSlots.window.filter}, [&]() {
        return PackedReals<T>(results.depth, taps * depth, context.Input(kSlots.window.filter).data,
                              let_go);
      });
  const ActivationLimits limits = LimitsOf(ActivationOf(operation, kSlots.activation));
  const std::vector<T> outside(depth);
  const Pieces parts(geometry);
  const std::vector<WindowTaps> across = TapsAcross(geometry, parts);
  const PaddedImages padding(geometry);
  T* padded = nullptr;
  if (parts.are_rows && PaddedImages::Serve(geometry)) {
    padded = context.UninitializedScratch(padding.rows() * padding.row_size());
    for (size_t row = 0; row < padding.rows(); ++row) {
      padding.CopyRow(row, elements, T{0}, padded + row * padding.row_size());
    }
  }

  hot::RealProduct<T> whole;
  whole.columns = results.depth;
  whole.taps = parts.taps;
  whole.depth = parts.depth;
  whole.packed = packed.numbers();
  whole.bias =
      LoadBias(arithmetic, context, kSlots.window.input, kSlots.window.filter, kSlots.bias);
  whole.lowest = static_cast<T>(limits.lowest);
  whole.highest = static_cast<T>(limits.highest);
  whole.result = results.is_nchw ? context.UninitializedScratch(output->size) : output->data;
  whole.stride = results.depth;
  ForPositions(context, geometry, [&](size_t first, size_t count) {
    hot::RealProduct<T> product = whole;
    product.rows = count;
    product.result += first * whole.stride;
    std::vector<const T*> pieces(count * product.taps);
    std::vector<T> gathered;
    if (padded != nullptr) {
      padding.FindRows(padded, padding.row_size(), depth, first, count, pieces.data());
    } else if (parts.are_rows) {
      gathered.resize(pieces.size() * product.depth);
      WindowsToRows(geometry.window, images, elements, first, count, T{0}, gathered.data());
      for (size_t i = 0; i < pieces.size(); ++i) pieces[i] = gathered.data() + i * product.depth;
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

// What is made of a quantized filter.
struct IntegerFilter {
  PackedIntegers packed;
  OutputRequantization requantization;
};

absl::Status ConvolveIntegers(IntegerContext& context) {
  const OperationContext& operation = context.operation();
  const WindowGeometry geometry(operation, kSlots.window);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  const size_t taps = geometry.taps;
  const size_t depth = images.depth;
  if (taps * depth > hot::kLargestIntegerDepth) return Declined();
  auto output = context.Output<uint8_t>(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const Pieces parts(geometry);
  const auto& filter = context.FromConstants<IntegerFilter>(
      {kSlots.window.filter, kSlots.bias, kSlots.activation}, [&]() -> IntegerFilter {
        const OperandInfo& info = operation.Input(kSlots.window.filter);
        std::vector<double> sums(results.depth);
        PackedIntegers packed(
            info, results.depth, parts.taps, parts.depth,
            context.Input<uint8_t>(kSlots.window.filter).data,
            [&](size_t first, size_t last) {
              context.LetGo(kSlots.window.filter, first * taps * depth, last * taps * depth);
            },
            sums.data());
        OutputRequantization requantization(
            operation.Input(kSlots.window.input), info, operation.Output(0),
            ActivationOf(operation, kSlots.activation), results.depth, taps * depth, sums.data(),
            context.Input<int32_t>(kSlots.bias).data);
        context.LetGo(kSlots.bias, 0, results.depth);
        return {std::move(packed), std::move(requantization)};
      });

  const hot::IntegerProducts& kernels = hot::BestKernels().integers;
  const auto zero = static_cast<uint8_t>(operation.Input(kSlots.window.input).zeroPoint);
  const uint8_t* bytes = NhwcBytes(context, kSlots.window.input, images);
  const size_t stored_size = kernels.PaddedDepth(parts.depth) * kernels.left_size;
  // The images as the product reads them, and a pixel outside of them.
  const auto* stored = reinterpret_cast<const std::byte*>(bytes);
  std::vector<std::byte> outside(stored_size);
  const PaddedImages padding(geometry);
  const size_t row_size = kernels.PaddedDepth(padding.row_size()) * kernels.left_size;
  const bool are_padded = parts.are_rows && PaddedImages::Serve(geometry);
  if (are_padded) {
    // The last piece is read to the end of its padding.
    const size_t size = padding.rows() * row_size;
    auto* room = context.UninitializedScratch<std::byte>(size + stored_size);
    std::fill_n(room + size, stored_size, std::byte{0});
    std::vector<uint8_t> row_bytes(padding.row_size());
    for (size_t row = 0; row < padding.rows(); ++row) {
      padding.CopyRow(row, bytes, zero, row_bytes.data());
      kernels.store_left(1, row_bytes.size(), row_bytes.data(), room + row * row_size);
    }
    stored = room;
  } else if (!parts.are_rows) {
    kernels.store_left(1, depth, std::vector<uint8_t>(depth, zero).data(), outside.data());
    if (!kernels.KeepsBytes(depth)) {
      auto* room = context.UninitializedScratch<std::byte>(images.Pixels() * stored_size);
      kernels.store_left(images.Pixels(), depth, bytes, room);
      stored = room;
    }
  }
  const std::vector<WindowTaps> across = TapsAcross(geometry, parts);

  hot::IntegerProduct whole;
  whole.columns = results.depth;
  whole.taps = parts.taps;
  whole.depth = parts.depth;
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
    std::vector<std::byte> gathered;
    if (are_padded) {
      padding.FindRows(stored, row_size, depth * kernels.left_size, first, count, pieces.data());
    } else if (parts.are_rows) {
      std::vector<uint8_t> windows(pieces.size() * product.depth);
      WindowsToRows(geometry.window, images, bytes, first, count, zero, windows.data());
      gathered.resize(pieces.size() * stored_size);
      kernels.store_left(pieces.size(), product.depth, windows.data(), gathered.data());
      for (size_t i = 0; i < pieces.size(); ++i) pieces[i] = gathered.data() + i * stored_size;
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

// On balls. Declines images that are not finite or of extreme sizes, and filters that are not
// exact.
absl::Status ConvolveExactFilter(const BallArithmetic& arithmetic,
                                 FastContext<BallArithmetic>& context) {
  const OperationContext& operation = context.operation();
  const WindowGeometry geometry(operation, kSlots.window);
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  const size_t taps = geometry.taps;
  const size_t depth = images.depth;
  const auto& packed = context.FromConstants<PackedBalls>({kSlots.window.filter}, [&]() {
    return PackedBalls(results.depth, taps * depth, context.Input(kSlots.window.filter).data);
  });
  if (!packed.is_fast) return Declined();
  hot::BallSums whole;
  const Ball* bias =
      LoadBias(arithmetic, context, kSlots.window.input, kSlots.window.filter, kSlots.bias);
  if (!PrepareBallSums(arithmetic.precision(), ActivationOf(operation, kSlots.activation),
                       results.depth, taps * depth, bias, whole)) {
    return Declined();
  }
  const BallParts parts(images.Pixels() * depth, NhwcElements(context, kSlots.window.input, images),
                        /*needs_exact=*/false);
  if (!parts.is_fast) return Declined();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const std::vector<WindowTaps> across = geometry.TapsAcross();
  Ball* balls = results.is_nchw ? context.UninitializedScratch(output->size) : output->data;
  ForPositions(context, geometry, [&](size_t first, size_t count) {
    std::vector<size_t> pieces(count * taps);
    FindPixels(geometry, across, first, count, [&](size_t i, size_t pixel) {
      pieces[i] = pixel == kNoPixel ? BallRows::kOutside : pixel * depth;
    });
    hot::BallSums sums = whole;
    sums.result = reinterpret_cast<double*>(balls + first * results.depth);
    MultiplyBalls(parts, packed, {count, taps, depth, pieces.data()}, sums);
  });
  if (results.is_nchw) CopyToNchw(results, balls, output->data);
  return absl::OkStatus();
}

// The same of any balls, as products of matrices. Declines where a sum is not bounded, of which the
// definition may know more.
absl::Status MultiplyWindows(const BallArithmetic& arithmetic,
                             FastContext<BallArithmetic>& context) {
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const WindowGeometry geometry(operation, kSlots.window);
  const ImageSizes& results = geometry.results;
  const Ball* elements = NhwcElements(context, kSlots.window.input, geometry.images);
  const Ball* filter = context.Input(kSlots.window.filter).data;
  const Ball* bias =
      LoadBias(arithmetic, context, kSlots.window.input, kSlots.window.filter, kSlots.bias);
  const FusedActivationFunc activation = ActivationOf(operation, kSlots.activation);
  const size_t terms = geometry.taps * geometry.images.depth;
  bool are_bounded = true;
  WindowProducts<BallArithmetic> products(arithmetic);
  products(geometry.window, geometry.images, elements, filter, results.depth,
           [&](size_t position, const Ball* sums) {
             for (size_t c = 0; c < results.depth; ++c) are_bounded &= sums[c].IsBounded();
             AddBiasAndActivate(arithmetic, activation, results.depth, terms, sums, bias,
                                output->data + results.PixelOffset(position),
                                results.ChannelStride());
           });
  return are_bounded ? absl::OkStatus() : Declined();
}

absl::Status ConvolveBalls(const BallArithmetic& arithmetic, FastContext<BallArithmetic>& context) {
  absl::Status status = ConvolveExactFilter(arithmetic, context);
  return IsDeclined(status) ? MultiplyWindows(arithmetic, context) : status;
}

}  // namespace

NNCERT_FAST_KERNEL(CONV_2D, {.with_float = ConvolveReals<float>,
                             .with_double = ConvolveReals<double>,
                             .with_ball = ConvolveBalls,
                             .with_integers = ConvolveIntegers});

}  // namespace nncert
