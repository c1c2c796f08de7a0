// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/elementwise.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kBool8 = OperandType::TENSOR_BOOL8;

TEST(LogicalAndTest, IsTrueWhereBothAre) {
  const OperandSpec row = {kBool8, {4}};
  const Evaluated result =
      Evaluate(BinaryModel(OperationType::LOGICAL_AND, row, row, row), {0, 0, 1, 1}, {0, 1, 0, 1});
  EXPECT_THAT(result.from_double, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(result.from_float, ElementsAre(0, 0, 0, 1));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(LogicalOrTest, IsTrueWhereEitherIs) {
  const OperandSpec row = {kBool8, {4}};
  const Evaluated result =
      Evaluate(BinaryModel(OperationType::LOGICAL_OR, row, row, row), {0, 0, 1, 1}, {0, 1, 0, 1});
  EXPECT_THAT(result.from_double, ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(result.from_float, ElementsAre(0, 1, 1, 1));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(LogicalAndTest, Broadcasts) {
  const Evaluated result = Evaluate(
      BinaryModel(OperationType::LOGICAL_AND, {kBool8, {2, 1}}, {kBool8, {3}}, {kBool8, {2, 3}}),
      {1, 0}, {0, 1, 1});
  EXPECT_THAT(result.from_double, ElementsAre(0, 1, 1, 0, 0, 0));
}

TEST(LogicalOrTest, BroadcastsTensorsOfAnyRankToUnknownDimensions) {
  const Evaluated result =
      Evaluate(BinaryModel(OperationType::LOGICAL_OR, {kBool8, {2, 1, 1, 1, 1}}, {kBool8, {2}},
                           {kBool8, {}}),
               {1, 0}, {0, 1});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 1, 1, 1, 2));
  EXPECT_THAT(result.from_double, ElementsAre(1, 1, 0, 1));
}

TEST(LogicalAndTest, EveryByteButZeroIsTrue) {
  const OperandSpec row = {kBool8, {3}};
  const std::byte a[3] = {std::byte{1}, std::byte{4}, std::byte{255}};
  const std::byte b[3] = {std::byte{2}, std::byte{3}, std::byte{0}};
  std::vector<InputArgument> arguments(2);
  arguments[0].elements = a;
  arguments[1].elements = b;
  const auto graph = PreparedGraph::Create(BinaryModel(OperationType::LOGICAL_AND, row, row, row));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const auto outputs = (*graph)->Execute(NumberSystem::kFloat, arguments);
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].elements, ElementsAre(std::byte{1}, std::byte{1}, std::byte{0}));
}

// (1e-9 + 1 == 1) `type` other, of which the comparison may go either way.
Ball WithAnUndecidedOperand(OperationType type, double other) {
  ModelBuilder builder;
  const OperandSpec row = {kFloat32, {1}};
  const uint32_t a = builder.Input(row);
  const uint32_t b = builder.Input(row);
  const uint32_t c = builder.Input({kBool8, {1}});
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Temporary(row);
  const uint32_t equal = builder.Temporary({kBool8, {1}});
  const uint32_t answer = builder.Output({kBool8, {1}});
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::EQUAL, {sum, b}, {equal});
  builder.Operation(type, {equal, c}, {answer});
  const auto results = EvaluateInAllSystems(builder.model(), {{1e-9}, {1}, {other}});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0].enclosure[0] : Ball();
}

TEST(LogicalAndTest, FalseDecidesWhateverTheOther) {
  EXPECT_TRUE(WithAnUndecidedOperand(OperationType::LOGICAL_AND, 0).IsExact());
  EXPECT_FALSE(WithAnUndecidedOperand(OperationType::LOGICAL_AND, 1).IsExact());
}

TEST(LogicalOrTest, TrueDecidesWhateverTheOther) {
  EXPECT_TRUE(WithAnUndecidedOperand(OperationType::LOGICAL_OR, 1).IsExact());
  EXPECT_FALSE(WithAnUndecidedOperand(OperationType::LOGICAL_OR, 0).IsExact());
}

class ConnectiveTest : public testing::TestWithParam<OperationType> {};

INSTANTIATE_TEST_SUITE_P(All, ConnectiveTest,
                         testing::Values(OperationType::LOGICAL_AND, OperationType::LOGICAL_OR));

TEST_P(ConnectiveTest, CameWithHal12) {
  const OperandSpec row = {kBool8, {1}};
  EXPECT_EQ(ErrorOf(BinaryModel(GetParam(), row, row, row)), "");
  EXPECT_THAT(ErrorOf(BinaryModel(GetParam(), row, row, row), HalVersion::V1_1),
              HasSubstr("the type is TENSOR_BOOL8; expected one of HAL 1.1"));
}

TEST_P(ConnectiveTest, TakesBooleansAlone) {
  const OperandSpec integers = {kInt32, {1}};
  const OperandSpec booleans = {kBool8, {1}};
  EXPECT_THAT(ErrorOf(BinaryModel(GetParam(), integers, integers, integers)),
              HasSubstr("input 0 'a' (operand 0) is TENSOR_INT32; expected TENSOR_BOOL8"));
  EXPECT_THAT(ErrorOf(BinaryModel(GetParam(), booleans, integers, booleans)),
              HasSubstr("input 1 'b' (operand 1) is TENSOR_INT32; expected TENSOR_BOOL8"));
}

TEST_P(ConnectiveTest, RefusesDimensionsThatDoNotBroadcast) {
  EXPECT_THAT(ErrorOf(BinaryModel(GetParam(), {kBool8, {2}}, {kBool8, {3}}, {kBool8, {3}})),
              HasSubstr("dimensions [2] and [3] do not broadcast"));
}

TEST(LogicalAndTest, RefusesEmptyTensors) {
  EXPECT_THAT(EmptyTensorErrorOf(OperationType::LOGICAL_AND, kBool8, kBool8),
              HasSubstr("LOGICAL_AND input 0 (operand 0) is empty: [0, 2]"));
}

TEST(LogicalOrTest, RefusesEmptyTensors) {
  EXPECT_THAT(EmptyTensorErrorOf(OperationType::LOGICAL_OR, kBool8, kBool8),
              HasSubstr("LOGICAL_OR input 0 (operand 0) is empty: [0, 2]"));
}

}  // namespace
}  // namespace nncert
