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

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

hal::V1_2::Model ModelOf(const OperandSpec& input, const std::vector<int32_t>& shape,
                         const OperandSpec& output) {
  ModelBuilder builder;
  const uint32_t from = builder.Input(input);
  const uint32_t dimensions = builder.Int32Vector(shape);
  const uint32_t to = builder.Output(output);
  builder.Operation(OperationType::RESHAPE, {from, dimensions}, {to});
  return builder.model();
}

// Six float elements to be given `shape`.
std::string ErrorOfShape(const std::vector<int32_t>& shape) {
  return ErrorOf(ModelOf({kFloat32, {2, 3}}, shape, {kFloat32, {}}));
}

const std::vector<double> kSix = {1, 2, 3, 4, 5, 6};

Evaluated Reshape(const OperandSpec& input, const std::vector<int32_t>& shape,
                  const OperandSpec& output) {
  const auto results = EvaluateInAllSystems(ModelOf(input, shape, output), {kSix});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated{};
}

TEST(ReshapeTest, KeepsElementsInRowMajorOrder) {
  const Evaluated result = Reshape({kFloat32, {2, 3}}, {3, 2}, {kFloat32, {3, 2}});
  EXPECT_THAT(result.dimensions, ElementsAre(3, 2));
  EXPECT_THAT(result.from_double, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(result.from_float, ElementsAre(1, 2, 3, 4, 5, 6));
  for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
}

TEST(ReshapeTest, MovesElementsOfEveryType) {
  EXPECT_THAT(Reshape({kFloat16, {6}}, {2, 3}, {kFloat16, {2, 3}}).from_float,
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(Reshape({kQuant8, {6}, 0.5, 7}, {2, 3}, {kQuant8, {2, 3}, 0.5, 7}).from_float,
              ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(ReshapeTest, MinusOneIsWhatIsLeft) {
  EXPECT_THAT(Reshape({kFloat32, {2, 3}}, {-1}, {kFloat32, {}}).dimensions, ElementsAre(6));
  EXPECT_THAT(Reshape({kFloat32, {2, 3}}, {3, -1}, {kFloat32, {}}).dimensions, ElementsAre(3, 2));
  EXPECT_THAT(Reshape({kFloat32, {6}}, {1, -1, 1, 2}, {kFloat32, {}}).dimensions,
              ElementsAre(1, 3, 1, 2));
  EXPECT_THAT(Reshape({kFloat32, {6}}, {6, -1}, {kFloat32, {}}).dimensions, ElementsAre(6, 1));
}

TEST(ReshapeTest, TheShapeMayBeAnInput) {
  ModelBuilder builder;
  const uint32_t from = builder.Input({kFloat32, {2, 3}});
  const uint32_t dimensions = builder.Input({OperandType::TENSOR_INT32, {2}});
  const uint32_t to = builder.Output({kFloat32, {0, 0}});
  builder.Operation(OperationType::RESHAPE, {from, dimensions}, {to});
  const auto results = EvaluateInAllSystems(builder.model(), {kSix, {1, -1}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].dimensions, ElementsAre(1, 6));
  const auto wrong = EvaluateInAllSystems(builder.model(), {kSix, {4, -1}});
  EXPECT_THAT(wrong.status().message(), RefusedBy("RESHAPE", "C4"));
}

TEST(ReshapeTest, FindsDimensionsThatTheModelLeavesOpen) {
  EXPECT_THAT(Reshape({kFloat32, {6}}, {3, 2}, {kFloat32, {0, 2}}).dimensions, ElementsAre(3, 2));
}

TEST(ReshapeTest, reshape_c1_rejects_a_shape_without_entries_or_with_five) {
  EXPECT_THAT(ErrorOfShape({1, 1, 1, 2, 3}),
              AllOf(RefusedBy("RESHAPE", "C1"),
                    HasSubstr("input 1 'shape' (operand 1) of dimensions [5]")));
  // An empty shape is seen when the model runs: in a model, 0 entries are an unknown number.
  ModelBuilder builder;
  const uint32_t from = builder.Input({kFloat32, {6}});
  const uint32_t dimensions = builder.Input({OperandType::TENSOR_INT32, {0}});
  const uint32_t to = builder.Output({kFloat32, {}});
  builder.Operation(OperationType::RESHAPE, {from, dimensions}, {to});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<float> elements(6);
  InputArgument tensor;
  tensor.elements = {reinterpret_cast<const std::byte*>(elements.data()), 24};
  InputArgument nothing;
  nothing.dimensions = {0};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {tensor, nothing}).status().message(),
              RefusedBy("RESHAPE", "C1"));
}

TEST(ReshapeTest, reshape_c2_rejects_zero_and_negative_entries) {
  for (const int32_t wrong : {0, -2, std::numeric_limits<int32_t>::min()}) {
    EXPECT_THAT(ErrorOfShape({6, wrong}),
                AllOf(RefusedBy("RESHAPE", "C2"), HasSubstr("input 1 'shape' (operand 1)")));
  }
}

TEST(ReshapeTest, reshape_c3_rejects_two_open_entries) {
  EXPECT_THAT(ErrorOfShape({-1, -1}),
              AllOf(RefusedBy("RESHAPE", "C3"), HasSubstr("input 1 'shape' (operand 1)")));
}

TEST(ReshapeTest, reshape_c4_rejects_another_number_of_elements) {
  const int32_t huge = std::numeric_limits<int32_t>::max();
  for (const std::vector<int32_t>& wrong : std::vector<std::vector<int32_t>>{
           {5}, {2, 2}, {4, -1}, {7, -1}, {huge, huge, huge, huge}, {huge, huge, huge, -1}}) {
    EXPECT_THAT(ErrorOfShape(wrong),
                AllOf(RefusedBy("RESHAPE", "C4"),
                      HasSubstr("input 0 'input' (operand 0) of dimensions [2, 3]"),
                      HasSubstr("input 1 'shape' (operand 1)")));
  }
}

TEST(ReshapeTest, RefusesMoreElementsThanADimensionCanHold) {
  const uint32_t many = 1u << 31;
  EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {many, many}}, {-1}, {kFloat32, {}})),
              HasSubstr("RESHAPE: the output would have dimensions [4611686018427387904]"));
}

TEST(ReshapeTest, RefusesAnOutputOfOtherDimensions) {
  EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {6}}, {3, 2}, {kFloat32, {2, 3}})),
              AllOf(HasSubstr("RESHAPE output 0 (operand 2)"),
                    HasSubstr("[3, 2]; the model declares [2, 3]")));
}

TEST(ReshapeTest, RefusesAnOutputOfOtherQuantization) {
  EXPECT_THAT(ErrorOf(ModelOf({kQuant8, {6}, 0.5, 7}, {6}, {kQuant8, {6}, 0.25, 7})),
              HasSubstr("RESHAPE output 0 'output' (operand 2)"));
}

TEST(ReshapeTest, TheSignatureGoesByHalVersion) {
  const auto error_of = [](OperandType type, HalVersion version) {
    return ErrorOf(ModelOf({type, {6}, type == kQuant8 ? 1.f : 0.f}, {6},
                           {type, {6}, type == kQuant8 ? 1.f : 0.f}),
                   version);
  };
  EXPECT_EQ(error_of(kFloat32, HalVersion::V1_0), "");
  EXPECT_EQ(error_of(kQuant8, HalVersion::V1_0), "");
  EXPECT_THAT(error_of(kFloat16, HalVersion::V1_1),
              HasSubstr("the type is TENSOR_FLOAT16; expected one of HAL 1.1"));
  EXPECT_EQ(error_of(kFloat16, HalVersion::V1_2), "");
  EXPECT_THAT(error_of(OperandType::TENSOR_INT32, HalVersion::V1_2),
              HasSubstr("(operand 0) is TENSOR_INT32; expected "));
}

}  // namespace
}  // namespace nncert
