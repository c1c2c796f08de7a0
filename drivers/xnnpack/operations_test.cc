// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/xnnpack/operations.h"

#include <set>
#include <string>
#include <vector>

#include "drivers/xnnpack/analysis.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "hal/to_string.h"
#include "reference/model_builder.h"

namespace nncert::xnnpack {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// Why the driver does not run the first operation of a model; empty when it does.
std::string Refusal(const ModelBuilder& builder) {
  return std::string(Analyze(builder.model()).recipes.at(0).status().message());
}

// CONV_2D of a [1, 4, 4, 2] image with a [3, 2, 2, 2] filter.
struct ConvolutionModel {
  OperandSpec image = {kFloat32, {1, 4, 4, 2}};
  OperandSpec filter = {kFloat32, {3, 2, 2, 2}};
  OperandSpec bias = {kFloat32, {3}};
  OperandSpec output = {kFloat32, {}};
  int scheme = 2;
  int stride = 1;
  int activation = 0;
  bool is_nchw = false;

  ModelBuilder Build() const {
    ModelBuilder builder;
    const uint32_t input = builder.Input(image);
    const uint32_t weights = builder.Constant(filter, std::vector<double>(24, 1));
    const uint32_t offsets = builder.Constant(bias, {0, 0, 0});
    builder.Operation(OperationType::CONV_2D,
                      {input, weights, offsets, builder.Int32(scheme), builder.Int32(stride),
                       builder.Int32(stride), builder.Int32(activation), builder.Bool(is_nchw)},
                      {builder.Output(output)});
    return builder;
  }

  // Quantized, with these scales of input, filter and output.
  static ConvolutionModel Quantized(float input, float filter, float output) {
    ConvolutionModel model;
    model.image = {kQuant8, {1, 4, 4, 2}, input, 128};
    model.filter = {kQuant8, {3, 2, 2, 2}, filter, 128};
    model.bias = {OperandType::TENSOR_INT32, {3}, input * filter};
    model.output = {kQuant8, {}, output, 128};
    return model;
  }
};

TEST(OperationsTest, AnOperationHasOneEntry) {
  std::set<OperationType> seen;
  for (const OperationEntry& entry : SupportedOperations()) {
    EXPECT_TRUE(seen.insert(entry.type).second) << hal::toString(entry.type);
    EXPECT_THAT(entry.types, Not(IsEmpty())) << hal::toString(entry.type);
    EXPECT_LE(entry.min_inputs, entry.max_inputs) << hal::toString(entry.type);
    EXPECT_EQ(FindOperation(entry.type), &entry);
  }
  EXPECT_EQ(FindOperation(OperationType::LSTM), nullptr);
}

TEST(OperationsTest, ShapesAreFollowedThroughTheModel) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({kFloat32, {1, 4, 4, 2}});
  const uint32_t between = builder.Temporary({kFloat32});
  const uint32_t output = builder.Output({kFloat32});
  builder.Operation(OperationType::ABS, {input}, {between});
  // A window of two by two, without padding, at every pixel.
  builder.Operation(OperationType::MAX_POOL_2D,
                    {between, builder.Int32(2), builder.Int32(1), builder.Int32(1),
                     builder.Int32(2), builder.Int32(2), builder.Int32(0)},
                    {output});
  const Analysis analysis = Analyze(builder.model());
  EXPECT_TRUE(analysis.recipes[0].ok()) << analysis.recipes[0].status();
  EXPECT_TRUE(analysis.recipes[1].ok()) << analysis.recipes[1].status();
  EXPECT_THAT(analysis.shapes[between], ElementsAre(1, 4, 4, 2));
  EXPECT_THAT(analysis.shapes[output], ElementsAre(1, 3, 3, 2));
  EXPECT_EQ(analysis.SizesOf(builder.model())[output], 72u);
}

TEST(OperationsTest, AShapeBehindAnUnsupportedOperationIsWhatTheModelSays) {
  for (const std::vector<uint32_t>& dimensions :
       {std::vector<uint32_t>{2, 3}, std::vector<uint32_t>{}}) {
    ModelBuilder builder;
    const uint32_t input = builder.Input({kFloat32, {2, 3}});
    const uint32_t between = builder.Temporary({kFloat32, dimensions});
    builder.Operation(OperationType::SIN, {input}, {between});
    builder.Operation(OperationType::ABS, {between}, {builder.Output({kFloat32})});
    const Analysis analysis = Analyze(builder.model());
    EXPECT_THAT(
        analysis.recipes[0].status(),
        hal::testing::StatusIs(absl::StatusCode::kUnimplemented, "XNNPACK has no such operation"));
    EXPECT_EQ(analysis.recipes[1].ok(), !dimensions.empty()) << analysis.recipes[1].status();
  }
}

TEST(OperationsTest, RefusesInputsOfUnknownShape) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({kFloat32, {0, 3}});
  builder.Operation(OperationType::ABS, {input}, {builder.Output({kFloat32, {2, 3}})});
  EXPECT_THAT(Refusal(builder), HasSubstr("unknown"));
}

TEST(OperationsTest, RefusesTensorsWithoutBound) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({kFloat32, {1u << 20, 1u << 20, 1u << 20, 1u << 20}});
  builder.Operation(OperationType::ABS, {input}, {builder.Output({kFloat32})});
  EXPECT_THAT(Refusal(builder), HasSubstr("too many"));
}

TEST(OperationsTest, RefusesOutputsOfAnotherShape) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({kFloat32, {2, 3}});
  builder.Operation(OperationType::ABS, {input}, {builder.Output({kFloat32, {3, 0}})});
  EXPECT_THAT(Refusal(builder), HasSubstr("not what the model says"));
}

TEST(OperationsTest, RefusesHalfPrecision) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT16, {2}};
  const uint32_t input = builder.Input(spec);
  builder.Operation(OperationType::ABS, {input}, {builder.Output(spec)});
  EXPECT_THAT(Refusal(builder), HasSubstr("TENSOR_FLOAT16"));
}

TEST(OperationsTest, ConvolutionsOfImagesAsNhwc) {
  ConvolutionModel model;
  EXPECT_EQ(Refusal(model.Build()), "");
  model.is_nchw = true;
  EXPECT_THAT(Refusal(model.Build()), HasSubstr("NCHW"));
}

TEST(OperationsTest, ConvolutionsWithSensibleAttributes) {
  ConvolutionModel model;
  model.stride = 0;
  EXPECT_THAT(Refusal(model.Build()), HasSubstr("below 1"));
  model.stride = 1;
  model.scheme = 3;
  EXPECT_THAT(Refusal(model.Build()), HasSubstr("scheme"));
  model.scheme = 1;
  model.activation = 4;
  EXPECT_THAT(Refusal(model.Build()), HasSubstr("activation 4"));
  model.activation = 3;
  EXPECT_EQ(Refusal(model.Build()), "");
  model.filter.dimensions = {3, 2, 4, 1};
  EXPECT_THAT(Refusal(model.Build()), HasSubstr("do not fit"));
  model.filter.dimensions = {2, 3, 2, 2};
  EXPECT_THAT(Refusal(model.Build()), HasSubstr("the bias"));
}

TEST(OperationsTest, ConvolutionsWithRatiosOfScalesThatXnnpackTakes) {
  // 2^-32 and just below 256 are the ends.
  EXPECT_EQ(Refusal(ConvolutionModel::Quantized(0x1p-16f, 0x1p-16f, 1).Build()), "");
  EXPECT_THAT(Refusal(ConvolutionModel::Quantized(0x1p-17f, 0x1p-16f, 1).Build()),
              HasSubstr("ratio"));
  EXPECT_EQ(Refusal(ConvolutionModel::Quantized(255.5f, 1, 1).Build()), "");
  EXPECT_THAT(Refusal(ConvolutionModel::Quantized(256, 1, 1).Build()), HasSubstr("ratio"));
  EXPECT_THAT(Refusal(ConvolutionModel::Quantized(1e-40f, 1, 1e-40f).Build()), HasSubstr("ratio"));
}

TEST(OperationsTest, ActivationsThatLeaveOneStepAreRefused) {
  ConvolutionModel model = ConvolutionModel::Quantized(0.5f, 0.5f, 100);
  model.activation = 2;  // RELU1: -1 to 1 are both nearest to the zero point
  EXPECT_THAT(Refusal(model.Build()), HasSubstr("single step"));
  model.output.scale = 1;
  EXPECT_EQ(Refusal(model.Build()), "");
}

// AVERAGE_POOL_2D with padding 1 around, and windows of `window` pixels.
ModelBuilder AverageModel(const OperandSpec& image, int padding, int window, int stride) {
  ModelBuilder builder;
  const uint32_t input = builder.Input(image);
  OperandSpec output = image;
  output.dimensions = {};
  std::vector<uint32_t> operands = {input};
  for (int i = 0; i < 4; ++i) operands.push_back(builder.Int32(padding));
  for (const int value : {stride, stride, window, window, 0}) {
    operands.push_back(builder.Int32(value));
  }
  builder.Operation(OperationType::AVERAGE_POOL_2D, operands, {builder.Output(output)});
  return builder;
}

TEST(OperationsTest, AveragesOfQuantizedElementsWithoutPadding) {
  const OperandSpec quantized = {kQuant8, {1, 4, 4, 2}, 0.5f, 3};
  const OperandSpec real = {kFloat32, {1, 4, 4, 2}};
  EXPECT_EQ(Refusal(AverageModel(quantized, 0, 2, 1)), "");
  EXPECT_THAT(Refusal(AverageModel(quantized, 1, 2, 1)), HasSubstr("padding"));
  EXPECT_EQ(Refusal(AverageModel(real, 1, 2, 1)), "");
  EXPECT_THAT(Refusal(AverageModel(real, 2, 2, 1)), HasSubstr("padding"));
}

TEST(OperationsTest, WindowsOfOnePixelWithStrideOne) {
  const OperandSpec image = {kFloat32, {1, 4, 4, 2}};
  EXPECT_EQ(Refusal(AverageModel(image, 0, 1, 1)), "");
  EXPECT_THAT(Refusal(AverageModel(image, 0, 1, 2)), HasSubstr("one pixel"));
}

// TRANSPOSE_CONV_2D of a [1, `size`, `size`, 1] image with a filter of 3 by 3, and explicit
// paddings.
ModelBuilder TransposeModel(uint32_t size, int before, int after, int stride) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({kFloat32, {1, size, size, 1}});
  const uint32_t filter = builder.Constant({kFloat32, {1, 3, 3, 1}}, std::vector<double>(9, 1));
  const uint32_t bias = builder.Constant({kFloat32, {1}}, {0});
  std::vector<uint32_t> operands = {input, filter, bias};
  for (const int value : {before, after, before, after, stride, stride, 0}) {
    operands.push_back(builder.Int32(value));
  }
  operands.push_back(builder.Bool(false));
  builder.Operation(OperationType::TRANSPOSE_CONV_2D, operands, {builder.Output({kFloat32})});
  return builder;
}

TEST(OperationsTest, TransposedConvolutionsThatXnnpackCanSplit) {
  EXPECT_EQ(Refusal(TransposeModel(2, 0, 0, 2)), "");
  // (1 - 1) * 3 + 3 - 2 is a single row, behind which the third of three parts would begin.
  EXPECT_THAT(Refusal(TransposeModel(1, 1, 1, 3)), HasSubstr("shorter than the stride"));
  EXPECT_EQ(Refusal(TransposeModel(1, 1, 0, 3)), "");
  // A filter shorter than the stride is not split.
  EXPECT_EQ(Refusal(TransposeModel(1, 0, 0, 4)), "");
  // One row more, two rows more.
  EXPECT_EQ(Refusal(TransposeModel(2, 0, -1, 2)), "");
  EXPECT_THAT(Refusal(TransposeModel(2, 0, -2, 2)), HasSubstr("added"));
}

TEST(OperationsTest, MeansOverAxesThatFollowOneAnother) {
  for (const bool is_contiguous : {true, false}) {
    ModelBuilder builder;
    const uint32_t input = builder.Input({kFloat32, {2, 3, 4, 5}});
    const uint32_t axes = builder.Int32Vector({is_contiguous ? -3 : 0, 2});
    builder.Operation(OperationType::MEAN, {input, axes, builder.Int32(0)},
                      {builder.Output({kFloat32})});
    EXPECT_EQ(Refusal(builder), is_contiguous ? "" : "the axes do not follow one another");
  }
}

TEST(OperationsTest, SoftmaxAlongTheLastAxis) {
  for (const int axis : {-1, 1}) {
    ModelBuilder builder;
    const uint32_t input = builder.Input({kFloat32, {2, 3, 4}});
    builder.Operation(OperationType::SOFTMAX, {input, builder.Float32(1), builder.Int32(axis)},
                      {builder.Output({kFloat32})});
    EXPECT_EQ(Refusal(builder), axis == -1 ? "" : "the axis is not the last");
  }
}

TEST(OperationsTest, ShapesThatComeWithTheRequestAreRefused) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({kFloat32, {2, 3}});
  const uint32_t shape = builder.Input({OperandType::TENSOR_INT32, {1}});
  builder.Operation(OperationType::RESHAPE, {input, shape}, {builder.Output({kFloat32, {6}})});
  EXPECT_THAT(Refusal(builder), HasSubstr("not a constant"));
}

TEST(OperationsTest, ConcatenationsWithoutRescaling) {
  for (const float scale : {0.5f, 0.25f}) {
    ModelBuilder builder;
    const uint32_t a = builder.Input({kQuant8, {2}, 0.5f, 0});
    const uint32_t b = builder.Input({kQuant8, {2}, scale, 0});
    builder.Operation(OperationType::CONCATENATION, {a, b, builder.Int32(0)},
                      {builder.Output({kQuant8, {4}, 0.5f, 0})});
    EXPECT_EQ(Refusal(builder).empty(), scale == 0.5f) << Refusal(builder);
  }
}

}  // namespace
}  // namespace nncert::xnnpack
