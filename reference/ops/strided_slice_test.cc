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

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// One STRIDED_SLICE of a tensor with elements 0, 1, 2, ...
struct Slicing {
  OperandSpec input;
  std::vector<int32_t> begin;
  std::vector<int32_t> end;
  std::vector<int32_t> strides;
  int32_t begin_mask = 0;
  int32_t end_mask = 0;
  int32_t shrink_axis_mask = 0;
  std::vector<uint32_t> output = {};
};

hal::V1_2::Model ModelOf(const Slicing& slicing) {
  ModelBuilder builder;
  const uint32_t input = builder.Input(slicing.input);
  OperandSpec output = slicing.input;
  output.dimensions = slicing.output;
  const std::vector<uint32_t> inputs = {input,
                                        builder.Int32Vector(slicing.begin),
                                        builder.Int32Vector(slicing.end),
                                        builder.Int32Vector(slicing.strides),
                                        builder.Int32(slicing.begin_mask),
                                        builder.Int32(slicing.end_mask),
                                        builder.Int32(slicing.shrink_axis_mask)};
  builder.Operation(OperationType::STRIDED_SLICE, inputs, {builder.Output(output)});
  return builder.model();
}

std::string ErrorOf(const Slicing& slicing, HalVersion version = HalVersion::V1_2) {
  return std::string(PreparedGraph::Create(ModelOf(slicing), version).status().message());
}

Evaluated Slice(const Slicing& slicing) {
  std::vector<double> elements(NumberOfElements(slicing.input.dimensions));
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<double>(i);
  const auto results = EvaluateInAllSystems(ModelOf(slicing), {elements});
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  EXPECT_EQ((*results)[0].from_float, (*results)[0].from_double);
  for (const Ball& ball : (*results)[0].enclosure) EXPECT_TRUE(ball.IsExact());
  return (*results)[0];
}

// Slices 0, 1, 2, 3, 4.
std::vector<double> SliceOfFive(int32_t begin, int32_t end, int32_t stride, int32_t begin_mask = 0,
                                int32_t end_mask = 0) {
  return Slice({{kFloat32, {5}}, {begin}, {end}, {stride}, begin_mask, end_mask}).from_double;
}

TEST(StridedSliceTest, TakesEveryStrideThElementBeforeTheEnd) {
  EXPECT_THAT(SliceOfFive(1, 4, 1), ElementsAre(1, 2, 3));
  EXPECT_THAT(SliceOfFive(0, 5, 2), ElementsAre(0, 2, 4));
  EXPECT_THAT(SliceOfFive(0, 4, 2), ElementsAre(0, 2));
  EXPECT_THAT(SliceOfFive(1, 5, 7), ElementsAre(1));
}

TEST(StridedSliceTest, NegativeStridesGoBackwards) {
  EXPECT_THAT(SliceOfFive(4, 1, -1), ElementsAre(4, 3, 2));
  EXPECT_THAT(SliceOfFive(3, 0, -2), ElementsAre(3, 1));
  EXPECT_THAT(SliceOfFive(4, 0, -2), ElementsAre(4, 2));
  // -6 is before the first element, so the first one is in the slice; -5 would be the first itself.
  EXPECT_THAT(SliceOfFive(4, -6, -2), ElementsAre(4, 2, 0));
  EXPECT_THAT(SliceOfFive(4, -5, -2), ElementsAre(4, 2));
}

TEST(StridedSliceTest, NegativeBoundsCountFromTheEnd) {
  EXPECT_THAT(SliceOfFive(-4, -1, 1), ElementsAre(1, 2, 3));
  EXPECT_THAT(SliceOfFive(-1, -4, -1), ElementsAre(4, 3, 2));
  EXPECT_THAT(SliceOfFive(-5, -4, 1), ElementsAre(0));
}

TEST(StridedSliceTest, BoundsOutsideTheDimensionAreItsEnds) {
  EXPECT_THAT(SliceOfFive(-100, 100, 2), ElementsAre(0, 2, 4));
  EXPECT_THAT(SliceOfFive(100, -100, -2), ElementsAre(4, 2, 0));
  const int32_t least = std::numeric_limits<int32_t>::min();
  const int32_t greatest = std::numeric_limits<int32_t>::max();
  EXPECT_THAT(SliceOfFive(least, greatest, greatest), ElementsAre(0));
  EXPECT_THAT(SliceOfFive(greatest, least, least), ElementsAre(4));
}

TEST(StridedSliceTest, ASliceMayBeEmpty) {
  EXPECT_THAT(SliceOfFive(3, 3, 1), IsEmpty());
  EXPECT_THAT(SliceOfFive(3, 1, 1), IsEmpty());
  EXPECT_THAT(SliceOfFive(1, 3, -1), IsEmpty());
  // -1 as an end is the last element, also backwards.
  EXPECT_THAT(SliceOfFive(4, -1, -1), IsEmpty());
  EXPECT_THAT(Slice({{kFloat32, {2, 3}}, {0, 2}, {2, 2}, {1, 1}}).dimensions, ElementsAre(2, 0));
}

TEST(StridedSliceTest, AMaskedBoundIsTheEndOfTheDimension) {
  EXPECT_THAT(SliceOfFive(2, 4, 1, 1, 0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(SliceOfFive(2, 4, 1, 0, 1), ElementsAre(2, 3, 4));
  EXPECT_THAT(SliceOfFive(2, 1, -1, 1, 0), ElementsAre(4, 3, 2));
  EXPECT_THAT(SliceOfFive(2, 1, -1, 0, 1), ElementsAre(2, 1, 0));
  EXPECT_THAT(SliceOfFive(2, 2, -1, 1, 1), ElementsAre(4, 3, 2, 1, 0));
}

TEST(StridedSliceTest, BitDOfAMaskIsForDimensionD) {
  // Rows 1 and 2 of three, and columns 0 and 1 of four: 4 5 and 8 9.
  const Slicing plain = {{kFloat32, {3, 4}}, {1, 0}, {3, 2}, {1, 1}};
  EXPECT_THAT(Slice(plain).from_double, ElementsAre(4, 5, 8, 9));
  Slicing masked = plain;
  masked.begin_mask = 1;  // row 0 too
  EXPECT_THAT(Slice(masked).from_double, ElementsAre(0, 1, 4, 5, 8, 9));
  masked = plain;
  masked.end_mask = 2;  // all columns
  EXPECT_THAT(Slice(masked).from_double, ElementsAre(4, 5, 6, 7, 8, 9, 10, 11));
  // Bits beyond the rank say nothing.
  masked.begin_mask = ~3;
  masked.end_mask = ~3;
  EXPECT_THAT(Slice(masked).from_double, ElementsAre(4, 5, 8, 9));
}

TEST(StridedSliceTest, AShrunkDimensionIsLeftOut) {
  // Element [i, j] of 3 x 4 is 4 i + j.
  const Evaluated row = Slice({{kFloat32, {3, 4}}, {1, 0}, {2, 4}, {1, 1}, 0, 0, 1});
  EXPECT_THAT(row.dimensions, ElementsAre(4));
  EXPECT_THAT(row.from_double, ElementsAre(4, 5, 6, 7));
  const Evaluated column = Slice({{kFloat32, {3, 4}}, {0, -1}, {3, 4}, {1, 1}, 0, 0, 2});
  EXPECT_THAT(column.dimensions, ElementsAre(3));
  EXPECT_THAT(column.from_double, ElementsAre(3, 7, 11));
}

TEST(StridedSliceTest, WithEveryDimensionShrunkOneElementIsLeft) {
  const Evaluated element = Slice({{kFloat32, {3, 4}}, {2, 1}, {3, 2}, {1, 1}, 0, 0, 3});
  EXPECT_THAT(element.dimensions, ElementsAre(1));
  EXPECT_THAT(element.from_double, ElementsAre(9));
}

TEST(StridedSliceTest, SlicesFourDimensionsInDifferentDirections) {
  // Element [i, j, k, l] of 2 x 2 x 3 x 2 is 12 i + 6 j + 2 k + l. Taken are i = 1, j = 1 then 0,
  // k = 0 then 2, l = 1.
  const Evaluated result =
      Slice({{kFloat32, {2, 2, 3, 2}}, {1, 1, 0, 1}, {2, -3, 3, 2}, {1, -1, 2, 1}});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 2, 2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(19, 23, 13, 17));
}

TEST(StridedSliceTest, MovesElementsOfEveryType) {
  EXPECT_THAT(Slice({{kFloat16, {4}}, {3}, {0}, {-2}}).from_float, ElementsAre(3, 1));
  EXPECT_THAT(Slice({{kQuant8, {4}, 0.5, 7}, {3}, {0}, {-2}}).from_float, ElementsAre(3, 1));
}

TEST(StridedSliceTest, TheBoundsMayBeInputs) {
  ModelBuilder builder;
  const OperandSpec one = {OperandType::TENSOR_INT32, {1}};
  std::vector<uint32_t> inputs = {builder.Input({kFloat32, {4}}), builder.Input(one),
                                  builder.Input(one), builder.Input(one)};
  for (int i = 0; i < 3; ++i) inputs.push_back(builder.Int32(0));
  builder.Operation(OperationType::STRIDED_SLICE, inputs, {builder.Output({kFloat32, {0}})});
  const auto results = EvaluateInAllSystems(builder.model(), {{5, 6, 7, 8}, {3}, {0}, {-2}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].from_double, ElementsAre(8, 6));
  const auto wrong = EvaluateInAllSystems(builder.model(), {{5, 6, 7, 8}, {3}, {0}, {0}});
  EXPECT_THAT(wrong.status().message(), RefusedBy("STRIDED_SLICE", "C2"));
}

TEST(StridedSliceTest, strided_slice_c1_rejects_bounds_of_another_rank) {
  const Slicing right = {{kFloat32, {2, 3}}, {0, 0}, {1, 1}, {1, 1}};
  EXPECT_EQ(ErrorOf(right), "");
  for (std::vector<int32_t> Slicing::*bound : {&Slicing::begin, &Slicing::end, &Slicing::strides}) {
    for (const std::vector<int32_t>& wrong : std::vector<std::vector<int32_t>>{{1}, {1, 1, 1}}) {
      Slicing slicing = right;
      slicing.*bound = wrong;
      EXPECT_THAT(ErrorOf(slicing),
                  AllOf(RefusedBy("STRIDED_SLICE", "C1"),
                        HasSubstr("input 0 'input' (operand 0) of dimensions [2, 3]")));
    }
  }
}

TEST(StridedSliceTest, strided_slice_c2_rejects_a_stride_of_zero) {
  EXPECT_THAT(ErrorOf({{kFloat32, {2, 3}}, {0, 0}, {1, 1}, {1, 0}}),
              AllOf(RefusedBy("STRIDED_SLICE", "C2"), HasSubstr("input 3 'strides' (operand 3)")));
}

TEST(StridedSliceTest, strided_slice_c3_rejects_shrinking_what_is_not_one_element) {
  // Two elements, and none.
  for (const int32_t end : {3, 1}) {
    EXPECT_THAT(
        ErrorOf({{kFloat32, {5, 2}}, {1, 0}, {end, 2}, {1, 1}, 0, 0, 1}),
        AllOf(RefusedBy("STRIDED_SLICE", "C3"), HasSubstr("input 6 'shrinkAxisMask' (operand 6)")));
  }
}

TEST(StridedSliceTest, RefusesAnOutputOfOtherDimensions) {
  EXPECT_THAT(ErrorOf({{kFloat32, {5}}, {0}, {5}, {2}, 0, 0, 0, {2}}),
              AllOf(HasSubstr("STRIDED_SLICE output 0 (operand 7)"),
                    HasSubstr("[3]; the model declares [2]")));
}

TEST(StridedSliceTest, AQuantizedOutputMayHaveAScaleOfItsOwn) {
  ExpectOwnQuantization(ModelOf({{kQuant8, {5}, 0.5, 7}, {3}, {0}, {-2}}), 5);
}

TEST(StridedSliceTest, RefusesFiveDimensions) {
  EXPECT_THAT(
      ErrorOf({{kFloat32, {1, 1, 1, 1, 1}}, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}}),
      HasSubstr("rank 5"));
}

TEST(StridedSliceTest, TheSignatureGoesByHalVersion) {
  const auto slicing = [](OperandType type) {
    const float scale = type == kQuant8 ? 1.f : 0.f;
    return Slicing{{type, {4}, scale}, {0}, {2}, {1}, 0, 0, 0, {2}};
  };
  EXPECT_EQ(ErrorOf(slicing(kFloat32), HalVersion::V1_1), "");
  EXPECT_EQ(ErrorOf(slicing(kQuant8), HalVersion::V1_1), "");
  EXPECT_THAT(ErrorOf(slicing(kFloat32), HalVersion::V1_0),
              HasSubstr("the type is STRIDED_SLICE; expected one of HAL 1.0"));
  EXPECT_THAT(ErrorOf(slicing(kFloat16), HalVersion::V1_1),
              HasSubstr("the type is TENSOR_FLOAT16; expected one of HAL 1.1"));
  EXPECT_EQ(ErrorOf(slicing(kFloat16), HalVersion::V1_2), "");
  EXPECT_THAT(ErrorOf(slicing(OperandType::TENSOR_INT32), HalVersion::V1_2),
              HasSubstr("(operand 0) is TENSOR_INT32; expected "));
}

}  // namespace
}  // namespace nncert
