// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// SLICE: the elements from one place on, so many along every dimension.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/slices.h"
#include "reference/ops/common/strided_copy.h"

namespace nncert {
namespace {

enum : int { kInput, kBegin, kSize };

constexpr int32_t kToTheEnd = -1;

bool HaveTheRankOfTheInput(const OperationContext& context) {
  return HaveAnEntryForEachDimension(context, {kBegin, kSize}, kInput);
}

bool AreSizesMeaningful(const OperationContext& context) {
  const std::vector<int32_t> size = context.Int32s(kSize);
  return std::all_of(size.begin(), size.end(),
                     [](int32_t entry) { return entry > 0 || entry == kToTheEnd; });
}

std::vector<DimensionSlice> SlicesOf(const OperationContext& context) {
  const std::vector<int32_t> begin = context.Int32s(kBegin);
  const std::vector<int32_t> size = context.Int32s(kSize);
  std::vector<DimensionSlice> slices(begin.size());
  for (size_t d = 0; d < slices.size(); ++d) {
    const int64_t dimension = context.Input(kInput).dimensions[d];
    slices[d].begin = begin[d];
    slices[d].count = size[d] == kToTheEnd ? dimension - begin[d] : size[d];
  }
  return slices;
}

bool IsInsideOfTheInput(const OperationContext& context) {
  if (!HaveTheRankOfTheInput(context) || !AreSizesMeaningful(context)) return true;
  const std::vector<DimensionSlice> slices = SlicesOf(context);
  for (size_t d = 0; d < slices.size(); ++d) {
    const auto& [begin, stride, count] = slices[d];
    if (begin < 0 || count < 0 || begin + count > context.Input(kInput).dimensions[d]) return false;
  }
  return true;
}

void ChooseSlice(OperandChooser& choose) {
  std::vector<int32_t> begin;
  std::vector<int32_t> size;
  for (const uint32_t dimension : choose.Dimensions(kInput)) {
    const int64_t taken = choose.Between(1, dimension);
    const int64_t skipped = choose.Between(0, dimension - taken);
    const bool is_to_the_end = skipped + taken == dimension && choose.OneIn(2);
    begin.push_back(static_cast<int32_t>(skipped));
    size.push_back(is_to_the_end ? kToTheEnd : static_cast<int32_t>(taken));
  }
  choose.SetInt32s(kBegin, begin);
  choose.SetInt32s(kSize, size);
  ChooseRequantization(choose, kInput);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(SLICE) {
  return {
      .summary = "output[i_0, i_1, ...] = input[begin[0] + i_0, begin[1] + i_1, ...]",
      .description =
          "Along each dimension the slice begins at begin and has as many elements as size says, "
          "or all that are left when size is -1. A size of 0 is not allowed; the slice is empty "
          "where the input is, or where it begins at the end and has all that are left. A "
          "quantized output may have a scale and zero point of its own.",
      .signature =
          {.inputs = {NumberTensor("input").Describe("The tensor to be sliced; it may be empty."),
                      Int32Vector("begin").Describe("The first index along each dimension."),
                      Int32Vector("size").Describe("The number of elements along each dimension; "
                                                   "-1 for all from begin to the end.")},
           .outputs = {Tensor("output").TypeLike(kInput).Describe("The slice.")}},
      .constraints = {Constraint("begin and size have an entry for each dimension of the input",
                                 {.shapes = {kInput, kBegin, kSize}}, HaveTheRankOfTheInput),
                      Constraint("each entry of size is above 0 or -1",
                                 {.shapes = {kSize}, .values = {kSize}}, AreSizesMeaningful),
                      Constraint("the slice is inside of the input",
                                 {.shapes = {kInput, kBegin, kSize}, .values = {kBegin, kSize}},
                                 IsInsideOfTheInput)},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = CountsOf(SlicesOf(context));
        return absl::OkStatus();
      },
      .kernel = Move([](MoveContext& context) {
        return CopySlices(context, kInput, SlicesOf(context.operation()));
      }),
      .choose = ChooseSlice,
      .error_bound = "none: elements are moved, or rounded to another scale",
      .accepts_empty_tensors = true,
      .source = "types.hal 1.2, OperationType::SLICE",
  };
}

}  // namespace nncert
