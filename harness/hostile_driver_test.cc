// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One lie of a driver, one test.

#include <atomic>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"
#include "harness/case_runner.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "harness/testing/test_cases.h"
#include "reference/testing/model_builder.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_0::GetSupportedOperationsResult;
using hal::V1_2::MeasureTiming;
using hal::V1_2::OperandType;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using PrepareCallback = std::shared_ptr<hal::V1_0::IPreparedModelCallback>;
using Prepared = std::shared_ptr<hal::V1_2::IPreparedModel>;
using ExecuteCallback = std::shared_ptr<hal::V1_0::IExecutionCallback>;

RunOptions Deadline(absl::Duration deadline) {
  RunOptions options;
  options.deadline = deadline;
  return options;
}

constexpr uint64_t kNoTime = std::numeric_limits<uint64_t>::max();

void ExpectResult(const CaseResult& result, Verdict verdict, const std::string& text) {
  EXPECT_EQ(result.verdict, verdict) << result.detail;
  EXPECT_THAT(FirstLine(result), HasSubstr(text));
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
  EXPECT_EQ(result.executions, 4);
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
  ExpectResult(RunOnFake(EndWith(ErrorStatus::GENERAL_FAILURE), AddCase(), TestMode::kDynamic),
               Verdict::UNSUPPORTED, "output dimensions are unknown");
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

// ---- Shapes ----

CaseResult RunWithShapes(TestMode mode,
                         const std::function<void(std::vector<hal::V1_2::OutputShape>&)>& change) {
  Lies lies;
  lies.execution = [&](FakeExecution& execution) { change(execution.result.outputShapes); };
  return RunOnFake(lies, AddMulCase(), mode);
}

TEST(HostileDriver, NoShapesWillDoWhereAllAreSpecified) {
  EXPECT_EQ(RunWithShapes(TestMode::kStatic, [](auto& shapes) { shapes.clear(); }).verdict,
            Verdict::PASS);
}

TEST(HostileDriver, NoShapesFailWhereOutputsAreUnspecified) {
  ExpectResult(RunWithShapes(TestMode::kDynamic, [](auto& shapes) { shapes.clear(); }),
               Verdict::FAIL,
               "the driver gave 0 output shapes; expected one for each of the 2 outputs; run: "
               "ASYNC, timing NO, UNSPECIFIED");
}

TEST(HostileDriver, AnotherNumberOfShapesFails) {
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    ExpectResult(RunWithShapes(mode, [](auto& shapes) { shapes.pop_back(); }), Verdict::FAIL,
                 "gave 1 output shapes");
    ExpectResult(RunWithShapes(mode, [](auto& shapes) { shapes.resize(70000); }), Verdict::FAIL,
                 "gave 70000 output shapes");
  }
}

TEST(HostileDriver, WrongDimensionsFail) {
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    const CaseResult result = RunWithShapes(mode, [](auto& shapes) { shapes[1].dimensions = {3}; });
    ExpectResult(result, Verdict::FAIL, "MUL output 1 has the dimensions [3]; expected [2]");
    EXPECT_EQ(result.operation, "MUL");
    ExpectResult(RunWithShapes(mode, [](auto& shapes) { shapes[0].dimensions = {}; }),
                 Verdict::FAIL, "has the dimensions []; expected [2]");
    ExpectResult(RunWithShapes(mode, [](auto& shapes) { shapes[0].dimensions = {0}; }),
                 Verdict::FAIL, "has the dimensions [0]; expected [2]");
  }
}

TEST(HostileDriver, HugeDimensionsFailWithAShortMessage) {
  const CaseResult result = RunWithShapes(TestMode::kDynamic, [](auto& shapes) {
    shapes[0].dimensions.assign(1000000, std::numeric_limits<uint32_t>::max());
  });
  ExpectResult(result, Verdict::FAIL, "and 999992 more; expected [2]");
  EXPECT_LT(result.detail.size(), 500U);
}

TEST(HostileDriver, DimensionsOfIgnoredOutputsAreNotCompared) {
  hal::TestCase test_case = AddMulCase();
  test_case.examples[0].outputs[0].ignored = true;
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    execution.result.outputShapes[0].dimensions = {7, 7};
  };
  EXPECT_EQ(RunOnFake(lies, test_case, TestMode::kDynamic).verdict, Verdict::PASS);
}

TEST(HostileDriver, NotSufficientWithNoneFails) {
  ExpectResult(
      RunWithShapes(TestMode::kStatic, [](auto& shapes) { shapes[1].isSufficient = false; }),
      Verdict::FAIL, "MUL output 1: the shape says that the buffer is not sufficient");
}

// ---- A buffer that is too small ----

// Changes executions whose buffer is too small.
CaseResult RunInsufficient(const std::function<void(FakeExecution&)>& change) {
  Lies lies;
  lies.execution = [&](FakeExecution& execution) {
    if (execution.result.status == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) change(execution);
  };
  return RunOnFake(lies, AddMulCase(), TestMode::kDynamic);
}

TEST(HostileDriver, AnotherStatusForASmallBufferFails) {
  ExpectResult(
      RunInsufficient([](auto& execution) { execution.result.status = ErrorStatus::NONE; }),
      Verdict::FAIL, "ended with NONE; expected OUTPUT_INSUFFICIENT_SIZE");
  ExpectResult(RunInsufficient([](auto& execution) {
                 execution.result.status = ErrorStatus::INVALID_ARGUMENT;
               }),
               Verdict::FAIL, "ended with INVALID_ARGUMENT; expected OUTPUT_INSUFFICIENT_SIZE");
}

TEST(HostileDriver, GeneralFailureForASmallBufferIsUnsupported) {
  ExpectResult(RunInsufficient([](auto& execution) {
                 execution.result.status = ErrorStatus::GENERAL_FAILURE;
                 execution.result.outputShapes.clear();
               }),
               Verdict::UNSUPPORTED, "run: ASYNC, timing NO, INSUFFICIENT");
}

TEST(HostileDriver, CallingASmallBufferSufficientFails) {
  ExpectResult(RunInsufficient(
                   [](auto& execution) { execution.result.outputShapes[0].isSufficient = true; }),
               Verdict::FAIL, "ADD output 0: the shape says that the buffer is sufficient");
}

TEST(HostileDriver, NoShapesForASmallBufferFail) {
  ExpectResult(RunInsufficient([](auto& execution) { execution.result.outputShapes.clear(); }),
               Verdict::FAIL, "gave 0 output shapes; expected one for each of the 2 outputs");
}

TEST(HostileDriver, DimensionsForASmallBufferAreRightOrUnknown) {
  const auto with_dimensions = [](size_t output, std::vector<uint32_t> dimensions) {
    return RunInsufficient(
        [&](auto& execution) { execution.result.outputShapes[output].dimensions = dimensions; });
  };
  EXPECT_EQ(with_dimensions(0, {0}).verdict, Verdict::PASS);
  EXPECT_EQ(with_dimensions(0, {}).verdict, Verdict::PASS);
  ExpectResult(with_dimensions(0, {1}), Verdict::FAIL, "has the dimensions [1]; expected [2]");
  ExpectResult(with_dimensions(1, {2, 1}), Verdict::FAIL, "has the dimensions [2, 1]");
}

TEST(HostileDriver, WritingPastASmallBufferFails) {
  ExpectResult(RunInsufficient([](auto& execution) {
                 const hal::V1_0::DataLocation& location = execution.request.outputs[0].location;
                 execution.Pool(1)[location.offset + location.length] = 0;
               }),
               Verdict::FAIL,
               "the driver wrote past output 0; run: ASYNC, timing NO, INSUFFICIENT");
}

// ---- Memory ----

TEST(HostileDriver, WritingPastAnOutputFails) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    const hal::V1_0::DataLocation& location = execution.request.outputs[1].location;
    execution.Pool(1)[location.offset + location.length + 3] = 1;
  };
  ExpectResult(RunOnFake(lies, AddMulCase()), Verdict::FAIL, "the driver wrote past output 1");
}

TEST(HostileDriver, ChangingAnInputFails) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    execution.Pool(0)[execution.request.inputs[1].location.offset + 5] ^= 1;
  };
  ExpectResult(RunOnFake(lies, AddCase()), Verdict::FAIL, "the driver changed input 1 at byte 5");
}

// ---- Timing ----

CaseResult RunWithTiming(MeasureTiming measure, hal::V1_2::Timing timing) {
  Lies lies;
  lies.execution = [=](FakeExecution& execution) {
    if (execution.measure == measure) execution.result.timing = timing;
  };
  return RunOnFake(lies, AddCase());
}

TEST(HostileDriver, TimesThatWereNotAskedForFail) {
  ExpectResult(RunWithTiming(MeasureTiming::NO, {kNoTime, 5}), Verdict::FAIL,
               "expected UINT64_MAX, since none was asked for; run: ASYNC, timing NO");
  ExpectResult(RunWithTiming(MeasureTiming::NO, {5, kNoTime}), Verdict::FAIL, "none was asked for");
}

TEST(HostileDriver, MoreTimeOnTheDeviceThanInTheDriverFails) {
  ExpectResult(RunWithTiming(MeasureTiming::YES, {6, 5}), Verdict::FAIL,
               "expected no more time on the device than in the driver");
}

TEST(HostileDriver, TimesMayBeLeftOut) {
  for (const hal::V1_2::Timing& timing : std::vector<hal::V1_2::Timing>{
           {kNoTime, kNoTime}, {kNoTime, 5}, {5, kNoTime}, {5, 5}, {0, 0}}) {
    EXPECT_EQ(RunWithTiming(MeasureTiming::YES, timing).verdict, Verdict::PASS)
        << hal::toString(timing);
  }
}

TEST(HostileDriver, TimesOfAFailedExecutionFail) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    if (execution.result.status != ErrorStatus::NONE && execution.measure == MeasureTiming::YES) {
      execution.result.timing = {1, 2};
    }
  };
  ExpectResult(RunOnFake(lies, AddCase(), TestMode::kDynamic), Verdict::FAIL,
               "expected UINT64_MAX unless the execution succeeds");
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
