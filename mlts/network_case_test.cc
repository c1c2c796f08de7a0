// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/network_case.h"

#include <algorithm>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/tflite/testing/run_network.h"
#include "mlts/tflite/testing/tflite_maker.h"
#include "mlts/tflite/variants.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::testing::StatusIs;
using ::testing::HasSubstr;
using tflite::BuiltinOperator;
using tflite::TensorType;

TestCase CaseOfOrFail(const Network& network, uint64_t seed) {
  absl::StatusOr<TestCase> test_case = CaseOf(network, InputRangesOf(network), seed);
  EXPECT_TRUE(test_case.ok()) << test_case.status();
  return test_case.ok() ? *std::move(test_case) : TestCase();
}

TEST(NetworkCaseTest, IsTheSameForTheSameSeed) {
  const Network network = ImportOrFail(SmallTfliteFile());
  const TestCase test_case = CaseOfOrFail(network, 1);
  EXPECT_EQ(test_case, CaseOfOrFail(network, 1));
  EXPECT_NE(test_case.examples, CaseOfOrFail(network, 2).examples);
  EXPECT_EQ(test_case.name, "network");
  EXPECT_EQ(test_case.minimumVersion, hal::HalVersion::V1_2);
  ASSERT_EQ(test_case.examples.size(), 1U);
  EXPECT_EQ(test_case.examples[0].inputs.size(), 2U);
  EXPECT_EQ(test_case.examples[0].outputs.size(), 2U);
}

TEST(NetworkCaseTest, SaysTheLowestVersion) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 2}});
  const int32_t output = maker.Tensor({TensorType::FLOAT32, {1, 2}});
  maker.Operator(BuiltinOperator::RELU, {input}, {output});
  Network network = ImportOrFail(maker.Finish({input}, {output}));
  network.name = "1st network.v2";
  const TestCase test_case = CaseOfOrFail(network, 1);
  EXPECT_EQ(test_case.minimumVersion, hal::HalVersion::V1_0);
  EXPECT_EQ(test_case.name, "network_1st_network_v2");
}

TEST(NetworkCaseTest, InputsAreInTheirRanges) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::INT8, {1, 4096}, {0.5F}, {-28}});
  const int32_t output = maker.Tensor({TensorType::INT8, {1, 4096}, {0.5F}, {-28}});
  maker.Operator(BuiltinOperator::RELU, {input}, {output});
  const Network network = ImportOrFail(maker.Finish({input}, {output}));
  const std::vector<InputRange> ranges = InputRangesOf(network);
  EXPECT_EQ(ranges[0].lowest, -50);
  EXPECT_EQ(ranges[0].highest, 77.5);
  const TestCase test_case = CaseOfOrFail(network, 1);
  const std::vector<uint8_t>& bytes = test_case.examples[0].inputs[0].data;
  EXPECT_EQ(std::set<uint8_t>(bytes.begin(), bytes.end()).size(), 256U);
  // A variant of floats has the numbers that the bytes stand for.
  const absl::StatusOr<Network> floats = DeriveVariant(network, NetworkVariant::kFloat32);
  ASSERT_TRUE(floats.ok());
  const absl::StatusOr<TestCase> of_floats = CaseOf(*floats, ranges, 1);
  ASSERT_TRUE(of_floats.ok());
  const std::vector<uint8_t>& data = of_floats->examples[0].inputs[0].data;
  const std::vector<double> numbers =
      NumbersOf(hal::V1_2::OperandType::TENSOR_FLOAT32, {data.data(), data.size()});
  EXPECT_LT(*std::min_element(numbers.begin(), numbers.end()), -45);
  EXPECT_GT(*std::max_element(numbers.begin(), numbers.end()), 70);
}

TEST(NetworkCaseTest, IndexesAreValid) {
  TfliteMaker maker;
  const int32_t lookups = maker.Tensor({TensorType::INT32, {64}});
  const int32_t table =
      maker.Constant<float>({TensorType::FLOAT32, {3, 4}}, std::vector<float>(12, 1));
  const int32_t output = maker.Tensor({TensorType::FLOAT32, {64, 4}});
  maker.Operator(BuiltinOperator::EMBEDDING_LOOKUP, {lookups, table}, {output});
  CaseOfOrFail(ImportOrFail(maker.Finish({lookups}, {output})), 1);
}

TEST(NetworkCaseTest, RangesMustBeThoseOfTheInputs) {
  EXPECT_THAT(CaseOf(ImportOrFail(SmallTfliteFile()), {}, 1).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("network has 2 inputs; there are ranges of 0")));
}

TEST(NetworkCaseTest, InputsBeyondAllMemoryAreRefused) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1 << 29}});
  const int32_t output = maker.Tensor({TensorType::FLOAT32});
  maker.Operator(BuiltinOperator::RELU, {input}, {output});
  const Network network = ImportOrFail(maker.Finish({input}, {output}));
  EXPECT_THAT(CaseOf(network, InputRangesOf(network), 1).status(),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("come to more than")));
}

}  // namespace
}  // namespace nncert
