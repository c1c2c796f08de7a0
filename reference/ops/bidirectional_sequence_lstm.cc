// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// BIDIRECTIONAL_SEQUENCE_LSTM: two long short-term memory cells that run over a sequence in
// opposite directions.

#include <vector>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/lstm_operands.h"

namespace nncert {
namespace {

constexpr int kMergeOutputs = 51;

constexpr LstmSlots kForward = {.role = CellRole::kForward,
                                .input = 0,
                                .weights = 1,
                                .states = 35,
                                .activation = 48,
                                .clips = 49,
                                .layer_norm_weights = 53,
                                .time_major = 52,
                                .aux_input = 39,
                                .aux_weights = 40};
constexpr LstmSlots kBackward = {.role = CellRole::kBackward,
                                 .input = 0,
                                 .weights = 18,
                                 .states = 37,
                                 .activation = 48,
                                 .clips = 49,
                                 .layer_norm_weights = 57,
                                 .time_major = 52,
                                 .aux_input = 39,
                                 .aux_weights = 44};

}  // namespace

NNCERT_OPERATION_DEFINITION(BIDIRECTIONAL_SEQUENCE_LSTM) {
  return {
      .summary =
          "fw_output[t], h, C = LSTM(x[t], a[t], h, C), for t = 0, 1, 2, ...; bw_output likewise "
          "with weights of its own, for t from the last step to the first",
      .description =
          "Two long short-term memory cells (see LSTM), each with its own weights and states. The "
          "forward cell takes the vectors of the sequence in their order, the backward cell in the "
          "opposite order. Either cell may have a peephole, a projection, coupled gates or layer "
          "normalization; activation and clips are those of both. A second, auxiliary input with "
          "weights Wa of its own may be added to the arguments of the gates and of the cell's g; "
          "when layers are stacked, input and auxiliary input are the two outputs of the layer "
          "before.",
      .signature = {.inputs = Joined(
                        {{RecurrentInput(3,
                                         "x: [steps, batch_size, input_size] or, batch-major, "
                                         "[batch_size, steps, input_size].")},
                         LstmWeightRules(CellRole::kForward),
                         LstmWeightRules(CellRole::kBackward),
                         LstmStateRules(CellRole::kForward),
                         LstmStateRules(CellRole::kBackward),
                         {AuxOperand("aux_input",
                                     "a: a second input for both cells, of the dimensions of x.")
                              .Ranks({3})},
                         LstmAuxWeightRules(CellRole::kForward),
                         LstmAuxWeightRules(CellRole::kBackward),
                         LstmScalarRules(),
                         {MergeOutputsScalar("merge_outputs"), TimeMajorScalar("time_major")},
                         LstmLayerNormRules(CellRole::kForward),
                         LstmLayerNormRules(CellRole::kBackward)}),
                    .outputs = TwoDirectionOutputs("fw_output_size", "bw_output_size")},
      .constraints = Joined({LstmPresenceConstraints<kForward>(),
                             LstmDimensionConstraints<kForward>(),
                             LstmPresenceConstraints<kBackward>(),
                             LstmDimensionConstraints<kBackward>(),
                             LstmScalarConstraints<kForward>(),
                             {AuxInputConstraint<kForward.input, kForward.aux_input>(),
                              MergedOutputsConstraint<kMergeOutputs>()}}),
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        TwoDirectionShapes(SequenceShapeOf(context, kForward.input, kForward.time_major),
                           OutputSize(context, kForward), OutputSize(context, kBackward),
                           context.Bool(kMergeOutputs), outputs);
        return absl::OkStatus();
      },
      .steps = RecurrentSteps,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return RunBothWays(
            context,
            {.input = kForward.input,
             .aux_input = kForward.aux_input,
             .time_major = kForward.time_major,
             .merge_outputs = kMergeOutputs},
            [&] { return LoadLstmCell(arithmetic, context, kForward); },
            [&] { return LoadLstmCell(arithmetic, context, kBackward); });
      }),
      .choose =
          [](OperandChooser& choose) {
            const auto ranges = ChooseLstmOperands(choose, {kForward, kBackward});
            // Output 0 may be of both cells.
            choose.SetOutputRange(0, ranges[0].output.HullWith(ranges[1].output));
            choose.SetOutputRange(1, ranges[1].output);
            ChooseMergedOutputs(choose, kMergeOutputs);
          },
      .error_bound = "of LSTM, for each step; errors of a step go into all steps after it",
      .source = "types.hal 1.2, OperationType::BIDIRECTIONAL_SEQUENCE_LSTM and LSTM",
  };
}

}  // namespace nncert
