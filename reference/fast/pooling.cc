// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// AVERAGE_POOL_2D and MAX_POOL_2D by the hot kernels, on floats and on quantized elements.

#include "reference/ops/pooling.h"

#include <algorithm>
#include <cstdint>
#include <limits>
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

// Where the rows of the images begin that the windows of a row of the output are over; rows of the
// output are counted over all batches.
template <class Element>
std::vector<const Element*> RowsUnder(const WindowGeometry& geometry, const Element* elements,
                                      size_t row) {
  const ImageSizes& images = geometry.images;
  const size_t batch = row / geometry.results.height;
  const WindowTaps down =
      TapsAt(geometry.window.vertical, static_cast<int64_t>(row % geometry.results.height));
  std::vector<const Element*> rows(static_cast<size_t>(down.end - down.first));
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t image_row = batch * images.height + static_cast<size_t>(down.image) + i;
    rows[i] = elements + image_row * images.width * images.depth;
  }
  return rows;
}

// Calls finish(x, pixels) with the pixels of the rows in all windows of a row of the output.
template <class Element, class Finish>
void ForWindows(const std::vector<const Element*>& rows, const std::vector<WindowTaps>& across,
                size_t depth, Finish finish) {
  std::vector<const Element*> pixels;
  for (size_t x = 0; x < across.size(); ++x) {
    pixels.clear();
    for (const Element* const row : rows) {
      for (int64_t j = 0; j < across[x].end - across[x].first; ++j) {
        pixels.push_back(row + static_cast<size_t>(across[x].image + j) * depth);
      }
    }
    finish(x, pixels);
  }
}

// Whether windows side by side overlap, so that less is to be done when the columns under a row of
// windows are summarized first, and then the columns of each window.
bool ShareColumns(const WindowGeometry& geometry, const std::vector<WindowTaps>& across) {
  size_t columns = 0;
  for (const WindowTaps& taps : across) columns += static_cast<size_t>(taps.end - taps.first);
  return geometry.window.vertical.filter > 1 && columns > geometry.images.width;
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
  const bool share_columns = ShareColumns(geometry, across);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  context.ParallelFor(
      results.batches * results.height, RowsAtATime(geometry), [&](size_t begin, size_t end) {
        std::vector<float> columns(share_columns ? geometry.images.width * results.depth : 0);
        for (size_t row = begin; row < end; ++row) {
          std::vector<const float*> rows = RowsUnder(geometry, elements, row);
          // How many pixels each of those that are summarized stands for.
          size_t each = 1;
          if (share_columns) {
            Summarize<kSummary>({.taps = rows.size(),
                                 .channels = columns.size(),
                                 .pixels = rows.data(),
                                 .scale = 1,
                                 .lowest = -kInfinity,
                                 .highest = kInfinity,
                                 .result = columns.data()});
            each = rows.size();
            rows = {columns.data()};
          }
          float* const to = whole + row * results.width * results.depth;
          ForWindows(rows, across, results.depth,
                     [&](size_t x, const std::vector<const float*>& pixels) {
                       Summarize<kSummary>({.taps = pixels.size(),
                                            .channels = results.depth,
                                            .pixels = pixels.data(),
                                            .scale = 1.F / static_cast<float>(pixels.size() * each),
                                            .lowest = static_cast<float>(limits.lowest),
                                            .highest = static_cast<float>(limits.highest),
                                            .result = to + x * results.depth});
                     });
        }
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
  const bool share_columns = ShareColumns(geometry, across);
  context.ParallelFor(
      results.batches * results.height, RowsAtATime(geometry), [&](size_t begin, size_t end) {
        std::vector<int32_t> summaries(results.depth);
        std::vector<int32_t> columns(share_columns ? geometry.images.width * results.depth : 0);
        const auto summarize =
            kIsMean ? hot::BestKernels().sum_bytes : hot::BestKernels().max_bytes;
        for (size_t row = begin; row < end; ++row) {
          const std::vector<const uint8_t*> rows = RowsUnder(geometry, elements, row);
          uint8_t* const to = whole + row * results.width * results.depth;
          // Of summaries of as many pixels to the element at `x`.
          const auto finish = [&](size_t x, size_t pixels) {
            const double divisor = kIsMean ? static_cast<double>(pixels) : 1;
            const double zeros = divisor * info.zeroPoint;
            for (size_t c = 0; c < results.depth; ++c) {
              // A quotient of integers of so few bits is half of an integer only if its double is.
              const double mean = (summaries[c] - zeros) / divisor;
              const double steps = std::clamp(mean, limits.lowest, limits.highest);
              const double away = steps < 0 ? -0.5 : 0.5;
              to[x * results.depth + c] =
                  static_cast<uint8_t>(static_cast<int32_t>(steps + away) + limits.zero_point);
            }
          };
          if (!share_columns) {
            ForWindows(rows, across, results.depth,
                       [&](size_t x, const std::vector<const uint8_t*>& pixels) {
                         summarize(pixels.size(), results.depth, pixels.data(), summaries.data());
                         finish(x, pixels.size());
                       });
            continue;
          }
          summarize(rows.size(), columns.size(), rows.data(), columns.data());
          const std::vector<const int32_t*> one_row = {columns.data()};
          ForWindows(one_row, across, results.depth,
                     [&](size_t x, const std::vector<const int32_t*>& pixels) {
                       for (size_t c = 0; c < results.depth; ++c) {
                         int32_t summary = 0;
                         for (const int32_t* const pixel : pixels) {
                           summary = kIsMean ? summary + pixel[c] : std::max(summary, pixel[c]);
                         }
                         summaries[c] = summary;
                       }
                       finish(x, pixels.size() * rows.size());
                     });
        }
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
