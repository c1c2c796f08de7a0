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

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// A HASHTABLE_LOOKUP whose inputs are all model inputs.
hal::V1_2::Model ModelOf(uint32_t lookups, uint32_t keys, const OperandSpec& values,
                         const OperandSpec& hits = {kQuant8, {0}, 1, 0}) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kInt32, {lookups}}),
                                        builder.Input({kInt32, {keys}}), builder.Input(values)};
  OperandSpec output = values;
  output.dimensions.assign(values.dimensions.size(), 0);
  const std::vector<uint32_t> outputs = {builder.Output(output), builder.Output(hits)};
  builder.Operation(OperationType::HASHTABLE_LOOKUP, inputs, outputs);
  return builder.model();
}

TEST(HashtableLookupTest, PicksTheSliceOfTheKey) {
  const std::vector<Evaluated> results = EvaluateMoves(
      ModelOf(4, 3, {kFloat32, {3, 2}}), {{40, -7, 9, -7}, {-7, 9, 40}, {1, 2, 3, 4, 5, 6}});
  EXPECT_THAT(results[0].dimensions, ElementsAre(4, 2));
  EXPECT_THAT(results[0].from_double, ElementsAre(5, 6, 1, 2, 3, 4, 1, 2));
  EXPECT_THAT(results[1].dimensions, ElementsAre(4));
  EXPECT_THAT(results[1].from_float, ElementsAre(1, 1, 1, 1));
}

TEST(HashtableLookupTest, GivesZerosWhereThereIsNoKey) {
  // Before all keys, between two, and behind all.
  const std::vector<Evaluated> results =
      EvaluateMoves(ModelOf(4, 2, {kFloat32, {2, 2}}), {{1, 3, 2, 5}, {2, 4}, {1, 2, 3, 4}});
  EXPECT_THAT(results[0].from_float, ElementsAre(0, 0, 0, 0, 1, 2, 0, 0));
  EXPECT_THAT(results[1].from_float, ElementsAre(0, 0, 1, 0));
}

TEST(HashtableLookupTest, TheExtremesAreKeysLikeOthers) {
  const double least = std::numeric_limits<int32_t>::min();
  const double greatest = std::numeric_limits<int32_t>::max();
  const std::vector<Evaluated> results = EvaluateMoves(
      ModelOf(3, 2, {kInt32, {2, 1}}), {{greatest, 0, least}, {least, greatest}, {7, 8}});
  EXPECT_THAT(results[0].from_float, ElementsAre(8, 0, 7));
  EXPECT_THAT(results[1].from_float, ElementsAre(1, 0, 1));
}

TEST(HashtableLookupTest, OfQuantizedZerosEitherMayBeMeant) {
  const auto results =
      EvaluateInAllSystems(ModelOf(2, 1, {kQuant8, {1, 2}, 0.5, 40}), {{3, 4}, {3}, {100, 200}});
  ASSERT_TRUE(results.ok()) << results.status();
  const Evaluated& output = (*results)[0];
  EXPECT_THAT(output.from_float, ElementsAre(100, 200, 40, 40));
  EXPECT_THAT(output.from_double, ElementsAre(100, 200, 40, 40));
  EXPECT_TRUE(output.enclosure[1].IsExact());
  EXPECT_TRUE(output.enclosure[2].Contains(0));
  EXPECT_TRUE(output.enclosure[2].Contains(40));
  EXPECT_FALSE(output.enclosure[2].Contains(41));
  EXPECT_FALSE(output.enclosure[2].Contains(-1));
  // The hits have a scale of their own.
  EXPECT_TRUE((*results)[1].enclosure[1].IsExact());
  EXPECT_THAT((*results)[1].from_double, ElementsAre(1, 0));
  const std::vector<Evaluated> plain =
      EvaluateMoves(ModelOf(1, 1, {kQuant8, {1, 2}, 0.5, 0}), {{4}, {3}, {100, 200}});
  EXPECT_THAT(plain[0].from_float, ElementsAre(0, 0));
}

TEST(HashtableLookupTest, TheTableMayHaveManyDimensions) {
  const std::vector<Evaluated> results =
      EvaluateMoves(ModelOf(1, 2, {kFloat32, {2, 1, 2, 1, 2}}), {{8}, {5, 8}, Counting(8)});
  EXPECT_THAT(results[0].dimensions, ElementsAre(1, 1, 2, 1, 2));
  EXPECT_THAT(results[0].from_float, ElementsAre(4, 5, 6, 7));
}

TEST(HashtableLookupTest, hashtable_lookup_c1_rejects_other_than_a_key_for_each_slice) {
  EXPECT_TRUE(IsRefused(ModelOf(1, 2, {kFloat32, {3, 2}}), "C1"));
  EXPECT_TRUE(IsRefused(ModelOf(1, 3, {kFloat32, {2, 2}}), "C1"));
}

TEST(HashtableLookupTest, hashtable_lookup_c2_rejects_keys_out_of_order) {
  const hal::V1_2::Model model = ModelOf(1, 3, {kFloat32, {3, 1}});
  EXPECT_TRUE(IsRefused(model, "C2", {{1}, {1, 3, 2}, {1, 2, 3}}));
  EXPECT_TRUE(IsRefused(model, "C2", {{1}, {1, 1, 2}, {1, 2, 3}}));
  // The difference of these does not fit 32 bits.
  EXPECT_TRUE(IsRefused(model, "C2", {{1}, {2147483647, -2147483648, 0}, {1, 2, 3}}));
}

TEST(HashtableLookupTest, hashtable_lookup_c3_rejects_no_lookups) {
  const auto graph = PreparedGraph::Create(ModelOf(0, 1, {kFloat32, {1, 1}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument nothing;
  nothing.dimensions = {0};
  const float element = 1;
  InputArgument one;
  one.elements = {reinterpret_cast<const std::byte*>(&element), 4};
  const auto result = (*graph)->Execute(NumberSystem::kFloat, {nothing, one, one});
  EXPECT_THAT(result.status().message(), RefusedBy("HASHTABLE_LOOKUP", "C3"));
}

TEST(HashtableLookupTest, RefusesHitsOfOtherQuantization) {
  EXPECT_THAT(PreparationErrorOf(ModelOf(1, 1, {kFloat32, {1, 2}}, {kQuant8, {1}, 0.5, 0})),
              HasSubstr("expected scale 1 and zeroPoint 0"));
  EXPECT_THAT(PreparationErrorOf(ModelOf(1, 1, {kFloat32, {1, 2}}, {kQuant8, {1}, 1, 3})),
              HasSubstr("expected scale 1 and zeroPoint 0"));
}

TEST(HashtableLookupTest, TheSignatureIsThatOfHal10) {
  for (const HalVersion version : {HalVersion::V1_0, HalVersion::V1_1, HalVersion::V1_2}) {
    for (const OperandSpec& values : {OperandSpec{kFloat32, {1, 2}}, OperandSpec{kInt32, {1, 2}},
                                      OperandSpec{kQuant8, {1, 2}, 0.5, 7}}) {
      EXPECT_EQ(SignatureErrorOf(ModelOf(1, 1, values), version), "");
    }
  }
  EXPECT_THAT(PreparationErrorOf(ModelOf(1, 1, {OperandType::TENSOR_FLOAT16, {1, 2}})),
              HasSubstr("TENSOR_FLOAT16"));
  EXPECT_THAT(PreparationErrorOf(ModelOf(1, 1, {kFloat32, {1}})), HasSubstr("rank 1"));
}

}  // namespace
}  // namespace nncert
