// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

hal::V1_2::Model ModelOf(const OperandSpec& input, int32_t axis,
                         const std::vector<uint32_t>& output, bool is_relaxed = false,
                         OperationType type = OperationType::ARGMAX) {
  ModelBuilder builder;
  const uint32_t from = builder.Input(input);
  const uint32_t along = builder.Int32(axis);
  const uint32_t to = builder.Output({kInt32, output});
  builder.Operation(type, {from, along}, {to}).Relaxed(is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const hal::V1_2::Model& model, const std::vector<double>& input) {
  const auto results = EvaluateInAllSystems(model, {input});
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  EXPECT_EQ((*results)[0].from_float, (*results)[0].from_double);
  return (*results)[0];
}

// The indexes, which must be certain.
std::vector<double> IndexesOf(const OperandSpec& input, int32_t axis,
                              const std::vector<double>& elements,
                              OperationType type = OperationType::ARGMAX) {
  const Evaluated result = Evaluate(ModelOf(input, axis, {}, false, type), elements);
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  return result.from_double;
}

// Whether the one index of the result may be `index`.
bool MayBe(const Evaluated& result, double index) { return result.enclosure[0].Contains(index); }

TEST(ArgmaxTest, FindsTheGreatestOfEachRowAndColumn) {
  const std::vector<double> elements = {1, 5, 2, 9, 0, 3};
  EXPECT_THAT(IndexesOf({kFloat32, {2, 3}}, 1, elements), ElementsAre(1, 0));
  EXPECT_THAT(IndexesOf({kFloat32, {2, 3}}, 0, elements), ElementsAre(1, 0, 1));
}

TEST(ArgmaxTest, ANegativeAxisCountsFromTheEnd) {
  const std::vector<double> elements = {1, 5, 2, 9, 0, 3};
  EXPECT_THAT(IndexesOf({kFloat32, {2, 3}}, -1, elements), ElementsAre(1, 0));
  EXPECT_THAT(IndexesOf({kFloat32, {2, 3}}, -2, elements), ElementsAre(1, 0, 1));
}

TEST(ArgmaxTest, LeavesOutTheAxisOfFiveDimensions) {
  // Element [i, j, k] of the dimensions above 1 is 4 i + 2 j + k, negated; the first is greatest.
  const Evaluated result =
      Evaluate(ModelOf({kFloat32, {2, 1, 2, 1, 2}}, 2, {}), {0, -1, -2, -3, -4, -5, -6, -7});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 1, 1, 2));
  EXPECT_THAT(result.from_double, ElementsAre(0, 0, 0, 0));
}

TEST(ArgmaxTest, AVectorGivesOneIndex) {
  const Evaluated result = Evaluate(ModelOf({kFloat32, {4}}, 0, {1}), {-3, -1, -2, -4});
  EXPECT_THAT(result.dimensions, ElementsAre(1));
  EXPECT_THAT(result.from_double, ElementsAre(1));
}

TEST(ArgmaxTest, ComparesElementsOfEveryType) {
  EXPECT_THAT(IndexesOf({kFloat16, {3}}, 0, {1, 1.0009765625, 0.5}), ElementsAre(1));
  // These integers are the same number as floats.
  EXPECT_THAT(IndexesOf({kInt32, {2, 2}}, 1, {2147483646, 2147483647, -5, -6}), ElementsAre(1, 0));
  EXPECT_THAT(IndexesOf({kQuant8, {3}, 0.1f, 128}, 0, {0, 255, 254}), ElementsAre(1));
}

TEST(ArgmaxTest, AnIndexIsExactBeyondThePrecisionOfTheElements) {
  // A half holds integers up to 2048 only.
  std::vector<double> elements(3000, 0);
  elements[2999] = 1;
  EXPECT_THAT(IndexesOf({kFloat16, {3000}}, 0, elements), ElementsAre(2999));
}

TEST(ArgmaxTest, AnyOfSeveralGreatestElementsIsAllowed) {
  const Evaluated result = Evaluate(ModelOf({kFloat32, {6}}, 0, {1}), {1, 7, 3, 7, 7, 2});
  EXPECT_THAT(result.from_double, ElementsAre(1));
  EXPECT_TRUE(MayBe(result, 1));
  EXPECT_TRUE(MayBe(result, 3));
  EXPECT_TRUE(MayBe(result, 4));
  EXPECT_FALSE(MayBe(result, 0));
  EXPECT_FALSE(MayBe(result, 5));
  const Evaluated steps = Evaluate(ModelOf({kQuant8, {3}, 0.1f, 3}, 0, {1}), {9, 9, 8});
  EXPECT_TRUE(MayBe(steps, 0));
  EXPECT_TRUE(MayBe(steps, 1));
  EXPECT_FALSE(MayBe(steps, 2));
  // Both zeros are equal.
  const Evaluated zeros = Evaluate(ModelOf({kFloat32, {3}}, 0, {1}), {-1, -0.0, 0});
  EXPECT_TRUE(MayBe(zeros, 1));
  EXPECT_TRUE(MayBe(zeros, 2));
  EXPECT_FALSE(MayBe(zeros, 0));
}

TEST(ArgmaxTest, ElementsThatRoundingMayMakeEqualAreAllAllowed) {
  // 1/3 * 3 may round to 1 or to a neighbour, 0.5 * 2 is 1 give or take one rounding.
  ModelBuilder builder;
  const OperandSpec four = {kFloat32, {4}};
  const uint32_t a = builder.Input(four);
  const uint32_t b = builder.Constant(four, {3, 2, 2, 2});
  const uint32_t product = builder.Temporary(four);
  builder.Operation(OperationType::MUL, {a, b, builder.Int32(0)}, {product});
  builder.Operation(OperationType::ARGMAX, {product, builder.Int32(0)},
                    {builder.Output({kInt32, {1}})});
  const Evaluated result = Evaluate(builder.model(), {1.f / 3, 0.5, 0.25, 0.499});
  EXPECT_TRUE(MayBe(result, 0));
  EXPECT_TRUE(MayBe(result, 1));
  EXPECT_FALSE(MayBe(result, 2));
  EXPECT_FALSE(MayBe(result, 3));
}

TEST(ArgmaxTest, RelaxedComputationMayNotTellNeighboursApart) {
  // 1.0001 is 1 in half precision.
  const std::vector<double> elements = {1, 1.0001f, 0.5};
  const Evaluated exact = Evaluate(ModelOf({kFloat32, {3}}, 0, {1}), elements);
  EXPECT_FALSE(MayBe(exact, 0));
  const Evaluated relaxed = Evaluate(ModelOf({kFloat32, {3}}, 0, {1}, true), elements);
  EXPECT_THAT(relaxed.from_double, ElementsAre(1));
  EXPECT_TRUE(MayBe(relaxed, 0));
  EXPECT_FALSE(MayBe(relaxed, 2));
}

TEST(ArgmaxTest, InfinitiesAreInOrder) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(IndexesOf({kFloat32, {3}}, 0, {-infinity, 0, infinity}), ElementsAre(2));
  EXPECT_THAT(IndexesOf({kFloat32, {2}}, 0, {-infinity, -1}), ElementsAre(1));
}

TEST(ArgmaxTest, WithNaNAnyIndexIsAllowed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Evaluated result = Evaluate(ModelOf({kFloat32, {2, 3}}, 1, {2}), {1, nan, 0, 1, 2, 0});
  EXPECT_TRUE(result.enclosure[0].Contains(0));
  EXPECT_TRUE(result.enclosure[0].Contains(2));
  EXPECT_TRUE(result.enclosure[1].IsExact());
  EXPECT_EQ(result.from_double[1], 1);
}

// The index of the least of a vector.
Evaluated LeastOf(const OperandSpec& input, const std::vector<double>& elements,
                  bool is_relaxed = false) {
  return Evaluate(ModelOf(input, 0, {1}, is_relaxed, OperationType::ARGMIN), elements);
}

TEST(ArgminTest, FindsTheLeastOfEachRowAndColumn) {
  const std::vector<double> elements = {1, 5, 0.5, 9, 0, 3};
  for (const int32_t axis : {1, -1}) {
    EXPECT_THAT(IndexesOf({kFloat32, {2, 3}}, axis, elements, OperationType::ARGMIN),
                ElementsAre(2, 1));
  }
  for (const int32_t axis : {0, -2}) {
    EXPECT_THAT(IndexesOf({kFloat32, {2, 3}}, axis, elements, OperationType::ARGMIN),
                ElementsAre(0, 1, 0));
  }
}

TEST(ArgminTest, AVectorGivesOneIndex) {
  const Evaluated result = LeastOf({kFloat32, {4}}, {-3, -1, -4, -2});
  EXPECT_THAT(result.dimensions, ElementsAre(1));
  EXPECT_THAT(result.from_double, ElementsAre(2));
}

TEST(ArgminTest, ComparesElementsOfEveryType) {
  EXPECT_THAT(LeastOf({kFloat16, {3}}, {1.0009765625, 1, 5}).from_double, ElementsAre(1));
  // These integers are the same number as floats, and the least of all has no negative.
  EXPECT_THAT(LeastOf({kInt32, {3}}, {2147483647, 2147483646, 2147483647}).from_double,
              ElementsAre(1));
  EXPECT_THAT(LeastOf({kInt32, {3}}, {-2147483647, -2147483648.0, 0}).from_double, ElementsAre(1));
  EXPECT_THAT(LeastOf({kQuant8, {3}, 0.1f, 128}, {1, 255, 0}).from_double, ElementsAre(2));
}

TEST(ArgminTest, AnyOfSeveralLeastElementsIsAllowed) {
  const Evaluated result = LeastOf({kFloat32, {6}}, {9, 7, 8, 7, 7, 10});
  EXPECT_THAT(result.from_double, ElementsAre(1));
  EXPECT_TRUE(MayBe(result, 1));
  EXPECT_TRUE(MayBe(result, 3));
  EXPECT_TRUE(MayBe(result, 4));
  EXPECT_FALSE(MayBe(result, 0));
  EXPECT_FALSE(MayBe(result, 5));
}

TEST(ArgminTest, RelaxedComputationMayNotTellNeighboursApart) {
  const std::vector<double> elements = {1.0001f, 1, 2};  // 1.0001 is 1 in half precision
  EXPECT_FALSE(MayBe(LeastOf({kFloat32, {3}}, elements), 0));
  const Evaluated relaxed = LeastOf({kFloat32, {3}}, elements, true);
  EXPECT_THAT(relaxed.from_double, ElementsAre(1));
  EXPECT_TRUE(MayBe(relaxed, 0));
  EXPECT_FALSE(MayBe(relaxed, 2));
}

TEST(ArgminTest, InfinitiesAreInOrderAndWithNaNAnyIndexIsAllowed) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(LeastOf({kFloat32, {3}}, {infinity, 0, -infinity}).from_double, ElementsAre(2));
  const Evaluated result = LeastOf({kFloat32, {3}}, {1, std::nan(""), 0});
  EXPECT_TRUE(MayBe(result, 0));
  EXPECT_TRUE(MayBe(result, 2));
}

TEST(ArgminTest, argmin_c1_rejects_an_axis_out_of_range) {
  for (const int32_t axis :
       {1, -2, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}) {
    EXPECT_TRUE(IsRefused(ModelOf({kFloat32, {3}}, axis, {}, false, OperationType::ARGMIN), "C1"));
  }
}

TEST(ArgminTest, CameWithHal12) {
  const hal::V1_2::Model model = ModelOf({kFloat32, {3}}, 0, {1}, false, OperationType::ARGMIN);
  EXPECT_EQ(ErrorOf(model), "");
  EXPECT_THAT(ErrorOf(model, HalVersion::V1_1), HasSubstr("ARGMIN"));
}

TEST(ArgmaxTest, argmax_c1_rejects_an_axis_out_of_range) {
  for (const int32_t axis :
       {2, -3, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}) {
    EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {2, 3}}, axis, {})),
                AllOf(RefusedBy("ARGMAX", "C1"),
                      HasSubstr("input 0 'input' (operand 0) of dimensions [2, 3]"),
                      HasSubstr("input 1 'axis' (operand 1)")));
  }
}

TEST(ArgmaxTest, RefusesAnOutputOfOtherDimensions) {
  EXPECT_THAT(
      ErrorOf(ModelOf({kFloat32, {2, 3}}, 1, {3})),
      AllOf(HasSubstr("ARGMAX output 0 (operand 2)"), HasSubstr("[2]; the model declares [3]")));
}

TEST(ArgmaxTest, RefusesAnEmptyTensor) {
  const auto graph = PreparedGraph::Create(ModelOf({kFloat32, {0}}, 0, {1}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {empty}).status().message(),
              HasSubstr("ARGMAX input 0 (operand 0) is empty"));
}

TEST(ArgmaxTest, RefusesOtherTypesAndVersions) {
  EXPECT_THAT(ErrorOf(ModelOf({OperandType::TENSOR_BOOL8, {2}}, 0, {1})),
              HasSubstr("ARGMAX input 0 'input' (operand 0)"));
  EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {2}}, 0, {1}), HalVersion::V1_1),
              HasSubstr("the type is ARGMAX; expected one of HAL 1.1"));
}

}  // namespace
}  // namespace nncert
