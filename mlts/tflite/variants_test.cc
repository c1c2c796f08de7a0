// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/variants.h"

#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/tflite/testing/run_network.h"
#include "mlts/tflite/testing/tflite_maker.h"
#include "reference/execution/model_validation.h"

namespace nncert {
namespace {

using hal::testing::StatusIs;
using hal::V1_2::Operand;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using hal::V1_2::SymmPerChannelQuantParams;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;
using tflite::BuiltinOperator;
using tflite::Padding;
using tflite::TensorType;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

// A convolution of bytes without an activation, as converters of 2018 make them: two channels, of
// which one has small weights.
Network QuantizedConvolution(const TensorToMake& output_tensor) {
  TfliteMaker maker;
  const int32_t image = maker.Tensor({TensorType::UINT8, {1, 1, 1, 2}, {0.5F}, {0}});
  const int32_t filter = maker.Constant<uint8_t>({TensorType::UINT8, {2, 1, 1, 2}, {0.01F}, {100}},
                                                 {200, 0, 101, 103});
  const int32_t bias = maker.Constant<int32_t>({TensorType::INT32, {2}, {0.005F}, {0}}, {100, -20});
  const int32_t output = maker.Tensor(output_tensor);
  maker.Operator(BuiltinOperator::CONV_2D, {image, filter, bias}, {output},
                 tflite::CreateConv2DOptions(maker.builder(), Padding::VALID, 1, 1));
  return ImportOrFail(maker.Finish({image}, {output}));
}

TensorToMake OutputOf(float scale, int64_t zero_point) {
  return {TensorType::UINT8, {1, 1, 1, 2}, {scale}, {zero_point}};
}

Network Derived(const Network& network, NetworkVariant variant) {
  absl::StatusOr<Network> derived = DeriveVariant(network, variant);
  EXPECT_TRUE(derived.ok()) << derived.status();
  if (!derived.ok()) return {};
  EXPECT_TRUE(ValidateModel(derived->model).ok());
  return *std::move(derived);
}

// The first output for the first input.
RealNumbers ResultOf(const Network& network, const RealNumbers& input) {
  const absl::StatusOr<std::vector<RealNumbers>> outputs = RunNetwork(network, {input});
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  return outputs.ok() ? outputs->front() : RealNumbers();
}

TEST(VariantsTest, HaveNames) {
  for (const NetworkVariant variant : AllNetworkVariants()) {
    EXPECT_EQ(NetworkVariantOf(toString(variant)), variant);
  }
  EXPECT_EQ(NetworkVariantOf("float64"), std::nullopt);
}

TEST(VariantsTest, FloatsAreWhatTheIntegersStandFor) {
  const Network network = QuantizedConvolution(OutputOf(0.1F, 128));
  const Network floats = Derived(network, NetworkVariant::kFloat32);
  EXPECT_EQ(floats.name, "network_float32");
  for (const Operand& operand : floats.model.operands) {
    EXPECT_THAT(operand.type, ::testing::AnyOf(OperandType::TENSOR_FLOAT32, OperandType::INT32));
  }
  // Weights 1, -1, 0.01, 0.03; biases 0.5, -0.1.
  EXPECT_THAT(ResultOf(floats, {10, 4}),
              ElementsAre(DoubleNear(6.5, 1e-5), DoubleNear(0.12, 1e-5)));
  // No activation: the range of the output has numbers below zero.
  EXPECT_THAT(ResultOf(floats, {0, 4}), ElementsAre(DoubleNear(-3.5, 1e-5), ::testing::_));
}

TEST(VariantsTest, RangesOfOutputsBecomeActivations) {
  const Network relu6 =
      Derived(QuantizedConvolution(OutputOf(6.0F / 255, 0)), NetworkVariant::kFloat32);
  EXPECT_THAT(ResultOf(relu6, {10, 4}), ElementsAre(6, DoubleNear(0.12, 1e-5)));
  EXPECT_THAT(ResultOf(relu6, {0, 4})[0], 0);
  const Network relu = Derived(QuantizedConvolution(OutputOf(0.1F, 0)), NetworkVariant::kFloat32);
  EXPECT_THAT(ResultOf(relu, {10, 4})[0], DoubleNear(6.5, 1e-5));
  EXPECT_THAT(ResultOf(relu, {0, 4})[0], 0);
}

TEST(VariantsTest, Halves) {
  const Network halves =
      Derived(QuantizedConvolution(OutputOf(0.1F, 128)), NetworkVariant::kFloat16);
  EXPECT_EQ(InputOperandOf(halves).type, OperandType::TENSOR_FLOAT16);
  EXPECT_THAT(ResultOf(halves, {10, 4}),
              ElementsAre(DoubleNear(6.5, 0.01), DoubleNear(0.12, 0.001)));
}

TEST(VariantsTest, RelaxedFloats) {
  const Network relaxed =
      Derived(QuantizedConvolution(OutputOf(0.1F, 128)), NetworkVariant::kRelaxed);
  EXPECT_TRUE(relaxed.model.relaxComputationFloat32toFloat16);
  EXPECT_EQ(InputOperandOf(relaxed).type, OperandType::TENSOR_FLOAT32);
}

TEST(VariantsTest, ScalesOfChannels) {
  const Network network = QuantizedConvolution(OutputOf(0.1F, 128));
  const Network channels = Derived(network, NetworkVariant::kPerChannel);
  const Operand& weights = channels.model.operands[channels.model.operations[0].inputs[1]];
  EXPECT_EQ(weights.type, OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL);
  const auto& params = std::get<SymmPerChannelQuantParams>(weights.extraParams);
  EXPECT_EQ(params.channelDim, 0U);
  EXPECT_THAT(params.scales,
              Pointwise(::testing::FloatNear(1e-7F), std::vector<float>{1.0F / 127, 0.03F / 127}));
  EXPECT_THAT(ResultOf(channels, {10, 4}),
              Pointwise(::testing::DoubleNear(0.1), ResultOf(network, {10, 4})));
}

TEST(VariantsTest, ScalesOfChannelsOfDepthwiseConvolutions) {
  TfliteMaker maker;
  const int32_t image = maker.Tensor({TensorType::UINT8, {1, 1, 1, 2}, {0.5F}, {0}});
  const int32_t filter =
      maker.Constant<uint8_t>({TensorType::UINT8, {1, 1, 1, 2}, {0.01F}, {100}}, {200, 100});
  const int32_t output = maker.Tensor(OutputOf(0.1F, 128));
  maker.Operator(BuiltinOperator::DEPTHWISE_CONV_2D, {image, filter}, {output},
                 tflite::CreateDepthwiseConv2DOptions(maker.builder(), Padding::VALID, 1, 1, 1));
  const Network channels =
      Derived(ImportOrFail(maker.Finish({image}, {output})), NetworkVariant::kPerChannel);
  const Operand& weights = channels.model.operands[channels.model.operations[0].inputs[1]];
  EXPECT_EQ(std::get<SymmPerChannelQuantParams>(weights.extraParams).channelDim, 3U);
  EXPECT_THAT(ResultOf(channels, {10, 4}), ElementsAre(DoubleNear(10, 0.1), DoubleNear(0, 0.01)));
}

TEST(VariantsTest, NetworksThatHaveNone) {
  TfliteMaker floats;
  const int32_t input = floats.Tensor({TensorType::FLOAT32, {1}});
  const int32_t output = floats.Tensor({TensorType::FLOAT32, {1}});
  floats.Operator(BuiltinOperator::MUL, {input, floats.Floats({1e30F})}, {output});
  const Network network = ImportOrFail(floats.Finish({input}, {output}));
  EXPECT_THAT(DeriveVariant(network, NetworkVariant::kPerChannel).status(),
              StatusIs(kInvalid, HasSubstr("there is no variant per_channel of network")));
  EXPECT_THAT(DeriveVariant(network, NetworkVariant::kFloat16).status(),
              StatusIs(kInvalid, HasSubstr("which no half comes near")));
  TfliteMaker bytes;
  const int32_t raw = bytes.Tensor({TensorType::UINT8, {1}});
  const int32_t integers = bytes.Tensor({TensorType::INT32, {1}});
  bytes.Operator(BuiltinOperator::CAST, {raw}, {integers});
  EXPECT_THAT(
      DeriveVariant(ImportOrFail(bytes.Finish({raw}, {integers})), NetworkVariant::kFloat32)
          .status(),
      StatusIs(kInvalid, HasSubstr("CAST takes the integers of a quantized tensor as they are")));
}

// With what goes from bytes to floats and back, parameters of halves, and states.
TEST(VariantsTest, WholeNetworks) {
  const Network network = ImportOrFail(SmallTfliteFile());
  const Network floats = Derived(network, NetworkVariant::kFloat32);
  EXPECT_THAT(OperationsOf(floats),
              ElementsAre(OperationType::CONV_2D, OperationType::RESHAPE, OperationType::RNN));
  EXPECT_EQ(floats.states, network.states);
  const Network halves = Derived(floats, NetworkVariant::kFloat16);
  const absl::StatusOr<std::vector<RealNumbers>> expected =
      RunNetwork(floats, {{1, 2, 3, 4}, {0.5}});
  const absl::StatusOr<std::vector<RealNumbers>> actual = RunNetwork(halves, {{1, 2, 3, 4}, {0.5}});
  ASSERT_TRUE(expected.ok() && actual.ok());
  EXPECT_THAT((*actual)[0], Pointwise(::testing::DoubleNear(0.1), (*expected)[0]));
}

}  // namespace
}  // namespace nncert
