// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Cases come to the same whether their calls are made at once, or even together, or one by one.

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
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

using PrepareCallback = std::shared_ptr<hal::V1_0::IPreparedModelCallback>;
using Prepared = std::shared_ptr<hal::V1_2::IPreparedModel>;
using ExecuteCallback = std::shared_ptr<hal::V1_0::IExecutionCallback>;

// Two operations, of which one reads the other.
TestCase ChainCase() { return SumOfThreeCase(1, 2, 3, 6); }

// All calls in one way: asynchronously (0), synchronously (1) or by a burst (2).
RunOptions InWay(uint64_t way, bool at_once) {
  RunOptions options;
  options.only_way = way;
  options.at_once = at_once;
  return options;
}

// What one does that a deadline is waited for, and what no burst of ours would survive.
constexpr char kKeepsCallback[] = "keeps the callback of an execution";
constexpr char kThrowsInExecution[] = "throws in an execution";

// Devices that keep what they are given for as long as they exist.
using MakeLies = std::function<Lies()>;

Lies Preparing(const std::function<ErrorStatus(const PrepareCallback&, const Prepared&)>& prepare) {
  Lies lies;
  lies.prepare = prepare;
  return lies;
}

Lies Delivering(std::function<ErrorStatus(const ExecuteCallback&, const FakeExecution&)> deliver) {
  Lies lies;
  lies.deliver = std::move(deliver);
  return lies;
}

Lies SupportingNothing() {
  Lies lies;
  lies.supported = [](GetSupportedOperationsResult& result) {
    result.supportedOperations.assign(result.supportedOperations.size(), false);
  };
  lies.prepare = [](const PrepareCallback& callback, const Prepared&) {
    callback->notify(ErrorStatus::GENERAL_FAILURE, nullptr);
    return ErrorStatus::GENERAL_FAILURE;
  };
  return lies;
}

// What devices do, by what it is called.
std::map<std::string, MakeLies> Kinds() {
  return {
      {"honest", [] { return Lies(); }},
      {"wrong answer", [] { return Answer(100); }},
      {"writes behind an output",
       [] {
         Lies lies;
         lies.execution = [](FakeExecution& execution) { execution.Pool(1).back() ^= 1; };
         return lies;
       }},
      {"supports nothing", &SupportingNothing},
      {"supports nothing and prepares",
       [] {
         Lies lies = SupportingNothing();
         lies.prepare = nullptr;
         return lies;
       }},
      {"fails to say what it supports",
       [] {
         Lies lies;
         lies.supported = [](GetSupportedOperationsResult& result) {
           result.status = ErrorStatus::GENERAL_FAILURE;
         };
         return lies;
       }},
      {"says of too many operations that it supports them",
       [] {
         Lies lies;
         lies.supported = [](GetSupportedOperationsResult& result) {
           result.supportedOperations.push_back(true);
         };
         return lies;
       }},
      {"breaks its promise",
       [] {
         return Preparing([](const PrepareCallback& callback, const Prepared&) {
           callback->notify(ErrorStatus::GENERAL_FAILURE, nullptr);
           return ErrorStatus::NONE;
         });
       }},
      {"prepares null",
       [] {
         return Preparing([](const PrepareCallback& callback, const Prepared&) {
           callback->notify(ErrorStatus::NONE, nullptr);
           return ErrorStatus::NONE;
         });
       }},
      {"prepares in spite of an error",
       [] {
         return Preparing([](const PrepareCallback& callback, const Prepared& prepared) {
           callback->notify(ErrorStatus::GENERAL_FAILURE, prepared);
           return ErrorStatus::NONE;
         });
       }},
      {"prepares twice",
       [] {
         return Preparing([](const PrepareCallback& callback, const Prepared& prepared) {
           callback->notify(ErrorStatus::NONE, prepared);
           callback->notify(ErrorStatus::NONE, prepared);
           return ErrorStatus::NONE;
         });
       }},
      {"launches otherwise than it prepares",
       [] {
         return Preparing([](const PrepareCallback& callback, const Prepared& prepared) {
           callback->notify(ErrorStatus::NONE, prepared);
           return ErrorStatus::GENERAL_FAILURE;
         });
       }},
      {"drops the callback of a preparation",
       [] {
         return Preparing(
             [](const PrepareCallback&, const Prepared&) { return ErrorStatus::NONE; });
       }},
      {"drops the callback of an execution",
       [] {
         return Delivering(
             [](const ExecuteCallback&, const FakeExecution&) { return ErrorStatus::NONE; });
       }},
      {kKeepsCallback,
       [] {
         const auto kept = std::make_shared<std::vector<ExecuteCallback>>();
         return Delivering([kept](const ExecuteCallback& callback, const FakeExecution&) {
           kept->push_back(callback);
           return ErrorStatus::NONE;
         });
       }},
      {"refuses to execute",
       [] {
         return Delivering([](const ExecuteCallback& callback, const FakeExecution&) {
           callback->notify(ErrorStatus::INVALID_ARGUMENT);
           return ErrorStatus::INVALID_ARGUMENT;
         });
       }},
      {"executes twice",
       [] {
         return Delivering([](const ExecuteCallback& callback, const FakeExecution& execution) {
           for (int i = 0; i < 2; ++i) {
             std::dynamic_pointer_cast<hal::V1_2::IExecutionCallback>(callback)->notify_1_2(
                 execution.result.status, execution.result.outputShapes, execution.result.timing);
           }
           return ErrorStatus::NONE;
         });
       }},
      {"throws in a preparation",
       [] {
         Lies lies;
         lies.model = [](const hal::V1_2::Model&) { throw std::runtime_error("thrown on demand"); };
         return lies;
       }},
      {kThrowsInExecution,
       [] {
         Lies lies;
         lies.execution = [](FakeExecution&) { throw std::runtime_error("thrown on demand"); };
         return lies;
       }},
      {"gives other dimensions",
       [] {
         Lies lies;
         lies.execution = [](FakeExecution& execution) {
           for (auto& shape : execution.result.outputShapes) shape.dimensions = {7};
         };
         return lies;
       }},
  };
}

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

class CallsAtOnceTest : public ::testing::TestWithParam<std::string> {};

TEST_P(CallsAtOnceTest, ComeToWhatTheyComeToOneByOne) {
  const MakeLies make = Kinds().at(GetParam());
  for (const TestCase& test_case : {AddCase(), AddMulCase(), ChainCase()}) {
    for (const uint64_t way : {0, 1, 2}) {
      if (GetParam() == kThrowsInExecution && way == 2) continue;
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

TEST_P(CallsAtOnceTest, OfSeveralCasesComeToWhatTheyComeToOneByOne) {
  const MakeLies make = Kinds().at(GetParam());
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

std::vector<std::string> NamesOfKinds() {
  std::vector<std::string> names;
  for (const auto& [name, make] : Kinds()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Kinds, CallsAtOnceTest, ::testing::ValuesIn(NamesOfKinds()),
                         [](const auto& kind) {
                           std::string name = kind.param;
                           for (char& character : name) {
                             if (character == ' ') character = '_';
                           }
                           return name;
                         });

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
      RunCase(*session, test_case, TestMode::kStatic, InWay(/*way=*/1, at_once));
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  return calls;
}

TEST(CallsAtOnce, AreNoMoreAndNoFewer) {
  for (const bool at_once : {false, true}) {
    const Calls calls = CallsOf(ChainCase(), at_once);
    EXPECT_EQ(calls.asked, 1);
    EXPECT_EQ(calls.prepared, 2);
    EXPECT_EQ(calls.executed, 2);
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

TEST(CallsTogether, ModelsOfAllCasesAreThereAtTheSameTime) {
  const auto models = std::make_shared<int>(0);
  int lies_told = 0;
  FakeWorker worker(WithSeveralModels(models, [&lies_told](FakeExecution&) { ++lies_told; }));
  for (const CaseResult& result :
       worker.RunAll({AddCase(), AddCase(), AddCase()}, InWay(/*way=*/1, /*at_once=*/true))) {
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  }
  EXPECT_EQ(lies_told, 1);
}

TEST(CallsTogether, WhatIsWrongTogetherAloneFailsAndSaysSo) {
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

TEST(CallsTogether, ARuleThatIsBrokenTogetherAloneFailsTheFirst) {
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

  std::vector<CaseResult> RunAll(const std::vector<TestCase>& cases,
                                 absl::Duration deadline = absl::Seconds(30)) {
    RunOptions options = InWay(/*way=*/0, /*at_once=*/true);
    options.deadline = deadline;
    return RunAllWith(*worker_, cases, options);
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

// The first line of the bad one of three cases that are run together, whose process is lost.
std::string DetailOfLossTogether(const std::string& kind, Verdict verdict,
                                 absl::Duration deadline = absl::Seconds(30)) {
  IsolatedCalls calls(kind);
  // What a process takes is counted from its first case on.
  EXPECT_EQ(calls.Run(AddCase(), /*at_once=*/true).verdict, Verdict::PASS);
  // The driver bites when the last model that it prepared is the bad one, whatever it executes.
  const std::vector<CaseResult> results =
      calls.RunAll({AddCase(), AddCase(), ChainCase()}, deadline);
  EXPECT_EQ(results[0].verdict, Verdict::PASS) << results[0].detail;
  EXPECT_EQ(results[1].verdict, Verdict::PASS) << results[1].detail;
  EXPECT_EQ(results[2].verdict, verdict) << results[2].detail;
  EXPECT_EQ(calls.Run(AddCase(), /*at_once=*/true).verdict, Verdict::PASS);
  const WorkerReport report = calls.Report();
  EXPECT_EQ(report.restarts, 1);
  EXPECT_THAT(report.findings, IsEmpty());
  return FirstLine(results[2]);
}

TEST(IsolatedCallsTogether, TheCaseAndTheCallThatCrashAreNamed) {
  for (const std::string kind :
       {"prepare_crash", "execute_crash", "release_crash", "execute_exit", "prepare_throw"}) {
    EXPECT_EQ(DetailOfLossTogether(kind, Verdict::CRASH),
              DetailOfLoss(kind, Verdict::CRASH, /*at_once=*/false));
  }
}

TEST(IsolatedCallsTogether, TheCaseAndTheCallThatHangAreNamed) {
  EXPECT_THAT(DetailOfLossTogether("execute_hang", Verdict::TIMEOUT, absl::Milliseconds(500)),
              StartsWith("execute_1_2: did not return within 500ms: the driver is stalled"));
}

TEST(IsolatedCallsTogether, ACrashThatDoesNotComeAgainFailsTheFirst) {
  IsolatedCalls calls("crash_unless_first");
  EXPECT_EQ(calls.Run(AddCase(), /*at_once=*/true).verdict, Verdict::PASS);
  const std::vector<CaseResult> results = calls.RunAll({AddMulCase(), AddCase()});
  EXPECT_EQ(results[0].verdict, Verdict::CRASH);
  EXPECT_THAT(
      results[0].detail,
      AllOf(StartsWith("when the calls of 2 cases were made together, this one's first, "
                       "its process: "),
            HasSubstr(kSegmentationFault), HasSubstr("; case by case that did not happen again")));
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
