// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/coverage/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/coverage/coverage_counter.h"
#include "cases/coverage/coverage_items.h"
#include "cases/coverage/coverage_report.h"
#include "reference/catalogue.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// x + x with RELU6, as a HAL 1.0 case; and the sum times a constant.
TestCase SumAndProduct() {
  const OperandSpec image = {OperandType::TENSOR_FLOAT32, {2, 3, 20}};
  ModelBuilder builder;
  const uint32_t input = builder.Input(image);
  const uint32_t sum = builder.Temporary(image);
  builder.Operation(OperationType::ADD, {input, input, builder.Int32(3)}, {sum});
  const uint32_t factor =
      builder.Constant({OperandType::TENSOR_FLOAT32, {20}}, std::vector<double>(20, 2));
  builder.Operation(OperationType::MUL, {sum, factor, builder.Int32(0)}, {builder.Output(image)});
  TestCase test_case;
  test_case.minimumVersion = HalVersion::V1_0;
  test_case.model = builder.model();
  return test_case;
}

// SOFTMAX without its optional axis.
TestCase Softmax() {
  ModelBuilder builder;
  const OperandSpec rows = {OperandType::TENSOR_FLOAT16, {1, 65}};
  builder.Operation(OperationType::SOFTMAX,
                    {builder.Input(rows), builder.Constant({OperandType::FLOAT16}, {1})},
                    {builder.Output(rows)});
  TestCase test_case;
  test_case.minimumVersion = HalVersion::V1_2;
  test_case.model = builder.model();
  return test_case;
}

Coverage CoverageOf(const std::vector<TestCase>& cases) {
  CoverageCounter counter;
  for (const TestCase& test_case : cases) counter.Add(test_case);
  return counter.Result();
}

TEST(CoverageTest, CountsWhatOperationsAreMetWith) {
  const Coverage coverage = CoverageOf({SumAndProduct(), SumAndProduct(), Softmax()});
  EXPECT_EQ(coverage.cases, 3);
  const auto& sum = coverage.operations.at({"ADD", "TENSOR_FLOAT32"});
  EXPECT_EQ(sum.count, 2);
  EXPECT_THAT(
      sum.features,
      UnorderedElementsAre(Pair("version=1.0", 2), Pair("rank=3", 2), Pair("dimension>16", 2),
                           Pair("inner>16@inner%8", 2), Pair("batch>1", 2), Pair("operations>1", 2),
                           Pair("consumers>1", 2), Pair("variable", 2), Pair("same_operand", 2),
                           Pair("variable b", 2), Pair("activation: 3", 2), Pair("C1", 2)));
  const auto& product = coverage.operations.at({"MUL", "TENSOR_FLOAT32"});
  EXPECT_THAT(product.features, AllOf(Contains(Pair("constant", 2)), Contains(Pair("internal", 2)),
                                      Not(Contains(Key("first_constant")))));
  const auto& softmax = coverage.operations.at({"SOFTMAX", "TENSOR_FLOAT16"});
  EXPECT_THAT(softmax.features,
              AllOf(Contains(Pair("without axis", 1)), Contains(Pair("dimension>64", 1)),
                    Contains(Pair("rank<3", 1)), Not(Contains(Key("batch>1")))));
  EXPECT_THAT(coverage.edges, ElementsAre(Pair(Pair("ADD", "MUL"), 2)));
}

TEST(CoverageTest, IsTheSumOfItsParts) {
  Coverage sum = CoverageOf({SumAndProduct()});
  sum.Add(CoverageOf({Softmax(), SumAndProduct()}));
  EXPECT_EQ(sum, CoverageOf({SumAndProduct(), Softmax(), SumAndProduct()}));
  EXPECT_EQ(sum.Count("ADD", "same_operand"), 2);
  EXPECT_EQ(sum.Count("MUL", "same_operand"), 0);
  EXPECT_EQ(sum.Count("CONV_2D", "nchw"), 0);
}

TEST(CoverageTest, IsWrittenForProgramsAndForPeople) {
  const Coverage coverage = CoverageOf({SumAndProduct()});
  EXPECT_THAT(CoverageToJson(coverage),
              AllOf(HasSubstr("{\n  \"cases\": 1,\n"),
                    HasSubstr("{\"operation\": \"ADD\", \"type\": \"TENSOR_FLOAT32\", "
                              "\"count\": 1, \"features\": {\"C1\": 1, "),
                    HasSubstr("\"activation\": [\"activation: 0\", \"activation: 1\", "
                              "\"activation: 2\"]"),
                    HasSubstr("{\"from\": \"ADD\", \"to\": \"MUL\", \"count\": 1}")));
  EXPECT_THAT(CoverageToText(coverage),
              AllOf(HasSubstr("ADD TENSOR_FLOAT16: never met\n"),
                    HasSubstr("; not met: version=1.2, rank=1, rank=2, rank=4, activation: 0, ")));
  EXPECT_THAT(DescribeCoverage(coverage), HasSubstr("2 operations in 2 types, "));
}

// A scalar may be called as a quantity is.
TEST(CoverageTest, TellsAttributesFromQuantities) {
  ModelBuilder builder;
  const auto add = [&](std::vector<uint32_t> dimensions) {
    return builder.Input({OperandType::TENSOR_FLOAT32, std::move(dimensions)});
  };
  const std::vector<uint32_t> inputs = {add({1, 3}), add({2, 3}),      add({2, 4}),     add({1}),
                                        add({1, 8}), builder.Int32(2), builder.Int32(0)};
  builder.Operation(OperationType::SVDF, inputs,
                    {builder.Output({OperandType::TENSOR_FLOAT32, {1, 8}}),
                     builder.Output({OperandType::TENSOR_FLOAT32, {1, 1}})});
  TestCase test_case;
  test_case.model = builder.model();
  const Coverage coverage = CoverageOf({test_case, test_case, test_case});
  EXPECT_EQ(coverage.Count("SVDF", "rank=2"), 3);
  EXPECT_EQ(coverage.Count("SVDF", "rank: 2"), 3);
}

std::vector<std::string> NamesOf(const char* operation, OperandType type, CoverageKind kind) {
  std::vector<std::string> names;
  for (const CoverageItem& item : CoverageItemsOf(*FindOperation(operation), type)) {
    if (item.kind == kind) names.push_back(item.name);
  }
  return names;
}

TEST(CoverageTest, WhatCanBeAskedIsReadOffTheCatalogue) {
  const OperandType type = OperandType::TENSOR_QUANT8_ASYMM;
  EXPECT_THAT(NamesOf("CONV_2D", type, CoverageKind::kVersion),
              ElementsAre("version=1.0", "version=1.2"));
  EXPECT_THAT(NamesOf("CONV_2D", type, CoverageKind::kRank), ElementsAre("rank=4"));
  EXPECT_THAT(NamesOf("CONV_2D", type, CoverageKind::kOperandType),
              ElementsAre("filter=TENSOR_QUANT8_ASYMM", "filter=TENSOR_QUANT8_SYMM_PER_CHANNEL"));
  EXPECT_THAT(NamesOf("CONV_2D", type, CoverageKind::kLayout),
              ElementsAre("layout: 0", "layout: 1"));
  const std::vector<std::string> attributes = NamesOf("CONV_2D", type, CoverageKind::kAttribute);
  EXPECT_THAT(attributes, AllOf(Contains("strideWidth: 1"), Contains("strideWidth: >1"),
                                Contains("paddingScheme: 2"), Not(Contains("strideWidth: 0")),
                                Contains("paddingLeft: 0"), Not(Contains("paddingLeft: <0")),
                                Not(Contains("paddingScheme: >1"))));
  EXPECT_THAT(NamesOf("MAX_POOL_2D", type, CoverageKind::kAttribute),
              AllOf(Contains("filterWidth: 1"), Contains("filterWidth: >1"),
                    Not(Contains("filterWidth: 0")), Contains("paddingTop: >1")));
  // Axes count from the end as well.
  EXPECT_THAT(NamesOf("GATHER", type, CoverageKind::kAttribute),
              ElementsAre("axis: <0", "axis: 0", "axis: 1", "axis: 2", "axis: 3"));
  EXPECT_THAT(NamesOf("RELU", type, CoverageKind::kOptionalOperand), ElementsAre());
  EXPECT_THAT(NamesOf("SOFTMAX", type, CoverageKind::kOptionalOperand),
              ElementsAre("with axis", "without axis"));
}

TEST(CoverageTest, ConstraintsDecideWhichConditionsCanBeMet) {
  const auto can_meet = [](const char* operation, const char* condition) {
    return CanMeet(*FindOperation(operation), condition);
  };
  // The rows of its first tensor are the four corners of a box.
  EXPECT_FALSE(can_meet("AXIS_ALIGNED_BBOX_TRANSFORM", "inner>16@inner%8"));
  EXPECT_TRUE(can_meet("TRANSPOSE", "inner>16@inner%8"));
  // There are four times as many numbers of boxes as scores.
  EXPECT_FALSE(can_meet("BOX_WITH_NMS_LIMIT", "same_operand"));
  EXPECT_TRUE(can_meet("ADD", "same_operand"));
  EXPECT_FALSE(can_meet("RELU", "same_operand"));
  EXPECT_FALSE(can_meet("SOFTMAX", "nchw"));
  EXPECT_FALSE(CanMeet(*FindOperation("RELU"), OperandType::TENSOR_QUANT8_ASYMM, "relaxed"));
}

bool IsAskedForOtherwise(const std::string& feature) {
  return std::any_of(
      CoverageConditions().begin(), CoverageConditions().end(),
      [&feature](const CoverageCondition& condition) {
        return condition.text == feature &&
               (condition.kind == CoverageKind::kRank || condition.kind == CoverageKind::kLayout);
      });
}

// What is read off the catalogue and what is counted have the same names.
TEST(CoverageTest, WhatIsCountedCanBeAsked) {
  const Coverage coverage = CoverageOf({SumAndProduct(), Softmax()});
  size_t operations = 0;
  for (const MeasuredOperation& operation : MeasureCoverage(coverage)) {
    if (operation.count == 0) continue;
    ++operations;
    std::set<std::string> met;
    for (const MeasuredItem& measured : operation.items) {
      if (measured.count == 0) continue;
      met.insert(measured.item.features.begin(), measured.item.features.end());
    }
    const auto& counted = coverage.operations.at({operation.operation, operation.type}).features;
    for (const auto& [feature, count] : counted) {
      EXPECT_TRUE(met.contains(feature) || IsAskedForOtherwise(feature))
          << operation.operation << " " << feature;
    }
  }
  EXPECT_EQ(operations, 3);
}

// Operations that the catalogue does not have say nothing of those that it has.
TEST(CoverageTest, LeavesOutWhatNobodyKnows) {
  TestCase unknown = SumAndProduct();
  unknown.model.operations[0].type = static_cast<OperationType>(0x7FFF0001);
  const Coverage coverage = CoverageOf({unknown});
  EXPECT_EQ(coverage.operations.size(), 1);
  EXPECT_TRUE(coverage.edges.empty());
}

}  // namespace
}  // namespace nncert
