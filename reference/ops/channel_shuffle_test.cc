// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

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
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();
constexpr int32_t kGreatest = std::numeric_limits<int32_t>::max();

hal::V1_2::Model ModelOf(const OperandSpec& input, int32_t groups, int32_t axis,
                         const std::vector<uint32_t>& output) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input(input), builder.Int32(groups),
                                        builder.Int32(axis)};
  OperandSpec to = input;
  to.dimensions = output;
  builder.Operation(OperationType::CHANNEL_SHUFFLE, inputs, {builder.Output(to)});
  return builder.model();
}

hal::V1_2::Model ModelOf(const OperandSpec& input, int32_t groups, int32_t axis) {
  return ModelOf(input, groups, axis, input.dimensions);
}

// Shuffles a tensor with elements 0, 1, 2, ...
std::vector<double> Shuffle(const OperandSpec& input, int32_t groups, int32_t axis) {
  return EvaluateMoves(ModelOf(input, groups, axis),
                       {Counting(NumberOfElements(input.dimensions))})[0]
      .from_float;
}

TEST(ChannelShuffleTest, TakesFromTheGroupsInTurn) {
  // Three groups: 0 1, 2 3 and 4 5. With two, 0 1 2 and 3 4 5.
  EXPECT_THAT(Shuffle({kFloat32, {6}}, 3, 0), ElementsAre(0, 2, 4, 1, 3, 5));
  EXPECT_THAT(Shuffle({kFloat32, {6}}, 2, 0), ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(ChannelShuffleTest, WithOneGroupOrOneChannelAGroupNothingMoves) {
  EXPECT_THAT(Shuffle({kFloat32, {4}}, 1, 0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Shuffle({kFloat32, {4}}, 4, 0), ElementsAre(0, 1, 2, 3));
}

TEST(ChannelShuffleTest, ShufflesAlongAnyAxis) {
  // Rows 0 1, 2 3, 4 5, 6 7 in two groups.
  EXPECT_THAT(Shuffle({kFloat32, {4, 2}}, 2, 0), ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
  EXPECT_THAT(Shuffle({kFloat32, {4, 2}}, 2, -2), ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
  EXPECT_THAT(Shuffle({kFloat32, {2, 4}}, 2, 1), ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
  EXPECT_THAT(Shuffle({kFloat32, {2, 4}}, 2, -1), ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
}

TEST(ChannelShuffleTest, GoesByTheDefinition) {
  // Element [i, c, j] of 2 x 12 x 3 is 36 i + 3 c + j; groups of 12 / groups channels.
  for (const int32_t groups : {1, 2, 3, 4, 6, 12}) {
    const int32_t size = 12 / groups;
    std::vector<double> expected(72);
    for (int32_t i = 0; i < 2; ++i) {
      for (int32_t g = 0; g < groups; ++g) {
        for (int32_t k = 0; k < size; ++k) {
          for (int32_t j = 0; j < 3; ++j) {
            const int32_t index = 36 * i + 3 * (k * groups + g) + j;
            expected[static_cast<size_t>(index)] = 36 * i + 3 * (g * size + k) + j;
          }
        }
      }
    }
    EXPECT_EQ(Shuffle({kFloat32, {2, 12, 1, 3}}, groups, 1), expected);
  }
}

TEST(ChannelShuffleTest, MovesElementsOfEveryType) {
  EXPECT_THAT(Shuffle({kFloat16, {4}}, 2, 0), ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(Shuffle({kQuant8, {4}, 0.5, 7}, 2, 0), ElementsAre(0, 2, 1, 3));
}

TEST(ChannelShuffleTest, TheParametersMayBeInputs) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kFloat32, {4}}),
                                        builder.Input({OperandType::INT32}),
                                        builder.Input({OperandType::INT32})};
  builder.Operation(OperationType::CHANNEL_SHUFFLE, inputs, {builder.Output({kFloat32, {0}})});
  EXPECT_THAT(EvaluateMoves(builder.model(), {Counting(4), {2}, {0}})[0].from_double,
              ElementsAre(0, 2, 1, 3));
  EXPECT_TRUE(IsRefused(builder.model(), "C1", {Counting(4), {2}, {1}}));
  EXPECT_TRUE(IsRefused(builder.model(), "C2", {Counting(4), {0}, {0}}));
  EXPECT_TRUE(IsRefused(builder.model(), "C3", {Counting(4), {3}, {0}}));
}

TEST(ChannelShuffleTest, channel_shuffle_c1_rejects_an_axis_out_of_range) {
  for (const int32_t axis : {2, -3, kLeast, kGreatest}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 2}}, 2, axis), "C1"));
  }
}

TEST(ChannelShuffleTest, channel_shuffle_c2_rejects_no_groups) {
  for (const int32_t groups : {0, -2, kLeast}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 2}}, groups, 0), "C2"));
  }
}

TEST(ChannelShuffleTest, channel_shuffle_c3_rejects_groups_that_are_not_equal) {
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 3}}, 2, 1), "C3"));
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 3}}, kGreatest, 0), "C3"));
}

TEST(ChannelShuffleTest, TheSignatureGoesByHalVersion) {
  EXPECT_EQ(PreparationErrorOf(ModelOf({kFloat32, {2}}, 2, 0)), "");
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {2}}, 2, 0), HalVersion::V1_1),
              HasSubstr("HAL 1.1"));
  EXPECT_THAT(PreparationErrorOf(ModelOf({kInt32, {2}}, 2, 0)), HasSubstr("TENSOR_INT32"));
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {1, 1, 1, 1, 2}}, 2, 4)), HasSubstr("rank 5"));
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {2, 4}}, 2, 1, {4, 2})),
              HasSubstr("[2, 4]; the model declares [4, 2]"));
}

}  // namespace
}  // namespace nncert
