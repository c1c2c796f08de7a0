// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "hal/to_string.h"
#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/number/testing/honest_machine.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperationType kBilinear = OperationType::RESIZE_BILINEAR;
constexpr OperationType kNearest = OperationType::RESIZE_NEAREST_NEIGHBOR;
constexpr OperationType kResizings[] = {kBilinear, kNearest};

// A length in pixels, or a factor.
using Length = std::variant<int32_t, double>;

struct Resizing {
  OperationType type;
  OperandSpec input;
  Length width;
  Length height;
  std::optional<bool> is_nchw = false;
  std::vector<uint32_t> output = {0, 0, 0, 0};
  bool is_relaxed = false;
};

hal::V1_2::Model ModelOf(const Resizing& resizing) {
  ModelBuilder builder;
  const OperandSpec real = {resizing.input.type == kFloat16 ? OperandType::FLOAT16
                                                            : OperandType::FLOAT32};
  const auto scalar = [&](const Length& length) {
    if (std::holds_alternative<int32_t>(length)) return builder.Int32(std::get<int32_t>(length));
    return builder.Constant(real, {std::get<double>(length)});
  };
  std::vector<uint32_t> inputs = {builder.Input(resizing.input)};
  inputs.push_back(scalar(resizing.width));
  inputs.push_back(scalar(resizing.height));
  if (resizing.is_nchw.has_value()) inputs.push_back(builder.Bool(*resizing.is_nchw));
  OperandSpec output = resizing.input;
  output.dimensions = resizing.output;
  builder.Operation(resizing.type, inputs, {builder.Output(output)}).Relaxed(resizing.is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const Resizing& resizing, const std::vector<double>& values) {
  const auto results = EvaluateInAllSystems(ModelOf(resizing), {values});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated{};
}

std::string ErrorOf(const Resizing& resizing, HalVersion version = HalVersion::V1_2) {
  return std::string(PreparedGraph::Create(ModelOf(resizing), version).status().message());
}

// 2 x 2 pixels of one channel.
const OperandSpec kFour = {kFloat32, {1, 2, 2, 1}};

TEST(ResizeBilinearTest, InterpolatesAlongBothAxes) {
  // Positions 0, 0.5, 1 and behind the last pixel.
  const Evaluated result = Evaluate({kBilinear, kFour, 4, 4}, {1, 3, 5, 11});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 4, 4, 1));
  EXPECT_THAT(result.from_double, ElementsAre(1, 2, 3, 3,    //
                                              3, 5, 7, 7,    //
                                              5, 8, 11, 11,  //
                                              5, 8, 11, 11));
}

TEST(ResizeBilinearTest, PositionsAreProductsOfTheRatioOfLengths) {
  // Positions 0, 2/3 and 4/3 down; 0, 2/3 across.
  const Evaluated result = Evaluate({kBilinear, {kFloat32, {1, 2, 2, 1}}, 3, 3}, {0, 3, 6, 9});
  EXPECT_THAT(result.from_double,
              Pointwise(DoubleNear(1e-12), {0.0, 2.0, 3.0, 4.0, 6.0, 7.0, 6.0, 8.0, 9.0}));
}

TEST(ResizeBilinearTest, Shrinks) {
  // Positions 0 and 1.5 of 3.
  const Evaluated result =
      Evaluate({kBilinear, {kFloat32, {1, 3, 3, 1}}, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_THAT(result.from_double, ElementsAre(1, 2.5, 5.5, 7));
}

TEST(ResizeBilinearTest, TheSameSizeIsTheSameImage) {
  for (const bool is_relaxed : {false, true}) {
    Resizing resizing = {kBilinear, kFour, 2, 2};
    resizing.is_relaxed = is_relaxed;
    const Evaluated result = Evaluate(resizing, {1, 3, 5, 11});
    EXPECT_THAT(result.from_double, ElementsAre(1, 3, 5, 11));
    for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  }
}

TEST(ResizeNearestNeighborTest, TakesThePixelAtOrBefore) {
  // Positions 0, 0.4, 0.8, 1.2 and 1.6 across; 0, 2/3 and 4/3 down.
  const Evaluated result = Evaluate({kNearest, kFour, 5, 3}, {1, 2, 3, 4});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 3, 5, 1));
  EXPECT_THAT(result.from_double, ElementsAre(1, 1, 1, 2, 2, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(ResizeNearestNeighborTest, Shrinks) {
  const Evaluated result =
      Evaluate({kNearest, {kFloat32, {1, 3, 3, 1}}, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_THAT(result.from_double, ElementsAre(1, 2, 4, 5));
}

TEST(ResizeNearestNeighborTest, APositionThatRoundingMayMoveOverAPixelIsEitherPixel) {
  // 3 * (3 / 9) is 1 or less.
  const Evaluated result = Evaluate({kNearest, {kFloat32, {1, 1, 3, 1}}, 9, 1}, {1, 5, 6});
  EXPECT_THAT(result.from_double, ElementsAre(1, 1, 1, 5, 5, 5, 6, 6, 6));
  EXPECT_TRUE(result.enclosure[3].Contains(1) && result.enclosure[3].Contains(5));
  EXPECT_FALSE(result.enclosure[3].Contains(6));
  EXPECT_TRUE(result.enclosure[2].IsExact() && result.enclosure[4].IsExact());
}

TEST(ResizeTest, WidthComesBeforeHeight) {
  for (const OperationType type : kResizings) {
    EXPECT_THAT(Evaluate({type, kFour, 1, 3}, {1, 2, 3, 4}).dimensions, ElementsAre(1, 3, 1, 1));
    EXPECT_THAT(Evaluate({type, kFour, 0.5, 2.0}, {1, 2, 3, 4}).dimensions,
                ElementsAre(1, 4, 1, 1));
  }
}

TEST(ResizeTest, ScaledLengthsAreRoundedDown) {
  for (const OperationType type : kResizings) {
    // 2 * 1.7 is 3.4, 2 * 0.9 is 1.8.
    EXPECT_THAT(Evaluate({type, kFour, 1.7, 0.9}, {1, 2, 3, 4}).dimensions,
                ElementsAre(1, 1, 3, 1));
    // 10 * 0.7 is 7 in binary32, though 0.7 is a little less in it.
    EXPECT_THAT(
        Evaluate({type, {kFloat32, {1, 1, 10, 1}}, 0.7, 1.0}, std::vector<double>(10)).dimensions,
        ElementsAre(1, 1, 7, 1));
    EXPECT_THAT(Evaluate({type, {kFloat16, {1, 2, 2, 1}}, 1.5, 2.5}, {1, 2, 3, 4}).dimensions,
                ElementsAre(1, 5, 3, 1));
    EXPECT_THAT(Evaluate({type, {kQuant8, {1, 2, 2, 1}, 1}, 1.5, 2.5}, {1, 2, 3, 4}).dimensions,
                ElementsAre(1, 5, 3, 1));
  }
}

TEST(ResizeTest, AScaledImageHasThePositionsOfItsLength) {
  for (const OperationType type : kResizings) {
    const std::vector<double> values = {0, 4, 8, 16};
    EXPECT_THAT(Evaluate({type, kFour, 1.7, 1.6}, values).from_double,
                ElementsAreArray(Evaluate({type, kFour, 3, 3}, values).from_double));
  }
}

TEST(ResizeTest, ChannelsAndImagesStayApart) {
  // Two images of 1 x 2 pixels with two channels, made 4 wide.
  const std::vector<double> nhwc = {0, 10, 2, 30, 4, -8, 8, 0};
  const std::vector<double> nchw = {0, 2, 10, 30, 4, 8, -8, 0};
  EXPECT_THAT(Evaluate({kBilinear, {kFloat32, {2, 1, 2, 2}}, 4, 1}, nhwc).from_double,
              ElementsAre(0, 10, 1, 20, 2, 30, 2, 30, 4, -8, 6, -4, 8, 0, 8, 0));
  EXPECT_THAT(Evaluate({kBilinear, {kFloat32, {2, 2, 1, 2}}, 4, 1, true}, nchw).from_double,
              ElementsAre(0, 1, 2, 2, 10, 20, 30, 30, 4, 6, 8, 8, -8, -4, 0, 0));
  EXPECT_THAT(Evaluate({kNearest, {kFloat32, {2, 1, 2, 2}}, 4, 1}, nhwc).from_double,
              ElementsAre(0, 10, 0, 10, 2, 30, 2, 30, 4, -8, 4, -8, 8, 0, 8, 0));
  EXPECT_THAT(Evaluate({kNearest, {kFloat32, {2, 2, 1, 2}}, 4, 1, true}, nchw).from_double,
              ElementsAre(0, 0, 2, 2, 10, 10, 30, 30, 4, 4, 8, 8, -8, -8, 0, 0));
}

TEST(ResizeTest, OfHalves) {
  // 1/3 to 11 bits is 1365 / 4096, 2/3 is 1365 / 2048.
  const OperandSpec halves = {kFloat16, {1, 1, 2, 1}};
  EXPECT_THAT(Evaluate({kBilinear, halves, 6, 1}, {0, 1}).from_double,
              ElementsAre(0, 1365.0 / 4096, 1365.0 / 2048, 1, 1, 1));
  EXPECT_THAT(Evaluate({kNearest, halves, 6, 1}, {0, 1.0009765625}).from_double,
              ElementsAre(0, 0, 0, 1.0009765625, 1.0009765625, 1.0009765625));
}

TEST(ResizeTest, QuantizedElements) {
  const OperandSpec steps = {kQuant8, {1, 1, 2, 1}, 0.3f, 77};
  const Evaluated nearest = Evaluate({kNearest, steps, 4, 1}, {0, 255});
  EXPECT_THAT(nearest.from_double, ElementsAre(0, 0, 255, 255));
  for (const Ball& ball : nearest.enclosure) EXPECT_TRUE(ball.IsExact());
  // 10, 10 1/3, 10 2/3, 11; rounded to nearest, twice or once, or down.
  const Evaluated bilinear = Evaluate({kBilinear, steps, 6, 1}, {10, 11});
  EXPECT_THAT(bilinear.from_double, ElementsAre(10, 10, 11, 11, 11, 11));
  EXPECT_TRUE(bilinear.enclosure[0].IsExact());
  EXPECT_TRUE(bilinear.enclosure[1].Contains(10) && bilinear.enclosure[1].Contains(11));
  EXPECT_FALSE(bilinear.enclosure[1].Contains(9) || bilinear.enclosure[1].Contains(12));
  EXPECT_TRUE(bilinear.enclosure[2].Contains(10) && bilinear.enclosure[2].Contains(11));
  EXPECT_FALSE(bilinear.enclosure[2].Contains(9) || bilinear.enclosure[2].Contains(12));
}

TEST(ResizeBilinearTest, EnclosuresAreTight) {
  Resizing resizing = {kBilinear, kFour, 3, 3};
  const Evaluated result = Evaluate(resizing, {10, 13, 16, 19});
  for (const Ball& ball : result.enclosure) EXPECT_LT(ball.radius, 19 * 12 * 0x1p-24);
  EXPECT_GT(result.enclosure[1].radius, 10 * 0x1p-24);
  resizing.is_relaxed = true;
  const Evaluated relaxed = Evaluate(resizing, {10, 13, 16, 19});
  for (const Ball& ball : relaxed.enclosure) EXPECT_LT(ball.radius, 19 * 12 * 0x1p-11);
}

TEST(ResizeBilinearTest, EnclosuresHoldWhatHonestMachinesGive) {
  TestRandom random(23);
  for (const bool is_half : {false, true}) {
    const HonestMachine machine(is_half, false);
    for (int repetition = 0; repetition < 60; ++repetition) {
      const size_t height = 1 + random.Bits() % 6;
      const size_t width = 1 + random.Bits() % 6;
      const size_t new_height = 1 + random.Bits() % 9;
      const size_t new_width = 1 + random.Bits() % 9;
      std::vector<double> pixels(height * width);
      for (double& pixel : pixels) pixel = machine.Round(random.Uniform(-9, 9));
      const Evaluated result =
          Evaluate({kBilinear,
                    {is_half ? kFloat16 : kFloat32,
                     {1, static_cast<uint32_t>(height), static_cast<uint32_t>(width), 1}},
                    static_cast<int32_t>(new_width),
                    static_cast<int32_t>(new_height)},
                   pixels);
      const auto position = [&](size_t index, size_t input, size_t output) {
        return machine.Multiply(
            static_cast<double>(index),
            machine.Divide(static_cast<double>(input), static_cast<double>(output)));
      };
      for (size_t y = 0; y < new_height; ++y) {
        const double down = position(y, height, new_height);
        const size_t top = std::min(static_cast<size_t>(down), height - 1);
        const size_t bottom = std::min(top + 1, height - 1);
        const double fy = machine.Subtract(down, static_cast<double>(top));
        for (size_t x = 0; x < new_width; ++x) {
          const double across = position(x, width, new_width);
          const size_t left = std::min(static_cast<size_t>(across), width - 1);
          const size_t right = std::min(left + 1, width - 1);
          const double fx = machine.Subtract(across, static_cast<double>(left));
          const double corners[] = {pixels[top * width + left], pixels[top * width + right],
                                    pixels[bottom * width + left], pixels[bottom * width + right]};
          const double weights[] = {
              machine.Multiply(machine.Subtract(1, fy), machine.Subtract(1, fx)),
              machine.Multiply(machine.Subtract(1, fy), fx),
              machine.Multiply(fy, machine.Subtract(1, fx)), machine.Multiply(fy, fx)};
          const double by_weights =
              machine.DotProduct({std::begin(corners), std::end(corners)},
                                 {std::begin(weights), std::end(weights)}, SumOrder::kForward);
          const auto between = [&](double from, double to, double fraction) {
            return machine.Add(from, machine.Multiply(machine.Subtract(to, from), fraction));
          };
          const double by_edges =
              between(between(corners[0], corners[1], fx), between(corners[2], corners[3], fx), fy);
          const Ball& ball = result.enclosure[y * new_width + x];
          EXPECT_TRUE(ball.Contains(by_weights) && ball.Contains(by_edges))
              << machine.name() << ": " << by_weights << " or " << by_edges << " is not in "
              << ball.midpoint << " +/- " << ball.radius;
        }
      }
    }
  }
}

TEST(ResizeBilinearTest, InfinitiesSpoilWhatIsInterpolatedWithThem) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Evaluated result = Evaluate({kBilinear, {kFloat32, {1, 1, 3, 1}}, 3, 1}, {1, 2, infinity});
  EXPECT_TRUE(result.enclosure[0].IsExact());
  EXPECT_FALSE(result.enclosure[1].IsBounded());
  const Evaluated nearest =
      Evaluate({kNearest, {kFloat32, {1, 1, 3, 1}}, 3, 1}, {1, infinity, std::nan("")});
  for (const Ball& ball : nearest.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(ResizeTest, EmptyBatchesGiveEmptyBatches) {
  for (const OperationType type : kResizings) {
    const Resizing resizing = {type,
                               {kFloat32, {0, 2, 2, 0}},
                               std::numeric_limits<int32_t>::max(),
                               std::numeric_limits<int32_t>::max()};
    const auto graph = PreparedGraph::Create(ModelOf(resizing));
    ASSERT_TRUE(graph.ok()) << graph.status();
    InputArgument argument;
    argument.dimensions = {0, 2, 2, 4'000'000'000};
    for (const NumberSystem system :
         {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
      const auto outputs = (*graph)->Execute(system, {argument});
      ASSERT_TRUE(outputs.ok()) << outputs.status();
      EXPECT_THAT((*outputs)[0].info.dimensions,
                  ElementsAre(0, 2147483647, 2147483647, 4'000'000'000));
      EXPECT_TRUE((*outputs)[0].elements.empty());
    }
  }
}

// What the executor says to an input of these dimensions.
std::string ErrorOfInput(Resizing resizing, const Shape& dimensions, HalVersion version) {
  resizing.input.dimensions = {0, 0, 0, 0};
  const auto graph = PreparedGraph::Create(ModelOf(resizing), version);
  if (!graph.ok()) return std::string(graph.status().message());
  InputArgument argument;
  argument.dimensions = dimensions;
  return std::string((*graph)->Execute(NumberSystem::kFloat, {argument}).status().message());
}

TEST(ResizeTest, resize_c1_rejects_images_without_pixels_or_channels) {
  for (const OperationType type : kResizings) {
    for (const Shape& dimensions : {Shape{1, 0, 3, 1}, Shape{1, 3, 0, 1}, Shape{1, 3, 3, 0}}) {
      EXPECT_THAT(ErrorOfInput({type, kFour, 2, 2}, dimensions, HalVersion::V1_2),
                  RefusedBy(hal::toString(type), "C1"));
      EXPECT_THAT(ErrorOfInput({type, kFour, 2.0, 2.0}, dimensions, HalVersion::V1_2),
                  RefusedBy(hal::toString(type), "C1"));
    }
  }
  const Resizing without_layout = {kBilinear, kFour, 2, 2, std::nullopt};
  EXPECT_THAT(ErrorOfInput(without_layout, {0, 3, 3, 1}, HalVersion::V1_1),
              RefusedBy("RESIZE_BILINEAR", "C1"));
}

TEST(ResizeTest, resize_c2_rejects_lengths_below_one) {
  for (const OperationType type : kResizings) {
    for (const int32_t length : {0, -1, std::numeric_limits<int32_t>::min()}) {
      EXPECT_TRUE(IsRefused(ModelOf({type, kFour, length, 2}), "C2"));
      EXPECT_TRUE(IsRefused(ModelOf({type, kFour, 2, length}), "C2"));
    }
  }
}

TEST(ResizeTest, resize_c3_rejects_scales_that_give_no_length) {
  for (const OperationType type : kResizings) {
    for (const double scale :
         {0.0, 0.49, -1.0, 1.1e9, std::nan(""), std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity()}) {
      EXPECT_TRUE(IsRefused(ModelOf({type, kFour, scale, 1.0}), "C3")) << scale;
      EXPECT_TRUE(IsRefused(ModelOf({type, kFour, 1.0, scale}), "C3")) << scale;
    }
    EXPECT_EQ(ErrorOf({type, kFour, 0.5, 1.0}), "");
  }
}

TEST(ResizeTest, LengthsAndScalesDoNotMix) {
  for (const OperationType type : kResizings) {
    EXPECT_THAT(ErrorOf({type, kFour, 2, 2.0}),
                HasSubstr("(operand 2) is FLOAT32; expected INT32"));
    EXPECT_THAT(ErrorOf({type, kFour, 2.0, 2}),
                HasSubstr("(operand 2) is INT32; expected FLOAT32"));
  }
}

TEST(ResizeTest, RefusesAnOutputOfOtherDimensionsOrQuantization) {
  for (const OperationType type : kResizings) {
    EXPECT_THAT(ErrorOf({type, kFour, 3, 2, false, {1, 3, 2, 1}}),
                AllOf(HasSubstr("output 0"), HasSubstr("[1, 2, 3, 1]")));
    ModelBuilder builder;
    const uint32_t input = builder.Input({kQuant8, {1, 2, 2, 1}, 0.5, 3});
    builder.Operation(type, {input, builder.Int32(2), builder.Int32(2), builder.Bool(false)},
                      {builder.Output({kQuant8, {1, 2, 2, 1}, 0.5, 4})});
    EXPECT_THAT(SignatureErrorOf(builder.model(), HalVersion::V1_2), HasSubstr("zeroPoint 3"));
  }
}

TEST(ResizeTest, WhatCameWithHal12) {
  const Resizing old = {kBilinear, kFour, 3, 2, std::nullopt};
  EXPECT_EQ(SignatureErrorOf(ModelOf(old), HalVersion::V1_0), "");
  EXPECT_EQ(SignatureErrorOf(ModelOf(old), HalVersion::V1_2), "");
  const std::string nearest =
      "RESIZE_NEAREST_NEIGHBOR was introduced in HAL 1.2; the model is held to HAL 1.1";
  for (const auto& [resizing, error] : std::vector<std::pair<Resizing, std::string>>{
           {{kBilinear, kFour, 3, 2}, "has 4 inputs; expected 3 at HAL 1.1"},
           {{kBilinear, kFour, 3.0, 2.0, std::nullopt}, "is FLOAT32; expected INT32 at HAL 1.1"},
           {{kBilinear, {kFloat16, {1, 2, 2, 1}}, 3, 2, std::nullopt},
            "is TENSOR_FLOAT16; expected TENSOR_FLOAT32 at HAL 1.1"},
           {{kBilinear, {kQuant8, {1, 2, 2, 1}, 1}, 3, 2, std::nullopt},
            "is TENSOR_QUANT8_ASYMM; expected TENSOR_FLOAT32 at HAL 1.1"},
           {{kNearest, kFour, 3, 2}, nearest},
           {{kNearest, kFour, 3.0, 2.0}, nearest}}) {
    EXPECT_EQ(SignatureErrorOf(ModelOf(resizing), HalVersion::V1_2), "");
    EXPECT_THAT(SignatureErrorOf(ModelOf(resizing), HalVersion::V1_1), HasSubstr(error));
  }
  // Factors came with HAL 1.2: without them the list of the image alone is none.
  ModelBuilder builder;
  const uint32_t image = builder.Input(kFour);
  builder.Operation(kBilinear, {image}, {builder.Output(kFour)});
  EXPECT_THAT(SignatureErrorOf(builder.model(), HalVersion::V1_0),
              HasSubstr("has 1 inputs; expected 3 at HAL 1.0"));
  // RESIZE_NEAREST_NEIGHBOR always says its layout.
  EXPECT_THAT(SignatureErrorOf(ModelOf({kNearest, kFour, 3, 2, std::nullopt}), HalVersion::V1_2),
              HasSubstr("has 3 inputs; expected 4 at HAL 1.2"));
}

}  // namespace
}  // namespace nncert
