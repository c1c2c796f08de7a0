// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Three that share no code, XNNPACK, the reference and the oracle in NumPy, agree on every
// operation and type that XNNPACK has.

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "drivers/xnnpack/driver.h"
#include "drivers/xnnpack/operations.h"
#include "drivers/xnnpack/random_models.h"
#include "generators/oracle/oracle_case.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"
#include "harness/case_runner.h"
#include "harness/case_worker.h"
#include "harness/isolation/driver_session.h"
#include "harness/judging/oracle.h"
#include "random_graph/campaign.h"
#include "random_graph/campaign_report.h"

namespace nncert::xnnpack {
namespace {

using ::testing::Each;
using ::testing::Field;

// Verdicts of the cases of one operation and type.
struct Tally {
  int agree = 0;
  int unsupported = 0;
};

using TallyByType = std::map<std::pair<OperationType, OperandType>, Tally>;

std::unique_ptr<DriverSession> OpenSession() {
  const auto device = MakeXnnpackDriver();
  EXPECT_TRUE(device.ok()) << device.status();
  auto session = DriverSession::FromDevice(*device, "xnnpack");
  EXPECT_TRUE(session.ok()) << session.status();
  return *std::move(session);
}

void RunAndCount(DriverSession& session, const TestCase& test_case, TallyByType& tallies) {
  const hal::V1_2::Operation& operation = test_case.model.operations[0];
  Tally& tally = tallies[{operation.type, test_case.model.operands[operation.inputs[0]].type}];
  const CaseResult result = RunCase(session, test_case, TestMode::kStatic);
  if (result.verdict == Verdict::UNSUPPORTED) {
    ++tally.unsupported;
    return;
  }
  ++tally.agree;
  // An honest implementation in single precision may be off by more than the documented threshold
  // where terms cancel.
  EXPECT_TRUE(result.verdict == Verdict::PASS || result.verdict == Verdict::EXPLAINED)
      << test_case.name << ": " << result.verdict << ": " << result.detail;
}

bool HasEmptyInput(const TestCase& test_case) {
  return absl::c_any_of(test_case.examples[0].inputs, [](const InputValue& input) {
    return absl::c_linear_search(input.dimensions, 0u);
  });
}

bool HasNan(const std::vector<Answer>& answers) {
  return absl::c_any_of(answers, [](const Answer& answer) {
    return absl::c_any_of(answer.values, [](double value) { return std::isnan(value); });
  });
}

TEST(AgreementTest, WithTheOracleInNumPy) {
  const auto cases = ReadOracleCases("generators/oracle/all.oracle");
  ASSERT_TRUE(cases.ok()) << cases.status();
  const auto session = OpenSession();
  TallyByType tallies;
  for (const OracleCase& oracle_case : *cases) {
    if (FindOperation(oracle_case.test_case.model.operations[0].type) == nullptr) continue;
    // No request can give an empty tensor. XNNPACK does not keep NaNs: docs/known_results.md.
    if (HasEmptyInput(oracle_case.test_case) || HasNan(oracle_case.answers)) continue;
    RunAndCount(*session, oracle_case.test_case, tallies);
  }
  for (const OperationEntry& entry : SupportedOperations()) {
    for (const OperandType type : entry.types) {
      const Tally& tally = tallies[{entry.type, type}];
      EXPECT_GT(tally.agree, 0) << hal::toString(entry.type) << " of " << hal::toString(type)
                                << ": all " << tally.unsupported << " cases are unsupported";
    }
  }
}

TEST(AgreementTest, WithTheReferenceOnRandomModels) {
  constexpr int kModels = 25;
  const auto session = OpenSession();
  TallyByType tallies;
  for (const OperationEntry& entry : SupportedOperations()) {
    for (const OperandType type : entry.types) {
      for (uint64_t seed = 0; seed < kModels; ++seed) {
        TestCase test_case = RandomCase(entry.type, type, seed);
        auto expected = Oracle(test_case).Expected(0);
        ASSERT_TRUE(expected.ok()) << test_case.name << ": " << expected.status();
        test_case.examples[0].outputs = *std::move(expected);
        RunAndCount(*session, test_case, tallies);
      }
      const Tally& tally = tallies[{entry.type, type}];
      EXPECT_GT(tally.agree, kModels / 2)
          << hal::toString(entry.type) << " of " << hal::toString(type);
    }
  }
}

// Whatever forms, sizes and lifetimes operands have, and several operations together.
TEST(AgreementTest, WithTheReferenceOnRandomGraphs) {
  const auto session = OpenSession();
  const auto workers = WorkersInProcess(*session, 1);
  ASSERT_TRUE(workers.ok()) << workers.status();
  CampaignOptions options;
  options.graphs = 6000;
  const absl::StatusOr<CampaignResult> result = RunCampaign(*workers, options);
  ASSERT_TRUE(result.ok()) << result.status();
  // Of NaN and infinities XNNPACK makes what it likes: docs/known_results.md.
  EXPECT_FALSE(result->Failed(/*is_strict=*/false)) << Summarize(*result);
  EXPECT_THAT(result->findings, Each(Field(&Finding::kind, FindingKind::UNDIVIDED)));
  EXPECT_EQ(result->graphs, options.graphs);
  // XNNPACK has a third of the operations, of two or three types.
  EXPECT_GT(result->counts.at(Verdict::PASS), options.graphs / 8);
}

}  // namespace
}  // namespace nncert::xnnpack
