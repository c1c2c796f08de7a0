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

hal::V1_2::Model ModelOf(const OperandSpec& input, const std::vector<int32_t>& multiples,
                         std::vector<uint32_t> output = {}) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input(input), builder.Int32Vector(multiples)};
  OperandSpec to = input;
  to.dimensions = std::move(output);
  builder.Operation(OperationType::TILE, inputs, {builder.Output(to)});
  return builder.model();
}

// Tiles a tensor with elements 0, 1, 2, ...
Evaluated Tile(const OperandSpec& input, const std::vector<int32_t>& multiples) {
  return EvaluateMoves(ModelOf(input, multiples),
                       {Counting(NumberOfElements(input.dimensions))})[0];
}

// What tiling gives, straight from the definition.
std::vector<double> ByDefinition(const std::vector<uint32_t>& input,
                                 const std::vector<int32_t>& multiples) {
  std::vector<uint32_t> output;
  for (size_t d = 0; d < input.size(); ++d) {
    output.push_back(input[d] * static_cast<uint32_t>(multiples[d]));
  }
  std::vector<double> expected(NumberOfElements(output));
  for (size_t element = 0; element < expected.size(); ++element) {
    size_t rest = element;
    size_t position = 0;
    size_t stride = 1;
    for (size_t d = input.size(); d-- > 0; rest /= output[d]) {
      position += rest % output[d] % input[d] * stride;
      stride *= input[d];
    }
    expected[element] = static_cast<double>(position);
  }
  return expected;
}

TEST(TileTest, RepeatsAVector) {
  EXPECT_THAT(Tile({kFloat32, {3}}, {2}).from_double, ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_THAT(Tile({kFloat32, {3}}, {1}).from_double, ElementsAre(0, 1, 2));
}

TEST(TileTest, RepeatsRowsAndColumns) {
  const Evaluated rows = Tile({kFloat32, {2, 2}}, {2, 1});
  EXPECT_THAT(rows.dimensions, ElementsAre(4, 2));
  EXPECT_THAT(rows.from_double, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
  const Evaluated columns = Tile({kFloat32, {2, 2}}, {1, 2});
  EXPECT_THAT(columns.dimensions, ElementsAre(2, 4));
  EXPECT_THAT(columns.from_double, ElementsAre(0, 1, 0, 1, 2, 3, 2, 3));
}

TEST(TileTest, EveryCombinationOfDimensionsGoesByTheDefinition) {
  const std::vector<uint32_t> dimensions = {2, 1, 3, 2};
  for (int32_t combination = 0; combination < 81; ++combination) {
    const std::vector<int32_t> multiples = {1 + combination % 3, 1 + combination / 3 % 3,
                                            1 + combination / 9 % 3, 1 + combination / 27};
    EXPECT_EQ(Tile({kFloat32, dimensions}, multiples).from_double,
              ByDefinition(dimensions, multiples));
  }
}

TEST(TileTest, MovesElementsOfEveryTypeAndRank) {
  for (const OperandSpec& input :
       {OperandSpec{kFloat16, {1, 1, 1, 1, 2}}, OperandSpec{kInt32, {1, 1, 1, 1, 2}},
        OperandSpec{kQuant8, {1, 1, 1, 1, 2}, 0.5, 7}}) {
    EXPECT_THAT(Tile(input, {1, 1, 1, 1, 3}).from_float, ElementsAre(0, 1, 0, 1, 0, 1));
    EXPECT_THAT(Tile(input, {2, 1, 1, 1, 1}).from_float, ElementsAre(0, 1, 0, 1));
  }
}

TEST(TileTest, TheMultiplesMayBeAnInput) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kFloat32, {1, 2}}),
                                        builder.Input({kInt32, {2}})};
  builder.Operation(OperationType::TILE, inputs, {builder.Output({kFloat32, {0, 0}})});
  EXPECT_THAT(EvaluateMoves(builder.model(), {{5, 6}, {2, 1}})[0].dimensions, ElementsAre(2, 2));
  EXPECT_THAT(EvaluateMoves(builder.model(), {{5, 6}, {1, 2}})[0].dimensions, ElementsAre(1, 4));
  EXPECT_TRUE(IsRefused(builder.model(), "C2", {{5, 6}, {0, 1}}));
}

TEST(TileTest, tile_c1_rejects_multiples_of_another_rank) {
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {1, 2}}, {2}), "C1"));
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {1, 2}}, {2, 2, 2}), "C1"));
}

TEST(TileTest, tile_c2_rejects_multiples_below_one) {
  for (const int32_t multiple : {0, -1, std::numeric_limits<int32_t>::min()}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {1, 2}}, {1, multiple}), "C2"));
  }
}

TEST(TileTest, RefusesOutputsThatAreTooLarge) {
  const int32_t greatest = std::numeric_limits<int32_t>::max();
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {1, 3}}, {1, greatest})),
              HasSubstr("TILE: the output would have dimensions [1, 6442450941]"));
  const auto results =
      EvaluateInAllSystems(ModelOf({kFloat32, {1, 2}}, {greatest, greatest}), {{1, 2}});
  EXPECT_THAT(results.status().message(), HasSubstr("[2147483647, 4294967294]"));
}

TEST(TileTest, RefusesAnOutputOfOtherDimensions) {
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {2}}, {3}, {4})),
              HasSubstr("[6]; the model declares [4]"));
}

TEST(TileTest, CameWithHal12) {
  EXPECT_EQ(PreparationErrorOf(ModelOf({kFloat32, {2}}, {1}, {2})), "");
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {2}}, {1}, {2}), HalVersion::V1_1),
              HasSubstr("HAL 1.1"));
}

}  // namespace
}  // namespace nncert
