// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/network_models.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hal/v1_2/types.h"
#include "mlts/training/matrix_product.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::FusedActivationFunc;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

// The padding schemes, by the HAL's numbers.
enum Padding : int32_t { kSame = 1, kValid = 2 };

absl::Status CheckParameters(const std::string& name, absl::Span<const float> parameters,
                             size_t expected) {
  if (parameters.size() != expected) {
    return absl::InvalidArgumentError(absl::StrCat(name, " was given ", parameters.size(),
                                                   " parameters; its layers have ", expected));
  }
  const auto* const found = std::find_if_not(parameters.begin(), parameters.end(),
                                             [](float value) { return std::isfinite(value); });
  if (found == parameters.end()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(name, ": parameter ", found - parameters.begin(),
                                                 " is ", *found, "; expected a finite number"));
}

absl::Status CheckRanges(const std::string& name, absl::Span<const TensorRange> ranges,
                         size_t layers) {
  if (ranges.size() != layers) {
    return absl::InvalidArgumentError(absl::StrCat(name, " was given ", ranges.size(),
                                                   " ranges; expected one for each of its ", layers,
                                                   " layers"));
  }
  for (size_t i = 0; i < layers; ++i) {
    if (std::isfinite(ranges[i].lowest) && std::isfinite(ranges[i].highest)) continue;
    return absl::InvalidArgumentError(absl::StrCat(name, ": the range of layer ", i, " is from ",
                                                   ranges[i].lowest, " to ", ranges[i].highest,
                                                   "; expected finite numbers"));
  }
  return absl::OkStatus();
}

// Columns of a row-major matrix as the rows of another.
std::vector<float> TransposedMatrix(absl::Span<const float> matrix, size_t columns) {
  return Transposed(matrix.data(), matrix.size() / columns, columns);
}

std::vector<double> Doubles(absl::Span<const float> values) {
  return std::vector<double>(values.begin(), values.end());
}

// Makes a model of a separable network, layer by layer.
class SeparableModel {
 public:
  explicit SeparableModel(NetworkForm form) : form_(form) {
    builder_.Relaxed(form == NetworkForm::RELAXED);
  }

  void AddInput(const Layer& first) {
    quantization_ = kImageQuantization;
    current_ = builder_.Input(
        Spec({1, first.input_side, first.input_side, first.input_depth}, quantization_));
  }

  // `weights` and then biases are the layer's parameters.
  void AddLayer(const Layer& layer, absl::Span<const float> parameters, const TensorRange& range) {
    if (layer.kind == LayerKind::AVERAGE_POOL) return AddPool(layer);
    const absl::Span<const float> weights = parameters.subspan(0, layer.weight_count());
    const absl::Span<const float> biases = parameters.subspan(layer.weight_count());
    const Quantization quantization = AsymmetricQuantization(range);
    const uint32_t filter = layer.filter;
    const uint32_t depth = layer.output_depth;
    const uint32_t side = layer.output_side();
    const uint32_t activation = builder_.Int32(static_cast<int32_t>(
        layer.has_relu6 ? FusedActivationFunc::RELU6 : FusedActivationFunc::NONE));
    std::vector<uint32_t> inputs = {current_};
    OperationType type = OperationType::CONV_2D;
    std::vector<uint32_t> output = {1, side, side, depth};
    if (layer.kind == LayerKind::FULLY_CONNECTED) {
      type = OperationType::FULLY_CONNECTED;
      output = {1, depth};
      AddWeights({depth, layer.input_depth}, TransposedMatrix(weights, depth), std::nullopt, biases,
                 inputs);
    } else {
      if (layer.kind == LayerKind::DEPTHWISE) {
        type = OperationType::DEPTHWISE_CONV_2D;
        AddWeights({1, filter, filter, depth}, {weights.begin(), weights.end()}, 3, biases, inputs);
      } else {
        AddWeights({depth, filter, filter, layer.input_depth}, TransposedMatrix(weights, depth), 0,
                   biases, inputs);
      }
      const auto stride = static_cast<int32_t>(layer.stride);
      for (const int32_t scalar : {int32_t{kSame}, stride, stride}) {
        inputs.push_back(builder_.Int32(scalar));
      }
      constexpr int32_t kMultiplier = 1;
      if (layer.kind == LayerKind::DEPTHWISE) inputs.push_back(builder_.Int32(kMultiplier));
    }
    inputs.push_back(activation);
    Finish(type, inputs, output, quantization);
  }

  hal::V1_2::Model FinishWithSoftmax(uint32_t classes) {
    const uint32_t beta = builder_.Constant(
        {form_ == NetworkForm::FLOAT16 ? OperandType::FLOAT16 : OperandType::FLOAT32}, {1});
    const uint32_t output =
        builder_.Output(Spec({1, classes}, {.scale = 1.F / 256, .zero_point = 0}));
    builder_.Operation(OperationType::SOFTMAX, {current_, beta}, {output});
    return builder_.model();
  }

 private:
  bool is_quantized() const {
    return form_ == NetworkForm::QUANT8 || form_ == NetworkForm::PER_CHANNEL;
  }

  // A tensor of values, quantized like that if the network is.
  OperandSpec Spec(const std::vector<uint32_t>& dimensions,
                   const Quantization& quantization) const {
    if (is_quantized()) {
      return {OperandType::TENSOR_QUANT8_ASYMM, dimensions, quantization.scale,
              quantization.zero_point};
    }
    return {
        form_ == NetworkForm::FLOAT16 ? OperandType::TENSOR_FLOAT16 : OperandType::TENSOR_FLOAT32,
        dimensions};
  }

  void AddPool(const Layer& layer) {
    std::vector<uint32_t> inputs = {current_};
    const auto stride = static_cast<int32_t>(layer.stride);
    const auto filter = static_cast<int32_t>(layer.filter);
    for (const int32_t scalar : {int32_t{kValid}, stride, stride, filter, filter,
                                 static_cast<int32_t>(FusedActivationFunc::NONE)}) {
      inputs.push_back(builder_.Int32(scalar));
    }
    // The HAL wants the output quantized like the input.
    const uint32_t side = layer.output_side();
    Finish(OperationType::AVERAGE_POOL_2D, inputs, {1, side, side, layer.output_depth},
           quantization_);
  }

  // Adds weights and biases to the inputs of an operation. Weights have a scale for each index of
  // the dimension `channels`, if there is one, the network's form has such, and else one for all.
  void AddWeights(const std::vector<uint32_t>& dimensions, const std::vector<float>& weights,
                  std::optional<uint32_t> channels, absl::Span<const float> biases,
                  std::vector<uint32_t>& inputs) {
    const auto count = static_cast<uint32_t>(biases.size());
    if (!is_quantized()) {
      inputs.push_back(builder_.Constant(Spec(dimensions, {}), Doubles(weights)));
      inputs.push_back(builder_.Constant(Spec({count}, {}), Doubles(biases)));
      return;
    }
    std::vector<Quantization> quantizations(count);
    OperandSpec weight_spec;
    OperandSpec bias_spec = {OperandType::TENSOR_INT32, {count}};
    std::vector<double> integers;
    if (form_ == NetworkForm::PER_CHANNEL && channels.has_value()) {
      // Channels are the first dimension or the last.
      const auto channel_of = [&](size_t i) {
        // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): without channels there are no weights.
        return *channels == 0 ? i / (weights.size() / count) : i % count;
      };
      std::vector<float> magnitudes(count);
      for (size_t i = 0; i < weights.size(); ++i) {
        float& magnitude = magnitudes[channel_of(i)];
        magnitude = std::max(magnitude, std::abs(weights[i]));
      }
      hal::V1_2::SymmPerChannelQuantParams scales = {.scales = {}, .channelDim = *channels};
      for (size_t c = 0; c < count; ++c) {
        quantizations[c].scale = SymmetricScale(magnitudes[c]);
        scales.scales.push_back(quantizations[c].scale);
      }
      for (size_t i = 0; i < weights.size(); ++i) {
        integers.push_back(Quantized(weights[i], quantizations[channel_of(i)], -127, 127));
      }
      weight_spec = {OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, dimensions, 0, 0, scales};
    } else {
      const Quantization quantization = AsymmetricQuantization(RangeOf(weights));
      quantizations.assign(count, quantization);
      for (const float weight : weights) {
        integers.push_back(Quantized(weight, quantization, 0, 255));
      }
      weight_spec = {OperandType::TENSOR_QUANT8_ASYMM, dimensions, quantization.scale,
                     quantization.zero_point};
      bias_spec.scale = quantization_.scale * quantization.scale;
    }
    inputs.push_back(builder_.Constant(weight_spec, integers));
    integers.clear();
    for (size_t c = 0; c < count; ++c) {
      integers.push_back(
          Quantized(biases[c], {.scale = quantization_.scale * quantizations[c].scale},
                    std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
    }
    inputs.push_back(builder_.Constant(bias_spec, integers));
  }

  void Finish(OperationType type, const std::vector<uint32_t>& inputs,
              const std::vector<uint32_t>& dimensions, const Quantization& quantization) {
    const uint32_t output = builder_.Temporary(Spec(dimensions, quantization));
    builder_.Operation(type, inputs, {output});
    current_ = output;
    quantization_ = quantization;
  }

  NetworkForm form_;
  ModelBuilder builder_;
  // What the layers so far make.
  uint32_t current_ = 0;
  Quantization quantization_;
};

}  // namespace

absl::StatusOr<Network> MakeSeparableNetwork(const std::string& name,
                                             const std::vector<Layer>& layers,
                                             absl::Span<const float> parameters,
                                             absl::Span<const TensorRange> ranges,
                                             NetworkForm form) {
  absl::Status status = CheckParameters(name, parameters, ParameterCount(layers));
  if (status.ok()) status = CheckRanges(name, ranges, layers.size());
  if (!status.ok()) return status;
  SeparableModel model(form);
  model.AddInput(layers.front());
  for (size_t i = 0; i < layers.size(); ++i) {
    const size_t count = layers[i].weight_count() + layers[i].bias_count();
    model.AddLayer(layers[i], parameters.subspan(0, count), ranges[i]);
    parameters.remove_prefix(count);
  }
  return Network{.name = name,
                 .model = model.FinishWithSoftmax(layers.back().output_depth),
                 .inputNames = {"image"},
                 .outputNames = {"probabilities"},
                 .states = {},
                 .unusedOutputs = {}};
}

absl::StatusOr<Network> MakeLstmNetwork(const std::string& name, const LstmNetwork& network,
                                        absl::Span<const float> parameters) {
  if (absl::Status status = CheckParameters(name, parameters, network.parameter_count());
      !status.ok()) {
    return status;
  }
  const auto inputs = static_cast<uint32_t>(network.inputs);
  const auto units = static_cast<uint32_t>(network.units);
  const auto classes = static_cast<uint32_t>(network.classes);
  constexpr auto kGates = static_cast<uint32_t>(LstmNetwork::kGates);
  ModelBuilder builder;
  const auto spec = [](const std::vector<uint32_t>& dimensions) -> OperandSpec {
    return {OperandType::TENSOR_FLOAT32, dimensions};
  };
  std::vector<uint32_t> operands = {builder.Input(spec({1, inputs}))};
  // The weights of each gate, [units, columns], of what is [columns, gates, units] here.
  const auto add_weights = [&](size_t offset, uint32_t columns) {
    const std::vector<float> all = TransposedMatrix(
        parameters.subspan(offset, size_t{columns} * kGates * units), size_t{kGates} * units);
    for (uint32_t gate = 0; gate < kGates; ++gate) {
      const size_t size = size_t{units} * columns;
      operands.push_back(builder.Constant(spec({units, columns}),
                                          Doubles(absl::MakeSpan(all).subspan(gate * size, size))));
    }
  };
  add_weights(0, inputs);
  add_weights(network.recurrent_weights(), units);
  const auto omit = [&](int count, const std::vector<uint32_t>& dimensions) {
    for (int i = 0; i < count; ++i) operands.push_back(builder.Omitted(spec(dimensions)));
  };
  omit(3, {units});  // the weights of the cell state
  for (uint32_t gate = 0; gate < kGates; ++gate) {
    operands.push_back(builder.Constant(
        spec({units}),
        Doubles(parameters.subspan(network.gate_biases() + size_t{gate} * units, units))));
  }
  omit(1, {units, units});  // projection
  omit(1, {units});
  operands.push_back(builder.Input(spec({1, units})));
  operands.push_back(builder.Input(spec({1, units})));
  constexpr int32_t kTanh = 4;
  operands.push_back(builder.Int32(kTanh));
  operands.push_back(builder.Float32(0));  // no clip of the cell state
  operands.push_back(builder.Float32(0));  // nor of the projection

  const uint32_t probabilities = builder.Output(spec({1, classes}));
  const uint32_t output_state = builder.Output(spec({1, units}));
  const uint32_t cell_state = builder.Output(spec({1, units}));
  const uint32_t scratch = builder.Output(spec({1, kGates * units}));
  const uint32_t output = builder.Temporary(spec({1, units}));
  builder.Operation(OperationType::LSTM, operands, {scratch, output_state, cell_state, output});
  const uint32_t weights = builder.Constant(
      spec({classes, units}),
      Doubles(TransposedMatrix(
          parameters.subspan(network.classifier_weights(), size_t{units} * classes), classes)));
  const uint32_t biases = builder.Constant(
      spec({classes}), Doubles(parameters.subspan(network.classifier_biases(), classes)));
  const uint32_t logits = builder.Temporary(spec({1, classes}));
  builder.Operation(
      OperationType::FULLY_CONNECTED,
      {output, weights, biases, builder.Int32(static_cast<int32_t>(FusedActivationFunc::NONE))},
      {logits});
  builder.Operation(OperationType::SOFTMAX, {logits, builder.Float32(1)}, {probabilities});
  return Network{.name = name,
                 .model = builder.model(),
                 .inputNames = {"frame", "output_state", "cell_state"},
                 .outputNames = {"probabilities", "output_state", "cell_state", "scratch_buffer"},
                 .states = {{.input = 1, .output = 1}, {.input = 2, .output = 2}},
                 .unusedOutputs = {3}};
}

}  // namespace nncert
