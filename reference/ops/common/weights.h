// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What operations with weights and a bias share: convolutions and FULLY_CONNECTED.
//
// Rules of types and scales: types.hal 1.2, CONV_2D and FULLY_CONNECTED.

#ifndef NNCERT_REFERENCE_OPS_COMMON_WEIGHTS_H_
#define NNCERT_REFERENCE_OPS_COMMON_WEIGHTS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/operation_definition.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {

/// The rule of a convolution's filter: of the type of the input, or, since HAL 1.2 and for a
/// quantized input, with a scale for each channel.
inline OperandRule FilterTensor(int input_slot) {
  return Tensor("filter")
      .TypeWhen(input_slot, OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT32)
      .TypeWhen(input_slot, OperandType::TENSOR_QUANT8_ASYMM, OperandType::TENSOR_QUANT8_ASYMM)
      .TypeWhen(input_slot, OperandType::TENSOR_QUANT8_ASYMM,
                OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, HalVersion::V1_2)
      .TypeWhen(input_slot, OperandType::TENSOR_FLOAT16, OperandType::TENSOR_FLOAT16,
                HalVersion::V1_2)
      .Ranks({4});
}

/// The rule of a bias: of the type of the input when that is floating point; INT32 at the scale of
/// the products of a quantized one.
inline OperandRule BiasTensor(int input_slot, int weights_slot) {
  return Tensor("bias")
      .TypeWhen(input_slot, OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT32)
      .TypeWhen(input_slot, OperandType::TENSOR_QUANT8_ASYMM, OperandType::TENSOR_INT32)
      .TypeWhen(input_slot, OperandType::TENSOR_FLOAT16, OperandType::TENSOR_FLOAT16,
                HalVersion::V1_2)
      .Ranks({1})
      .QuantizedAsBias(input_slot, weights_slot)
      .Describe(
          "What is added to each output channel. For quantized operands an INT32 at the scale of "
          "the input times that of the weights: the operand's scale is that product, or 0 when the "
          "weights have a scale for each channel; its zeroPoint is 0.");
}

/// The bias has an element for each output channel, of which there are as many as dimension
/// `kDimension` of the weights says. `text` says so.
template <int kWeights, int kBias, int kDimension>
Constraint BiasSizeConstraint(
    std::string_view text =
        kDimension == 0 ? "the bias has one element for each of the first dimension of the filter"
                        : "the bias has one element for each of the last dimension of the filter") {
  static_assert(kDimension == 0 || kDimension == 3);
  return Constraint(text, {.shapes = {kWeights, kBias}}, [](const OperationContext& context) {
    return context.Input(kBias).dimensions[0] == context.Input(kWeights).dimensions[kDimension];
  });
}

/// A per-channel filter has its scales along dimension `kDimension`.
template <int kFilter, uint32_t kDimension>
Constraint ChannelDimensionConstraint() {
  static_assert(kDimension == 0 || kDimension == 3);
  return Constraint(kDimension == 0 ? "channelDim of a filter with a scale for each channel is 0"
                                    : "channelDim of a filter with a scale for each channel is 3",
                    {.others = {kFilter}}, [](const OperationContext& context) {
                      const OperandInfo& filter = context.Input(kFilter);
                      return filter.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL ||
                             filter.channelDim == kDimension;
                    });
}

/// Below HAL 1.2, a quantized output has a scale above that of the products.
template <int kInput, int kWeights>
Constraint OutputScaleConstraint() {
  return Constraint(
      "below HAL 1.2 the scale of a quantized output is greater than the scale of the input * the "
      "scale of the weights",
      {.others = {kInput, kWeights, OutputOperand(0)}}, [](const OperationContext& context) {
        return context.version() >= HalVersion::V1_2 ||
               context.Output(0).type != OperandType::TENSOR_QUANT8_ASYMM ||
               context.Output(0).scale >
                   context.Input(kInput).scale * context.Input(kWeights).scale;
      });
}

/// The bias as the real numbers that it stands for: element i of an INT32 bias times the scale of
/// the input times the scale of the weights of output channel i.
template <class A>
const typename A::Number* LoadBias(const A& arithmetic, KernelContext<A>& context, int input_slot,
                                   int weights_slot, int bias_slot) {
  const auto bias = context.Input(bias_slot);
  if (context->Input(bias_slot).type != OperandType::TENSOR_INT32) return bias.data;
  const double input_scale = context->Input(input_slot).scale;
  const OperandInfo& weights = context->Input(weights_slot);
  typename A::Number* reals = context.Scratch(bias.size);
  for (size_t i = 0; i < bias.size; ++i) {
    const double weights_scale = weights.channelScales.empty()
                                     ? weights.scale
                                     : weights.channelScales[i % weights.channelScales.size()];
    reals[i] = arithmetic.Multiply(bias[i], arithmetic.Constant(input_scale * weights_scale));
  }
  return reals;
}

/// Sets output[i * stride] to activation(sums[i] + bias[i]) for each of `count` channels, where
/// each sum is of `terms` products. `sums` may be `output` itself.
template <class A>
void AddBiasAndActivate(const A& arithmetic, FusedActivationFunc activation, size_t count,
                        size_t terms, const typename A::Number* sums,
                        const typename A::Number* bias, typename A::Number* output, size_t stride) {
  for (size_t i = 0; i < count; ++i) {
    output[i * stride] =
        Activate(arithmetic, activation, arithmetic.AddToSum(sums[i], bias[i], terms));
  }
}

// ---- Recipes ----

/// Settles the elements of the bias, the activation, and the range and the least scale of output 0,
/// for sums of `terms` products of the input and the weights: a bias has elements about as large as
/// the sums, so that each shows beside the other. Settles the quantization of input and weights for
/// that; weights with a scale for each channel have their channel dimension.
inline void SetRangeOfProducts(OperandChooser& choose, int input_slot, int weights_slot,
                               int bias_slot, int activation_slot, uint64_t terms) {
  // Mean, and mean square, of numbers that are uniform in a range.
  const auto mean = [](ValueRange range) { return (range.lowest + range.highest) / 2; };
  const auto square = [](ValueRange range) {
    const double product = range.lowest * range.highest;
    return (range.lowest * range.lowest + product + range.highest * range.highest) / 3;
  };
  const auto variance = [&](ValueRange range) { return square(range) - std::pow(mean(range), 2); };
  const auto count = static_cast<double>(terms);
  const ValueRange input = choose.SettledRange(input_slot);
  const ValueRange weights = choose.SettledRange(weights_slot);
  const double product = mean(input) * mean(weights);
  const double sums = count * (square(input) * square(weights) - product * product);

  // The integers of a quantized bias stand for reals by this scale, or by that of their channel.
  double scale = 1;
  if (choose.Type(bias_slot) == OperandType::TENSOR_INT32) {
    const OperandInfo& info = choose.Info(weights_slot);
    float weights_scale = info.scale;
    for (const float channel : info.channelScales) weights_scale = std::max(weights_scale, channel);
    const float product_scale = choose.Info(input_slot).scale * weights_scale;
    if (choose.version() < HalVersion::V1_2) choose.SetLeastOutputScale(0, product_scale);
    scale = product_scale;
  }
  const double most_bias = 1.5 * std::sqrt(sums) / scale;
  choose.SetRange(bias_slot, {-most_bias, most_bias});
  const ValueRange bias = choose.Range(bias_slot);

  const double middle = count * product + scale * mean(bias);
  const double reach = 3 * std::sqrt(sums + scale * scale * variance(bias));
  choose.SetOutputRange(
      0, ChooseActivation(choose, activation_slot, {middle - reach, middle + reach}));
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_WEIGHTS_H_
