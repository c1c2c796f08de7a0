// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// UNIDIRECTIONAL_SEQUENCE_LSTM: a long short-term memory cell that runs over a sequence.

#include <vector>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/lstm_operands.h"

namespace nncert {
namespace {

constexpr LstmSlots kSlots = {.input = 0,
                              .weights = 1,
                              .states = 18,
                              .activation = 20,
                              .clips = 21,
                              .layer_norm_weights = 24,
                              .time_major = 23};

template <class A>
absl::Status RunForward(const A& arithmetic, KernelContext<A>& context) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const auto input = context.Input(kSlots.input);
  LstmCell<A> cell = LoadLstmCell(arithmetic, context, kSlots);
  RunOverSequence<LstmCell<A>, typename A::Number>(
      SequenceShapeOf(context.operation(), kSlots.input, kSlots.time_major), Direction::kForward,
      {.input = input.data, .input_size = input.dimensions.back()}, cell,
      {.data = output->data, .stride = cell.output_size(), .offset = 0});
  return absl::OkStatus();
}

}  // namespace

NNCERT_OPERATION_DEFINITION(UNIDIRECTIONAL_SEQUENCE_LSTM) {
  return {
      .summary = "output[t], h, C = LSTM(input[t], h, C), for t = 0, 1, 2, ...",
      .description =
          "A long short-term memory cell (see LSTM) that starts from the given output state h and "
          "cell state C and takes one step for each vector of the sequence. Each output is the "
          "output state after the step.",
      .signature = {.inputs =
                        Joined({{RecurrentInput(3,
                                                "x: [steps, batch_size, input_size] or, "
                                                "batch-major, [batch_size, steps, input_size].")},
                                LstmWeightRules(CellRole::kOnly),
                                LstmStateRules(CellRole::kOnly),
                                LstmScalarRules(),
                                {TimeMajorScalar("time_major")},
                                LstmLayerNormRules(CellRole::kOnly)}),
                    .outputs = {Tensor("output").TypeLike(0).Ranks({3}).Describe(
                        "[steps, batch_size, output_size] or, batch-major, [batch_size, steps, "
                        "output_size].")}},
      .constraints = Joined({LstmPresenceConstraints<kSlots>(), LstmScalarConstraints<kSlots>(),
                             LstmDimensionConstraints<kSlots>()}),
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = SequenceDimensions(SequenceShapeOf(context, kSlots.input, kSlots.time_major),
                                        OutputSize(context, kSlots));
        return absl::OkStatus();
      },
      .steps = RecurrentSteps,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return RunForward(arithmetic, context);
      }),
      .choose =
          [](OperandChooser& choose) {
            choose.SetOutputRange(0, ChooseLstmOperands(choose, {kSlots}).front().output);
          },
      .error_bound = "of LSTM, for each step; errors of a step go into all steps after it",
      .source = "types.hal 1.2, OperationType::UNIDIRECTIONAL_SEQUENCE_LSTM and LSTM",
  };
}

}  // namespace nncert
