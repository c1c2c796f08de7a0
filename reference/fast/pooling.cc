// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// AVERAGE_POOL_2D and MAX_POOL_2D by the hot kernels, on floats and on quantized elements.

#include "reference/ops/pooling.h"

#include <algorithm>
#include <vector>

#include "reference/fast/hot/levels.h"
#include "reference/fast/packed_weights.h"
#include "reference/fast/window_geometry.h"
#include "reference/fast_kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {
namespace {

using pooling::kActivation;
using pooling::kInput;
using pooling::kWindow;

// How a window is summarized.
enum class Summary { kMean, kGreatest };

// Calls finish(position, pixels) with the pixels inside of the images for all windows of the rows
// [begin, end) of the output, counted over all batches.
template <class Element, class Finish>
void ForWindows(const WindowGeometry& geometry, const std::vector<WindowTaps>& across,
                const Element* elements, size_t begin, size_t end, Finish finish) {
  const ImageSizes& images = geometry.images;
  std::vector<const Element*> pixels;
  for (size_t row = begin; row < end; ++row) {
    const size_t batch = row / geometry.results.height;
    const WindowTaps down =
        TapsAt(geometry.window.vertical, static_cast<int64_t>(row % geometry.results.height));
    for (size_t x = 0; x < geometry.results.width; ++x) {
      pixels.clear();
      for (int64_t i = 0; i < down.end - down.first; ++i) {
        const size_t first =
            (batch * images.height + down.image + i) * images.width + across[x].image;
        for (int64_t j = 0; j < across[x].end - across[x].first; ++j) {
          pixels.push_back(elements + (first + j) * images.depth);
        }
      }
      finish(row * geometry.results.width + x, pixels);
    }
  }
}

template <Summary kSummary>
void Summarize(const hot::Pool& pool) {
  if (kSummary == Summary::kMean) {
    hot::BestKernels().average_pool(pool);
  } else {
    hot::BestKernels().max_pool(pool);
  }
}

// Rows of the output that make a piece of work for a thread.
size_t RowsAtATime(const WindowGeometry& geometry) {
  constexpr size_t kElements = size_t{1} << 18;
  const size_t elements = geometry.results.width * geometry.results.depth * geometry.taps;
  return std::max<size_t>(1, kElements / std::max<size_t>(1, elements));
}

template <Summary kSummary>
absl::Status PoolFloats(const FloatArithmetic& /*arithmetic*/,
                        FastContext<FloatArithmetic>& context) {
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const WindowGeometry geometry(operation, kWindow);
  const ImageSizes& results = geometry.results;
  const float* elements = NhwcElements(context, kInput, geometry.images);
  const ActivationLimits limits = LimitsOf(ActivationOf(operation, kActivation));
  const std::vector<WindowTaps> across = geometry.TapsAcross();
  float* whole = results.is_nchw ? context.UninitializedScratch(output->size) : output->data;
  context.ParallelFor(
      results.batches * results.height, RowsAtATime(geometry), [&](size_t begin, size_t end) {
        ForWindows(geometry, across, elements, begin, end,
                   [&](size_t position, const std::vector<const float*>& pixels) {
                     Summarize<kSummary>({.taps = pixels.size(),
                                          .channels = results.depth,
                                          .pixels = pixels.data(),
                                          .scale = 1.F / static_cast<float>(pixels.size()),
                                          .lowest = static_cast<float>(limits.lowest),
                                          .highest = static_cast<float>(limits.highest),
                                          .result = whole + position * results.depth});
                   });
      });
  if (results.is_nchw) CopyToNchw(results, whole, output->data);
  return absl::OkStatus();
}

// Declines other types than TENSOR_QUANT8_ASYMM, and windows whose sums may be too large.
template <Summary kSummary>
absl::Status PoolIntegers(IntegerContext& context) {
  const OperationContext& operation = context.operation();
  const OperandInfo& info = operation.Input(kInput);
  if (info.type != OperandType::TENSOR_QUANT8_ASYMM) return Declined();
  const WindowGeometry geometry(operation, kWindow);
  constexpr size_t kMostTaps = size_t{1} << 16;
  static_assert(kMostTaps <= hot::kMostBytesInSum);
  if (geometry.taps > kMostTaps) return Declined();
  const ImageSizes& results = geometry.results;
  auto output = context.Output<uint8_t>(0);
  if (!output.ok()) return output.status();
  if (output->size == 0) return absl::OkStatus();
  const uint8_t* elements = NhwcBytes(context, kInput, geometry.images);
  const hot::Requantization limits =
      OutputLimits(operation.Output(0), ActivationOf(operation, kActivation));
  const std::vector<WindowTaps> across = geometry.TapsAcross();
  constexpr bool kIsMean = kSummary == Summary::kMean;
  uint8_t* whole =
      results.is_nchw ? context.UninitializedScratch<uint8_t>(output->size) : output->data;
  context.ParallelFor(
      results.batches * results.height, RowsAtATime(geometry), [&](size_t begin, size_t end) {
        std::vector<int32_t> summaries(results.depth);
        const auto summarize =
            kIsMean ? hot::BestKernels().sum_bytes : hot::BestKernels().max_bytes;
        ForWindows(geometry, across, elements, begin, end,
                   [&](size_t position, const std::vector<const uint8_t*>& pixels) {
                     summarize(pixels.size(), results.depth, pixels.data(), summaries.data());
                     const double divisor = kIsMean ? static_cast<double>(pixels.size()) : 1;
                     const double zeros = divisor * info.zeroPoint;
                     uint8_t* to = whole + position * results.depth;
                     for (size_t c = 0; c < results.depth; ++c) {
                       // A quotient of integers of so few bits is half of an integer only if its
                       // double is.
                       const double mean = (summaries[c] - zeros) / divisor;
                       const double steps = std::clamp(mean, limits.lowest, limits.highest);
                       const double away = steps < 0 ? -0.5 : 0.5;
                       to[c] = static_cast<uint8_t>(static_cast<int32_t>(steps + away) +
                                                    limits.zero_point);
                     }
                   });
      });
  if (results.is_nchw) CopyToNchw(results, whole, output->data);
  return absl::OkStatus();
}

template <Summary kSummary>
constexpr FastKernel kPool = {.with_float = PoolFloats<kSummary>,
                              .with_integers = PoolIntegers<kSummary>};

}  // namespace

NNCERT_FAST_KERNEL(AVERAGE_POOL_2D, (kPool<Summary::kMean>));
NNCERT_FAST_KERNEL(MAX_POOL_2D, (kPool<Summary::kGreatest>));

}  // namespace nncert
