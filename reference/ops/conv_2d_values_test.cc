// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reference/testing/convolution_models.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using hal::V1_2::OperationType;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

const std::vector<double> kNine = {1, 2, 3, 4, 5, 6, 7, 8, 9};

TEST(Conv2dTest, SumsProductsUnderTheFilterAndAddsTheBias) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.biases = {10};
  // 1*1 + 2*2 + 4*3 + 5*4 = 37 and so on; neighbours differ by 1 + 2 + 3 + 4 = 10.
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(47, 57, 77, 87));
}

TEST(Conv2dTest, WeightsMayBeInputs) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.has_constant_weights = false;
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(37, 47, 67, 77));
}

TEST(Conv2dTest, SamePaddingKeepsTheSizeAndPadsAtTheEndFirst) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.scalars = {1, 1, 1, 0};
  convolution.output.dimensions = {1, 3, 3, 1};
  // The last column has 3*1 + 6*3 = 21 and 6*1 + 9*3 = 33, the last row 7*1 + 8*2 = 23, 26, 9.
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(37, 47, 21, 67, 77, 33, 23, 26, 9));
}

TEST(Conv2dTest, SamePaddingWithStrideDividesTheSizeRoundedUp) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.scalars = {1, 2, 2, 0};
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(37, 21, 23, 9));
}

TEST(Conv2dTest, ValidPaddingAndNonePadNothing) {
  for (const int32_t scheme : {0, 2}) {
    ConvolutionModel convolution = TwoByTwoConv2d();
    convolution.scalars = {scheme, 1, 1, 0};
    EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(37, 47, 67, 77));
  }
}

TEST(Conv2dTest, ExplicitPaddingsAreLeftRightTopBottom) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.input.dimensions = {1, 2, 2, 1};
  convolution.scalars = {1, 0, 0, 1, 1, 1, 0};
  // 0 1 2
  // 0 3 4
  // 0 0 0
  EXPECT_THAT(OutputOf(convolution, {1, 2, 3, 4}), ElementsAre(14, 30, 6, 11));
}

TEST(Conv2dTest, StridesAreWidthThenHeight) {
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.input.dimensions = {1, 3, 4, 1};
  convolution.filter.dimensions = {1, 1, 1, 1};
  convolution.weights = {1};
  convolution.scalars = {0, 0, 0, 0, 3, 2, 0};
  EXPECT_THAT(OutputOf(convolution, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
              ElementsAre(1, 4, 9, 12));
}

TEST(Conv2dTest, PositionsThatDoNotFitAreLeftOut) {
  // With stride 2 the 2 x 2 filter fits once into 3 x 3.
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.scalars = {0, 0, 0, 0, 2, 2, 0};
  convolution.output.dimensions = {1, 1, 1, 1};
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(37));
}

TEST(Conv2dTest, DilationsAreWidthThenHeight) {
  ConvolutionModel convolution = TwoByTwoConv2d();
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
  ConvolutionModel convolution = TwoByTwoConv2d();
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
  const ConvolutionModel convolution = {.operation = OperationType::CONV_2D,
                                        .input = {kFloat32, {2, 1, 2, 2}},
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
  ConvolutionModel convolution = {.operation = OperationType::CONV_2D,
                                  .input = {kFloat32, {2, 2, 1, 2}},
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
    const ConvolutionModel convolution = {.operation = OperationType::CONV_2D,
                                          .input = {kFloat32, {1, 2, 2, 1}},
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
  ConvolutionModel convolution = TwoByTwoConv2d();
  convolution.input.type = kFloat16;
  convolution.filter.type = kFloat16;
  convolution.bias.type = kFloat16;
  convolution.output.type = kFloat16;
  convolution.biases = {2048};
  // 2048 + 37 = 2085 is between the halves 2084 and 2086 and goes to the even one.
  EXPECT_THAT(OutputOf(convolution, kNine), ElementsAre(2084, 2096, 2116, 2124));
}

TEST(Conv2dTest, RelaxedModelsAreGrantedHalfPrecision) {
  ConvolutionModel convolution = TwoByTwoConv2d();
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

TEST(Conv2dTest, QuantizedOperandsStandForReals) {
  // 5 and -3: 5 + 1, 3, 2 * 5 - 3 - 2.
  EXPECT_THAT(OutputOf(QuantizedConv2d(), {138, 122}), ElementsAre(10 + 12, 10 + 6, 10 + 10));
}

TEST(Conv2dTest, QuantizedResultsSaturate) {
  // 63.5 and 0 give 64.5, 0, 125; -64 and 0 give -63, 0, -130; in steps of 0.5 above 10.
  EXPECT_THAT(OutputOf(QuantizedConv2d(), {255, 128}), ElementsAre(139, 10, 255));
  EXPECT_THAT(OutputOf(QuantizedConv2d(), {0, 128}), ElementsAre(0, 10, 0));
}

TEST(Conv2dTest, QuantizedActivationsClampReals) {
  ConvolutionModel convolution = QuantizedConv2d();
  convolution.scalars.back() = 3;
  EXPECT_THAT(OutputOf(convolution, {138, 122}), ElementsAre(10 + 12, 10 + 6, 10 + 10));
  EXPECT_THAT(OutputOf(convolution, {255, 134}), ElementsAre(10 + 12, 10, 10 + 12));
}

TEST(Conv2dTest, QuantizedPaddingIsRealZero) {
  // A 3 x 1 filter of ones over two pixels of 1, SAME: each sum sees one padded pixel.
  const ConvolutionModel convolution = {.operation = OperationType::CONV_2D,
                                        .input = {kQuant8, {1, 1, 2, 1}, 0.5, 128},
                                        .filter = {kQuant8, {1, 1, 3, 1}, 1, 7},
                                        .weights = {8, 8, 8},
                                        .bias = {kInt32, {1}, 0.5, 0},
                                        .biases = {0},
                                        .scalars = {1, 1, 1, 0},
                                        .output = {kQuant8, {1, 1, 2, 1}, 1, 3}};
  EXPECT_THAT(OutputOf(convolution, {130, 130}), ElementsAre(5, 5));
}

TEST(Conv2dTest, PerChannelFiltersScaleWeightsAndBiasByChannel) {
  // 5 and -1: (5 - 2 + 4 * 0.5) * scale = 2.5, 3.75, 5.
  EXPECT_THAT(OutputOf(PerChannelConv2d(), {138, 126}), ElementsAre(110, 115, 120));
}

TEST(Conv2dTest, PerChannelWeightsMayBeInputsAndNegative) {
  ConvolutionModel convolution = PerChannelConv2d();
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
  ConvolutionModel convolution = {.operation = OperationType::CONV_2D,
                                  .input = {kFloat32, {1, kSize, kSize, kDepthIn}},
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
  const std::vector<double> result = OutputOf(TwoByTwoConv2d(), {infinity, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_THAT(result, ElementsAre(infinity, 47, 67, 77));
}

}  // namespace
}  // namespace nncert
