// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// BIDIRECTIONAL_SEQUENCE_RNN: two basic recurrent cells that run over a sequence in opposite
// directions.

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/rnn_cell.h"

namespace nncert {
namespace {

enum : int {
  kInput,
  kForwardWeights,
  kForwardRecurrentWeights,
  kForwardBias,
  kForwardHiddenState,
  kBackwardWeights,
  kBackwardRecurrentWeights,
  kBackwardBias,
  kBackwardHiddenState,
  kAuxInput,
  kForwardAuxWeights,
  kBackwardAuxWeights,
  kActivation,
  kTimeMajor,
  kMergeOutputs
};

constexpr RnnSlots kForward = {.role = CellRole::kForward,
                               .input = kInput,
                               .weights = kForwardWeights,
                               .activation = kActivation,
                               .time_major = kTimeMajor,
                               .aux_input = kAuxInput,
                               .aux_weights = kForwardAuxWeights};
constexpr RnnSlots kBackward = {.role = CellRole::kBackward,
                                .input = kInput,
                                .weights = kBackwardWeights,
                                .activation = kActivation,
                                .time_major = kTimeMajor,
                                .aux_input = kAuxInput,
                                .aux_weights = kBackwardAuxWeights};

}  // namespace

NNCERT_OPERATION_DEFINITION(BIDIRECTIONAL_SEQUENCE_RNN) {
  return {
      .summary =
          "fw_output[t] = h = activation(W x[t] + A a[t] + R h + b), for t = 0, 1, 2, ...; "
          "bw_output likewise with weights of its own, for t from the last step to the first",
      .description =
          "Two basic recurrent cells (see RNN), each with its own weights and hidden state. The "
          "forward cell takes the vectors of the sequence in their order, the backward cell in the "
          "opposite order. A second, auxiliary input with weights of its own may be added to the "
          "arguments of both; when layers are stacked, input and auxiliary input are the two "
          "outputs of the layer before.",
      .signature = {.inputs = Joined(
                        {{RecurrentInput(3,
                                         "x: [steps, batches, input_size] or, batch-major, "
                                         "[batches, steps, input_size].")},
                         RnnCellRules(CellRole::kForward),
                         RnnCellRules(CellRole::kBackward),
                         {AuxOperand("aux_input",
                                     "a: a second input for both cells, of the dimensions of x."),
                          AuxOperand("fw_aux_weights", "A of the forward cell: as its W."),
                          AuxOperand("bw_aux_weights", "A of the backward cell: as its W."),
                          ActivationScalar(), TimeMajorScalar("timeMajor"),
                          MergeOutputsScalar("mergeOutputs")}}),
                    .outputs = TwoDirectionOutputs("fw_num_units", "bw_num_units")},
      .constraints =
          Joined({RnnCellConstraints<kForward>(),
                  RnnCellConstraints<kBackward>(),
                  {AuxInputConstraint<kInput, kAuxInput>(), ActivationConstraint<kActivation>(),
                   MergedOutputsConstraint<kMergeOutputs>()}}),
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        TwoDirectionShapes(SequenceShapeOf(context, kInput, kTimeMajor),
                           NumUnits(context, kForward), NumUnits(context, kBackward),
                           context.Bool(kMergeOutputs), outputs);
        return absl::OkStatus();
      },
      .steps = RecurrentSteps,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return RunBothWays(
            context,
            {.input = kInput,
             .aux_input = kAuxInput,
             .time_major = kTimeMajor,
             .merge_outputs = kMergeOutputs},
            [&] { return RnnCell<A>(arithmetic, context, kForward); },
            [&] { return RnnCell<A>(arithmetic, context, kBackward); });
      }),
      .choose =
          [](OperandChooser& choose) {
            ChooseRnnOperands(choose, {kForward, kBackward});
            ChooseMergedOutputs(choose, kMergeOutputs);
          },
      .error_bound =
          "of a sum of the products of the inputs and the hidden state and the bias in any order, "
          "for each step; errors of a step go into all steps after it",
      .source = "types.hal 1.2, OperationType::BIDIRECTIONAL_SEQUENCE_RNN",
  };
}

}  // namespace nncert
