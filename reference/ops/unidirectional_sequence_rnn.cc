// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// UNIDIRECTIONAL_SEQUENCE_RNN: a basic recurrent cell that runs over a sequence.

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/rnn_cell.h"

namespace nncert {
namespace {

enum : int { kInput, kWeights, kRecurrentWeights, kBias, kHiddenState, kActivation, kTimeMajor };

constexpr RnnSlots kSlots = {
    .input = kInput, .weights = kWeights, .activation = kActivation, .time_major = kTimeMajor};

template <class A>
absl::Status RunForward(const A& arithmetic, KernelContext<A>& context) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const auto input = context.Input(kInput);
  RnnCell<A> cell(arithmetic, context, kSlots);
  RunOverSequence<RnnCell<A>, typename A::Number>(
      SequenceShapeOf(context.operation(), kInput, kTimeMajor), Direction::kForward,
      {.input = input.data, .input_size = input.dimensions.back()}, cell,
      {.data = output->data, .stride = cell.output_size(), .offset = 0});
  return absl::OkStatus();
}

}  // namespace

NNCERT_OPERATION_DEFINITION(UNIDIRECTIONAL_SEQUENCE_RNN) {
  return {
      .summary = "output[t] = h = activation(W input[t] + R h + b), for t = 0, 1, 2, ...",
      .description =
          "A basic recurrent cell (see RNN) that starts from the given hidden state h and takes "
          "one step for each vector of the sequence. Each output is the hidden state after the "
          "step.",
      .signature =
          {.inputs = Joined(
               {{RecurrentInput(3,
                                "x: [steps, batches, input_size] or, batch-major, [batches, steps, "
                                "input_size].")},
                RnnCellRules(CellRole::kOnly),
                {ActivationScalar(),
                 Int32Scalar("timeMajor")
                     .Values(Uniform(0, 1))
                     .Describe(
                         "1 when input and output are time-major, 0 when they are batch-major.")}}),
           .outputs = {Tensor("output").TypeLike(kInput).Ranks({3}).Describe(
               "[steps, batches, num_units] or, batch-major, [batches, steps, num_units].")}},
      .constraints = Joined({RnnCellConstraints<kSlots>(),
                             {ActivationConstraint<kActivation>(),
                              Constraint("timeMajor is 0 or 1", {.values = {kTimeMajor}},
                                         [](const OperationContext& context) {
                                           const int32_t time_major = context.Int32(kTimeMajor);
                                           return time_major == 0 || time_major == 1;
                                         })}}),
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = SequenceDimensions(SequenceShapeOf(context, kInput, kTimeMajor),
                                        NumUnits(context, kSlots));
        return absl::OkStatus();
      },
      .steps = RecurrentSteps,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return RunForward(arithmetic, context);
      }),
      .choose = [](OperandChooser& choose) { ChooseRnnOperands(choose, {kSlots}); },
      .error_bound =
          "of a sum of input_size + num_units products and the bias in any order, for each step; "
          "errors of a step go into all steps after it",
      .source = "types.hal 1.2, OperationType::UNIDIRECTIONAL_SEQUENCE_RNN",
  };
}

}  // namespace nncert
