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
using ::testing::HasSubstr;

constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

const std::vector<double> kNine = {1, 2, 3, 4, 5, 6, 7, 8, 9};

// Executes a model whose one input has these dimensions in the request.
absl::StatusOr<std::vector<OutputValue>> RunWithDimensions(const ConvolutionModel& convolution,
                                                           NumberSystem system, Shape dimensions,
                                                           const std::vector<double>& values,
                                                           HalVersion version = HalVersion::V1_2) {
  const auto graph = PreparedGraph::Create(ModelOf(convolution), version);
  if (!graph.ok()) return graph.status();
  const std::vector<uint8_t> bytes = BytesOf(convolution.input.type, values);
  InputArgument argument;
  argument.dimensions = std::move(dimensions);
  argument.elements =
      absl::MakeConstSpan(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
  return (*graph)->Execute(system, {argument});
}

TEST(Conv2dTest, EmptyBatchesGiveEmptyBatches) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.input.dimensions = {0, 3, 3, 1};
  convolution.output.dimensions = {0, 2, 2, 1};
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    const auto outputs = RunWithDimensions(convolution, system, {0, 3, 3, 1}, {});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 2, 2, 1));
    EXPECT_TRUE((*outputs)[0].elements.empty());
  }
}

TEST(Conv2dTest, FindsDimensionsThatTheModelLeavesOpen) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.input.dimensions = {0, 0, 0, 1};
  for (const std::vector<uint32_t>& output :
       {std::vector<uint32_t>{0, 0, 0, 0}, std::vector<uint32_t>{}}) {
    convolution.output.dimensions = output;
    const auto outputs =
        RunWithDimensions(convolution, NumberSystem::kDouble, {1, 2, 3, 1}, {1, 2, 3, 4, 5, 6});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(1, 1, 2, 1));
    EXPECT_THAT((*outputs)[0].doubles(), ElementsAre(37, 47));
  }
}

TEST(Conv2dTest, RejectsAnOutputOfOtherDimensions) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.output.dimensions = {1, 3, 3, 1};
  EXPECT_THAT(ErrorOf(convolution), AllOf(HasSubstr("CONV_2D output 0"), HasSubstr("[1, 2, 2, 1]"),
                                          HasSubstr("[1, 3, 3, 1]")));
}

TEST(Conv2dTest, conv_2d_c1_rejects_images_without_pixels_or_channels) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.input.dimensions = {0, 0, 0, 0};
  convolution.output.dimensions = {0, 0, 0, 0};
  for (const Shape& dimensions : {Shape{1, 0, 3, 1}, Shape{1, 3, 0, 1}, Shape{1, 3, 3, 0}}) {
    const auto outputs = RunWithDimensions(convolution, NumberSystem::kFloat, dimensions, {});
    EXPECT_THAT(outputs.status().message(),
                AllOf(RefusedBy("CONV_2D", "C1"), HasSubstr("input 0 'input'")));
  }
}

TEST(Conv2dTest, conv_2d_c1_rejects_empty_batches_below_1_2) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.input.dimensions = {0, 3, 3, 1};
  convolution.output.dimensions = {0, 2, 2, 1};
  const auto outputs =
      RunWithDimensions(convolution, NumberSystem::kFloat, {0, 3, 3, 1}, {}, HalVersion::V1_1);
  EXPECT_THAT(outputs.status().message(), RefusedBy("CONV_2D", "C1"));
}

TEST(Conv2dTest, conv_2d_c2_rejects_empty_filters) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.filter.dimensions = {1, 0, 2, 1};
  convolution.weights = {};
  convolution.has_constant_weights = false;
  convolution.output.dimensions = {0, 0, 0, 0};
  const auto graph = PreparedGraph::Create(ModelOf(convolution));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> nine(9);
  const std::vector<float> one(1);
  const auto argument = [](Shape dimensions, const std::vector<float>& values) {
    InputArgument result;
    result.dimensions = std::move(dimensions);
    result.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(values.data()),
                                          values.size() * sizeof(float));
    return result;
  };
  const auto outputs = (*graph)->Execute(
      NumberSystem::kFloat,
      {argument({1, 3, 3, 1}, nine), argument({1, 0, 2, 1}, {}), argument({1}, one)});
  EXPECT_THAT(outputs.status().message(),
              AllOf(RefusedBy("CONV_2D", "C2"), HasSubstr("input 1 'filter'")));
}

TEST(Conv2dTest, conv_2d_c3_rejects_a_filter_of_another_depth) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.filter.dimensions = {1, 1, 2, 2};
  EXPECT_THAT(ErrorOf(convolution),
              AllOf(RefusedBy("CONV_2D", "C3"),
                    HasSubstr("input 1 'filter' (operand 1) of dimensions [1, 1, 2, 2]")));
}

TEST(Conv2dTest, conv_2d_c3_finds_the_depth_by_the_layout) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.input.dimensions = {1, 1, 3, 3};
  convolution.is_nchw = true;
  convolution.output.dimensions = {1, 1, 2, 2};
  EXPECT_EQ(ErrorOf(convolution), "");
  convolution.is_nchw = false;
  EXPECT_THAT(ErrorOf(convolution), HasSubstr("CONV_2D: constraint C3"));
}

TEST(Conv2dTest, conv_2d_c4_rejects_a_bias_of_another_size) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.bias.dimensions = {2};
  convolution.biases = {0, 0};
  EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("CONV_2D", "C4"),
                                          HasSubstr("input 2 'bias' (operand 2) of dimensions")));
}

TEST(Conv2dTest, conv_2d_c5_rejects_another_channel_dimension) {
  ConvolutionModel convolution = PerChannelConv2d();
  convolution.filter.extraParams = hal::V1_2::SymmPerChannelQuantParams{{0.5, 0.75}, 3};
  EXPECT_THAT(ErrorOf(convolution),
              AllOf(RefusedBy("CONV_2D", "C5"), HasSubstr("channelDim of a filter")));
}

TEST(Conv2dTest, conv_2d_c6_rejects_fine_output_scales_below_1_2) {
  ConvolutionModel convolution = QuantizedConv2d();
  convolution.output.scale = 0.125;
  EXPECT_EQ(ErrorOf(convolution, HalVersion::V1_2), "");
  for (const HalVersion version : {HalVersion::V1_0, HalVersion::V1_1}) {
    EXPECT_THAT(ErrorOf(convolution, version),
                AllOf(RefusedBy("CONV_2D", "C6"), HasSubstr("scale of a quantized output")));
    EXPECT_EQ(ErrorOf(QuantizedConv2d(), version), "");
  }
}

TEST(Conv2dTest, conv_2d_c7_rejects_unknown_padding_schemes) {
  for (const int32_t scheme : {-1, 3}) {
    ConvolutionModel convolution = TwoByTwoConv2d();
    convolution.scalars = {scheme, 1, 1, 0};
    EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("CONV_2D", "C7"),
                                            HasSubstr("input 3 'paddingScheme' (operand 3)")));
  }
}

TEST(Conv2dTest, conv_2d_c8_rejects_strides_below_one) {
  for (const std::vector<int32_t>& scalars :
       {std::vector<int32_t>{0, 0, 0, 0, 0, 1, 0}, std::vector<int32_t>{0, 0, 0, 0, 1, -1, 0}}) {
    ConvolutionModel convolution = TwoByTwoConv2d();
    convolution.scalars = scalars;
    EXPECT_THAT(ErrorOf(convolution),
                AllOf(RefusedBy("CONV_2D", "C8"), HasSubstr("input 7 'strideWidth' (operand 7)")));
  }
  ConvolutionModel implicit = TwoByTwoConv2d();
  implicit.scalars = {1, 0, 0, 0};
  EXPECT_THAT(ErrorOf(implicit), RefusedBy("CONV_2D", "C8"));
}

TEST(Conv2dTest, conv_2d_c9_rejects_dilations_below_one) {
  for (const std::vector<int32_t>& dilations :
       {std::vector<int32_t>{0, 1}, std::vector<int32_t>{1, -1}}) {
    ConvolutionModel convolution = TwoByTwoConv2d();
    convolution.is_nchw = false;
    convolution.dilations = dilations;
    EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("CONV_2D", "C9"),
                                            HasSubstr("input 11 'dilationWidth' (operand 11)")));
  }
}

TEST(Conv2dTest, conv_2d_c10_rejects_paddings_of_the_size_of_the_filter) {
  for (int side = 0; side < 4; ++side) {
    for (const int32_t padding : {-1, 2}) {
      ConvolutionModel convolution = TwoByTwoConv2d();
      convolution.scalars[side] = padding;
      EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("CONV_2D", "C10"),
                                              HasSubstr("input 3 'paddingLeft' (operand 3)")));
    }
  }
  // With dilation 2 the filter reaches over 3 pixels.
  ConvolutionModel dilated = TwoByTwoConv2d();
  dilated.scalars[0] = 2;
  dilated.is_nchw = false;
  dilated.dilations = {2, 1};
  dilated.output.dimensions = {1, 2, 3, 1};
  EXPECT_EQ(ErrorOf(dilated), "");
}

TEST(Conv2dTest, conv_2d_c11_rejects_filters_greater_than_the_padded_image) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.filter.dimensions = {1, 4, 1, 1};
  EXPECT_THAT(ErrorOf(convolution),
              AllOf(RefusedBy("CONV_2D", "C11"), HasSubstr("input 1 'filter' (operand 1)")));
  convolution.scalars = {0, 0, 1, 0, 1, 1, 0};
  convolution.output.dimensions = {1, 1, 3, 1};
  EXPECT_EQ(ErrorOf(convolution), "");
}

TEST(Conv2dTest, conv_2d_c12_rejects_unknown_activations) {
  for (const int32_t activation : {-1, 4}) {
    ConvolutionModel convolution = TwoByTwoConv2d();
    convolution.scalars.back() = activation;
    EXPECT_THAT(ErrorOf(convolution),
                AllOf(RefusedBy("CONV_2D", "C12"), HasSubstr("input 9 'activation' (operand 9)")));
  }
}

TEST(Conv2dTest, RejectsOneDilationWithoutTheOther) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.is_nchw = false;
  convolution.dilations = {1};
  EXPECT_THAT(ErrorOf(convolution), HasSubstr("CONV_2D: has 12 inputs, the last being "
                                              "'dilationWidth', which may only be given together"));
  convolution.scalars = {1, 1, 1, 0};
  EXPECT_THAT(ErrorOf(convolution), HasSubstr("CONV_2D: has 9 inputs"));
}

TEST(Conv2dTest, TakesLayoutAndHalvesAndPerChannelFiltersSince1_2) {
  ConvolutionModel with_layout = TwoByTwoConv2d();
  with_layout.is_nchw = false;
  ConvolutionModel halves = TwoByTwoConv2d();
  halves.input.type = halves.filter.type = halves.bias.type = halves.output.type = kFloat16;
  for (const ConvolutionModel& convolution : {with_layout, halves, PerChannelConv2d()}) {
    const hal::V1_2::Model model = ModelOf(convolution);
    EXPECT_EQ(SignatureErrorOf(model, HalVersion::V1_2), "");
    EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_1), HasSubstr("operation 0: CONV_2D"));
    EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_0), HasSubstr("operation 0: CONV_2D"));
  }
  EXPECT_EQ(ErrorOf(TwoByTwoConv2d(), HalVersion::V1_0), "");
}

TEST(Conv2dTest, RejectsABiasOfAnotherScaleOrType) {
  ConvolutionModel convolution = QuantizedConv2d();
  convolution.bias.scale = 0.25;
  EXPECT_THAT(ErrorOf(convolution),
              AllOf(HasSubstr("CONV_2D input 2 'bias' (operand 2)"), HasSubstr("scale 0.125")));
  convolution = PerChannelConv2d();
  convolution.bias.scale = 0.25;
  EXPECT_THAT(ErrorOf(convolution), HasSubstr("CONV_2D input 2 'bias'"));
  convolution = TwoByTwoConv2d();
  convolution.bias.type = kInt32;
  EXPECT_THAT(ErrorOf(convolution),
              HasSubstr("CONV_2D input 2 'bias' (operand 2) is TENSOR_INT32"));
}

TEST(Conv2dTest, HugeParametersAreRefusedOrServed) {
  constexpr int32_t kGreatest = std::numeric_limits<int32_t>::max();
  // Taps 2^31 - 1 apart: only those inside the image count.
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.scalars = {1, kGreatest, kGreatest, 0};
  convolution.is_nchw = false;
  convolution.dilations = {kGreatest, kGreatest};
  convolution.output.dimensions = {1, 1, 1, 1};
  // SAME pads 2^31 - 3 pixels, half of them before the image: every tap is outside.
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(0));
  // An output that no driver could hold.
  convolution.scalars = {kGreatest, kGreatest, kGreatest, kGreatest, 1, 1, 0};
  convolution.output.dimensions = {0, 0, 0, 0};
  EXPECT_THAT(
      RunWithDimensions(convolution, NumberSystem::kFloat, {1, 3, 3, 1}, kNine).status().message(),
      HasSubstr("elements"));
}

}  // namespace
}  // namespace nncert
