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
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// The dimensions to squeeze: absent is an operand without a value.
using Axes = std::optional<std::vector<int32_t>>;

hal::V1_2::Model ModelOf(const OperandSpec& input, const Axes& axes,
                         std::vector<uint32_t> output = {}) {
  ModelBuilder builder;
  const uint32_t from = builder.Input(input);
  const uint32_t listed =
      axes.has_value() ? builder.Int32Vector(*axes) : builder.Omitted({kInt32, {0}});
  OperandSpec to = input;
  to.dimensions = std::move(output);
  builder.Operation(OperationType::SQUEEZE, {from, listed}, {builder.Output(to)});
  return builder.model();
}

// The dimensions of the squeezed tensor; its elements must be those of the input in order.
std::vector<uint32_t> Squeezed(const OperandSpec& input, const Axes& axes) {
  const std::vector<double> elements = Counting(NumberOfElements(input.dimensions));
  const Evaluated result = EvaluateMoves(ModelOf(input, axes), {elements})[0];
  EXPECT_EQ(result.from_double, elements);
  return {result.dimensions.begin(), result.dimensions.end()};
}

TEST(SqueezeTest, LeavesOutTheListedDimensions) {
  EXPECT_THAT(Squeezed({kFloat32, {1, 2, 1, 3}}, {{0}}), ElementsAre(2, 1, 3));
  EXPECT_THAT(Squeezed({kFloat32, {1, 2, 1, 3}}, {{2}}), ElementsAre(1, 2, 3));
  EXPECT_THAT(Squeezed({kFloat32, {1, 2, 1, 3}}, {{2, 0}}), ElementsAre(2, 3));
}

TEST(SqueezeTest, WithoutAListLeavesOutEveryDimensionOfOne) {
  EXPECT_THAT(Squeezed({kFloat32, {1, 2, 1, 3}}, std::nullopt), ElementsAre(2, 3));
  EXPECT_THAT(Squeezed({kFloat32, {2, 3}}, std::nullopt), ElementsAre(2, 3));
}

TEST(SqueezeTest, TheRequestMayLeaveOutTheList) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kFloat32, {1, 2, 1}}),
                                        builder.Input({kInt32, {1}})};
  builder.Operation(OperationType::SQUEEZE, inputs, {builder.Output({kFloat32, {}})});
  EXPECT_THAT(EvaluateMoves(builder.model(), {{1, 2}, {0}})[0].dimensions, ElementsAre(2, 1));
  EXPECT_THAT(EvaluateMoves(builder.model(), {{1, 2}, {}})[0].dimensions, ElementsAre(2));
  EXPECT_TRUE(IsRefused(builder.model(), "C1", {{1, 2}, {3}}));
  EXPECT_TRUE(IsRefused(builder.model(), "C2", {{1, 2}, {1}}));
}

TEST(SqueezeTest, NegativeAndRepeatedEntriesAreAsInAndroid) {
  EXPECT_THAT(Squeezed({kFloat32, {1, 2, 1}}, {{-1}}), ElementsAre(1, 2));
  EXPECT_THAT(Squeezed({kFloat32, {1, 2, 1}}, {{0, -3, 0}}), ElementsAre(2, 1));
}

TEST(SqueezeTest, OneDimensionIsLeft) {
  EXPECT_THAT(Squeezed({kFloat32, {1, 1}}, {{0, 1}}), ElementsAre(1));
  EXPECT_THAT(Squeezed({kFloat32, {1}}, std::nullopt), ElementsAre(1));
}

TEST(SqueezeTest, MovesElementsOfEveryType) {
  EXPECT_THAT(Squeezed({kFloat16, {1, 3}}, {{0}}), ElementsAre(3));
  EXPECT_THAT(Squeezed({kQuant8, {1, 3}, 0.5, 7}, {{0}}), ElementsAre(3));
}

TEST(SqueezeTest, squeeze_c1_rejects_dimensions_that_there_are_not) {
  for (const int32_t axis :
       {3, -4, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {1, 1, 1}}, {{0, axis}}), "C1"));
  }
}

TEST(SqueezeTest, squeeze_c2_rejects_dimensions_that_are_not_one) {
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {1, 2, 1}}, {{0, 1}}), "C2"));
  EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {1, 2, 1}}, {{-2}}), "C2"));
}

TEST(SqueezeTest, RefusesAnOutputOfOtherDimensions) {
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {1, 2, 1}}, {{0}}, {2})),
              HasSubstr("[2, 1]; the model declares [2]"));
}

TEST(SqueezeTest, TheSignatureGoesByHalVersion) {
  const auto error = [](OperandType type, HalVersion version) {
    const float scale = type == kQuant8 ? 1.f : 0.f;
    return PreparationErrorOf(ModelOf({type, {1, 2}, scale}, {{0}}, {2}), version);
  };
  EXPECT_EQ(error(kFloat32, HalVersion::V1_1), "");
  EXPECT_EQ(error(kQuant8, HalVersion::V1_1), "");
  EXPECT_THAT(error(kFloat32, HalVersion::V1_0),
              HasSubstr("the type is SQUEEZE; expected one of HAL 1.0"));
  EXPECT_THAT(error(kFloat16, HalVersion::V1_1),
              HasSubstr("the type is TENSOR_FLOAT16; expected one of HAL 1.1"));
  EXPECT_EQ(error(kFloat16, HalVersion::V1_2), "");
  EXPECT_THAT(error(kInt32, HalVersion::V1_2), HasSubstr("(operand 0) is TENSOR_INT32; expected "));
  EXPECT_EQ(PreparationErrorOf(ModelOf({kFloat32, {1, 2}}, std::nullopt, {2}), HalVersion::V1_1),
            "");
  EXPECT_THAT(PreparationErrorOf(ModelOf({kFloat32, {1, 1, 1, 1, 2}}, {{0}})), HasSubstr("rank 5"));
}

}  // namespace
}  // namespace nncert
