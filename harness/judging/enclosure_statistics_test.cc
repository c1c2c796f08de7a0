// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/enclosure_statistics.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using ::testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(EnclosureStatisticsTest, ASumInFloatIsEnclosedWithinASmallPartOfTheThreshold) {
  EnclosureStatistics statistics;
  ASSERT_TRUE(statistics.Add(AddCase()).ok());
  const OperationEnclosures& add = statistics.by_operation().at("ADD");
  EXPECT_EQ(add.cases, 1u);
  EXPECT_EQ(add.elements, 4u);
  EXPECT_EQ(add.undecided, 0u);
  EXPECT_EQ(add.violations, 0u);
  ASSERT_EQ(add.widths.size(), 4u);
  // One rounding of 2^-24, of a threshold of 1e-5 + 1e-5 |x|.
  EXPECT_GT(add.WidthQuantile(0), 0);
  EXPECT_LT(add.WidthQuantile(1), 0.02);
}

TEST(EnclosureStatisticsTest, AModelOfSeveralOperationsCountsUnderTheLast) {
  EnclosureStatistics statistics;
  ASSERT_TRUE(statistics.Add(AddMulCase()).ok());
  ASSERT_EQ(statistics.by_operation().size(), 1u);
  EXPECT_EQ(statistics.by_operation().at("MUL").elements, 4u);
}

TEST(EnclosureStatisticsTest, EveryExampleCounts) {
  TestCase test_case = AddCase();
  test_case.examples.push_back(test_case.examples[0]);
  EnclosureStatistics statistics;
  ASSERT_TRUE(statistics.Add(test_case).ok());
  EXPECT_EQ(statistics.by_operation().at("ADD").cases, 1u);
  EXPECT_EQ(statistics.by_operation().at("ADD").elements, 8u);
}

TEST(EnclosureStatisticsTest, QuantilesAreOfTheNearestRank) {
  OperationEnclosures counts;
  EXPECT_EQ(counts.WidthQuantile(0.5), 0);
  counts.widths = {kInfinity, 3, 1, 2};
  EXPECT_EQ(counts.WidthQuantile(0), 1);
  EXPECT_EQ(counts.WidthQuantile(0.25), 1);
  EXPECT_EQ(counts.WidthQuantile(0.5), 2);
  EXPECT_EQ(counts.WidthQuantile(0.51), 3);
  EXPECT_EQ(counts.WidthQuantile(0.99), kInfinity);
  EXPECT_EQ(counts.WidthQuantile(1), kInfinity);
}

TEST(EnclosureStatisticsTest, AnExampleThatDoesNotFitIsAnErrorAndCountsNothing) {
  TestCase test_case = AddCase();
  test_case.examples[0].inputs[1].data.pop_back();
  EnclosureStatistics statistics;
  const absl::Status status = statistics.Add(test_case);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("example 0"));
  EXPECT_TRUE(statistics.by_operation().empty());
}

// The second box has the greater score by 2^-30, which is lost where the scores are added up in
// single precision: the first box then comes first.
TEST(EnclosureStatisticsTest, RowsWhoseOrderIsTooCloseToCallAreComparedAsASet) {
  const OperandSpec pairs = {OperandType::TENSOR_FLOAT32, {2, 2}};
  const OperandSpec open = {OperandType::TENSOR_FLOAT32, {0}};
  const OperandSpec open_indexes = {OperandType::TENSOR_INT32, {0}};
  ModelBuilder builder;
  const uint32_t scores = builder.Temporary(pairs);
  builder.Operation(
      OperationType::ADD,
      {builder.Input(pairs), builder.Constant(pairs, {0, 0, 0, 0x1p-30}), builder.Int32(0)},
      {scores});
  const uint32_t boxes = builder.Constant({OperandType::TENSOR_FLOAT32, {2, 8}},
                                          {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3});
  const uint32_t zero = builder.Float32(0);
  const uint32_t one = builder.Float32(1);
  builder.Operation(OperationType::BOX_WITH_NMS_LIMIT,
                    {scores, boxes, builder.Int32Vector({0, 0}), zero, builder.Int32(-1),
                     builder.Int32(0), one, one, zero},
                    {builder.Output(open), builder.Output({OperandType::TENSOR_FLOAT32, {0, 4}}),
                     builder.Output(open_indexes), builder.Output(open_indexes)});
  TestCase test_case;
  test_case.model = builder.model();
  test_case.examples = {
      {.inputs = {{.hasNoValue = false,
                   .dimensions = {2, 2},
                   .data = BytesOf(OperandType::TENSOR_FLOAT32, {0, 0.5, 0, 0.5})}},
       .outputs = {}}};
  EnclosureStatistics statistics;
  ASSERT_TRUE(statistics.Add(test_case).ok());
  const OperationEnclosures& counts = statistics.by_operation().at("BOX_WITH_NMS_LIMIT");
  EXPECT_EQ(counts.elements, 2u + 8u + 2u + 2u);
  EXPECT_EQ(counts.violations, 0u) << statistics.violations()[0];
}

TEST(EnclosureStatisticsTest, AnInvalidModelIsAnError) {
  TestCase test_case = AddCase();
  test_case.model.operations[0].inputs[0] = 1000;
  EnclosureStatistics statistics;
  EXPECT_TRUE(absl::IsInvalidArgument(statistics.Add(test_case)));
}

TEST(EnclosureStatisticsTest, AnOverflowIsUndecided) {
  ModelBuilder builder;
  const OperandSpec tensor = {OperandType::TENSOR_FLOAT32, {2}};
  const uint32_t a = builder.Input(tensor);
  const uint32_t b = builder.Input(tensor);
  const uint32_t none = builder.Int32(0);
  const uint32_t out = builder.Output(tensor);
  builder.Operation(OperationType::MUL, {a, b, none}, {out});
  EnclosureStatistics statistics;
  const TestCase test_case = CaseWith(builder.model(), {{1e30, 2}, {1e30, 3}}, {{kInfinity, 6}});
  ASSERT_TRUE(statistics.Add(test_case).ok());
  const OperationEnclosures& mul = statistics.by_operation().at("MUL");
  EXPECT_EQ(mul.elements, 2u);
  EXPECT_EQ(mul.undecided, 1u);
  EXPECT_EQ(mul.violations, 0u);
}

TEST(EnclosureStatisticsTest, MergedStatisticsAreTheSums) {
  EnclosureStatistics first;
  EnclosureStatistics second;
  ASSERT_TRUE(first.Add(AddCase()).ok());
  ASSERT_TRUE(second.Add(AddCase()).ok());
  ASSERT_TRUE(second.Add(AddMulCase()).ok());
  first.Merge(second);
  EXPECT_EQ(first.by_operation().at("ADD").cases, 2u);
  EXPECT_EQ(first.by_operation().at("ADD").widths.size(), 8u);
  EXPECT_EQ(first.by_operation().at("MUL").cases, 1u);
}

TEST(EnclosureStatisticsTest, TheTableHasALineForEachOperationAndOneForAll) {
  EnclosureStatistics statistics;
  ASSERT_TRUE(statistics.Add(AddCase()).ok());
  EXPECT_THAT(EnclosuresToTable(statistics),
              HasSubstr("ADD                                  1          4     0.000%        0"));
  EXPECT_EQ(EnclosuresToTable(statistics).find("all"), std::string::npos);
  ASSERT_TRUE(statistics.Add(AddMulCase()).ok());
  EXPECT_THAT(EnclosuresToTable(statistics),
              HasSubstr("all                                  2          8     0.000%        0"));
}

TEST(EnclosureStatisticsTest, JsonHasTheSameNumbers) {
  EnclosureStatistics statistics;
  ASSERT_TRUE(statistics.Add(AddCase()).ok());
  const std::string json = EnclosuresToJson(statistics);
  EXPECT_THAT(json, HasSubstr("{\"operation\": \"ADD\", \"cases\": 1, \"elements\": 4, "
                              "\"undecided\": 0, \"violations\": 0, \"medianWidth\": 0.00"));
  EXPECT_THAT(json, HasSubstr("\"violations\": [\n  ]"));
}

}  // namespace
}  // namespace nncert
