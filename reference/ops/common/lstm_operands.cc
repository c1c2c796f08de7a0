// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/common/lstm_operands.h"

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

}  // namespace nncert
