// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Slices of a tensor along one axis, and the operand that names it.

#ifndef NNCERT_REFERENCE_OPS_COMMON_AXIS_H_
#define NNCERT_REFERENCE_OPS_COMMON_AXIS_H_

#include <cstddef>
#include <vector>

#include "reference/operation_definition.h"
#include "reference/tensor.h"

namespace nncert {

/// The elements of a tensor that differ in their index on one axis alone: `length` elements,
/// `stride` apart.
struct Slice {
  size_t first;
  size_t stride;
  size_t length;

  /// Where element `i` of the slice stands in the tensor.
  size_t Index(size_t i) const { return first + i * stride; }
};

/// A tensor seen as [outer, length, inner] around one axis.
struct AxisSizes {
  size_t outer = 1;
  size_t length = 1;
  size_t inner = 1;
};

/// The sizes around `axis`, which must be in [-rank, rank).
inline AxisSizes SizesAround(const Shape& shape, int axis) {
  const auto canonical = static_cast<size_t>(CanonicalAxis(axis, static_cast<int>(shape.size())));
  AxisSizes sizes;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i < canonical) sizes.outer *= shape[i];
    if (i == canonical) sizes.length = shape[i];
    if (i > canonical) sizes.inner *= shape[i];
  }
  return sizes;
}

/// All slices along `axis`, which must be in [-rank, rank), in row-major order of their first
/// elements. None when the axis is empty.
inline std::vector<Slice> SlicesAlong(const Shape& shape, int axis) {
  const AxisSizes sizes = SizesAround(shape, axis);
  std::vector<Slice> slices;
  if (sizes.length == 0) return slices;
  slices.reserve(sizes.outer * sizes.inner);
  for (size_t outer = 0; outer < sizes.outer; ++outer) {
    for (size_t inner = 0; inner < sizes.inner; ++inner) {
      slices.push_back({outer * sizes.length * sizes.inner + inner, sizes.inner, sizes.length});
    }
  }
  return slices;
}

/// The rule of an INT32 scalar that names the axis of the slices.
inline OperandRule AxisScalar() {
  return Int32Scalar("axis").Values(kNoValues).Describe(
      "The axis of the slices; negative counts from the end.");
}

/// The rule of one that may be left out, and came with HAL 1.2.
inline OperandRule OptionalAxisScalar() {
  return AxisScalar()
      .Since(HalVersion::V1_2)
      .Trailing()
      .Describe("The axis of the slices; negative counts from the end. Default -1.");
}

/// The constraint that the INT32 slot `kAxisSlot`, `kDefault` when it is not filled, is an axis of
/// the tensor in slot `kTensorSlot`.
template <int kTensorSlot, int kAxisSlot, int kDefault = -1>
Constraint AxisConstraint() {
  return Constraint("axis is in [-rank, rank)", {.shapes = {kTensorSlot}, .values = {kAxisSlot}},
                    [](const OperationContext& context) {
                      return CanonicalAxis(context.Int32(kAxisSlot, kDefault),
                                           context.Rank(kTensorSlot)) >= 0;
                    });
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_AXIS_H_
