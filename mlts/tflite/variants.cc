// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/variants.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "mlts/tflite/network_rewriter.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::FusedActivationFunc;
using hal::V1_2::Operand;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using hal::V1_2::SymmPerChannelQuantParams;

// Whether elements of a tensor stand for real numbers.
bool IsReal(OperandType type) {
  return !hal::nonExtensionOperandTypeIsScalar(type) &&
         (IsQuantized(type) || IsFloatingPoint(type));
}

// The scale of each index of a dimension, or the only one.
std::vector<float> ScalesOf(const Operand& operand) {
  const auto* channels = std::get_if<SymmPerChannelQuantParams>(&operand.extraParams);
  return channels == nullptr ? std::vector<float>{operand.scale} : channels->scales;
}

// Which of the scales along dimension `channel_dimension` belongs to each element.
class ChannelIndex {
 public:
  ChannelIndex(const std::vector<uint32_t>& dimensions, uint32_t channel_dimension)
      : channels_(dimensions[channel_dimension]) {
    for (size_t i = channel_dimension + 1; i < dimensions.size(); ++i) inner_ *= dimensions[i];
  }
  size_t operator()(size_t element) const { return element / inner_ % channels_; }

 private:
  size_t channels_;
  size_t inner_ = 1;
};

// The real numbers of a constant of floats, or of a quantized one.
std::vector<double> RealNumbersOf(const Operand& operand, absl::Span<const uint8_t> bytes) {
  std::vector<double> numbers = NumbersOf(operand.type, bytes);
  if (!IsQuantized(operand.type)) return numbers;
  const std::vector<float> scales = ScalesOf(operand);
  const auto* channels = std::get_if<SymmPerChannelQuantParams>(&operand.extraParams);
  const ChannelIndex channel(operand.dimensions, channels == nullptr ? 0 : channels->channelDim);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const float scale = channels == nullptr ? scales[0] : scales[channel(i)];
    numbers[i] = (numbers[i] - operand.zeroPoint) * scale;
  }
  return numbers;
}

bool IsBias(const OperandRule& rule) {
  return std::any_of(rule.quantization().begin(), rule.quantization().end(),
                     [](const QuantizationRule& quantization) {
                       return quantization.kind == QuantizationRule::Kind::kBias;
                     });
}

const QuantizationRule& BiasRule(const OperandRule& rule) {
  return *std::find_if(rule.quantization().begin(), rule.quantization().end(),
                       [](const QuantizationRule& quantization) {
                         return quantization.kind == QuantizationRule::Kind::kBias;
                       });
}

// The activation that a quantized output without one comes to.
FusedActivationFunc ActivationOfRange(const Operand& output) {
  constexpr double kSix = 6;
  // Ranges are learned, and rounded to what makes zero a whole number.
  constexpr double kTolerance = 0.01;
  constexpr double kHighest = 255;
  if (output.type != OperandType::TENSOR_QUANT8_ASYMM || output.zeroPoint != 0) {
    return FusedActivationFunc::NONE;
  }
  return std::abs(kHighest * output.scale - kSix) <= kTolerance * kSix ? FusedActivationFunc::RELU6
                                                                       : FusedActivationFunc::RELU;
}

// Makes floats or halves of all numbers.
class RealRewriter : public NetworkRewriter {
 public:
  RealRewriter(const Network& source, OperandType type)
      : NetworkRewriter(source),
        type_(type),
        scalar_type_(type == OperandType::TENSOR_FLOAT16 ? OperandType::FLOAT16
                                                         : OperandType::FLOAT32) {}

 protected:
  OperandSpec SpecFor(uint32_t operand) const override {
    OperandSpec spec = SourceSpec(operand);
    if (IsReal(spec.type)) spec = {type_, spec.dimensions};
    return spec;
  }

  absl::StatusOr<uint32_t> ConstantFor(const SourceOperation& operation, size_t input) override {
    const uint32_t operand = operation.operation.inputs[input];
    const OperandRule& rule = operation.RuleOf(input);
    if (!rule.is_tensor()) return ScalarFor(operation, input);
    if (IsBias(rule)) return BiasFor(operation, input);
    if (!IsReal(SourceOperand(operand).type)) return Copied(operand);
    const auto found = constants_.find(operand);
    if (found != constants_.end()) return found->second;
    absl::StatusOr<uint32_t> constant =
        RealConstant({type_, SourceOperand(operand).dimensions},
                     RealNumbersOf(SourceOperand(operand), SourceBytes(operand)));
    if (constant.ok()) constants_[operand] = *constant;
    return constant;
  }

  absl::Status Replace(const SourceOperation& operation) override {
    switch (operation.operation.type) {
      case OperationType::DEQUANTIZE:
      case OperationType::QUANTIZE: {
        const absl::StatusOr<uint32_t> same = InputFor(operation, 0);
        if (!same.ok()) return same.status();
        SetOperand(operation.operation.outputs[0], *same);
        return absl::OkStatus();
      }
      case OperationType::CAST:
        for (const uint32_t operand :
             {operation.operation.inputs[0], operation.operation.outputs[0]}) {
          if (IsQuantized(SourceOperand(operand).type)) {
            return absl::InvalidArgumentError(
                "CAST takes the integers of a quantized tensor as they are; there is no such "
                "network of real numbers");
          }
        }
        return NetworkRewriter::Replace(operation);
      default:
        return NetworkRewriter::Replace(operation);
    }
  }

 private:
  absl::StatusOr<uint32_t> RealConstant(const OperandSpec& spec,
                                        const std::vector<double>& numbers) {
    constexpr double kGreatestHalf = 65504;
    if (type_ == OperandType::TENSOR_FLOAT16) {
      for (const double number : numbers) {
        if (std::isfinite(number) && std::abs(number) > kGreatestHalf) {
          return absl::InvalidArgumentError(
              absl::StrCat("a constant has the element ", number, ", which no half comes near"));
        }
      }
    }
    return model().Constant(spec, BytesOf(spec.type, numbers));
  }

  absl::StatusOr<uint32_t> BiasFor(const SourceOperation& operation, size_t input) {
    const Operand& bias = SourceOperand(operation.operation.inputs[input]);
    const absl::Span<const uint8_t> bytes = SourceBytes(operation.operation.inputs[input]);
    std::vector<double> numbers = NumbersOf(bias.type, bytes);
    if (!IsFloatingPoint(bias.type)) {
      const QuantizationRule& rule = BiasRule(operation.RuleOf(input));
      const double scale = SourceOperand(operation.OperandOf(rule.slot)).scale;
      const std::vector<float> scales =
          ScalesOf(SourceOperand(operation.OperandOf(rule.filter_slot)));
      for (size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] *= scale * scales[scales.size() == 1 ? 0 : i];
      }
    }
    return RealConstant({type_, bias.dimensions}, numbers);
  }

  // A parameter as the operation takes it beside tensors of the new type.
  absl::StatusOr<uint32_t> ScalarFor(const SourceOperation& operation, size_t input) {
    const uint32_t operand = operation.operation.inputs[input];
    const Operand& source = SourceOperand(operand);
    const OperandRule& rule = operation.RuleOf(input);
    const std::vector<double> value = NumbersOf(source.type, SourceBytes(operand));
    if (rule.name() == "activation") {
      const Operand& output = SourceOperand(operation.operation.outputs[0]);
      const auto stated = static_cast<FusedActivationFunc>(static_cast<int32_t>(value[0]));
      const FusedActivationFunc activation =
          stated == FusedActivationFunc::NONE ? ActivationOfRange(output) : stated;
      return model().Int32(static_cast<int32_t>(activation));
    }
    for (const TypeAlternative& alternative : rule.types()) {
      if (alternative.type != scalar_type_ || alternative.when_slot < 0 ||
          alternative.when_type != type_) {
        continue;
      }
      const Operand& beside = SourceOperand(operation.OperandOf(alternative.when_slot));
      if (IsFloatingPoint(source.type)) return RealConstant({scalar_type_}, value);
      // A number that is quantized as the tensor beside it.
      return RealConstant({scalar_type_}, {(value[0] - beside.zeroPoint) * beside.scale});
    }
    return Copied(operand);
  }

  OperandType type_;
  OperandType scalar_type_;
  // New constants by the operands that they come from.
  std::map<uint32_t, uint32_t> constants_;
};

// Gives the weights of quantized convolutions a scale for each channel.
class ChannelRewriter : public NetworkRewriter {
 public:
  explicit ChannelRewriter(const Network& source) : NetworkRewriter(source) {}

  // How many convolutions there are that it has changed.
  size_t changed() const { return changed_; }

 protected:
  absl::Status Replace(const SourceOperation& operation) override {
    weights_ = kNone;
    for (size_t i = 0; i < operation.operation.inputs.size(); ++i) {
      if (!IsBias(operation.RuleOf(i))) continue;
      const auto filter_slot = BiasRule(operation.RuleOf(i)).filter_slot;
      if (!TakesChannels(operation, filter_slot)) continue;
      const uint32_t weights = operation.OperandOf(filter_slot);
      if (SourceOperand(weights).type != OperandType::TENSOR_QUANT8_ASYMM || !IsConstant(weights) ||
          !IsConstant(operation.operation.inputs[i])) {
        continue;
      }
      weights_ = weights;
      bias_ = operation.operation.inputs[i];
      Requantize(operation, SourceOperand(operation.OperandOf(BiasRule(operation.RuleOf(i)).slot)));
      ++changed_;
    }
    return NetworkRewriter::Replace(operation);
  }

  absl::StatusOr<uint32_t> ConstantFor(const SourceOperation& operation, size_t input) override {
    const uint32_t operand = operation.operation.inputs[input];
    if (weights_ != kNone && operand == weights_) {
      return model().Constant({.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                               .dimensions = SourceOperand(operand).dimensions,
                               .extraParams = SymmPerChannelQuantParams{scales_, channel_}},
                              new_weights_);
    }
    if (weights_ != kNone && operand == bias_) {
      return model().Constant({OperandType::TENSOR_INT32, SourceOperand(operand).dimensions},
                              BytesOf(OperandType::TENSOR_INT32, new_bias_));
    }
    return Copied(operand);
  }

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  // Whether the operation takes weights with a scale for each channel.
  static bool TakesChannels(const SourceOperation& operation, int slot) {
    const std::vector<TypeAlternative>& types = operation.definition.signature.inputs[slot].types();
    return std::any_of(types.begin(), types.end(), [](const TypeAlternative& alternative) {
      return alternative.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    });
  }

  // Computes scales_, new_weights_ and new_bias_.
  void Requantize(const SourceOperation& operation, const Operand& input) {
    constexpr double kGreatest = 127;
    // Of biases, so that sums of them and products stay within 32 bits.
    constexpr double kGreatestBias = 1 << 30;
    const Operand& weights = SourceOperand(weights_);
    channel_ = operation.operation.type == OperationType::DEPTHWISE_CONV_2D ? 3 : 0;
    const ChannelIndex channel(weights.dimensions, channel_);
    const std::vector<double> numbers = RealNumbersOf(weights, SourceBytes(weights_));
    std::vector<double> greatest(weights.dimensions[channel_], 0);
    for (size_t i = 0; i < numbers.size(); ++i) {
      greatest[channel(i)] = std::max(greatest[channel(i)], std::abs(numbers[i]));
    }
    const double input_scale = input.scale;
    const std::vector<double> bias = NumbersOf(OperandType::TENSOR_INT32, SourceBytes(bias_));
    scales_.clear();
    new_bias_.clear();
    for (size_t i = 0; i < greatest.size(); ++i) {
      const double real_bias = bias[i] * input_scale * weights.scale;
      const double for_bias = std::abs(real_bias) / (input_scale * kGreatestBias);
      double scale = std::max(greatest[i] / kGreatest, for_bias);
      if (scale < std::numeric_limits<float>::min()) scale = weights.scale;
      scales_.push_back(static_cast<float>(scale));
      new_bias_.push_back(std::round(real_bias / (input_scale * scales_.back())));
    }
    std::vector<double> steps;
    for (size_t i = 0; i < numbers.size(); ++i) {
      steps.push_back(
          std::clamp(std::round(numbers[i] / scales_[channel(i)]), -kGreatest, kGreatest));
    }
    new_weights_ = BytesOf(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, steps);
  }

  size_t changed_ = 0;
  // Of the operation that is being replaced: operands of the source, and what takes their place.
  uint32_t weights_ = kNone;
  uint32_t bias_ = kNone;
  uint32_t channel_ = 0;
  std::vector<float> scales_;
  std::vector<uint8_t> new_weights_;
  std::vector<double> new_bias_;
};

absl::StatusOr<Network> Rewrite(const Network& network, NetworkVariant variant) {
  switch (variant) {
    case NetworkVariant::kFloat32:
      return RealRewriter(network, OperandType::TENSOR_FLOAT32).Rewrite();
    case NetworkVariant::kFloat16:
      return RealRewriter(network, OperandType::TENSOR_FLOAT16).Rewrite();
    case NetworkVariant::kRelaxed: {
      absl::StatusOr<Network> relaxed =
          RealRewriter(network, OperandType::TENSOR_FLOAT32).Rewrite();
      if (relaxed.ok()) relaxed->model.relaxComputationFloat32toFloat16 = true;
      return relaxed;
    }
    case NetworkVariant::kPerChannel: {
      ChannelRewriter rewriter(network);
      absl::StatusOr<Network> rewritten = rewriter.Rewrite();
      if (rewritten.ok() && rewriter.changed() == 0) {
        return absl::InvalidArgumentError(
            "it has no convolution of quantized weights with one scale");
      }
      return rewritten;
    }
  }
  return absl::InvalidArgumentError("there is no such variant");
}

}  // namespace

std::string_view toString(NetworkVariant variant) {
  switch (variant) {
    case NetworkVariant::kFloat32:
      return "float32";
    case NetworkVariant::kFloat16:
      return "float16";
    case NetworkVariant::kRelaxed:
      return "relaxed";
    case NetworkVariant::kPerChannel:
      return "per_channel";
  }
  return "unknown";
}

std::vector<NetworkVariant> AllNetworkVariants() {
  return {NetworkVariant::kFloat32, NetworkVariant::kFloat16, NetworkVariant::kRelaxed,
          NetworkVariant::kPerChannel};
}

std::optional<NetworkVariant> NetworkVariantOf(std::string_view name) {
  for (const NetworkVariant variant : AllNetworkVariants()) {
    if (name == toString(variant)) return variant;
  }
  return std::nullopt;
}

absl::StatusOr<Network> DeriveVariant(const Network& network, NetworkVariant variant) {
  absl::StatusOr<Network> derived = Rewrite(network, variant);
  const std::string name = std::string(toString(variant));
  if (derived.ok()) {
    derived->name = absl::StrCat(network.name, "_", name);
    return derived;
  }
  return absl::Status(derived.status().code(),
                      absl::StrCat("there is no variant ", name, " of ", network.name, ": ",
                                   derived.status().message()));
}

}  // namespace nncert
