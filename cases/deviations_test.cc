// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/deviations.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"

namespace nncert {
namespace {

using ::testing::ElementsAreArray;
using ::testing::StartsWith;

TestCase CaseOf(hal::V1_2::OperationType operation, const std::string& name) {
  TestCase test_case = AddCase();
  test_case.name = name;
  test_case.model.operations[0].type = operation;
  return test_case;
}

TEST(Deviations, AreTheHeadingsOfTheDocument) {
  std::ifstream file("docs/deviations.md");
  ASSERT_TRUE(file.is_open());
  std::vector<std::string> headings;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("### ")) headings.push_back(line.substr(4));
  }
  std::vector<std::string> names;
  for (const Deviation& deviation : KnownDeviations()) names.emplace_back(deviation.name);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_THAT(headings, ElementsAreArray(names));
}

TEST(Deviations, AreNamedForTheirOperation) {
  for (const Deviation& deviation : KnownDeviations()) {
    EXPECT_THAT(std::string(deviation.name),
                StartsWith(hal::toString(deviation.operation) + std::string("-")));
  }
}

TEST(FindDeviation, NeedsTheNameAndTheOperation) {
  const auto operation = hal::V1_2::OperationType::INSTANCE_NORMALIZATION;
  EXPECT_EQ(FindDeviation(CaseOf(operation, "instance_normalization_nhwc")),
            "INSTANCE_NORMALIZATION-variance");
  EXPECT_EQ(FindDeviation(CaseOf(operation, "instance_normalization_nchw_float16_2")),
            "INSTANCE_NORMALIZATION-variance");
  EXPECT_EQ(FindDeviation(CaseOf(operation, "my_instance_normalization_nhwc")), "");
  EXPECT_EQ(FindDeviation(CaseOf(operation, "instance_normalization_plain_nhwc")), "");
  EXPECT_EQ(FindDeviation(CaseOf(hal::V1_2::OperationType::ADD, "instance_normalization_nhwc")),
            "");
  EXPECT_EQ(FindDeviation({}), "");
}

}  // namespace
}  // namespace nncert
