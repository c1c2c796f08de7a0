// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Images together with what a window reaches outside of them, for windows on pixels of few
// channels: the pixels under one row of the filter then lie one after the other, and need not be
// copied together for each position.

#ifndef NNCERT_REFERENCE_FAST_PADDED_IMAGES_H_
#define NNCERT_REFERENCE_FAST_PADDED_IMAGES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "reference/fast/window_geometry.h"

namespace nncert {

/// The rows of padded images, counted over all batches, which hold what is under a window and no
/// more. `geometry` must outlive this.
class PaddedImages {
 public:
  /// Whether the window is to be read in this way: its taps are side by side, it moves by no more
  /// than its length, so that each element of the padded images is under it somewhere, and padding
  /// makes images at most four times as large.
  static bool Serve(const WindowGeometry& geometry) {
    const auto is_dense = [](const WindowAxis& axis) {
      return axis.dilation == 1 && axis.stride <= axis.filter;
    };
    const Window& window = geometry.window;
    const double pixels =
        static_cast<double>(geometry.images.height) * static_cast<double>(geometry.images.width);
    return is_dense(window.vertical) && is_dense(window.horizontal) &&
           static_cast<double>(ReachOf(window.vertical)) *
                   static_cast<double>(ReachOf(window.horizontal)) <=
               4 * pixels;
  }

  explicit PaddedImages(const WindowGeometry& geometry)
      : geometry_(geometry),
        height_(ReachOf(geometry.window.vertical)),
        width_(ReachOf(geometry.window.horizontal)) {}

  size_t rows() const { return geometry_.images.batches * height_; }
  /// The elements of a row.
  size_t row_size() const { return width_ * geometry_.images.depth; }

  /// Writes row `row`. `elements` are those of the images in NHWC order; `zero` is what is outside.
  template <class T>
  void CopyRow(size_t row, const T* elements, const T& zero, T* to) const {
    const ImageSizes& images = geometry_.images;
    const int64_t y = static_cast<int64_t>(row % height_) - geometry_.window.vertical.padding_head;
    const auto before = static_cast<size_t>(geometry_.window.horizontal.padding_head);
    if (y < 0 || y >= static_cast<int64_t>(images.height) || before >= width_) {
      std::fill_n(to, row_size(), zero);
      return;
    }
    const size_t inside = std::min(images.width, width_ - before);
    const size_t image_row = row / height_ * images.height + static_cast<size_t>(y);
    to = std::fill_n(to, before * images.depth, zero);
    to = std::copy_n(elements + image_row * images.width * images.depth, inside * images.depth, to);
    std::fill_n(to, (width_ - before - inside) * images.depth, zero);
  }

  /// Where what is under each row of the filter begins at `count` positions from `first` on,
  /// counted in the order batch, row, column. Rows are `row_size` T apart in `padded`, pixels
  /// `pixel_size`.
  template <class T>
  void FindRows(const T* padded, size_t row_size, size_t pixel_size, size_t first, size_t count,
                const T** pieces) const {
    const Window& window = geometry_.window;
    const ImageSizes& results = geometry_.results;
    const auto filter = static_cast<size_t>(window.vertical.filter);
    const size_t step = static_cast<size_t>(window.horizontal.stride) * pixel_size;
    const size_t filter_size = filter * row_size;
    for (size_t position = first; position < first + count;) {
      const size_t row = position / results.width;
      const size_t y = row / results.height * height_ +
                       row % results.height * static_cast<size_t>(window.vertical.stride);
      size_t x = position % results.width;
      const size_t end = std::min(results.width, x + first + count - position);
      position += end - x;
      for (const T* piece = padded + y * row_size + x * step; x < end; ++x, piece += step) {
        for (size_t i = 0; i < filter_size; i += row_size) *pieces++ = piece + i;
      }
    }
  }

 private:
  const WindowGeometry& geometry_;
  const size_t height_;
  const size_t width_;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_FAST_PADDED_IMAGES_H_
