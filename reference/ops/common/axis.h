// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Axes of a tensor, the operands that name them, and slices along one.

#ifndef NNCERT_REFERENCE_OPS_COMMON_AXIS_H_
#define NNCERT_REFERENCE_OPS_COMMON_AXIS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

#include "reference/operand_chooser.h"
#include "reference/operation_context.h"
#include "reference/operation_definition.h"
#include "reference/tensor.h"

namespace nncert {

/// The axis of the tensor in slot `tensor_slot` that the INT32 slot `axis_slot` names, or
/// `otherwise` where that slot is not filled, counted from the outermost. Either may be negative
/// and count from the end. -1 when there is no such axis.
inline int AxisOf(const OperationContext& context, int axis_slot, int tensor_slot,
                  int otherwise = -1) {
  return CanonicalAxis(context.Int32(axis_slot, otherwise), context.Rank(tensor_slot));
}

/// The length of the tensor in slot `tensor_slot` along that axis, which must be one of its axes.
inline uint32_t LengthAlong(const OperationContext& context, int axis_slot, int tensor_slot,
                            int otherwise = -1) {
  return context.Input(tensor_slot)
      .dimensions[static_cast<size_t>(AxisOf(context, axis_slot, tensor_slot, otherwise))];
}

/// Whether the INT32 slot `number_slot` divides that length; also where there is no such axis or
/// the number is not above 0, which other constraints judge.
inline bool DividesLength(const OperationContext& context, int number_slot, int axis_slot,
                          int tensor_slot) {
  const int32_t number = context.Int32(number_slot);
  return number <= 0 || AxisOf(context, axis_slot, tensor_slot) < 0 ||
         LengthAlong(context, axis_slot, tensor_slot) % static_cast<uint32_t>(number) == 0;
}

/// Whether each of `vector_slots`, tensors of rank 1, has one entry for each dimension of the
/// tensor in slot `tensor_slot`.
inline bool HaveAnEntryForEachDimension(const OperationContext& context,
                                        std::initializer_list<int> vector_slots, int tensor_slot) {
  const auto rank = static_cast<uint32_t>(context.Rank(tensor_slot));
  return std::all_of(vector_slots.begin(), vector_slots.end(),
                     [&](int slot) { return context.Input(slot).dimensions[0] == rank; });
}

/// Whether each of `axes` is one of a tensor of `rank` dimensions: in [-rank, rank).
inline bool AreAxes(const std::vector<int32_t>& axes, int rank) {
  return std::all_of(axes.begin(), axes.end(),
                     [rank](int32_t axis) { return CanonicalAxis(axis, rank) >= 0; });
}

/// Which axes of a tensor of `rank` dimensions are among `axes`, all of which are in [-rank, rank).
inline std::vector<bool> NamedAxes(const std::vector<int32_t>& axes, int rank) {
  std::vector<bool> is_named(static_cast<size_t>(rank));
  for (const int32_t axis : axes) is_named[static_cast<size_t>(CanonicalAxis(axis, rank))] = true;
  return is_named;
}

/// `dimensions` without those that `is_left_out` says. [1] when none is left: a tensor without
/// dimensions would be one of unknown rank.
inline Shape WithoutAxes(const Shape& dimensions, const std::vector<bool>& is_left_out) {
  Shape left;
  for (size_t axis = 0; axis < dimensions.size(); ++axis) {
    if (!is_left_out[axis]) left.push_back(dimensions[axis]);
  }
  if (left.empty()) left.push_back(1);
  return left;
}

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
                      return AxisOf(context, kAxisSlot, kTensorSlot, kDefault) >= 0;
                    });
}

// ---- Recipes ----

/// Settles the axis in `axis_slot`, by either sign, and the dimensions of the tensor in
/// `tensor_slot`. Returns the axis counted from the outermost: `otherwise` when it is left out.
inline int ChooseAxis(OperandChooser& choose, int axis_slot, int tensor_slot, int otherwise = -1) {
  const int rank = static_cast<int>(choose.Dimensions(tensor_slot).size());
  if (!choose.Has(axis_slot)) return CanonicalAxis(otherwise, rank);
  const auto axis = static_cast<int>(choose.Between(-rank, rank - 1));
  choose.SetInt32(axis_slot, axis);
  return CanonicalAxis(axis, rank);
}

/// The recipe of an operation on the slices of a tensor along an axis.
template <int kTensorSlot, int kAxisSlot>
void ChooseSlices(OperandChooser& choose) {
  ChooseAxis(choose, kAxisSlot, kTensorSlot);
}

/// The axes of a tensor of `rank` dimensions, in an order by chance.
inline std::vector<int32_t> ShuffledAxes(OperandChooser& choose, size_t rank) {
  std::vector<int32_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  for (size_t i = 1; i < rank; ++i) std::swap(axes[i], axes[choose.random().Below(i + 1)]);
  return axes;
}

/// `axes`, one or more, as an operand may list them: by either sign, and at times one of them
/// twice.
inline std::vector<int32_t> ListOfAxes(OperandChooser& choose, std::vector<int32_t> axes,
                                       size_t rank) {
  if (choose.OneIn(8)) axes.push_back(axes.front());
  for (int32_t& axis : axes) {
    if (choose.OneIn(2)) axis -= static_cast<int32_t>(rank);
  }
  return axes;
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_AXIS_H_
