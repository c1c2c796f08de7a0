// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// STRIDED_SLICE: every stride-th element between two bounds, along every dimension.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/slices.h"
#include "reference/ops/common/strided_copy.h"

namespace nncert {
namespace {

enum : int { kInput, kBegin, kEnd, kStrides, kBeginMask, kEndMask, kShrinkAxisMask };

bool IsMarked(const OperationContext& context, int mask_slot, size_t dimension) {
  return ((static_cast<uint32_t>(context.Int32(mask_slot)) >> dimension) & 1) != 0;
}

// A negative index counts from the end. What is still outside is moved to the nearest place where a
// slice of that direction may begin or end: [0, size] forwards, [-1, size - 1] backwards.
int64_t Bound(int64_t index, int64_t size, bool is_backward) {
  const int64_t counted = index < 0 ? index + size : index;
  return is_backward ? std::clamp<int64_t>(counted, -1, size - 1)
                     : std::clamp<int64_t>(counted, 0, size);
}

std::vector<DimensionSlice> SlicesOf(const OperationContext& context) {
  const Shape& dimensions = context.Input(kInput).dimensions;
  const std::vector<int32_t> begin = context.Int32s(kBegin);
  const std::vector<int32_t> end = context.Int32s(kEnd);
  const std::vector<int32_t> strides = context.Int32s(kStrides);
  std::vector<DimensionSlice> slices(dimensions.size());
  for (size_t d = 0; d < dimensions.size(); ++d) {
    DimensionSlice& slice = slices[d];
    const int64_t size = dimensions[d];
    const bool is_backward = strides[d] < 0;
    slice.stride = strides[d];
    slice.begin = Bound(begin[d], size, is_backward);
    int64_t stop = Bound(end[d], size, is_backward);
    if (IsMarked(context, kBeginMask, d)) slice.begin = is_backward ? size - 1 : 0;
    if (IsMarked(context, kEndMask, d)) stop = is_backward ? -1 : size;
    const int64_t distance = is_backward ? slice.begin - stop : stop - slice.begin;
    const int64_t step = is_backward ? -slice.stride : slice.stride;
    slice.count = distance <= 0 ? 0 : (distance + step - 1) / step;
  }
  return slices;
}

bool HaveTheRankOfTheInput(const OperationContext& context) {
  return HaveAnEntryForEachDimension(context, {kBegin, kEnd, kStrides}, kInput);
}

bool NoStrideIsZero(const OperationContext& context) {
  const std::vector<int32_t> strides = context.Int32s(kStrides);
  return std::count(strides.begin(), strides.end(), 0) == 0;
}

// Does not judge where there is no slice of each dimension.
bool ShrunkDimensionsHaveOneElement(const OperationContext& context) {
  if (!HaveTheRankOfTheInput(context) || !NoStrideIsZero(context)) return true;
  const std::vector<DimensionSlice> slices = SlicesOf(context);
  for (size_t d = 0; d < slices.size(); ++d) {
    if (IsMarked(context, kShrinkAxisMask, d) && slices[d].count != 1) return false;
  }
  return true;
}

absl::Status SlicedShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const Shape counts = CountsOf(SlicesOf(context));
  std::vector<bool> is_shrunk(counts.size());
  for (size_t d = 0; d < counts.size(); ++d) is_shrunk[d] = IsMarked(context, kShrinkAxisMask, d);
  outputs[0] = WithoutAxes(counts, is_shrunk);
  return absl::OkStatus();
}

OperandRule BoundVector(std::string_view name) { return Int32Vector(name); }

// A number by chance of which Bound() makes `bound`, one of the places that it gives.
int32_t NumberOfBound(OperandChooser& choose, int64_t bound, int64_t size, bool is_backward) {
  const int64_t lowest = is_backward ? -1 : 0;
  if (bound == -1 || (bound == lowest && choose.OneIn(3))) {
    return static_cast<int32_t>(-size - choose.Between(1, 3));
  }
  if (bound == lowest + size && choose.OneIn(3)) {
    return static_cast<int32_t>(size + choose.Between(0, 2));
  }
  const bool is_from_the_end = bound < size && choose.OneIn(3);
  return static_cast<int32_t>(is_from_the_end ? bound - size : bound);
}

void ChooseBounds(OperandChooser& choose) {
  std::vector<int32_t> begin;
  std::vector<int32_t> end;
  std::vector<int32_t> strides;
  int64_t begin_mask = 0;
  int64_t end_mask = 0;
  int64_t shrink_mask = 0;
  int64_t bit = 1;
  for (const int64_t size : choose.Dimensions(kInput)) {
    const bool ignores_begin = choose.OneIn(4);
    const bool ignores_end = choose.OneIn(4);
    const bool is_shrunk = choose.OneIn(8);
    const bool is_backward = choose.OneIn(3);
    // In the direction of the slice: how many elements are before it, how far it reaches, and by
    // which steps.
    const int64_t before = ignores_begin || choose.OneIn(2) ? 0 : choose.Between(0, size - 1);
    int64_t step = choose.OneIn(2) ? 1 : choose.Between(2, 3);
    const int64_t left = size - before;
    const int64_t most = is_shrunk ? std::min(step, left) : left;
    const int64_t reach = ignores_end ? left : choose.OneIn(2) ? most : choose.Between(1, most);
    if (is_shrunk) step = std::max(step, reach);
    const int64_t first = is_backward ? size - 1 - before : before;
    const int64_t stop = is_backward ? first - reach : first + reach;
    const auto any = [&] { return static_cast<int32_t>(choose.Between(-size - 1, size + 1)); };
    begin.push_back(ignores_begin ? any() : NumberOfBound(choose, first, size, is_backward));
    end.push_back(ignores_end ? any() : NumberOfBound(choose, stop, size, is_backward));
    strides.push_back(static_cast<int32_t>(is_backward ? -step : step));
    if (ignores_begin) begin_mask |= bit;
    if (ignores_end) end_mask |= bit;
    if (is_shrunk) shrink_mask |= bit;
    bit <<= 1;
  }
  choose.SetInt32s(kBegin, begin);
  choose.SetInt32s(kEnd, end);
  choose.SetInt32s(kStrides, strides);
  choose.SetInt32(kBeginMask, begin_mask);
  choose.SetInt32(kEndMask, end_mask);
  choose.SetInt32(kShrinkAxisMask, shrink_mask);
  ChooseRequantization(choose, kInput);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(STRIDED_SLICE) {
  return {
      .summary = "output[i_0, i_1, ...] = input[begin[0] + i_0 * strides[0], begin[1] + ...]",
      .description =
          "Along each dimension the slice begins at begin and goes on in steps of the stride as "
          "long as it has not reached end; a negative stride goes backwards. A negative begin or "
          "end counts from the end of the dimension, and one outside of it means its nearer end. "
          "Bit d of a mask is for dimension d. A dimension that is shrunk is left out of the "
          "output; when all are, the output has the dimensions [1]. A quantized output may have a "
          "scale and zero point of its own.",
      .signature =
          {.inputs = {FloatOrQuantizedTensor("input")
                          .Ranks({1, 2, 3, 4})
                          .Describe("The tensor to be sliced."),
                      BoundVector("begin").Describe("The first index along each dimension."),
                      BoundVector("end").Describe("The index along each dimension at which it "
                                                  "stops, which is not in the slice any more."),
                      BoundVector("strides").Describe("The step along each dimension; not 0."),
                      Int32Scalar("beginMask")
                          .Values(Uniform(0, 15))
                          .Describe("Dimensions whose begin is ignored: the slice begins at their "
                                    "first element, or their last one when it goes backwards."),
                      Int32Scalar("endMask")
                          .Values(Uniform(0, 15))
                          .Describe(
                              "Dimensions whose end is ignored: the slice goes on to their end."),
                      Int32Scalar("shrinkAxisMask")
                          .Values(kNoValues)
                          .Describe("Dimensions of which one element is taken, and which the "
                                    "output does not have.")},
           .outputs =
               {Tensor("output").TypeLike(kInput).Ranks({1, 2, 3, 4}).Describe("The slice.")}},
      .constraints =
          {Constraint("begin, end and strides have an entry for each dimension of the input",
                      {.shapes = {kInput, kBegin, kEnd, kStrides}}, HaveTheRankOfTheInput),
           Constraint("no stride is zero", {.shapes = {kStrides}, .values = {kStrides}},
                      NoStrideIsZero),
           Constraint("the slice along a shrunk dimension has exactly one element",
                      {.shapes = {kInput, kBegin, kEnd, kStrides},
                       .values = {kBegin, kEnd, kStrides, kBeginMask, kEndMask, kShrinkAxisMask}},
                      ShrunkDimensionsHaveOneElement)},
      .shape = SlicedShape,
      .kernel = Move([](MoveContext& context) {
        return CopySlices(context, kInput, SlicesOf(context.operation()));
      }),
      .choose = ChooseBounds,
      .error_bound = "none: elements are moved, or rounded to another scale",
      .source = "types.hal 1.1, OperationType::STRIDED_SLICE",
  };
}

}  // namespace nncert
