// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/moves.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();
constexpr int32_t kGreatest = std::numeric_limits<int32_t>::max();

hal::V1_2::Model ModelOf(const OperandSpec& input, const std::vector<int32_t>& begin,
                         const std::vector<int32_t>& size, std::vector<uint32_t> output = {}) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input(input), builder.Int32Vector(begin),
                                        builder.Int32Vector(size)};
  OperandSpec to = input;
  to.dimensions = std::move(output);
  builder.Operation(OperationType::SLICE, inputs, {builder.Output(to)});
  return builder.model();
}

// Slices a tensor with elements 0, 1, 2, ...
Evaluated Slice(const OperandSpec& input, const std::vector<int32_t>& begin,
                const std::vector<int32_t>& size) {
  return EvaluateMoves(ModelOf(input, begin, size),
                       {Counting(NumberOfElements(input.dimensions))})[0];
}

TEST(SliceTest, TakesSoManyFromThereOn) {
  EXPECT_THAT(Slice({kFloat32, {5}}, {1}, {3}).from_double, ElementsAre(1, 2, 3));
  // Element [i, j] of 3 x 4 is 4 i + j.
  const Evaluated result = Slice({kFloat32, {3, 4}}, {1, 2}, {2, 1});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(6, 10));
}

TEST(SliceTest, ASizeOfMinusOneGoesToTheEnd) {
  EXPECT_THAT(Slice({kFloat32, {5}}, {2}, {-1}).from_double, ElementsAre(2, 3, 4));
  const Evaluated result = Slice({kFloat32, {3, 4}}, {1, 1}, {1, -1});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 3));
  EXPECT_THAT(result.from_double, ElementsAre(5, 6, 7));
}

TEST(SliceTest, SlicesManyDimensions) {
  // Element [i, j, k, l, m] of 2 x 2 x 3 x 1 x 2 is 12 i + 6 j + 2 k + m.
  const Evaluated result = Slice({kFloat32, {2, 2, 3, 1, 2}}, {1, 0, 1, 0, 1}, {1, 2, -1, 1, 1});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 2, 2, 1, 1));
  EXPECT_THAT(result.from_double, ElementsAre(15, 17, 21, 23));
}

TEST(SliceTest, MovesElementsOfEveryType) {
  for (const OperandSpec& input : {OperandSpec{kFloat16, {2, 2}}, OperandSpec{kInt32, {2, 2}},
                                   OperandSpec{kQuant8, {2, 2}, 0.5, 7}}) {
    EXPECT_THAT(Slice(input, {0, 1}, {2, 1}).from_float, ElementsAre(1, 3));
  }
}

TEST(SliceTest, AQuantizedOutputMayHaveAScaleOfItsOwn) {
  ExpectOwnQuantization(ModelOf({kQuant8, {2, 3}, 0.5, 7}, {0, 1}, {2, 2}), 6);
}

TEST(SliceTest, BehindTheEndNothingIsLeft) {
  const Evaluated result = Slice({kFloat32, {2, 3}}, {2, 0}, {-1, 3});
  EXPECT_THAT(result.dimensions, ElementsAre(0, 3));
  EXPECT_THAT(result.from_double, IsEmpty());
}

TEST(SliceTest, OfAnEmptyTensorTheSliceIsEmpty) {
  const auto graph = PreparedGraph::Create(ModelOf({kFloat32, {0, 3}}, {0, 1}, {-1, 2}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0, 3};
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    const auto outputs = (*graph)->Execute(system, {empty});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(0, 2));
  }
}

TEST(SliceTest, BeginAndSizeMayBeInputs) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kFloat32, {2, 3}}),
                                        builder.Input({kInt32, {2}}), builder.Input({kInt32, {2}})};
  builder.Operation(OperationType::SLICE, inputs, {builder.Output({kFloat32, {0, 0}})});
  const Evaluated result = EvaluateMoves(builder.model(), {Counting(6), {1, 1}, {-1, 2}})[0];
  EXPECT_THAT(result.dimensions, ElementsAre(1, 2));
  EXPECT_THAT(result.from_double, ElementsAre(4, 5));
  EXPECT_TRUE(IsRefused(builder.model(), "C2", {Counting(6), {1, 1}, {-1, 0}}));
  EXPECT_TRUE(IsRefused(builder.model(), "C3", {Counting(6), {1, 2}, {-1, 2}}));
}

TEST(SliceTest, slice_c1_rejects_bounds_of_another_rank) {
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 3}}, {0}, {1, 1}), "C1"));
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 3}}, {0, 0}, {1}), "C1"));
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 3}}, {0, 0, 0}, {1, 1, 1}), "C1"));
}

TEST(SliceTest, slice_c2_rejects_sizes_that_mean_nothing) {
  for (const int32_t size : {0, -2, kLeast}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {2, 3}}, {0, 0}, {1, size}), "C2"));
  }
}

TEST(SliceTest, slice_c3_rejects_what_is_outside) {
  const OperandSpec input = {kFloat32, {2, 3}};
  EXPECT_TRUE(IsRefused(ModelOf(input, {0, 1}, {2, 3}), "C3"));
  EXPECT_TRUE(IsRefused(ModelOf(input, {0, 3}, {2, 1}), "C3"));
  EXPECT_TRUE(IsRefused(ModelOf(input, {0, 4}, {2, -1}), "C3"));
  EXPECT_TRUE(IsRefused(ModelOf(input, {-1, 0}, {1, 1}), "C3"));
  EXPECT_TRUE(IsRefused(ModelOf(input, {kLeast, 0}, {-1, 1}), "C3"));
  EXPECT_TRUE(IsRefused(ModelOf(input, {kGreatest, 0}, {kGreatest, 1}), "C3"));
}

TEST(SliceTest, RefusesAnOutputOfOtherDimensions) {
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {5}}, {1}, {-1}, {3})),
              HasSubstr("[4]; the model declares [3]"));
}

TEST(SliceTest, CameWithHal12) {
  EXPECT_EQ(PreparationErrorOf(ModelOf({kFloat32, {2}}, {0}, {1}, {1})), "");
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {2}}, {0}, {1}, {1}), HalVersion::V1_1),
              HasSubstr("HAL 1.1"));
}

}  // namespace
}  // namespace nncert
