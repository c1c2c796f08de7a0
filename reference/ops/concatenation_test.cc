// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
using ::testing::IsEmpty;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

hal::V1_2::Model ModelOf(const std::vector<OperandSpec>& inputs, int32_t axis,
                         const OperandSpec& output) {
  ModelBuilder builder;
  std::vector<uint32_t> operands;
  for (const OperandSpec& input : inputs) operands.push_back(builder.Input(input));
  operands.push_back(builder.Int32(axis));
  builder.Operation(OperationType::CONCATENATION, operands, {builder.Output(output)});
  return builder.model();
}

std::string ErrorOf(const std::vector<OperandSpec>& inputs, int32_t axis, const OperandSpec& output,
                    HalVersion version = HalVersion::V1_2) {
  return std::string(
      PreparedGraph::Create(ModelOf(inputs, axis, output), version).status().message());
}

Evaluated Concatenate(const std::vector<OperandSpec>& inputs, int32_t axis,
                      const OperandSpec& output, const std::vector<std::vector<double>>& elements) {
  const auto results = EvaluateInAllSystems(ModelOf(inputs, axis, output), elements);
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated{};
}

TEST(ConcatenationTest, PutsTensorsOneBehindTheOther) {
  const OperandSpec row = {kFloat32, {1, 3}};
  const Evaluated result = Concatenate({row, row}, 0, {kFloat32, {2, 3}}, {{1, 2, 3}, {4, 5, 6}});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 3));
  EXPECT_THAT(result.from_double, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(result.from_float, ElementsAre(1, 2, 3, 4, 5, 6));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(ConcatenationTest, PutsTensorsSideBySideAlongAnInnerAxis) {
  // [[1, 2], [3, 4]], [[5], [6]] and [[7, 8, 9], [10, 11, 12]].
  const Evaluated result =
      Concatenate({{kFloat32, {2, 2}}, {kFloat32, {2, 1}}, {kFloat32, {2, 3}}}, 1,
                  {kFloat32, {2, 6}}, {{1, 2, 3, 4}, {5, 6}, {7, 8, 9, 10, 11, 12}});
  EXPECT_THAT(result.from_double, ElementsAre(1, 2, 5, 7, 8, 9, 3, 4, 6, 10, 11, 12));
}

TEST(ConcatenationTest, KeepsTheDimensionsInsideTheAxisTogether) {
  // Axis 1 of [2, 1, 2] and [2, 2, 2].
  const Evaluated result =
      Concatenate({{kFloat32, {2, 1, 2}}, {kFloat32, {2, 2, 2}}}, 1, {kFloat32, {2, 3, 2}},
                  {{1, 2, 3, 4}, {10, 20, 30, 40, 50, 60, 70, 80}});
  EXPECT_THAT(result.from_double, ElementsAre(1, 2, 10, 20, 30, 40, 3, 4, 50, 60, 70, 80));
}

TEST(ConcatenationTest, EveryAxisOfFourDimensions) {
  // All other dimensions being 1, the axis does not matter to the elements.
  for (int32_t axis = 0; axis < 4; ++axis) {
    std::vector<uint32_t> dimensions = {1, 1, 1, 1};
    dimensions[static_cast<size_t>(axis)] = 2;
    const Evaluated result = Concatenate({{kFloat32, dimensions}, {kFloat32, dimensions}}, axis,
                                         {kFloat32, {}}, {{1, 2}, {3, 4}});
    EXPECT_EQ(result.dimensions[static_cast<size_t>(axis)], 4u);
    EXPECT_THAT(result.from_double, ElementsAre(1, 2, 3, 4));
  }
}

TEST(ConcatenationTest, OneTensorAloneStaysAsItIs) {
  EXPECT_THAT(Concatenate({{kFloat32, {2}}}, 0, {kFloat32, {2}}, {{1, 2}}).from_double,
              ElementsAre(1, 2));
}

TEST(ConcatenationTest, TakesHalves) {
  const Evaluated result =
      Concatenate({{kFloat16, {1}}, {kFloat16, {2}}}, 0, {kFloat16, {3}}, {{0.5}, {-2, 65504}});
  EXPECT_THAT(result.from_float, ElementsAre(0.5, -2, 65504));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(ConcatenationTest, KeepsStepsOfOneQuantization) {
  const OperandSpec spec = {kQuant8, {4}, 0.1f, 7};
  const Evaluated result =
      Concatenate({spec, spec}, 0, {kQuant8, {8}, 0.1f, 7}, {{0, 1, 2, 255}, {7, 8, 128, 254}});
  EXPECT_THAT(result.from_double, ElementsAre(0, 1, 2, 255, 7, 8, 128, 254));
  EXPECT_EQ(result.from_float, result.from_double);
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(ConcatenationTest, QuantizesInputsOfOtherQuantizationAnew) {
  // Steps of 0.5 from zero point 10: 12 is 1.0 and 0 is -5.0. In steps of 0.25 from 100 these are
  // 104 and 80. Steps of 2 from 0: 3 is 6.0, step 124; 100 is 200.0, beyond step 255.
  const Evaluated result = Concatenate({{kQuant8, {2}, 0.5, 10}, {kQuant8, {2}, 2, 0}}, 0,
                                       {kQuant8, {4}, 0.25, 100}, {{12, 0}, {3, 100}});
  EXPECT_THAT(result.from_double, ElementsAre(104, 80, 124, 255));
  EXPECT_EQ(result.from_float, result.from_double);
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(ConcatenationTest, BetweenTwoStepsEitherMayBeMeant) {
  // 3 steps of 0.5 are 1.5 steps of 1.
  const Evaluated result = Concatenate({{kQuant8, {1}, 0.5, 0}}, 0, {kQuant8, {1}, 1, 0}, {{3}});
  EXPECT_TRUE(result.enclosure[0].Contains(1));
  EXPECT_TRUE(result.enclosure[0].Contains(2));
  EXPECT_LT(result.enclosure[0].radius, 0.6);
}

TEST(ConcatenationTest, concatenation_c1_rejects_inputs_of_different_types) {
  EXPECT_THAT(ErrorOf({{kFloat32, {2}}, {kFloat16, {2}}}, 0, {kFloat32, {4}}),
              RefusedBy("CONCATENATION", "C1"));
}

TEST(ConcatenationTest, concatenation_c2_rejects_mixed_quantization_before_1_2) {
  const OperandSpec output = {kQuant8, {4}, 0.5, 7};
  for (const OperandSpec& other :
       {OperandSpec{kQuant8, {2}, 0.25, 7}, OperandSpec{kQuant8, {2}, 0.5, 8}}) {
    const std::vector<OperandSpec> inputs = {{kQuant8, {2}, 0.5, 7}, other};
    EXPECT_THAT(ErrorOf(inputs, 0, output, HalVersion::V1_0), RefusedBy("CONCATENATION", "C2"));
    EXPECT_THAT(ErrorOf(inputs, 0, output, HalVersion::V1_1), RefusedBy("CONCATENATION", "C2"));
    EXPECT_EQ(ErrorOf(inputs, 0, output, HalVersion::V1_2), "");
  }
  EXPECT_EQ(ErrorOf({{kQuant8, {2}, 0.5, 7}, {kQuant8, {2}, 0.5, 7}}, 0, output, HalVersion::V1_0),
            "");
}

TEST(ConcatenationTest, concatenation_c3_rejects_an_axis_out_of_range) {
  const std::vector<OperandSpec> inputs = {{kFloat32, {1, 2}}, {kFloat32, {1, 2}}};
  for (const int32_t axis : {-1, 2, std::numeric_limits<int32_t>::min()}) {
    EXPECT_THAT(ErrorOf(inputs, axis, {kFloat32, {}}),
                AllOf(RefusedBy("CONCATENATION", "C3"), HasSubstr("input 2 'axis' (operand 2)")));
  }
}

TEST(ConcatenationTest, concatenation_c4_rejects_dimensions_that_do_not_fit) {
  for (const std::vector<uint32_t>& wrong :
       std::vector<std::vector<uint32_t>>{{2, 3}, {1, 2, 1}, {2}}) {
    EXPECT_THAT(
        ErrorOf({{kFloat32, {1, 2}}, {kFloat32, {1, 2}}, {kFloat32, wrong}}, 0, {kFloat32, {}}),
        AllOf(RefusedBy("CONCATENATION", "C4"), HasSubstr("input 0 'inputs' (operand 0)")));
  }
}

TEST(ConcatenationTest, RefusesAnAxisLongerThanADimensionCanBe) {
  const OperandSpec long_row = {kFloat32, {1u << 31}};
  EXPECT_THAT(ErrorOf({long_row, long_row}, 0, {kFloat32, {}}),
              AllOf(HasSubstr("operation 0: CONCATENATION"), HasSubstr("4294967296")));
}

TEST(ConcatenationTest, FindsDimensionsThatTheModelLeavesOpen) {
  const OperandSpec column = {kFloat32, {2, 1}};
  EXPECT_THAT(Concatenate({column, column}, 1, {kFloat32, {}}, {{1, 2}, {3, 4}}).dimensions,
              ElementsAre(2, 2));
  EXPECT_THAT(Concatenate({column, column}, 1, {kFloat32, {2, 0}}, {{1, 2}, {3, 4}}).from_double,
              ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(ErrorOf({column, column}, 1, {kFloat32, {2, 3}}),
              AllOf(HasSubstr("CONCATENATION output 0 (operand 3)"),
                    HasSubstr("[2, 2]; the model declares [2, 3]")));
}

TEST(ConcatenationTest, EmptyTensorsAddNothing) {
  const auto graph = PreparedGraph::Create(
      ModelOf({{kFloat32, {0, 2}}, {kFloat32, {0, 2}}}, 0, {kFloat32, {0, 2}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> elements = {1, 2, 3, 4};
  InputArgument rows;
  rows.dimensions = {2, 2};
  rows.elements = {reinterpret_cast<const std::byte*>(elements.data()), 16};
  InputArgument empty;
  empty.dimensions = {0, 2};
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    const auto one_empty = (*graph)->Execute(system, {empty, rows});
    ASSERT_TRUE(one_empty.ok()) << one_empty.status();
    EXPECT_THAT((*one_empty)[0].info.dimensions, ElementsAre(2, 2));
    const auto all_empty = (*graph)->Execute(system, {empty, empty});
    ASSERT_TRUE(all_empty.ok()) << all_empty.status();
    EXPECT_THAT((*all_empty)[0].info.dimensions, ElementsAre(0, 2));
    EXPECT_THAT((*all_empty)[0].elements, IsEmpty());
  }
  EXPECT_THAT((*(*graph)->Execute(NumberSystem::kDouble, {rows, empty}))[0].doubles(),
              ElementsAre(1, 2, 3, 4));
}

TEST(ConcatenationTest, TheSignatureGoesByHalVersion) {
  const auto error_of = [](OperandType type, HalVersion version) {
    return ErrorOf({{type, {2}}, {type, {2}}}, 0, {type, {4}}, version);
  };
  EXPECT_EQ(error_of(kFloat32, HalVersion::V1_0), "");
  EXPECT_THAT(error_of(kFloat16, HalVersion::V1_1),
              HasSubstr("the type is TENSOR_FLOAT16; expected one of HAL 1.1"));
  EXPECT_EQ(error_of(kFloat16, HalVersion::V1_2), "");
  EXPECT_THAT(error_of(OperandType::TENSOR_INT32, HalVersion::V1_2),
              HasSubstr("(operand 0) is TENSOR_INT32; expected "));
}

TEST(ConcatenationTest, RefusesNoTensors) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({kFloat32, {1}});
  const uint32_t axis = builder.Int32(0);
  builder.Operation(OperationType::CONCATENATION, {input, axis}, {builder.Output({kFloat32, {1}})});
  builder.Operation(OperationType::CONCATENATION, {axis}, {builder.Output({kFloat32, {1}})});
  EXPECT_THAT(PreparedGraph::Create(builder.model()).status().message(),
              HasSubstr("operation 1: CONCATENATION: has 1 inputs; expected at least 2"));
}

TEST(ConcatenationTest, RefusesFiveDimensions) {
  EXPECT_THAT(ErrorOf({{kFloat32, {1, 1, 1, 1, 1}}}, 0, {kFloat32, {}}), HasSubstr("rank 5"));
}

}  // namespace
}  // namespace nncert
