// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Drivers that are honest but in bursts.

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/burst_packet.h"
#include "hal/message_queue.h"
#include "harness/case_runner.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"

namespace nncert {
namespace {

using hal::MessageQueue;
using hal::MQDescriptorSync;
using hal::V1_0::ErrorStatus;
using hal::V1_2::ConfigureExecutionBurstResult;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::FmqResultDatum;
using testing::HasSubstr;

class NoBurst : public hal::V1_2::IBurstContext {
 public:
  void freeMemory(int32_t) override {}
};

// A device whose bursts are nothing but what `write` puts into the queue of results beforehand.
Lies Write(std::function<void(const MQDescriptorSync<FmqResultDatum>& results)> write) {
  Lies lies;
  lies.burst = [write = std::move(write)](const MQDescriptorSync<FmqRequestDatum>&,
                                          const MQDescriptorSync<FmqResultDatum>& results) {
    write(results);
    return ConfigureExecutionBurstResult{ErrorStatus::NONE, std::make_shared<NoBurst>()};
  };
  return lies;
}

Lies Configure(ErrorStatus status, const std::shared_ptr<hal::V1_2::IBurstContext>& context) {
  Lies lies;
  lies.burst = [=](const auto&, const auto&) {
    return ConfigureExecutionBurstResult{status, context};
  };
  return lies;
}

TEST(HostileBurst, AnHonestDriverPasses) {
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    const CaseResult result = RunOnFake({}, AddCase(), mode);
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  }
}

TEST(HostileBurst, ABurstThatIsNotOpenedFails) {
  ExpectResult(RunOnFake(Configure(ErrorStatus::GENERAL_FAILURE, nullptr), AddCase()),
               Verdict::FAIL,
               "configureExecutionBurst ended with GENERAL_FAILURE; expected NONE and a burst; "
               "run: BURST, timing NO, FULLY_SPECIFIED");
  ExpectResult(
      RunOnFake(Configure(ErrorStatus::INVALID_ARGUMENT, std::make_shared<NoBurst>()), AddCase()),
      Verdict::FAIL, "configureExecutionBurst ended with INVALID_ARGUMENT and gave a burst");
  ExpectResult(RunOnFake(Configure(ErrorStatus::NONE, nullptr), AddCase()), Verdict::FAIL,
               "configureExecutionBurst ended with NONE and gave no burst");
  Lies throws;
  throws.burst = [](const auto&, const auto&) -> ConfigureExecutionBurstResult { throw 7; };
  ExpectResult(RunOnFake(throws, AddCase()), Verdict::FAIL,
               "configureExecutionBurst: an exception escaped: int");
}

TEST(HostileBurst, ARequestThatIsNotAnsweredIsATimeout) {
  RunOptions options;
  options.deadline = absl::Milliseconds(200);
  const CaseResult result =
      RunOnFake(Write([](const auto&) {}), AddCase(), TestMode::kStatic, options);
  ExpectResult(result, Verdict::TIMEOUT,
               "the request of a burst: was not answered within 200ms; run: BURST, timing NO");
}

TEST(HostileBurst, AResultThatWasThereBeforeAnyRequestFails) {
  const auto write = [](const MQDescriptorSync<FmqResultDatum>& results) {
    ASSERT_TRUE(MessageQueue<FmqResultDatum>::Open(results)
                    ->write(hal::serializeBurstResult({.outputShapes = {}, .timing = {}}))
                    .ok());
  };
  ExpectResult(RunOnFake(Write(write), AddCase()), Verdict::FAIL,
               "the request of a burst: the driver wrote 2 elements of results that no request was "
               "sent for; expected exactly one packet for each request; run: BURST");
}

TEST(HostileBurst, PositionsOfAQueueThatCannotBeFail) {
  const auto scribble = [](const MQDescriptorSync<FmqResultDatum>& results) {
    const hal::Mapping queue = *results.memory.Map(hal::MemoryAccess::READ_WRITE);
    std::memset(queue.data(), 0xEE, 16);
  };
  ExpectResult(RunOnFake(Write(scribble), AddCase()), Verdict::FAIL,
               "the request of a burst: the shared positions of a message queue of 1024 elements "
               "are impossible");
}

// The third and the sixth execution are those of the burst.
TEST(HostileBurst, WhatComesOfARequestIsJudgedLikeAnyOther) {
  int execution_number = 0;
  Lies element;
  element.execution = [&](FakeExecution& execution) {
    if (++execution_number == 3) SetElement(execution, 0, 0, 12.0F);
  };
  ExpectResult(RunOnFake(element, AddCase()), Verdict::FAIL, "expected 11, actual 12, ");
  execution_number = 0;
  EXPECT_THAT(FirstLine(RunOnFake(element, AddCase())),
              HasSubstr("; run: BURST, timing NO, FULLY_SPECIFIED"));
  execution_number = 0;
  Lies timing;
  timing.execution = [&](FakeExecution& execution) {
    if (++execution_number == 3) execution.result.timing = {1, 2};
  };
  ExpectResult(RunOnFake(timing, AddCase()), Verdict::FAIL, "since none was asked for; run: BURST");
  execution_number = 0;
  Lies status;
  status.execution = [&](FakeExecution& execution) {
    if (++execution_number == 6) {
      execution.result = {.status = ErrorStatus::GENERAL_FAILURE, .outputShapes = {}, .timing = {}};
    }
  };
  ExpectResult(RunOnFake(status, AddCase()), Verdict::BROKEN_PROMISE,
               "ended with GENERAL_FAILURE; run: BURST, timing YES, FULLY_SPECIFIED");
  execution_number = 0;
  Lies shape;
  shape.execution = [&](FakeExecution& execution) {
    if (++execution_number == 6) execution.result.outputShapes[0].dimensions.push_back(1);
  };
  ExpectResult(RunOnFake(shape, AddCase()), Verdict::FAIL, "run: BURST, timing YES");
}

TEST(HostileBurst, OneWayAloneMayBeTheBurst) {
  for (const auto& [way, name] :
       {std::pair(2, "BURST, timing NO"), std::pair(5, "BURST, timing YES"),
        std::pair(8, "BURST, timing NO")}) {
    RunOptions options;
    options.only_way = way;
    const CaseResult right = RunOnFake({}, AddCase(), TestMode::kStatic, options);
    EXPECT_EQ(right.verdict, Verdict::PASS) << right.detail;
    EXPECT_EQ(right.executions, 1);
    ExpectResult(RunOnFake(Answer(99), AddCase(), TestMode::kStatic, options), Verdict::FAIL,
                 std::string("; run: ") + name);
  }
}

TEST(HostileBurst, EarlierDriversHaveNone) {
  const Lies lies = Configure(ErrorStatus::GENERAL_FAILURE, nullptr);
  EXPECT_EQ(RunOnDevice(MakeFakeDevice1_0(lies), AddCase()).verdict, Verdict::PASS);
  EXPECT_EQ(RunOnDevice(MakeFakeDevice1_1(lies), AddCase()).verdict, Verdict::PASS);
}

}  // namespace
}  // namespace nncert
