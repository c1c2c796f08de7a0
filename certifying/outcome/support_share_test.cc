// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/outcome/support_share.h"

#include <cstddef>
#include <string>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

LoadedCase Loaded(TestCase test_case) {
  LoadedCase loaded;
  loaded.test_case = std::move(test_case);
  return loaded;
}

CaseResult Result(const std::string& operation, Verdict verdict) {
  CaseResult result;
  result.operation = operation;
  result.verdict = verdict;
  return result;
}

TEST(SupportShareTest, CasesOfOneOperationAreCountedByTheTypeOfItsFirstInput) {
  const LoadedCase floats = Loaded(AddCase());
  const LoadedCase halves = Loaded(AddCase(OperandType::TENSOR_FLOAT16));
  const LoadedCase two_operations = Loaded(AddMulCase());
  LoadedCase to_be_refused = Loaded(AddCase());
  to_be_refused.test_case.expectFailure = true;
  const std::vector<CaseInMode> cases = {{&floats, TestMode::kStatic},
                                         {&floats, TestMode::kDynamic},
                                         {&halves},
                                         {&two_operations},
                                         {&to_be_refused, TestMode::kStatic},
                                         {&floats}};
  std::vector<CaseResult> results = {
      Result("ADD", Verdict::FAIL),        Result("ADD", Verdict::UNSUPPORTED),
      Result("ADD", Verdict::UNSUPPORTED), Result("ADD", Verdict::PASS),
      Result("ADD", Verdict::PASS),        Result("ADD", Verdict::INVALID)};
  // A case that is not valid says nothing of the driver.
  EXPECT_THAT(SharesOf(cases, results), ElementsAre(SupportShare{"ADD", "TENSOR_FLOAT16", 0, 1},
                                                    SupportShare{"ADD", "TENSOR_FLOAT32", 1, 2}));
  EXPECT_THAT(SharesOf({}, {}), IsEmpty());
}

TEST(SupportShareTest, AProcessThatIsLostSupportsNothing) {
  const LoadedCase floats = Loaded(AddCase());
  const std::vector<CaseInMode> cases = {{&floats}};
  for (const Verdict verdict : {Verdict::CRASH, Verdict::TIMEOUT, Verdict::MISSING}) {
    EXPECT_THAT(SharesOf(cases, {Result("ADD", verdict)}),
                ElementsAre(SupportShare{"ADD", "TENSOR_FLOAT32", 0, 1}));
  }
  EXPECT_THAT(SharesOf(cases, {Result("ADD", Verdict::BROKEN_PROMISE)}),
              ElementsAre(SupportShare{"ADD", "TENSOR_FLOAT32", 1, 1}));
}

TEST(SupportShareTest, ADriverThatSupportsEverythingIsDescribedOnALine) {
  EXPECT_EQ(DescribeShares({{"ADD", "TENSOR_FLOAT32", 2, 2}, {"MUL", "TENSOR_FLOAT32", 1, 1}}),
            "Supported: all 2 operations, all 2 pairs of operation and type\n");
  EXPECT_EQ(DescribeShares({}), "");
}

TEST(SupportShareTest, PartsAreDescribedByOperation) {
  EXPECT_EQ(DescribeShares({{"ADD", "TENSOR_FLOAT16", 0, 4},
                            {"ADD", "TENSOR_FLOAT32", 2, 2},
                            {"CONV_2D", "TENSOR_FLOAT32", 3, 5},
                            {"FLOOR", "TENSOR_FLOAT32", 0, 1},
                            {"MUL", "TENSOR_FLOAT32", 0, 1}}),
            "Supported: 2 of 4 operations, 2 of 5 pairs of operation and type, 1 of them in part\n"
            "  ADD     TENSOR_FLOAT32, not TENSOR_FLOAT16\n"
            "  CONV_2D TENSOR_FLOAT32 (3 of 5)\n"
            "  Not at all: FLOOR, MUL\n");
}

TEST(SupportShareTest, LongListsAreBroken) {
  std::vector<SupportShare> shares = {{"ADD", "TENSOR_FLOAT32", 1, 1}};
  for (int i = 0; i < 10; ++i) {
    shares.push_back({"AN_OPERATION_" + std::to_string(i), "INT32", 0, 1});
  }
  EXPECT_EQ(DescribeShares(shares),
            "Supported: 1 of 11 operations, 1 of 11 pairs of operation and type\n"
            "  ADD TENSOR_FLOAT32\n"
            "  Not at all: AN_OPERATION_0, AN_OPERATION_1, AN_OPERATION_2, AN_OPERATION_3, "
            "AN_OPERATION_4,\n"
            "    AN_OPERATION_5, AN_OPERATION_6, AN_OPERATION_7, AN_OPERATION_8, "
            "AN_OPERATION_9\n");
}

}  // namespace
}  // namespace nncert
