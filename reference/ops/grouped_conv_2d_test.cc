// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/execution/executor.h"
#include "reference/testing/convolution_models.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kPerChannel = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

// Two pixels of four channels in two groups of two. Each group has two filters of one pixel: group
// 0 gives k0 + 2 k1 and 3 k0 + 4 k1, group 1 gives 5 k2 + 6 k3 and 7 k2 + 8 k3.
ConvolutionModel TwoGroups() {
  return {.operation = OperationType::GROUPED_CONV_2D,
          .input = {kFloat32, {1, 1, 2, 4}},
          .filter = {kFloat32, {4, 1, 1, 2}},
          .weights = {1, 2, 3, 4, 5, 6, 7, 8},
          .bias = {kFloat32, {4}},
          .biases = {0, 0, 0, 100},
          .scalars = {2, 1, 1, 2, 0},
          .is_nchw = false,
          .output = {kFloat32, {1, 1, 2, 4}}};
}

const std::vector<double> kPixels = {1, 2, 3, 4, -1, 1, 0, 2};

TEST(GroupedConv2dTest, EachGroupOfFiltersReadsItsGroupOfChannels) {
  // 1 + 4, 3 + 8, 15 + 24, 21 + 32 + 100; -1 + 2, -3 + 4, 12, 16 + 100.
  EXPECT_THAT(OutputOf(TwoGroups(), kPixels), ElementsAre(5, 11, 39, 153, 1, 1, 12, 116));
}

TEST(GroupedConv2dTest, NchwHoldsOneChannelAfterAnother) {
  ConvolutionModel convolution = TwoGroups();
  convolution.is_nchw = true;
  convolution.input.dimensions = {1, 4, 1, 2};
  convolution.output.dimensions = {1, 4, 1, 2};
  EXPECT_THAT(OutputOf(convolution, {1, -1, 2, 1, 3, 0, 4, 2}),
              ElementsAre(5, 1, 11, 1, 39, 12, 153, 116));
}

TEST(GroupedConv2dTest, OneGroupIsAPlainConvolution) {
  ConvolutionModel convolution = TwoGroups();
  convolution.scalars = {2, 1, 1, 1, 0};
  convolution.filter.dimensions = {2, 1, 1, 4};
  convolution.bias.dimensions = {2};
  convolution.biases = {0, 0};
  convolution.output.dimensions = {1, 1, 2, 2};
  // 1 + 4 + 9 + 16 and 5 + 12 + 21 + 32; -1 + 2 + 8 and -5 + 6 + 16.
  EXPECT_THAT(OutputOf(convolution, kPixels), ElementsAre(30, 70, 9, 17));
}

TEST(GroupedConv2dTest, AsManyGroupsAsChannelsIsADepthwiseConvolution) {
  ConvolutionModel convolution = TwoGroups();
  convolution.scalars = {2, 1, 1, 4, 0};
  convolution.filter.dimensions = {8, 1, 1, 1};
  convolution.bias.dimensions = {8};
  convolution.biases.assign(8, 0);
  convolution.output.dimensions = {1, 1, 2, 8};
  EXPECT_THAT(OutputOf(convolution, kPixels),
              ElementsAre(1, 2, 6, 8, 15, 18, 28, 32, -1, -2, 3, 4, 0, 0, 14, 16));
}

// Two batches of 3 x 3 pixels of two channels, one group each, under 2 x 2 filters of 1 2 3 4 and 1
// 0 0 0.
ConvolutionModel Windows() {
  return {.operation = OperationType::GROUPED_CONV_2D,
          .input = {kFloat32, {2, 3, 3, 2}},
          .filter = {kFloat32, {2, 2, 2, 1}},
          .weights = {1, 2, 3, 4, 1, 0, 0, 0},
          .bias = {kFloat32, {2}},
          .biases = {0, 0},
          .scalars = {0, 0, 0, 0, 1, 1, 2, 0},
          .is_nchw = false,
          .output = {kFloat32, {2, 2, 2, 2}}};
}

// Channel 0 counts from 1 to 9 and then backwards, channel 1 is ten times that.
std::vector<double> Counting() {
  std::vector<double> input;
  for (int i = 1; i <= 9; ++i) input.insert(input.end(), {1.0 * i, 10.0 * i});
  for (int i = 9; i >= 1; --i) input.insert(input.end(), {1.0 * i, 10.0 * i});
  return input;
}

TEST(GroupedConv2dTest, WindowsSlideOverEveryImage) {
  // 1 + 4 + 12 + 20 = 37 and so on, neighbours 10 apart; backwards 9 + 16 + 18 + 20 = 63.
  EXPECT_THAT(OutputOf(Windows(), Counting()),
              ElementsAre(37, 10, 47, 20, 67, 40, 77, 50, 63, 90, 53, 80, 33, 60, 23, 50));
}

TEST(GroupedConv2dTest, PaddingsAreLeftRightTopBottomAndStridesWidthHeight) {
  ConvolutionModel convolution = Windows();
  convolution.input.dimensions = {1, 3, 3, 2};
  convolution.scalars = {1, 0, 0, 1, 2, 3, 2, 0};
  convolution.output.dimensions = {1, 1, 2, 2};
  std::vector<double> input = Counting();
  input.resize(18);
  // Windows at columns -1 and 1 of row 0: 2 * 1 + 4 * 4 and 2 + 6 + 15 + 24; channel 1 takes the
  // pixel at the upper left.
  EXPECT_THAT(OutputOf(convolution, input), ElementsAre(18, 0, 47, 20));
}

TEST(GroupedConv2dTest, SamePaddingKeepsTheSize) {
  ConvolutionModel convolution = Windows();
  convolution.input.dimensions = {1, 3, 3, 2};
  convolution.scalars = {1, 1, 1, 2, 0};
  convolution.output.dimensions = {1, 3, 3, 2};
  std::vector<double> input = Counting();
  input.resize(18);
  EXPECT_THAT(OutputOf(convolution, input),
              ElementsAre(37, 10, 47, 20, 21, 30, 67, 40, 77, 50, 33, 60, 23, 70, 26, 80, 9, 90));
}

TEST(GroupedConv2dTest, AppliesTheActivation) {
  ConvolutionModel convolution = TwoGroups();
  convolution.scalars.back() = 3;
  EXPECT_THAT(OutputOf(convolution, kPixels), ElementsAre(5, 6, 6, 6, 1, 1, 6, 6));
}

TEST(GroupedConv2dTest, TakesHalvesAndEnclosesWhatTheyLose) {
  ConvolutionModel convolution = TwoGroups();
  for (OperandSpec* spec :
       {&convolution.input, &convolution.filter, &convolution.bias, &convolution.output}) {
    spec->type = kFloat16;
  }
  const Evaluated result = Evaluate(convolution, kPixels);
  EXPECT_THAT(result.from_float, ElementsAre(5, 11, 39, 153, 1, 1, 12, 116));
  // Two products, the bias and roundings of 153 to 11 bits: a few times 153 * 2^-11.
  EXPECT_GT(result.enclosure[3].radius, 0.07);
  EXPECT_LT(result.enclosure[3].radius, 0.6);
}

TEST(GroupedConv2dTest, RelaxedComputationMayLoseAsMuchAsHalves) {
  ConvolutionModel convolution = TwoGroups();
  EXPECT_LT(Evaluate(convolution, kPixels).enclosure[3].radius, 1e-4);
  convolution.is_relaxed = true;
  EXPECT_GT(Evaluate(convolution, kPixels).enclosure[3].radius, 0.07);
}

TEST(GroupedConv2dTest, TakesQuantizedOperands) {
  ConvolutionModel convolution = TwoGroups();
  convolution.input = {kQuant8, {1, 1, 2, 4}, 0.5f, 100};
  convolution.filter = {kQuant8, {4, 1, 1, 2}, 0.25f, 128};
  convolution.bias = {kInt32, {4}, 0.125f};
  convolution.output = {kQuant8, {1, 1, 2, 4}, 1.0f, 10};
  for (double& weight : convolution.weights) weight = weight / 0.25 + 128;
  convolution.biases = {0, 0, 0, 800};
  std::vector<double> input = kPixels;
  for (double& element : input) element = element / 0.5 + 100;
  EXPECT_THAT(OutputOf(convolution, input), ElementsAre(15, 21, 49, 163, 11, 11, 22, 126));
}

TEST(GroupedConv2dTest, TakesAScaleForEachFilter) {
  ConvolutionModel convolution = TwoGroups();
  convolution.input = {kQuant8, {1, 1, 2, 4}, 0.5f, 100};
  convolution.filter = {kPerChannel, {4, 1, 1, 2}};
  convolution.filter.extraParams = hal::V1_2::SymmPerChannelQuantParams{{1, 0.5, 0.25, 1}, 0};
  convolution.weights = {1, 2, 6, 8, 20, 24, 7, 8};
  convolution.bias = {kInt32, {4}, 0};
  convolution.biases = {0, 0, 0, 200};
  convolution.output = {kQuant8, {1, 1, 2, 4}, 1.0f, 10};
  std::vector<double> input = kPixels;
  for (double& element : input) element = element / 0.5 + 100;
  EXPECT_THAT(OutputOf(convolution, input), ElementsAre(15, 21, 49, 163, 11, 11, 22, 126));
}

TEST(GroupedConv2dTest, ManyGroupsGiveWhatEachGivesAlone) {
  // 70 groups of three channels, each with the same filter of ones: sums of its nine numbers.
  constexpr uint32_t kGroups = 70;
  ConvolutionModel convolution = {.operation = OperationType::GROUPED_CONV_2D,
                                  .input = {kFloat32, {1, 3, 1, 3 * kGroups}},
                                  .filter = {kFloat32, {kGroups, 3, 1, 3}},
                                  .weights = std::vector<double>(9 * kGroups, 1),
                                  .bias = {kFloat32, {kGroups}},
                                  .biases = std::vector<double>(kGroups, 0),
                                  .scalars = {2, 1, 1, kGroups, 0},
                                  .is_nchw = false,
                                  .output = {kFloat32, {1, 1, 1, kGroups}}};
  std::vector<double> input;
  std::vector<double> expected;
  for (uint32_t i = 0; i < 9 * kGroups; ++i) input.push_back(i / 3 % kGroups);
  for (uint32_t g = 0; g < kGroups; ++g) expected.push_back(9.0 * g);
  EXPECT_THAT(OutputOf(convolution, input), ElementsAreArray(expected));
}

TEST(GroupedConv2dTest, DimensionsMayBeUnknown) {
  ConvolutionModel convolution = TwoGroups();
  convolution.output.dimensions = {0, 0, 0, 0};
  const Evaluated result = Evaluate(convolution, kPixels);
  EXPECT_THAT(result.dimensions, ElementsAre(1, 1, 2, 4));
}

TEST(GroupedConv2dTest, RefusesEmptyImages) {
  ConvolutionModel convolution = TwoGroups();
  convolution.input.dimensions = {0, 1, 2, 4};
  convolution.output.dimensions = {0, 1, 2, 4};
  const auto graph = PreparedGraph::Create(ModelOf(convolution));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument argument;
  argument.dimensions = {0, 1, 2, 4};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {argument}).status().message(),
              HasSubstr("is empty"));
}

TEST(GroupedConv2dTest, grouped_conv_2d_c1_rejects_groups_that_are_not_positive) {
  ConvolutionModel convolution = TwoGroups();
  for (const int32_t groups : {0, -2}) {
    convolution.scalars[3] = groups;
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C1"));
  }
}

TEST(GroupedConv2dTest, grouped_conv_2d_c2_rejects_another_depth_than_the_filters_have) {
  ConvolutionModel convolution = TwoGroups();
  convolution.input.dimensions = {1, 1, 2, 6};
  EXPECT_TRUE(IsRefused(ModelOf(convolution), "C2"));
  convolution = TwoGroups();
  convolution.scalars[3] = 4;
  EXPECT_TRUE(IsRefused(ModelOf(convolution), "C2"));
}

TEST(GroupedConv2dTest, grouped_conv_2d_c3_rejects_filters_that_do_not_divide_into_groups) {
  ConvolutionModel convolution = TwoGroups();
  convolution.filter.dimensions = {3, 1, 1, 2};
  convolution.weights.resize(6);
  convolution.bias.dimensions = {3};
  convolution.biases.resize(3);
  convolution.output.dimensions = {1, 1, 2, 3};
  EXPECT_TRUE(IsRefused(ModelOf(convolution), "C3"));
}

TEST(GroupedConv2dTest, grouped_conv_2d_c4_rejects_a_bias_of_another_size) {
  ConvolutionModel convolution = TwoGroups();
  convolution.bias.dimensions = {2};
  convolution.biases.resize(2);
  EXPECT_TRUE(IsRefused(ModelOf(convolution), "C4"));
}

TEST(GroupedConv2dTest, grouped_conv_2d_c5_rejects_scales_along_another_dimension) {
  ConvolutionModel convolution = TwoGroups();
  convolution.input = {kQuant8, {1, 1, 2, 4}, 0.5f, 100};
  convolution.filter = {kPerChannel, {4, 1, 1, 2}};
  convolution.filter.extraParams = hal::V1_2::SymmPerChannelQuantParams{{1, 0.5}, 3};
  convolution.bias = {kInt32, {4}, 0};
  convolution.output = {kQuant8, {1, 1, 2, 4}, 1.0f, 10};
  EXPECT_TRUE(IsRefused(ModelOf(convolution), "C5"));
}

TEST(GroupedConv2dTest, grouped_conv_2d_c6_rejects_an_unknown_padding_scheme) {
  ConvolutionModel convolution = TwoGroups();
  for (const int32_t scheme : {-1, 3}) {
    convolution.scalars[0] = scheme;
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C6"));
  }
}

TEST(GroupedConv2dTest, grouped_conv_2d_c7_rejects_strides_that_are_not_positive) {
  for (const size_t scalar : {1, 2}) {
    ConvolutionModel convolution = TwoGroups();
    convolution.scalars[scalar] = 0;
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C7"));
  }
}

TEST(GroupedConv2dTest, grouped_conv_2d_c8_rejects_paddings_of_the_size_of_the_filter) {
  for (size_t side = 0; side < 4; ++side) {
    for (const int32_t padding : {-1, 2}) {
      ConvolutionModel convolution = Windows();
      convolution.scalars[side] = padding;
      EXPECT_TRUE(IsRefused(ModelOf(convolution), "C8"));
    }
  }
}

TEST(GroupedConv2dTest, grouped_conv_2d_c9_rejects_a_filter_greater_than_the_image) {
  ConvolutionModel convolution = Windows();
  convolution.input.dimensions = {2, 1, 3, 2};
  convolution.output.dimensions = {0, 0, 0, 0};
  EXPECT_TRUE(IsRefused(ModelOf(convolution), "C9"));
}

TEST(GroupedConv2dTest, grouped_conv_2d_c10_rejects_an_unknown_activation) {
  for (const int32_t activation : {-1, 4}) {
    ConvolutionModel convolution = TwoGroups();
    convolution.scalars.back() = activation;
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C10"));
  }
}

TEST(GroupedConv2dTest, RefusesOtherTypesAndVersions) {
  EXPECT_THAT(SignatureErrorOf(ModelOf(TwoGroups()), HalVersion::V1_1),
              HasSubstr("GROUPED_CONV_2D was introduced in HAL 1.2; the model is held to HAL 1.1"));
  EXPECT_EQ(SignatureErrorOf(ModelOf(TwoGroups()), HalVersion::V1_2), "");
  ConvolutionModel convolution = TwoGroups();
  convolution.filter.type = kFloat16;
  EXPECT_THAT(SignatureErrorOf(ModelOf(convolution), HalVersion::V1_2),
              HasSubstr("GROUPED_CONV_2D input 1 'filter'"));
}

}  // namespace
}  // namespace nncert
