// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Each check finds what it is there for: for every one there is a rule of the faulty driver that
// breaks exactly that, which fails this check and no other.

#include <algorithm>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "drivers/faulty/faulty_driver.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal_tests/check.h"
#include "hal_tests/suite_run.h"
#include "hal_tests/testing/witness_cases.h"
#include "harness/case_worker.h"
#include "harness/isolation/call_thread.h"
#include "harness/isolation/driver_session.h"
#include "reference/driver.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;

constexpr char kModels[] = "validate_model";
constexpr char kRequests[] = "validate_request";

struct Row {
  const char* suite;
  std::string_view check;
  const char* rule;
  // Part of what the first failure says was wrong with the mutant.
  const char* message;
};

void PrintTo(const Row& row, std::ostream* stream) { *stream << row.check; }

constexpr Row kRows[] = {
    {kModels, "mutateOperandTypeTest", "any_operand_type", "expected one of HAL"},
    {kModels, "mutateOperandRankTest", "any_scalar_rank", "the rank of a scalar is 1; expected 0"},
    {kModels, "mutateOperandScaleTest", "any_scale", "the scale is 1; expected 0"},
    {kModels, "mutateOperandZeroPointTest", "any_zero_point", "the zeroPoint is -1; expected 0"},
    {kModels, "mutateOperationOperandTypeTest", "any_type_for_operation", "at HAL"},
    {kModels, "mutateOperationTypeTest", "any_operation_type", "expected one of HAL"},
    {kModels, "mutateOperationInputOperandIndexTest", "any_input_index",
     "the operand index of input 0 is 4; expected less than 4"},
    {kModels, "mutateOperationOutputOperandIndexTest", "any_output_index",
     "the operand index of output 0 is 4; expected less than 4"},
    {kModels, "removeOperandTest", "missing_operand", "has 2 inputs; expected 3"},
    {kModels, "removeOperationTest", "missing_operation", "the model has no operations"},
    {kModels, "removeOperationInputTest", "missing_input", "has 2 inputs; expected 3"},
    {kModels, "removeOperationOutputTest", "missing_output", "no operation writes it"},
    {kModels, "addOperationInputTest", "additional_input", "has 4 inputs; expected 3"},
    {kModels, "addOperationOutputTest", "additional_output", "has 2 outputs; expected 1"},
    {kModels, "mutateExecutionPreferenceTest", "any_preference", "the execution preference is"},
    {kModels, "mutateOperandScaleSpecialTest", "scale_nan", "the scale is nan; expected 0"},
    {kModels, "mutateOperandExtraParamsTest", "any_extra_params",
     "the alternative of extraParams is extension; expected none"},
    {kModels, "mutateConstantRankTest", "constant_of_rank_0",
     "the rank of a constant tensor is unknown; expected at least 1"},
    {kModels, "mutateConstantSizeOverflowTest", "size_in_32_bits", "the length of the constant is"},
    {kModels, "mutateOperandLifeTimeTest", "any_lifetime", "the lifetime is"},
    {kModels, "mutateNumberOfConsumersTest", "any_consumers", "numberOfConsumers is 2; expected 1"},
    {kModels, "mutateOperandLocationTest", "any_location", "operandValues has"},
    {kModels, "mutatePoolTest", "any_pool", "the pool has no file descriptor"},
    {kModels, "mutateModelInputIndexTest", "inputs_twice", "for the second time"},
    {kModels, "mutateModelOutputIndexTest", "outputs_twice", "for the second time"},
    {kModels, "addUnwrittenOperandTest", "unwritten_operand", "no operation writes it"},
    {kModels, "addCycleTest", "cycles", "expected no cycle"},
    {kModels, "mutateExecutionOrderTest", "any_order", "expected operations in execution order"},
    {kModels, "addWriterTest", "two_writers", "expected exactly one writer"},
    {kModels, "removeEverythingTest", "empty_model", "the model has no operands"},
    {kModels, "mutateExtensionPrefixTest", "extension_twice", "has two prefixes"},
    {kModels, "breakConstraintTest", "any_constraint", "does not hold"},
    {kModels, "mutateOutputDimensionsTest", "any_output_dimensions", "the model declares"},
    {kRequests, "removeInputTest", "request_without_input", "the request has 1 inputs; expected 2"},
    {kRequests, "removeOutputTest", "request_without_output",
     "the request has 0 outputs; expected 1"},
    {kRequests, "addArgumentTest", "request_with_more", "the request has 3 inputs; expected 2"},
    {kRequests, "mutateArgumentPoolTest", "request_any_pool_index",
     "the poolIndex is 2; expected less than 2"},
    {kRequests, "mutateArgumentLocationTest", "request_any_location", "the location ends at byte"},
    {kRequests, "shortenInputTest", "request_short_input",
     "the length is 15; expected at least 16"},
    {kRequests, "mutateArgumentRankTest", "request_any_rank", "the rank is 3; expected 2"},
    {kRequests, "mutateArgumentDimensionTest", "request_any_dimension",
     "the dimension 0 is 3; expected 2 as in the model"},
    {kRequests, "leaveDimensionUnknownTest", "request_unknown_dimension", "the dimension 0 is 0;"},
    {kRequests, "omitRequiredInputTest", "request_omits_input", "it is not optional"},
    {kRequests, "mutateOmittedArgumentTest", "request_omitted_somewhere",
     "an omitted argument has the location"},
    {kRequests, "aliasOutputTest", "request_overlap", "it overlaps input 0"},
    {kRequests, "mutateRequestPoolTest", "request_any_pool", "the pool has no file descriptor"},
    {kRequests, "executeValidRequestTest", "request_never_again",
     "it ended with INVALID_ARGUMENT; expected an execution"},
};

// Trusts the driver to come back, so that its calls need no thread of their own: there are half a
// million, and on a busy machine each switch takes its time.
class Trust : public CallWatch {
 public:
  void Begin(absl::Duration /*deadline*/) override {}
  absl::Status End() override { return absl::OkStatus(); }
  absl::Status Health() override { return absl::OkStatus(); }
  std::string Activity() override { return ""; }
};

// What a suite of the witness cases comes to on a device in this process.
SuiteResult RunOn(const std::shared_ptr<hal::V1_2::IDevice>& device, const Suite& suite) {
  Trust trust;
  const auto session = DriverSession::FromDevice(device, "faulty", kDefaultDeadline, &trust);
  EXPECT_TRUE(session.ok()) << session.status();
  const auto workers = WorkersInProcess(**session, 1);
  EXPECT_TRUE(workers.ok()) << workers.status();
  const std::vector<LoadedCase> cases = WitnessCases();
  std::vector<CaseInMode> in_modes;
  for (const LoadedCase& loaded : cases) {
    for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
      in_modes.push_back({&loaded, mode});
    }
  }
  return RunSuite(*workers, suite, suite.make_tests(in_modes, (*session)->hal_version()), {});
}

class FaultySuitesTest : public ::testing::TestWithParam<Row> {};

TEST_P(FaultySuitesTest, OneCheckFindsTheRuleAndNoOtherDoes) {
  const Row& row = GetParam();
  const auto device = faulty::MakeFaultyDriver(row.rule);
  ASSERT_TRUE(device.ok()) << device.status();
  for (const Suite& suite : AllSuites()) {
    const SuiteResult result = RunOn(*device, suite);
    for (const auto& [check, count] : result.checks) {
      const bool is_meant = suite.name == row.suite && check == row.check;
      EXPECT_EQ(count.failed > 0, is_meant) << check << ": " << count.failed << " failed";
    }
    if (suite.name != row.suite) continue;
    const auto failed = result.failures.find(row.check);
    ASSERT_NE(failed, result.failures.end());
    EXPECT_EQ(failed->second.first.verdict, Verdict::FAIL);
    EXPECT_THAT(failed->second.first.detail, HasSubstr(row.message));
    EXPECT_THAT(failed->second.first.detail, HasSubstr("expected"));
    EXPECT_GT(result.counts.at(Verdict::FAIL), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, FaultySuitesTest, ::testing::ValuesIn(kRows),
                         [](const auto& each) { return std::string(each.param.rule); });

TEST(FaultySuitesTableTest, EveryCheckHasItsRule) {
  for (const Suite& suite : AllSuites()) {
    for (const Check& check : suite.checks()) {
      EXPECT_TRUE(std::any_of(
          std::begin(kRows), std::end(kRows),
          [&](const Row& row) { return suite.name == row.suite && check.name == row.check; }))
          << suite.name << " " << check.name;
    }
  }
}

TEST(FaultySuitesTableTest, EveryCheckIsMadeAndPassesOnAGoodDriver) {
  for (const Suite& suite : AllSuites()) {
    const SuiteResult result = RunOn(MakeReferenceDriver(), suite);
    EXPECT_EQ(result.run, result.planned);
    EXPECT_EQ(result.counts.size(), 1u);
    for (const auto& [check, count] : result.checks) {
      EXPECT_GT(count.passed, 0u) << check;
      EXPECT_EQ(count.failed, 0u) << check;
    }
  }
}

}  // namespace
}  // namespace nncert
