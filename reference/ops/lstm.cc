// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// LSTM: one time step of a long short-term memory cell.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/lstm_operands.h"

namespace nncert {
namespace {

constexpr LstmSlots kSlots = {.input = 0,
                              .weights = 1,
                              .states = 18,
                              .activation = 20,
                              .clips = 21,
                              .layer_norm_weights = 23};

enum : int { kScratch, kOutputStateOut, kCellStateOut, kOutput };

absl::Status OutputShapes(const OperationContext& context, std::vector<Shape>& outputs) {
  const uint32_t units = NumUnits(context, kSlots);
  const uint64_t scratch_size = uint64_t{units} * (IsCoupled(context, kSlots) ? 3 : 4);
  outputs[kOutputStateOut] = {BatchSize(context, kSlots), OutputSize(context, kSlots)};
  outputs[kCellStateOut] = {BatchSize(context, kSlots), units};
  outputs[kOutput] = outputs[kOutputStateOut];
  return SetComputedShape(context, {BatchSize(context, kSlots), scratch_size}, outputs[kScratch]);
}

template <class A>
absl::Status TakeStep(const A& arithmetic, KernelContext<A>& context) {
  auto scratch = context.Output(kScratch);
  if (!scratch.ok()) return scratch.status();
  std::fill_n(scratch->data, scratch->size, arithmetic.Unspecified());
  LstmCell<A> cell = LoadLstmCell(arithmetic, context, kSlots);
  cell.SetInputs(1, context.Input(kSlots.input).data, nullptr);
  cell.Step(0);
  for (const int index : {kOutputStateOut, kCellStateOut, kOutput}) {
    auto output = context.Output(index);
    if (!output.ok()) return output.status();
    std::copy_n(index == kCellStateOut ? cell.cell_state() : cell.output(), output->size,
                output->data);
  }
  return absl::OkStatus();
}

void ChooseOperands(OperandChooser& choose) {
  const LstmRanges ranges = ChooseLstmOperands(choose, {kSlots}).front();
  // The scratch buffer may hold anything. There is no way to say so; few operations read numbers
  // of this range.
  choose.SetOutputRange(kScratch, {-1000, 1000});
  choose.SetOutputRange(kOutputStateOut, ranges.output);
  choose.SetOutputRange(kCellStateOut, ranges.cell_state);
  choose.SetOutputRange(kOutput, ranges.output);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(LSTM) {
  return {
      .summary =
          "i, f, o = logistic(W x + R h + w C + b); C' = clip(f C + i g(W x + R h + b)); h' = "
          "clip(P (o g(C')) + p)",
      .description =
          "One time step of a long short-term memory cell with input x, output state h and cell "
          "state C. The input gate i, the forget gate f and the output gate o each have weights W "
          "of the input and R of the output state, a bias b, and may have weights w of the cell "
          "state (peephole), which are multiplied element by element; the output gate looks at the "
          "new cell state. g is the activation. Without weights of the input gate, i = 1 - f "
          "(CIFG). Without projection weights P, h' = o g(C'). With layer normalization weights "
          "(since HAL 1.2), the arguments of the gates and of the cell's g, without the bias, are "
          "normalized over the units to mean 0 and variance 1, multiplied by these weights, and "
          "then the bias is added. The output is the new output state. The scratch buffer has no "
          "specified content.",
      .signature = {.inputs = Joined({{RecurrentInput(2, "x: [batch_size, input_size].")},
                                      LstmWeightRules(CellRole::kOnly),
                                      LstmStateRules(CellRole::kOnly),
                                      LstmScalarRules(),
                                      LstmLayerNormRules(CellRole::kOnly)}),
                    .outputs = {MatrixOperand("scratch_buffer",
                                              "[batch_size, num_units * 4], or * 3 with CIFG. Its "
                                              "elements have no specified value."),
                                MatrixOperand("output_state_out", "h': [batch_size, output_size]."),
                                MatrixOperand("cell_state_out", "C': [batch_size, num_units]."),
                                MatrixOperand("output", "h' again: [batch_size, output_size].")},
                    // Without and with the weights of layer normalization.
                    .forms = {FirstSlots(kSlots.layer_norm_weights),
                              FirstSlots(kSlots.layer_norm_weights + 4)}},
      .constraints = Joined({LstmPresenceConstraints<kSlots>(), LstmScalarConstraints<kSlots>(),
                             LstmDimensionConstraints<kSlots>()}),
      .shape = OutputShapes,
      .steps = RecurrentSteps,
      .kernel = Compute(
          [](const auto& arithmetic, auto& context) { return TakeStep(arithmetic, context); }),
      .choose = ChooseOperands,
      .error_bound =
          "of each sum of products in any order, of the functions, and of each product and sum "
          "after them; with layer normalization of the mean and of the variance, computed in one "
          "pass or two",
      .source =
          "types.hal 1.0 and 1.2, OperationType::LSTM; the place of the bias and 1e-8 in layer "
          "normalization are those of Android's CPU implementation",
  };
}

}  // namespace nncert
