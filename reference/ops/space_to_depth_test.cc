// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/moves.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr int32_t kGreatest = std::numeric_limits<int32_t>::max();

// One SPACE_TO_DEPTH or DEPTH_TO_SPACE; without output dimensions they are found.
struct Rearrangement {
  OperationType type;
  OperandSpec input;
  int32_t block = 2;
  std::optional<bool> is_nchw = std::nullopt;
  std::vector<uint32_t> output = {};
};

hal::V1_2::Model ModelOf(const Rearrangement& rearrangement) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input(rearrangement.input),
                                  builder.Int32(rearrangement.block)};
  if (rearrangement.is_nchw.has_value()) inputs.push_back(builder.Bool(*rearrangement.is_nchw));
  OperandSpec output = rearrangement.input;
  output.dimensions = rearrangement.output;
  builder.Operation(rearrangement.type, inputs, {builder.Output(output)});
  return builder.model();
}

// Of images with elements 0, 1, 2, ...
Evaluated Evaluate(const Rearrangement& rearrangement) {
  return EvaluateMoves(ModelOf(rearrangement),
                       {Counting(NumberOfElements(rearrangement.input.dimensions))})[0];
}

// Where an element stands in a tensor of images, and in which dimensions.
struct Images {
  uint32_t batches, height, width, depth;
  bool is_nchw;

  std::vector<uint32_t> Dimensions() const {
    return is_nchw ? std::vector<uint32_t>{batches, depth, height, width}
                   : std::vector<uint32_t>{batches, height, width, depth};
  }
  size_t At(uint32_t n, uint32_t y, uint32_t x, uint32_t c) const {
    return is_nchw ? ((n * depth + c) * height + y) * width + x
                   : ((n * height + y) * width + x) * depth + c;
  }
};

TEST(SpaceToDepthTest, ABlockBecomesOnePixel) {
  // Two rows of four pixels with two channels each; pixel [y, x] has 8 y + 2 x and 8 y + 2 x + 1.
  const Evaluated result = Evaluate({OperationType::SPACE_TO_DEPTH, {kFloat32, {1, 2, 4, 2}}});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 1, 2, 8));
  EXPECT_THAT(result.from_double,
              ElementsAre(0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15));
}

TEST(SpaceToDepthTest, OfNchwTheChannelsAreOutside) {
  // Rows 0 1 2 3 and 4 5 6 7. The blocks are 0 1 4 5 and 2 3 6 7.
  const Evaluated result =
      Evaluate({OperationType::SPACE_TO_DEPTH, {kFloat32, {1, 1, 2, 4}}, 2, true});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 4, 1, 2));
  EXPECT_THAT(result.from_double, ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
}

TEST(DepthToSpaceTest, APixelBecomesABlock) {
  const Evaluated result = Evaluate({OperationType::DEPTH_TO_SPACE, {kFloat32, {1, 1, 2, 8}}});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 2, 4, 2));
  EXPECT_THAT(result.from_double,
              ElementsAre(0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15));
}

TEST(DepthToSpaceTest, OfNchwTheChannelsAreOutside) {
  // Two pixels; their four channels are 0 2 4 6 and 1 3 5 7.
  const Evaluated result =
      Evaluate({OperationType::DEPTH_TO_SPACE, {kFloat32, {1, 4, 1, 2}}, 2, true});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 1, 2, 4));
  EXPECT_THAT(result.from_double, ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
}

TEST(SpaceToDepthTest, BothGoByTheDefinition) {
  for (const bool is_nchw : {false, true}) {
    for (const uint32_t block : {1, 2, 3}) {
      const Images space = {2, 2 * block, 4 * block, 3, is_nchw};
      const Images depth = {2, 2, 4, 3 * block * block, is_nchw};
      std::vector<double> to_depth(2 * 2 * 4 * 3 * block * block);
      std::vector<double> to_space(to_depth.size());
      for (uint32_t n = 0; n < space.batches; ++n) {
        for (uint32_t y = 0; y < space.height; ++y) {
          for (uint32_t x = 0; x < space.width; ++x) {
            for (uint32_t c = 0; c < space.depth; ++c) {
              const uint32_t channel = (y % block * block + x % block) * space.depth + c;
              const size_t in_space = space.At(n, y, x, c);
              const size_t in_depth = depth.At(n, y / block, x / block, channel);
              to_depth[in_depth] = static_cast<double>(in_space);
              to_space[in_space] = static_cast<double>(in_depth);
            }
          }
        }
      }
      const auto size = static_cast<int32_t>(block);
      EXPECT_EQ(Evaluate({OperationType::SPACE_TO_DEPTH,
                          {kFloat32, space.Dimensions()},
                          size,
                          is_nchw,
                          depth.Dimensions()})
                    .from_double,
                to_depth);
      EXPECT_EQ(Evaluate({OperationType::DEPTH_TO_SPACE,
                          {kFloat32, depth.Dimensions()},
                          size,
                          is_nchw,
                          space.Dimensions()})
                    .from_double,
                to_space);
    }
  }
}

TEST(SpaceToDepthTest, MovesElementsOfEveryType) {
  for (const OperandSpec& input :
       {OperandSpec{kFloat16, {1, 2, 2, 1}}, OperandSpec{kQuant8, {1, 2, 2, 1}, 0.5, 7}}) {
    EXPECT_THAT(Evaluate({OperationType::SPACE_TO_DEPTH, input}).from_float,
                ElementsAre(0, 1, 2, 3));
  }
  for (const OperandSpec& input :
       {OperandSpec{kFloat16, {1, 1, 2, 4}}, OperandSpec{kQuant8, {1, 1, 2, 4}, 0.5, 7}}) {
    EXPECT_THAT(Evaluate({OperationType::DEPTH_TO_SPACE, input}).from_float,
                ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
  }
}

TEST(SpaceToDepthTest, BlockSizeAndLayoutMayBeInputs) {
  for (const OperationType type : {OperationType::SPACE_TO_DEPTH, OperationType::DEPTH_TO_SPACE}) {
    ModelBuilder builder;
    const std::vector<uint32_t> inputs = {builder.Input({kFloat32, {1, 4, 2, 2}}),
                                          builder.Input({OperandType::INT32}),
                                          builder.Input({OperandType::BOOL})};
    builder.Operation(type, inputs, {builder.Output({kFloat32, {0, 0, 0, 0}})});
    const Evaluated result = EvaluateMoves(builder.model(), {Counting(16), {2}, {1}})[0];
    if (type == OperationType::SPACE_TO_DEPTH) {
      EXPECT_THAT(result.dimensions, ElementsAre(1, 16, 1, 1));
      EXPECT_THAT(result.from_double,
                  ElementsAre(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    } else {
      EXPECT_THAT(result.dimensions, ElementsAre(1, 1, 4, 4));
      EXPECT_THAT(result.from_double,
                  ElementsAre(0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15));
    }
    EXPECT_TRUE(IsRefused(builder.model(), "C1", {Counting(16), {0}, {1}}));
    EXPECT_TRUE(IsRefused(builder.model(), "C2", {Counting(16), {4}, {0}}));
  }
}

TEST(SpaceToDepthTest, space_to_depth_c1_rejects_blocks_without_pixels) {
  for (const int32_t block : {0, -1, std::numeric_limits<int32_t>::min()}) {
    EXPECT_TRUE(
        IsRefused(ModelOf({OperationType::SPACE_TO_DEPTH, {kFloat32, {1, 2, 2, 4}}, block}), "C1"));
    EXPECT_TRUE(
        IsRefused(ModelOf({OperationType::DEPTH_TO_SPACE, {kFloat32, {1, 2, 2, 4}}, block}), "C1"));
  }
}

TEST(SpaceToDepthTest, space_to_depth_c2_rejects_images_that_blocks_do_not_fill) {
  const auto model = [](const std::vector<uint32_t>& dimensions, int32_t block, bool is_nchw) {
    return ModelOf({OperationType::SPACE_TO_DEPTH, {kFloat32, dimensions}, block, is_nchw});
  };
  EXPECT_TRUE(IsRefused(model({1, 3, 2, 2}, 2, false), "C2"));
  EXPECT_TRUE(IsRefused(model({1, 2, 3, 2}, 2, false), "C2"));
  EXPECT_TRUE(IsRefused(model({1, 2, 2, 3}, 2, true), "C2"));
  EXPECT_TRUE(IsRefused(model({1, 2, 2, 2}, kGreatest, false), "C2"));
  EXPECT_EQ(PreparationErrorOf(model({1, 3, 2, 2}, 2, true)), "");
}

TEST(DepthToSpaceTest, depth_to_space_c2_rejects_channels_that_do_not_fill_a_block) {
  const auto model = [](const std::vector<uint32_t>& dimensions, int32_t block, bool is_nchw) {
    return ModelOf({OperationType::DEPTH_TO_SPACE, {kFloat32, dimensions}, block, is_nchw});
  };
  EXPECT_TRUE(IsRefused(model({1, 4, 4, 6}, 2, false), "C2"));
  EXPECT_TRUE(IsRefused(model({1, 6, 4, 4}, 2, true), "C2"));
  EXPECT_TRUE(IsRefused(model({1, 4, 4, 4}, kGreatest, false), "C2"));
  // 65536 squared would be 0 in 32 bits.
  EXPECT_TRUE(IsRefused(model({1, 4, 4, 4}, 65536, false), "C2"));
  EXPECT_EQ(PreparationErrorOf(model({1, 4, 3, 3}, 2, true)), "");
}

TEST(SpaceToDepthTest, RefusesDimensionsThatDoNotFitTheHal) {
  EXPECT_THAT(PreparationErrorOf(ModelOf(
                  {OperationType::SPACE_TO_DEPTH, {kFloat32, {1, 65536, 65536, 1}}, 65536})),
              HasSubstr("SPACE_TO_DEPTH: the output would have dimensions [1, 1, 1, 4294967296]"));
  EXPECT_THAT(PreparationErrorOf(
                  ModelOf({OperationType::DEPTH_TO_SPACE, {kFloat32, {1, 1u << 31, 1, 4}}, 2})),
              HasSubstr("DEPTH_TO_SPACE: the output would have dimensions [1, 4294967296, 2, 1]"));
}

TEST(SpaceToDepthTest, RefusesAnOutputOfOtherDimensions) {
  EXPECT_THAT(PreparationErrorOf(ModelOf({OperationType::SPACE_TO_DEPTH,
                                          {kFloat32, {1, 2, 2, 1}},
                                          2,
                                          std::nullopt,
                                          {1, 1, 1, 2}})),
              HasSubstr("[1, 1, 1, 4]; the model declares [1, 1, 1, 2]"));
}

TEST(SpaceToDepthTest, TheSignatureGoesByHalVersion) {
  for (const OperationType type : {OperationType::SPACE_TO_DEPTH, OperationType::DEPTH_TO_SPACE}) {
    const auto error = [type](OperandType input, std::optional<bool> is_nchw, HalVersion version) {
      const float scale = input == kQuant8 ? 1.f : 0.f;
      return PreparationErrorOf(
          ModelOf({type, {input, {1, 1, 1, 1}, scale}, 1, is_nchw, {1, 1, 1, 1}}), version);
    };
    EXPECT_EQ(error(kFloat32, std::nullopt, HalVersion::V1_0), "");
    EXPECT_EQ(error(kQuant8, std::nullopt, HalVersion::V1_0), "");
    EXPECT_THAT(error(kFloat16, std::nullopt, HalVersion::V1_1),
                HasSubstr("the type is TENSOR_FLOAT16; expected one of HAL 1.1"));
    EXPECT_EQ(error(kFloat16, true, HalVersion::V1_2), "");
    EXPECT_THAT(error(kFloat32, false, HalVersion::V1_1),
                HasSubstr("the type is BOOL; expected one of HAL 1.1"));
    EXPECT_THAT(error(OperandType::TENSOR_INT32, std::nullopt, HalVersion::V1_2),
                HasSubstr("(operand 0) is TENSOR_INT32; expected "));
    EXPECT_THAT(PreparationErrorOf(ModelOf({type, {kFloat32, {2, 2, 2}}})),
                HasSubstr("rank 3; expected rank 4"));
  }
}

}  // namespace
}  // namespace nncert
