// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where the pixels are that a window slides over, for the fast kernels.

#ifndef NNCERT_REFERENCE_OPS_WINDOW_GEOMETRY_H_
#define NNCERT_REFERENCE_OPS_WINDOW_GEOMETRY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/kernel.h"
#include "reference/ops/image.h"

namespace nncert {

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
      across[x] = window.horizontal.TapsAt(static_cast<int64_t>(x));
    }
    return across;
  }

  Window window;
  ImageSizes images;
  ImageSizes results;
  size_t taps;
};

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
    const WindowTaps down = window.vertical.TapsAt(static_cast<int64_t>(row % results.height));
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

#endif  // NNCERT_REFERENCE_OPS_WINDOW_GEOMETRY_H_
