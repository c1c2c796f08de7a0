// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One lie of a driver, one test.

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"
#include "harness/case_runner.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_0::GetSupportedOperationsResult;
using hal::V1_2::OperandType;
using testing::HasSubstr;
using testing::Not;

using PrepareCallback = std::shared_ptr<hal::V1_0::IPreparedModelCallback>;
using Prepared = std::shared_ptr<hal::V1_2::IPreparedModel>;
using ExecuteCallback = std::shared_ptr<hal::V1_0::IExecutionCallback>;

RunOptions Deadline(absl::Duration deadline) {
  RunOptions options;
  options.deadline = deadline;
  return options;
}

// ---- getSupportedOperations ----

TEST(HostileDriver, SupportedOperationsWithAnErrorFail) {
  for (const ErrorStatus status : {ErrorStatus::GENERAL_FAILURE, ErrorStatus::INVALID_ARGUMENT,
                                   ErrorStatus::DEVICE_UNAVAILABLE}) {
    Lies lies;
    lies.supported = [status](GetSupportedOperationsResult& result) { result.status = status; };
    ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL,
                 absl::StrCat("getSupportedOperations_1_2 ended with ", hal::toString(status)));
  }
}

TEST(HostileDriver, SupportedOperationsOfAnotherNumberFail) {
  for (const size_t answers : {size_t{0}, size_t{2}, size_t{100000}}) {
    Lies lies;
    lies.supported = [answers](GetSupportedOperationsResult& result) {
      result.supportedOperations.assign(answers, true);
    };
    ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL,
                 absl::StrCat("gave ", answers, " answers"));
  }
}

void SupportNothing(GetSupportedOperationsResult& result) {
  result.supportedOperations.assign(result.supportedOperations.size(), false);
}

ErrorStatus FailToPrepare(const PrepareCallback& callback, const Prepared&) {
  callback->notify(ErrorStatus::GENERAL_FAILURE, nullptr);
  return ErrorStatus::NONE;
}

TEST(HostileDriver, SayingNoAndNotPreparingIsUnsupported) {
  Lies lies;
  lies.supported = [](GetSupportedOperationsResult& result) {
    result.supportedOperations[1] = false;
  };
  lies.prepare = FailToPrepare;
  const CaseResult result = RunOnFake(lies, AddMulCase());
  EXPECT_EQ(result.verdict, Verdict::UNSUPPORTED);
  EXPECT_EQ(result.detail, "the driver does not support operation 1 (MUL)");
  EXPECT_EQ(result.executions, 0);
}

TEST(HostileDriver, SayingNoAndFailingTheLaunchIsUnsupported) {
  Lies lies;
  lies.supported = SupportNothing;
  lies.prepare = [](const PrepareCallback& callback, const Prepared&) {
    callback->notify(ErrorStatus::GENERAL_FAILURE, nullptr);
    return ErrorStatus::GENERAL_FAILURE;
  };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::UNSUPPORTED, "operation 0 (ADD)");
}

TEST(HostileDriver, SayingNoAndPreparingAllTheSameIsRun) {
  Lies lies;
  lies.supported = SupportNothing;
  const CaseResult result = RunOnFake(lies, AddCase());
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.executions, 6);
}

TEST(HostileDriver, LongListsOfUnsupportedOperationsAreCut) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {1}};
  const uint32_t a = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  for (int i = 0; i < 20; ++i) {
    builder.Operation(hal::V1_2::OperationType::ADD, {a, a, none}, {builder.Output(spec)});
  }
  Lies lies;
  lies.supported = SupportNothing;
  lies.prepare = FailToPrepare;
  const CaseResult result =
      RunOnFake(lies, CaseWith(builder.model(), {{1}}, std::vector<std::vector<double>>(20, {2})));
  EXPECT_THAT(result.detail, testing::EndsWith("6 (ADD), 7 (ADD) and 12 more"));
}

// ---- prepareModel ----

TEST(HostileDriver, ClaimingSupportAndNotPreparingIsABrokenPromise) {
  Lies lies;
  lies.prepare = FailToPrepare;
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::BROKEN_PROMISE,
               "claims to support every operation, but prepareModel_1_2 ended with "
               "GENERAL_FAILURE");
}

TEST(HostileDriver, ANullModelWithNoneFails) {
  Lies lies;
  lies.prepare = [](const PrepareCallback& callback, const Prepared&) {
    callback->notify(ErrorStatus::NONE, nullptr);
    return ErrorStatus::NONE;
  };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL, "a null prepared model");
}

TEST(HostileDriver, AModelWithAnErrorFails) {
  Lies lies;
  lies.prepare = [](const PrepareCallback& callback, const Prepared& prepared) {
    callback->notify(ErrorStatus::GENERAL_FAILURE, prepared);
    return ErrorStatus::NONE;
  };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL,
               "gave a prepared model together with GENERAL_FAILURE");
}

// What a driver of HAL 1.0 would prepare.
class PreparedModel1_0 : public hal::V1_0::IPreparedModel {
 public:
  ErrorStatus execute(const hal::V1_0::Request&, const ExecuteCallback&) override {
    return ErrorStatus::GENERAL_FAILURE;
  }
};

TEST(HostileDriver, AnEarlierPreparedModelOfA1_2DeviceFails) {
  Lies lies;
  lies.prepare = [](const PrepareCallback& callback, const Prepared&) {
    callback->notify(ErrorStatus::NONE, std::make_shared<PreparedModel1_0>());
    return ErrorStatus::NONE;
  };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL, "not one of HAL 1.2");
}

TEST(HostileDriver, DroppingTheCallbackOfAPreparationFails) {
  Lies lies;
  lies.prepare = [](const PrepareCallback&, const Prepared&) { return ErrorStatus::NONE; };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL,
               "prepareModel_1_2 returned NONE, and the driver let go of its callback without "
               "calling it; expected exactly one call");
}

TEST(HostileDriver, PreparingWithoutACallbackTimesOut) {
  std::vector<PrepareCallback> kept;
  Lies lies;
  lies.prepare = [&kept](const PrepareCallback& callback, const Prepared&) {
    kept.push_back(callback);
    return ErrorStatus::NONE;
  };
  ExpectResult(RunOnFake(lies, AddCase(), TestMode::kStatic, Deadline(absl::Milliseconds(500))),
               Verdict::TIMEOUT,
               "prepareModel_1_2 returned NONE, but its callback was not called within 500ms");
}

TEST(HostileDriver, FailingToLaunchWithoutACallbackFails) {
  Lies lies;
  lies.prepare = [](const PrepareCallback&, const Prepared&) {
    return ErrorStatus::INVALID_ARGUMENT;
  };
  ExpectResult(RunOnFake(lies, AddCase(), TestMode::kStatic, Deadline(absl::Milliseconds(500))),
               Verdict::FAIL, "returned INVALID_ARGUMENT and did not call its callback");
}

TEST(HostileDriver, PreparingTwiceFails) {
  Lies lies;
  lies.prepare = [](const PrepareCallback& callback, const Prepared& prepared) {
    callback->notify(ErrorStatus::NONE, prepared);
    callback->notify(ErrorStatus::NONE, prepared);
    return ErrorStatus::NONE;
  };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL,
               "was called 2 times; expected exactly one call");
}

TEST(HostileDriver, PreparingAgainLaterFails) {
  PrepareCallback kept;
  Lies lies;
  lies.prepare = [&](const PrepareCallback& callback, const Prepared& prepared) {
    kept = callback;
    callback->notify(ErrorStatus::NONE, prepared);
    return ErrorStatus::NONE;
  };
  lies.execution = [&](FakeExecution&) {
    if (kept != nullptr) kept->notify(ErrorStatus::GENERAL_FAILURE, nullptr);
    kept = nullptr;
  };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL,
               "the callback of prepareModel_1_2 was called 2 times");
}

TEST(HostileDriver, AnotherStatusOfLaunchAndCallbackFails) {
  Lies lies;
  lies.prepare = [](const PrepareCallback& callback, const Prepared& prepared) {
    callback->notify(ErrorStatus::NONE, prepared);
    return ErrorStatus::GENERAL_FAILURE;
  };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL,
               "returned GENERAL_FAILURE and called its callback with NONE");
}

// ---- Execution ----

Lies EndWith(ErrorStatus status) {
  Lies lies;
  lies.execution = [status](FakeExecution& execution) {
    execution.result.status = status;
    execution.result.outputShapes.clear();
    execution.result.timing = {};
  };
  return lies;
}

TEST(HostileDriver, ClaimingSupportAndNotExecutingIsABrokenPromise) {
  for (const ErrorStatus status :
       {ErrorStatus::GENERAL_FAILURE, ErrorStatus::INVALID_ARGUMENT,
        ErrorStatus::DEVICE_UNAVAILABLE, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE}) {
    ExpectResult(RunOnFake(EndWith(status), AddCase()), Verdict::BROKEN_PROMISE,
                 absl::StrCat("the execution ended with ", hal::toString(status)));
  }
}

TEST(HostileDriver, PreparingWhatIsUnsupportedAndNotExecutingFails) {
  Lies lies = EndWith(ErrorStatus::GENERAL_FAILURE);
  lies.supported = SupportNothing;
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL,
               "prepared the model, but the execution ended with GENERAL_FAILURE");
}

TEST(HostileDriver, NotKnowingUnspecifiedOutputsIsUnsupported) {
  bool is_known = false;
  Lies lies;
  lies.model = [&](const hal::V1_2::Model& model) {
    is_known = model.operands[model.outputIndexes[0]].dimensions[0] != 0;
  };
  lies.execution = [&](FakeExecution& execution) {
    if (!is_known) execution.result = {ErrorStatus::GENERAL_FAILURE, {}, {}};
  };
  EXPECT_EQ(RunOnFake(lies, AddCase()).verdict, Verdict::PASS);
  ExpectResult(RunOnFake(lies, AddCase(), TestMode::kDynamic), Verdict::UNSUPPORTED,
               "output dimensions are unknown");
}

TEST(HostileDriver, FailingWhateverTheDimensionsAreIsABrokenPromise) {
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    ExpectResult(RunOnFake(EndWith(ErrorStatus::GENERAL_FAILURE), AddCase(), mode),
                 Verdict::BROKEN_PROMISE, "the execution ended with GENERAL_FAILURE");
  }
}

TEST(HostileDriver, RefusingUnspecifiedOutputsIsABrokenPromise) {
  ExpectResult(RunOnFake(EndWith(ErrorStatus::INVALID_ARGUMENT), AddCase(), TestMode::kDynamic),
               Verdict::BROKEN_PROMISE, "INVALID_ARGUMENT; run: ASYNC, timing NO, UNSPECIFIED");
}

TEST(HostileDriver, DroppingTheCallbackOfAnExecutionFails) {
  Lies lies;
  lies.deliver = [](const ExecuteCallback&, const FakeExecution&) { return ErrorStatus::NONE; };
  const CaseResult result = RunOnFake(lies, AddCase());
  ExpectResult(result, Verdict::FAIL,
               "execute_1_2 returned NONE, and the driver let go of its callback without calling "
               "it; expected exactly one call; run: ASYNC");
  EXPECT_EQ(result.executions, 1);
}

// Keeps callbacks, and calls them when a prepared model goes, if at all.
CaseResult RunKeepingCallbacks(bool calls_at_release) {
  std::vector<ExecuteCallback> kept;
  Lies lies;
  lies.deliver = [&kept](const ExecuteCallback& callback, const FakeExecution&) {
    kept.push_back(callback);
    return ErrorStatus::NONE;
  };
  lies.release = [&kept, calls_at_release] {
    for (const ExecuteCallback& callback : kept) {
      if (calls_at_release) callback->notify(ErrorStatus::NONE);
    }
    kept.clear();
  };
  return RunOnFake(lies, AddCase(), TestMode::kStatic, Deadline(absl::Milliseconds(500)));
}

TEST(HostileDriver, ExecutingWithoutACallbackTimesOut) {
  const CaseResult result = RunKeepingCallbacks(false);
  ExpectResult(result, Verdict::TIMEOUT,
               "execute_1_2 returned NONE, but its callback was not called within 500ms");
  EXPECT_THAT(result.detail, Not(HasSubstr("afterwards")));
  EXPECT_EQ(result.executions, 1);
}

TEST(HostileDriver, ACallbackAfterTheReleaseIsReported) {
  const CaseResult result = RunKeepingCallbacks(true);
  ExpectResult(result, Verdict::TIMEOUT,
               "execute_1_2 returned NONE, but its callback was not called within 500ms");
  EXPECT_THAT(result.detail, HasSubstr("\n  afterwards: the callback of execute_1_2 was called "
                                       "after the prepared model had been released"));
}

TEST(HostileDriver, FailingToLaunchAnExecutionWithoutACallbackFails) {
  Lies lies;
  lies.deliver = [](const ExecuteCallback&, const FakeExecution&) {
    return ErrorStatus::GENERAL_FAILURE;
  };
  ExpectResult(RunOnFake(lies, AddCase(), TestMode::kStatic, Deadline(absl::Milliseconds(500))),
               Verdict::FAIL, "execute_1_2 returned GENERAL_FAILURE and did not call its callback");
}

void Notify(const ExecuteCallback& callback, const FakeExecution& execution) {
  std::dynamic_pointer_cast<hal::V1_2::IExecutionCallback>(callback)->notify_1_2(
      execution.result.status, execution.result.outputShapes, execution.result.timing);
}

TEST(HostileDriver, EndingAnExecutionTwiceFails) {
  Lies lies;
  lies.deliver = [](const ExecuteCallback& callback, const FakeExecution& execution) {
    Notify(callback, execution);
    Notify(callback, execution);
    return ErrorStatus::NONE;
  };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL,
               "was called 2 times; expected exactly one call");
}

TEST(HostileDriver, EndingAnExecutionAgainLaterFails) {
  ExecuteCallback kept;
  Lies lies;
  lies.deliver = [&](const ExecuteCallback& callback, const FakeExecution& execution) {
    if (kept != nullptr) kept->notify(ErrorStatus::GENERAL_FAILURE);
    kept = callback;
    Notify(callback, execution);
    return ErrorStatus::NONE;
  };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL,
               "the callback of execute_1_2 was called 2 times");
}

TEST(HostileDriver, AnotherStatusOfExecutionLaunchAndCallbackFails) {
  Lies lies;
  lies.deliver = [](const ExecuteCallback& callback, const FakeExecution& execution) {
    Notify(callback, execution);
    return ErrorStatus::DEVICE_UNAVAILABLE;
  };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL,
               "execute_1_2 returned DEVICE_UNAVAILABLE and called its callback with NONE");
}

TEST(HostileDriver, TheEarlierCallbackWillDo) {
  Lies lies;
  lies.deliver = [](const ExecuteCallback& callback, const FakeExecution& execution) {
    callback->notify(execution.result.status);
    return ErrorStatus::NONE;
  };
  EXPECT_EQ(RunOnFake(lies, AddCase()).verdict, Verdict::PASS);
}

// ---- Hanging and throwing ----

TEST(HostileDriver, HangingTimesOutAndTheSessionGoesOn) {
  const auto release = std::make_shared<absl::Notification>();
  const auto hang = std::make_shared<std::atomic<bool>>(true);
  Lies lies;
  lies.compute = [release, hang](FakeExecution& execution) {
    if (*hang) release->WaitForNotification();
    for (int i = 0; i < 4; ++i) SetElement(execution, 0, i, 11.0F * static_cast<float>(i + 1));
  };
  const std::unique_ptr<DriverSession> session =
      DriverSession::FromDevice(MakeFakeDevice(lies), "fake").value();
  const CaseResult result =
      RunCase(*session, AddCase(), TestMode::kStatic, Deadline(absl::Milliseconds(500)));
  ExpectResult(result, Verdict::TIMEOUT, "execute_1_2: did not return within 500ms");
  *hang = false;
  const CaseResult next = RunCase(*session, AddCase(), TestMode::kStatic);
  EXPECT_EQ(next.verdict, Verdict::PASS) << next.detail;
  release->Notify();
}

TEST(HostileDriver, HangingInASynchronousExecutionTimesOut) {
  const auto release = std::make_shared<absl::Notification>();
  // Nobody waits for the thread that hangs.
  const auto execution_number = std::make_shared<std::atomic<int>>(0);
  Lies lies;
  lies.execution = [execution_number, release](FakeExecution&) {
    if (++*execution_number == 2) release->WaitForNotification();
  };
  const CaseResult result =
      RunOnFake(lies, AddCase(), TestMode::kStatic, Deadline(absl::Milliseconds(500)));
  ExpectResult(result, Verdict::TIMEOUT, "executeSynchronously: did not return within 500ms");
  release->Notify();
}

TEST(HostileDriver, ExceptionsFailTheCallThatTheyEscapeFrom) {
  const auto fail = [](auto&&...) { throw std::runtime_error("out of luck"); };
  const std::string text = ": an exception escaped: std::runtime_error: out of luck";
  Lies supported;
  supported.supported = fail;
  ExpectResult(RunOnFake(supported, AddCase()), Verdict::FAIL, "getSupportedOperations_1_2" + text);
  Lies prepare;
  prepare.model = fail;
  ExpectResult(RunOnFake(prepare, AddCase()), Verdict::FAIL, "prepareModel_1_2" + text);
  Lies execute;
  execute.execution = fail;
  ExpectResult(RunOnFake(execute, AddCase()), Verdict::FAIL, "execute_1_2" + text);
  int execution_number = 0;
  Lies synchronously;
  synchronously.execution = [&](FakeExecution&) {
    if (++execution_number == 2) throw 7;
  };
  ExpectResult(RunOnFake(synchronously, AddCase()), Verdict::FAIL,
               "executeSynchronously: an exception escaped: int; run: SYNC, timing NO");
}

TEST(HostileDriver, ThePreparedModelIsGivenBack) {
  int released = 0;
  Lies lies;
  lies.release = [&] { ++released; };
  RunOnFake(lies, AddCase());
  EXPECT_EQ(released, 1);
}

// ---- Earlier versions ----

TEST(HostileDriver, EarlierDriversAreHeldToTheSameRules) {
  Lies claims;
  claims.prepare = FailToPrepare;
  ExpectResult(RunOnDevice(MakeFakeDevice1_0(claims), AddCase()), Verdict::BROKEN_PROMISE,
               "prepareModel ended with GENERAL_FAILURE");
  ExpectResult(RunOnDevice(MakeFakeDevice1_1(claims), AddCase()), Verdict::BROKEN_PROMISE,
               "prepareModel_1_1 ended with GENERAL_FAILURE");
  Lies wrong;
  wrong.execution = [](FakeExecution& execution) { SetElement(execution, 0, 0, 0.0F); };
  ExpectResult(RunOnDevice(MakeFakeDevice1_0(wrong), AddCase()), Verdict::FAIL,
               "expected 11, actual 0");
}

}  // namespace
}  // namespace nncert
