// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/common/recurrent.h"

#include <cmath>
#include <deque>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reference/ops/common/elementwise.h"

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

OperandRule AuxOperand(std::string_view name, std::string_view description) {
  return Tensor(name).TypeLike(0).Omittable().Values(Uniform(-1, 1)).Describe(description);
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

void TakeGivenSizes(const OperandChooser& choose, absl::Span<const SharedSizes> operands) {
  for (const auto& [slot, sizes] : operands) {
    if (slot < 0 || !choose.IsGiven(slot)) continue;
    // A value of another rank will not fit, nor one that has two sizes where there should be one.
    const Shape& dimensions = choose.Info(slot).dimensions;
    for (size_t i = 0; i < std::min(sizes.size(), dimensions.size()); ++i) {
      *sizes[i] = dimensions[i];
    }
  }
}

void SetSharedSizes(OperandChooser& choose, absl::Span<const SharedSizes> operands) {
  for (const auto& [slot, sizes] : operands) {
    if (slot < 0) continue;
    Shape dimensions;
    for (const uint32_t* size : sizes) dimensions.push_back(*size);
    choose.SetDimensions(slot, dimensions);
  }
}

SharedSizes SequenceSizes::InSlot(const OperandChooser& choose, int slot, int time_major_slot) {
  if (time_major_slot < 0) return {slot, {&batches, &input_size}};
  if (choose.Int32(time_major_slot) != 0) return {slot, {&steps, &batches, &input_size}};
  return {slot, {&batches, &steps, &input_size}};
}

void SequenceSizes::Choose(OperandChooser& choose) {
  if (input_size == 0) input_size = choose.Size();
  if (batches == 0) {
    batches = choose.OneIn(8) ? choose.Size() : static_cast<uint32_t>(choose.Between(1, 3));
  }
  // Few, because each step makes the errors of the next ones greater.
  if (steps == 0) steps = static_cast<uint32_t>(choose.Between(1, choose.Between(1, 4)));
}

void ChooseUnits(OperandChooser& choose, uint32_t input_size, uint32_t& units) {
  constexpr uint64_t kFewUnits = 4;
  // How many times as large as wished for the weights may be for the sake of a given value.
  constexpr uint64_t kMostTimes = 64;
  const uint64_t most_elements = choose.most_elements();
  if (units == 0) {
    const auto root = static_cast<uint64_t>(std::sqrt(most_elements));
    units = choose.Size(
        static_cast<uint32_t>(std::min(root, std::max(most_elements / input_size, kFewUnits))));
  } else if (uint64_t{units} * units > kMostTimes * most_elements) {
    choose.Decline();
  }
}

void ChooseTimeMajor(OperandChooser& choose, int time_major_slot) {
  if (time_major_slot >= 0) choose.SetInt32(time_major_slot, choose.Between(0, 1));
}

void ChooseMergedOutputs(OperandChooser& choose, int merge_outputs_slot) {
  choose.SetInt32(merge_outputs_slot, choose.outputs().size() == 1 ? 1 : 0);
}

bool ChoosePart(OperandChooser& choose, absl::Span<const int> slots) {
  const auto is_given = [&](int slot) { return slot >= 0 && choose.IsGiven(slot); };
  return std::any_of(slots.begin(), slots.end(), is_given) || choose.OneIn(2);
}

void SetPart(OperandChooser& choose, absl::Span<const int> slots, bool is_there) {
  for (const int slot : slots) {
    if (slot >= 0) choose.SetOmitted(slot, !is_there);
  }
}

ValueRange WeightRange(double reach, uint32_t terms, ValueRange range) {
  // Numbers below 1 do not make the weights larger: those that come back as a state would grow.
  const double most = reach / (std::sqrt(terms) * std::max(range.Magnitude(), 1.0));
  // A power of two, so that products of few digits stay exact.
  const double rounded = std::exp2(std::round(std::log2(most)));
  return {-rounded, rounded};
}

double SetWeightRange(OperandChooser& choose, int slot, double reach, uint32_t terms,
                      ValueRange range) {
  const ValueRange weights = WeightRange(reach, terms, range);
  choose.SetRange(slot, weights);
  return choose.IsGiven(slot) ? std::max(1.0, choose.Range(slot).Magnitude() / weights.Magnitude())
                              : 1;
}

ChosenActivation ChooseActivationOfSums(OperandChooser& choose, int slot) {
  choose.SetInt32(slot, choose.Between(0, 3));
  const auto activation = static_cast<FusedActivationFunc>(choose.Int32(slot));
  double reach = 2 * choose.reach();
  // A good part of the sums is above 6, or not within 1.
  if (activation == FusedActivationFunc::RELU6) reach = 16;
  if (activation == FusedActivationFunc::RELU1) reach = 2;
  const DoubleArithmetic arithmetic;
  return {.reach = reach,
          .range = {Activate(arithmetic, activation, -1.5 * reach),
                    Activate(arithmetic, activation, 1.5 * reach)}};
}

}  // namespace nncert
