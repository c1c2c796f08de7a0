// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// RNN: one time step of a basic recurrent cell.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/rnn_cell.h"

namespace nncert {
namespace {

enum : int { kInput, kWeights, kRecurrentWeights, kBias, kHiddenState, kActivation };
enum : int { kHiddenStateOut, kOutput };

constexpr RnnSlots kSlots = {.input = kInput, .weights = kWeights, .activation = kActivation};

template <class A>
absl::Status TakeStep(const A& arithmetic, KernelContext<A>& context) {
  RnnCell<A> cell(arithmetic, context, kSlots);
  cell.SetInputs(1, context.Input(kInput).data, nullptr);
  cell.Step(0);
  for (const int index : {kHiddenStateOut, kOutput}) {
    auto output = context.Output(index);
    if (!output.ok()) return output.status();
    std::copy_n(cell.output(), output->size, output->data);
  }
  return absl::OkStatus();
}

}  // namespace

NNCERT_OPERATION_DEFINITION(RNN) {
  return {
      .summary = "output = hidden_state_out = activation(W x + R h + b)",
      .description =
          "One time step of a basic recurrent cell with input x and hidden state h. The output is "
          "the new hidden state.",
      .signature = {.inputs = Joined({{RecurrentInput(2, "x: [batches, input_size].")},
                                      RnnCellRules(CellRole::kOnly),
                                      {ActivationScalar().Omittable()}}),
                    .outputs = {MatrixOperand("hidden_state_out",
                                              "The new hidden state: [batches, num_units]."),
                                MatrixOperand(
                                    "output",
                                    "The new hidden state again: [batches, num_units].")}},
      .constraints = Joined({RnnCellConstraints<kSlots>(), {ActivationConstraint<kActivation>()}}),
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[kHiddenStateOut] = context.Input(kHiddenState).dimensions;
        outputs[kOutput] = outputs[kHiddenStateOut];
        return absl::OkStatus();
      },
      .steps = RecurrentSteps,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return TakeStep(arithmetic, context);
      }),
      .choose = [](OperandChooser& choose) { ChooseRnnOperands(choose, {kSlots}); },
      .error_bound = "of a sum of input_size + num_units products and the bias in any order",
      .source = "types.hal 1.0 and 1.2, OperationType::RNN",
  };
}

}  // namespace nncert
