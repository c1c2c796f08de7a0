// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// QUANTIZED_16BIT_LSTM: one time step of a long short-term memory cell whose state has 16 bits.

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/lstm_cell.h"
#include "reference/ops/common/recurrent.h"
#include "reference/ops/common/weights.h"

namespace nncert {
namespace {

enum : int {
  kInput,
  kFirstInputWeights,
  kFirstRecurrentWeights = 5,
  kFirstBias = 9,
  kCellStateIn = 13,
  kOutputStateIn
};
enum : int { kCellStateOut, kOutput };

constexpr float kValueScale = 1.F / 128;
constexpr int32_t kValueZeroPoint = 128;
constexpr float kCellStateScale = 16.F / 32768;

// The gates in the order of the operands.
constexpr const char* kGates[] = {"input", "forget", "cell", "output"};
constexpr int kGateCount = 4;

uint32_t BatchSize(const OperationContext& context) { return context.Input(kInput).dimensions[0]; }
uint32_t InputSize(const OperationContext& context) { return context.Input(kInput).dimensions[1]; }
uint32_t OutputSize(const OperationContext& context) {
  return context.Input(kFirstInputWeights).dimensions[0];
}

// The arithmetic `A` of an implementation whose numbers inside of the cell have 16 bits and a fixed
// point. In `float` and `double` it is A itself; an enclosure also holds what such numbers lose.
//
// The documentation gives the formats of the operands alone. The formats granted here are those for
// which the operation was made: 3 bits before the point for arguments of functions, 4 for the cell
// state, none for what is limited by 1. So an argument is rounded to a multiple of 2^-12 and may
// saturate at 8; a function is good to 16 units of 2^-15 (gemmlowp's, computed in 16 bits from end
// to end, were measured for all arguments: tanh is off by up to 11.8, the logistic function
// by 6.4); and a product is rounded to a multiple of 2^-15, and then to one of 2^-11 when the cell
// state is made of it.
template <class A>
class SixteenBitArithmetic : public A {
 public:
  using Number = typename A::Number;

  explicit SixteenBitArithmetic(const A& arithmetic) : A(arithmetic) {}

  Number Multiply(const Number& x, const Number& y) const {
    return Within(0x1p-12 + 0x1p-16, A::Multiply(x, y));
  }
  Number Logistic(const Number& x) const {
    return Within(kFunctionError, A::Logistic(Argument(x)));
  }
  Number Tanh(const Number& x) const { return Within(kFunctionError, A::Tanh(Argument(x))); }

 private:
  static constexpr double kFunctionError = 16 * 0x1p-15;

  // x, with an error of up to `error` where A holds errors.
  Number Within(double error, const Number& x) const {
    const Number bound = A::Constant(error);
    return A::EitherOf(A::EitherOf(x, A::Add(x, bound)), A::Subtract(x, bound));
  }

  // x as the argument of a function.
  Number Argument(const Number& x) const {
    return Within(0x1p-13, A::EitherOf(x, Clamp(static_cast<const A&>(*this), x, -8, 8)));
  }
};

// A tensor of what goes into the cell and comes out of it.
OperandRule ValueTensor(std::string_view name) {
  return Tensor(name)
      .Types({OperandType::TENSOR_QUANT8_ASYMM})
      .Ranks({2})
      .Quantized(kValueScale, kValueZeroPoint)
      .Values(Uniform(-1, 1));
}

OperandRule CellStateTensor(std::string_view name) {
  return Tensor(name)
      .Types({OperandType::TENSOR_QUANT16_SYMM})
      .Ranks({2})
      .Quantized(kCellStateScale, 0);
}

std::vector<OperandRule> Inputs() {
  std::vector<OperandRule> inputs = {ValueTensor("input").Describe("x: [batches, input_size].")};
  for (const bool is_recurrent : {false, true}) {
    for (const char* gate : kGates) {
      const char* origin = is_recurrent ? "recurrent" : "input";
      const char* columns = is_recurrent ? "output_size" : "input_size";
      OperandRule rule =
          Tensor(absl::StrCat(origin, "_to_", gate, "_weights"))
              .Types({OperandType::TENSOR_QUANT8_ASYMM})
              .Ranks({2})
              .Values(Uniform(-1, 1))
              .Describe(absl::StrCat(is_recurrent ? "R" : "W", " of the ", gate, ": [output_size, ",
                                     columns, "]. All weights have the same scale and zeroPoint."));
      const bool is_first = inputs.size() == kFirstInputWeights;
      inputs.push_back(is_first ? rule : rule.QuantizedLike(kFirstInputWeights));
    }
  }
  for (const char* gate : kGates) {
    inputs.push_back(
        Tensor(absl::StrCat(gate, "_bias"))
            .Types({OperandType::TENSOR_INT32})
            .Ranks({1})
            .QuantizedAsBias(kInput, kFirstInputWeights)
            .Describe(absl::StrCat(
                "b of the ", gate,
                ": [output_size], at the scale of the input times that of the weights.")));
  }
  inputs.push_back(CellStateTensor("cell_state_in").Describe("C: [batches, output_size]."));
  inputs.push_back(ValueTensor("output_in")
                       .Describe("h, the output of the step before: [batches, output_size]."));
  return inputs;
}

template <class A>
absl::Status TakeStep(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  const auto gate = [&](int number) -> LstmGate<Number> {
    return {.input_weights = context.Input(kFirstInputWeights + number).data,
            .recurrent_weights = context.Input(kFirstRecurrentWeights + number).data,
            .bias = LoadBias(arithmetic, context, kInput, kFirstInputWeights, kFirstBias + number)};
  };
  const OperationContext& operation = context.operation();
  const LstmParameters<Number> parameters = {.sizes = {.batches = BatchSize(operation),
                                                       .input_size = InputSize(operation),
                                                       .aux_input_size = 0,
                                                       .units = OutputSize(operation),
                                                       .output_size = OutputSize(operation)},
                                             .input = gate(0),
                                             .forget = gate(1),
                                             .cell = gate(2),
                                             .output = gate(3),
                                             .activation = LstmActivation::kTanh};
  const SixteenBitArithmetic<A> sixteen_bits(arithmetic);
  LstmCell<SixteenBitArithmetic<A>> cell(sixteen_bits, parameters,
                                         context.Input(kOutputStateIn).data,
                                         context.Input(kCellStateIn).data);
  cell.SetInputs(1, context.Input(kInput).data, nullptr);
  cell.Step(0);
  for (const int index : {kCellStateOut, kOutput}) {
    auto output = context.Output(index);
    if (!output.ok()) return output.status();
    std::copy_n(index == kCellStateOut ? cell.cell_state() : cell.output(), output->size,
                output->data);
  }
  return absl::OkStatus();
}

std::vector<Constraint> Constraints() {
  return {
      Constraint(
          "the weights of the input are of dimensions [output_size, input_size]",
          {.shapes = {kInput, 1, 2, 3, 4}},
          [](const OperationContext& context) {
            return HaveDimensions(context, {1, 2, 3, 4}, {OutputSize(context), InputSize(context)});
          }),
      Constraint("the recurrent weights are of dimensions [output_size, output_size]",
                 {.shapes = {kFirstInputWeights, 5, 6, 7, 8}},
                 [](const OperationContext& context) {
                   return HaveDimensions(context, {5, 6, 7, 8},
                                         {OutputSize(context), OutputSize(context)});
                 }),
      Constraint("the biases are of dimensions [output_size]",
                 {.shapes = {kFirstInputWeights, 9, 10, 11, 12}},
                 [](const OperationContext& context) {
                   return HaveDimensions(context, {9, 10, 11, 12}, {OutputSize(context)});
                 }),
      Constraint("cell_state_in and output_in are of dimensions [batches, output_size]",
                 {.shapes = {kInput, kFirstInputWeights, kCellStateIn, kOutputStateIn}},
                 [](const OperationContext& context) {
                   return HaveDimensions(context, {kCellStateIn, kOutputStateIn},
                                         {BatchSize(context), OutputSize(context)});
                 })};
}

void ChooseOperands(OperandChooser& choose) {
  SequenceSizes step;
  uint32_t output_size = 0;
  std::vector<SharedSizes> operands = {{kInput, {&step.batches, &step.input_size}},
                                       {kCellStateIn, {&step.batches, &output_size}},
                                       {kOutputStateIn, {&step.batches, &output_size}}};
  for (int gate = 0; gate < kGateCount; ++gate) {
    operands.push_back({kFirstInputWeights + gate, {&output_size, &step.input_size}});
    operands.push_back({kFirstRecurrentWeights + gate, {&output_size, &output_size}});
    operands.push_back({kFirstBias + gate, {&output_size}});
  }
  TakeGivenSizes(choose, operands);
  step.Choose(choose);
  ChooseUnits(choose, step.input_size, output_size);
  SetSharedSizes(choose, operands);

  // All weights have the scale of these.
  choose.SetRange(kFirstInputWeights,
                  WeightRange(3, step.input_size + output_size, choose.Range(kInput)));
  // A bias is up to as large as a weight: 128 steps of the input's scale times 128 of the weights'.
  constexpr double kGreatestBias = 128 * 128;
  for (int gate = 0; gate < kGateCount; ++gate) {
    choose.SetRange(kFirstBias + gate, {-kGreatestBias, kGreatestBias});
  }
  // Mostly a cell state for which tanh is not nearly 1, which most numbers of its type are not.
  constexpr double kCellState = 3;
  if (!choose.IsGiven(kCellStateIn) && !choose.OneIn(4)) {
    std::vector<double> cell_state(size_t{step.batches} * output_size);
    for (double& x : cell_state) x = choose.random().Uniform(-kCellState, kCellState);
    choose.SetValues(kCellStateIn, std::move(cell_state));
  }
  choose.SetOutputRange(kCellStateOut, {-kCellState - 1, kCellState + 1});
  choose.SetOutputRange(kOutput, {-1, 1});
}

}  // namespace

NNCERT_OPERATION_DEFINITION(QUANTIZED_16BIT_LSTM) {
  return {
      .summary =
          "i, f, o = logistic(W x + R h + b); C' = f C + i tanh(W x + R h + b); h' = o tanh(C')",
      .description =
          "One time step of a long short-term memory cell (see LSTM) without peephole, projection "
          "and layer normalization, on quantized operands: input x, output h and weights have 8 "
          "bits, the cell state C has 16. The real equations hold for the numbers that the "
          "operands stand for; C' and h' are rounded to the nearest step of their operands and "
          "saturate.",
      .signature =
          {.inputs = Inputs(),
           .outputs = {CellStateTensor("cell_state_out").Describe("C': [batches, output_size]."),
                       ValueTensor("output").Describe("h': [batches, output_size].")}},
      .constraints = Constraints(),
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[kCellStateOut] = {BatchSize(context), OutputSize(context)};
        outputs[kOutput] = outputs[kCellStateOut];
        return absl::OkStatus();
      },
      .steps = RecurrentSteps,
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return TakeStep(arithmetic, context);
      }),
      .choose = ChooseOperands,
      .error_bound =
          "of 16-bit numbers with a fixed point: arguments of functions in steps of 2^-12 that may "
          "saturate at 8, functions to 2^-11, products in steps of 2^-11 and 2^-15",
      .source = "types.hal 1.2, OperationType::QUANTIZED_16BIT_LSTM",
  };
}

}  // namespace nncert
