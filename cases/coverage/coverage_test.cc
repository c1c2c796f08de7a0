// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/coverage/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cases/coverage/coverage_counter.h"
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
                           Pair("activation: 3", 2)));
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
                              "\"count\": 1, \"features\": {\"activation: 3\": 1, "),
                    HasSubstr("{\"from\": \"ADD\", \"to\": \"MUL\", \"count\": 1}")));
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
