// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/common/recurrent.h"

#include <deque>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"

namespace nncert {
namespace {

// `text` with a static lifetime.
std::string_view StaticText(std::string text) {
  // Never destroyed: definitions are used until the program ends.
  static auto& texts = *new std::deque<std::string>();
  return texts.emplace_back(std::move(text));
}

}  // namespace

std::string OperandPrefix(CellRole role) {
  switch (role) {
    case CellRole::kOnly:
      return "";
    case CellRole::kForward:
      return "fw_";
    case CellRole::kBackward:
      return "bw_";
  }
  return "";
}

std::string_view CellText(CellRole role, std::string_view text) {
  if (role == CellRole::kOnly) return StaticText(std::string(text));
  return StaticText(absl::StrCat(role == CellRole::kForward ? "forward" : "backward",
                                 " cell: ", std::string(text)));
}

SequenceShape SequenceShapeOf(const OperationContext& context, int input_slot,
                              int time_major_slot) {
  const Shape& dimensions = context.Input(input_slot).dimensions;
  if (time_major_slot < 0) return {.steps = 1, .batches = dimensions[0], .is_time_major = true};
  const bool is_time_major = context.Input(time_major_slot).type == OperandType::BOOL
                                 ? context.Bool(time_major_slot)
                                 : context.Int32(time_major_slot) != 0;
  return {.steps = dimensions[is_time_major ? 0 : 1],
          .batches = dimensions[is_time_major ? 1 : 0],
          .is_time_major = is_time_major};
}

Shape SequenceDimensions(const SequenceShape& shape, uint32_t size) {
  const auto steps = static_cast<uint32_t>(shape.steps);
  const auto batches = static_cast<uint32_t>(shape.batches);
  return shape.is_time_major ? Shape{steps, batches, size} : Shape{batches, steps, size};
}

OperandRule MatrixOperand(const std::string& name, std::string_view description) {
  return Tensor(name).TypeLike(0).Ranks({2}).Values(Uniform(-1, 1)).Describe(description);
}

OperandRule VectorOperand(const std::string& name, std::string_view description) {
  return Tensor(name).TypeLike(0).Ranks({1}).Values(Uniform(-1, 1)).Describe(description);
}

OperandRule RecurrentInput(int rank, std::string_view description) {
  return FloatTensor("input").Ranks({rank}).Values(Uniform(-1, 1)).Describe(description);
}

OperandRule TimeMajorScalar(std::string_view name) {
  return BoolScalar(name).Describe(
      "True when sequences are time-major, false when they are batch-major.");
}

OperandRule MergeOutputsScalar(std::string_view name) {
  return BoolScalar(name).Describe(
      "True when there is one output, in which each output of the forward cell is followed by that "
      "of the backward cell.");
}

double RecurrentSteps(const OperationContext& context) {
  const Shape& input = context.Input(0).dimensions;
  double vectors = 1;
  for (size_t i = 0; i + 1 < input.size(); ++i) vectors *= input[i];
  double weights = 0;
  for (size_t slot = 1; slot < context.definition().signature.inputs.size(); ++slot) {
    const int number = static_cast<int>(slot);
    if (context.Has(number)) weights += ElementCount(context.Input(number));
  }
  return vectors * weights;
}

bool HaveDimensions(const OperationContext& context, std::initializer_list<int> slots,
                    const Shape& expected) {
  return std::all_of(slots.begin(), slots.end(), [&](int slot) {
    return !context.Has(slot) || context.Input(slot).dimensions == expected;
  });
}

bool AllOrNone(const OperationContext& context, std::initializer_list<int> slots) {
  const auto has_value = [&](int slot) { return context.Has(slot); };
  return std::all_of(slots.begin(), slots.end(), has_value) ||
         std::none_of(slots.begin(), slots.end(), has_value);
}

std::vector<int> SlotsOf(std::initializer_list<int> slots) {
  std::vector<int> present;
  std::copy_if(slots.begin(), slots.end(), std::back_inserter(present),
               [](int slot) { return slot >= 0; });
  return present;
}

std::vector<OperandRule> TwoDirectionOutputs(std::string_view forward_size,
                                             std::string_view backward_size) {
  const std::string forward(forward_size);
  const std::string backward(backward_size);
  return {
      Tensor("fw_output")
          .TypeLike(0)
          .Ranks({3})
          .Describe(absl::StrCat(
              "The outputs of the forward cell, [steps, batches, ", forward,
              "] or, batch-major, [batches, steps, ", forward,
              "]. Merged, each is followed by that of the backward cell: the last dimension is ",
              forward, " + ", backward, ".")),
      Tensor("bw_output")
          .TypeLike(0)
          .Ranks({3})
          .Trailing()
          .Describe(absl::StrCat("The outputs of the backward cell, each at the place of its "
                                 "input, of dimensions [steps, batches, ",
                                 backward, "] or, batch-major, [batches, steps, ", backward,
                                 "]. Left out when the outputs are merged."))};
}

void TwoDirectionShapes(const SequenceShape& shape, uint32_t forward_size, uint32_t backward_size,
                        bool is_merged, std::vector<Shape>& outputs) {
  outputs[0] = SequenceDimensions(shape, is_merged ? forward_size + backward_size : forward_size);
  if (!is_merged) outputs[1] = SequenceDimensions(shape, backward_size);
}

}  // namespace nncert
