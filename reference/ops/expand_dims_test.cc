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

hal::V1_2::Model ModelOf(const OperandSpec& input, int32_t axis,
                         std::vector<uint32_t> output = {}) {
  ModelBuilder builder;
  const uint32_t from = builder.Input(input);
  OperandSpec to = input;
  to.dimensions = std::move(output);
  builder.Operation(OperationType::EXPAND_DIMS, {from, builder.Int32(axis)}, {builder.Output(to)});
  return builder.model();
}

// The dimensions of the expanded tensor; its elements must be those of the input in order.
std::vector<uint32_t> Expanded(const OperandSpec& input, int32_t axis) {
  const std::vector<double> elements = Counting(NumberOfElements(input.dimensions));
  const Evaluated result = EvaluateMoves(ModelOf(input, axis), {elements})[0];
  EXPECT_EQ(result.from_double, elements);
  return {result.dimensions.begin(), result.dimensions.end()};
}

TEST(ExpandDimsTest, TheAxisIsThatOfTheOutput) {
  EXPECT_THAT(Expanded({kFloat32, {2, 3}}, 0), ElementsAre(1, 2, 3));
  EXPECT_THAT(Expanded({kFloat32, {2, 3}}, 1), ElementsAre(2, 1, 3));
  EXPECT_THAT(Expanded({kFloat32, {2, 3}}, 2), ElementsAre(2, 3, 1));
}

TEST(ExpandDimsTest, ANegativeAxisCountsFromTheEndOfTheOutput) {
  EXPECT_THAT(Expanded({kFloat32, {2, 3}}, -1), ElementsAre(2, 3, 1));
  EXPECT_THAT(Expanded({kFloat32, {2, 3}}, -2), ElementsAre(2, 1, 3));
  EXPECT_THAT(Expanded({kFloat32, {2, 3}}, -3), ElementsAre(1, 2, 3));
}

TEST(ExpandDimsTest, MovesElementsOfEveryTypeAndRank) {
  EXPECT_THAT(Expanded({kFloat16, {3}}, 0), ElementsAre(1, 3));
  EXPECT_THAT(Expanded({kInt32, {3}}, 0), ElementsAre(1, 3));
  EXPECT_THAT(Expanded({kQuant8, {3}, 0.5, 7}, 0), ElementsAre(1, 3));
  EXPECT_THAT(Expanded({kFloat32, {1, 1, 2, 1, 3}}, 3), ElementsAre(1, 1, 2, 1, 1, 3));
}

TEST(ExpandDimsTest, TheAxisMayBeAnInput) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kFloat32, {2}}),
                                        builder.Input({OperandType::INT32})};
  builder.Operation(OperationType::EXPAND_DIMS, inputs, {builder.Output({kFloat32, {0, 0}})});
  EXPECT_THAT(EvaluateMoves(builder.model(), {{1, 2}, {1}})[0].dimensions, ElementsAre(2, 1));
  EXPECT_THAT(EvaluateMoves(builder.model(), {{1, 2}, {-2}})[0].dimensions, ElementsAre(1, 2));
  EXPECT_TRUE(IsRefused(builder.model(), "C1", {{1, 2}, {2}}));
}

TEST(ExpandDimsTest, expand_dims_c1_rejects_an_axis_out_of_range) {
  for (const int32_t axis :
       {3, -4, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 3}}, axis), "C1"));
  }
}

TEST(ExpandDimsTest, RefusesOtherOutputs) {
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {2, 3}}, 0, {2, 3})),
              HasSubstr("[1, 2, 3]; the model declares [2, 3]"));
  ModelBuilder builder;
  const uint32_t input = builder.Input({kQuant8, {2}, 0.5, 7});
  builder.Operation(OperationType::EXPAND_DIMS, {input, builder.Int32(0)},
                    {builder.Output({kQuant8, {1, 2}, 0.5, 8})});
  EXPECT_THAT(PreparationErrorOf(builder.model()), HasSubstr("expected scale 0.5 and zeroPoint 7"));
}

TEST(ExpandDimsTest, CameWithHal12) {
  EXPECT_EQ(PreparationErrorOf(ModelOf({kFloat32, {2}}, 0, {1, 2})), "");
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {2}}, 0, {1, 2}), HalVersion::V1_1),
              HasSubstr("HAL 1.1"));
  EXPECT_THAT(PreparationErrorOf(ModelOf({OperandType::TENSOR_BOOL8, {2}}, 0)),
              HasSubstr("TENSOR_BOOL8"));
}

}  // namespace
}  // namespace nncert
