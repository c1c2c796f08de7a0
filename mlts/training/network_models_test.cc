// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Networks as models do what they did when they were trained: small ones, of weights of chance.

#include "mlts/training/network_models.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "hal/v1_2/types.h"
#include "mlts/training/lstm_trainer.h"
#include "mlts/training/separable_trainer.h"
#include "mlts/training/testing/network_runner.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::testing::StatusIs;
using hal::V1_2::Operand;
using hal::V1_2::OperandType;
using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;
using ::testing::SizeIs;

// Every kind of layer, strides that divide the image and one that does not.
std::vector<Layer> SomeLayers() {
  LayerSequence layers(10, 3);
  layers.Add(LayerKind::CONVOLUTION, 3, 2, 5);   // 10 pixels to 5
  layers.Add(LayerKind::DEPTHWISE, 3, 1, 5);     // 5
  layers.Add(LayerKind::CONVOLUTION, 1, 1, 7);   // 5
  layers.Add(LayerKind::DEPTHWISE, 3, 2, 7);     // 3
  layers.Add(LayerKind::CONVOLUTION, 3, 1, 6);   // 3
  layers.Add(LayerKind::AVERAGE_POOL, 3, 3, 6);  // 1
  layers.Add(LayerKind::FULLY_CONNECTED, 1, 1, 4);
  return layers.layers();
}

// Such a network with parameters, an image, and what comes of it.
struct Example {
  std::vector<Layer> layers = SomeLayers();
  std::vector<float> parameters;
  std::vector<TensorRange> ranges;
  std::vector<uint8_t> image;
  std::vector<double> probabilities;
};

std::vector<double> Softmax(const std::vector<float>& logits) {
  std::vector<double> probabilities;
  double sum = 0;
  for (const float logit : logits) sum += probabilities.emplace_back(std::exp(logit));
  for (double& probability : probabilities) probability /= sum;
  return probabilities;
}

Example MakeExample(uint64_t seed = 5) {
  Example example;
  SplitMix64 random(seed);
  SeparableTrainer<float> trainer(example.layers, Normalization::NONE);
  example.parameters = trainer.InitialParameters(random);
  for (float& parameter : example.parameters) {
    parameter += static_cast<float>(random.Uniform(-0.1, 0.1));
  }
  std::vector<float> values;
  for (size_t i = 0; i < example.layers.front().input_size(); ++i) {
    example.image.push_back(random.Between<uint8_t>(0, 255));
    values.push_back(ShapeInputValue(example.image.back()));
  }
  example.probabilities = Softmax(trainer.Run(example.parameters, values));
  for (size_t i = 0; i < example.layers.size(); ++i) {
    example.ranges.push_back(RangeOf(trainer.output(i)));
  }
  return example;
}

absl::StatusOr<Network> NetworkOf(const Example& example, NetworkForm form) {
  return MakeSeparableNetwork("example", example.layers, example.parameters, example.ranges, form);
}

// What a network makes of the image of the example: real numbers.
std::vector<double> ResultOf(const Example& example, NetworkForm form) {
  const absl::StatusOr<Network> network = NetworkOf(example, form);
  if (!network.ok()) {
    ADD_FAILURE() << network.status();
    return {};
  }
  const hal::V1_2::Model& model = network->model;
  const Operand& input = model.operands[model.inputIndexes[0]];
  std::vector<double> values;
  for (const uint8_t byte : example.image) {
    values.push_back(
        input.type == OperandType::TENSOR_QUANT8_ASYMM ? byte : double{ShapeInputValue(byte)});
  }
  const absl::StatusOr<NetworkRunner> runner = NetworkRunner::Create(*network);
  if (!runner.ok()) {
    ADD_FAILURE() << runner.status();
    return {};
  }
  Sequence sequence;
  sequence.inputs = {{BytesOf(input.type, values)}};
  absl::StatusOr<std::vector<std::vector<double>>> results = runner->Run(sequence);
  if (!results.ok()) {
    ADD_FAILURE() << results.status();
    return {};
  }
  const Operand& output = model.operands[model.outputIndexes[0]];
  if (output.type == OperandType::TENSOR_QUANT8_ASYMM) {
    for (double& value : results->front()) value = (value - output.zeroPoint) * output.scale;
  }
  return results->front();
}

TEST(SeparableNetworkTest, a_model_does_what_the_trainer_did) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const Example example = MakeExample(seed);
    EXPECT_THAT(ResultOf(example, NetworkForm::FLOAT),
                Pointwise(DoubleNear(1e-5), example.probabilities));
    EXPECT_THAT(ResultOf(example, NetworkForm::RELAXED),
                Pointwise(DoubleNear(0.01), example.probabilities));
    EXPECT_THAT(ResultOf(example, NetworkForm::FLOAT16),
                Pointwise(DoubleNear(0.01), example.probabilities));
  }
}

TEST(SeparableNetworkTest, quantized_models_do_about_what_the_trainer_did) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const Example example = MakeExample(seed);
    // Probabilities that say something, or any would be close to them.
    const auto ends =
        std::minmax_element(example.probabilities.begin(), example.probabilities.end());
    ASSERT_GT(*ends.second - *ends.first, 0.06);
    EXPECT_THAT(ResultOf(example, NetworkForm::QUANT8),
                Pointwise(DoubleNear(0.02), example.probabilities));
    EXPECT_THAT(ResultOf(example, NetworkForm::PER_CHANNEL),
                Pointwise(DoubleNear(0.02), example.probabilities));
  }
}

TEST(SeparableNetworkTest, forms_are_models_of_the_versions_that_they_say) {
  const Example example = MakeExample();
  const auto status_of = [&](NetworkForm form, HalVersion version) {
    return NetworkRunner::Create(NetworkOf(example, form).value(), version).status();
  };
  for (const NetworkForm form : {NetworkForm::FLOAT, NetworkForm::QUANT8}) {
    EXPECT_TRUE(status_of(form, HalVersion::V1_0).ok()) << status_of(form, HalVersion::V1_0);
  }
  EXPECT_TRUE(status_of(NetworkForm::RELAXED, HalVersion::V1_1).ok());
  for (const NetworkForm form : {NetworkForm::FLOAT16, NetworkForm::PER_CHANNEL}) {
    EXPECT_TRUE(status_of(form, HalVersion::V1_2).ok()) << status_of(form, HalVersion::V1_2);
    EXPECT_FALSE(status_of(form, HalVersion::V1_1).ok());
  }
  EXPECT_TRUE(NetworkOf(example, NetworkForm::RELAXED)->model.relaxComputationFloat32toFloat16);
  EXPECT_FALSE(NetworkOf(example, NetworkForm::FLOAT)->model.relaxComputationFloat32toFloat16);
}

TEST(SeparableNetworkTest, filters_have_a_scale_a_channel_where_the_hal_has_such) {
  const absl::StatusOr<Network> network = NetworkOf(MakeExample(), NetworkForm::PER_CHANNEL);
  ASSERT_TRUE(network.ok()) << network.status();
  int filters = 0;
  for (const Operand& operand : network->model.operands) {
    if (operand.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) continue;
    ++filters;
    const auto& scales = std::get<hal::V1_2::SymmPerChannelQuantParams>(operand.extraParams);
    EXPECT_EQ(scales.channelDim, operand.dimensions[0] == 1 ? 3 : 0);
    EXPECT_THAT(scales.scales, SizeIs(operand.dimensions[scales.channelDim]));
  }
  EXPECT_EQ(filters, 5);
}

TEST(SeparableNetworkTest, parameters_and_ranges_that_do_not_fit_are_errors) {
  const auto is_invalid = [](const std::string& text) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text));
  };
  Example example = MakeExample();
  example.parameters.pop_back();
  EXPECT_THAT(NetworkOf(example, NetworkForm::FLOAT),
              is_invalid("example was given 713 parameters; its layers have 714"));
  example = MakeExample();
  example.parameters[17] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(NetworkOf(example, NetworkForm::FLOAT),
              is_invalid("example: parameter 17 is nan; expected a finite number"));
  example = MakeExample();
  example.ranges.pop_back();
  EXPECT_THAT(NetworkOf(example, NetworkForm::QUANT8),
              is_invalid("example was given 6 ranges; expected one for each of its 7 layers"));
  example = MakeExample();
  example.ranges[2].highest = std::numeric_limits<float>::infinity();
  EXPECT_THAT(
      NetworkOf(example, NetworkForm::QUANT8),
      is_invalid("example: the range of layer 2 is from 0 to inf; expected finite numbers"));
}

TEST(LstmNetworkTest, a_model_does_at_each_step_what_the_trainer_did) {
  constexpr LstmNetwork kNetwork = {.inputs = 3, .units = 6, .classes = 4};
  constexpr size_t kSteps = 5;
  LstmTrainer<float> trainer(kNetwork);
  SplitMix64 random(6);
  std::vector<float> parameters = trainer.InitialParameters(random);
  for (float& parameter : parameters) parameter *= 3;
  std::vector<float> frames(kSteps * kNetwork.inputs);
  for (float& value : frames) value = static_cast<float>(random.Uniform(-2, 2));

  const absl::StatusOr<Network> network = MakeLstmNetwork("example", kNetwork, parameters);
  ASSERT_TRUE(network.ok()) << network.status();
  const absl::StatusOr<NetworkRunner> runner = NetworkRunner::Create(*network, HalVersion::V1_0);
  ASSERT_TRUE(runner.ok()) << runner.status();
  Sequence sequence;
  std::vector<std::vector<double>> expected;
  for (size_t step = 1; step <= kSteps; ++step) {
    const auto end = frames.begin() + static_cast<std::ptrdiff_t>(step * kNetwork.inputs);
    sequence.inputs.push_back(
        {BytesOf(OperandType::TENSOR_FLOAT32, std::vector<double>(end - kNetwork.inputs, end))});
    expected.push_back(Softmax(trainer.Run(parameters, {frames.begin(), end}, 1)));
  }
  const absl::StatusOr<std::vector<std::vector<double>>> results = runner->Run(sequence);
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_THAT(*results, SizeIs(kSteps));
  for (size_t step = 0; step < kSteps; ++step) {
    EXPECT_THAT((*results)[step], Pointwise(DoubleNear(1e-5), expected[step])) << step;
  }
  EXPECT_THAT(MakeLstmNetwork("example", kNetwork, absl::MakeSpan(parameters).subspan(1)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("example was given 267 parameters; its layers have 268")));
}

TEST(LstmNetworkTest, names_and_states_are_those_of_the_model) {
  constexpr LstmNetwork kNetwork = {.inputs = 3, .units = 6, .classes = 4};
  const std::vector<float> parameters(kNetwork.parameter_count());
  const absl::StatusOr<Network> network = MakeLstmNetwork("example", kNetwork, parameters);
  ASSERT_TRUE(network.ok()) << network.status();
  EXPECT_THAT(network->inputNames, SizeIs(network->model.inputIndexes.size()));
  EXPECT_THAT(network->outputNames, SizeIs(network->model.outputIndexes.size()));
  ASSERT_THAT(network->states, SizeIs(2));
  for (const NetworkState& state : network->states) {
    EXPECT_EQ(network->inputNames[state.input], network->outputNames[state.output]);
  }
  ASSERT_THAT(network->unusedOutputs, SizeIs(1));
  EXPECT_EQ(network->outputNames[network->unusedOutputs[0]], "scratch_buffer");
}

}  // namespace
}  // namespace nncert
