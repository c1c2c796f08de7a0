// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reference/execution/executor.h"
#include "reference/testing/convolution_models.h"
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
constexpr OperandType kPerChannel = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

// Executes a model whose inputs have these dimensions in the request, filled with zeros.
absl::Status StatusWith(const ConvolutionModel& convolution, const std::vector<Shape>& dimensions) {
  const auto graph = PreparedGraph::Create(ModelOf(convolution));
  if (!graph.ok()) return graph.status();
  const std::vector<float> zeros(100);
  std::vector<InputArgument> arguments(dimensions.size());
  for (size_t i = 0; i < dimensions.size(); ++i) {
    arguments[i].dimensions = dimensions[i];
    arguments[i].elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(zeros.data()),
                                                NumberOfElements(dimensions[i]) * sizeof(float));
  }
  return (*graph)->Execute(NumberSystem::kFloat, arguments).status();
}

// 2 x 2 pixels of two channels: 1 2 3 4 in the first, 10 20 30 40 in the second.
const std::vector<double> kImage = {1, 10, 2, 20, 3, 30, 4, 40};

// A 2 x 1 filter (height 2) for each channel: 1 2 for the first, 3 -1 for the second.
ConvolutionModel TwoByOne() {
  return {.operation = OperationType::DEPTHWISE_CONV_2D,
          .input = {kFloat32, {1, 2, 2, 2}},
          .filter = {kFloat32, {1, 2, 1, 2}},
          .weights = {1, 3, 2, -1},
          .bias = {kFloat32, {2}},
          .biases = {100, 200},
          .scalars = {0, 0, 0, 0, 1, 1, 1, 0},
          .output = {kFloat32, {1, 1, 2, 2}}};
}

TEST(DepthwiseConv2dTest, EachChannelHasAFilterOfItsOwn) {
  // 1 + 3*2, 10*3 - 30; 2 + 4*2, 20*3 - 40.
  EXPECT_THAT(OutputOf(TwoByOne(), kImage), ElementsAre(107, 200, 110, 220));
}

TEST(DepthwiseConv2dTest, WeightsMayBeInputs) {
  ConvolutionModel convolution = TwoByOne();
  convolution.has_constant_weights = false;
  EXPECT_THAT(OutputOf(convolution, kImage), ElementsAre(107, 200, 110, 220));
}

TEST(DepthwiseConv2dTest, TheMultiplierGivesEachChannelSeveralFilters) {
  ConvolutionModel convolution = TwoByOne();
  convolution.filter.dimensions = {1, 2, 1, 6};
  // Channel 0 has 1 0, 0 1, 1 1; channel 1 has 1 -1, 2 0, 0 0.5 (upper, lower).
  convolution.weights = {1, 0, 1, 1, 2, 0, 0, 1, 1, -1, 0, 0.5};
  convolution.bias.dimensions = {6};
  convolution.biases = {0, 0, 0, 0, 0, 1};
  convolution.scalars[6] = 3;
  convolution.output.dimensions = {1, 1, 2, 6};
  EXPECT_THAT(OutputOf(convolution, kImage), ElementsAre(1, 3, 4, -20, 20, 16,  //
                                                         2, 4, 6, -20, 40, 21));
}

TEST(DepthwiseConv2dTest, NchwHasChannelsBeforePixels) {
  ConvolutionModel convolution = TwoByOne();
  convolution.is_nchw = true;
  convolution.output.dimensions = {1, 2, 1, 2};
  EXPECT_THAT(OutputOf(convolution, {1, 2, 3, 4, 10, 20, 30, 40}), ElementsAre(107, 110, 200, 220));
}

TEST(DepthwiseConv2dTest, BatchesFollowEachOther) {
  ConvolutionModel convolution = TwoByOne();
  convolution.input.dimensions = {2, 2, 1, 2};
  convolution.output.dimensions = {2, 1, 1, 2};
  EXPECT_THAT(OutputOf(convolution, {1, 10, 3, 30, 2, 20, 4, 40}), ElementsAre(107, 200, 110, 220));
}

TEST(DepthwiseConv2dTest, SamePaddingKeepsTheSize) {
  ConvolutionModel convolution = TwoByOne();
  convolution.scalars = {1, 1, 1, 1, 0};
  convolution.output.dimensions = {1, 2, 2, 2};
  // The filter's lower element is below the image in the last row.
  EXPECT_THAT(OutputOf(convolution, kImage), ElementsAre(107, 200, 110, 220, 103, 290, 104, 320));
}

TEST(DepthwiseConv2dTest, InfiniteWeightsOverPaddingCountOrDoNot) {
  ConvolutionModel convolution = TwoByOne();
  convolution.weights[2] = std::numeric_limits<double>::infinity();
  convolution.scalars = {1, 1, 1, 1, 0};
  convolution.output.dimensions = {1, 2, 2, 2};
  const Evaluated evaluated = Evaluate(convolution, kImage);
  // The weight is below the image in the last row: it is left out, or makes NaN of zero.
  EXPECT_THAT(evaluated.from_double[4], 103);
  EXPECT_FALSE(evaluated.enclosure[4].IsBounded());
  // That of the other channel is finite.
  EXPECT_THAT(evaluated.from_double[5], 290);
  EXPECT_TRUE(evaluated.enclosure[5].IsBounded());
}

TEST(DepthwiseConv2dTest, ValidPaddingAndNonePadNothing) {
  for (const int32_t scheme : {0, 2}) {
    ConvolutionModel convolution = TwoByOne();
    convolution.scalars = {scheme, 1, 1, 1, 0};
    EXPECT_THAT(OutputOf(convolution, kImage), ElementsAre(107, 200, 110, 220));
  }
}

TEST(DepthwiseConv2dTest, ExplicitPaddingsAreLeftRightTopBottom) {
  // One channel, a 2 x 2 filter of 1 2 3 4 over
  //   0 1 2
  //   0 3 4
  //   0 0 0
  const ConvolutionModel convolution = {.operation = OperationType::DEPTHWISE_CONV_2D,
                                        .input = {kFloat32, {1, 2, 2, 1}},
                                        .filter = {kFloat32, {1, 2, 2, 1}},
                                        .weights = {1, 2, 3, 4},
                                        .bias = {kFloat32, {1}},
                                        .biases = {0},
                                        .scalars = {1, 0, 0, 1, 1, 1, 1, 0},
                                        .output = {kFloat32, {1, 2, 2, 1}}};
  EXPECT_THAT(OutputOf(convolution, {1, 2, 3, 4}), ElementsAre(14, 30, 6, 11));
}

TEST(DepthwiseConv2dTest, StridesAndDilationsAreWidthThenHeight) {
  ConvolutionModel convolution = {.operation = OperationType::DEPTHWISE_CONV_2D,
                                  .input = {kFloat32, {1, 3, 4, 1}},
                                  .filter = {kFloat32, {1, 2, 2, 1}},
                                  .weights = {1, 10, 100, 1000},
                                  .bias = {kFloat32, {1}},
                                  .biases = {0},
                                  .scalars = {0, 0, 0, 0, 2, 1, 1, 0},
                                  .output = {kFloat32, {1, 2, 2, 1}}};
  const std::vector<double> image = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2};
  EXPECT_THAT(OutputOf(convolution, image), ElementsAre(5410, 7632, 9854, 2176));
  // Columns 0 and 3, rows 0 and 1, then 1 and 2.
  convolution.is_nchw = false;
  convolution.dilations = {3, 1};
  convolution.output.dimensions = {1, 2, 1, 1};
  EXPECT_THAT(OutputOf(convolution, image), ElementsAre(7430, 2874));
  // Columns 0 and 1, then 2 and 3; rows 0 and 2.
  convolution.dilations = {1, 2};
  convolution.output.dimensions = {1, 1, 2, 1};
  EXPECT_THAT(OutputOf(convolution, image), ElementsAre(9810, 2132));
}

TEST(DepthwiseConv2dTest, AppliesTheActivation) {
  const std::vector<double> input = {-5, 0.5, 3, 10};
  const std::vector<std::vector<double>> expected = {
      {-5, 0.5, 3, 10}, {0, 0.5, 3, 10}, {-1, 0.5, 1, 1}, {0, 0.5, 3, 6}};
  for (int32_t activation = 0; activation < 4; ++activation) {
    const ConvolutionModel convolution = {.operation = OperationType::DEPTHWISE_CONV_2D,
                                          .input = {kFloat32, {1, 1, 1, 4}},
                                          .filter = {kFloat32, {1, 1, 1, 4}},
                                          .weights = {1, 1, 1, 1},
                                          .bias = {kFloat32, {4}},
                                          .biases = {0, 0, 0, 0},
                                          .scalars = {2, 1, 1, 1, activation},
                                          .output = {kFloat32, {1, 1, 1, 4}}};
    EXPECT_THAT(OutputOf(convolution, input), ElementsAreArray(expected[activation]));
  }
}

TEST(DepthwiseConv2dTest, HalvesAreRoundedToHalves) {
  ConvolutionModel convolution = TwoByOne();
  for (OperandSpec* spec :
       {&convolution.input, &convolution.filter, &convolution.bias, &convolution.output}) {
    spec->type = kFloat16;
  }
  convolution.biases = {2048, 0};
  // 2048 + 7 = 2055 is between the halves 2054 and 2056 and goes to the even one.
  EXPECT_THAT(OutputOf(convolution, kImage), ElementsAre(2056, 0, 2058, 20));
}

TEST(DepthwiseConv2dTest, QuantizedOperandsStandForRealsAndPaddingForRealZero) {
  // Height 2, SAME: the second row sees padding under it. Pixels 5 -3 and 1 2; filters 1 2 and -1
  // 1 (upper, lower); biases 1 and 0.
  const ConvolutionModel convolution = {.operation = OperationType::DEPTHWISE_CONV_2D,
                                        .input = {kQuant8, {1, 2, 1, 2}, 0.5, 128},
                                        .filter = {kQuant8, {1, 2, 1, 2}, 0.25, 100},
                                        .weights = {104, 96, 108, 104},
                                        .bias = {kInt32, {2}, 0.125, 0},
                                        .biases = {8, 0},
                                        .scalars = {1, 1, 1, 1, 0},
                                        .output = {kQuant8, {1, 2, 1, 2}, 0.5, 10}};
  // 5 + 2 + 1, 3 + 2; 1 + 1, -2.
  EXPECT_THAT(OutputOf(convolution, {138, 122, 130, 132}), ElementsAre(26, 20, 14, 6));
}

// Two channels with two filters each, with a scale each.
ConvolutionModel PerChannel() {
  return {.operation = OperationType::DEPTHWISE_CONV_2D,
          .input = {kQuant8, {1, 1, 1, 2}, 0.5, 128},
          .filter = {kPerChannel,
                     {1, 1, 1, 4},
                     0,
                     0,
                     hal::V1_2::SymmPerChannelQuantParams{{0.5, 0.75, 1, 0.25}, 3}},
          .weights = {1, 2, -3, 4},
          .bias = {kInt32, {4}, 0, 0},
          .biases = {4, 4, 4, -4},
          .scalars = {0, 0, 0, 0, 1, 1, 2, 0},
          .output = {kQuant8, {1, 1, 1, 4}, 0.25, 100}};
}

TEST(DepthwiseConv2dTest, PerChannelFiltersScaleWeightsAndBiasByChannel) {
  // 5 and -1: (5 + 2) * 0.5, (10 + 2) * 0.75, (3 + 2) * 1, (-4 - 2) * 0.25.
  EXPECT_THAT(OutputOf(PerChannel(), {138, 126}), ElementsAre(114, 136, 120, 94));
}

TEST(DepthwiseConv2dTest, FindsDimensionsThatTheModelLeavesOpen) {
  ConvolutionModel convolution = TwoByOne();
  convolution.output.dimensions = {};
  const auto results = EvaluateInAllSystems(ModelOf(convolution), {kImage});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].dimensions, ElementsAre(1, 1, 2, 2));
  convolution.input.dimensions = {0, 0, 0, 0};
  convolution.output.dimensions = {0, 0, 0, 0};
  EXPECT_TRUE(StatusWith(convolution, {{1, 4, 2, 2}}).ok());
}

TEST(DepthwiseConv2dTest, RejectsEmptyBatches) {
  ConvolutionModel convolution = TwoByOne();
  convolution.input.dimensions = {0, 2, 2, 2};
  convolution.output.dimensions = {0, 1, 2, 2};
  EXPECT_THAT(StatusWith(convolution, {{0, 2, 2, 2}}).message(),
              HasSubstr("DEPTHWISE_CONV_2D input 0 (operand 0) is empty"));
}

TEST(DepthwiseConv2dTest, RejectsEmptyFilters) {
  ConvolutionModel convolution = TwoByOne();
  convolution.filter.dimensions = {1, 0, 1, 2};
  convolution.has_constant_weights = false;
  convolution.output.dimensions = {0, 0, 0, 0};
  EXPECT_THAT(StatusWith(convolution, {{1, 2, 2, 2}, {1, 0, 1, 2}, {2}}).message(),
              HasSubstr("DEPTHWISE_CONV_2D input 1 (operand 1) is empty"));
}

TEST(DepthwiseConv2dTest, depthwise_conv_2d_c1_rejects_several_filters) {
  ConvolutionModel convolution = TwoByOne();
  convolution.filter.dimensions = {2, 1, 1, 2};
  EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("DEPTHWISE_CONV_2D", "C1"),
                                          HasSubstr("input 1 'filter' (operand 1)")));
}

TEST(DepthwiseConv2dTest, depthwise_conv_2d_c2_rejects_a_depth_that_is_not_the_multiple) {
  for (const int32_t multiplier : {2, 0, -1}) {
    ConvolutionModel convolution = TwoByOne();
    convolution.scalars[6] = multiplier;
    EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("DEPTHWISE_CONV_2D", "C2"),
                                            HasSubstr("input 9 'depthMultiplier' (operand 9)")));
  }
  ConvolutionModel convolution = TwoByOne();
  convolution.input.dimensions = {1, 2, 4, 1};
  EXPECT_THAT(ErrorOf(convolution), RefusedBy("DEPTHWISE_CONV_2D", "C2"));
}

TEST(DepthwiseConv2dTest, depthwise_conv_2d_c3_rejects_a_bias_of_another_size) {
  ConvolutionModel convolution = TwoByOne();
  convolution.bias.dimensions = {1};
  convolution.biases = {0};
  EXPECT_THAT(ErrorOf(convolution),
              AllOf(RefusedBy("DEPTHWISE_CONV_2D", "C3"), HasSubstr("input 2 'bias' (operand 2)")));
}

TEST(DepthwiseConv2dTest, depthwise_conv_2d_c4_rejects_another_channel_dimension) {
  ConvolutionModel convolution = PerChannel();
  convolution.filter.extraParams = hal::V1_2::SymmPerChannelQuantParams{{0.5}, 0};
  EXPECT_THAT(ErrorOf(convolution),
              AllOf(RefusedBy("DEPTHWISE_CONV_2D", "C4"), HasSubstr("channelDim of a filter")));
}

TEST(DepthwiseConv2dTest, depthwise_conv_2d_c5_rejects_fine_output_scales_below_1_2) {
  ConvolutionModel convolution = {.operation = OperationType::DEPTHWISE_CONV_2D,
                                  .input = {kQuant8, {1, 1, 1, 1}, 0.5, 128},
                                  .filter = {kQuant8, {1, 1, 1, 1}, 0.25, 100},
                                  .weights = {104},
                                  .bias = {kInt32, {1}, 0.125, 0},
                                  .biases = {0},
                                  .scalars = {2, 1, 1, 1, 0},
                                  .output = {kQuant8, {1, 1, 1, 1}, 0.125, 10}};
  EXPECT_EQ(ErrorOf(convolution, HalVersion::V1_2), "");
  EXPECT_THAT(ErrorOf(convolution, HalVersion::V1_1),
              AllOf(RefusedBy("DEPTHWISE_CONV_2D", "C5"), HasSubstr("quantized output")));
  convolution.output.scale = 0.13f;
  EXPECT_EQ(ErrorOf(convolution, HalVersion::V1_0), "");
}

TEST(DepthwiseConv2dTest, depthwise_conv_2d_c6_rejects_unknown_padding_schemes) {
  for (const int32_t scheme : {-1, 3}) {
    ConvolutionModel convolution = TwoByOne();
    convolution.scalars = {scheme, 1, 1, 1, 0};
    EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("DEPTHWISE_CONV_2D", "C6"),
                                            HasSubstr("input 3 'paddingScheme' (operand 3)")));
  }
}

TEST(DepthwiseConv2dTest, depthwise_conv_2d_c7_rejects_strides_below_one) {
  for (const int position : {4, 5}) {
    ConvolutionModel convolution = TwoByOne();
    convolution.scalars[position] = 0;
    EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("DEPTHWISE_CONV_2D", "C7"),
                                            HasSubstr("input 7 'strideWidth' (operand 7)")));
  }
}

TEST(DepthwiseConv2dTest, depthwise_conv_2d_c8_rejects_dilations_below_one) {
  for (const std::vector<int32_t>& dilations :
       {std::vector<int32_t>{0, 1}, std::vector<int32_t>{1, 0}}) {
    ConvolutionModel convolution = TwoByOne();
    convolution.is_nchw = false;
    convolution.dilations = dilations;
    EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("DEPTHWISE_CONV_2D", "C8"),
                                            HasSubstr("input 12 'dilationWidth' (operand 12)")));
  }
}

TEST(DepthwiseConv2dTest, depthwise_conv_2d_c9_rejects_paddings_of_the_size_of_the_filter) {
  // The filter is 1 wide and 2 high.
  for (const auto& [side, padding] : {std::pair{0, 1}, {1, 1}, {2, 2}, {3, 2}, {0, -1}}) {
    ConvolutionModel convolution = TwoByOne();
    convolution.scalars[side] = padding;
    EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("DEPTHWISE_CONV_2D", "C9"),
                                            HasSubstr("input 3 'paddingLeft' (operand 3)")));
  }
}

TEST(DepthwiseConv2dTest, depthwise_conv_2d_c10_rejects_filters_greater_than_the_padded_image) {
  ConvolutionModel convolution = TwoByOne();
  convolution.input.dimensions = {1, 1, 2, 2};
  EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("DEPTHWISE_CONV_2D", "C10"),
                                          HasSubstr("input 1 'filter' (operand 1)")));
}

TEST(DepthwiseConv2dTest, depthwise_conv_2d_c11_rejects_unknown_activations) {
  for (const int32_t activation : {-1, 4}) {
    ConvolutionModel convolution = TwoByOne();
    convolution.scalars.back() = activation;
    EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("DEPTHWISE_CONV_2D", "C11"),
                                            HasSubstr("input 10 'activation' (operand 10)")));
  }
}

TEST(DepthwiseConv2dTest, RejectsOneDilationWithoutTheOther) {
  ConvolutionModel convolution = TwoByOne();
  convolution.is_nchw = false;
  convolution.dilations = {1};
  EXPECT_THAT(ErrorOf(convolution), HasSubstr("may only be given together"));
}

TEST(DepthwiseConv2dTest, TakesLayoutAndHalvesAndPerChannelFiltersSince1_2) {
  ConvolutionModel with_layout = TwoByOne();
  with_layout.is_nchw = false;
  ConvolutionModel halves = TwoByOne();
  halves.input.type = halves.filter.type = halves.bias.type = halves.output.type = kFloat16;
  for (const ConvolutionModel& convolution : {with_layout, halves, PerChannel()}) {
    const hal::V1_2::Model model = ModelOf(convolution);
    EXPECT_EQ(SignatureErrorOf(model, HalVersion::V1_2), "");
    EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_1),
                HasSubstr("operation 0: DEPTHWISE_CONV_2D"));
  }
  EXPECT_EQ(ErrorOf(TwoByOne(), HalVersion::V1_0), "");
}

}  // namespace
}  // namespace nncert
