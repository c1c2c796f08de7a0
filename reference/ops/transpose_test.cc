// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// The permutation: absent is an operand without a value.
using Permutation = std::optional<std::vector<int32_t>>;

hal::V1_2::Model ModelOf(const OperandSpec& input, const Permutation& permutation,
                         const OperandSpec& output) {
  ModelBuilder builder;
  const uint32_t from = builder.Input(input);
  const uint32_t order = permutation.has_value()
                             ? builder.Int32Vector(*permutation)
                             : builder.Omitted({OperandType::TENSOR_INT32, {0}});
  const uint32_t to = builder.Output(output);
  builder.Operation(OperationType::TRANSPOSE, {from, order}, {to});
  return builder.model();
}

// Input and output of one type, with elements 0, 1, 2, ... in the input.
Evaluated TransposeCounting(const OperandSpec& input, const Permutation& permutation,
                            std::vector<uint32_t> output_dimensions) {
  OperandSpec output = input;
  output.dimensions = std::move(output_dimensions);
  std::vector<double> elements(NumberOfElements(input.dimensions));
  std::iota(elements.begin(), elements.end(), 0);
  const auto results = EvaluateInAllSystems(ModelOf(input, permutation, output), {elements});
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  for (const Ball& ball : (*results)[0].enclosure) EXPECT_TRUE(ball.IsExact());
  EXPECT_EQ((*results)[0].from_float, (*results)[0].from_double);
  return (*results)[0];
}

// Where the elements of a tensor of `input` go, straight from the definition: the output's index i
// is the input's index permutation[i].
std::vector<double> ByDefinition(const std::vector<uint32_t>& input,
                                 const std::vector<int32_t>& permutation) {
  std::vector<double> result(NumberOfElements(input));
  for (size_t element = 0; element < result.size(); ++element) {
    std::vector<size_t> index(input.size());
    size_t rest = element;
    for (size_t d = input.size(); d-- > 0; rest /= input[d]) index[d] = rest % input[d];
    size_t position = 0;
    for (const int32_t axis : permutation) {
      position = position * input[static_cast<size_t>(axis)] + index[static_cast<size_t>(axis)];
    }
    result[position] = static_cast<double>(element);
  }
  return result;
}

TEST(TransposeTest, SwapsRowsAndColumns) {
  // [[0, 1, 2], [3, 4, 5]] has the columns [0, 3], [1, 4] and [2, 5].
  const Evaluated result = TransposeCounting({kFloat32, {2, 3}}, {{1, 0}}, {3, 2});
  EXPECT_THAT(result.dimensions, ElementsAre(3, 2));
  EXPECT_THAT(result.from_double, ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(TransposeTest, DimensionIOfTheOutputIsDimensionPermutationIOfTheInput) {
  // The permutation (1, 2, 0) is not its own inverse, so mixing the two up shows.
  const Evaluated result = TransposeCounting({kFloat32, {2, 3, 4}}, {{1, 2, 0}}, {3, 4, 2});
  EXPECT_THAT(result.dimensions, ElementsAre(3, 4, 2));
  // output[0, 0, 0] = input[0, 0, 0] = 0, output[0, 0, 1] = input[1, 0, 0] = 12,
  // output[0, 1, 0] = input[0, 0, 1] = 1, ...
  EXPECT_EQ(result.from_double[1], 12);
  EXPECT_EQ(result.from_double[2], 1);
  EXPECT_EQ(result.from_double, ByDefinition({2, 3, 4}, {1, 2, 0}));
}

TEST(TransposeTest, EveryPermutationOfFourDimensionsGoesByTheDefinition) {
  const std::vector<uint32_t> dimensions = {2, 3, 4, 5};
  std::vector<int32_t> permutation = {0, 1, 2, 3};
  do {
    std::vector<uint32_t> permuted;
    for (const int32_t axis : permutation) {
      permuted.push_back(dimensions[static_cast<size_t>(axis)]);
    }
    const Evaluated result = TransposeCounting({kFloat32, dimensions}, permutation, permuted);
    EXPECT_EQ(result.from_double, ByDefinition(dimensions, permutation));
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

TEST(TransposeTest, OneDimensionStaysAsItIs) {
  EXPECT_THAT(TransposeCounting({kFloat32, {3}}, {{0}}, {3}).from_double, ElementsAre(0, 1, 2));
}

TEST(TransposeTest, MovesElementsOfEveryType) {
  EXPECT_THAT(TransposeCounting({kFloat16, {2, 2}}, {{1, 0}}, {2, 2}).from_double,
              ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(TransposeCounting({kQuant8, {2, 2}, 0.5, 7}, {{1, 0}}, {2, 2}).from_double,
              ElementsAre(0, 2, 1, 3));
}

TEST(TransposeTest, AnOmittedPermutationReversesTheDimensions) {
  EXPECT_THAT(TransposeCounting({kFloat32, {3}}, std::nullopt, {3}).from_double,
              ElementsAre(0, 1, 2));
  EXPECT_THAT(TransposeCounting({kFloat32, {2, 3}}, std::nullopt, {3, 2}).from_double,
              ElementsAre(0, 3, 1, 4, 2, 5));
  const Evaluated three = TransposeCounting({kFloat32, {2, 3, 4}}, std::nullopt, {4, 3, 2});
  EXPECT_THAT(three.dimensions, ElementsAre(4, 3, 2));
  EXPECT_EQ(three.from_double, ByDefinition({2, 3, 4}, {2, 1, 0}));
  EXPECT_EQ(TransposeCounting({kFloat32, {2, 3, 4, 5}}, std::nullopt, {5, 4, 3, 2}).from_double,
            ByDefinition({2, 3, 4, 5}, {3, 2, 1, 0}));
}

// A model whose permutation is an input, run with the permutation or without a value for it.
absl::StatusOr<std::vector<OutputValue>> RunWithPermutationInput(
    const std::vector<uint32_t>& dimensions, const std::vector<int32_t>& permutation) {
  ModelBuilder builder;
  const uint32_t from = builder.Input({kFloat32, dimensions});
  const uint32_t order = builder.Input({OperandType::TENSOR_INT32, {0}});
  const uint32_t to = builder.Output({kFloat32, {}});
  builder.Operation(OperationType::TRANSPOSE, {from, order}, {to});
  const auto graph = PreparedGraph::Create(builder.model());
  if (!graph.ok()) return graph.status();
  std::vector<float> elements(NumberOfElements(dimensions));
  std::iota(elements.begin(), elements.end(), 0.f);
  InputArgument tensor;
  tensor.elements = {reinterpret_cast<const std::byte*>(elements.data()), elements.size() * 4};
  InputArgument axes;
  axes.has_no_value = permutation.empty();
  if (!permutation.empty()) {
    axes.dimensions = {static_cast<uint32_t>(permutation.size())};
    axes.elements = {reinterpret_cast<const std::byte*>(permutation.data()),
                     permutation.size() * 4};
  }
  return (*graph)->Execute(NumberSystem::kDouble, {tensor, axes});
}

TEST(TransposeTest, ThePermutationMayBeAnInputThatARequestLeavesOut) {
  const auto reversed = RunWithPermutationInput({2, 3, 2}, {});
  ASSERT_TRUE(reversed.ok()) << reversed.status();
  EXPECT_THAT((*reversed)[0].info.dimensions, ElementsAre(2, 3, 2));
  EXPECT_THAT((*reversed)[0].doubles(), ElementsAreArray(ByDefinition({2, 3, 2}, {2, 1, 0})));
  const auto permuted = RunWithPermutationInput({2, 3, 2}, {1, 0, 2});
  ASSERT_TRUE(permuted.ok()) << permuted.status();
  EXPECT_THAT((*permuted)[0].info.dimensions, ElementsAre(3, 2, 2));
  EXPECT_THAT((*permuted)[0].doubles(), ElementsAreArray(ByDefinition({2, 3, 2}, {1, 0, 2})));
}

TEST(TransposeTest, transpose_c1_rejects_a_permutation_that_a_request_gets_wrong) {
  const auto results = RunWithPermutationInput({2, 3, 2}, {1, 0});
  EXPECT_THAT(results.status().message(), AllOf(RefusedBy("TRANSPOSE", "C1"), HasSubstr("[2]")));
}

TEST(TransposeTest, transpose_c1_rejects_what_is_no_permutation) {
  const OperandSpec input = {kFloat32, {2, 3}};
  for (const std::vector<int32_t>& wrong : std::vector<std::vector<int32_t>>{
           {0}, {0, 0}, {0, 2}, {-1, 0}, {0, 1, 2}, {1, std::numeric_limits<int32_t>::min()}}) {
    EXPECT_THAT(
        ErrorOf(ModelOf(input, wrong, {kFloat32, {}})),
        AllOf(RefusedBy("TRANSPOSE", "C1"), HasSubstr("input 1 'permutation' (operand 1)")));
  }
}

TEST(TransposeTest, FindsDimensionsThatTheModelLeavesOpen) {
  EXPECT_THAT(TransposeCounting({kFloat32, {2, 3}}, {{1, 0}}, {}).dimensions, ElementsAre(3, 2));
  EXPECT_THAT(TransposeCounting({kFloat32, {2, 3}}, {{1, 0}}, {0, 2}).dimensions,
              ElementsAre(3, 2));
}

TEST(TransposeTest, RefusesAnOutputOfOtherDimensions) {
  EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {2, 3}}, {{1, 0}}, {kFloat32, {2, 3}})),
              AllOf(HasSubstr("TRANSPOSE output 0 (operand 2)"),
                    HasSubstr("[3, 2]; the model declares [2, 3]")));
  EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {2, 3, 4}}, std::nullopt, {kFloat32, {3, 2, 4}})),
              HasSubstr("[4, 3, 2]; the model declares [3, 2, 4]"));
}

TEST(TransposeTest, AnEmptyTensorStaysEmpty) {
  const auto graph =
      PreparedGraph::Create(ModelOf({kFloat32, {0, 3}}, {{1, 0}}, {kFloat32, {3, 0}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0, 3};
  for (const NumberSystem system :
       {NumberSystem::kFloat, NumberSystem::kDouble, NumberSystem::kBall}) {
    const auto outputs = (*graph)->Execute(system, {empty});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(3, 0));
    EXPECT_TRUE((*outputs)[0].elements.empty());
  }
}

TEST(TransposeTest, TheSignatureGoesByHalVersion) {
  const auto model_of = [](OperandType type) {
    return ModelOf({type, {2, 3}}, {{1, 0}}, {type, {3, 2}});
  };
  EXPECT_EQ(ErrorOf(model_of(kFloat32), HalVersion::V1_1), "");
  EXPECT_THAT(ErrorOf(model_of(kFloat32), HalVersion::V1_0), HasSubstr("HAL 1.0"));
  EXPECT_THAT(ErrorOf(model_of(kFloat16), HalVersion::V1_1),
              HasSubstr("the type is TENSOR_FLOAT16; expected one of HAL 1.1"));
  EXPECT_EQ(ErrorOf(model_of(kFloat16), HalVersion::V1_2), "");
  EXPECT_EQ(
      ErrorOf(ModelOf({kFloat32, {2, 3}}, std::nullopt, {kFloat32, {3, 2}}), HalVersion::V1_1), "");
}

TEST(TransposeTest, RefusesFiveDimensions) {
  EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {1, 1, 1, 1, 2}}, {{0, 1, 2, 3, 4}}, {kFloat32, {}})),
              AllOf(HasSubstr("TRANSPOSE input 0 'input' (operand 0)"), HasSubstr("rank 5")));
}

TEST(TransposeTest, RefusesAnOutputOfOtherQuantization) {
  EXPECT_THAT(ErrorOf(ModelOf({kQuant8, {2, 3}, 0.5, 7}, {{1, 0}}, {kQuant8, {3, 2}, 0.5, 8})),
              HasSubstr("TRANSPOSE output 0 'output' (operand 2)"));
}

}  // namespace
}  // namespace nncert
