// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Sums of windows times filters as products of matrices.

#ifndef NNCERT_REFERENCE_FAST_WINDOW_PRODUCTS_H_
#define NNCERT_REFERENCE_FAST_WINDOW_PRODUCTS_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "reference/fast/window_geometry.h"
#include "reference/ops/common/image.h"

namespace nncert {

/// Sums of the products of windows with filters, a matrix product at a time. Keeps its buffers from
/// one product to the next.
template <class A>
class WindowProducts {
 public:
  using Number = typename A::Number;

  explicit WindowProducts(const A& arithmetic) : arithmetic_(arithmetic) {}

  /// Calls store(position, sums) for each position of the window, counted in the order batch, row,
  /// column: sums[i] is that of the products of the elements under the window with row i of
  /// `filters`, which has `count` rows of window height * window width * images.depth numbers. The
  /// window may have no taps; sums are then zero.
  /// `elements` are in NHWC order; what is outside the images is zero.
  template <class Store>
  void operator()(const Window& window, const ImageSizes& images, const Number* elements,
                  const Number* filters, size_t count, Store store) {
    const size_t depth =
        static_cast<size_t>(window.vertical.filter * window.horizontal.filter) * images.depth;
    const size_t positions = images.batches * static_cast<size_t>(window.vertical.Positions()) *
                             static_cast<size_t>(window.horizontal.Positions());
    const size_t at_a_time = std::min(
        positions, std::max<size_t>(1, kNumbersAtATime / std::max<size_t>({1, depth, count})));
    rows_.resize(std::max(rows_.size(), at_a_time * depth));
    sums_.resize(std::max(sums_.size(), at_a_time * count));
    for (size_t first = 0; first < positions; first += at_a_time) {
      const size_t rows = std::min(at_a_time, positions - first);
      if (depth == 0) {
        std::fill_n(sums_.begin(), rows * count, arithmetic_.Constant(0));
      } else {
        WindowsToRows(window, images, elements, first, rows, arithmetic_.Constant(0), rows_.data());
        arithmetic_.MatrixProduct({rows, count, depth}, rows_.data(), filters, sums_.data());
      }
      for (size_t i = 0; i < rows; ++i) store(first + i, sums_.data() + i * count);
    }
  }

 private:
  // Numbers in the rows that are laid out at a time: few enough to stay in a cache until the
  // product reads them.
  static constexpr size_t kNumbersAtATime = size_t{1} << 17;

  const A& arithmetic_;
  std::vector<Number> rows_;
  std::vector<Number> sums_;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_FAST_WINDOW_PRODUCTS_H_
