// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One lie of a driver about what an execution came to, one test.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"
#include "harness/records/case_result.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::MeasureTiming;

constexpr uint64_t kNoTime = std::numeric_limits<uint64_t>::max();

// ---- Shapes ----

CaseResult RunWithShapes(TestMode mode,
                         const std::function<void(std::vector<hal::V1_2::OutputShape>&)>& change) {
  Lies lies;
  lies.execution = [&](FakeExecution& execution) { change(execution.result.outputShapes); };
  return RunOnFake(lies, AddMulCase(), mode);
}

TEST(HostileResults, NoShapesWillDoWhereAllAreSpecified) {
  EXPECT_EQ(RunWithShapes(TestMode::kStatic, [](auto& shapes) { shapes.clear(); }).verdict,
            Verdict::PASS);
}

TEST(HostileResults, NoShapesFailWhereOutputsAreUnspecified) {
  ExpectResult(RunWithShapes(TestMode::kDynamic, [](auto& shapes) { shapes.clear(); }),
               Verdict::FAIL,
               "the driver gave 0 output shapes; expected one for each of the 2 outputs; run: "
               "ASYNC, timing NO, UNSPECIFIED");
}

TEST(HostileResults, AnotherNumberOfShapesFails) {
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    ExpectResult(RunWithShapes(mode, [](auto& shapes) { shapes.pop_back(); }), Verdict::FAIL,
                 "gave 1 output shapes");
    ExpectResult(RunWithShapes(mode, [](auto& shapes) { shapes.resize(70000); }), Verdict::FAIL,
                 "gave 70000 output shapes");
  }
}

TEST(HostileResults, WrongDimensionsFail) {
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

TEST(HostileResults, HugeDimensionsFailWithAShortMessage) {
  const CaseResult result = RunWithShapes(TestMode::kDynamic, [](auto& shapes) {
    shapes[0].dimensions.assign(1000000, std::numeric_limits<uint32_t>::max());
  });
  ExpectResult(result, Verdict::FAIL, "and 999992 more; expected [2]");
  EXPECT_LT(result.detail.size(), 500U);
}

TEST(HostileResults, DimensionsOfIgnoredOutputsAreNotCompared) {
  TestCase test_case = AddMulCase();
  test_case.examples[0].outputs[0].ignored = true;
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    execution.result.outputShapes[0].dimensions = {7, 7};
  };
  EXPECT_EQ(RunOnFake(lies, test_case, TestMode::kDynamic).verdict, Verdict::PASS);
}

TEST(HostileResults, NotSufficientWithNoneFails) {
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

TEST(HostileResults, AnotherStatusForASmallBufferFails) {
  ExpectResult(
      RunInsufficient([](auto& execution) { execution.result.status = ErrorStatus::NONE; }),
      Verdict::FAIL, "ended with NONE; expected OUTPUT_INSUFFICIENT_SIZE");
  ExpectResult(RunInsufficient([](auto& execution) {
                 execution.result.status = ErrorStatus::INVALID_ARGUMENT;
               }),
               Verdict::FAIL, "ended with INVALID_ARGUMENT; expected OUTPUT_INSUFFICIENT_SIZE");
}

TEST(HostileResults, GeneralFailureForASmallBufferIsUnsupported) {
  ExpectResult(RunInsufficient([](auto& execution) {
                 execution.result.status = ErrorStatus::GENERAL_FAILURE;
                 execution.result.outputShapes.clear();
               }),
               Verdict::UNSUPPORTED, "run: ASYNC, timing NO, INSUFFICIENT");
}

TEST(HostileResults, CallingASmallBufferSufficientFails) {
  ExpectResult(RunInsufficient(
                   [](auto& execution) { execution.result.outputShapes[0].isSufficient = true; }),
               Verdict::FAIL, "ADD output 0: the shape says that the buffer is sufficient");
}

TEST(HostileResults, NoShapesForASmallBufferFail) {
  ExpectResult(RunInsufficient([](auto& execution) { execution.result.outputShapes.clear(); }),
               Verdict::FAIL, "gave 0 output shapes; expected one for each of the 2 outputs");
}

TEST(HostileResults, DimensionsForASmallBufferAreRightOrUnknown) {
  const auto with_dimensions = [](size_t output, std::vector<uint32_t> dimensions) {
    return RunInsufficient(
        [&](auto& execution) { execution.result.outputShapes[output].dimensions = dimensions; });
  };
  EXPECT_EQ(with_dimensions(0, {0}).verdict, Verdict::PASS);
  EXPECT_EQ(with_dimensions(0, {}).verdict, Verdict::PASS);
  ExpectResult(with_dimensions(0, {1}), Verdict::FAIL, "has the dimensions [1]; expected [2]");
  ExpectResult(with_dimensions(1, {2, 1}), Verdict::FAIL, "has the dimensions [2, 1]");
}

TEST(HostileResults, WritingPastASmallBufferFails) {
  ExpectResult(RunInsufficient([](auto& execution) {
                 const hal::V1_0::DataLocation& location = execution.request.outputs[0].location;
                 execution.Pool(1)[location.offset + location.length] = 0;
               }),
               Verdict::FAIL,
               "the driver wrote past output 0; run: ASYNC, timing NO, INSUFFICIENT");
}

// ---- Memory ----

TEST(HostileResults, WritingPastAnOutputFails) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    const hal::V1_0::DataLocation& location = execution.request.outputs[1].location;
    execution.Pool(1)[location.offset + location.length + 3] = 1;
  };
  ExpectResult(RunOnFake(lies, AddMulCase()), Verdict::FAIL, "the driver wrote past output 1");
}

TEST(HostileResults, ChangingAnInputFails) {
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

TEST(HostileResults, TimesThatWereNotAskedForFail) {
  ExpectResult(RunWithTiming(MeasureTiming::NO, {kNoTime, 5}), Verdict::FAIL,
               "expected UINT64_MAX, since none was asked for; run: ASYNC, timing NO");
  ExpectResult(RunWithTiming(MeasureTiming::NO, {5, kNoTime}), Verdict::FAIL, "none was asked for");
}

TEST(HostileResults, MoreTimeOnTheDeviceThanInTheDriverFails) {
  ExpectResult(RunWithTiming(MeasureTiming::YES, {6, 5}), Verdict::FAIL,
               "expected no more time on the device than in the driver");
}

TEST(HostileResults, TimesMayBeLeftOut) {
  for (const hal::V1_2::Timing& timing : std::vector<hal::V1_2::Timing>{
           {kNoTime, kNoTime}, {kNoTime, 5}, {5, kNoTime}, {5, 5}, {0, 0}}) {
    EXPECT_EQ(RunWithTiming(MeasureTiming::YES, timing).verdict, Verdict::PASS)
        << hal::toString(timing);
  }
}

TEST(HostileResults, TimesOfAFailedExecutionFail) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    if (execution.result.status != ErrorStatus::NONE && execution.measure == MeasureTiming::YES) {
      execution.result.timing = {1, 2};
    }
  };
  ExpectResult(RunOnFake(lies, AddCase(), TestMode::kDynamic), Verdict::FAIL,
               "expected UINT64_MAX unless the execution succeeds");
}

}  // namespace
}  // namespace nncert
