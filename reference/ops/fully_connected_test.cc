// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/execution/executor.h"
#include "reference/execution/model_validation.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

// One FULLY_CONNECTED.
struct Layer {
  OperandSpec input;
  OperandSpec weights;
  std::vector<double> weight_values;
  OperandSpec bias;
  std::vector<double> bias_values;
  int32_t activation = 0;
  OperandSpec output;
  bool has_constant_weights = true;
};

hal::V1_2::Model ModelOf(const Layer& layer) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input(layer.input)};
  if (layer.has_constant_weights) {
    inputs.push_back(builder.Constant(layer.weights, layer.weight_values));
    inputs.push_back(builder.Constant(layer.bias, layer.bias_values));
  } else {
    inputs.push_back(builder.Input(layer.weights));
    inputs.push_back(builder.Input(layer.bias));
  }
  inputs.push_back(builder.Int32(layer.activation));
  const uint32_t output = builder.Output(layer.output);
  builder.Operation(OperationType::FULLY_CONNECTED, inputs, {output});
  return builder.model();
}

// The one output, in double; the other number systems are held against it.
std::vector<double> OutputOf(const Layer& layer, const std::vector<double>& input) {
  std::vector<std::vector<double>> inputs = {input};
  if (!layer.has_constant_weights) {
    inputs.push_back(layer.weight_values);
    inputs.push_back(layer.bias_values);
  }
  return EvaluateDecided(ModelOf(layer), inputs).from_double;
}

std::string ErrorOf(const Layer& layer, HalVersion version = HalVersion::V1_2) {
  return std::string(PreparedGraph::Create(ModelOf(layer), version).status().message());
}

// Executes a model whose inputs have these dimensions in the request, filled with zeros.
absl::StatusOr<std::vector<OutputValue>> RunWith(const Layer& layer,
                                                 const std::vector<Shape>& dimensions,
                                                 NumberSystem system = NumberSystem::kFloat,
                                                 HalVersion version = HalVersion::V1_2) {
  const auto graph = PreparedGraph::Create(ModelOf(layer), version);
  if (!graph.ok()) return graph.status();
  const std::vector<float> zeros(100);
  std::vector<InputArgument> arguments(dimensions.size());
  for (size_t i = 0; i < dimensions.size(); ++i) {
    arguments[i].dimensions = dimensions[i];
    arguments[i].elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(zeros.data()),
                                                NumberOfElements(dimensions[i]) * sizeof(float));
  }
  return (*graph)->Execute(system, arguments);
}

// Two units over three features: 1 2 3 and -1 0 0.5, with biases 10 and 20.
Layer TwoUnits() {
  return {.input = {kFloat32, {2, 3}},
          .weights = {kFloat32, {2, 3}},
          .weight_values = {1, 2, 3, -1, 0, 0.5},
          .bias = {kFloat32, {2}},
          .bias_values = {10, 20},
          .output = {kFloat32, {2, 2}}};
}

TEST(FullyConnectedTest, SumsAllFeaturesForEachUnitAndBatch) {
  // 1 + 4 + 9 + 10, -1 + 1.5 + 20; 4 + 0 - 6 + 10, -4 - 1 + 20.
  EXPECT_THAT(OutputOf(TwoUnits(), {1, 2, 3, 4, 0, -2}), ElementsAre(24, 20.5, 8, 15));
}

TEST(FullyConnectedTest, WeightsMayBeInputs) {
  Layer layer = TwoUnits();
  layer.has_constant_weights = false;
  EXPECT_THAT(OutputOf(layer, {1, 2, 3, 4, 0, -2}), ElementsAre(24, 20.5, 8, 15));
}

TEST(FullyConnectedTest, InputsOfAnyRankAreReadInOrder) {
  Layer layer = TwoUnits();
  for (const std::vector<uint32_t>& dimensions : std::vector<std::vector<uint32_t>>{
           {6, 1}, {1, 6}, {3, 2}, {1, 2, 3}, {3, 1, 2}, {2, 1, 1, 3}, {1, 1, 6, 1}}) {
    layer.input.dimensions = dimensions;
    EXPECT_THAT(OutputOf(layer, {1, 2, 3, 4, 0, -2}), ElementsAre(24, 20.5, 8, 15));
  }
}

TEST(FullyConnectedTest, OneUnitAndOneFeatureScaleAndShift) {
  const Layer layer = {.input = {kFloat32, {3, 1}},
                       .weights = {kFloat32, {1, 1}},
                       .weight_values = {2},
                       .bias = {kFloat32, {1}},
                       .bias_values = {4},
                       .output = {kFloat32, {3, 1}}};
  EXPECT_THAT(OutputOf(layer, {2, 32, 16}), ElementsAre(8, 68, 36));
}

TEST(FullyConnectedTest, AppliesTheActivation) {
  const std::vector<std::vector<double>> expected = {
      {-5, 0.5, 3, 10}, {0, 0.5, 3, 10}, {-1, 0.5, 1, 1}, {0, 0.5, 3, 6}};
  for (int32_t activation = 0; activation < 4; ++activation) {
    const Layer layer = {.input = {kFloat32, {4, 1}},
                         .weights = {kFloat32, {1, 1}},
                         .weight_values = {1},
                         .bias = {kFloat32, {1}},
                         .bias_values = {0},
                         .activation = activation,
                         .output = {kFloat32, {4, 1}}};
    EXPECT_THAT(OutputOf(layer, {-5, 0.5, 3, 10}), ElementsAreArray(expected[activation]));
  }
}

TEST(FullyConnectedTest, HalvesAreRoundedToHalves) {
  Layer layer = TwoUnits();
  layer.input.type = layer.weights.type = layer.bias.type = layer.output.type = kFloat16;
  layer.bias_values = {2048, 0};
  // 2048 + 14 is a half; 2048 - 2 + 0.25 is rounded to one.
  EXPECT_THAT(OutputOf(layer, {1, 2, 3, 0.25, 0.5, -1}), ElementsAre(2062, 0.5, 2046, -0.75));
}

// Two units over two features: 1 -2 and 0.5 0, with biases 1 and -1.
Layer Quantized() {
  return {.input = {kQuant8, {1, 2}, 0.5, 128},
          .weights = {kQuant8, {2, 2}, 0.25, 100},
          .weight_values = {104, 92, 102, 100},
          .bias = {kInt32, {2}, 0.125, 0},
          .bias_values = {8, -8},
          .output = {kQuant8, {1, 2}, 0.5, 10}};
}

TEST(FullyConnectedTest, QuantizedOperandsStandForReals) {
  // 5 and -3: 5 + 6 + 1, 2.5 - 1.
  EXPECT_THAT(OutputOf(Quantized(), {138, 122}), ElementsAre(34, 13));
}

TEST(FullyConnectedTest, QuantizedResultsSaturate) {
  // 63.5 and -64: 63.5 + 128 + 1, 31.75 - 1 = 61.5 steps, a tie that goes to even.
  EXPECT_THAT(OutputOf(Quantized(), {255, 0}), ElementsAre(255, 72));
  EXPECT_THAT(OutputOf(Quantized(), {0, 255}), ElementsAre(0, 0));
}

TEST(FullyConnectedTest, EmptyBatchesGiveEmptyBatches) {
  Layer layer = TwoUnits();
  layer.input.dimensions = {0, 0};
  layer.output.dimensions = {0, 0};
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    const auto outputs = RunWith(layer, {{0, 3}}, system);
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 2));
    EXPECT_TRUE((*outputs)[0].elements.empty());
  }
}

TEST(FullyConnectedTest, FindsDimensionsThatTheModelLeavesOpen) {
  Layer layer = TwoUnits();
  layer.input.dimensions = {0, 3};
  layer.output.dimensions = {};
  const auto outputs = RunWith(layer, {{5, 3}});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(5, 2));
}

TEST(FullyConnectedTest, RejectsAnOutputOfOtherDimensions) {
  Layer layer = TwoUnits();
  layer.output.dimensions = {2, 3};
  EXPECT_THAT(ErrorOf(layer), AllOf(HasSubstr("FULLY_CONNECTED output 0"), HasSubstr("[2, 2]")));
}

TEST(FullyConnectedTest, RejectsInputsOfRankOne) {
  Layer layer = TwoUnits();
  layer.input.dimensions = {6};
  EXPECT_THAT(ErrorOf(layer), HasSubstr("FULLY_CONNECTED input 0 'input' (operand 0) has rank 1"));
}

TEST(FullyConnectedTest, fully_connected_c1_rejects_empty_weights) {
  Layer layer = TwoUnits();
  layer.weights.dimensions = {0, 0};
  layer.bias.dimensions = {0};
  layer.output.dimensions = {0, 0};
  layer.has_constant_weights = false;
  for (const Shape& weights : {Shape{0, 3}, Shape{2, 0}}) {
    EXPECT_THAT(
        RunWith(layer, {{2, 3}, weights, {weights[0]}}).status().message(),
        AllOf(RefusedBy("FULLY_CONNECTED", "C1"), HasSubstr("input 1 'weights' (operand 1)")));
  }
}

TEST(FullyConnectedTest, fully_connected_c2_rejects_inputs_that_are_no_rows) {
  Layer layer = TwoUnits();
  layer.input.dimensions = {2, 4};
  EXPECT_THAT(ErrorOf(layer),
              AllOf(RefusedBy("FULLY_CONNECTED", "C2"), HasSubstr("input 0 'input' (operand 0)")));
}

TEST(FullyConnectedTest, fully_connected_c2_rejects_empty_batches_below_1_2) {
  Layer layer = TwoUnits();
  layer.input.dimensions = {0, 3};
  layer.output.dimensions = {0, 0};
  const auto outputs = RunWith(layer, {{0, 3}}, NumberSystem::kFloat, HalVersion::V1_1);
  EXPECT_THAT(outputs.status().message(), RefusedBy("FULLY_CONNECTED", "C2"));
}

TEST(FullyConnectedTest, fully_connected_c3_rejects_a_bias_of_another_size) {
  Layer layer = TwoUnits();
  layer.bias.dimensions = {3};
  layer.bias_values = {0, 0, 0};
  EXPECT_THAT(ErrorOf(layer),
              AllOf(RefusedBy("FULLY_CONNECTED", "C3"), HasSubstr("input 2 'bias' (operand 2)")));
}

TEST(FullyConnectedTest, fully_connected_c4_rejects_fine_output_scales_below_1_2) {
  Layer layer = Quantized();
  layer.output.scale = 0.125;
  EXPECT_EQ(ErrorOf(layer, HalVersion::V1_2), "");
  EXPECT_THAT(ErrorOf(layer, HalVersion::V1_0),
              AllOf(RefusedBy("FULLY_CONNECTED", "C4"), HasSubstr("quantized output")));
  EXPECT_EQ(ErrorOf(Quantized(), HalVersion::V1_0), "");
}

TEST(FullyConnectedTest, fully_connected_c5_rejects_unknown_activations) {
  for (const int32_t activation : {-1, 4}) {
    Layer layer = TwoUnits();
    layer.activation = activation;
    EXPECT_THAT(ErrorOf(layer), AllOf(RefusedBy("FULLY_CONNECTED", "C5"),
                                      HasSubstr("input 3 'activation' (operand 3)")));
  }
}

TEST(FullyConnectedTest, TakesHalvesSince1_2) {
  Layer layer = TwoUnits();
  layer.input.type = layer.weights.type = layer.bias.type = layer.output.type = kFloat16;
  EXPECT_EQ(SignatureErrorOf(ModelOf(layer), HalVersion::V1_2), "");
  EXPECT_THAT(SignatureErrorOf(ModelOf(layer), HalVersion::V1_1),
              HasSubstr("FULLY_CONNECTED input 0 'input' (operand 0) is TENSOR_FLOAT16"));
}

}  // namespace
}  // namespace nncert
