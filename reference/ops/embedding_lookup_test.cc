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
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

// A lookup of constant indexes.
hal::V1_2::Model ModelOf(const std::vector<int32_t>& lookups, const OperandSpec& values,
                         const OperandSpec& output) {
  ModelBuilder builder;
  const uint32_t indexes = builder.Int32Vector(lookups);
  const uint32_t table = builder.Input(values);
  builder.Operation(OperationType::EMBEDDING_LOOKUP, {indexes, table}, {builder.Output(output)});
  return builder.model();
}

Evaluated Lookup(const std::vector<int32_t>& lookups, const OperandSpec& values,
                 const OperandSpec& output, const std::vector<double>& table) {
  const auto results = EvaluateInAllSystems(ModelOf(lookups, values, output), {table});
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  for (const Ball& ball : (*results)[0].enclosure) EXPECT_TRUE(ball.IsExact());
  EXPECT_EQ((*results)[0].from_float, (*results)[0].from_double);
  return (*results)[0];
}

TEST(EmbeddingLookupTest, TakesRowsByIndex) {
  const Evaluated result =
      Lookup({2, 0, 2, 1}, {kFloat32, {3, 2}}, {kFloat32, {4, 2}}, {0.5, 1, 10, 11, 20, 21});
  EXPECT_THAT(result.dimensions, ElementsAre(4, 2));
  EXPECT_THAT(result.from_double, ElementsAre(20, 21, 0.5, 1, 20, 21, 10, 11));
}

TEST(EmbeddingLookupTest, TakesSlicesOfHigherRank) {
  const Evaluated result = Lookup({1}, {kFloat32, {2, 1, 2, 1, 2}}, {kFloat32, {1, 1, 2, 1, 2}},
                                  {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 1, 2, 1, 2));
  EXPECT_THAT(result.from_double, ElementsAre(4, 5, 6, 7));
}

TEST(EmbeddingLookupTest, MovesElementsOfEveryType) {
  // 2^31 - 1 has more bits than a float holds.
  EXPECT_THAT(Lookup({1}, {kInt32, {2, 2}}, {kInt32, {1, 2}}, {1, 2, -3, 2147483647}).from_float,
              ElementsAre(-3, 2147483647));
  EXPECT_THAT(
      Lookup({1, 1}, {kQuant8, {2, 1}, 0.5, 3}, {kQuant8, {2, 1}, 0.5, 3}, {1, 255}).from_float,
      ElementsAre(255, 255));
}

TEST(EmbeddingLookupTest, FindsDimensionsThatTheModelLeavesOpen) {
  EXPECT_THAT(Lookup({1, 0}, {kFloat32, {2, 1}}, {kFloat32, {}}, {5, 6}).dimensions,
              ElementsAre(2, 1));
}

// Lookups and table as inputs.
absl::StatusOr<std::vector<Evaluated>> LookupOfInputs(const std::vector<double>& lookups) {
  ModelBuilder builder;
  const uint32_t indexes = builder.Input({kInt32, {2}});
  const uint32_t table = builder.Input({kFloat32, {3, 1}});
  builder.Operation(OperationType::EMBEDDING_LOOKUP, {indexes, table},
                    {builder.Output({kFloat32, {2, 1}})});
  return EvaluateInAllSystems(builder.model(), {lookups, {5, 6, 7}});
}

TEST(EmbeddingLookupTest, TheLookupsMayBeInputs) {
  const auto results = LookupOfInputs({2, 0});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].from_double, ElementsAre(7, 5));
}

TEST(EmbeddingLookupTest, embedding_lookup_c1_rejects_an_index_out_of_the_table) {
  for (const int32_t wrong :
       {-1, 3, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}) {
    // Found in the model when the lookups are constant, otherwise when it runs.
    EXPECT_THAT(
        ErrorOf(ModelOf({0, wrong}, {kFloat32, {3, 1}}, {kFloat32, {2, 1}})),
        AllOf(RefusedBy("EMBEDDING_LOOKUP", "C1"), HasSubstr("input 0 'lookups' (operand 0)"),
              HasSubstr("input 1 'values' (operand 1) of dimensions [3, 1]")));
    EXPECT_THAT(LookupOfInputs({0, static_cast<double>(wrong)}).status().message(),
                RefusedBy("EMBEDDING_LOOKUP", "C1"));
  }
}

TEST(EmbeddingLookupTest, embedding_lookup_c2_rejects_no_lookups) {
  ModelBuilder builder;
  const uint32_t indexes = builder.Input({kInt32, {0}});
  const uint32_t table = builder.Input({kFloat32, {1, 1}});
  builder.Operation(OperationType::EMBEDDING_LOOKUP, {indexes, table},
                    {builder.Output({kFloat32, {0, 1}})});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument nothing;
  nothing.dimensions = {0};
  const float element = 1;
  InputArgument row;
  row.elements = {reinterpret_cast<const std::byte*>(&element), 4};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {nothing, row}).status().message(),
              AllOf(RefusedBy("EMBEDDING_LOOKUP", "C2"),
                    HasSubstr("input 0 'lookups' (operand 0) of dimensions [0]")));
}

TEST(EmbeddingLookupTest, RefusesATableOfRankOne) {
  EXPECT_THAT(
      ErrorOf(ModelOf({0}, {kFloat32, {3}}, {kFloat32, {}})),
      AllOf(HasSubstr("EMBEDDING_LOOKUP input 1 'values' (operand 1)"), HasSubstr("rank 1")));
}

TEST(EmbeddingLookupTest, RefusesAnOutputThatDoesNotFit) {
  EXPECT_THAT(ErrorOf(ModelOf({0}, {kFloat32, {3, 2}}, {kFloat32, {3, 2}})),
              AllOf(HasSubstr("EMBEDDING_LOOKUP output 0 (operand 2)"),
                    HasSubstr("[1, 2]; the model declares [3, 2]")));
  EXPECT_THAT(ErrorOf(ModelOf({0}, {kQuant8, {3, 2}, 0.5, 3}, {kQuant8, {1, 2}, 0.5, 4})),
              HasSubstr("EMBEDDING_LOOKUP output 0 'output' (operand 2)"));
}

TEST(EmbeddingLookupTest, TheSignatureIsThatOfEveryHalVersion) {
  for (const HalVersion version : {HalVersion::V1_0, HalVersion::V1_1, HalVersion::V1_2}) {
    EXPECT_EQ(ErrorOf(ModelOf({0}, {kFloat32, {3, 2}}, {kFloat32, {1, 2}}), version), "");
    EXPECT_EQ(ErrorOf(ModelOf({0}, {kInt32, {3, 2}}, {kInt32, {1, 2}}), version), "");
    EXPECT_THAT(ErrorOf(ModelOf({0}, {OperandType::TENSOR_FLOAT16, {3, 2}},
                                {OperandType::TENSOR_FLOAT16, {1, 2}}),
                        version),
                HasSubstr("is TENSOR_FLOAT16; expected "));
  }
}

}  // namespace
}  // namespace nncert
