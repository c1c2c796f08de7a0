// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/statusor.h"
#include "mlts/tflite/operator_mappings.h"
#include "mlts/tflite/tensor_values.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::OperationType;
using tflite::BuiltinOperator;

// Operands of convolutions.
constexpr size_t kInput = 0;
constexpr size_t kFilter = 1;
constexpr size_t kBias = 2;

// Adds layout and dilation to the inputs of a convolution that has a dilation: HAL 1.0 and 1.1 have
// neither.
void AddDilation(OperatorMapper& mapper, int32_t width, int32_t height,
                 std::vector<uint32_t>& inputs) {
  if (width == 1 && height == 1) return;
  inputs.push_back(mapper.Bool(false));
  inputs.push_back(mapper.Int32(width));
  inputs.push_back(mapper.Int32(height));
}

void MapConvolution(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::Conv2DOptions>();
  const uint32_t input = mapper.Input(kInput);
  const uint32_t filter = mapper.Weights(kFilter, input);
  const uint32_t bias = mapper.Bias(kBias, input, filter, mapper.DimensionOf(filter, 0));
  if (options == nullptr) return;
  std::vector<uint32_t> inputs = {input,
                                  filter,
                                  bias,
                                  mapper.PaddingScheme(options->padding()),
                                  mapper.Int32(options->stride_w()),
                                  mapper.Int32(options->stride_h())};
  const uint32_t depth = mapper.DimensionOf(input, -1);
  const uint32_t depth_of_filter = mapper.DimensionOf(filter, -1);
  const bool is_grouped =
      depth_of_filter != 0 && depth != depth_of_filter && depth % depth_of_filter == 0;
  if (is_grouped) {
    mapper.Demand(options->dilation_w_factor() == 1 && options->dilation_h_factor() == 1,
                  "it has groups and a dilation; the HAL has a convolution with either");
    inputs.push_back(mapper.Int32(static_cast<int32_t>(depth / depth_of_filter)));
    inputs.push_back(mapper.Activation(options->fused_activation_function()));
    inputs.push_back(mapper.Bool(false));
    mapper.Emit(OperationType::GROUPED_CONV_2D, inputs);
    return;
  }
  inputs.push_back(mapper.Activation(options->fused_activation_function()));
  AddDilation(mapper, options->dilation_w_factor(), options->dilation_h_factor(), inputs);
  mapper.Emit(OperationType::CONV_2D, inputs);
}

void MapDepthwiseConvolution(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::DepthwiseConv2DOptions>();
  const uint32_t input = mapper.Input(kInput);
  const uint32_t filter = mapper.Weights(kFilter, input);
  const uint32_t bias = mapper.Bias(kBias, input, filter, mapper.DimensionOf(filter, -1));
  if (options == nullptr) return;
  // TensorFlow Lite goes by the dimensions, whatever depth_multiplier says.
  const uint32_t depth = mapper.DimensionOf(input, -1);
  const uint32_t multiplier = depth == 0 ? 0 : mapper.DimensionOf(filter, -1) / depth;
  std::vector<uint32_t> inputs = {input,
                                  filter,
                                  bias,
                                  mapper.PaddingScheme(options->padding()),
                                  mapper.Int32(options->stride_w()),
                                  mapper.Int32(options->stride_h()),
                                  mapper.Int32(static_cast<int32_t>(multiplier)),
                                  mapper.Activation(options->fused_activation_function())};
  AddDilation(mapper, options->dilation_w_factor(), options->dilation_h_factor(), inputs);
  mapper.Emit(OperationType::DEPTHWISE_CONV_2D, inputs);
}

void MapTransposeConvolution(OperatorMapper& mapper) {
  constexpr size_t kShapeOfOutput = 0;
  constexpr size_t kInputHere = 2;
  constexpr size_t kBiasHere = 3;
  const auto* options = mapper.RequiredOptions<tflite::TransposeConvOptions>();
  const uint32_t input = mapper.Input(kInputHere);
  const uint32_t filter = mapper.Weights(kFilter, input);
  const uint32_t bias = mapper.Bias(kBiasHere, input, filter, mapper.DimensionOf(filter, 0));
  if (options == nullptr) return;
  mapper.Emit(OperationType::TRANSPOSE_CONV_2D,
              {input, filter, bias, mapper.IntegerVector(kShapeOfOutput),
               mapper.PaddingScheme(options->padding()), mapper.Int32(options->stride_w()),
               mapper.Int32(options->stride_h()),
               mapper.Activation(options->fused_activation_function()), mapper.Bool(false)});
}

template <OperationType kType>
void MapPool(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::Pool2DOptions>();
  if (options == nullptr) return;
  mapper.Emit(kType,
              {mapper.Input(kInput), mapper.PaddingScheme(options->padding()),
               mapper.Int32(options->stride_w()), mapper.Int32(options->stride_h()),
               mapper.Int32(options->filter_width()), mapper.Int32(options->filter_height()),
               mapper.Activation(options->fused_activation_function())},
              InReals::kIfNeeded);
}

// Weights with a scale for each unit: HAL 1.2 has them of convolutions only, and a layer is the
// convolution of images of one pixel.
uint32_t ConnectAsConvolution(OperatorMapper& mapper, uint32_t input, uint32_t activation,
                              const OperandSpec& output) {
  const absl::StatusOr<std::vector<uint32_t>> dimensions =
      DimensionsOf(mapper.InputTensor(kFilter));
  mapper.Demand(dimensions.ok() && dimensions->size() == 2, "its weights are not of rank 2");
  if (!mapper.status().ok()) return 0;
  const uint32_t units = (*dimensions)[0];
  const uint32_t depth = (*dimensions)[1];
  const uint64_t elements = NumberOfElements(mapper.SpecOf(input).dimensions);
  mapper.Demand(elements % depth == 0, "its input is not of whole rows of the weights' length");
  const auto batches = static_cast<uint32_t>(elements / depth);
  const uint32_t images = mapper.Reshaped(input, {batches, 1, 1, depth});
  const uint32_t filter = mapper.ReshapedConstant(kFilter, {units, 1, 1, depth});
  const uint32_t bias = mapper.Bias(kBias, images, filter, units);
  const uint32_t pixels =
      mapper.Apply(OperationType::CONV_2D,
                   {images, filter, bias, mapper.PaddingScheme(tflite::Padding::VALID),
                    mapper.Int32(1), mapper.Int32(1), activation},
                   output);
  return mapper.Reshaped(pixels, {batches, units});
}

void MapFullyConnected(OperatorMapper& mapper) {
  const auto* options = mapper.OptionsOrNull<tflite::FullyConnectedOptions>();
  mapper.Demand(options == nullptr || options->weights_format() ==
                                          tflite::FullyConnectedOptionsWeightsFormat::DEFAULT,
                "its weights are shuffled");
  mapper.Demand(mapper.outputs() == 1, "it has several outputs, for shuffled weights");
  uint32_t input = mapper.Input(kInput);
  // The HAL has inputs of two to four dimensions, all of which it takes for rows of the weights'.
  if (mapper.RankOf(input) == 1) input = mapper.Reshaped(input, {1, mapper.DimensionOf(input, 0)});
  const OperandSpec given = mapper.SpecOf(input);
  const uint32_t activation = mapper.ActivationOf<tflite::FullyConnectedOptions>();
  const OperandSpec output = mapper.OutputSpec();
  uint32_t result = 0;
  if (IsQuantized(mapper.TypeOf(input)) &&
      mapper.InputTensor(kFilter).quantization.scales.size() > 1) {
    result = ConnectAsConvolution(mapper, input, activation, output);
  } else {
    const uint32_t weights = mapper.Weights(kFilter, input);
    const uint32_t bias = mapper.Bias(kBias, input, weights, mapper.DimensionOf(weights, 0));
    result =
        mapper.Apply(OperationType::FULLY_CONNECTED, {input, weights, bias, activation}, output);
  }
  if (options != nullptr && options->keep_num_dims() && given.dimensions.size() > 2 &&
      mapper.status().ok()) {
    std::vector<uint32_t> dimensions = given.dimensions;
    dimensions.back() = mapper.DimensionOf(result, -1);
    mapper.Demand(
        NumberOfElements(dimensions) == NumberOfElements(mapper.SpecOf(result).dimensions),
        "its rows are not those of the last dimension of the input");
    result = mapper.Reshaped(result, dimensions);
  }
  mapper.Deliver(result);
}

constexpr OperatorMapping kMappings[] = {
    {BuiltinOperator::CONV_2D, &MapConvolution},
    {BuiltinOperator::DEPTHWISE_CONV_2D, &MapDepthwiseConvolution},
    {BuiltinOperator::TRANSPOSE_CONV, &MapTransposeConvolution},
    {BuiltinOperator::AVERAGE_POOL_2D, &MapPool<OperationType::AVERAGE_POOL_2D>},
    {BuiltinOperator::MAX_POOL_2D, &MapPool<OperationType::MAX_POOL_2D>},
    {BuiltinOperator::L2_POOL_2D, &MapPool<OperationType::L2_POOL_2D>},
    {BuiltinOperator::FULLY_CONNECTED, &MapFullyConnected},
};

}  // namespace

absl::Span<const OperatorMapping> LayerMappings() { return kMappings; }

}  // namespace nncert
