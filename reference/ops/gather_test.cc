// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reference/model_builder.h"
#include "reference/operation_context.h"
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

// A GATHER by `indices` in a tensor of `dimensions`.
hal::V1_2::Model ModelOf(const OperandSpec& input, int32_t axis,
                         const std::vector<uint32_t>& dimensions,
                         const std::vector<double>& indices, std::vector<uint32_t> output = {}) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input(input), builder.Int32(axis),
                                        builder.Constant({kInt32, dimensions}, indices)};
  OperandSpec to = input;
  to.dimensions = std::move(output);
  builder.Operation(OperationType::GATHER, inputs, {builder.Output(to)});
  return builder.model();
}

// Gathers from a tensor with elements 0, 1, 2, ...
Evaluated Gather(const OperandSpec& input, int32_t axis, const std::vector<uint32_t>& dimensions,
                 const std::vector<double>& indices) {
  return EvaluateMoves(ModelOf(input, axis, dimensions, indices),
                       {Counting(NumberOfElements(input.dimensions))})[0];
}

TEST(GatherTest, PicksElementsByIndex) {
  EXPECT_THAT(Gather({kFloat32, {4}}, 0, {5}, {3, 0, 0, 2, 3}).from_double,
              ElementsAre(3, 0, 0, 2, 3));
}

TEST(GatherTest, PicksSlicesAlongTheAxis) {
  // 0 1 2 and 3 4 5.
  const Evaluated rows = Gather({kFloat32, {2, 3}}, 0, {3}, {1, 0, 1});
  EXPECT_THAT(rows.dimensions, ElementsAre(3, 3));
  EXPECT_THAT(rows.from_double, ElementsAre(3, 4, 5, 0, 1, 2, 3, 4, 5));
  const Evaluated columns = Gather({kFloat32, {2, 3}}, 1, {2}, {2, 0});
  EXPECT_THAT(columns.dimensions, ElementsAre(2, 2));
  EXPECT_THAT(columns.from_double, ElementsAre(2, 0, 5, 3));
}

TEST(GatherTest, AQuantizedOutputMayHaveAScaleOfItsOwn) {
  ExpectOwnQuantization(ModelOf({kQuant8, {2, 3}, 0.5, 7}, 1, {2}, {2, 0}), 6);
}

TEST(GatherTest, ANegativeAxisCountsFromTheEnd) {
  EXPECT_THAT(Gather({kFloat32, {2, 3}}, -1, {2}, {2, 0}).from_double, ElementsAre(2, 0, 5, 3));
  EXPECT_THAT(Gather({kFloat32, {2, 3}}, -2, {1}, {1}).from_double, ElementsAre(3, 4, 5));
}

TEST(GatherTest, TheIndicesMayHaveAnyRank) {
  // Element [i, j, k] of 2 x 3 x 2 is 6 i + 2 j + k.
  const Evaluated result = Gather({kFloat32, {2, 3, 2}}, 1, {2, 1, 2}, {2, 0, 1, 2});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 2, 1, 2, 2));
  EXPECT_THAT(result.from_double, ElementsAre(4, 5, 0, 1, 2, 3, 4, 5, 10, 11, 6, 7, 8, 9, 10, 11));
}

TEST(GatherTest, MovesElementsOfEveryType) {
  for (const OperandSpec& input : {OperandSpec{kFloat16, {2, 2}}, OperandSpec{kInt32, {2, 2}},
                                   OperandSpec{kQuant8, {2, 2}, 0.5, 7}}) {
    EXPECT_THAT(Gather(input, 1, {1}, {1}).from_float, ElementsAre(1, 3));
    EXPECT_THAT(Gather(input, 0, {2}, {1, 0}).from_float, ElementsAre(2, 3, 0, 1));
  }
}

TEST(GatherTest, AxisAndIndicesMayBeInputs) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kFloat32, {2, 3}}),
                                        builder.Input({OperandType::INT32}),
                                        builder.Input({kInt32, {1, 2}})};
  builder.Operation(OperationType::GATHER, inputs, {builder.Output({kFloat32, {0, 0, 0}})});
  const Evaluated columns = EvaluateMoves(builder.model(), {Counting(6), {1}, {2, 1}})[0];
  EXPECT_THAT(columns.dimensions, ElementsAre(2, 1, 2));
  EXPECT_THAT(columns.from_double, ElementsAre(2, 1, 5, 4));
  EXPECT_TRUE(IsRefused(builder.model(), "C1", {Counting(6), {2}, {0, 0}}));
  EXPECT_TRUE(IsRefused(builder.model(), "C2", {Counting(6), {0}, {2, 1}}));
}

TEST(GatherTest, IndicesThatAreOnlyEnclosedAreUndecided) {
  // Which element is greatest depends on the roundings of the sums, so does what is gathered.
  ModelBuilder builder;
  const uint32_t x = builder.Input({kFloat32, {2}});
  const uint32_t y = builder.Input({kFloat32, {2}});
  const uint32_t sums = builder.Temporary({kFloat32, {2}});
  const uint32_t greatest = builder.Temporary({kInt32, {1}});
  const uint32_t output = builder.Output({kFloat32, {1}});
  const uint32_t axis = builder.Int32(0);
  builder.Operation(OperationType::ADD, {x, y, builder.Int32(0)}, {sums});
  builder.Operation(OperationType::ARGMAX, {sums, axis}, {greatest});
  builder.Operation(OperationType::GATHER, {x, axis, greatest}, {output});
  const auto results = EvaluateInAllSystems(builder.model(), {{0.1, 0.3}, {0.3, 0.1}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE(IsUndecided((*results)[0].undecided)) << (*results)[0].undecided;
}

TEST(GatherTest, gather_c1_rejects_an_axis_out_of_range) {
  for (const int32_t axis :
       {2, -3, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 3}}, axis, {1}, {0}), "C1"));
  }
}

TEST(GatherTest, gather_c2_rejects_indices_out_of_range) {
  for (const double index : {2.0, -1.0, static_cast<double>(std::numeric_limits<int32_t>::min())}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 3}}, 0, {2}, {1, index}), "C2"));
  }
  EXPECT_EQ(PreparationErrorOf(ModelOf({kFloat32, {2, 3}}, 1, {1}, {2})), "");
}

TEST(GatherTest, gather_c2_rejects_an_empty_tensor_of_indices) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kFloat32, {2}}), builder.Int32(0),
                                        builder.Temporary({kInt32, {0}})};
  const uint32_t numbers = builder.Input({kInt32, {1}});
  builder.Operation(OperationType::SLICE,
                    {numbers, builder.Int32Vector({1}), builder.Int32Vector({-1})}, {inputs[2]});
  builder.Operation(OperationType::GATHER, inputs, {builder.Output({kFloat32, {}})});
  const auto results = EvaluateInAllSystems(builder.model(), {{1, 2}, {0}});
  EXPECT_THAT(results.status().message(), RefusedBy("GATHER", "C2"));
}

TEST(GatherTest, RefusesAnOutputOfOtherDimensions) {
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {2, 3}}, 0, {2}, {1, 1}, {3, 2})),
              HasSubstr("[2, 3]; the model declares [3, 2]"));
}

TEST(GatherTest, CameWithHal12) {
  EXPECT_EQ(PreparationErrorOf(ModelOf({kFloat32, {2}}, 0, {1}, {0}, {1})), "");
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {2}}, 0, {1}, {0}, {1}), HalVersion::V1_1),
              HasSubstr("HAL 1.1"));
}

}  // namespace
}  // namespace nncert
