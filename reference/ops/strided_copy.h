// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Gathers the elements of a tensor along several strides at once.

#ifndef NNCERT_REFERENCE_OPS_STRIDED_COPY_H_
#define NNCERT_REFERENCE_OPS_STRIDED_COPY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/container/inlined_vector.h"
#include "reference/tensor.h"

namespace nncert {

/// One dimension of a strided copy: `count` elements, the input's `stride` elements apart. A stride
/// may be negative.
struct CopyDimension {
  uint32_t count = 1;
  int64_t stride = 1;
};

/// The dimensions of a strided copy, outermost first.
using CopyDimensions = absl::InlinedVector<CopyDimension, 5>;

/// Distances, in elements, between neighbours along each dimension of a dense row-major tensor.
inline absl::InlinedVector<int64_t, 5> StridesOf(const Shape& shape) {
  absl::InlinedVector<int64_t, 5> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * static_cast<int64_t>(shape[i]);
  }
  return strides;
}

/// StridedCopy of elements of `kSize` bytes.
template <size_t kSize>
void StridedCopyOf(const CopyDimensions& dimensions, int64_t first, const std::byte* input,
                   std::byte* output) {
  // A scalar is a line of one element.
  const CopyDimension line = dimensions.empty() ? CopyDimension{} : dimensions.back();
  const size_t outer_rank = dimensions.empty() ? 0 : dimensions.size() - 1;
  size_t lines = line.count == 0 ? 0 : 1;
  for (size_t d = 0; d < outer_rank; ++d) lines *= dimensions[d].count;
  absl::InlinedVector<uint32_t, 5> index(outer_rank, 0);
  int64_t from = first;
  for (size_t i = 0; i < lines; ++i) {
    for (uint32_t k = 0; k < line.count; ++k, output += kSize) {
      std::memcpy(output, input + (from + k * line.stride) * static_cast<int64_t>(kSize), kSize);
    }
    for (size_t d = outer_rank; d-- > 0;) {
      from += dimensions[d].stride;
      if (++index[d] < dimensions[d].count) break;
      index[d] = 0;
      from -= dimensions[d].stride * dimensions[d].count;
    }
  }
}

/// Fills `output` densely, in row-major order of indexes (i_0, i_1, ...) within the counts of
/// `dimensions`, with the input elements number first + sum_d i_d * stride_d. All of these must be
/// elements of the input; `element_size` is 1, 2, 4, 8 or 16 bytes.
inline void StridedCopy(const CopyDimensions& dimensions, int64_t first, size_t element_size,
                        const std::byte* input, std::byte* output) {
  switch (element_size) {
    case 1:
      return StridedCopyOf<1>(dimensions, first, input, output);
    case 2:
      return StridedCopyOf<2>(dimensions, first, input, output);
    case 4:
      return StridedCopyOf<4>(dimensions, first, input, output);
    case 8:
      return StridedCopyOf<8>(dimensions, first, input, output);
    case 16:
      return StridedCopyOf<16>(dimensions, first, input, output);
  }
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_STRIDED_COPY_H_
