// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Slices of a tensor along all of its dimensions at once.

#ifndef NNCERT_REFERENCE_OPS_COMMON_SLICES_H_
#define NNCERT_REFERENCE_OPS_COMMON_SLICES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "reference/kernel.h"
#include "reference/ops/common/strided_copy.h"
#include "reference/tensor.h"

namespace nncert {

/// The elements begin, begin + stride, ..., `count` of them, of one dimension.
struct DimensionSlice {
  int64_t begin = 0;
  int64_t stride = 1;
  int64_t count = 0;
};

/// How many elements the slices have: the dimensions of what is sliced.
inline Shape CountsOf(const std::vector<DimensionSlice>& slices) {
  Shape counts;
  for (const DimensionSlice& slice : slices) counts.push_back(static_cast<uint32_t>(slice.count));
  return counts;
}

/// The kernel of slicing: copies the elements of input `slot` that are in a slice of each of its
/// dimensions into output 0, which may have another scale and zero point.
inline absl::Status CopySlices(MoveContext& context, int slot,
                               const std::vector<DimensionSlice>& slices) {
  const ElementsView input = context.Input(slot);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const auto strides = StridesOf(input.dimensions);
  CopyDimensions dimensions;
  int64_t first = 0;
  for (size_t d = 0; d < slices.size(); ++d) {
    first += slices[d].begin * strides[d];
    dimensions.push_back({static_cast<uint32_t>(slices[d].count), slices[d].stride * strides[d]});
  }
  StridedCopy(dimensions, first, input.element_size, input.data, output->data);
  context.Requantize(slot, 0, output->data);
  return absl::OkStatus();
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_SLICES_H_
