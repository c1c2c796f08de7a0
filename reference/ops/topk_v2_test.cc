// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

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

hal::V1_2::Model ModelOf(const OperandSpec& input, int32_t k, const std::vector<uint32_t>& output,
                         bool is_relaxed = false) {
  ModelBuilder builder;
  const uint32_t from = builder.Input(input);
  const uint32_t count = builder.Int32(k);
  OperandSpec values = input;
  values.dimensions = output;
  const uint32_t first = builder.Output(values);
  const uint32_t second = builder.Output({kInt32, output});
  builder.Operation(OperationType::TOPK_V2, {from, count}, {first, second}).Relaxed(is_relaxed);
  return builder.model();
}

struct TopK {
  Evaluated values;
  Evaluated indices;
};

TopK Evaluate(const hal::V1_2::Model& model, const std::vector<double>& input) {
  const auto results = EvaluateInAllSystems(model, {input});
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  EXPECT_EQ((*results)[1].from_float, (*results)[1].from_double);
  return {(*results)[0], (*results)[1]};
}

// The same where everything must be certain.
TopK EvaluateExactly(const OperandSpec& input, int32_t k, const std::vector<double>& elements) {
  TopK result = Evaluate(ModelOf(input, k, {}), elements);
  for (const Ball& ball : result.values.enclosure) EXPECT_TRUE(ball.IsExact());
  for (const Ball& ball : result.indices.enclosure) EXPECT_TRUE(ball.IsExact());
  return result;
}

TEST(TopkV2Test, GivesTheGreatestOfEachRowInDescendingOrder) {
  const TopK result = EvaluateExactly({kFloat32, {2, 4}}, 2, {1, 9, -2, 5, 0.5, -7, 8, 3});
  EXPECT_THAT(result.values.dimensions, ElementsAre(2, 2));
  EXPECT_THAT(result.indices.dimensions, ElementsAre(2, 2));
  EXPECT_THAT(result.values.from_double, ElementsAre(9, 5, 8, 3));
  EXPECT_THAT(result.indices.from_double, ElementsAre(1, 3, 2, 3));
}

TEST(TopkV2Test, AsManyAsThereAreIsASort) {
  const TopK result = EvaluateExactly({kFloat32, {4}}, 4, {2, 4, 1, 3});
  EXPECT_THAT(result.values.from_float, ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(result.indices.from_float, ElementsAre(1, 3, 0, 2));
}

TEST(TopkV2Test, TakesElementsOfEveryTypeAndAnyRank) {
  const TopK halves = EvaluateExactly({kFloat16, {1, 1, 1, 1, 3}}, 2, {0.5, 2, 1});
  EXPECT_THAT(halves.values.dimensions, ElementsAre(1, 1, 1, 1, 2));
  EXPECT_THAT(halves.values.from_float, ElementsAre(2, 1));
  // These integers are the same number as floats.
  const TopK integers = EvaluateExactly({kInt32, {3}}, 2, {2147483646, -2147483648.0, 2147483647});
  EXPECT_THAT(integers.values.from_float, ElementsAre(2147483647, 2147483646));
  EXPECT_THAT(integers.indices.from_float, ElementsAre(2, 0));
  const TopK steps = EvaluateExactly({kQuant8, {3}, 0.1f, 128}, 3, {0, 255, 128});
  EXPECT_THAT(steps.values.from_float, ElementsAre(255, 128, 0));
  EXPECT_THAT(steps.indices.from_float, ElementsAre(1, 2, 0));
}

TEST(TopkV2Test, OfEqualElementsTheOneWithTheGreaterIndexComesFirst) {
  const TopK result = EvaluateExactly({kFloat32, {5}}, 4, {7, 3, 7, 3, 7});
  EXPECT_THAT(result.values.from_double, ElementsAre(7, 7, 7, 3));
  EXPECT_THAT(result.indices.from_double, ElementsAre(4, 2, 0, 3));
  EXPECT_THAT(EvaluateExactly({kInt32, {3}}, 2, {1, 1, 1}).indices.from_double, ElementsAre(2, 1));
  EXPECT_THAT(EvaluateExactly({kFloat32, {2}}, 1, {0, -0.0}).indices.from_double, ElementsAre(1));
}

TEST(TopkV2Test, AnIndexIsExactBeyondThePrecisionOfTheElements) {
  // A half holds integers up to 2048 only.
  std::vector<double> elements(3000, 0);
  elements[2998] = 1;
  EXPECT_THAT(EvaluateExactly({kFloat16, {3000}}, 2, elements).indices.from_double,
              ElementsAre(2998, 2999));
}

TEST(TopkV2Test, ElementsThatRelaxedComputationMayMakeEqualMayChangePlaces) {
  // 1.0001 is 1 in half precision; the others are further apart.
  const std::vector<double> elements = {1.0001f, 4, 1, 0.5};
  EvaluateExactly({kFloat32, {4}}, 4, elements);
  const TopK result = Evaluate(ModelOf({kFloat32, {4}}, 4, {4}, true), elements);
  EXPECT_THAT(result.indices.from_double, ElementsAre(1, 0, 2, 3));
  EXPECT_TRUE(result.indices.enclosure[0].IsExact());
  for (const int rank : {1, 2}) {
    EXPECT_TRUE(result.indices.enclosure[rank].Contains(0));
    EXPECT_TRUE(result.indices.enclosure[rank].Contains(2));
    EXPECT_FALSE(result.indices.enclosure[rank].Contains(3));
    EXPECT_TRUE(result.values.enclosure[rank].Contains(1));
    EXPECT_LT(result.values.enclosure[rank].radius, 2e-3);
  }
  EXPECT_TRUE(result.indices.enclosure[3].IsExact());
}

TEST(TopkV2Test, TheEnclosureHoldsTheOrderOfAnyChoiceOfTheElements) {
  // Sums of a coarse grid and of noise within their rounding: many that may be equal. What is
  // enclosed for them must hold the order of any numbers that the sums may have come to.
  constexpr uint32_t kLength = 40;
  constexpr int32_t kBest = 25;
  ModelBuilder builder;
  const OperandSpec row = {kFloat32, {kLength}};
  const uint32_t a = builder.Input(row);
  const uint32_t b = builder.Input(row);
  const uint32_t sum = builder.Output(row);
  const uint32_t values = builder.Output({kFloat32, {kBest}});
  const uint32_t indices = builder.Output({kInt32, {kBest}});
  builder.Operation(OperationType::ADD, {a, b, builder.Int32(0)}, {sum});
  builder.Operation(OperationType::TOPK_V2, {sum, builder.Int32(kBest)}, {values, indices});
  builder.Relaxed();
  std::mt19937 random(1);
  std::vector<double> coarse(kLength);
  std::vector<double> noise(kLength);
  for (uint32_t i = 0; i < kLength; ++i) {
    coarse[i] = static_cast<double>(random() % 8);
    noise[i] = static_cast<double>(random() % 16) / 4096;
  }
  const auto results = EvaluateInAllSystems(builder.model(), {coarse, noise});
  ASSERT_TRUE(results.ok()) << results.status();
  const std::vector<Ball>& sums = (*results)[0].enclosure;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::pair<double, uint32_t>> chosen;
    for (uint32_t i = 0; i < kLength; ++i) {
      const double place = static_cast<double>(random() % 1001) / 500 - 1;
      chosen.push_back({sums[i].midpoint + place * sums[i].radius, i});
    }
    std::sort(chosen.rbegin(), chosen.rend());
    for (int32_t rank = 0; rank < kBest; ++rank) {
      EXPECT_TRUE((*results)[1].enclosure[rank].Contains(chosen[rank].first));
      EXPECT_TRUE((*results)[2].enclosure[rank].Contains(chosen[rank].second));
    }
  }
  // It must not hold just anything, either: the first element is one of the greatest eighth.
  EXPECT_LT((*results)[1].enclosure[0].radius, 0.1);
}

TEST(TopkV2Test, InfinitiesAreInOrder) {
  const double infinity = std::numeric_limits<double>::infinity();
  const TopK result = EvaluateExactly({kFloat32, {3}}, 3, {-infinity, infinity, 0});
  EXPECT_THAT(result.values.from_double, ElementsAre(infinity, 0, -infinity));
  EXPECT_THAT(result.indices.from_double, ElementsAre(1, 2, 0));
}

TEST(TopkV2Test, WithNaNInTheRowAnyOrderIsAllowed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const TopK result = Evaluate(ModelOf({kFloat32, {2, 3}}, 2, {2, 2}), {1, nan, nan, 1, 3, 2});
  for (const int i : {0, 1}) {
    EXPECT_FALSE(result.values.enclosure[i].IsBounded());
    EXPECT_TRUE(result.indices.enclosure[i].Contains(0));
    EXPECT_TRUE(result.indices.enclosure[i].Contains(2));
  }
  EXPECT_TRUE(result.values.enclosure[2].IsExact());
  EXPECT_EQ(result.indices.from_double[2], 1);
}

TEST(TopkV2Test, topk_v2_c1_rejects_k_out_of_range) {
  for (const int32_t k :
       {0, 4, -1, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}) {
    EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {2, 3}}, k, {})),
                AllOf(RefusedBy("TOPK_V2", "C1"),
                      HasSubstr("input 0 'input' (operand 0) of dimensions [2, 3]"),
                      HasSubstr("input 1 'k' (operand 1)")));
  }
}

TEST(TopkV2Test, RefusesOutputsThatDoNotFit) {
  EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {2, 3}}, 2, {2, 3})),
              AllOf(HasSubstr("TOPK_V2 output 0 (operand 2)"),
                    HasSubstr("[2, 2]; the model declares [2, 3]")));
  ModelBuilder builder;
  const uint32_t input = builder.Input({kQuant8, {3}, 0.5, 3});
  const uint32_t k = builder.Int32(1);
  const uint32_t values = builder.Output({kQuant8, {1}, 0.5, 4});
  const uint32_t indices = builder.Output({kInt32, {1}});
  builder.Operation(OperationType::TOPK_V2, {input, k}, {values, indices});
  EXPECT_THAT(ErrorOf(builder.model()), HasSubstr("TOPK_V2 output 0 'values' (operand 2)"));
}

TEST(TopkV2Test, RefusesAnEmptyTensor) {
  const auto graph = PreparedGraph::Create(ModelOf({kFloat32, {0, 2}}, 1, {0, 1}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0, 2};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {empty}).status().message(),
              HasSubstr("TOPK_V2 input 0 (operand 0) is empty"));
}

TEST(TopkV2Test, RefusesOtherTypesAndVersions) {
  EXPECT_THAT(ErrorOf(ModelOf({OperandType::TENSOR_BOOL8, {2}}, 1, {1})),
              HasSubstr("TOPK_V2 input 0 'input' (operand 0)"));
  EXPECT_THAT(ErrorOf(ModelOf({kFloat32, {2}}, 1, {1}), HalVersion::V1_1),
              HasSubstr("the type is TOPK_V2; expected one of HAL 1.1"));
}

}  // namespace
}  // namespace nncert
