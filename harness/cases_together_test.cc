// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Cases come to the same whether they are run together or one by one.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
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
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using ExecuteCallback = std::shared_ptr<hal::V1_0::IExecutionCallback>;

// Two operations, of which one reads the other.
TestCase ChainCase() { return SumOfThreeCase(1, 2, 3, 6); }

// Runs cases together.
std::vector<CaseResult> RunAllWith(CaseWorker& worker, const std::vector<TestCase>& cases,
                                   RunOptions options) {
  options.at_once = true;
  std::vector<CaseToRun> to_run;
  for (const TestCase& test_case : cases) {
    to_run.push_back({&test_case, TestMode::kStatic, options});
  }
  return worker.RunAll(to_run);
}

// Runs cases on a device of this process.
class FakeWorker {
 public:
  explicit FakeWorker(Lies lies)
      : session_(DriverSession::FromDevice(MakeFakeDevice(std::move(lies)), "fake").value()),
        workers_(WorkersInProcess(*session_, 1).value()) {}

  std::vector<CaseResult> RunAll(const std::vector<TestCase>& cases, const RunOptions& options) {
    return RunAllWith(*workers_.front(), cases, options);
  }

 private:
  const std::unique_ptr<DriverSession> session_;
  const std::vector<std::unique_ptr<CaseWorker>> workers_;
};

class CasesTogetherTest : public ::testing::TestWithParam<std::string> {};

TEST_P(CasesTogetherTest, ComeToWhatTheyComeToOneByOne) {
  const MakeLies make = KindsOfLies().at(GetParam());
  const std::vector<TestCase> cases = {AddCase(), ChainCase(), AddMulCase()};
  for (const uint64_t way : {0, 1, 2}) {
    if (GetParam() == kThrowsInExecution && way == 2) continue;
    RunOptions options = InWay(way, /*at_once=*/false);
    if (GetParam() == kKeepsCallback) options.deadline = absl::Milliseconds(300);
    std::vector<CaseResult> one_by_one;
    for (const TestCase& test_case : cases) {
      one_by_one.push_back(RunOnFake(make(), test_case, TestMode::kStatic, options));
    }
    const std::vector<CaseResult> together = FakeWorker(make()).RunAll(cases, options);
    for (size_t i = 0; i < cases.size(); ++i) {
      EXPECT_EQ(together[i].name, one_by_one[i].name);
      EXPECT_EQ(together[i].verdict, one_by_one[i].verdict) << together[i].detail;
      EXPECT_EQ(together[i].detail, one_by_one[i].detail);
      EXPECT_EQ(together[i].operation, one_by_one[i].operation);
      EXPECT_EQ(together[i].executions, one_by_one[i].executions);
      EXPECT_EQ(together[i].compared_elements, one_by_one[i].compared_elements);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CasesTogetherTest, ::testing::ValuesIn(NamesOfLies()),
                         [](const auto& kind) { return AsTestName(kind.param); });

// What a device does when it has had several models prepared, and executes the first of them.
Lies WithSeveralModels(const std::shared_ptr<int>& models,
                       std::function<void(FakeExecution&)> lie) {
  Lies lies;
  lies.model = [models](const hal::V1_2::Model&) { ++*models; };
  lies.execution = [models, lie = std::move(lie)](FakeExecution& execution) {
    if (std::exchange(*models, 0) > 1) lie(execution);
  };
  return lies;
}

TEST(CasesTogether, ModelsOfAllCasesAreThereAtTheSameTime) {
  const auto models = std::make_shared<int>(0);
  int lies_told = 0;
  FakeWorker worker(WithSeveralModels(models, [&lies_told](FakeExecution&) { ++lies_told; }));
  for (const CaseResult& result :
       worker.RunAll({AddCase(), AddCase(), AddCase()}, InWay(/*way=*/1, /*at_once=*/true))) {
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  }
  EXPECT_EQ(lies_told, 1);
}

TEST(CasesTogether, WhatIsWrongTogetherAloneFailsAndSaysSo) {
  FakeWorker worker(WithSeveralModels(
      std::make_shared<int>(0), [](FakeExecution& execution) { execution.Pool(1).back() ^= 1; }));
  const std::vector<CaseResult> results =
      worker.RunAll({AddCase(), AddCase()}, InWay(/*way=*/1, /*at_once=*/true));
  EXPECT_EQ(results[0].verdict, Verdict::FAIL);
  EXPECT_THAT(results[0].detail,
              HasSubstr("by itself it comes to PASS; this was when the driver had the models of 2 "
                        "cases at the same time"));
  EXPECT_EQ(results[1].verdict, Verdict::PASS) << results[1].detail;
}

// Two cases pass whose first execution, with all calls made together, takes longer than any may.
void ExpectNotAccused(Lies lies, uint64_t way) {
  FakeWorker worker(std::move(lies));
  for (const CaseResult& result :
       worker.RunAll({AddCase(), AddCase()}, InWay(way, /*at_once=*/true))) {
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  }
}

TEST(CasesTogether, ADriverThatReturnsLateIsNotAccused) {
  const auto executions = std::make_shared<std::atomic<int>>(0);
  Lies lies;
  lies.execution = [executions](FakeExecution&) {
    if ((*executions)++ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  };
  ExpectNotAccused(std::move(lies), /*way=*/1);
  EXPECT_EQ(*executions, 3);
}

TEST(CasesTogether, ACallbackThatComesLateIsNotAccused) {
  const auto executions = std::make_shared<std::atomic<int>>(0);
  std::thread late;
  Lies lies;
  lies.deliver = [executions, &late](const ExecuteCallback& callback,
                                     const FakeExecution& execution) {
    const auto notify = [callback, result = execution.result] {
      std::dynamic_pointer_cast<hal::V1_2::IExecutionCallback>(callback)->notify_1_2(
          result.status, result.outputShapes, result.timing);
    };
    if ((*executions)++ > 0) {
      notify();
    } else {
      late = std::thread([notify] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        notify();
      });
    }
    return ErrorStatus::NONE;
  };
  ExpectNotAccused(std::move(lies), /*way=*/0);
  late.join();
  EXPECT_EQ(*executions, 3);
}

TEST(CasesTogether, ARuleThatIsBrokenTogetherAloneFailsTheFirst) {
  const auto models = std::make_shared<int>(0);
  const auto breaks = std::make_shared<bool>(false);
  Lies lies = WithSeveralModels(models, [breaks](FakeExecution&) { *breaks = true; });
  lies.deliver = [breaks](const ExecuteCallback& callback, const FakeExecution& execution) {
    for (int i = std::exchange(*breaks, false) ? 0 : 1; i < 2; ++i) {
      std::dynamic_pointer_cast<hal::V1_2::IExecutionCallback>(callback)->notify_1_2(
          execution.result.status, execution.result.outputShapes, execution.result.timing);
    }
    return ErrorStatus::NONE;
  };
  FakeWorker worker(std::move(lies));
  const std::vector<CaseResult> results =
      worker.RunAll({AddCase(), AddMulCase()}, InWay(/*way=*/0, /*at_once=*/true));
  ExpectResult(results[0], Verdict::FAIL,
               "when the calls of 2 cases were made together, this one's first, the callback of "
               "execute_1_2 was called 2 times; expected exactly one call; case by case that did "
               "not happen again");
  EXPECT_EQ(results[1].verdict, Verdict::PASS) << results[1].detail;
}

// --- In a process of its own ---

std::unique_ptr<CaseWorker> IsolatedWorkerOf(const std::string& kind) {
  const DriverProcessOptions options = MisbehavingOptions(kind);
  return std::move(IsolatedWorkers(options, DriverProcess::Start(options).value(), 1).front());
}

CaseResult RunOneByOne(CaseWorker& worker, const TestCase& test_case) {
  return worker.Run(test_case, TestMode::kStatic, InWay(/*way=*/0, /*at_once=*/false));
}

// Runs three cases together, the last of which loses the process; others pass before and after.
// Gives the first line of what the bad one came to.
std::string DetailOfLoss(const std::string& kind, Verdict verdict,
                         absl::Duration deadline = absl::Seconds(30)) {
  const std::unique_ptr<CaseWorker> worker = IsolatedWorkerOf(kind);
  // What a process takes is counted from its first case on.
  EXPECT_EQ(RunOneByOne(*worker, AddCase()).verdict, Verdict::PASS);
  RunOptions options = InWay(/*way=*/0, /*at_once=*/true);
  options.deadline = deadline;
  // The driver bites when the last model that it prepared is the bad one, whatever it executes.
  const std::vector<CaseResult> results =
      RunAllWith(*worker, {AddCase(), AddCase(), ChainCase()}, options);
  EXPECT_EQ(results[0].verdict, Verdict::PASS) << results[0].detail;
  EXPECT_EQ(results[1].verdict, Verdict::PASS) << results[1].detail;
  EXPECT_EQ(results[2].verdict, verdict) << results[2].detail;
  EXPECT_EQ(RunOneByOne(*worker, AddCase()).verdict, Verdict::PASS);
  worker->Settle();
  const WorkerReport report = worker->TakeReport();
  EXPECT_EQ(report.restarts, 1);
  EXPECT_THAT(report.findings, IsEmpty());
  return FirstLine(results[2]);
}

TEST(IsolatedCasesTogether, TheCaseAndTheCallThatCrashAreNamed) {
  for (const std::string kind :
       {"prepare_crash", "execute_crash", "release_crash", "execute_exit", "prepare_throw"}) {
    const std::unique_ptr<CaseWorker> worker = IsolatedWorkerOf(kind);
    EXPECT_EQ(DetailOfLoss(kind, Verdict::CRASH), FirstLine(RunOneByOne(*worker, ChainCase())));
  }
}

TEST(IsolatedCasesTogether, TheCaseAndTheCallThatHangAreNamed) {
  EXPECT_THAT(DetailOfLoss("execute_hang", Verdict::TIMEOUT, absl::Milliseconds(500)),
              StartsWith("execute_1_2: did not return within 500ms: the driver is stalled"));
}

TEST(IsolatedCasesTogether, ACrashThatDoesNotComeAgainFailsTheFirst) {
  const std::unique_ptr<CaseWorker> worker = IsolatedWorkerOf("crash_unless_first");
  EXPECT_EQ(RunOneByOne(*worker, AddCase()).verdict, Verdict::PASS);
  const std::vector<CaseResult> results =
      RunAllWith(*worker, {AddMulCase(), AddCase()}, InWay(/*way=*/0, /*at_once=*/true));
  EXPECT_EQ(results[0].verdict, Verdict::CRASH);
  EXPECT_THAT(
      results[0].detail,
      AllOf(StartsWith("when the calls of 2 cases were made together, this one's first, "
                       "its process: "),
            HasSubstr(kSegmentationFault), HasSubstr("; case by case that did not happen again")));
}

}  // namespace
}  // namespace nncert
