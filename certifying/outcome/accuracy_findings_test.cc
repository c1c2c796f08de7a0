// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/outcome/accuracy_findings.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "random/split_mix.h"

namespace nncert {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

CaseResult ResultWith(const OperationAccuracy& accuracy) {
  CaseResult result;
  result.name = "add";
  result.accuracy = {accuracy};
  return result;
}

// `count` errors between `least` and `greatest`.
OperationAccuracy WithErrors(size_t count, double least, double greatest) {
  SplitMix64 random(1);
  std::vector<ElementError> errors;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t bits = random.Bits();
    const double share = static_cast<double>(bits >> 11) * 0x1p-53;
    errors.push_back({bits, static_cast<float>(least + share * (greatest - least))});
  }
  OperationAccuracy accuracy = {"ADD", "TENSOR_FLOAT32", count};
  AddErrors(errors, accuracy);
  return accuracy;
}

TEST(AccuracyFindingsTest, SuspectsAreAddedUp) {
  OperationAccuracy add = {"ADD", "TENSOR_FLOAT32", 10, 2, "GeneratedTests.add: the first"};
  OperationAccuracy more = {"ADD", "TENSOR_FLOAT32", 5, 1, "GeneratedTests.add_2: another"};
  OperationAccuracy good = {"MUL", "TENSOR_FLOAT32", 5};
  const std::vector<Finding> findings =
      FindingsOf({ResultWith(good), ResultWith(add), ResultWith(more)});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(DescribeFinding(findings[0]),
            "SUSPECT ADD TENSOR_FLOAT32, 3 times: of 15 elements; the first: GeneratedTests.add: "
            "the first");
}

TEST(AccuracyFindingsTest, RoundingToNearestIsNotBiased) {
  for (const size_t count : {1, 10, 1000, 4000}) {
    EXPECT_THAT(FindingsOf({ResultWith(WithErrors(count, -1, 1))}), IsEmpty());
  }
}

TEST(AccuracyFindingsTest, RoundingAwayFromZeroIsNotBiased) {
  EXPECT_THAT(FindingsOf({ResultWith(WithErrors(4000, 0, 1))}), IsEmpty());
}

TEST(AccuracyFindingsTest, RoundingTowardsZeroIsBiased) {
  const std::vector<Finding> findings = FindingsOf({ResultWith(WithErrors(1000, -1, 0))});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].kind, FindingKind::BIASED);
  EXPECT_EQ(findings[0].count, 1000U);
  EXPECT_THAT(findings[0].detail, HasSubstr("by 0.5"));
}

TEST(AccuracyFindingsTest, AFewElementsAreNoEvidence) {
  EXPECT_THAT(FindingsOf({ResultWith(WithErrors(40, -1, -0.9))}), IsEmpty());
}

TEST(AccuracyFindingsTest, TheSameElementsAgainAreNoMoreEvidence) {
  const CaseResult result = ResultWith(WithErrors(40, -1, -0.9));
  EXPECT_THAT(FindingsOf(std::vector<CaseResult>(50, result)), IsEmpty());
}

TEST(AccuracyFindingsTest, WhatWasJudgedAsAWholeIsCounted) {
  CaseResult result;
  result.name = "network";
  result.undivided = "it is fused";
  const std::vector<Finding> findings = FindingsOf({CaseResult(), result, result});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].kind, FindingKind::UNDIVIDED);
  EXPECT_EQ(findings[0].count, 2U);
  EXPECT_THAT(findings[0].detail, HasSubstr("GeneratedTests.network: it is fused"));
}

}  // namespace
}  // namespace nncert
