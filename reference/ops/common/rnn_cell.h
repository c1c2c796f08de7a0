// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The basic recurrent cell, for the RNN operation and those over sequences.
//
//   h' = activation(W x + A a + R h + b)
//
// with x the input, a the auxiliary input (of BIDIRECTIONAL_SEQUENCE_RNN alone), h the hidden
// state, and h' the new hidden state, which is also the output (types.hal 1.2, OperationType::RNN
// and BIDIRECTIONAL_SEQUENCE_RNN).

#ifndef NNCERT_REFERENCE_OPS_COMMON_RNN_CELL_H_
#define NNCERT_REFERENCE_OPS_COMMON_RNN_CELL_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/elementwise.h"
#include "reference/ops/common/recurrent.h"

namespace nncert {

/// Where the operands of a cell stand. -1 stands for an operand that the operation does not have.
struct RnnSlots {
  CellRole role = CellRole::kOnly;
  int input = 0;
  int weights = 1;  ///< followed by the recurrent weights, the bias and the hidden state
  int activation = 5;
  int time_major = -1;
  int aux_input = -1;
  int aux_weights = -1;

  constexpr int recurrent_weights() const { return weights + 1; }
  constexpr int bias() const { return weights + 2; }
  constexpr int hidden_state() const { return weights + 3; }
};

/// The size of the hidden state. The dimensions of the weights must be known.
inline uint32_t NumUnits(const OperationContext& context, const RnnSlots& slots) {
  return context.Input(slots.weights).dimensions[0];
}

/// The rules of the weights, the recurrent weights, the bias and the hidden state.
inline std::vector<OperandRule> RnnCellRules(CellRole role) {
  const std::string prefix = OperandPrefix(role);
  return {MatrixOperand(prefix + "weights", "W: [num_units, input_size]."),
          MatrixOperand(prefix + "recurrent_weights", "R: [num_units, num_units]."),
          VectorOperand(prefix + "bias", "b: [num_units]."),
          MatrixOperand(prefix + "hidden_state", "h before the first step: [batches, num_units].")};
}

/// What the operands of a cell have to do with each other.
template <RnnSlots kSlots>
std::vector<Constraint> RnnCellConstraints() {
  std::vector<Constraint> constraints = {
      Constraint(CellText(kSlots.role, "the weights are of dimensions [num_units, input_size]"),
                 {.shapes = {kSlots.input, kSlots.weights}},
                 [](const OperationContext& context) {
                   return context.Input(kSlots.weights).dimensions[1] ==
                          context.Input(kSlots.input).dimensions.back();
                 }),
      Constraint(
          CellText(kSlots.role, "the recurrent weights are of dimensions [num_units, num_units]"),
          {.shapes = {kSlots.weights, kSlots.recurrent_weights()}},
          [](const OperationContext& context) {
            const uint32_t units = NumUnits(context, kSlots);
            return HaveDimensions(context, {kSlots.recurrent_weights()}, {units, units});
          }),
      Constraint(CellText(kSlots.role, "the bias is of dimensions [num_units]"),
                 {.shapes = {kSlots.weights, kSlots.bias()}},
                 [](const OperationContext& context) {
                   return HaveDimensions(context, {kSlots.bias()}, {NumUnits(context, kSlots)});
                 }),
      Constraint(CellText(kSlots.role, "the hidden state is of dimensions [batches, num_units]"),
                 {.shapes = {kSlots.input, kSlots.weights, kSlots.hidden_state()},
                  .values = SlotsOf({kSlots.time_major})},
                 [](const OperationContext& context) {
                   const SequenceShape shape =
                       SequenceShapeOf(context, kSlots.input, kSlots.time_major);
                   return HaveDimensions(
                       context, {kSlots.hidden_state()},
                       {static_cast<uint32_t>(shape.batches), NumUnits(context, kSlots)});
                 })};
  if constexpr (kSlots.aux_input >= 0) {
    constraints.push_back(
        Constraint(CellText(kSlots.role,
                            "the auxiliary weights are of the dimensions of the weights, and have "
                            "values exactly if the auxiliary input has"),
                   {.shapes = {kSlots.weights, kSlots.aux_input, kSlots.aux_weights}},
                   [](const OperationContext& context) {
                     return AllOrNone(context, {kSlots.aux_input, kSlots.aux_weights}) &&
                            HaveDimensions(context, {kSlots.aux_weights},
                                           context.Input(kSlots.weights).dimensions);
                   }));
  }
  return constraints;
}

/// Chooses the operands of an operation whose cells stand at `cells`, all of them reading the same
/// input.
inline void ChooseRnnOperands(OperandChooser& choose, absl::Span<const RnnSlots> cells) {
  const RnnSlots& first = cells.front();
  ChooseTimeMajor(choose, first.time_major);
  std::vector<int> aux_part = {first.aux_input};
  for (const RnnSlots& cell : cells) aux_part.push_back(cell.aux_weights);
  SetPart(choose, aux_part, ChoosePart(choose, aux_part));

  SequenceSizes sequence;
  absl::InlinedVector<uint32_t, 2> units(cells.size(), 0);
  std::vector<SharedSizes> operands = {sequence.InSlot(choose, first.input, first.time_major),
                                       sequence.InSlot(choose, first.aux_input, first.time_major)};
  for (size_t i = 0; i < cells.size(); ++i) {
    operands.push_back({cells[i].weights, {&units[i], &sequence.input_size}});
    operands.push_back({cells[i].aux_weights, {&units[i], &sequence.input_size}});
    operands.push_back({cells[i].recurrent_weights(), {&units[i], &units[i]}});
    operands.push_back({cells[i].bias(), {&units[i]}});
    operands.push_back({cells[i].hidden_state(), {&sequence.batches, &units[i]}});
  }
  TakeGivenSizes(choose, operands);
  sequence.Choose(choose);
  for (uint32_t& size : units) ChooseUnits(choose, sequence.input_size, size);
  SetSharedSizes(choose, operands);

  const ChosenActivation activation = ChooseActivationOfSums(choose, first.activation);
  double beyond = 1;
  const auto range = [&](int slot, double reach, uint32_t terms, int factor_slot) {
    if (slot < 0) return;
    beyond *= SetWeightRange(choose, slot, reach, terms, choose.Range(factor_slot));
  };
  for (size_t i = 0; i < cells.size(); ++i) {
    range(cells[i].weights, activation.reach, sequence.input_size, first.input);
    range(cells[i].aux_weights, activation.reach, sequence.input_size, first.aux_input);
    range(cells[i].recurrent_weights(), 1, units[i], cells[i].hidden_state());
  }
  for (size_t i = 0; i < choose.outputs().size(); ++i) {
    choose.SetOutputRange(static_cast<int>(i), activation.range.Times(beyond));
  }
}

/// A cell that runs through time.
template <class A>
class RnnCell {
 public:
  using Number = typename A::Number;

  /// The cell whose operands stand at `slots`, before its first step. What `context` loads must
  /// outlive it.
  RnnCell(const A& arithmetic, KernelContext<A>& context, const RnnSlots& slots)
      : arithmetic_(arithmetic),
        activation_(ActivationOf(context.operation(), slots.activation)),
        batches_(context->Input(slots.hidden_state()).dimensions[0]),
        units_(NumUnits(context.operation(), slots)),
        input_size_(context->Input(slots.weights).dimensions[1]),
        weights_(context.Input(slots.weights).data),
        aux_weights_(slots.aux_weights >= 0 && context->Has(slots.aux_weights)
                         ? context.Input(slots.aux_weights).data
                         : nullptr),
        recurrent_weights_(context.Input(slots.recurrent_weights()).data),
        bias_(context.Input(slots.bias()).data),
        products_in_sum_((aux_weights_ == nullptr ? 1 : 2) * input_size_ + units_) {
    const auto hidden_state = context.Input(slots.hidden_state());
    state_.assign(hidden_state.data, hidden_state.data + hidden_state.size);
    recurrent_sums_.resize(state_.size());
  }

  size_t output_size() const { return units_; }
  size_t NumbersPerRow() const { return (aux_weights_ == nullptr ? 1 : 2) * units_; }

  /// Takes in the inputs of `steps` steps, each [steps, batches, input_size]; `aux_input` is null
  /// where the cell has no auxiliary weights.
  void SetInputs(size_t steps, const Number* input, const Number* aux_input) {
    const size_t rows = steps * batches_;
    const MatrixProductSizes sizes = {rows, units_, input_size_, products_in_sum_ + 1};
    input_sums_.resize(rows * units_);
    arithmetic_.MatrixProduct(sizes, input, weights_, input_sums_.data());
    if (aux_weights_ != nullptr && aux_input != nullptr) {
      aux_sums_.resize(rows * units_);
      arithmetic_.MatrixProduct(sizes, aux_input, aux_weights_, aux_sums_.data());
      for (size_t i = 0; i < aux_sums_.size(); ++i) {
        input_sums_[i] = arithmetic_.Add(input_sums_[i], aux_sums_[i]);
      }
    }
  }

  /// Takes one of these steps.
  void Step(size_t step) {
    arithmetic_.MatrixProduct({batches_, units_, units_, products_in_sum_ + 1}, state_.data(),
                              recurrent_weights_, recurrent_sums_.data());
    const Number* input_sums = input_sums_.data() + step * state_.size();
    for (size_t i = 0; i < state_.size(); ++i) {
      const Number sum = arithmetic_.Add(input_sums[i], recurrent_sums_[i]);
      state_[i] = Activate(arithmetic_, activation_,
                           arithmetic_.AddToSum(sum, bias_[i % units_], products_in_sum_));
    }
  }

  /// The hidden state, [batches, units].
  const Number* output() const { return state_.data(); }

 private:
  const A& arithmetic_;
  const FusedActivationFunc activation_;
  const size_t batches_;
  const size_t units_;
  const size_t input_size_;  // that of the auxiliary input, too
  const Number* const weights_;
  const Number* const aux_weights_;  // null without an auxiliary input
  const Number* const recurrent_weights_;
  const Number* const bias_;
  const size_t products_in_sum_;               // in each argument of the activation
  std::vector<Number> state_;                  // [batches, units]
  std::vector<Number> recurrent_sums_;         // [batches, units]
  std::vector<Number> input_sums_, aux_sums_;  // [steps, batches, units]
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_RNN_CELL_H_
