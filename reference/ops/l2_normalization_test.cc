// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "reference/execution/executor.h"
#include "reference/model_builder.h"
#include "reference/number/testing/honest_machine.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

hal::V1_2::Model ModelOf(const OperandSpec& input, std::optional<int32_t> axis,
                         const OperandSpec& output, bool is_relaxed = false) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input(input)};
  if (axis.has_value()) inputs.push_back(builder.Int32(*axis));
  builder.Operation(OperationType::L2_NORMALIZATION, inputs, {builder.Output(output)})
      .Relaxed(is_relaxed);
  return builder.model();
}

Evaluated Evaluate(const OperandSpec& input, std::optional<int32_t> axis,
                   const std::vector<double>& values, bool is_relaxed = false) {
  OperandSpec output = input;
  if (output.type == kQuant8) {
    output.scale = 1.F / 128;
    output.zeroPoint = 128;
  }
  const auto results = EvaluateInAllSystems(ModelOf(input, axis, output, is_relaxed), {values});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated{};
}

TEST(L2NormalizationTest, DividesEachRowByItsLength) {
  // Lengths 5, 13 and 25.
  const Evaluated result = Evaluate({kFloat32, {1, 1, 3, 2}}, std::nullopt, {3, 4, -5, 12, 7, -24});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 1, 3, 2));
  EXPECT_THAT(result.from_double,
              Pointwise(testing::DoubleEq(), {0.6, 0.8, -5.0 / 13, 12.0 / 13, 0.28, -0.96}));
}

// Found by fuzzing: squares that no float holds made infinities of numbers.
TEST(L2NormalizationTest, SmallAndLargeFloatsKeepTheirDirection) {
  for (const double scale : {0x1p-120, 0x1p100}) {
    const Evaluated result = Evaluate({kFloat32, {2}}, std::nullopt, {3 * scale, -4 * scale});
    EXPECT_THAT(result.from_float, ElementsAre(0.6F, -0.8F));
    EXPECT_THAT(result.from_double, Pointwise(testing::DoubleEq(), {0.6, -0.8}));
  }
}

TEST(L2NormalizationTest, RunsAlongEveryAxis) {
  const OperandSpec input = {kFloat32, {2, 2, 2}};
  const std::vector<double> values = {3, 5, 7, 8, 4, 12, 24, 15};
  const std::vector<double> first = {0.6, 5.0 / 13,  0.28, 8.0 / 17,
                                     0.8, 12.0 / 13, 0.96, 15.0 / 17};
  for (const int32_t axis : {0, -3}) {
    EXPECT_THAT(Evaluate(input, axis, values).from_double, Pointwise(testing::DoubleEq(), first));
  }
  // Down the columns (3, 7), (5, 8), (4, 24), (12, 15).
  const std::vector<double> middle = {3 / std::sqrt(58),   5 / std::sqrt(89),  7 / std::sqrt(58),
                                      8 / std::sqrt(89),   4 / std::sqrt(592), 12 / std::sqrt(369),
                                      24 / std::sqrt(592), 15 / std::sqrt(369)};
  for (const int32_t axis : {1, -2}) {
    EXPECT_THAT(Evaluate(input, axis, values).from_double, Pointwise(testing::DoubleEq(), middle));
  }
}

TEST(L2NormalizationTest, VectorsAndMatricesHaveTheLastAxisByDefault) {
  EXPECT_THAT(Evaluate({kFloat32, {2}}, std::nullopt, {-3, 4}).from_double,
              Pointwise(testing::DoubleEq(), {-0.6, 0.8}));
  EXPECT_THAT(Evaluate({kFloat32, {2, 2}}, std::nullopt, {3, -4, 0, 7}).from_double,
              Pointwise(testing::DoubleEq(), {0.6, -0.8, 0.0, 1.0}));
}

TEST(L2NormalizationTest, QuantizedResultsAreInSteps) {
  // (3, 4) * 0.1 is 0.6, 0.8: 76.8 and 102.4 steps above 128.
  const Evaluated result = Evaluate({kQuant8, {2, 2}, 0.1f, 32}, -1, {35, 36, 29, 28});
  EXPECT_THAT(result.from_double, ElementsAre(205, 230, 51, 26));
  // What lies within a quarter of a step from a tie may be rounded twice, and go either way.
  EXPECT_TRUE(result.enclosure[0].IsExact());
  EXPECT_EQ(result.enclosure[1].Upper(), 231);
  EXPECT_TRUE(result.enclosure[2].IsExact());
  EXPECT_EQ(result.enclosure[3].Lower(), 25);
}

TEST(L2NormalizationTest, QuantizedOnesSaturate) {
  EXPECT_THAT(Evaluate({kQuant8, {2, 1}, 0.1f, 32}, -1, {99, 0}).from_double, ElementsAre(255, 0));
}

TEST(L2NormalizationTest, SlicesOfZerosMayBecomeAnything) {
  const Evaluated result = Evaluate({kFloat32, {2, 2}}, -1, {0, 0, 0, 1});
  EXPECT_FALSE(result.enclosure[0].IsBounded());
  EXPECT_TRUE(result.enclosure[2].Contains(0));
  EXPECT_LT(result.enclosure[2].radius, 1e-30);
  const Evaluated steps = Evaluate({kQuant8, {2}, 0.1f, 32}, -1, {32, 32});
  EXPECT_TRUE(steps.enclosure[0].Contains(0) && steps.enclosure[0].Contains(255));
}

TEST(L2NormalizationTest, EnclosuresAreTight) {
  // Half of a sum's three roundings, six of a root, five of a quotient: 12.5 of 0.8.
  const Evaluated result = Evaluate({kFloat32, {2}}, -1, {3, 4});
  EXPECT_GT(result.enclosure[1].radius, 0.8 * 0x1p-24);
  EXPECT_LT(result.enclosure[1].radius, 0.8 * 12.6 * 0x1p-24);
  const Evaluated relaxed = Evaluate({kFloat32, {2}}, -1, {3, 4}, true);
  EXPECT_LT(relaxed.enclosure[1].radius, 0.8 * 13 * 0x1p-11);
}

TEST(L2NormalizationTest, EnclosuresHoldWhatHonestMachinesGive) {
  TestRandom random(11);
  for (const bool is_half : {false, true}) {
    const HonestMachine machine(is_half, true);
    for (int repetition = 0; repetition < 50; ++repetition) {
      std::vector<double> values(9);
      for (double& value : values) value = machine.Round(random.Uniform(-3, 3));
      const Evaluated result = Evaluate({is_half ? kFloat16 : kFloat32, {9}}, -1, values);
      for (const SumOrder order : kSumOrders) {
        const double length = machine.Sqrt(machine.DotProduct(values, values, order));
        for (size_t i = 0; i < values.size(); ++i) {
          EXPECT_TRUE(result.enclosure[i].Contains(machine.Divide(values[i], length)));
          EXPECT_TRUE(result.enclosure[i].Contains(machine.DivideByReciprocal(values[i], length)));
        }
      }
    }
  }
}

TEST(L2NormalizationTest, DimensionsMayBeUnknown) {
  const auto results =
      EvaluateInAllSystems(ModelOf({kFloat32, {1, 2}}, -1, {kFloat32, {}}), {{3, 4}});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].dimensions, ElementsAre(1, 2));
}

TEST(L2NormalizationTest, l2_normalization_c1_rejects_an_axis_out_of_range) {
  const OperandSpec spec = {kFloat32, {1, 3}};
  for (const int32_t axis :
       {2, -3, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}) {
    EXPECT_TRUE(IsRefused(ModelOf(spec, axis, spec), "C1"));
  }
}

TEST(L2NormalizationTest, AQuantizedOutputHasScaleOne128th) {
  EXPECT_THAT(SignatureErrorOf(ModelOf({kQuant8, {2}, 0.5, 0}, -1, {kQuant8, {2}, 0.5, 0}),
                               HalVersion::V1_2),
              HasSubstr("expected scale 0.0078125 and zeroPoint 128"));
}

TEST(L2NormalizationTest, OtherRanksTypesAndTheAxisCameWithHal12) {
  const OperandSpec four = {kFloat32, {1, 1, 1, 2}};
  EXPECT_EQ(SignatureErrorOf(ModelOf(four, std::nullopt, four), HalVersion::V1_0), "");
  const OperandSpec half = {kFloat16, {1, 1, 1, 2}};
  const OperandSpec quant8 = {kQuant8, {1, 1, 1, 2}, 1.F / 128, 128};
  for (const auto& [model, error] : std::vector<std::pair<hal::V1_2::Model, std::string>>{
           {ModelOf(four, -1, four), "has 2 inputs; expected 1 at HAL 1.1"},
           {ModelOf({kFloat32, {2}}, std::nullopt, {kFloat32, {2}}), "has rank 1; expected rank 4"},
           {ModelOf(half, std::nullopt, half),
            "is TENSOR_FLOAT16; expected TENSOR_FLOAT32 at HAL 1.1"},
           {ModelOf(quant8, std::nullopt, quant8),
            "is TENSOR_QUANT8_ASYMM; expected TENSOR_FLOAT32 at HAL 1.1"}}) {
    EXPECT_EQ(SignatureErrorOf(model, HalVersion::V1_2), "");
    EXPECT_THAT(SignatureErrorOf(model, HalVersion::V1_1), HasSubstr(error));
  }
  const OperandSpec five = {kFloat32, {1, 1, 1, 1, 2}};
  EXPECT_THAT(SignatureErrorOf(ModelOf(five, -1, five), HalVersion::V1_2),
              HasSubstr("has rank 5; expected rank "));
}

}  // namespace
}  // namespace nncert
