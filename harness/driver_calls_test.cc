// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/driver_calls.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/deadline.h"
#include "harness/case_runner.h"
#include "harness/isolation/driver_session.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/quiet_watch.h"

namespace nncert {
namespace {

using hal::V1_0::DeviceStatus;
using hal::V1_0::ErrorStatus;
using hal::V1_0::IPreparedModelCallback;
using hal::V1_2::IPreparedModel;
using testing::ElementsAre;

// A clock by which a second passes from one look to the next.
class CountingClock : public hal::SteadyClock {
 public:
  absl::Duration Now() const override { return absl::Seconds(++looks_); }
  absl::Duration LongestSleep() const override { return absl::Milliseconds(1); }

 private:
  mutable std::atomic<int> looks_ = 0;
};

ErrorStatus Notify(const std::shared_ptr<IPreparedModelCallback>& callback,
                   const std::shared_ptr<IPreparedModel>& model) {
  std::dynamic_pointer_cast<hal::V1_2::IPreparedModelCallback>(callback)->notify_1_2(
      ErrorStatus::NONE, model);
  return ErrorStatus::NONE;
}

CaseResult RunWatched(const Lies& lies,
                      const hal::SteadyClock& clock = hal::SteadyClock::System()) {
  QuietWatch watch;
  const auto session =
      DriverSession::FromDevice(MakeFakeDevice(lies), "fake", absl::Seconds(30), &watch, clock)
          .value();
  return RunCase(*session, AddCase(), TestMode::kStatic);
}

TEST(DriverCalls, ADriverIsAskedHowItFaresOnceThePreparedModelHasGone) {
  std::mutex mutex;
  std::vector<std::string> heard;
  const auto hear = [&](const std::string& what) {
    const std::lock_guard<std::mutex> lock(mutex);
    heard.push_back(what);
  };
  std::thread holder;
  Lies lies;
  // As a thread of the transport does which has called the callback and is then descheduled.
  lies.prepare = [&](const std::shared_ptr<IPreparedModelCallback>& callback,
                     const std::shared_ptr<IPreparedModel>& model) {
    holder = std::thread([held = model] { absl::SleepFor(absl::Milliseconds(200)); });
    return Notify(callback, model);
  };
  lies.release = [&] { hear("release"); };
  lies.status = [&] {
    hear("getStatus");
    return DeviceStatus::AVAILABLE;
  };
  const CaseResult result = RunWatched(lies);
  holder.join();
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  // The first is that of the session's beginning.
  EXPECT_THAT(heard, ElementsAre("getStatus", "release", "getStatus"));
}

TEST(DriverCalls, APreparedModelThatDoesNotGoIsWaitedForUntilTheDeadline) {
  std::shared_ptr<IPreparedModel> kept;
  Lies lies;
  lies.prepare = [&](const std::shared_ptr<IPreparedModelCallback>& callback,
                     const std::shared_ptr<IPreparedModel>& model) {
    kept = model;
    return Notify(callback, model);
  };
  const CountingClock clock;
  EXPECT_EQ(RunWatched(lies, clock).verdict, Verdict::PASS);
  EXPECT_EQ(kept.use_count(), 1);
}

}  // namespace
}  // namespace nncert
