// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A case comes to the same whether its calls are made at once or one by one.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/case_worker.h"
#include "harness/isolated_worker.h"
#include "harness/isolation/driver_process.h"
#include "harness/isolation/driver_session.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/kinds_of_lies.h"
#include "harness/testing/misbehaving.h"
#include "harness/testing/run_on_fake.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_0::GetSupportedOperationsResult;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using ExecuteCallback = std::shared_ptr<hal::V1_0::IExecutionCallback>;

// Two operations, of which one reads the other.
TestCase ChainCase() { return SumOfThreeCase(1, 2, 3, 6); }

// The way of InWay that is a burst.
constexpr uint64_t kBurst = 2;

class CallsAtOnceTest : public ::testing::TestWithParam<std::string> {};

TEST_P(CallsAtOnceTest, ComeToWhatTheyComeToOneByOne) {
  const MakeLies make = KindsOfLies().at(GetParam());
  for (const TestCase& test_case : {AddCase(), AddMulCase(), ChainCase()}) {
    for (const std::optional<uint64_t> way : std::vector<std::optional<uint64_t>>{0, 1, 2, {}}) {
      if (GetParam() == kThrowsInExecution && way.value_or(kBurst) == kBurst) continue;
      RunOptions options = InWay(way, /*at_once=*/false);
      if (GetParam() == kKeepsCallback) options.deadline = absl::Milliseconds(300);
      const CaseResult one_by_one = RunOnFake(make(), test_case, TestMode::kStatic, options);
      options.at_once = true;
      const CaseResult at_once = RunOnFake(make(), test_case, TestMode::kStatic, options);
      EXPECT_EQ(at_once.verdict, one_by_one.verdict) << at_once.detail;
      EXPECT_EQ(at_once.detail, one_by_one.detail);
      EXPECT_EQ(at_once.operation, one_by_one.operation);
      EXPECT_EQ(at_once.executions, one_by_one.executions);
      EXPECT_EQ(at_once.compared_elements, one_by_one.compared_elements);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CallsAtOnceTest, ::testing::ValuesIn(NamesOfLies()),
                         [](const auto& kind) { return AsTestName(kind.param); });

// How many calls a device had of each kind.
struct Calls {
  int asked = 0;
  int prepared = 0;
  int executed = 0;
};

Calls CallsOf(const TestCase& test_case, bool at_once) {
  Calls calls;
  Lies lies;
  lies.supported = [&](GetSupportedOperationsResult&) { ++calls.asked; };
  lies.model = [&](const hal::V1_2::Model&) { ++calls.prepared; };
  lies.execution = [&](FakeExecution&) { ++calls.executed; };
  const auto session = DriverSession::FromDevice(MakeFakeDevice(lies), "fake").value();
  const CaseResult result =
      RunCase(*session, test_case, TestMode::kStatic, InWay(/*way=*/std::nullopt, at_once));
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  return calls;
}

TEST(CallsAtOnce, AreNoMoreAndNoFewer) {
  for (const bool at_once : {false, true}) {
    const Calls calls = CallsOf(ChainCase(), at_once);
    EXPECT_EQ(calls.asked, 1);
    EXPECT_EQ(calls.prepared, 2);
    // In six ways, and once with what lies between the operations as outputs.
    EXPECT_EQ(calls.executed, 7);
  }
}

// What is wrong once, and never again.
TEST(CallsAtOnce, WhatGoesWrongAtOnceAloneFails) {
  std::atomic<int> executions = 0;
  Lies lies;
  lies.deliver = [&](const ExecuteCallback& callback, const FakeExecution& execution) {
    for (int i = executions++ == 0 ? 0 : 1; i < 2; ++i) {
      std::dynamic_pointer_cast<hal::V1_2::IExecutionCallback>(callback)->notify_1_2(
          execution.result.status, execution.result.outputShapes, execution.result.timing);
    }
    return ErrorStatus::NONE;
  };
  const auto session = DriverSession::FromDevice(MakeFakeDevice(lies), "fake").value();
  const CaseResult result =
      RunCase(*session, ChainCase(), TestMode::kStatic, InWay(/*way=*/0, /*at_once=*/true));
  ExpectResult(result, Verdict::FAIL,
               "when all calls were made at once, the callback of execute_1_2 was called 2 times; "
               "expected exactly one call; call by call that did not happen again");
  // From then on calls are made one by one.
  EXPECT_FALSE(session->MayCallAtOnce());
}

TEST(CallsAtOnce, ADriverThatDoesNotReturnIsCalledOneByOne) {
  // The call that is left behind has it, too.
  struct State {
    std::atomic<int> executions = 0;
    std::atomic<bool> is_over = false;
  };
  const auto state = std::make_shared<State>();
  Lies lies;
  lies.execution = [state](FakeExecution&) {
    if (state->executions++ == 0) state->is_over.wait(false);
  };
  const auto session = DriverSession::FromDevice(MakeFakeDevice(lies), "fake").value();
  RunOptions options = InWay(/*way=*/1, /*at_once=*/true);
  // The second time there is nothing to wait for but the processor.
  options.deadline = absl::Seconds(2);
  ExpectResult(
      RunCase(*session, AddCase(), TestMode::kStatic, options), Verdict::FAIL,
      "when all calls were made at once, did not return within 5.25s; call by call that did "
      "not happen again");
  EXPECT_FALSE(session->MayCallAtOnce());
  state->is_over = true;
  state->is_over.notify_all();
}

// --- In a process of its own ---

class IsolatedCalls {
 public:
  explicit IsolatedCalls(const std::string& kind) {
    const DriverProcessOptions options = MisbehavingOptions(kind);
    worker_ = std::move(IsolatedWorkers(options, DriverProcess::Start(options).value(), 1).front());
  }

  CaseResult Run(const TestCase& test_case, bool at_once,
                 absl::Duration deadline = absl::Seconds(30)) {
    RunOptions options = InWay(/*way=*/0, at_once);
    options.deadline = deadline;
    return worker_->Run(test_case, TestMode::kStatic, options);
  }

  WorkerReport Report() {
    worker_->Settle();
    return worker_->TakeReport();
  }

 private:
  std::unique_ptr<CaseWorker> worker_;
};

// The first line of the bad case, whose process is lost once. Good cases pass before and after.
std::string DetailOfLoss(const std::string& kind, Verdict verdict, bool at_once,
                         absl::Duration deadline = absl::Seconds(30)) {
  IsolatedCalls calls(kind);
  EXPECT_EQ(calls.Run(AddCase(), at_once).verdict, Verdict::PASS);
  const CaseResult result = calls.Run(ChainCase(), at_once, deadline);
  EXPECT_EQ(result.verdict, verdict) << result.detail;
  EXPECT_EQ(calls.Run(AddCase(), at_once).verdict, Verdict::PASS);
  const WorkerReport report = calls.Report();
  EXPECT_EQ(report.restarts, 1);
  EXPECT_THAT(report.findings, IsEmpty());
  return FirstLine(result);
}

TEST(IsolatedCallsAtOnce, TheCallThatCrashesIsNamed) {
  for (const std::string kind :
       {"prepare_crash", "execute_crash", "release_crash", "execute_exit", "prepare_throw"}) {
    EXPECT_EQ(DetailOfLoss(kind, Verdict::CRASH, /*at_once=*/true),
              DetailOfLoss(kind, Verdict::CRASH, /*at_once=*/false));
  }
}

TEST(IsolatedCallsAtOnce, TheCallThatHangsIsNamed) {
  EXPECT_THAT(DetailOfLoss("execute_hang", Verdict::TIMEOUT, /*at_once=*/true, absl::Seconds(1)),
              StartsWith("execute_1_2: did not return within 1s: the driver is stalled"));
}

TEST(IsolatedCallsAtOnce, ACrashThatDoesNotComeAgainIsAFinding) {
  IsolatedCalls calls("crash_unless_first");
  EXPECT_EQ(calls.Run(AddCase(), /*at_once=*/true).verdict, Verdict::PASS);
  // It is the second model of its process, and then the first of another.
  const CaseResult result = calls.Run(AddMulCase(), /*at_once=*/true);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_THAT(
      calls.Report().findings,
      ElementsAre(AllOf(
          StartsWith("during GeneratedTests.add_mul, which does not crash when it is run again in "
                     "a new process, call by call, so that an earlier case may be the cause (the "
                     "last one was GeneratedTests.add): its calls, all made at once: "),
          HasSubstr(kSegmentationFault))));
}

TEST(IsolatedCallsAtOnce, CallbacksAreWatchedAsOneByOne) {
  for (const std::string kind :
       {"callback_doubled", "callback_missing", "supports_nothing", "honest"}) {
    IsolatedCalls one_by_one(kind);
    IsolatedCalls at_once(kind);
    const CaseResult expected = one_by_one.Run(ChainCase(), /*at_once=*/false);
    const CaseResult result = at_once.Run(ChainCase(), /*at_once=*/true);
    EXPECT_EQ(result.verdict, expected.verdict) << kind << ": " << result.detail;
    EXPECT_EQ(result.detail, expected.detail) << kind;
  }
}

}  // namespace
}  // namespace nncert
