// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/testing/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "reference/catalogue.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string WhyNot(std::string_view message, std::string_view operation, std::string_view label) {
  const testing::AssertionResult result = IsRefusalMessage(message, operation, label);
  return result ? "" : result.message();
}

// A softmax of `axis` with a model input for beta.
hal::V1_2::Model Softmax(int32_t axis) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({OperandType::TENSOR_FLOAT32, {1, 2}});
  const uint32_t beta = builder.Input({OperandType::FLOAT32});
  const uint32_t output = builder.Output({OperandType::TENSOR_FLOAT32, {1, 2}});
  builder.Operation(OperationType::SOFTMAX, {input, beta, builder.Int32(axis)}, {output});
  return builder.model();
}

TEST(RefusalTest, SaysWhatIsMissingFromAMessage) {
  EXPECT_THAT(WhyNot("", "SOFTMAX", "C1"), HasSubstr("it was accepted"));
  EXPECT_THAT(WhyNot("no", "SOFTMAX", "C1"), HasSubstr("names no constraint"));
  EXPECT_THAT(WhyNot("no", "SOFTMIN", "C1"), HasSubstr("no such operation"));
  const std::string c1 = "SOFTMAX: constraint C1 does not hold: beta; see input 1 'beta'";
  EXPECT_THAT(WhyNot(c1, "SOFTMAX", "C1"), HasSubstr("names no operand"));
  const std::string complete = c1 + " (operand 1)";
  EXPECT_THAT(WhyNot(complete, "SOFTMAX", "C2"), HasSubstr("another constraint"));
  EXPECT_THAT(WhyNot(complete, "LOGISTIC", "C1"), HasSubstr("does not name the operation"));
  EXPECT_THAT(WhyNot(complete + "; constraint C2 does not hold: axis", "SOFTMAX", "C1"),
              HasSubstr("more than one constraint"));
}

TEST(RefusalTest, TellsRefusalsOfTheModelFromThoseOfTheRequest) {
  EXPECT_TRUE(IsRefused(Softmax(2), "C2"));
  EXPECT_FALSE(IsRefused(Softmax(1), "C2"));
  EXPECT_TRUE(IsRefused(Softmax(1), "C1", {{0, 0}, {-1}}));
  EXPECT_FALSE(IsRefused(Softmax(1), "C1", {{0, 0}, {1}}));
  EXPECT_FALSE(IsRefused(Softmax(2), "C2", {{0, 0}, {1}}));
}

TEST(RefusalTest, KnowsWhichConstraintsWereNotBroken) {
  EXPECT_THAT(ConstraintsNotBroken("topk_v2.cc"), Contains("TOPK_V2 C1"));
  EXPECT_TRUE(IsRefused(Softmax(2), "C2"));
  EXPECT_THAT(ConstraintsNotBroken("softmax.cc"), Not(Contains("SOFTMAX C2")));
}

TEST(RefusalTest, TheLabelsOfAnOperationAreItsOwnAndInOrder) {
  size_t count = 0;
  for (const OperationDefinition* definition : AllOperations()) {
    const std::vector<Constraint>& constraints = definition->constraints;
    for (size_t i = 0; i < constraints.size(); ++i) {
      EXPECT_EQ(constraints[i].label, "C" + std::to_string(i + 1)) << definition->name();
    }
    EXPECT_FALSE(definition->source_file.empty());
    count += constraints.size();
  }
  // Each has a negative case, or the test of its operation fails.
  std::cout << count << " labelled constraints of " << AllOperations().size() << " operations\n";
  RecordProperty("labelled_constraints", static_cast<int>(count));
}

}  // namespace
}  // namespace nncert
