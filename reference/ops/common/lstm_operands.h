// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The operands of long short-term memory cells: what LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM and the two
// cells of BIDIRECTIONAL_SEQUENCE_LSTM have in common.
//
// In all of them the weights, biases and projection of a cell are 17 operands in the same order,
// and so are the other groups of operands; an operation differs by where the groups stand.

#ifndef NNCERT_REFERENCE_OPS_COMMON_LSTM_OPERANDS_H_
#define NNCERT_REFERENCE_OPS_COMMON_LSTM_OPERANDS_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/lstm_cell.h"
#include "reference/ops/common/recurrent.h"

namespace nncert {

/// Where the operands of a cell stand: the first slot of each group. -1 stands for operands that
/// the operation does not have.
struct LstmSlots {
  CellRole role = CellRole::kOnly;
  int input = 0;
  int weights = 1;
  int states = 18;
  int activation = 20;
  int clips = 21;
  int layer_norm_weights = 23;
  int time_major = -1;
  int aux_input = -1;
  int aux_weights = -1;

  constexpr int input_to_input_weights() const { return weights; }
  constexpr int input_to_forget_weights() const { return weights + 1; }
  constexpr int input_to_cell_weights() const { return weights + 2; }
  constexpr int input_to_output_weights() const { return weights + 3; }
  constexpr int recurrent_to_input_weights() const { return weights + 4; }
  constexpr int recurrent_to_forget_weights() const { return weights + 5; }
  constexpr int recurrent_to_cell_weights() const { return weights + 6; }
  constexpr int recurrent_to_output_weights() const { return weights + 7; }
  constexpr int cell_to_input_weights() const { return weights + 8; }
  constexpr int cell_to_forget_weights() const { return weights + 9; }
  constexpr int cell_to_output_weights() const { return weights + 10; }
  constexpr int input_gate_bias() const { return weights + 11; }
  constexpr int forget_gate_bias() const { return weights + 12; }
  constexpr int cell_bias() const { return weights + 13; }
  constexpr int output_gate_bias() const { return weights + 14; }
  constexpr int projection_weights() const { return weights + 15; }
  constexpr int projection_bias() const { return weights + 16; }
  constexpr int output_state_in() const { return states; }
  constexpr int cell_state_in() const { return states + 1; }
  constexpr int cell_clip() const { return clips; }
  constexpr int projection_clip() const { return clips + 1; }
  constexpr int input_layer_norm_weights() const { return layer_norm_weights; }
  constexpr int forget_layer_norm_weights() const { return layer_norm_weights + 1; }
  constexpr int cell_layer_norm_weights() const { return layer_norm_weights + 2; }
  constexpr int output_layer_norm_weights() const { return layer_norm_weights + 3; }
  constexpr int aux_input_to_input_weights() const { return aux_weights; }
  constexpr int aux_input_to_forget_weights() const { return aux_weights + 1; }
  constexpr int aux_input_to_cell_weights() const { return aux_weights + 2; }
  constexpr int aux_input_to_output_weights() const { return aux_weights + 3; }
};

// Sizes by which the operands are tied. Only to be asked for when the dimensions are known.
inline uint32_t InputSize(const OperationContext& context, const LstmSlots& slots) {
  return context.Input(slots.input).dimensions.back();
}
inline uint32_t NumUnits(const OperationContext& context, const LstmSlots& slots) {
  return context.Input(slots.input_to_output_weights()).dimensions[0];
}
inline uint32_t OutputSize(const OperationContext& context, const LstmSlots& slots) {
  return context.Input(slots.recurrent_to_output_weights()).dimensions[1];
}
inline uint32_t BatchSize(const OperationContext& context, const LstmSlots& slots) {
  return static_cast<uint32_t>(SequenceShapeOf(context, slots.input, slots.time_major).batches);
}

/// Whether the input gate is 1 - forget gate (CIFG).
inline bool IsCoupled(const OperationContext& context, const LstmSlots& slots) {
  return !context.Has(slots.input_to_input_weights());
}

/// The rules of the 17 weights, biases and operands of the projection.
std::vector<OperandRule> LstmWeightRules(CellRole role);

/// The rules of the output state and the cell state.
std::vector<OperandRule> LstmStateRules(CellRole role);

/// The rules of the four auxiliary weights.
std::vector<OperandRule> LstmAuxWeightRules(CellRole role);

/// The rules of the activation and the two clips.
std::vector<OperandRule> LstmScalarRules();

/// The rules of the four weights of layer normalization.
std::vector<OperandRule> LstmLayerNormRules(CellRole role);

/// Which operands of a cell have a value. These constraints name the operands as ones whose
/// dimensions they read, because an input of a model that may yet be left out has unknown
/// dimensions.
template <LstmSlots kSlots>
std::vector<Constraint> LstmPresenceConstraints() {
  const auto text = [](std::string_view what) { return CellText(kSlots.role, what); };
  std::vector<Constraint> constraints = {
      Constraint(text("input_to_input_weights, recurrent_to_input_weights and input_gate_bias all "
                      "have values or none has (coupled input and forget gate)"),
                 {.shapes = {kSlots.input_to_input_weights(), kSlots.recurrent_to_input_weights(),
                             kSlots.input_gate_bias()}},
                 [](const OperationContext& context) {
                   return AllOrNone(
                       context, {kSlots.input_to_input_weights(),
                                 kSlots.recurrent_to_input_weights(), kSlots.input_gate_bias()});
                 }),
      Constraint(text("cell_to_forget_weights and cell_to_output_weights both have values or none "
                      "has (peephole)"),
                 {.shapes = {kSlots.cell_to_forget_weights(), kSlots.cell_to_output_weights()}},
                 [](const OperationContext& context) {
                   return AllOrNone(
                       context, {kSlots.cell_to_forget_weights(), kSlots.cell_to_output_weights()});
                 }),
      Constraint(text("cell_to_input_weights have values exactly if the other cell weights have "
                      "and the input gate is not coupled"),
                 {.shapes = {kSlots.input_to_input_weights(), kSlots.cell_to_input_weights(),
                             kSlots.cell_to_forget_weights(), kSlots.cell_to_output_weights()}},
                 [](const OperationContext& context) {
                   // Whether the other cell weights fit together is not to be judged here.
                   const bool has_others = context.Has(kSlots.cell_to_forget_weights());
                   return has_others != context.Has(kSlots.cell_to_output_weights()) ||
                          context.Has(kSlots.cell_to_input_weights()) ==
                              (has_others && !IsCoupled(context, kSlots));
                 }),
      Constraint(text("projection_bias has values only if projection_weights have"),
                 {.shapes = {kSlots.projection_weights(), kSlots.projection_bias()}},
                 [](const OperationContext& context) {
                   return context.Has(kSlots.projection_weights()) ||
                          !context.Has(kSlots.projection_bias());
                 }),
      Constraint(text("forget_layer_norm_weights, cell_layer_norm_weights and "
                      "output_layer_norm_weights all have values or none has"),
                 {.shapes = {kSlots.forget_layer_norm_weights(), kSlots.cell_layer_norm_weights(),
                             kSlots.output_layer_norm_weights()}},
                 [](const OperationContext& context) {
                   return AllOrNone(context, {kSlots.forget_layer_norm_weights(),
                                              kSlots.cell_layer_norm_weights(),
                                              kSlots.output_layer_norm_weights()});
                 }),
      Constraint(text("input_layer_norm_weights have values exactly if the other layer "
                      "normalization weights have and the input gate is not coupled"),
                 {.shapes = {kSlots.input_to_input_weights(), kSlots.input_layer_norm_weights(),
                             kSlots.forget_layer_norm_weights(), kSlots.cell_layer_norm_weights(),
                             kSlots.output_layer_norm_weights()}},
                 [](const OperationContext& context) {
                   const bool has_others = context.Has(kSlots.forget_layer_norm_weights());
                   return !AllOrNone(context, {kSlots.forget_layer_norm_weights(),
                                               kSlots.cell_layer_norm_weights(),
                                               kSlots.output_layer_norm_weights()}) ||
                          context.Has(kSlots.input_layer_norm_weights()) ==
                              (has_others && !IsCoupled(context, kSlots));
                 })};
  if constexpr (kSlots.aux_input >= 0) {
    constraints.push_back(Constraint(
        text(
            "aux_input_to_forget_weights, aux_input_to_cell_weights and "
            "aux_input_to_output_weights all have values if aux_input has, and none has otherwise"),
        {.shapes = {kSlots.aux_input, kSlots.aux_input_to_forget_weights(),
                    kSlots.aux_input_to_cell_weights(), kSlots.aux_input_to_output_weights()}},
        [](const OperationContext& context) {
          return AllOrNone(
              context, {kSlots.aux_input, kSlots.aux_input_to_forget_weights(),
                        kSlots.aux_input_to_cell_weights(), kSlots.aux_input_to_output_weights()});
        }));
    constraints.push_back(Constraint(text("aux_input_to_input_weights have values exactly if "
                                          "aux_input has and the input gate is not coupled"),
                                     {.shapes = {kSlots.input_to_input_weights(), kSlots.aux_input,
                                                 kSlots.aux_input_to_input_weights()}},
                                     [](const OperationContext& context) {
                                       return context.Has(kSlots.aux_input_to_input_weights()) ==
                                              (context.Has(kSlots.aux_input) &&
                                               !IsCoupled(context, kSlots));
                                     }));
  }
  return constraints;
}

/// What the activation and the clips may be.
template <LstmSlots kSlots>
std::vector<Constraint> LstmScalarConstraints() {
  return {Constraint("activation is 0, 1, 3, 4 or 6", {.values = {kSlots.activation}},
                     [](const OperationContext& context) {
                       return IsLstmActivation(context.Int32(kSlots.activation));
                     }),
          Constraint("cell_clip is 0 or more", {.values = {kSlots.cell_clip()}},
                     [](const OperationContext& context) {
                       return context.Real(kSlots.cell_clip()) >= 0;
                     }),
          Constraint("projection_clip is 0 or more", {.values = {kSlots.projection_clip()}},
                     [](const OperationContext& context) {
                       return context.Real(kSlots.projection_clip()) >= 0;
                     })};
}

/// The dimensions of a cell's operands.
template <LstmSlots kSlots>
std::vector<Constraint> LstmDimensionConstraints() {
  const auto text = [](std::string_view what) { return CellText(kSlots.role, what); };
  std::vector<Constraint> constraints = {
      Constraint(text("the weights of the input are of dimensions [num_units, input_size]"),
                 {.shapes = {kSlots.input, kSlots.input_to_input_weights(),
                             kSlots.input_to_forget_weights(), kSlots.input_to_cell_weights(),
                             kSlots.input_to_output_weights()}},
                 [](const OperationContext& context) {
                   return HaveDimensions(
                       context,
                       {kSlots.input_to_input_weights(), kSlots.input_to_forget_weights(),
                        kSlots.input_to_cell_weights(), kSlots.input_to_output_weights()},
                       {NumUnits(context, kSlots), InputSize(context, kSlots)});
                 }),
      Constraint(
          text("the recurrent weights are of dimensions [num_units, output_size]"),
          {.shapes = {kSlots.input_to_output_weights(), kSlots.recurrent_to_input_weights(),
                      kSlots.recurrent_to_forget_weights(), kSlots.recurrent_to_cell_weights(),
                      kSlots.recurrent_to_output_weights()}},
          [](const OperationContext& context) {
            return HaveDimensions(
                context,
                {kSlots.recurrent_to_input_weights(), kSlots.recurrent_to_forget_weights(),
                 kSlots.recurrent_to_cell_weights(), kSlots.recurrent_to_output_weights()},
                {NumUnits(context, kSlots), OutputSize(context, kSlots)});
          }),
      Constraint(text("the weights of the cell state are of dimensions [num_units]"),
                 {.shapes = {kSlots.input_to_output_weights(), kSlots.cell_to_input_weights(),
                             kSlots.cell_to_forget_weights(), kSlots.cell_to_output_weights()}},
                 [](const OperationContext& context) {
                   return HaveDimensions(
                       context,
                       {kSlots.cell_to_input_weights(), kSlots.cell_to_forget_weights(),
                        kSlots.cell_to_output_weights()},
                       {NumUnits(context, kSlots)});
                 }),
      Constraint(
          text("the biases of the gates and the cell are of dimensions [num_units]"),
          {.shapes = {kSlots.input_to_output_weights(), kSlots.input_gate_bias(),
                      kSlots.forget_gate_bias(), kSlots.cell_bias(), kSlots.output_gate_bias()}},
          [](const OperationContext& context) {
            return HaveDimensions(context,
                                  {kSlots.input_gate_bias(), kSlots.forget_gate_bias(),
                                   kSlots.cell_bias(), kSlots.output_gate_bias()},
                                  {NumUnits(context, kSlots)});
          }),
      Constraint(text("projection_weights are of dimensions [output_size, num_units]; without them "
                      "output_size is num_units"),
                 {.shapes = {kSlots.input_to_output_weights(), kSlots.recurrent_to_output_weights(),
                             kSlots.projection_weights()}},
                 [](const OperationContext& context) {
                   const uint32_t output_size = OutputSize(context, kSlots);
                   const uint32_t units = NumUnits(context, kSlots);
                   return context.Has(kSlots.projection_weights())
                              ? HaveDimensions(context, {kSlots.projection_weights()},
                                               {output_size, units})
                              : output_size == units;
                 }),
      Constraint(text("projection_bias is of dimensions [output_size]"),
                 {.shapes = {kSlots.recurrent_to_output_weights(), kSlots.projection_bias()}},
                 [](const OperationContext& context) {
                   return HaveDimensions(context, {kSlots.projection_bias()},
                                         {OutputSize(context, kSlots)});
                 }),
      Constraint(
          text("output_state_in is of dimensions [batch_size, output_size]"),
          {.shapes = {kSlots.input, kSlots.recurrent_to_output_weights(), kSlots.output_state_in()},
           .values = SlotsOf({kSlots.time_major})},
          [](const OperationContext& context) {
            return HaveDimensions(context, {kSlots.output_state_in()},
                                  {BatchSize(context, kSlots), OutputSize(context, kSlots)});
          }),
      Constraint(
          text("cell_state_in is of dimensions [batch_size, num_units]"),
          {.shapes = {kSlots.input, kSlots.input_to_output_weights(), kSlots.cell_state_in()},
           .values = SlotsOf({kSlots.time_major})},
          [](const OperationContext& context) {
            return HaveDimensions(context, {kSlots.cell_state_in()},
                                  {BatchSize(context, kSlots), NumUnits(context, kSlots)});
          }),
      Constraint(text("the layer normalization weights are of dimensions [num_units]"),
                 {.shapes = {kSlots.input_to_output_weights(), kSlots.input_layer_norm_weights(),
                             kSlots.forget_layer_norm_weights(), kSlots.cell_layer_norm_weights(),
                             kSlots.output_layer_norm_weights()}},
                 [](const OperationContext& context) {
                   return HaveDimensions(
                       context,
                       {kSlots.input_layer_norm_weights(), kSlots.forget_layer_norm_weights(),
                        kSlots.cell_layer_norm_weights(), kSlots.output_layer_norm_weights()},
                       {NumUnits(context, kSlots)});
                 })};
  if constexpr (kSlots.aux_input >= 0) {
    constraints.push_back(Constraint(
        text("the weights of the auxiliary input are of dimensions [num_units, input_size]"),
        {.shapes = {kSlots.input, kSlots.input_to_output_weights(),
                    kSlots.aux_input_to_input_weights(), kSlots.aux_input_to_forget_weights(),
                    kSlots.aux_input_to_cell_weights(), kSlots.aux_input_to_output_weights()}},
        [](const OperationContext& context) {
          return HaveDimensions(
              context,
              {kSlots.aux_input_to_input_weights(), kSlots.aux_input_to_forget_weights(),
               kSlots.aux_input_to_cell_weights(), kSlots.aux_input_to_output_weights()},
              {NumUnits(context, kSlots), InputSize(context, kSlots)});
        }));
  }
  return constraints;
}

/// What a cell that is chosen makes, roughly.
struct LstmRanges {
  ValueRange cell_state;
  ValueRange output;
};

/// Chooses the operands of an operation whose cells stand at `cells`, all of them reading the same
/// input. Gives the ranges of each cell.
absl::InlinedVector<LstmRanges, 2> ChooseLstmOperands(OperandChooser& choose,
                                                      absl::Span<const LstmSlots> cells);

/// The cell whose operands stand at `slots`, before its first step. What `context` loads must
/// outlive it.
template <class A>
LstmCell<A> LoadLstmCell(const A& arithmetic, KernelContext<A>& context, const LstmSlots& slots) {
  using Number = typename A::Number;
  const auto has = [&](int slot) { return slot >= 0 && context->Has(slot); };
  const auto load = [&](int slot) -> const Number* {
    return has(slot) ? context.Input(slot).data : nullptr;
  };
  const auto matrix = [&](int slot) {
    return has(slot) ? context.Weights(slot) : Matrix<Number>();
  };
  // The weights of a gate, the input gate being number 0, the output gate number 3.
  const auto gate = [&](int number, int peephole_slot) -> LstmGate<Number> {
    const auto in_group = [&](int first) { return first < 0 ? -1 : first + number; };
    return {.input_weights = matrix(slots.input_to_input_weights() + number),
            .aux_input_weights = matrix(in_group(slots.aux_weights)),
            .recurrent_weights = matrix(slots.recurrent_to_input_weights() + number),
            .peephole_weights = load(peephole_slot),
            .layer_norm_weights = load(in_group(slots.layer_norm_weights)),
            .bias = load(slots.input_gate_bias() + number)};
  };
  const OperationContext& operation = context.operation();
  const size_t input_size = InputSize(operation, slots);
  const LstmParameters<Number> parameters = {
      .sizes = {.batches = BatchSize(operation, slots),
                .input_size = input_size,
                .aux_input_size = has(slots.aux_input) ? input_size : 0,
                .units = NumUnits(operation, slots),
                .output_size = OutputSize(operation, slots)},
      .is_coupled = IsCoupled(operation, slots),
      .input = gate(0, slots.cell_to_input_weights()),
      .forget = gate(1, slots.cell_to_forget_weights()),
      .cell = gate(2, -1),
      .output = gate(3, slots.cell_to_output_weights()),
      .projection_weights = matrix(slots.projection_weights()),
      .projection_bias = load(slots.projection_bias()),
      .activation = static_cast<LstmActivation>(operation.Int32(slots.activation)),
      .cell_clip = operation.Real(slots.cell_clip()),
      .projection_clip = operation.Real(slots.projection_clip()),
  };
  return LstmCell<A>(arithmetic, parameters, load(slots.output_state_in()),
                     load(slots.cell_state_in()));
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_LSTM_OPERANDS_H_
