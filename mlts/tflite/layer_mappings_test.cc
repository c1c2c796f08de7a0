// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Convolutions, pooling and fully connected layers of TensorFlow Lite as operations of the HAL.

#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/tflite/importer.h"
#include "mlts/tflite/testing/run_network.h"
#include "mlts/tflite/testing/tflite_maker.h"

namespace nncert {
namespace {

using hal::V1_2::Operand;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using hal::V1_2::SymmPerChannelQuantParams;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tflite::ActivationFunctionType;
using tflite::BuiltinOperator;
using tflite::Padding;
using tflite::TensorType;

const TensorToMake kUnknownFloats = {TensorType::FLOAT32, {}};

// The file of a CONV_2D on an image of 3 by 3 pixels with a filter of 2 by 2.
std::vector<uint8_t> Convolution(Padding padding, ActivationFunctionType activation,
                                 int32_t dilation = 1, bool has_bias = true) {
  TfliteMaker maker;
  const int32_t image = maker.Tensor({TensorType::FLOAT32, {1, 3, 3, 1}});
  const int32_t filter =
      maker.Constant<float>({TensorType::FLOAT32, {1, 2, 2, 1}}, {1, 10, 100, 1000});
  const int32_t bias = maker.Floats({-0.5F});
  const int32_t output = maker.Tensor(kUnknownFloats);
  std::vector<int32_t> inputs = {image, filter};
  if (has_bias) inputs.push_back(bias);
  maker.Operator(
      BuiltinOperator::CONV_2D, inputs, {output},
      tflite::CreateConv2DOptions(maker.builder(), padding, 1, 1, activation, dilation, dilation));
  return maker.Finish({image}, {output});
}

const RealNumbers kImage = {1, 2, 3, 4, 5, 6, 7, 8, 9};

TEST(LayerMappingsTest, Convolution) {
  const std::vector<uint8_t> file = Convolution(Padding::VALID, ActivationFunctionType::NONE);
  EXPECT_THAT(ImportAndRun(file, {kImage})[0], ElementsAre(5420.5, 6531.5, 8753.5, 9864.5));
  // Of HAL 1.0: seven inputs.
  EXPECT_EQ(ImportOrFail(file).model.operations[0].inputs.size(), 7U);
}

TEST(LayerMappingsTest, ConvolutionPadsActivatesAndDilates) {
  EXPECT_THAT(ImportAndRun(Convolution(Padding::SAME, ActivationFunctionType::RELU6), {kImage})[0],
              ElementsAre(6, 6, 6, 6, 6, 6, 6, 6, 6));
  EXPECT_THAT(
      ImportAndRun(Convolution(Padding::VALID, ActivationFunctionType::NONE, 2), {kImage})[0],
      ElementsAre(1 + 30 + 700 + 9000 - 0.5));
  // Without a bias it is zero.
  EXPECT_THAT(ImportAndRun(Convolution(Padding::VALID, ActivationFunctionType::NONE, 2, false),
                           {kImage})[0],
              ElementsAre(1 + 30 + 700 + 9000));
  EXPECT_THAT(
      ImportTflite(Convolution(Padding::VALID, ActivationFunctionType::TANH), "network").status(),
      hal::testing::StatusIs(absl::StatusCode::kInvalidArgument,
                             HasSubstr("its fused activation is TANH")));
}

TEST(LayerMappingsTest, ConvolutionInGroups) {
  TfliteMaker maker;
  const int32_t image = maker.Tensor({TensorType::FLOAT32, {1, 1, 1, 4}});
  const int32_t filter =
      maker.Constant<float>({TensorType::FLOAT32, {2, 1, 1, 2}}, {1, 10, 100, 1000});
  const int32_t output = maker.Tensor(kUnknownFloats);
  maker.Operator(BuiltinOperator::CONV_2D, {image, filter, maker.Floats({0, 0})}, {output},
                 tflite::CreateConv2DOptions(maker.builder(), Padding::VALID, 1, 1));
  const std::vector<uint8_t> file = maker.Finish({image}, {output});
  EXPECT_THAT(OperationsOf(ImportOrFail(file)), ElementsAre(OperationType::GROUPED_CONV_2D));
  EXPECT_THAT(ImportAndRun(file, {{1, 2, 3, 4}})[0], ElementsAre(21, 4300));
}

TEST(LayerMappingsTest, DepthwiseConvolutionGoesByItsDimensions) {
  TfliteMaker maker;
  const int32_t image = maker.Tensor({TensorType::FLOAT32, {1, 1, 1, 2}});
  const int32_t filter =
      maker.Constant<float>({TensorType::FLOAT32, {1, 1, 1, 4}}, {1, 10, 100, 1000});
  const int32_t output = maker.Tensor(kUnknownFloats);
  // The multiplier is 2, whatever it is said to be.
  maker.Operator(BuiltinOperator::DEPTHWISE_CONV_2D, {image, filter, maker.Floats({0, 0, 0, 1})},
                 {output},
                 tflite::CreateDepthwiseConv2DOptions(maker.builder(), Padding::VALID, 1, 1, 7));
  EXPECT_THAT(ImportAndRun(maker.Finish({image}, {output}), {{2, 3}})[0],
              ElementsAre(2, 20, 300, 3001));
}

// Signed tensors become unsigned ones of the same real numbers.
TEST(LayerMappingsTest, SignedConvolutionWithAScaleForEachChannel) {
  TfliteMaker maker;
  const int32_t image = maker.Tensor({TensorType::INT8, {1, 1, 1, 2}, {0.5F}, {-28}});
  const int32_t filter = maker.Constant<int8_t>(
      {TensorType::INT8, {2, 1, 1, 2}, {0.25F, 0.5F}, {0, 0}}, {4, -8, 2, 0});
  // The scales are those of the input times those of the filter, as files have them: rounded.
  const int32_t bias =
      maker.Constant<int32_t>({TensorType::INT32, {2}, {0.1250001F, 0.25F}, {0, 0}}, {8, -4});
  const int32_t output = maker.Tensor({TensorType::INT8, {1, 1, 1, 2}, {0.5F}, {10}});
  maker.Operator(BuiltinOperator::CONV_2D, {image, filter, bias}, {output},
                 tflite::CreateConv2DOptions(maker.builder(), Padding::VALID, 1, 1));
  const std::vector<uint8_t> file = maker.Finish({image}, {output});
  const Network network = ImportOrFail(file);
  EXPECT_EQ(InputOperandOf(network).type, OperandType::TENSOR_QUANT8_ASYMM);
  EXPECT_EQ(InputOperandOf(network).zeroPoint, 100);
  EXPECT_EQ(OutputOperandOf(network).zeroPoint, 138);
  const Operand& weights = network.model.operands[network.model.operations[0].inputs[1]];
  EXPECT_EQ(weights.type, OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL);
  EXPECT_THAT(std::get<SymmPerChannelQuantParams>(weights.extraParams).scales,
              ElementsAre(0.25F, 0.5F));
  // 3 * 1 - 5 * 2 + 1, and 3 * 1 - 1.
  EXPECT_THAT(ImportAndRun(file, {{3, 5}})[0], ElementsAre(-6, 2));
}

TEST(LayerMappingsTest, BiasOfAnotherScaleIsRefused) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::UINT8, {1, 1}, {0.5F}, {0}});
  const int32_t weights = maker.Constant<uint8_t>({TensorType::UINT8, {1, 1}, {0.5F}, {0}}, {1});
  const int32_t bias = maker.Constant<int32_t>({TensorType::INT32, {1}, {0.5F}, {0}}, {1});
  const int32_t output = maker.Tensor({TensorType::UINT8, {1, 1}, {1}, {0}});
  maker.Operator(BuiltinOperator::FULLY_CONNECTED, {input, weights, bias}, {output});
  EXPECT_THAT(ImportTflite(maker.Finish({input}, {output}), "network").status(),
              hal::testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("the scale of the bias is 0.5; expected 0.25")));
}

TEST(LayerMappingsTest, TransposedConvolution) {
  TfliteMaker maker;
  const int32_t image = maker.Tensor({TensorType::FLOAT32, {1, 1, 2, 1}});
  const int32_t filter = maker.Constant<float>({TensorType::FLOAT32, {1, 1, 2, 1}}, {1, 10});
  const int32_t output = maker.Tensor(kUnknownFloats);
  maker.Operator(BuiltinOperator::TRANSPOSE_CONV, {maker.Int32s({1, 1, 4, 1}), filter, image},
                 {output},
                 tflite::CreateTransposeConvOptions(maker.builder(), Padding::VALID, 2, 1));
  EXPECT_THAT(ImportAndRun(maker.Finish({image}, {output}), {{2, 3}})[0],
              ElementsAre(2, 20, 3, 30));
}

TEST(LayerMappingsTest, Pools) {
  const std::vector<std::pair<BuiltinOperator, double>> pools = {
      {BuiltinOperator::AVERAGE_POOL_2D, 3.5},
      {BuiltinOperator::MAX_POOL_2D, 4},
      {BuiltinOperator::L2_POOL_2D, 3.5355339}};
  for (const auto& [code, expected] : pools) {
    TfliteMaker maker;
    const int32_t image = maker.Tensor({TensorType::FLOAT32, {1, 1, 2, 1}});
    const int32_t output = maker.Tensor(kUnknownFloats);
    maker.Operator(code, {image}, {output},
                   tflite::CreatePool2DOptions(maker.builder(), Padding::VALID, 1, 1, 2, 1));
    EXPECT_THAT(ImportAndRun(maker.Finish({image}, {output}), {{3, 4}})[0],
                ElementsAre(::testing::DoubleNear(expected, 1e-6)));
  }
}

// A layer of floats on an input of these dimensions, with weights of 2 units of 3.
std::vector<uint8_t> Connected(const std::vector<int32_t>& dimensions,
                               const std::vector<int32_t>& output_dimensions, bool keeps = false) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, dimensions});
  const int32_t weights =
      maker.Constant<float>({TensorType::FLOAT32, {2, 3}}, {1, 10, 100, 1, 1, 1});
  const int32_t output = maker.Tensor({TensorType::FLOAT32, output_dimensions});
  maker.Operator(BuiltinOperator::FULLY_CONNECTED, {input, weights, -1}, {output},
                 tflite::CreateFullyConnectedOptions(
                     maker.builder(), ActivationFunctionType::NONE,
                     tflite::FullyConnectedOptionsWeightsFormat::DEFAULT, keeps));
  return maker.Finish({input}, {output});
}

TEST(LayerMappingsTest, FullyConnected) {
  EXPECT_THAT(ImportAndRun(Connected({1, 3}, {1, 2}), {{1, 2, 3}})[0], ElementsAre(321, 6));
  EXPECT_THAT(ImportAndRun(Connected({3}, {}), {{1, 2, 3}})[0], ElementsAre(321, 6));
  const Network as_said = ImportOrFail(Connected({2, 1, 3}, {2, 1, 2}));
  EXPECT_THAT(OutputOperandOf(as_said).dimensions, ElementsAre(2, 1, 2));
  const Network as_kept = ImportOrFail(Connected({2, 1, 3}, {}, true));
  EXPECT_THAT(OutputOperandOf(as_kept).dimensions, ElementsAre(2, 1, 2));
  const Network flat = ImportOrFail(Connected({2, 1, 3}, {}));
  EXPECT_THAT(OutputOperandOf(flat).dimensions, ElementsAre(2, 2));
  EXPECT_THAT(ImportTflite(Connected({1, 3}, {1, 5}), "network").status(),
              hal::testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("it has the dimensions [1, 5] in the file; the "
                                               "operation gives [1, 2]")));
}

// Weights that are quantized beside floats are what they stand for.
TEST(LayerMappingsTest, FullyConnectedOfQuantizedWeightsAlone) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 2}});
  const int32_t weights =
      maker.Constant<int8_t>({TensorType::INT8, {2, 2}, {0.5F, 0.25F}, {0, 0}}, {2, 4, -4, 8});
  const int32_t output = maker.Tensor(kUnknownFloats);
  maker.Operator(BuiltinOperator::FULLY_CONNECTED, {input, weights, maker.Floats({0.5F, 0})},
                 {output});
  EXPECT_THAT(ImportAndRun(maker.Finish({input}, {output}), {{1, 3}})[0], ElementsAre(7.5, 5));
}

// The HAL has weights with a scale for each unit of convolutions only.
TEST(LayerMappingsTest, FullyConnectedWithAScaleForEachUnit) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::INT8, {2, 2}, {0.5F}, {0}});
  const int32_t weights =
      maker.Constant<int8_t>({TensorType::INT8, {2, 2}, {0.5F, 0.25F}, {0, 0}}, {2, 4, -4, 8});
  const int32_t bias =
      maker.Constant<int32_t>({TensorType::INT32, {2}, {0.25F, 0.125F}, {0, 0}}, {4, 0});
  const int32_t output = maker.Tensor({TensorType::INT8, {2, 2}, {0.5F}, {0}});
  maker.Operator(BuiltinOperator::FULLY_CONNECTED, {input, weights, bias}, {output});
  const std::vector<uint8_t> file = maker.Finish({input}, {output});
  EXPECT_THAT(OperationsOf(ImportOrFail(file)),
              ElementsAre(OperationType::RESHAPE, OperationType::CONV_2D, OperationType::RESHAPE));
  EXPECT_THAT(ImportAndRun(file, {{1, 3, 2, 0}})[0], ElementsAre(8, 5, 3, -2));
}

}  // namespace
}  // namespace nncert
