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

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kPerChannel = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

// 2 x 2 pixels spread with stride 2 by a 2 x 2 filter of 1 10 100 1000.
ConvolutionModel Spread() {
  return {.operation = OperationType::TRANSPOSE_CONV_2D,
          .input = {kFloat32, {1, 2, 2, 1}},
          .filter = {kFloat32, {1, 2, 2, 1}},
          .weights = {1, 10, 100, 1000},
          .bias = {kFloat32, {1}},
          .biases = {0},
          .scalars = {0, 0, 0, 0, 2, 2, 0},
          .is_nchw = false,
          .output = {kFloat32, {1, 4, 4, 1}}};
}

const std::vector<double> kFour = {1, 2, 3, 4};

TEST(TransposeConv2dTest, EachPixelAddsItsMultipleOfTheFilter) {
  ConvolutionModel convolution = Spread();
  convolution.biases = {0.5};
  EXPECT_THAT(OutputOf(convolution, kFour),
              ElementsAre(1.5, 10.5, 2.5, 20.5, 100.5, 1000.5, 200.5, 2000.5,  //
                          3.5, 30.5, 4.5, 40.5, 300.5, 3000.5, 400.5, 4000.5));
}

TEST(TransposeConv2dTest, WhatOverlapsIsAddedUp) {
  ConvolutionModel convolution = Spread();
  convolution.scalars = {0, 0, 0, 0, 1, 1, 0};
  convolution.output.dimensions = {1, 3, 3, 1};
  // The middle is 1 * 1000 + 2 * 100 + 3 * 10 + 4.
  EXPECT_THAT(OutputOf(convolution, kFour),
              ElementsAre(1, 12, 20, 103, 1234, 2040, 300, 3400, 4000));
}

TEST(TransposeConv2dTest, PaddingsCutOffLeftRightTopBottom) {
  ConvolutionModel convolution = Spread();
  convolution.scalars = {1, 0, 0, 2, 2, 2, 0};
  convolution.output.dimensions = {1, 2, 3, 1};
  EXPECT_THAT(OutputOf(convolution, kFour), ElementsAre(10, 2, 20, 1000, 200, 2000));
  convolution.scalars = {0, 2, 1, 0, 2, 2, 0};
  convolution.output.dimensions = {1, 3, 2, 1};
  EXPECT_THAT(OutputOf(convolution, kFour), ElementsAre(100, 1000, 3, 30, 300, 3000));
}

TEST(TransposeConv2dTest, NegativePaddingsAddWhatOnlyTheBiasReaches) {
  ConvolutionModel convolution = Spread();
  convolution.biases = {7};
  convolution.input.dimensions = {1, 1, 1, 1};
  convolution.scalars = {0, -1, 0, -2, 2, 2, 0};
  convolution.output.dimensions = {1, 4, 3, 1};
  EXPECT_THAT(OutputOf(convolution, {1}), ElementsAre(8, 17, 7, 107, 1007, 7, 7, 7, 7, 7, 7, 7));
}

TEST(TransposeConv2dTest, StridesAreWidthThenHeightAndLeaveGapsBehindSmallFilters) {
  ConvolutionModel convolution = Spread();
  convolution.filter.dimensions = {1, 1, 1, 1};
  convolution.weights = {2};
  convolution.biases = {1};
  convolution.scalars = {0, 0, 0, 0, 3, 2, 0};
  convolution.output.dimensions = {1, 3, 4, 1};
  EXPECT_THAT(OutputOf(convolution, kFour), ElementsAre(3, 1, 1, 5, 1, 1, 1, 1, 7, 1, 1, 9));
}

TEST(TransposeConv2dTest, FiltersGreaterThanTheStrideOverlapInSomePlaces) {
  // Along one axis: a filter of 1 10 100 with stride 2 over 1 2 3, uncut:
  // 1 10 100+2 20 200+3 30 300.
  ConvolutionModel convolution = Spread();
  convolution.input.dimensions = {1, 1, 3, 1};
  convolution.filter.dimensions = {1, 1, 3, 1};
  convolution.weights = {1, 10, 100};
  convolution.scalars = {0, 0, 0, 0, 2, 1, 0};
  convolution.output.dimensions = {1, 1, 7, 1};
  EXPECT_THAT(OutputOf(convolution, {1, 2, 3}), ElementsAre(1, 10, 102, 20, 203, 30, 300));
  // Cutting off more than a stride at the left.
  convolution.scalars = {3, 1, 0, 0, 2, 1, 0};
  convolution.output.dimensions = {1, 1, 3, 1};
  EXPECT_THAT(OutputOf(convolution, {1, 2, 3}), ElementsAre(20, 203, 30));
}

// Two channels in, three out: filters of one pixel (1, 10), (2, 20), (3, 30).
ConvolutionModel Channels() {
  return {.operation = OperationType::TRANSPOSE_CONV_2D,
          .input = {kFloat32, {2, 1, 1, 2}},
          .filter = {kFloat32, {3, 1, 1, 2}},
          .weights = {1, 10, 2, 20, 3, 30},
          .bias = {kFloat32, {3}},
          .biases = {0, 0, 1000},
          .scalars = {0, -1, 0, 0, 2, 1, 0},
          .is_nchw = false,
          .output = {kFloat32, {2, 1, 2, 3}}};
}

TEST(TransposeConv2dTest, SumsOverInputChannelsForEachFilterAndBatch) {
  EXPECT_THAT(OutputOf(Channels(), {1, 2, 3, 4}),
              ElementsAre(21, 42, 1063, 0, 0, 1000, 43, 86, 1129, 0, 0, 1000));
}

TEST(TransposeConv2dTest, NchwHoldsOneChannelAfterAnother) {
  ConvolutionModel convolution = Channels();
  convolution.is_nchw = true;
  convolution.input.dimensions = {2, 2, 1, 1};
  convolution.output.dimensions = {2, 3, 1, 2};
  EXPECT_THAT(OutputOf(convolution, {1, 2, 3, 4}),
              ElementsAre(21, 0, 42, 0, 1063, 1000, 43, 0, 86, 0, 1129, 1000));
}

TEST(TransposeConv2dTest, AnOutputShapeWithSamePaddingCutsOffTheGreaterHalfAtTheEnd) {
  ConvolutionModel convolution = Spread();
  convolution.shape = {1, 2, 2, 1};
  convolution.scalars = {1, 1, 1, 0};
  convolution.output.dimensions = {1, 2, 2, 1};
  // Of the 3 x 3 that overlap, one row and one column, none at the left.
  EXPECT_THAT(OutputOf(convolution, kFour), ElementsAre(1, 12, 103, 1234));
  // Of 5 elements with a filter of 3, one at either side.
  convolution.input.dimensions = {1, 1, 3, 1};
  convolution.filter.dimensions = {1, 1, 3, 1};
  convolution.weights = {1, 10, 100};
  convolution.shape = {1, 1, 3, 1};
  convolution.output.dimensions = {1, 1, 3, 1};
  EXPECT_THAT(OutputOf(convolution, {1, 2, 3}), ElementsAre(12, 123, 230));
}

TEST(TransposeConv2dTest, TheOutputShapeChoosesAmongTheSizesThatTheStrideAllows) {
  ConvolutionModel convolution = Spread();
  convolution.input.dimensions = {1, 1, 2, 1};
  convolution.filter.dimensions = {1, 1, 2, 1};
  convolution.weights = {1, 10};
  convolution.scalars = {1, 1, 2, 0};
  convolution.scalars = {1, 2, 1, 0};
  for (const auto& [width, expected] : std::vector<std::pair<uint32_t, std::vector<double>>>{
           {3, {1, 10, 2}}, {4, {1, 10, 2, 20}}}) {
    convolution.shape = {1, 1, static_cast<int32_t>(width), 1};
    convolution.output.dimensions = {1, 1, width, 1};
    EXPECT_EQ(OutputOf(convolution, {1, 2}), expected);
  }
  // Under VALID, 4 and 5 give 2: the fifth is out of reach.
  convolution.scalars[0] = 2;
  convolution.shape = {1, 1, 5, 1};
  convolution.output.dimensions = {1, 1, 5, 1};
  EXPECT_THAT(OutputOf(convolution, {1, 2}), ElementsAre(1, 10, 2, 20, 0));
}

TEST(TransposeConv2dTest, SamePaddingOfAFilterBelowTheStrideCutsOffNothing) {
  ConvolutionModel convolution = Spread();
  convolution.filter.dimensions = {1, 1, 1, 1};
  convolution.weights = {2};
  convolution.shape = {1, 4, 4, 1};
  convolution.scalars = {1, 2, 2, 0};
  EXPECT_THAT(OutputOf(convolution, kFour),
              ElementsAre(2, 0, 4, 0, 0, 0, 0, 0, 6, 0, 8, 0, 0, 0, 0, 0));
}

TEST(TransposeConv2dTest, TheOutputShapeMayBeAnInputAndIsInTheLayoutOfTheOutput) {
  ConvolutionModel convolution = Channels();
  convolution.is_nchw = true;
  convolution.input.dimensions = {2, 2, 1, 1};
  convolution.shape = {2, 3, 1, 2};
  convolution.has_constant_shape = false;
  convolution.scalars = {2, 2, 1, 0};
  convolution.output.dimensions = {0, 0, 0, 0};
  const Evaluated result = Evaluate(convolution, {1, 2, 3, 4});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 3, 1, 2));
  EXPECT_THAT(result.from_double, ElementsAre(21, 0, 42, 0, 1063, 1000, 43, 0, 86, 0, 1129, 1000));
}

TEST(TransposeConv2dTest, AppliesTheActivation) {
  ConvolutionModel convolution = Spread();
  convolution.biases = {-3};
  convolution.scalars.back() = 3;
  EXPECT_THAT(OutputOf(convolution, kFour),
              ElementsAre(0, 6, 0, 6, 6, 6, 6, 6, 0, 6, 1, 6, 6, 6, 6, 6));
}

TEST(TransposeConv2dTest, TakesHalvesAndEnclosesWhatTheyLose) {
  ConvolutionModel convolution = Spread();
  convolution.scalars = {0, 0, 0, 0, 1, 1, 0};
  convolution.output.dimensions = {1, 3, 3, 1};
  EXPECT_LT(Evaluate(convolution, kFour).enclosure[4].radius, 1e-3);
  for (OperandSpec* spec :
       {&convolution.input, &convolution.filter, &convolution.bias, &convolution.output}) {
    spec->type = kFloat16;
  }
  const Evaluated result = Evaluate(convolution, kFour);
  EXPECT_THAT(result.from_float, ElementsAre(1, 12, 20, 103, 1234, 2040, 300, 3400, 4000));
  // Four products of the size of 1234 and the final rounding to 11 bits.
  EXPECT_GT(result.enclosure[4].radius, 4 * 1234 / 2048.0);
  EXPECT_LT(result.enclosure[4].radius, 10 * 1234 / 2048.0);
  // At the edge the other three are zero.
  EXPECT_LT(result.enclosure[0].radius, 10 / 2048.0);
}

TEST(TransposeConv2dTest, RelaxedComputationMayLoseAsMuchAsHalves) {
  ConvolutionModel convolution = Spread();
  convolution.is_relaxed = true;
  EXPECT_GT(Evaluate(convolution, kFour).enclosure[15].radius, 4000 / 2048.0);
}

TEST(TransposeConv2dTest, TakesQuantizedOperands) {
  ConvolutionModel convolution = Spread();
  convolution.input = {kQuant8, {1, 2, 2, 1}, 0.5f, 100};
  convolution.filter = {kQuant8, {1, 2, 2, 1}, 0.25f, 128};
  convolution.weights = {132, 136, 140, 112};  // 1, 2, 3, -4
  convolution.bias = {kInt32, {1}, 0.125f};
  convolution.biases = {16};  // 2
  convolution.output = {kQuant8, {1, 4, 4, 1}, 1.0f, 20};
  // Real inputs 1 2 3 4; what is outside is a real zero.
  EXPECT_THAT(OutputOf(convolution, {102, 104, 106, 108}),
              ElementsAre(23, 24, 24, 26, 25, 18, 28, 14, 25, 28, 26, 30, 31, 10, 34, 6));
}

TEST(TransposeConv2dTest, TakesAScaleForEachFilter) {
  ConvolutionModel convolution = Channels();
  convolution.input = {kQuant8, {2, 1, 1, 2}, 0.5f, 100};
  convolution.filter = {kPerChannel, {3, 1, 1, 2}};
  convolution.filter.extraParams = hal::V1_2::SymmPerChannelQuantParams{{1, 2, 0.5}, 0};
  convolution.weights = {1, 10, 1, 10, 6, 60};
  convolution.bias = {kInt32, {3}, 0};
  convolution.biases = {0, 0, 40};  // 40 * 0.5 * 0.5 = 10
  convolution.output = {kQuant8, {2, 1, 2, 3}, 1.0f, 5};
  EXPECT_THAT(OutputOf(convolution, {102, 104, 106, 108}),
              ElementsAre(26, 47, 78, 5, 5, 15, 48, 91, 144, 5, 5, 15));
}

TEST(TransposeConv2dTest, NoImagesGiveNoImages) {
  for (const bool has_shape : {false, true}) {
    ConvolutionModel convolution = Spread();
    convolution.input.dimensions = {0, 2, 2, 1};
    convolution.output.dimensions = {0, 4, 4, 1};
    if (has_shape) {
      convolution.shape = {0, 4, 4, 1};
      convolution.scalars = {2, 2, 2, 0};
    }
    const auto graph = PreparedGraph::Create(ModelOf(convolution));
    ASSERT_TRUE(graph.ok()) << graph.status();
    InputArgument argument;
    argument.dimensions = {0, 2, 2, 1};
    for (const NumberSystem system :
         {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
      const auto outputs = (*graph)->Execute(system, {argument});
      ASSERT_TRUE(outputs.ok()) << outputs.status();
      EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 4, 4, 1));
      EXPECT_THAT((*outputs)[0].elements, IsEmpty());
    }
  }
}

TEST(TransposeConv2dTest, RefusesAnOutputThatIsTooLarge) {
  ConvolutionModel convolution = Spread();
  constexpr int32_t kGreatest = std::numeric_limits<int32_t>::max();
  convolution.scalars = {0, 0, 0, 0, kGreatest, kGreatest, 0};
  convolution.output.dimensions = {0, 0, 0, 0};
  EXPECT_THAT(EvaluateInAllSystems(ModelOf(convolution), {kFour}).status().message(),
              HasSubstr("expected at most"));
  convolution.scalars = {0, -kGreatest, 0, -kGreatest, kGreatest, kGreatest, 0};
  EXPECT_THAT(EvaluateInAllSystems(ModelOf(convolution), {kFour}).status().message(),
              HasSubstr("expected at most"));
}

// The error of running it on an input and a filter of these dimensions, of ones.
std::string ErrorWith(const Shape& input, const Shape& filter) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input({kFloat32, {0, 0, 0, 0}}),
                                  builder.Input({kFloat32, {0, 0, 0, 0}}),
                                  builder.Constant({kFloat32, {1}}, {0})};
  for (const int32_t scalar : {0, 0, 0, 0, 2, 2, 0}) inputs.push_back(builder.Int32(scalar));
  inputs.push_back(builder.Bool(false));
  const uint32_t output = builder.Output({kFloat32, {0, 0, 0, 0}});
  builder.Operation(OperationType::TRANSPOSE_CONV_2D, inputs, {output});
  const auto graph = PreparedGraph::Create(builder.model());
  EXPECT_TRUE(graph.ok()) << graph.status();
  std::vector<std::vector<float>> ones;
  std::vector<InputArgument> arguments;
  for (const Shape& dimensions : {input, filter}) {
    ones.emplace_back(NumberOfElements(dimensions), 1.0f);
    InputArgument argument;
    argument.dimensions = dimensions;
    argument.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(ones.back().data()),
                                            ones.back().size() * sizeof(float));
    arguments.push_back(argument);
  }
  return std::string((*graph)->Execute(NumberSystem::kFloat, arguments).status().message());
}

TEST(TransposeConv2dTest, transpose_conv_2d_c1_rejects_images_without_pixels_or_channels) {
  EXPECT_EQ(ErrorWith({1, 2, 2, 1}, {1, 2, 2, 1}), "");
  for (const Shape& input : {Shape{1, 0, 2, 1}, Shape{1, 2, 0, 1}, Shape{1, 2, 2, 0}}) {
    EXPECT_THAT(ErrorWith(input, {1, 2, 2, 1}), RefusedBy("TRANSPOSE_CONV_2D", "C1"));
  }
}

TEST(TransposeConv2dTest, transpose_conv_2d_c2_rejects_a_filter_without_taps) {
  for (const Shape& filter : {Shape{1, 0, 2, 1}, Shape{1, 2, 0, 1}}) {
    EXPECT_THAT(ErrorWith({1, 2, 2, 1}, filter), RefusedBy("TRANSPOSE_CONV_2D", "C2"));
  }
}

TEST(TransposeConv2dTest, transpose_conv_2d_c3_rejects_another_depth_than_the_filter_has) {
  ConvolutionModel convolution = Spread();
  convolution.input.dimensions = {1, 2, 2, 2};
  EXPECT_TRUE(IsRefused(ModelOf(convolution), "C3"));
}

TEST(TransposeConv2dTest, transpose_conv_2d_c4_rejects_a_bias_of_another_size) {
  ConvolutionModel convolution = Spread();
  convolution.bias.dimensions = {2};
  convolution.biases = {0, 0};
  EXPECT_TRUE(IsRefused(ModelOf(convolution), "C4"));
}

TEST(TransposeConv2dTest, transpose_conv_2d_c5_rejects_scales_along_another_dimension) {
  ConvolutionModel convolution = Spread();
  convolution.input = {kQuant8, {1, 2, 2, 1}, 0.5f, 100};
  convolution.filter = {kPerChannel, {1, 2, 2, 1}};
  convolution.filter.extraParams = hal::V1_2::SymmPerChannelQuantParams{{1}, 3};
  convolution.weights = {1, 2, 3, 4};
  convolution.bias = {kInt32, {1}, 0};
  convolution.output = {kQuant8, {1, 4, 4, 1}, 1.0f, 20};
  EXPECT_TRUE(IsRefused(ModelOf(convolution), "C5"));
}

TEST(TransposeConv2dTest, transpose_conv_2d_c6_rejects_an_unknown_padding_scheme) {
  for (const int32_t scheme : {-1, 3}) {
    ConvolutionModel convolution = Spread();
    convolution.shape = {1, 4, 4, 1};
    convolution.scalars = {scheme, 2, 2, 0};
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C6"));
  }
}

TEST(TransposeConv2dTest, transpose_conv_2d_c7_rejects_strides_that_are_not_positive) {
  for (const size_t scalar : {4, 5}) {
    ConvolutionModel convolution = Spread();
    convolution.scalars[scalar] = 0;
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C7"));
  }
  for (const size_t scalar : {1, 2}) {
    ConvolutionModel convolution = Spread();
    convolution.shape = {1, 4, 4, 1};
    convolution.scalars = {2, 2, 2, 0};
    convolution.scalars[scalar] = -1;
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C7"));
  }
}

TEST(TransposeConv2dTest, transpose_conv_2d_c8_rejects_negative_paddings_at_the_left_and_the_top) {
  for (const size_t side : {0, 2}) {
    ConvolutionModel convolution = Spread();
    convolution.scalars[side] = -1;
    convolution.output.dimensions = {0, 0, 0, 0};
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C8"));
  }
}

TEST(TransposeConv2dTest, transpose_conv_2d_c9_rejects_paddings_that_leave_nothing) {
  for (size_t side = 0; side < 4; ++side) {
    ConvolutionModel convolution = Spread();
    convolution.scalars[side] = 4;
    convolution.output.dimensions = {0, 0, 0, 0};
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C9"));
  }
}

TEST(TransposeConv2dTest, transpose_conv_2d_c10_rejects_an_output_shape_that_is_none) {
  for (const std::vector<int32_t>& shape :
       std::vector<std::vector<int32_t>>{{1, 4, 4}, {1, 4, 4, 1, 1}, {1, -4, 4, 1}}) {
    ConvolutionModel convolution = Spread();
    convolution.shape = shape;
    convolution.scalars = {2, 2, 2, 0};
    convolution.output.dimensions = {0, 0, 0, 0};
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C10"));
  }
}

TEST(TransposeConv2dTest, transpose_conv_2d_c11_rejects_an_output_shape_that_does_not_fit) {
  ConvolutionModel convolution = Spread();
  convolution.scalars = {1, 2, 2, 0};
  convolution.output.dimensions = {0, 0, 0, 0};
  for (const std::vector<int32_t>& shape : std::vector<std::vector<int32_t>>{
           {2, 4, 4, 1}, {1, 2, 4, 1}, {1, 4, 5, 1}, {1, 4, 4, 2}, {1, 0, 4, 1}}) {
    convolution.shape = shape;
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C11"));
  }
  // Under VALID, 4 and 5 fit, 3 and 6 do not.
  convolution.scalars[0] = 2;
  for (const int32_t width : {3, 6}) {
    convolution.shape = {1, 4, width, 1};
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C11"));
  }
  // The values may come with the request.
  convolution.has_constant_shape = false;
  EXPECT_TRUE(IsRefused(ModelOf(convolution), "C11", {kFour, {1, 4, 6, 1}}));
}

TEST(TransposeConv2dTest, transpose_conv_2d_c12_rejects_an_unknown_activation) {
  for (const int32_t activation : {-1, 4}) {
    ConvolutionModel convolution = Spread();
    convolution.scalars.back() = activation;
    EXPECT_TRUE(IsRefused(ModelOf(convolution), "C12"));
  }
}

TEST(TransposeConv2dTest, RefusesOtherTypesAndVersions) {
  EXPECT_THAT(
      SignatureErrorOf(ModelOf(Spread()), HalVersion::V1_1),
      HasSubstr("TRANSPOSE_CONV_2D was introduced in HAL 1.2; the model is held to HAL 1.1"));
  EXPECT_EQ(SignatureErrorOf(ModelOf(Spread()), HalVersion::V1_2), "");
  ConvolutionModel convolution = Spread();
  convolution.bias.type = kFloat16;
  EXPECT_THAT(SignatureErrorOf(ModelOf(convolution), HalVersion::V1_2),
              HasSubstr("TRANSPOSE_CONV_2D input 2 'bias'"));
}

}  // namespace
}  // namespace nncert
