// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "mlts/tflite/operator_mappings.h"
#include "mlts/tflite/tensor_values.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::FusedActivationFunc;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using tflite::ActivationFunctionType;
using tflite::BuiltinOperator;

// The inputs of LSTM, which are in the HAL where they are in TensorFlow Lite.
constexpr size_t kWeightsBegin = 1;
constexpr size_t kOutputState = 18;
constexpr size_t kCellState = 19;
constexpr size_t kLayerNormBegin = 20;
constexpr size_t kLayerNormEnd = 24;

// The HAL's number of the function of a cell.
uint32_t CellActivation(OperatorMapper& mapper, ActivationFunctionType function) {
  constexpr int32_t kTanh = 4;
  return function == ActivationFunctionType::TANH ? mapper.Int32(kTanh)
                                                  : mapper.Activation(function);
}

// Adds inputs `begin` to `end` of the operator, those that are left out as omitted ones.
void AddWeights(OperatorMapper& mapper, size_t begin, size_t end, std::vector<uint32_t>& inputs) {
  for (size_t i = begin; i < end; ++i) inputs.push_back(mapper.WeightsOrOmitted(i, inputs[0]));
}

bool HasLayerNorm(const OperatorMapper& mapper) {
  for (size_t i = kLayerNormBegin; i < kLayerNormEnd; ++i) {
    if (mapper.HasInput(i)) return true;
  }
  return false;
}

// The packed weights and biases of a basic LSTM, gate by gate.
class PackedGates {
 public:
  enum Gate : uint32_t { kInputGate, kCellGate, kForgetGate, kOutputGate, kGates };

  // `depth` is the length of the input.
  PackedGates(OperatorMapper& mapper, size_t weights, size_t biases, uint32_t depth)
      : mapper_(mapper), depth_(depth) {
    Read(weights, weights_, weights_spec_);
    Read(biases, biases_, biases_spec_);
    if (!mapper_.status().ok()) return;
    const std::vector<uint32_t>& dimensions = weights_spec_.dimensions;
    const bool fits = dimensions.size() == 2 && dimensions[0] % kGates == 0 &&
                      uint64_t{depth_} + dimensions[0] / kGates == dimensions[1] &&
                      biases_spec_.dimensions == std::vector<uint32_t>{dimensions[0]};
    mapper_.Demand(fits,
                   absl::StrCat("its weights are of dimensions ", ShapeToString(dimensions),
                                " and its biases of ", ShapeToString(biases_spec_.dimensions),
                                "; expected [4 * units, ", depth_, " + units] and [4 * units]"));
    if (fits) units_ = dimensions[0] / kGates;
  }

  // The weights of the input or of the state before, as a constant.
  uint32_t WeightsOfInput(Gate gate) { return Columns(gate, 0, depth_); }
  uint32_t WeightsOfState(Gate gate) { return Columns(gate, depth_, units_); }

  uint32_t Bias(Gate gate, float scale) {
    if (!mapper_.status().ok()) return 0;
    const size_t size = units_ * hal::nonExtensionElementSize(biases_spec_.type);
    OperandSpec spec = biases_spec_;
    spec.dimensions = {units_};
    spec.scale = scale;
    const auto first = biases_.begin() + static_cast<std::ptrdiff_t>(gate * size);
    return mapper_.Constant(spec, {first, first + static_cast<std::ptrdiff_t>(size)});
  }

  float scale() const { return weights_spec_.scale; }

 private:
  void Read(size_t input, std::vector<uint8_t>& bytes, OperandSpec& spec) {
    const TfliteTensor& tensor = mapper_.InputTensor(input);
    if (!mapper_.status().ok()) return;
    absl::StatusOr<std::vector<uint8_t>> elements = ElementsOf(tensor);
    absl::StatusOr<OperandSpec> specification = SpecOf(tensor);
    if (!elements.ok()) return mapper_.Refuse(elements.status());
    if (!specification.ok()) return mapper_.Refuse(specification.status());
    bytes = *std::move(elements);
    spec = *std::move(specification);
  }

  uint32_t Columns(Gate gate, uint32_t first, uint32_t count) {
    if (!mapper_.status().ok()) return 0;
    const size_t size = hal::nonExtensionElementSize(weights_spec_.type);
    const size_t row = weights_spec_.dimensions[1] * size;
    std::vector<uint8_t> bytes;
    for (uint32_t unit = 0; unit < units_; ++unit) {
      const size_t begin = (size_t{gate} * units_ + unit) * row + first * size;
      bytes.insert(bytes.end(), weights_.begin() + static_cast<std::ptrdiff_t>(begin),
                   weights_.begin() + static_cast<std::ptrdiff_t>(begin + count * size));
    }
    OperandSpec spec = weights_spec_;
    spec.dimensions = {units_, count};
    return mapper_.Constant(spec, std::move(bytes));
  }

  OperatorMapper& mapper_;
  uint32_t depth_;
  uint32_t units_ = 0;
  std::vector<uint8_t> weights_;
  OperandSpec weights_spec_ = {OperandType::TENSOR_FLOAT32};
  std::vector<uint8_t> biases_;
  OperandSpec biases_spec_ = {OperandType::TENSOR_FLOAT32};
};

// The gates in the order of the HAL's inputs.
constexpr std::array kGateOrder = {PackedGates::kInputGate, PackedGates::kForgetGate,
                                   PackedGates::kCellGate, PackedGates::kOutputGate};

// An LSTM whose weights are packed: QUANTIZED_16BIT_LSTM of quantized tensors, LSTM of floats.
void MapBasicLstm(OperatorMapper& mapper) {
  constexpr size_t kState = 1;
  constexpr size_t kWeights = 2;
  constexpr size_t kBiases = 3;
  constexpr size_t kCell = 4;
  const uint32_t input = mapper.Input(0);
  const uint32_t state = mapper.State(kState);
  const uint32_t cell = mapper.State(kCell);
  PackedGates gates(mapper, kWeights, kBiases, mapper.DimensionOf(input, -1));
  const bool is_quantized = IsQuantized(mapper.TypeOf(input));
  const float bias_scale = is_quantized ? mapper.SpecOf(input).scale * gates.scale() : 0;
  std::vector<uint32_t> inputs = {input};
  for (const auto gate : kGateOrder) inputs.push_back(gates.WeightsOfInput(gate));
  for (const auto gate : kGateOrder) inputs.push_back(gates.WeightsOfState(gate));
  uint32_t output = 0;
  uint32_t cell_out = 0;
  if (is_quantized) {
    for (const auto gate : kGateOrder) inputs.push_back(gates.Bias(gate, bias_scale));
    inputs.push_back(cell);
    inputs.push_back(state);
    const std::vector<uint32_t> results = mapper.ApplyAll(
        OperationType::QUANTIZED_16BIT_LSTM, inputs, {mapper.SpecOf(cell), mapper.SpecOf(state)});
    cell_out = results[0];
    output = results[1];
  } else {
    const OperandType type = mapper.TypeOf(input);
    for (int peephole = 0; peephole < 3; ++peephole) inputs.push_back(mapper.Omitted(type));
    for (const auto gate : kGateOrder) inputs.push_back(gates.Bias(gate, bias_scale));
    for (int projection = 0; projection < 2; ++projection) inputs.push_back(mapper.Omitted(type));
    inputs.insert(inputs.end(), {state, cell, CellActivation(mapper, ActivationFunctionType::TANH),
                                 mapper.Float32(0), mapper.Float32(0)});
    const std::vector<uint32_t> results = mapper.ApplyAll(
        OperationType::LSTM, inputs, std::vector<OperandSpec>(4, mapper.SpecOf(input)));
    mapper.AddUnused(results[0], "scratch_buffer");
    mapper.AddUnused(results[1], "output_state");
    cell_out = results[2];
    output = results[3];
  }
  if (mapper.IsVariable(kState)) mapper.SetState(kState, output);
  if (mapper.IsVariable(kCell)) mapper.SetState(kCell, cell_out);
  mapper.Deliver(output, 0);
  if (mapper.outputs() > 1) mapper.Deliver(cell_out, 1);
}

void MapLstm(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::LSTMOptions>();
  if (options == nullptr) return;
  if (options->kernel_type() == tflite::LSTMKernelType::BASIC) return MapBasicLstm(mapper);
  mapper.Demand(mapper.inputs() >= kLayerNormBegin,
                "its states are not among its inputs, as in files before 2018");
  std::vector<uint32_t> inputs = {mapper.Input(0)};
  AddWeights(mapper, kWeightsBegin, kOutputState, inputs);
  inputs.insert(inputs.end(),
                {mapper.State(kOutputState), mapper.State(kCellState),
                 CellActivation(mapper, options->fused_activation_function()),
                 mapper.Float32(options->cell_clip()), mapper.Float32(options->proj_clip())});
  if (HasLayerNorm(mapper)) AddWeights(mapper, kLayerNormBegin, kLayerNormEnd, inputs);
  const std::vector<uint32_t> outputs = mapper.ApplyAll(
      OperationType::LSTM, inputs, std::vector<OperandSpec>(4, mapper.SpecOf(inputs[0])));
  mapper.AddUnused(outputs[0], "scratch_buffer");
  mapper.SetState(kOutputState, outputs[1]);
  mapper.SetState(kCellState, outputs[2]);
  mapper.Deliver(outputs[3]);
}

void MapSequenceLstm(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::UnidirectionalSequenceLSTMOptions>();
  if (options == nullptr) return;
  mapper.Demand(!options->diagonal_recurrent_tensors(),
                "its recurrent weights are diagonals, which the HAL has not");
  std::vector<uint32_t> inputs = {mapper.Input(0)};
  AddWeights(mapper, kWeightsBegin, kOutputState, inputs);
  inputs.insert(inputs.end(),
                {mapper.InitialState(kOutputState), mapper.InitialState(kCellState),
                 CellActivation(mapper, options->fused_activation_function()),
                 mapper.Float32(options->cell_clip()), mapper.Float32(options->proj_clip()),
                 mapper.Bool(options->time_major())});
  // The HAL wants them said to be left out.
  AddWeights(mapper, kLayerNormBegin, kLayerNormEnd, inputs);
  mapper.Emit(OperationType::UNIDIRECTIONAL_SEQUENCE_LSTM, inputs);
}

void MapBidirectionalLstm(OperatorMapper& mapper) {
  constexpr size_t kStatesBegin = 35;
  constexpr size_t kStatesEnd = 39;
  constexpr size_t kEnd = 48;
  constexpr int kLayerNormWeights = 8;
  const auto* options = mapper.RequiredOptions<tflite::BidirectionalSequenceLSTMOptions>();
  if (options == nullptr) return;
  std::vector<uint32_t> inputs = {mapper.Input(0)};
  AddWeights(mapper, kWeightsBegin, kStatesBegin, inputs);
  for (size_t i = kStatesBegin; i < kStatesEnd; ++i) inputs.push_back(mapper.InitialState(i));
  AddWeights(mapper, kStatesEnd, kEnd, inputs);
  inputs.insert(inputs.end(),
                {CellActivation(mapper, options->fused_activation_function()),
                 mapper.Float32(options->cell_clip()), mapper.Float32(options->proj_clip()),
                 mapper.Bool(options->merge_outputs()), mapper.Bool(options->time_major())});
  for (int i = 0; i < kLayerNormWeights; ++i) {
    inputs.push_back(mapper.Omitted(mapper.TypeOf(inputs[0])));
  }
  mapper.Emit(OperationType::BIDIRECTIONAL_SEQUENCE_LSTM, inputs);
}

void MapRnn(OperatorMapper& mapper) {
  constexpr size_t kState = 4;
  const auto* options = mapper.RequiredOptions<tflite::RNNOptions>();
  if (options == nullptr) return;
  const uint32_t input = mapper.Input(0);
  const uint32_t weights = mapper.Weights(1, input);
  const uint32_t recurrent_weights = mapper.Weights(2, input);
  const uint32_t bias = mapper.Weights(3, input);
  const uint32_t state = mapper.State(kState);
  if (options->fused_activation_function() != ActivationFunctionType::TANH) {
    const std::vector<uint32_t> outputs =
        mapper.ApplyAll(OperationType::RNN,
                        {input, weights, recurrent_weights, bias, state,
                         mapper.Activation(options->fused_activation_function())},
                        {mapper.SpecOf(state), mapper.SpecOf(state)});
    mapper.SetState(kState, outputs[0]);
    mapper.Deliver(outputs[1]);
    return;
  }
  // The HAL's cell has no TANH, and is the sum of two layers.
  const auto none = [&mapper] {
    return mapper.Int32(static_cast<int32_t>(FusedActivationFunc::NONE));
  };
  const OperandSpec spec = mapper.SpecOf(state);
  const uint32_t no_bias = mapper.Zeros(mapper.SpecOf(bias));
  const uint32_t of_input =
      mapper.Apply(OperationType::FULLY_CONNECTED, {input, weights, bias, none()}, spec);
  const uint32_t of_state = mapper.Apply(OperationType::FULLY_CONNECTED,
                                         {state, recurrent_weights, no_bias, none()}, spec);
  const uint32_t sum = mapper.Apply(OperationType::ADD, {of_input, of_state, none()}, spec);
  const uint32_t output = mapper.Apply(OperationType::TANH, {sum}, spec);
  if (mapper.IsVariable(kState)) mapper.SetState(kState, output);
  mapper.Deliver(output);
}

void MapSequenceRnn(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::SequenceRNNOptions>();
  if (options == nullptr) return;
  std::vector<uint32_t> inputs = {mapper.Input(0)};
  AddWeights(mapper, 1, 4, inputs);
  inputs.insert(inputs.end(),
                {mapper.InitialState(4), mapper.Activation(options->fused_activation_function()),
                 mapper.Int32(options->time_major() ? 1 : 0)});
  mapper.Emit(OperationType::UNIDIRECTIONAL_SEQUENCE_RNN, inputs);
}

void MapBidirectionalRnn(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::BidirectionalSequenceRNNOptions>();
  if (options == nullptr) return;
  std::vector<uint32_t> inputs = {mapper.Input(0)};
  AddWeights(mapper, 1, 4, inputs);
  inputs.push_back(mapper.InitialState(4));
  AddWeights(mapper, 5, 8, inputs);
  inputs.push_back(mapper.InitialState(8));
  AddWeights(mapper, 9, 12, inputs);
  inputs.insert(inputs.end(),
                {mapper.Activation(options->fused_activation_function()),
                 mapper.Bool(options->time_major()), mapper.Bool(options->merge_outputs())});
  mapper.Emit(OperationType::BIDIRECTIONAL_SEQUENCE_RNN, inputs);
}

void MapSvdf(OperatorMapper& mapper) {
  constexpr size_t kState = 4;
  const auto* options = mapper.RequiredOptions<tflite::SVDFOptions>();
  if (options == nullptr) return;
  const uint32_t input = mapper.Input(0);
  const uint32_t weights_feature = mapper.Weights(1, input);
  const uint32_t weights_time = mapper.Weights(2, input);
  const uint32_t bias = mapper.WeightsOrOmitted(3, input);
  const uint32_t state = mapper.State(kState);
  const std::vector<uint32_t> outputs = mapper.ApplyAll(
      OperationType::SVDF,
      {input, weights_feature, weights_time, bias, state, mapper.Int32(options->rank()),
       mapper.Activation(options->fused_activation_function())},
      {mapper.SpecOf(state), mapper.SpecOf(input)});
  mapper.SetState(kState, outputs[0]);
  mapper.Deliver(outputs[1]);
}

void MapEmbeddingLookup(OperatorMapper& mapper) {
  const uint32_t lookups = mapper.Input(0);
  mapper.Emit(OperationType::EMBEDDING_LOOKUP, {lookups, mapper.Input(1)});
}

void MapHashtableLookup(OperatorMapper& mapper) {
  const uint32_t lookups = mapper.Input(0);
  const uint32_t keys = mapper.Input(1);
  mapper.Emit(OperationType::HASHTABLE_LOOKUP, {lookups, keys, mapper.Input(2)});
}

void MapLshProjection(OperatorMapper& mapper) {
  // LSHProjectionType_SPARSE and _DENSE of NNAPI. Its number 1 is another, deprecated one.
  constexpr int32_t kDense = 2;
  constexpr int32_t kSparse = 3;
  const auto* options = mapper.RequiredOptions<tflite::LSHProjectionOptions>();
  if (options == nullptr) return;
  const bool is_sparse = options->type() == tflite::LSHProjectionType::SPARSE;
  mapper.Demand(is_sparse || options->type() == tflite::LSHProjectionType::DENSE,
                "it is neither a sparse nor a dense projection");
  const uint32_t hash = mapper.Input(0);
  const uint32_t input = mapper.Input(1);
  const uint32_t weight = mapper.InputOrOmitted(2, OperandType::TENSOR_FLOAT32);
  mapper.Emit(OperationType::LSH_PROJECTION,
              {hash, input, weight, mapper.Int32(is_sparse ? kSparse : kDense)});
}

constexpr OperatorMapping kMappings[] = {
    {BuiltinOperator::BIDIRECTIONAL_SEQUENCE_LSTM, &MapBidirectionalLstm},
    {BuiltinOperator::BIDIRECTIONAL_SEQUENCE_RNN, &MapBidirectionalRnn},
    {BuiltinOperator::EMBEDDING_LOOKUP, &MapEmbeddingLookup},
    {BuiltinOperator::HASHTABLE_LOOKUP, &MapHashtableLookup},
    {BuiltinOperator::LSH_PROJECTION, &MapLshProjection},
    {BuiltinOperator::LSTM, &MapLstm},
    {BuiltinOperator::RNN, &MapRnn},
    {BuiltinOperator::SVDF, &MapSvdf},
    {BuiltinOperator::UNIDIRECTIONAL_SEQUENCE_LSTM, &MapSequenceLstm},
    {BuiltinOperator::UNIDIRECTIONAL_SEQUENCE_RNN, &MapSequenceRnn},
};

}  // namespace

absl::Span<const OperatorMapping> RecurrentMappings() { return kMappings; }

}  // namespace nncert
