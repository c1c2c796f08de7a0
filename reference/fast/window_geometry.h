// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where the pixels are that a window slides over, for the fast kernels.

#ifndef NNCERT_REFERENCE_FAST_WINDOW_GEOMETRY_H_
#define NNCERT_REFERENCE_FAST_WINDOW_GEOMETRY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/fast_kernel.h"
#include "reference/ops/common/image.h"

namespace nncert {

/// The elements of a window at one position that are inside the image, along one axis.
struct WindowTaps {
  int64_t first;  ///< the first tap of the filter that is inside
  int64_t end;    ///< one more than the last; `first` when all are outside
  int64_t image;  ///< where the first tap inside stands in the image
};

/// The taps that are inside the image at a position in [0, axis.Positions()).
inline WindowTaps TapsAt(const WindowAxis& axis, int64_t position) {
  const int64_t start = position * axis.stride - axis.padding_head;
  const int64_t before = start < 0 ? (-start + axis.dilation - 1) / axis.dilation : 0;
  const int64_t not_behind = start < axis.image ? (axis.image - 1 - start) / axis.dilation + 1 : 0;
  const int64_t end = std::min(axis.filter, not_behind);
  const int64_t first = std::min(before, end);
  return {first, end, start + first * axis.dilation};
}

/// What the windows at all positions reach along an axis, from one end to the other. There must be
/// a position.
inline size_t ReachOf(const WindowAxis& axis) {
  return static_cast<size_t>((axis.Positions() - 1) * axis.stride + axis.Span());
}

/// The window of an operation over its input, and its output.
struct WindowGeometry {
  WindowGeometry(const OperationContext& operation, const WindowSlots& slots)
      : window(WindowOf(operation, slots)),
        images(InputImagesOf(operation, slots)),
        results(ImageSizesOf(operation.Output(0).dimensions, images.is_nchw)),
        taps(static_cast<size_t>(window.vertical.filter * window.horizontal.filter)) {}

  /// The taps inside the images for each column of the output.
  std::vector<WindowTaps> TapsAcross() const {
    std::vector<WindowTaps> across(results.width);
    for (size_t x = 0; x < across.size(); ++x) {
      across[x] = TapsAt(window.horizontal, static_cast<int64_t>(x));
    }
    return across;
  }

  Window window;
  ImageSizes images;
  ImageSizes results;
  size_t taps;
};

/// Lays out windows as the rows of a matrix, "im2col": row i holds the filter height * filter width
/// * depth elements under position `first` + i, counted in the order batch, row, column; `zero`
/// stands for what is outside the image. `elements` are in NHWC order.
template <class Number>
void WindowsToRows(const Window& window, const ImageSizes& images, const Number* elements,
                   size_t first, size_t count, const Number& zero, Number* rows) {
  const auto across = static_cast<size_t>(window.horizontal.Positions());
  const auto down = static_cast<size_t>(window.vertical.Positions());
  const size_t depth = images.depth;
  const int64_t step = window.horizontal.dilation;
  for (size_t position = first; position < first + count; ++position) {
    const size_t batch = position / across / down;
    const WindowTaps y = TapsAt(window.vertical, static_cast<int64_t>(position / across % down));
    const WindowTaps x = TapsAt(window.horizontal, static_cast<int64_t>(position % across));
    for (int64_t tap = 0; tap < window.vertical.filter; ++tap) {
      if (tap < y.first || tap >= y.end || x.first == x.end) {
        rows = std::fill_n(rows, window.horizontal.filter * depth, zero);
        continue;
      }
      const int64_t image_row = y.image + (tap - y.first) * window.vertical.dilation;
      const Number* from =
          elements + ((batch * images.height + image_row) * images.width + x.image) * depth;
      rows = std::fill_n(rows, x.first * depth, zero);
      if (step == 1) {
        rows = std::copy_n(from, (x.end - x.first) * depth, rows);
      } else {
        for (int64_t i = x.first; i < x.end; ++i, from += step * depth) {
          rows = std::copy_n(from, depth, rows);
        }
      }
      rows = std::fill_n(rows, (window.horizontal.filter - x.end) * depth, zero);
    }
  }
}

/// From NCHW to NHWC order.
template <class T>
void CopyToNhwc(const ImageSizes& sizes, const T* nchw, T* nhwc) {
  for (size_t pixel = 0; pixel < sizes.Pixels(); ++pixel) {
    const T* from = nchw + sizes.PixelOffset(pixel);
    for (size_t channel = 0; channel < sizes.depth; ++channel) {
      *nhwc++ = from[channel * sizes.ChannelStride()];
    }
  }
}

/// From NHWC to NCHW order.
template <class T>
void CopyToNchw(const ImageSizes& sizes, const T* nhwc, T* nchw) {
  for (size_t pixel = 0; pixel < sizes.Pixels(); ++pixel) {
    T* to = nchw + sizes.PixelOffset(pixel);
    for (size_t channel = 0; channel < sizes.depth; ++channel) {
      to[channel * sizes.ChannelStride()] = *nhwc++;
    }
  }
}

/// A tap that is outside of the images.
constexpr size_t kNoPixel = static_cast<size_t>(-1);

/// Whether the window at each position is the pixel of the same number.
inline bool IsPixelByPixel(const WindowGeometry& geometry) {
  const auto is_pixel_by_pixel = [](const WindowAxis& axis) {
    return axis.filter == 1 && axis.stride == 1 && axis.padding_head == 0 &&
           axis.Positions() == axis.image;
  };
  return is_pixel_by_pixel(geometry.window.vertical) &&
         is_pixel_by_pixel(geometry.window.horizontal);
}

/// Calls found(i * taps + tap, pixel) for all taps of the filter at `count` positions from `first`
/// on, counted in the order batch, row, column, with the number of the pixel under the tap.
template <class Found>
void FindPixels(const WindowGeometry& geometry, const std::vector<WindowTaps>& across, size_t first,
                size_t count, Found found) {
  const Window& window = geometry.window;
  const ImageSizes& images = geometry.images;
  const ImageSizes& results = geometry.results;
  const auto step = static_cast<size_t>(window.horizontal.dilation);
  size_t next = 0;
  size_t x = first % results.width;
  for (size_t position = first; position < first + count;) {
    const size_t row = position / results.width;
    const size_t batch = row / results.height;
    const WindowTaps down = TapsAt(window.vertical, static_cast<int64_t>(row % results.height));
    for (; x < results.width && position < first + count; ++x, ++position) {
      for (int64_t i = 0; i < window.vertical.filter; ++i) {
        const bool is_inside = i >= down.first && i < down.end;
        const int64_t left = is_inside ? across[x].first : window.horizontal.filter;
        const int64_t right = is_inside ? across[x].end : window.horizontal.filter;
        const int64_t image_row = down.image + (i - down.first) * window.vertical.dilation;
        size_t pixel = (batch * images.height + image_row) * images.width + across[x].image;
        int64_t j = 0;
        for (; j < left; ++j) found(next++, kNoPixel);
        for (; j < right; ++j, pixel += step) found(next++, pixel);
        for (; j < window.horizontal.filter; ++j) found(next++, kNoPixel);
      }
    }
    x = 0;
  }
}

/// The same as pointers: a pixel has `size` T, and one outside of the images is `outside`.
template <class T>
void PixelsUnderFilter(const WindowGeometry& geometry, const std::vector<WindowTaps>& across,
                       const T* elements, size_t size, const T* outside, size_t first, size_t count,
                       const T** pixels) {
  if (IsPixelByPixel(geometry)) {
    for (size_t i = 0; i < count; ++i) pixels[i] = elements + (first + i) * size;
    return;
  }
  FindPixels(geometry, across, first, count, [&](size_t i, size_t pixel) {
    pixels[i] = pixel == kNoPixel ? outside : elements + pixel * size;
  });
}

/// The bytes of quantized images in NHWC order.
inline const uint8_t* NhwcBytes(IntegerContext& context, int slot, const ImageSizes& images) {
  const auto input = context.Input<uint8_t>(slot);
  if (!images.is_nchw) return input.data;
  auto* bytes = context.UninitializedScratch<uint8_t>(input.size);
  CopyToNhwc(images, input.data, bytes);
  return bytes;
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_FAST_WINDOW_GEOMETRY_H_
