// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "reference/executor.h"
#include "reference/model_validation.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/model_builder.h"
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

// One CONV_2D. `scalars` are the INT32 inputs from the fourth on: {left, right, top, bottom, stride
// width, stride height, activation} or {scheme, stride width, stride height, activation}.
struct Convolution {
  OperandSpec input;
  OperandSpec filter;
  std::vector<double> weights;
  OperandSpec bias;
  std::vector<double> biases;
  std::vector<int32_t> scalars;
  std::optional<bool> is_nchw = std::nullopt;
  std::vector<int32_t> dilations = {};
  OperandSpec output;
  bool has_constant_weights = true;
  bool is_relaxed = false;
};

hal::V1_2::Model ModelOf(const Convolution& convolution) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input(convolution.input)};
  if (convolution.has_constant_weights) {
    inputs.push_back(builder.Constant(convolution.filter, convolution.weights));
    inputs.push_back(builder.Constant(convolution.bias, convolution.biases));
  } else {
    inputs.push_back(builder.Input(convolution.filter));
    inputs.push_back(builder.Input(convolution.bias));
  }
  for (const int32_t scalar : convolution.scalars) inputs.push_back(builder.Int32(scalar));
  if (convolution.is_nchw) inputs.push_back(builder.Bool(*convolution.is_nchw));
  for (const int32_t dilation : convolution.dilations) inputs.push_back(builder.Int32(dilation));
  const uint32_t output = builder.Output(convolution.output);
  builder.Operation(OperationType::CONV_2D, inputs, {output}).Relaxed(convolution.is_relaxed);
  return builder.model();
}

// The one output, in double; the other number systems are held against it.
std::vector<double> OutputOf(const Convolution& convolution, const std::vector<double>& input) {
  std::vector<std::vector<double>> inputs = {input};
  if (!convolution.has_constant_weights) {
    inputs.push_back(convolution.weights);
    inputs.push_back(convolution.biases);
  }
  const auto results = EvaluateInAllSystems(ModelOf(convolution), inputs);
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  EXPECT_TRUE((*results)[0].undecided.ok());
  return (*results)[0].from_double;
}

std::string ErrorOf(const Convolution& convolution, HalVersion version = HalVersion::V1_2) {
  return std::string(PreparedGraph::Create(ModelOf(convolution), version).status().message());
}

const std::vector<double> kNine = {1, 2, 3, 4, 5, 6, 7, 8, 9};

// A 2 x 2 filter of 1 2 3 4 over 3 x 3 pixels of one channel, without padding.
Convolution TwoByTwo() {
  return {.input = {kFloat32, {1, 3, 3, 1}},
          .filter = {kFloat32, {1, 2, 2, 1}},
          .weights = {1, 2, 3, 4},
          .bias = {kFloat32, {1}},
          .biases = {0},
          .scalars = {0, 0, 0, 0, 1, 1, 0},
          .output = {kFloat32, {1, 2, 2, 1}}};
}

TEST(Conv2dTest, SumsProductsUnderTheFilterAndAddsTheBias) {
  Convolution convolution = TwoByTwo();
  convolution.biases = {10};
  // 1*1 + 2*2 + 4*3 + 5*4 = 37 and so on; neighbours differ by 1 + 2 + 3 + 4 = 10.
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(47, 57, 77, 87));
}

TEST(Conv2dTest, WeightsMayBeInputs) {
  Convolution convolution = TwoByTwo();
  convolution.has_constant_weights = false;
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(37, 47, 67, 77));
}

TEST(Conv2dTest, SamePaddingKeepsTheSizeAndPadsAtTheEndFirst) {
  Convolution convolution = TwoByTwo();
  convolution.scalars = {1, 1, 1, 0};
  convolution.output.dimensions = {1, 3, 3, 1};
  // The last column has 3*1 + 6*3 = 21 and 6*1 + 9*3 = 33, the last row 7*1 + 8*2 = 23, 26, 9.
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(37, 47, 21, 67, 77, 33, 23, 26, 9));
}

TEST(Conv2dTest, SamePaddingWithStrideDividesTheSizeRoundedUp) {
  Convolution convolution = TwoByTwo();
  convolution.scalars = {1, 2, 2, 0};
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(37, 21, 23, 9));
}

TEST(Conv2dTest, ValidPaddingAndNonePadNothing) {
  for (const int32_t scheme : {0, 2}) {
    Convolution convolution = TwoByTwo();
    convolution.scalars = {scheme, 1, 1, 0};
    EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(37, 47, 67, 77));
  }
}

TEST(Conv2dTest, ExplicitPaddingsAreLeftRightTopBottom) {
  Convolution convolution = TwoByTwo();
  convolution.input.dimensions = {1, 2, 2, 1};
  convolution.scalars = {1, 0, 0, 1, 1, 1, 0};
  // 0 1 2
  // 0 3 4
  // 0 0 0
  EXPECT_THAT(OutputOf(convolution, {1, 2, 3, 4}), ElementsAre(14, 30, 6, 11));
}

TEST(Conv2dTest, StridesAreWidthThenHeight) {
  Convolution convolution = TwoByTwo();
  convolution.input.dimensions = {1, 3, 4, 1};
  convolution.filter.dimensions = {1, 1, 1, 1};
  convolution.weights = {1};
  convolution.scalars = {0, 0, 0, 0, 3, 2, 0};
  EXPECT_THAT(OutputOf(convolution, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
              ElementsAre(1, 4, 9, 12));
}

TEST(Conv2dTest, PositionsThatDoNotFitAreLeftOut) {
  // With stride 2 the 2 x 2 filter fits once into 3 x 3.
  Convolution convolution = TwoByTwo();
  convolution.scalars = {0, 0, 0, 0, 2, 2, 0};
  convolution.output.dimensions = {1, 1, 1, 1};
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(37));
}

TEST(Conv2dTest, DilationsAreWidthThenHeight) {
  Convolution convolution = TwoByTwo();
  convolution.is_nchw = false;
  convolution.dilations = {2, 1};
  convolution.output.dimensions = {1, 2, 1, 1};
  // 1*1 + 3*2 + 4*3 + 6*4 = 43, and 30 more a row below.
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(43, 73));
  convolution.dilations = {1, 2};
  convolution.output.dimensions = {1, 1, 2, 1};
  // 1*1 + 2*2 + 7*3 + 8*4 = 58.
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(58, 68));
}

TEST(Conv2dTest, SamePaddingCountsTheDilation) {
  Convolution convolution = TwoByTwo();
  convolution.scalars = {1, 1, 1, 0};
  convolution.is_nchw = false;
  convolution.dilations = {2, 2};
  convolution.output.dimensions = {1, 3, 3, 1};
  // The filter's elements are at -1 and +1 of each pixel.
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(5 * 4, 4 * 3 + 6 * 4, 5 * 3,       //
                                                        2 * 2 + 8 * 4, 64, 2 * 1 + 8 * 3,  //
                                                        5 * 2, 4 * 1 + 6 * 2, 5 * 1));
}

TEST(Conv2dTest, OnePixelFiltersMixChannels) {
  const Convolution convolution = {.input = {kFloat32, {2, 1, 2, 2}},
                                   .filter = {kFloat32, {3, 1, 1, 2}},
                                   .weights = {1, 0, 0, 1, 1, -1},
                                   .bias = {kFloat32, {3}},
                                   .biases = {0.5, 0, 10},
                                   .scalars = {0, 0, 0, 0, 1, 1, 0},
                                   .output = {kFloat32, {2, 1, 2, 3}}};
  EXPECT_THAT(OutputOf(convolution, {1, 2, 3, 5, 4, 4, 0, 9}),
              ElementsAre(1.5, 2, 9, 3.5, 5, 8, 4.5, 4, 10, 0.5, 9, 1));
}

TEST(Conv2dTest, NchwHasChannelsBeforePixels) {
  Convolution convolution = {.input = {kFloat32, {2, 2, 1, 2}},
                             .filter = {kFloat32, {3, 1, 1, 2}},
                             .weights = {1, 0, 0, 1, 1, -1},
                             .bias = {kFloat32, {3}},
                             .biases = {0.5, 0, 10},
                             .scalars = {0, 0, 0, 0, 1, 1, 0},
                             .is_nchw = true,
                             .output = {kFloat32, {2, 3, 1, 2}}};
  const std::vector<double> input = {1, 3, 2, 5, 4, 0, 4, 9};
  const std::vector<double> expected = {1.5, 3.5, 2, 5, 9, 8, 4.5, 0.5, 4, 9, 10, 1};
  EXPECT_THAT(OutputOf(convolution, input), ElementsAreArray(expected));
  convolution.scalars = {2, 1, 1, 0};
  EXPECT_THAT(OutputOf(convolution, input), ElementsAreArray(expected));
}

TEST(Conv2dTest, AppliesTheActivation) {
  const std::vector<double> input = {-5, 0.5, 3, 10};
  const std::vector<std::vector<double>> expected = {
      {-5, 0.5, 3, 10}, {0, 0.5, 3, 10}, {-1, 0.5, 1, 1}, {0, 0.5, 3, 6}};
  for (int32_t activation = 0; activation < 4; ++activation) {
    const Convolution convolution = {.input = {kFloat32, {1, 2, 2, 1}},
                                     .filter = {kFloat32, {1, 1, 1, 1}},
                                     .weights = {1},
                                     .bias = {kFloat32, {1}},
                                     .biases = {0},
                                     .scalars = {2, 1, 1, activation},
                                     .output = {kFloat32, {1, 2, 2, 1}}};
    EXPECT_THAT(OutputOf(convolution, input), ElementsAreArray(expected[activation]));
  }
}

TEST(Conv2dTest, HalvesAreRoundedToHalves) {
  Convolution convolution = TwoByTwo();
  convolution.input.type = kFloat16;
  convolution.filter.type = kFloat16;
  convolution.bias.type = kFloat16;
  convolution.output.type = kFloat16;
  convolution.biases = {2048};
  // 2048 + 37 = 2085 is between the halves 2084 and 2086 and goes to the even one.
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(2084, 2096, 2116, 2124));
}

TEST(Conv2dTest, RelaxedModelsAreGrantedHalfPrecision) {
  Convolution convolution = TwoByTwo();
  const auto strict = EvaluateInAllSystems(ModelOf(convolution), {kNine});
  convolution.is_relaxed = true;
  const auto relaxed = EvaluateInAllSystems(ModelOf(convolution), {kNine});
  ASSERT_TRUE(strict.ok() && relaxed.ok());
  const double radius = (*strict)[0].enclosure[0].radius;
  EXPECT_GT(radius, 0);
  EXPECT_LT(radius, 37 * 8 * 0x1p-24);
  // 2^13 times the unit roundoff.
  EXPECT_GT((*relaxed)[0].enclosure[0].radius, 4000 * radius);
}

// One quantized pixel of two channels, and three filters.
Convolution Quantized() {
  return {.input = {kQuant8, {1, 1, 1, 2}, 0.5, 128},
          .filter = {kQuant8, {3, 1, 1, 2}, 0.25, 100},
          .weights = {104, 100, 100, 96, 108, 104},  // 1 0, 0 -1, 2 1
          .bias = {kInt32, {3}, 0.125, 0},
          .biases = {8, 0, -16},  // 1, 0, -2
          .scalars = {0, 0, 0, 0, 1, 1, 0},
          .output = {kQuant8, {1, 1, 1, 3}, 0.5, 10}};
}

TEST(Conv2dTest, QuantizedOperandsStandForReals) {
  // 5 and -3: 5 + 1, 3, 2 * 5 - 3 - 2.
  EXPECT_THAT(OutputOf(Quantized(), {138, 122}), ElementsAre(10 + 12, 10 + 6, 10 + 10));
}

TEST(Conv2dTest, QuantizedResultsSaturate) {
  // 63.5 and 0 give 64.5, 0, 125; -64 and 0 give -63, 0, -130; in steps of 0.5 above 10.
  EXPECT_THAT(OutputOf(Quantized(), {255, 128}), ElementsAre(139, 10, 255));
  EXPECT_THAT(OutputOf(Quantized(), {0, 128}), ElementsAre(0, 10, 0));
}

TEST(Conv2dTest, QuantizedActivationsClampReals) {
  Convolution convolution = Quantized();
  convolution.scalars.back() = 3;
  EXPECT_THAT(OutputOf(convolution, {138, 122}), ElementsAre(10 + 12, 10 + 6, 10 + 10));
  EXPECT_THAT(OutputOf(convolution, {255, 134}), ElementsAre(10 + 12, 10, 10 + 12));
}

TEST(Conv2dTest, QuantizedPaddingIsRealZero) {
  // A 3 x 1 filter of ones over two pixels of 1, SAME: each sum sees one padded pixel.
  const Convolution convolution = {.input = {kQuant8, {1, 1, 2, 1}, 0.5, 128},
                                   .filter = {kQuant8, {1, 1, 3, 1}, 1, 7},
                                   .weights = {8, 8, 8},
                                   .bias = {kInt32, {1}, 0.5, 0},
                                   .biases = {0},
                                   .scalars = {1, 1, 1, 0},
                                   .output = {kQuant8, {1, 1, 2, 1}, 1, 3}};
  EXPECT_THAT(OutputOf(convolution, {130, 130}), ElementsAre(5, 5));
}

// Three filters of 1 2 with a scale each, and biases of 4.
Convolution PerChannel() {
  return {.input = {kQuant8, {1, 1, 1, 2}, 0.5, 128},
          .filter = {kPerChannel,
                     {3, 1, 1, 2},
                     0,
                     0,
                     hal::V1_2::SymmPerChannelQuantParams{{0.5, 0.75, 1}, 0}},
          .weights = {1, 2, 1, 2, 1, 2},
          .bias = {kInt32, {3}, 0, 0},
          .biases = {4, 4, 4},
          .scalars = {0, 0, 0, 0, 1, 1, 0},
          .output = {kQuant8, {1, 1, 1, 3}, 0.25, 100}};
}

TEST(Conv2dTest, PerChannelFiltersScaleWeightsAndBiasByChannel) {
  // 5 and -1: (5 - 2 + 4 * 0.5) * scale = 2.5, 3.75, 5.
  EXPECT_THAT(OutputOf(PerChannel(), {138, 126}), ElementsAre(110, 115, 120));
}

TEST(Conv2dTest, PerChannelWeightsMayBeInputsAndNegative) {
  Convolution convolution = PerChannel();
  convolution.has_constant_weights = false;
  convolution.weights = {1, -2, -127, 0, 0, 127};
  // 5 * 1 + 1 * 2 + 2 = 9 at 0.5; -635 + 2 at 0.75; -127 + 2 at 1, which saturates.
  EXPECT_THAT(OutputOf(convolution, {138, 126}), ElementsAre(118, 0, 0));
}

// What a plain walk over the definition gives, to hold the fast ways against.
std::vector<double> Expected(const std::vector<double>& input, const std::vector<double>& weights,
                             int size, int depth_in, int depth_out, int filter) {
  std::vector<double> output;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      for (int c = 0; c < depth_out; ++c) {
        double sum = c;
        for (int i = 0; i < filter; ++i) {
          for (int j = 0; j < filter; ++j) {
            const int row = y + i - filter / 2;
            const int column = x + j - filter / 2;
            if (row < 0 || column < 0 || row >= size || column >= size) continue;
            for (int k = 0; k < depth_in; ++k) {
              sum += input[(row * size + column) * depth_in + k] *
                     weights[((c * filter + i) * filter + j) * depth_in + k];
            }
          }
        }
        output.push_back(sum);
      }
    }
  }
  return output;
}

TEST(Conv2dTest, LargeImagesAreComputedPieceByPiece) {
  // 1600 rows of 144 numbers are more than are laid out at a time.
  constexpr int kSize = 40;
  constexpr int kDepthIn = 16;
  constexpr int kDepthOut = 5;
  std::vector<double> input(kSize * kSize * kDepthIn);
  for (size_t i = 0; i < input.size(); ++i) input[i] = static_cast<double>(i * 7 % 11) - 5;
  std::vector<double> weights(kDepthOut * 9 * kDepthIn);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i * 5 % 13) - 6;
  Convolution convolution = {.input = {kFloat32, {1, kSize, kSize, kDepthIn}},
                             .filter = {kFloat32, {kDepthOut, 3, 3, kDepthIn}},
                             .weights = weights,
                             .bias = {kFloat32, {kDepthOut}},
                             .biases = {0, 1, 2, 3, 4},
                             .scalars = {1, 1, 1, 0},
                             .output = {kFloat32, {1, kSize, kSize, kDepthOut}}};
  const std::vector<double> expected = Expected(input, weights, kSize, kDepthIn, kDepthOut, 3);
  EXPECT_THAT(OutputOf(convolution, input), ElementsAreArray(expected));

  const auto to_nchw = [](const std::vector<double>& nhwc, int depth) {
    std::vector<double> nchw(nhwc.size());
    for (int pixel = 0; pixel < kSize * kSize; ++pixel) {
      for (int k = 0; k < depth; ++k) nchw[k * kSize * kSize + pixel] = nhwc[pixel * depth + k];
    }
    return nchw;
  };
  convolution.input.dimensions = {1, kDepthIn, kSize, kSize};
  convolution.output.dimensions = {1, kDepthOut, kSize, kSize};
  convolution.is_nchw = true;
  EXPECT_THAT(OutputOf(convolution, to_nchw(input, kDepthIn)),
              ElementsAreArray(to_nchw(expected, kDepthOut)));
}

TEST(Conv2dTest, InfinitiesReachOnlyTheirWindows) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> result = OutputOf(TwoByTwo(), {infinity, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_THAT(result, ElementsAre(infinity, 47, 67, 77));
}

// Executes a model whose one input has these dimensions in the request.
absl::StatusOr<std::vector<OutputValue>> RunWithDimensions(const Convolution& convolution,
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
  Convolution convolution = TwoByTwo();
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
  Convolution convolution = TwoByTwo();
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
  Convolution convolution = TwoByTwo();
  convolution.output.dimensions = {1, 3, 3, 1};
  EXPECT_THAT(ErrorOf(convolution), AllOf(HasSubstr("CONV_2D output 0"), HasSubstr("[1, 2, 2, 1]"),
                                          HasSubstr("[1, 3, 3, 1]")));
}

TEST(Conv2dTest, conv_2d_c1_rejects_images_without_pixels_or_channels) {
  Convolution convolution = TwoByTwo();
  convolution.input.dimensions = {0, 0, 0, 0};
  convolution.output.dimensions = {0, 0, 0, 0};
  for (const Shape& dimensions : {Shape{1, 0, 3, 1}, Shape{1, 3, 0, 1}, Shape{1, 3, 3, 0}}) {
    const auto outputs = RunWithDimensions(convolution, NumberSystem::kFloat, dimensions, {});
    EXPECT_THAT(outputs.status().message(),
                AllOf(RefusedBy("CONV_2D", "C1"), HasSubstr("input 0 'input'")));
  }
}

TEST(Conv2dTest, conv_2d_c1_rejects_empty_batches_below_1_2) {
  Convolution convolution = TwoByTwo();
  convolution.input.dimensions = {0, 3, 3, 1};
  convolution.output.dimensions = {0, 2, 2, 1};
  const auto outputs =
      RunWithDimensions(convolution, NumberSystem::kFloat, {0, 3, 3, 1}, {}, HalVersion::V1_1);
  EXPECT_THAT(outputs.status().message(), RefusedBy("CONV_2D", "C1"));
}

TEST(Conv2dTest, conv_2d_c2_rejects_empty_filters) {
  Convolution convolution = TwoByTwo();
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
  Convolution convolution = TwoByTwo();
  convolution.filter.dimensions = {1, 1, 2, 2};
  EXPECT_THAT(ErrorOf(convolution),
              AllOf(RefusedBy("CONV_2D", "C3"),
                    HasSubstr("input 1 'filter' (operand 1) of dimensions [1, 1, 2, 2]")));
}

TEST(Conv2dTest, conv_2d_c3_finds_the_depth_by_the_layout) {
  Convolution convolution = TwoByTwo();
  convolution.input.dimensions = {1, 1, 3, 3};
  convolution.is_nchw = true;
  convolution.output.dimensions = {1, 1, 2, 2};
  EXPECT_EQ(ErrorOf(convolution), "");
  convolution.is_nchw = false;
  EXPECT_THAT(ErrorOf(convolution), HasSubstr("CONV_2D: constraint C3"));
}

TEST(Conv2dTest, conv_2d_c4_rejects_a_bias_of_another_size) {
  Convolution convolution = TwoByTwo();
  convolution.bias.dimensions = {2};
  convolution.biases = {0, 0};
  EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("CONV_2D", "C4"),
                                          HasSubstr("input 2 'bias' (operand 2) of dimensions")));
}

TEST(Conv2dTest, conv_2d_c5_rejects_another_channel_dimension) {
  Convolution convolution = PerChannel();
  convolution.filter.extraParams = hal::V1_2::SymmPerChannelQuantParams{{0.5, 0.75}, 3};
  EXPECT_THAT(ErrorOf(convolution),
              AllOf(RefusedBy("CONV_2D", "C5"), HasSubstr("channelDim of a filter")));
}

TEST(Conv2dTest, conv_2d_c6_rejects_fine_output_scales_below_1_2) {
  Convolution convolution = Quantized();
  convolution.output.scale = 0.125;
  EXPECT_EQ(ErrorOf(convolution, HalVersion::V1_2), "");
  for (const HalVersion version : {HalVersion::V1_0, HalVersion::V1_1}) {
    EXPECT_THAT(ErrorOf(convolution, version),
                AllOf(RefusedBy("CONV_2D", "C6"), HasSubstr("scale of a quantized output")));
    EXPECT_EQ(ErrorOf(Quantized(), version), "");
  }
}

TEST(Conv2dTest, conv_2d_c7_rejects_unknown_padding_schemes) {
  for (const int32_t scheme : {-1, 3}) {
    Convolution convolution = TwoByTwo();
    convolution.scalars = {scheme, 1, 1, 0};
    EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("CONV_2D", "C7"),
                                            HasSubstr("input 3 'paddingScheme' (operand 3)")));
  }
}

TEST(Conv2dTest, conv_2d_c8_rejects_strides_below_one) {
  for (const std::vector<int32_t>& scalars :
       {std::vector<int32_t>{0, 0, 0, 0, 0, 1, 0}, std::vector<int32_t>{0, 0, 0, 0, 1, -1, 0}}) {
    Convolution convolution = TwoByTwo();
    convolution.scalars = scalars;
    EXPECT_THAT(ErrorOf(convolution),
                AllOf(RefusedBy("CONV_2D", "C8"), HasSubstr("input 7 'strideWidth' (operand 7)")));
  }
  Convolution implicit = TwoByTwo();
  implicit.scalars = {1, 0, 0, 0};
  EXPECT_THAT(ErrorOf(implicit), RefusedBy("CONV_2D", "C8"));
}

TEST(Conv2dTest, conv_2d_c9_rejects_dilations_below_one) {
  for (const std::vector<int32_t>& dilations :
       {std::vector<int32_t>{0, 1}, std::vector<int32_t>{1, -1}}) {
    Convolution convolution = TwoByTwo();
    convolution.is_nchw = false;
    convolution.dilations = dilations;
    EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("CONV_2D", "C9"),
                                            HasSubstr("input 11 'dilationWidth' (operand 11)")));
  }
}

TEST(Conv2dTest, conv_2d_c10_rejects_paddings_of_the_size_of_the_filter) {
  for (int side = 0; side < 4; ++side) {
    for (const int32_t padding : {-1, 2}) {
      Convolution convolution = TwoByTwo();
      convolution.scalars[side] = padding;
      EXPECT_THAT(ErrorOf(convolution), AllOf(RefusedBy("CONV_2D", "C10"),
                                              HasSubstr("input 3 'paddingLeft' (operand 3)")));
    }
  }
  // With dilation 2 the filter reaches over 3 pixels.
  Convolution dilated = TwoByTwo();
  dilated.scalars[0] = 2;
  dilated.is_nchw = false;
  dilated.dilations = {2, 1};
  dilated.output.dimensions = {1, 2, 3, 1};
  EXPECT_EQ(ErrorOf(dilated), "");
}

TEST(Conv2dTest, conv_2d_c11_rejects_filters_greater_than_the_padded_image) {
  Convolution convolution = TwoByTwo();
  convolution.filter.dimensions = {1, 4, 1, 1};
  EXPECT_THAT(ErrorOf(convolution),
              AllOf(RefusedBy("CONV_2D", "C11"), HasSubstr("input 1 'filter' (operand 1)")));
  convolution.scalars = {0, 0, 1, 0, 1, 1, 0};
  convolution.output.dimensions = {1, 1, 3, 1};
  EXPECT_EQ(ErrorOf(convolution), "");
}

TEST(Conv2dTest, conv_2d_c12_rejects_unknown_activations) {
  for (const int32_t activation : {-1, 4}) {
    Convolution convolution = TwoByTwo();
    convolution.scalars.back() = activation;
    EXPECT_THAT(ErrorOf(convolution),
                AllOf(RefusedBy("CONV_2D", "C12"), HasSubstr("input 9 'activation' (operand 9)")));
  }
}

TEST(Conv2dTest, RejectsOneDilationWithoutTheOther) {
  Convolution convolution = TwoByTwo();
  convolution.is_nchw = false;
  convolution.dilations = {1};
  EXPECT_THAT(ErrorOf(convolution), HasSubstr("CONV_2D: has 12 inputs, the last being "
                                              "'dilationWidth', which may only be given together"));
  convolution.scalars = {1, 1, 1, 0};
  EXPECT_THAT(ErrorOf(convolution), HasSubstr("CONV_2D: has 9 inputs"));
}

TEST(Conv2dTest, TakesLayoutAndHalvesAndPerChannelFiltersSince1_2) {
  Convolution with_layout = TwoByTwo();
  with_layout.is_nchw = false;
  Convolution halves = TwoByTwo();
  halves.input.type = halves.filter.type = halves.bias.type = halves.output.type = kFloat16;
  for (const Convolution& convolution : {with_layout, halves, PerChannel()}) {
    const hal::V1_2::Model model = ModelOf(convolution);
    EXPECT_EQ(SignatureErrorOf(model, HalVersion::V1_2), "");
    EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_1), HasSubstr("operation 0: CONV_2D"));
    EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_0), HasSubstr("operation 0: CONV_2D"));
  }
  EXPECT_EQ(ErrorOf(TwoByTwo(), HalVersion::V1_0), "");
}

TEST(Conv2dTest, RejectsABiasOfAnotherScaleOrType) {
  Convolution convolution = Quantized();
  convolution.bias.scale = 0.25;
  EXPECT_THAT(ErrorOf(convolution),
              AllOf(HasSubstr("CONV_2D input 2 'bias' (operand 2)"), HasSubstr("scale 0.125")));
  convolution = PerChannel();
  convolution.bias.scale = 0.25;
  EXPECT_THAT(ErrorOf(convolution), HasSubstr("CONV_2D input 2 'bias'"));
  convolution = TwoByTwo();
  convolution.bias.type = kInt32;
  EXPECT_THAT(ErrorOf(convolution),
              HasSubstr("CONV_2D input 2 'bias' (operand 2) is TENSOR_INT32"));
}

TEST(Conv2dTest, HugeParametersAreRefusedOrServed) {
  constexpr int32_t kGreatest = std::numeric_limits<int32_t>::max();
  // Taps 2^31 - 1 apart: only those inside the image count.
  Convolution convolution = TwoByTwo();
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
