// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "reference/execution/executor.h"
#include "reference/execution/model_validation.h"
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

hal::V1_2::Model ModelOf(const OperandSpec& input, const std::vector<int32_t>& axes,
                         int32_t keep_dims, const OperandSpec& output) {
  ModelBuilder builder;
  const uint32_t data = builder.Input(input);
  const uint32_t axes_operand = builder.Int32Vector(axes);
  const uint32_t keep_dims_operand = builder.Int32(keep_dims);
  const uint32_t result = builder.Output(output);
  builder.Operation(OperationType::MEAN, {data, axes_operand, keep_dims_operand}, {result});
  return builder.model();
}

// The one output; the number systems are held against each other.
Evaluated Evaluate(const OperandSpec& input, const std::vector<int32_t>& axes, int32_t keep_dims,
                   const std::vector<double>& values) {
  OperandSpec output = input;
  output.dimensions = {};
  const auto results = EvaluateInAllSystems(ModelOf(input, axes, keep_dims, output), {values});
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? (*results)[0] : Evaluated{};
}

std::string ErrorOf(const OperandSpec& input, const std::vector<int32_t>& axes, int32_t keep_dims,
                    const OperandSpec& output, HalVersion version = HalVersion::V1_2) {
  return std::string(
      PreparedGraph::Create(ModelOf(input, axes, keep_dims, output), version).status().message());
}

// Element [i, j, k] is 100 i + 10 j + k.
const OperandSpec kInput = {kFloat32, {2, 3, 2}};
const std::vector<double> kValues = {0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121};

TEST(MeanTest, AveragesOverOneAxis) {
  const Evaluated first = Evaluate(kInput, {0}, 0, kValues);
  EXPECT_THAT(first.dimensions, ElementsAre(3, 2));
  EXPECT_THAT(first.from_double, ElementsAre(50, 51, 60, 61, 70, 71));
  const Evaluated second = Evaluate(kInput, {1}, 0, kValues);
  EXPECT_THAT(second.dimensions, ElementsAre(2, 2));
  EXPECT_THAT(second.from_double, ElementsAre(10, 11, 110, 111));
  const Evaluated last = Evaluate(kInput, {2}, 0, kValues);
  EXPECT_THAT(last.dimensions, ElementsAre(2, 3));
  EXPECT_THAT(last.from_double, ElementsAre(0.5, 10.5, 20.5, 100.5, 110.5, 120.5));
}

TEST(MeanTest, AveragesOverSeveralAxesInAnyOrder) {
  for (const std::vector<int32_t>& axes :
       {std::vector<int32_t>{0, 2}, std::vector<int32_t>{2, 0}}) {
    const Evaluated result = Evaluate(kInput, axes, 0, kValues);
    EXPECT_THAT(result.dimensions, ElementsAre(3));
    EXPECT_THAT(result.from_double, ElementsAre(50.5, 60.5, 70.5));
  }
}

TEST(MeanTest, AxesThatAreKeptHaveOneElement) {
  const Evaluated result = Evaluate(kInput, {0, 2}, 1, kValues);
  EXPECT_THAT(result.dimensions, ElementsAre(1, 3, 1));
  EXPECT_THAT(result.from_double, ElementsAre(50.5, 60.5, 70.5));
}

TEST(MeanTest, OnlyPositiveKeepDimsKeeps) {
  EXPECT_THAT(Evaluate(kInput, {1}, 7, kValues).dimensions, ElementsAre(2, 1, 2));
  EXPECT_THAT(Evaluate(kInput, {1}, -1, kValues).dimensions, ElementsAre(2, 2));
}

TEST(MeanTest, NegativeAxesCountFromTheEndAndRepeatedOnesCountOnce) {
  const Evaluated result = Evaluate(kInput, {0, -3, -1, 2, 0}, 0, kValues);
  EXPECT_THAT(result.dimensions, ElementsAre(3));
  EXPECT_THAT(result.from_double, ElementsAre(50.5, 60.5, 70.5));
}

TEST(MeanTest, AMeanOverEverythingHasOneElement) {
  const Evaluated dropped = Evaluate(kInput, {0, 1, 2}, 0, kValues);
  EXPECT_THAT(dropped.dimensions, ElementsAre(1));
  EXPECT_THAT(dropped.from_double, ElementsAre(60.5));
  const Evaluated kept = Evaluate(kInput, {0, 1, 2}, 1, kValues);
  EXPECT_THAT(kept.dimensions, ElementsAre(1, 1, 1));
  EXPECT_THAT(kept.from_double, ElementsAre(60.5));
  const Evaluated row = Evaluate({kFloat32, {4}}, {0}, 0, {1, 2, 3, 5});
  EXPECT_THAT(row.dimensions, ElementsAre(1));
  EXPECT_THAT(row.from_double, ElementsAre(2.75));
}

TEST(MeanTest, AveragesOverTheMiddleOfFourAxes) {
  const Evaluated result = Evaluate({kFloat32, {2, 2, 2, 1}}, {2}, 0, {1, 3, 5, 9, -1, 1, 0, 1});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(2, 7, 0, 0.5));
}

TEST(MeanTest, NoAxesGiveTheInput) {
  // The axes are an input of the request: a constant cannot be empty.
  ModelBuilder builder;
  const uint32_t data = builder.Input(kInput);
  const uint32_t axes = builder.Input({OperandType::TENSOR_INT32, {0}});
  const uint32_t keep_dims = builder.Int32(0);
  const uint32_t result = builder.Output({kFloat32, {0, 0, 0}});
  builder.Operation(OperationType::MEAN, {data, axes, keep_dims}, {result});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<uint8_t> bytes = BytesOf(kFloat32, kValues);
  InputArgument values;
  values.elements =
      absl::MakeConstSpan(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
  InputArgument no_axes;
  no_axes.dimensions = {0};
  const auto outputs = (*graph)->Execute(NumberSystem::kDouble, {values, no_axes});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].info.dimensions, ElementsAre(2, 3, 2));
  EXPECT_THAT((*outputs)[0].doubles(), ElementsAreArray(kValues));
}

TEST(MeanTest, HalvesAreRoundedToHalves) {
  // A third, to 11 bits: 1365 / 4096.
  EXPECT_THAT(Evaluate({kFloat16, {3}}, {0}, 0, {0, 1, 0}).from_double, ElementsAre(1365.0 / 4096));
}

TEST(MeanTest, QuantizedMeansAreRoundedToNearest) {
  const OperandSpec input = {kQuant8, {2, 3}, 0.8f, 5};
  const Evaluated result = Evaluate(input, {1}, 0, {3, 3, 5, 3, 3, 4});
  EXPECT_THAT(result.from_double, ElementsAre(4, 3));  // 3 2/3 and 3 1/3
}

TEST(MeanTest, QuantizedEnclosuresGrantRoundingDownAndNothingElse) {
  const OperandSpec input = {kQuant8, {4, 3}, 0.8f, 5};
  const Evaluated result = Evaluate(input, {1}, 0, {3, 3, 5, 3, 3, 4, 3, 3, 3, 0, 0, 0});
  ASSERT_EQ(result.enclosure.size(), 4u);
  // 3 2/3 may be 3 or 4. So may 3 1/3, less than a quarter of a step from a tie, but never 2; whole
  // numbers are never anything else.
  EXPECT_TRUE(result.enclosure[0].Contains(3) && result.enclosure[0].Contains(4));
  EXPECT_FALSE(result.enclosure[0].Contains(2) || result.enclosure[0].Contains(5));
  EXPECT_TRUE(result.enclosure[1].Contains(3) && result.enclosure[1].Contains(4));
  EXPECT_FALSE(result.enclosure[1].Contains(2));
  EXPECT_TRUE(result.enclosure[2].IsExact() && result.enclosure[2].Contains(3));
  EXPECT_TRUE(result.enclosure[3].IsExact() && result.enclosure[3].Contains(0));
}

TEST(MeanTest, EnclosuresOfFloatsAreTight) {
  const Evaluated result = Evaluate({kFloat32, {4}}, {0}, 0, {1, 2, 3, 5});
  EXPECT_GT(result.enclosure[0].radius, 0);
  // Four additions of at most 11 / 4 each, and the division.
  EXPECT_LT(result.enclosure[0].radius, 2.75 * 12 * 0x1p-24);
}

TEST(MeanTest, RejectsEmptyInputs) {
  const auto graph = PreparedGraph::Create(ModelOf({kFloat32, {0, 2}}, {1}, 0, {kFloat32, {0}}));
  ASSERT_TRUE(graph.ok()) << graph.status();
  InputArgument empty;
  empty.dimensions = {0, 2};
  EXPECT_THAT((*graph)->Execute(NumberSystem::kFloat, {empty}).status().message(),
              HasSubstr("MEAN input 0 (operand 0) is empty"));
}

TEST(MeanTest, RejectsAnOutputOfOtherDimensionsOrQuantization) {
  EXPECT_THAT(ErrorOf(kInput, {1}, 0, {kFloat32, {2, 3}}),
              AllOf(HasSubstr("MEAN output 0"), HasSubstr("[2, 2]")));
  EXPECT_THAT(ErrorOf({kQuant8, {2, 2}, 0.5, 3}, {1}, 0, {kQuant8, {2}, 0.5, 4}),
              AllOf(HasSubstr("MEAN output 0 'output'"), HasSubstr("zeroPoint 3")));
}

TEST(MeanTest, mean_c1_rejects_axes_that_the_input_does_not_have) {
  for (const std::vector<int32_t>& axes :
       {std::vector<int32_t>{3}, std::vector<int32_t>{-4}, std::vector<int32_t>{0, 3},
        std::vector<int32_t>{std::numeric_limits<int32_t>::min()}}) {
    for (const int32_t keep_dims : {0, 1}) {
      EXPECT_THAT(ErrorOf(kInput, axes, keep_dims, {kFloat32, {0, 0}}),
                  AllOf(RefusedBy("MEAN", "C1"), HasSubstr("input 1 'axes' (operand 1)")));
    }
  }
}

TEST(MeanTest, IsThereSince1_1AndTakesHalvesSince1_2) {
  const OperandSpec output = {kFloat32, {2, 2}};
  EXPECT_EQ(ErrorOf(kInput, {1}, 0, output, HalVersion::V1_1), "");
  EXPECT_THAT(ErrorOf(kInput, {1}, 0, output, HalVersion::V1_0), HasSubstr("MEAN"));
  const hal::V1_2::Model halves = ModelOf({kFloat16, {2, 2}}, {1}, 0, {kFloat16, {2}});
  EXPECT_EQ(SignatureErrorOf(halves, HalVersion::V1_2), "");
  EXPECT_THAT(SignatureErrorOf(halves, HalVersion::V1_1),
              HasSubstr("MEAN input 0 'input' (operand 0) is TENSOR_FLOAT16"));
}

}  // namespace
}  // namespace nncert
