// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Reductions of a tensor over some of its axes: what MEAN and the REDUCE operations share.

#ifndef NNCERT_REFERENCE_OPS_COMMON_REDUCTION_H_
#define NNCERT_REFERENCE_OPS_COMMON_REDUCTION_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "reference/operand_chooser.h"
#include "reference/operation_definition.h"
#include "reference/ops/common/axis.h"
#include "reference/tensor.h"

namespace nncert {

/// The input slots of every reduction: the tensor, the axes, and whether axes stay.
enum ReductionSlot : int { kReductionInput, kReductionAxes, kReductionKeepDims };

/// The rule of the axes. An axis that is named twice, or by a negative and a positive number, is
/// reduced once.
inline OperandRule ReductionAxes() {
  return Int32Vector("axes").Values(kNoValues).Describe(
      "The axes to reduce over; negative ones count from the end.");
}

/// The constraint that each axis is one of the input's.
inline Constraint ReductionAxesConstraint() {
  return Constraint("each axis is in [-rank, rank)",
                    {.shapes = {kReductionInput}, .values = {kReductionAxes}},
                    [](const OperationContext& context) {
                      return AreAxes(context.Int32s(kReductionAxes), context.Rank(kReductionInput));
                    });
}

/// Which axes of the input are reduced over. All of them must be in range.
inline std::vector<bool> ReducedAxes(const OperationContext& context) {
  return NamedAxes(context.Int32s(kReductionAxes), context.Rank(kReductionInput));
}

/// The dimensions of the output: those of the input, where those that are reduced over are 1 if
/// `keep_dims`, and else are left out. [1] when nothing is left.
inline Shape ReducedShape(const OperationContext& context, bool keep_dims) {
  const Shape& input = context.Input(kReductionInput).dimensions;
  const std::vector<bool> is_reduced = ReducedAxes(context);
  if (!keep_dims) return WithoutAxes(input, is_reduced);
  Shape output = input;
  for (size_t i = 0; i < input.size(); ++i) {
    if (is_reduced[i]) output[i] = 1;
  }
  return output;
}

/// Where the elements that are reduced to one stand in the input: element k of group i at
/// groups[i] + members[k]. Groups are in the order of the output.
struct ReductionGroups {
  std::vector<size_t> groups;
  std::vector<size_t> members;
};

/// The groups of a reduction of a tensor of dimensions `input`, none of which may be 0.
inline ReductionGroups ReductionGroupsOf(const Shape& input, const std::vector<bool>& is_reduced) {
  ReductionGroups result = {.groups = {0}, .members = {0}};
  size_t stride = NumberOfElements(input);
  for (size_t axis = 0; axis < input.size(); ++axis) {
    stride /= input[axis];
    std::vector<size_t>& offsets = is_reduced[axis] ? result.members : result.groups;
    std::vector<size_t> spread;
    spread.reserve(offsets.size() * input[axis]);
    for (const size_t offset : offsets) {
      for (size_t i = 0; i < input[axis]; ++i) spread.push_back(offset + i * stride);
    }
    offsets = std::move(spread);
  }
  return result;
}

// ---- Recipes ----

/// Settles the dimensions of the input, and the axes: at least one, as an empty operand could be no
/// constant. Returns how many elements are reduced to one.
inline uint64_t ChooseReduction(OperandChooser& choose) {
  const Shape& input = choose.Dimensions(kReductionInput);
  std::vector<int32_t> axes = ShuffledAxes(choose, input.size());
  // Few axes more often than many, so that elements are left.
  axes.resize(choose.random().Below(choose.random().Below(input.size()) + 1) + 1);
  uint64_t members = 1;
  for (const int32_t axis : axes) members *= input[static_cast<size_t>(axis)];
  choose.SetInt32s(kReductionAxes, ListOfAxes(choose, std::move(axes), input.size()));
  return members;
}

/// What a sum of `terms` numbers in `range` is in, up to three standard deviations.
inline ValueRange RangeOfSum(ValueRange range, uint64_t terms) {
  const auto count = static_cast<double>(terms);
  const double mean = count * (range.lowest + range.highest) / 2;
  // The standard deviation of one number is half of the range / sqrt(3).
  const double reach = (range.highest - range.lowest) / 2 * std::min(count, std::sqrt(3 * count));
  return {mean - reach, mean + reach};
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_REDUCTION_H_
