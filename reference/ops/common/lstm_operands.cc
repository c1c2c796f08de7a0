// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/common/lstm_operands.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"

namespace nncert {
namespace {

// The four gates in the order of the operands, and the letters that stand for them in formulas.
struct GateName {
  const char* name;
  const char* letter;
};
constexpr GateName kGates[] = {{"input", "i"}, {"forget", "f"}, {"cell", "c"}, {"output", "o"}};

// Whether operands of the gate may be left out (coupled input and forget gate).
bool IsInputGate(const GateName& gate) { return gate.letter[0] == 'i'; }

bool IsCell(const GateName& gate) { return gate.letter[0] == 'c'; }

constexpr int kGateCount = 4;
// Their numbers in that order.
constexpr int kCellGate = 2;

// ---- Recipes ----

// The sizes of a cell that is chosen; 0 until they are settled.
struct ChosenCell {
  uint32_t units = 0;
  uint32_t output_size = 0;
};

// Settles which of its optional operands a cell has.
void ChooseParts(OperandChooser& choose, const LstmSlots& slots, bool has_aux_input) {
  const bool has_input_gate =
      ChoosePart(choose, {slots.input_to_input_weights(), slots.recurrent_to_input_weights(),
                          slots.cell_to_input_weights(), slots.input_gate_bias(),
                          slots.input_layer_norm_weights(), slots.aux_input_to_input_weights()});
  const bool has_peephole =
      ChoosePart(choose, {slots.cell_to_input_weights(), slots.cell_to_forget_weights(),
                          slots.cell_to_output_weights()});
  const bool is_normalized =
      ChoosePart(choose, {slots.input_layer_norm_weights(), slots.forget_layer_norm_weights(),
                          slots.cell_layer_norm_weights(), slots.output_layer_norm_weights()});
  const bool is_projected =
      ChoosePart(choose, {slots.projection_weights(), slots.projection_bias()});

  SetPart(
      choose,
      {slots.input_to_input_weights(), slots.recurrent_to_input_weights(), slots.input_gate_bias()},
      has_input_gate);
  SetPart(choose, {slots.cell_to_input_weights()}, has_peephole && has_input_gate);
  SetPart(choose, {slots.cell_to_forget_weights(), slots.cell_to_output_weights()}, has_peephole);
  SetPart(choose, {slots.input_layer_norm_weights()}, is_normalized && has_input_gate);
  SetPart(choose,
          {slots.forget_layer_norm_weights(), slots.cell_layer_norm_weights(),
           slots.output_layer_norm_weights()},
          is_normalized);
  SetPart(choose, {slots.projection_weights()}, is_projected);
  // With a projection there is a bias by chance, as it is.
  if (!is_projected) SetPart(choose, {slots.projection_bias()}, false);
  if (slots.aux_weights < 0) return;
  SetPart(choose, {slots.aux_input_to_input_weights()}, has_aux_input && has_input_gate);
  SetPart(choose,
          {slots.aux_input_to_forget_weights(), slots.aux_input_to_cell_weights(),
           slots.aux_input_to_output_weights()},
          has_aux_input);
}

// Adds the dimensions of the cell's operands; which of them it has is settled.
void AddOperands(const OperandChooser& choose, const LstmSlots& slots, SequenceSizes& sequence,
                 ChosenCell& cell, std::vector<SharedSizes>& operands) {
  uint32_t* const units = &cell.units;
  uint32_t* const output_size = choose.Has(slots.projection_weights()) ? &cell.output_size : units;
  for (int gate = 0; gate < kGateCount; ++gate) {
    operands.push_back({slots.input_to_input_weights() + gate, {units, &sequence.input_size}});
    operands.push_back({slots.recurrent_to_input_weights() + gate, {units, output_size}});
    operands.push_back({slots.input_gate_bias() + gate, {units}});
    operands.push_back({slots.input_layer_norm_weights() + gate, {units}});
    if (slots.aux_weights < 0) continue;
    operands.push_back({slots.aux_input_to_input_weights() + gate, {units, &sequence.input_size}});
  }
  for (const int slot : {slots.cell_to_input_weights(), slots.cell_to_forget_weights(),
                         slots.cell_to_output_weights()}) {
    operands.push_back({slot, {units}});
  }
  operands.push_back({slots.projection_weights(), {output_size, units}});
  operands.push_back({slots.projection_bias(), {output_size}});
  operands.push_back({slots.output_state_in(), {&sequence.batches, output_size}});
  operands.push_back({slots.cell_state_in(), {&sequence.batches, units}});
}

// What g makes of numbers of a magnitude of up to `most`.
ValueRange Activated(LstmActivation activation, double most) {
  switch (activation) {
    case LstmActivation::kNone:
      break;
    case LstmActivation::kRelu:
      return {0, most};
    case LstmActivation::kRelu6:
      return {0, std::min(most, 6.0)};
    case LstmActivation::kTanh:
      return {-std::tanh(most), std::tanh(most)};
    case LstmActivation::kLogistic:
      return {0, 1};
  }
  return {-most, most};
}

// Settles a clip: none, or one that limits some of the numbers of a magnitude of up to `most`.
// Gives the limit.
double ChooseClip(OperandChooser& choose, int slot, double most) {
  if (choose.OneIn(2)) {
    choose.SetReal(slot, 0);
    return std::numeric_limits<double>::infinity();
  }
  const double clip = most * std::exp2(choose.random().Uniform(-4, 1));
  choose.SetReal(slot, clip);
  return clip;
}

}  // namespace

std::vector<OperandRule> LstmWeightRules(CellRole role) {
  const std::string prefix = OperandPrefix(role);
  std::vector<OperandRule> rules;
  for (const auto& [origin, letter, size] :
       {std::tuple{"input", "x", "input_size"}, std::tuple{"recurrent", "h", "output_size"}}) {
    for (const GateName& gate : kGates) {
      OperandRule rule =
          MatrixOperand(absl::StrCat(prefix, origin, "_to_", gate.name, "_weights"),
                        absl::StrCat("W", letter, gate.letter, ": [num_units, ", size, "]."));
      rules.push_back(IsInputGate(gate) ? rule.Omittable() : rule);
    }
  }
  for (const GateName& gate : {kGates[0], kGates[1], kGates[3]}) {
    rules.push_back(VectorOperand(absl::StrCat(prefix, "cell_to_", gate.name, "_weights"),
                                  absl::StrCat("wc", gate.letter, ": [num_units]."))
                        .Omittable());
  }
  for (const GateName& gate : kGates) {
    OperandRule rule =
        VectorOperand(absl::StrCat(prefix, gate.name, IsCell(gate) ? "" : "_gate", "_bias"),
                      absl::StrCat("b", gate.letter, ": [num_units]."));
    rules.push_back(IsInputGate(gate) ? rule.Omittable() : rule);
  }
  rules.push_back(
      MatrixOperand(prefix + "projection_weights", "Wproj: [output_size, num_units].").Omittable());
  rules.push_back(VectorOperand(prefix + "projection_bias", "bproj: [output_size].").Omittable());
  return rules;
}

std::vector<OperandRule> LstmStateRules(CellRole role) {
  const std::string prefix = OperandPrefix(role);
  return {MatrixOperand(prefix + "output_state_in", "h: [batch_size, output_size]."),
          MatrixOperand(prefix + "cell_state_in", "C: [batch_size, num_units].")};
}

std::vector<OperandRule> LstmAuxWeightRules(CellRole role) {
  std::vector<OperandRule> rules;
  for (const GateName& gate : kGates) {
    rules.push_back(
        MatrixOperand(absl::StrCat(OperandPrefix(role), "aux_input_to_", gate.name, "_weights"),
                      absl::StrCat("Wa", gate.letter, ": [num_units, input_size]."))
            .Omittable());
  }
  return rules;
}

std::vector<OperandRule> LstmScalarRules() {
  return {Int32Scalar("activation")
              .Values(Uniform(0, 6))
              .Describe("The function g: 0 none, 1 RELU, 3 RELU6, 4 TANH, 6 LOGISTIC."),
          FloatScalarLike("cell_clip", 0)
              .Values(LogUniform(0.1, 10))
              .Describe("The greatest magnitude of the cell state; 0 for no limit."),
          FloatScalarLike("projection_clip", 0)
              .Values(LogUniform(0.1, 10))
              .Describe("The greatest magnitude of a projected output; 0 for no limit.")};
}

std::vector<OperandRule> LstmLayerNormRules(CellRole role) {
  std::vector<OperandRule> rules;
  for (const GateName& gate : kGates) {
    const char* what = IsCell(gate) ? "" : " gate";
    rules.push_back(
        VectorOperand(absl::StrCat(OperandPrefix(role), gate.name, "_layer_norm_weights"),
                      absl::StrCat("Scales of the normalized ", gate.name, what, ": [num_units]."))
            .Since(HalVersion::V1_2)
            .Omittable());
  }
  return rules;
}

absl::InlinedVector<LstmRanges, 2> ChooseLstmOperands(OperandChooser& choose,
                                                      absl::Span<const LstmSlots> cells) {
  const LstmSlots& first = cells.front();
  ChooseTimeMajor(choose, first.time_major);
  std::vector<int> aux_part = {first.aux_input};
  for (const LstmSlots& slots : cells) {
    if (slots.aux_weights < 0) continue;
    for (int gate = 0; gate < kGateCount; ++gate) aux_part.push_back(slots.aux_weights + gate);
  }
  const bool has_aux_input = ChoosePart(choose, aux_part);
  SetPart(choose, {first.aux_input}, has_aux_input);
  for (const LstmSlots& slots : cells) ChooseParts(choose, slots, has_aux_input);

  SequenceSizes sequence;
  absl::InlinedVector<ChosenCell, 2> sizes(cells.size());
  std::vector<SharedSizes> operands = {sequence.InSlot(choose, first.input, first.time_major),
                                       sequence.InSlot(choose, first.aux_input, first.time_major)};
  for (size_t i = 0; i < cells.size(); ++i) {
    AddOperands(choose, cells[i], sequence, sizes[i], operands);
  }
  TakeGivenSizes(choose, operands);
  sequence.Choose(choose);
  for (size_t i = 0; i < cells.size(); ++i) {
    ChosenCell& cell = sizes[i];
    const bool is_free = cell.units == 0;
    ChooseUnits(choose, sequence.input_size, cell.units);
    // Of a single unit normalized nothing is known: its variance is 0 but for rounding. Of two
    // units little is known in 16 bits.
    if (is_free && choose.Has(cells[i].forget_layer_norm_weights())) {
      cell.units = std::max(cell.units, static_cast<uint32_t>(choose.Between(2, 4)));
    }
    if (cell.output_size == 0) cell.output_size = choose.Size();
  }
  SetSharedSizes(choose, operands);

  constexpr LstmActivation kActivations[] = {LstmActivation::kNone, LstmActivation::kRelu,
                                             LstmActivation::kRelu6, LstmActivation::kTanh,
                                             LstmActivation::kLogistic};
  const LstmActivation activation = choose.random().OneOf(kActivations);
  choose.SetInt32(first.activation, static_cast<int64_t>(activation));
  // Gates go into a logistic function, which is nearly flat beyond 4; some of the arguments of g
  // are above 6, if that is its limit.
  constexpr double kGateReach = 2;
  const double cell_reach = activation == LstmActivation::kRelu6 ? 16 : kGateReach;
  const double added = Activated(activation, 1.5 * cell_reach).Magnitude();
  const double cell_clip = ChooseClip(choose, first.cell_clip(), 1 + added);
  const double projection_clip = ChooseClip(choose, first.projection_clip(), 2);
  absl::InlinedVector<LstmRanges, 2> ranges;
  for (size_t i = 0; i < cells.size(); ++i) {
    const LstmSlots& slots = cells[i];
    const auto range = [&](int slot, double reach, uint32_t terms, ValueRange factors) {
      choose.SetRange(slot, WeightRange(reach, terms, factors));
    };
    const double cell_state =
        std::min(choose.Range(slots.cell_state_in()).Magnitude() + added, cell_clip);
    const ValueRange hidden = Activated(activation, cell_state);
    const bool is_projected = choose.Has(slots.projection_weights());
    const uint32_t output_size = is_projected ? sizes[i].output_size : sizes[i].units;
    for (int gate = 0; gate < kGateCount; ++gate) {
      const double reach = gate == kCellGate ? cell_reach : kGateReach;
      range(slots.input_to_input_weights() + gate, reach, sequence.input_size,
            choose.Range(first.input));
      range(slots.recurrent_to_input_weights() + gate, 1, output_size,
            choose.Range(slots.output_state_in()));
      range(slots.input_layer_norm_weights() + gate, reach / 2, 1, {-1, 1});
      if (slots.aux_weights < 0) continue;
      range(slots.aux_input_to_input_weights() + gate, reach, sequence.input_size,
            choose.Range(first.aux_input));
    }
    for (const int slot : {slots.cell_to_input_weights(), slots.cell_to_forget_weights(),
                           slots.cell_to_output_weights()}) {
      range(slot, 1, 1, {-cell_state, cell_state});
    }
    range(slots.projection_weights(), 2, sizes[i].units, hidden);
    const double projected = std::min(3.0, projection_clip);
    ranges.push_back({.cell_state = {-cell_state, cell_state},
                      .output = is_projected ? ValueRange{-projected, projected} : hidden});
  }
  return ranges;
}

}  // namespace nncert
