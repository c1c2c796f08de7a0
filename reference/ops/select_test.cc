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
constexpr OperandType kBool8 = OperandType::TENSOR_BOOL8;

hal::V1_2::Model ModelOf(const OperandSpec& condition, const OperandSpec& if_true,
                         const OperandSpec& if_false, const OperandSpec& output) {
  ModelBuilder builder;
  const uint32_t mask = builder.Input(condition);
  const uint32_t a = builder.Input(if_true);
  const uint32_t b = builder.Input(if_false);
  builder.Operation(OperationType::SELECT, {mask, a, b}, {builder.Output(output)});
  return builder.model();
}

// All operands of one type.
std::vector<double> Select(const OperandSpec& spec, const std::vector<double>& condition,
                           const std::vector<double>& if_true,
                           const std::vector<double>& if_false) {
  const auto results = EvaluateInAllSystems(ModelOf({kBool8, spec.dimensions}, spec, spec, spec),
                                            {condition, if_true, if_false});
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  for (const Ball& ball : (*results)[0].enclosure) EXPECT_TRUE(ball.IsExact());
  EXPECT_EQ((*results)[0].from_float, (*results)[0].from_double);
  return (*results)[0].from_double;
}

TEST(SelectTest, TakesElementsByTheMask) {
  EXPECT_THAT(Select({kFloat32, {2, 2}}, {1, 0, 0, 1}, {1, 2, 3, 4}, {-1, -2, -3, -4}),
              ElementsAre(1, -2, -3, 4));
}

TEST(SelectTest, TakesElementsOfEveryTypeAndAnyRank) {
  EXPECT_THAT(Select({kFloat16, {2}}, {1, 0}, {0.5, 2}, {3, 65504}), ElementsAre(0.5, 65504));
  EXPECT_THAT(Select({kInt32, {1, 1, 1, 1, 2}}, {0, 1}, {1, 2147483647}, {-2147483648.0, 4}),
              ElementsAre(-2147483648.0, 2147483647));
  EXPECT_THAT(Select({kQuant8, {2}, 0.3f, 77}, {0, 1}, {1, 255}, {0, 4}), ElementsAre(0, 255));
}

TEST(SelectTest, AnInfinityThatIsNotSelectedDoesNotMatter) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(Select({kFloat32, {2}}, {1, 0}, {1, infinity}, {-infinity, 2}), ElementsAre(1, 2));
}

TEST(SelectTest, QuantizesInputsOfOtherQuantizationAnew) {
  // 131 steps of 1.5 from 129 are 3, step 131 of 1 from 128. 135 steps of 0.5 from 127 are 4, step
  // 132.
  const auto results =
      EvaluateInAllSystems(ModelOf({kBool8, {2}}, {kQuant8, {2}, 1.5, 129},
                                   {kQuant8, {2}, 0.5, 127}, {kQuant8, {2}, 1, 128}),
                           {{1, 0}, {131, 0}, {0, 135}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].from_double, ElementsAre(131, 132));
  EXPECT_THAT((*results)[0].from_float, ElementsAre(131, 132));
}

TEST(SelectTest, AConditionThatIsOpenGivesTheHullOfBoth) {
  // Whether the product of 10 and the float next to 0.1 is 1 depends on its rounding.
  ModelBuilder builder;
  const OperandSpec one = {kFloat32, {1}};
  const uint32_t tenth = builder.Input(one);
  const uint32_t ten = builder.Constant(one, {10});
  const uint32_t product = builder.Temporary(one);
  const uint32_t condition = builder.Temporary({kBool8, {1}});
  const uint32_t a = builder.Constant(one, {3});
  const uint32_t b = builder.Constant(one, {5});
  const uint32_t output = builder.Output(one);
  builder.Operation(OperationType::MUL, {tenth, ten, builder.Int32(0)}, {product});
  builder.Operation(OperationType::EQUAL, {product, builder.Constant(one, {1})}, {condition});
  builder.Operation(OperationType::SELECT, {condition, a, b}, {output});
  const auto results = EvaluateInAllSystems(builder.model(), {{0.1f}});
  ASSERT_TRUE(results.ok()) << results.status();
  const Ball& ball = (*results)[0].enclosure[0];
  EXPECT_TRUE(ball.Contains(3));
  EXPECT_TRUE(ball.Contains(5));
  EXPECT_LE(ball.radius, 1.001);
}

TEST(SelectTest, select_c1_rejects_a_mask_of_other_dimensions) {
  for (const std::vector<uint32_t>& wrong : std::vector<std::vector<uint32_t>>{{3}, {1}, {1, 2}}) {
    const OperandSpec two = {kFloat32, {2}};
    EXPECT_THAT(ErrorOf(ModelOf({kBool8, wrong}, two, two, {kFloat32, {}})),
                AllOf(RefusedBy("SELECT", "C1"), HasSubstr("input 0 'condition' (operand 0)"),
                      HasSubstr("input 1 'ifTrue' (operand 1) of dimensions [2]")));
  }
}

TEST(SelectTest, select_c2_rejects_tensors_of_different_dimensions) {
  EXPECT_THAT(ErrorOf(ModelOf({kBool8, {2}}, {kFloat32, {2}}, {kFloat32, {1}}, {kFloat32, {}})),
              AllOf(RefusedBy("SELECT", "C2"),
                    HasSubstr("input 2 'ifFalse' (operand 2) of dimensions [1]")));
}

TEST(SelectTest, FindsDimensionsThatTheModelLeavesOpen) {
  const auto results =
      EvaluateInAllSystems(ModelOf({kBool8, {2}}, {kFloat32, {2}}, {kFloat32, {2}}, {kFloat32, {}}),
                           {{1, 0}, {1, 2}, {3, 4}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].dimensions, ElementsAre(2));
  EXPECT_THAT(
      ErrorOf(ModelOf({kBool8, {2}}, {kFloat32, {2}}, {kFloat32, {2}}, {kFloat32, {3}})),
      AllOf(HasSubstr("SELECT output 0 (operand 3)"), HasSubstr("[2]; the model declares [3]")));
}

TEST(SelectTest, RefusesOtherTypes) {
  const OperandSpec two = {kFloat32, {2}};
  EXPECT_THAT(ErrorOf(ModelOf({kInt32, {2}}, two, two, two)),
              HasSubstr("SELECT input 0 'condition' (operand 0)"));
  EXPECT_THAT(ErrorOf(ModelOf({kBool8, {2}}, two, {kInt32, {2}}, two)),
              HasSubstr("SELECT input 2 'ifFalse' (operand 2)"));
  EXPECT_THAT(ErrorOf(ModelOf({kBool8, {2}}, {kBool8, {2}}, {kBool8, {2}}, {kBool8, {2}})),
              HasSubstr("SELECT input 1 'ifTrue' (operand 1)"));
  EXPECT_THAT(ErrorOf(ModelOf({kBool8, {2}}, two, two, two), HalVersion::V1_1),
              HasSubstr("the type is TENSOR_BOOL8; expected one of HAL 1.1"));
}

TEST(SelectTest, RefusesEmptyTensors) {
  const OperandSpec open = {kFloat32, {0}};
  const auto graph = PreparedGraph::Create(ModelOf({kBool8, {0}}, open, open, open));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {empty, empty, empty}).status().message(),
              HasSubstr("SELECT input 0 (operand 0) is empty"));
}

}  // namespace
}  // namespace nncert
