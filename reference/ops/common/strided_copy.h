// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Copying and filling blocks of elements, whatever they mean: what operations that only move
// elements share.
//
// A copy is described by its dimensions: how many elements, and how far apart they stand in the
// input and in the output. Whatever the operation, what lies side by side on both sides is moved in
// one piece, and the rest by loops over pieces of a size that the compiler knows.

#ifndef NNCERT_REFERENCE_OPS_COMMON_STRIDED_COPY_H_
#define NNCERT_REFERENCE_OPS_COMMON_STRIDED_COPY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "reference/operand_chooser.h"
#include "reference/tensor.h"

namespace nncert {

/// One dimension of a copy to a dense output: `count` elements, the input's `stride` elements
/// apart. A stride may be negative, or 0 to repeat what there is.
struct CopyDimension {
  uint32_t count = 1;
  int64_t stride = 1;
};

/// The dimensions of a copy to a dense output, outermost first.
using CopyDimensions = absl::InlinedVector<CopyDimension, 8>;

/// One dimension of a copy between two tensors: `count` elements, `from` elements apart in the
/// input and `to` elements apart in the output. Strides of the output must be above 0.
struct MoveDimension {
  uint64_t count = 1;
  int64_t from = 0;
  int64_t to = 0;
};

/// The dimensions of a copy between two tensors, outermost first.
using MoveDimensions = absl::InlinedVector<MoveDimension, 8>;

/// Distances, in elements, between neighbours along each dimension of a dense row-major tensor.
inline absl::InlinedVector<int64_t, 5> StridesOf(const Shape& shape) {
  absl::InlinedVector<int64_t, 5> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * static_cast<int64_t>(shape[i]);
  }
  return strides;
}

/// Calls `copy` with the number `bytes`: as a std::integral_constant where it is a usual small
/// size, so that a std::memcpy of as many bytes is a few instructions.
template <class Copy>
void WithRunSize(size_t bytes, Copy copy) {
  switch (bytes) {
    case 1:
      return copy(std::integral_constant<size_t, 1>());
    case 2:
      return copy(std::integral_constant<size_t, 2>());
    case 4:
      return copy(std::integral_constant<size_t, 4>());
    case 8:
      return copy(std::integral_constant<size_t, 8>());
    case 12:
      return copy(std::integral_constant<size_t, 12>());
    case 16:
      return copy(std::integral_constant<size_t, 16>());
    default:
      return copy(bytes);
  }
}

/// A copy of runs of bytes: `run` bytes that lie side by side in the input and in the output, moved
/// once for every index within `dimensions`, whose strides are in bytes.
struct RunCopy {
  size_t run = 0;
  MoveDimensions dimensions;
};

/// The copy with `dimensions` of elements of `element_size` bytes, in as few and as long runs as
/// possible. No count may be 0.
inline RunCopy ToRunCopy(const MoveDimensions& dimensions, size_t element_size) {
  RunCopy copy = {.run = element_size, .dimensions = {}};
  // Innermost first, until the end.
  for (size_t d = dimensions.size(); d-- > 0;) {
    // A stride that leads nowhere may be any number.
    if (dimensions[d].count == 1) continue;
    const MoveDimension inner = {dimensions[d].count,
                                 dimensions[d].from * static_cast<int64_t>(element_size),
                                 dimensions[d].to * static_cast<int64_t>(element_size)};
    const auto run = static_cast<int64_t>(copy.run);
    if (copy.dimensions.empty() && inner.from == run && inner.to == run) {
      copy.run *= inner.count;
      continue;
    }
    if (!copy.dimensions.empty()) {
      MoveDimension& last = copy.dimensions.back();
      const auto count = static_cast<int64_t>(last.count);
      if (inner.from == last.from * count && inner.to == last.to * count) {
        last.count *= inner.count;
        continue;
      }
    }
    copy.dimensions.push_back(inner);
  }
  std::reverse(copy.dimensions.begin(), copy.dimensions.end());
  return copy;
}

/// Moves `count` runs that stand `from_step` and `to_step` bytes apart.
template <class RunSize>
inline void CopyLine(int64_t count, int64_t from_step, int64_t to_step, RunSize run,
                     const std::byte* input, std::byte* output) {
  int64_t from = 0;
  if (to_step == static_cast<int64_t>(run)) {
    for (int64_t i = 0; i < count; ++i, from += from_step) {
      std::memcpy(output + i * static_cast<int64_t>(run), input + from, run);
    }
    return;
  }
  int64_t to = 0;
  for (int64_t i = 0; i < count; ++i, from += from_step, to += to_step) {
    std::memcpy(output + to, input + from, run);
  }
}

/// Moves the runs of a plane, the two innermost dimensions of a copy: `rows` times `columns`.
template <class RunSize>
void CopyPlane(const MoveDimension& rows, const MoveDimension& columns, RunSize run,
               const std::byte* input, std::byte* output) {
  const auto row_count = static_cast<int64_t>(rows.count);
  const auto column_count = static_cast<int64_t>(columns.count);
  // A plane that is transposed is moved in tiles, so that what the caches fetch for one column of
  // the input is still there for the next.
  constexpr int64_t kTile = 16;
  const bool is_transposed = rows.from == static_cast<int64_t>(run) &&
                             columns.from != static_cast<int64_t>(run) && row_count >= kTile &&
                             run <= kTile;
  const int64_t tile_columns = is_transposed ? kTile : column_count;
  for (int64_t column = 0; column < column_count; column += tile_columns) {
    const int64_t count = std::min(tile_columns, column_count - column);
    const std::byte* from = input + column * columns.from;
    std::byte* to = output + column * columns.to;
    for (int64_t row = 0; row < row_count; ++row) {
      CopyLine(count, columns.from, columns.to, run, from + row * rows.from, to + row * rows.to);
    }
  }
}

/// Moves all runs of `copy`. The position of the first run is `input` and `output`.
inline void CopyRuns(RunCopy copy, const std::byte* input, std::byte* output) {
  MoveDimensions& dimensions = copy.dimensions;
  // Where the input is read across its rows, the dimension along them becomes the next to the last.
  if (dimensions.size() > 2 && dimensions.back().to == static_cast<int64_t>(copy.run)) {
    const auto along =
        std::find_if(dimensions.begin(), dimensions.end(), [&copy](const MoveDimension& dimension) {
          return dimension.from == static_cast<int64_t>(copy.run);
        });
    if (along < dimensions.end() - 2) std::rotate(along, along + 1, dimensions.end() - 1);
  }
  const MoveDimension columns = dimensions.empty() ? MoveDimension() : dimensions.back();
  const MoveDimension rows =
      dimensions.size() < 2 ? MoveDimension() : dimensions[dimensions.size() - 2];
  dimensions.resize(dimensions.size() < 2 ? 0 : dimensions.size() - 2);
  WithRunSize(copy.run, [&](auto run) {
    absl::InlinedVector<uint64_t, 8> index(dimensions.size(), 0);
    int64_t from = 0;
    int64_t to = 0;
    while (true) {
      CopyPlane(rows, columns, run, input + from, output + to);
      // The next index within the dimensions, as an odometer counts.
      size_t d = dimensions.size();
      for (; d > 0; --d) {
        const MoveDimension& dimension = dimensions[d - 1];
        from += dimension.from;
        to += dimension.to;
        if (++index[d - 1] < dimension.count) break;
        index[d - 1] = 0;
        from -= dimension.from * static_cast<int64_t>(dimension.count);
        to -= dimension.to * static_cast<int64_t>(dimension.count);
      }
      if (d == 0) return;
    }
  });
}

/// Moves the input's elements number sum_d i_d * from_d to the output's elements number
/// sum_d i_d * to_d, for all indexes (i_0, i_1, ...) within the counts of `dimensions`: one element
/// when there are no dimensions, and none when a count is 0. All of these must be elements of the
/// input and of the output. `input` and `output` are where element 0 is.
inline void CopyElements(const MoveDimensions& dimensions, size_t element_size,
                         const std::byte* input, std::byte* output) {
  const bool is_empty = std::any_of(dimensions.begin(), dimensions.end(),
                                    [](const MoveDimension& d) { return d.count == 0; });
  if (!is_empty) CopyRuns(ToRunCopy(dimensions, element_size), input, output);
}

/// Fills `output` densely, in row-major order of indexes (i_0, i_1, ...) within the counts of
/// `dimensions`, with the input elements number first + sum_d i_d * stride_d. All of these must be
/// elements of the input.
inline void StridedCopy(const CopyDimensions& dimensions, int64_t first, size_t element_size,
                        const std::byte* input, std::byte* output) {
  MoveDimensions moved(dimensions.size());
  int64_t to = 1;
  for (size_t d = dimensions.size(); d-- > 0;) {
    // Without elements there is no first one either.
    if (dimensions[d].count == 0) return;
    moved[d] = {dimensions[d].count, dimensions[d].stride, to};
    to *= dimensions[d].count;
  }
  CopyElements(moved, element_size, input + first * static_cast<int64_t>(element_size), output);
}

/// Repeats one element of `size` bytes.
class ElementFill {
 public:
  /// `element` must outlive this.
  ElementFill(const std::byte* element, size_t size)
      : element_(element),
        size_(size),
        is_uniform_(std::all_of(element, element + size,
                                [element](std::byte byte) { return byte == *element; })) {}

  /// Writes the element `count` times, side by side.
  void Fill(size_t count, std::byte* to) const {
    const size_t bytes = count * size_;
    if (bytes == 0) return;
    if (is_uniform_) {
      std::memset(to, std::to_integer<int>(*element_), bytes);
      return;
    }
    // What is written so far is doubled.
    std::memcpy(to, element_, size_);
    for (size_t written = size_; written < bytes;) {
      const size_t more = std::min(written, bytes - written);
      std::memcpy(to + written, to, more);
      written += more;
    }
  }

 private:
  const std::byte* element_;
  size_t size_;
  bool is_uniform_;
};

// ---- Recipes ----

/// Half of the time, settles that a quantized output has scale and zero point of the input in
/// `slot`, so that elements are moved as they are. The signature leaves them free.
inline void ChooseRequantization(OperandChooser& choose, int slot) {
  if (!IsQuantized(choose.Type(slot)) || choose.OneIn(2)) return;
  choose.SettledRange(slot);
  const OperandInfo& input = choose.Info(slot);
  choose.SetOutputQuantization(0, input.scale, input.zeroPoint);
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_STRIDED_COPY_H_
