// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// LSTM: one time step of a long short-term memory cell.

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "reference/catalogue.h"
#include "reference/ops/lstm_cell.h"

namespace nncert {
namespace {

enum : int {
  kInput,
  kInputToInputWeights,
  kInputToForgetWeights,
  kInputToCellWeights,
  kInputToOutputWeights,
  kRecurrentToInputWeights,
  kRecurrentToForgetWeights,
  kRecurrentToCellWeights,
  kRecurrentToOutputWeights,
  kCellToInputWeights,
  kCellToForgetWeights,
  kCellToOutputWeights,
  kInputGateBias,
  kForgetGateBias,
  kCellBias,
  kOutputGateBias,
  kProjectionWeights,
  kProjectionBias,
  kOutputStateIn,
  kCellStateIn,
  kActivation,
  kCellClip,
  kProjectionClip,
  kInputLayerNormWeights,
  kForgetLayerNormWeights,
  kCellLayerNormWeights,
  kOutputLayerNormWeights,
};

enum : int { kScratch, kOutputStateOut, kCellStateOut, kOutput };

// Sizes by which the operands are tied. Only to be asked for when the dimensions are known.
uint32_t BatchSize(const OperationContext& context) { return context.Input(kInput).dimensions[0]; }
uint32_t InputSize(const OperationContext& context) { return context.Input(kInput).dimensions[1]; }
uint32_t NumUnits(const OperationContext& context) {
  return context.Input(kInputToOutputWeights).dimensions[0];
}
uint32_t OutputSize(const OperationContext& context) {
  return context.Input(kRecurrentToOutputWeights).dimensions[1];
}

bool IsCoupled(const OperationContext& context) { return !context.Has(kInputToInputWeights); }

// Whether each of `slots` that has a value has the dimensions `expected`.
bool HaveDimensions(const OperationContext& context, std::initializer_list<int> slots,
                    const Shape& expected) {
  return std::all_of(slots.begin(), slots.end(), [&](int slot) {
    return !context.Has(slot) || context.Input(slot).dimensions == expected;
  });
}

// Whether all of `slots` have a value, or none.
bool AllOrNone(const OperationContext& context, std::initializer_list<int> slots) {
  const auto has_value = [&](int slot) { return context.Has(slot); };
  return std::all_of(slots.begin(), slots.end(), has_value) ||
         std::none_of(slots.begin(), slots.end(), has_value);
}

OperandRule Matrix(std::string_view name, std::string_view description) {
  return Tensor(name).TypeLike(kInput).Ranks({2}).Values(Uniform(-1, 1)).Describe(description);
}
OperandRule Vector(std::string_view name, std::string_view description) {
  return Tensor(name).TypeLike(kInput).Ranks({1}).Values(Uniform(-1, 1)).Describe(description);
}

std::vector<OperandRule> Inputs() {
  return {
      Tensor("input")
          .Types({OperandType::TENSOR_FLOAT32})
          .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT16})
          .Ranks({2})
          .Values(Uniform(-1, 1))
          .Describe("x: [batch_size, input_size]."),
      Matrix("input_to_input_weights", "Wxi: [num_units, input_size].").Omittable(),
      Matrix("input_to_forget_weights", "Wxf: [num_units, input_size]."),
      Matrix("input_to_cell_weights", "Wxc: [num_units, input_size]."),
      Matrix("input_to_output_weights", "Wxo: [num_units, input_size]."),
      Matrix("recurrent_to_input_weights", "Whi: [num_units, output_size].").Omittable(),
      Matrix("recurrent_to_forget_weights", "Whf: [num_units, output_size]."),
      Matrix("recurrent_to_cell_weights", "Whc: [num_units, output_size]."),
      Matrix("recurrent_to_output_weights", "Who: [num_units, output_size]."),
      Vector("cell_to_input_weights", "wci: [num_units].").Omittable(),
      Vector("cell_to_forget_weights", "wcf: [num_units].").Omittable(),
      Vector("cell_to_output_weights", "wco: [num_units].").Omittable(),
      Vector("input_gate_bias", "bi: [num_units].").Omittable(),
      Vector("forget_gate_bias", "bf: [num_units]."),
      Vector("cell_bias", "bc: [num_units]."),
      Vector("output_gate_bias", "bo: [num_units]."),
      Matrix("projection_weights", "Wproj: [output_size, num_units].").Omittable(),
      Vector("projection_bias", "bproj: [output_size].").Omittable(),
      Matrix("output_state_in", "h: [batch_size, output_size]."),
      Matrix("cell_state_in", "C: [batch_size, num_units]."),
      Int32Scalar("activation")
          .Values(Uniform(0, 6))
          .Describe("The function g: 0 none, 1 RELU, 3 RELU6, 4 TANH, 6 LOGISTIC."),
      FloatScalarLike("cell_clip", kInput)
          .Values(LogUniform(0.1, 10))
          .Describe("The greatest magnitude of the cell state; 0 for no limit."),
      FloatScalarLike("projection_clip", kInput)
          .Values(LogUniform(0.1, 10))
          .Describe("The greatest magnitude of a projected output; 0 for no limit."),
      Vector("input_layer_norm_weights", "Scales of the normalized input gate: [num_units].")
          .Since(HalVersion::V1_2)
          .Omittable(),
      Vector("forget_layer_norm_weights", "Scales of the normalized forget gate: [num_units].")
          .Since(HalVersion::V1_2)
          .Omittable(),
      Vector("cell_layer_norm_weights", "Scales of the normalized cell: [num_units].")
          .Since(HalVersion::V1_2)
          .Omittable(),
      Vector("output_layer_norm_weights", "Scales of the normalized output gate: [num_units].")
          .Since(HalVersion::V1_2)
          .Omittable(),
  };
}

// Without and with the weights of layer normalization.
std::vector<std::vector<int>> Forms() {
  std::vector<int> plain;
  for (int slot = kInput; slot <= kProjectionClip; ++slot) plain.push_back(slot);
  std::vector<int> normalized = plain;
  for (int slot = kInputLayerNormWeights; slot <= kOutputLayerNormWeights; ++slot) {
    normalized.push_back(slot);
  }
  return {plain, normalized};
}

// Constraints on which operands have a value. They name the operands as ones whose dimensions they
// read, because an input of a model that may yet be left out has unknown dimensions.
std::vector<Constraint> PresenceConstraints() {
  return {
      {"C1",
       "input_to_input_weights, recurrent_to_input_weights and input_gate_bias all have values or "
       "none has (coupled input and forget gate)",
       {kInputToInputWeights, kRecurrentToInputWeights, kInputGateBias},
       {},
       [](const OperationContext& context) {
         return AllOrNone(context,
                          {kInputToInputWeights, kRecurrentToInputWeights, kInputGateBias});
       }},
      {"C2",
       "cell_to_forget_weights and cell_to_output_weights both have values or none has (peephole)",
       {kCellToForgetWeights, kCellToOutputWeights},
       {},
       [](const OperationContext& context) {
         return AllOrNone(context, {kCellToForgetWeights, kCellToOutputWeights});
       }},
      {"C3",
       "cell_to_input_weights have values exactly if the other cell weights have and the input "
       "gate is not coupled",
       {kInputToInputWeights, kCellToInputWeights, kCellToForgetWeights, kCellToOutputWeights},
       {},
       [](const OperationContext& context) {
         // What the other cell weights are is C2's to judge.
         return context.Has(kCellToForgetWeights) != context.Has(kCellToOutputWeights) ||
                context.Has(kCellToInputWeights) ==
                    (context.Has(kCellToForgetWeights) && !IsCoupled(context));
       }},
      {"C4",
       "projection_bias has values only if projection_weights have",
       {kProjectionWeights, kProjectionBias},
       {},
       [](const OperationContext& context) {
         return context.Has(kProjectionWeights) || !context.Has(kProjectionBias);
       }},
      {"C5",
       "forget_layer_norm_weights, cell_layer_norm_weights and output_layer_norm_weights all have "
       "values or none has",
       {kForgetLayerNormWeights, kCellLayerNormWeights, kOutputLayerNormWeights},
       {},
       [](const OperationContext& context) {
         return AllOrNone(
             context, {kForgetLayerNormWeights, kCellLayerNormWeights, kOutputLayerNormWeights});
       }},
      {"C6",
       "input_layer_norm_weights have values exactly if the other layer normalization weights have "
       "and the input gate is not coupled",
       {kInputToInputWeights, kInputLayerNormWeights, kForgetLayerNormWeights},
       {},
       [](const OperationContext& context) {
         return context.Has(kInputLayerNormWeights) ==
                (context.Has(kForgetLayerNormWeights) && !IsCoupled(context));
       }},
  };
}

std::vector<Constraint> ScalarConstraints() {
  return {
      {"C7",
       "activation is 0, 1, 3, 4 or 6",
       {},
       {kActivation},
       [](const OperationContext& context) {
         return IsLstmActivation(context.Int32(kActivation));
       }},
      {"C8",
       "cell_clip is 0 or more",
       {},
       {kCellClip},
       [](const OperationContext& context) { return context.Real(kCellClip) >= 0; }},
      {"C9",
       "projection_clip is 0 or more",
       {},
       {kProjectionClip},
       [](const OperationContext& context) { return context.Real(kProjectionClip) >= 0; }},
  };
}

std::vector<Constraint> DimensionConstraints() {
  return {
      {"C10",
       "the weights of the input are of dimensions [num_units, input_size]",
       {kInput, kInputToInputWeights, kInputToForgetWeights, kInputToCellWeights,
        kInputToOutputWeights},
       {},
       [](const OperationContext& context) {
         return HaveDimensions(context,
                               {kInputToInputWeights, kInputToForgetWeights, kInputToCellWeights,
                                kInputToOutputWeights},
                               {NumUnits(context), InputSize(context)});
       }},
      {"C11",
       "the recurrent weights are of dimensions [num_units, output_size]",
       {kInputToOutputWeights, kRecurrentToInputWeights, kRecurrentToForgetWeights,
        kRecurrentToCellWeights, kRecurrentToOutputWeights},
       {},
       [](const OperationContext& context) {
         return HaveDimensions(context,
                               {kRecurrentToInputWeights, kRecurrentToForgetWeights,
                                kRecurrentToCellWeights, kRecurrentToOutputWeights},
                               {NumUnits(context), OutputSize(context)});
       }},
      {"C12",
       "the weights of the cell state are of dimensions [num_units]",
       {kInputToOutputWeights, kCellToInputWeights, kCellToForgetWeights, kCellToOutputWeights},
       {},
       [](const OperationContext& context) {
         return HaveDimensions(context,
                               {kCellToInputWeights, kCellToForgetWeights, kCellToOutputWeights},
                               {NumUnits(context)});
       }},
      {"C13",
       "the biases of the gates and the cell are of dimensions [num_units]",
       {kInputToOutputWeights, kInputGateBias, kForgetGateBias, kCellBias, kOutputGateBias},
       {},
       [](const OperationContext& context) {
         return HaveDimensions(context,
                               {kInputGateBias, kForgetGateBias, kCellBias, kOutputGateBias},
                               {NumUnits(context)});
       }},
      {"C14",
       "projection_weights are of dimensions [output_size, num_units]; without them output_size is "
       "num_units",
       {kInputToOutputWeights, kRecurrentToOutputWeights, kProjectionWeights},
       {},
       [](const OperationContext& context) {
         return context.Has(kProjectionWeights)
                    ? HaveDimensions(context, {kProjectionWeights},
                                     {OutputSize(context), NumUnits(context)})
                    : OutputSize(context) == NumUnits(context);
       }},
      {"C15",
       "projection_bias is of dimensions [output_size]",
       {kRecurrentToOutputWeights, kProjectionBias},
       {},
       [](const OperationContext& context) {
         return HaveDimensions(context, {kProjectionBias}, {OutputSize(context)});
       }},
      {"C16",
       "output_state_in is of dimensions [batch_size, output_size]",
       {kInput, kRecurrentToOutputWeights, kOutputStateIn},
       {},
       [](const OperationContext& context) {
         return HaveDimensions(context, {kOutputStateIn},
                               {BatchSize(context), OutputSize(context)});
       }},
      {"C17",
       "cell_state_in is of dimensions [batch_size, num_units]",
       {kInput, kInputToOutputWeights, kCellStateIn},
       {},
       [](const OperationContext& context) {
         return HaveDimensions(context, {kCellStateIn}, {BatchSize(context), NumUnits(context)});
       }},
      {"C18",
       "the layer normalization weights are of dimensions [num_units]",
       {kInputToOutputWeights, kInputLayerNormWeights, kForgetLayerNormWeights,
        kCellLayerNormWeights, kOutputLayerNormWeights},
       {},
       [](const OperationContext& context) {
         return HaveDimensions(context,
                               {kInputLayerNormWeights, kForgetLayerNormWeights,
                                kCellLayerNormWeights, kOutputLayerNormWeights},
                               {NumUnits(context)});
       }},
  };
}

std::vector<Constraint> Constraints() {
  std::vector<Constraint> all = PresenceConstraints();
  for (Constraint& constraint : ScalarConstraints()) all.push_back(std::move(constraint));
  for (Constraint& constraint : DimensionConstraints()) all.push_back(std::move(constraint));
  return all;
}

absl::Status OutputShapes(const OperationContext& context, std::vector<Shape>& outputs) {
  const uint64_t scratch_size = uint64_t{NumUnits(context)} * (IsCoupled(context) ? 3 : 4);
  if (scratch_size > kLargestTensorElements) {
    return context.InputError(
        kInputToOutputWeights,
        absl::StrCat("has ", NumUnits(context), " units, so the scratch buffer would have ",
                     scratch_size, " elements in a row; expected at most ",
                     kLargestTensorElements));
  }
  outputs[kScratch] = {BatchSize(context), static_cast<uint32_t>(scratch_size)};
  outputs[kOutputStateOut] = {BatchSize(context), OutputSize(context)};
  outputs[kCellStateOut] = {BatchSize(context), NumUnits(context)};
  outputs[kOutput] = outputs[kOutputStateOut];
  return absl::OkStatus();
}

template <class A>
absl::Status TakeStep(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  const auto load = [&](int slot) -> const Number* {
    return context->Has(slot) ? context.Input(slot).data : nullptr;
  };
  const OperationContext& operation = context.operation();
  LstmParameters<Number> parameters = {
      .sizes = {.batches = BatchSize(operation),
                .input_size = InputSize(operation),
                .aux_input_size = 0,
                .units = NumUnits(operation),
                .output_size = OutputSize(operation)},
      .is_coupled = IsCoupled(operation),
      .input = {.input_weights = load(kInputToInputWeights),
                .recurrent_weights = load(kRecurrentToInputWeights),
                .peephole_weights = load(kCellToInputWeights),
                .layer_norm_weights = load(kInputLayerNormWeights),
                .bias = load(kInputGateBias)},
      .forget = {.input_weights = load(kInputToForgetWeights),
                 .recurrent_weights = load(kRecurrentToForgetWeights),
                 .peephole_weights = load(kCellToForgetWeights),
                 .layer_norm_weights = load(kForgetLayerNormWeights),
                 .bias = load(kForgetGateBias)},
      .cell = {.input_weights = load(kInputToCellWeights),
               .recurrent_weights = load(kRecurrentToCellWeights),
               .layer_norm_weights = load(kCellLayerNormWeights),
               .bias = load(kCellBias)},
      .output = {.input_weights = load(kInputToOutputWeights),
                 .recurrent_weights = load(kRecurrentToOutputWeights),
                 .peephole_weights = load(kCellToOutputWeights),
                 .layer_norm_weights = load(kOutputLayerNormWeights),
                 .bias = load(kOutputGateBias)},
      .projection_weights = load(kProjectionWeights),
      .projection_bias = load(kProjectionBias),
      .activation = static_cast<LstmActivation>(operation.Int32(kActivation)),
      .cell_clip = operation.Real(kCellClip),
      .projection_clip = operation.Real(kProjectionClip),
  };
  auto scratch = context.Output(kScratch);
  if (!scratch.ok()) return scratch.status();
  auto output_state = context.Output(kOutputStateOut);
  if (!output_state.ok()) return output_state.status();
  auto cell_state = context.Output(kCellStateOut);
  if (!cell_state.ok()) return cell_state.status();
  auto output = context.Output(kOutput);
  if (!output.ok()) return output.status();

  std::fill_n(scratch->data, scratch->size, arithmetic.Unspecified());
  const auto output_state_in = context.Input(kOutputStateIn);
  const auto cell_state_in = context.Input(kCellStateIn);
  std::copy_n(output_state_in.data, output_state_in.size, output_state->data);
  std::copy_n(cell_state_in.data, cell_state_in.size, cell_state->data);
  LstmCell<A> cell(arithmetic, parameters);
  cell.Step(context.Input(kInput).data, nullptr, output_state->data, cell_state->data);
  std::copy_n(output_state->data, output_state->size, output->data);
  return absl::OkStatus();
}

}  // namespace

NNCERT_OPERATION_DEFINITION(LSTM) {
  return {
      .summary =
          "i, f, o = logistic(W x + R h + w C + b); C' = clip(f C + i g(W x + R h + b)); "
          "h' = clip(P (o g(C')) + p)",
      .description =
          "One time step of a long short-term memory cell with input x, output state h and cell "
          "state C. The input gate i, the forget gate f and the output gate o each have weights W "
          "of the input and R of the output state, a bias b, and may have weights w of the cell "
          "state (peephole), which are multiplied element by element; the output gate looks at the "
          "new cell state. g is the activation. Without weights of the input gate, i = 1 - f "
          "(CIFG). "
          "Without projection weights P, h' = o g(C'). With layer normalization weights (since HAL "
          "1.2), the arguments of the gates and of the cell's g, without the bias, are normalized "
          "over the units to mean 0 and variance 1, multiplied by these weights, and then the bias "
          "is added. The output is the new output state. The scratch buffer has no specified "
          "content.",
      .signature = {.inputs = Inputs(),
                    .outputs = {Matrix("scratch_buffer",
                                       "[batch_size, num_units * 4], or * 3 with CIFG. Its "
                                       "elements have no specified value."),
                                Matrix("output_state_out", "h': [batch_size, output_size]."),
                                Matrix("cell_state_out", "C': [batch_size, num_units]."),
                                Matrix("output", "h' again: [batch_size, output_size].")},
                    .forms = Forms()},
      .constraints = Constraints(),
      .shape = OutputShapes,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return TakeStep(arithmetic, context);
      }),
      .error_bound =
          "of each sum of products in any order, of the functions, and of each product and sum "
          "after them; with layer normalization of the mean and of the variance, computed in one "
          "pass or two",
      .source =
          "types.hal 1.0 and 1.2, OperationType::LSTM; the place of the bias and 1e-8 in "
          "layer normalization are those of Android's CPU implementation",
  };
}

}  // namespace nncert
