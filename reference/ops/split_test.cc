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
using ::testing::SizeIs;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// A SPLIT into `outputs` outputs, of `dimensions` if given.
hal::V1_2::Model ModelOf(const OperandSpec& input, int32_t axis, int32_t num_splits, int outputs,
                         const std::vector<uint32_t>& dimensions = {}) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input(input), builder.Int32(axis),
                                        builder.Int32(num_splits)};
  OperandSpec part = input;
  part.dimensions = dimensions;
  std::vector<uint32_t> parts;
  for (int i = 0; i < outputs; ++i) parts.push_back(builder.Output(part));
  builder.Operation(OperationType::SPLIT, inputs, parts);
  return builder.model();
}

// Splits a tensor with elements 0, 1, 2, ...
std::vector<Evaluated> Split(const OperandSpec& input, int32_t axis, int32_t num_splits) {
  return EvaluateMoves(ModelOf(input, axis, num_splits, num_splits),
                       {Counting(NumberOfElements(input.dimensions))});
}

TEST(SplitTest, CutsAlongTheAxis) {
  // 0 1 2 3 and 4 5 6 7.
  const std::vector<Evaluated> rows = Split({kFloat32, {2, 4}}, 0, 2);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0].dimensions, ElementsAre(1, 4));
  EXPECT_THAT(rows[0].from_double, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(rows[1].from_double, ElementsAre(4, 5, 6, 7));
  const std::vector<Evaluated> columns = Split({kFloat32, {2, 4}}, 1, 2);
  ASSERT_THAT(columns, SizeIs(2));
  EXPECT_THAT(columns[0].dimensions, ElementsAre(2, 2));
  EXPECT_THAT(columns[0].from_double, ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(columns[1].from_double, ElementsAre(2, 3, 6, 7));
}

TEST(SplitTest, CutsInTheMiddleOfManyDimensions) {
  // Element [i, j, k, l, m] of 2 x 1 x 3 x 1 x 2 is 6 i + 2 k + m.
  const std::vector<Evaluated> parts = Split({kFloat32, {2, 1, 3, 1, 2}}, 2, 3);
  ASSERT_THAT(parts, SizeIs(3));
  EXPECT_THAT(parts[1].dimensions, ElementsAre(2, 1, 1, 1, 2));
  EXPECT_THAT(parts[0].from_double, ElementsAre(0, 1, 6, 7));
  EXPECT_THAT(parts[1].from_double, ElementsAre(2, 3, 8, 9));
  EXPECT_THAT(parts[2].from_double, ElementsAre(4, 5, 10, 11));
}

TEST(SplitTest, ANegativeAxisCountsFromTheEnd) {
  const std::vector<Evaluated> parts = Split({kFloat32, {2, 2}}, -1, 2);
  EXPECT_THAT(parts[0].from_double, ElementsAre(0, 2));
  EXPECT_THAT(parts[1].from_double, ElementsAre(1, 3));
}

TEST(SplitTest, OnePartIsTheWhole) {
  const std::vector<Evaluated> parts = Split({kFloat32, {3}}, 0, 1);
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_THAT(parts[0].from_double, ElementsAre(0, 1, 2));
}

TEST(SplitTest, MovesElementsOfEveryType) {
  for (const OperandSpec& input : {OperandSpec{kFloat16, {2, 2}}, OperandSpec{kInt32, {2, 2}},
                                   OperandSpec{kQuant8, {2, 2}, 0.5, 7}}) {
    EXPECT_THAT(Split(input, 1, 2)[1].from_float, ElementsAre(1, 3));
  }
}

TEST(SplitTest, TheParametersMayBeInputs) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kFloat32, {2, 2}}),
                                        builder.Input({OperandType::INT32}),
                                        builder.Input({OperandType::INT32})};
  const std::vector<uint32_t> outputs = {builder.Output({kFloat32, {0, 0}}),
                                         builder.Output({kFloat32, {0, 0}})};
  builder.Operation(OperationType::SPLIT, inputs, outputs);
  EXPECT_THAT(EvaluateMoves(builder.model(), {{1, 2, 3, 4}, {0}, {2}})[1].from_double,
              ElementsAre(3, 4));
  EXPECT_THAT(EvaluateMoves(builder.model(), {{1, 2, 3, 4}, {1}, {2}})[1].from_double,
              ElementsAre(2, 4));
  EXPECT_TRUE(IsRefused(builder.model(), "C1", {{1, 2, 3, 4}, {2}, {2}}));
  EXPECT_TRUE(IsRefused(builder.model(), "C2", {{1, 2, 3, 4}, {1}, {1}}));
}

TEST(SplitTest, split_c1_rejects_an_axis_out_of_range) {
  for (const int32_t axis :
       {2, -3, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 2}}, axis, 2, 2), "C1"));
  }
}

TEST(SplitTest, split_c2_rejects_another_number_of_outputs) {
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {6}}, 0, 2, 3), "C2"));
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {6}}, 0, 3, 2), "C2"));
  for (const int32_t wrong : {0, -1, std::numeric_limits<int32_t>::min()}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {6}}, 0, wrong, 2), "C2"));
  }
}

TEST(SplitTest, split_c3_rejects_parts_that_are_not_equal) {
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {5, 4}}, 0, 2, 2), "C3"));
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2}}, 0, 3, 3), "C3"));
}

TEST(SplitTest, RefusesOtherOutputs) {
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {4}}, 0, 2, 2, {3})),
              HasSubstr("[2]; the model declares [3]"));
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kQuant8, {2}, 0.5, 7}), builder.Int32(0),
                                        builder.Int32(2)};
  const std::vector<uint32_t> outputs = {builder.Output({kQuant8, {1}, 0.5, 7}),
                                         builder.Output({kQuant8, {1}, 0.5, 8})};
  builder.Operation(OperationType::SPLIT, inputs, outputs);
  EXPECT_THAT(PreparationErrorOf(builder.model()),
              HasSubstr("SPLIT output 1 'outputs' (operand 4) has scale 0.5 and zeroPoint 8"));
}

TEST(SplitTest, CameWithHal12) {
  EXPECT_EQ(PreparationErrorOf(ModelOf({kFloat32, {2}}, 0, 2, 2, {1})), "");
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {2}}, 0, 2, 2, {1}), HalVersion::V1_1),
              HasSubstr("HAL 1.1"));
}

}  // namespace
}  // namespace nncert
