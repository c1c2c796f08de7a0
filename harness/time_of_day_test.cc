// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The time of day may be set at any moment, and it is none of the driver's doing. Here it jumps at
// every look that anybody takes at it, this process's libraries included, and makes no difference.

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/isolated_worker.h"
#include "harness/isolation/call_thread.h"
#include "harness/isolation/driver_process.h"
#include "harness/testing/misbehaving.h"
#include "harness/testing/run_on_fake.h"

namespace {

// Whether the time of day goes a day forth and a day back, in turn, with each look at it.
std::atomic<bool> jumps = false;
std::atomic<unsigned> looks = 0;

constexpr time_t kDay = 24 * 60 * 60;

}  // namespace

// What std::chrono and absl ask, in place of the C library's.
extern "C" int clock_gettime(clockid_t clock_id, timespec* tp) {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock_id, tp));
  if (clock_id == CLOCK_REALTIME && jumps && looks++ % 2 == 1) tp->tv_sec += kDay;
  return result;
}

namespace nncert {
namespace {

using ::testing::HasSubstr;

class TimeOfDayTest : public ::testing::Test {
 protected:
  TimeOfDayTest() {
    looks = 0;
    jumps = true;
  }
  ~TimeOfDayTest() override { jumps = false; }

  static std::unique_ptr<CaseWorker> Worker(const std::string& kind) {
    const DriverProcessOptions options = MisbehavingOptions(kind);
    auto host = DriverProcess::Start(options);
    EXPECT_TRUE(host.ok()) << host.status();
    return std::move(IsolatedWorkers(options, *std::move(host), 1).front());
  }
};

TEST_F(TimeOfDayTest, ItJumps) {
  const absl::Time first = absl::Now();
  EXPECT_GT(absl::Now() - first, absl::Hours(23));
  EXPECT_LT(absl::Now() - first, absl::Hours(1));
}

TEST_F(TimeOfDayTest, NoDriverIsTimedOut) {
  RunOptions options;
  options.deadline = absl::Minutes(1);
  CaseResult result = RunOnFake({}, AddCase(), TestMode::kStatic, options);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_GT(result.duration, absl::ZeroDuration());
  EXPECT_LT(result.duration, absl::Hours(1));

  result = Worker("honest")->Run(AddCase(), TestMode::kStatic, options);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_GT(result.duration, absl::ZeroDuration());
  EXPECT_LT(result.duration, absl::Hours(1));
}

// That the waiting is not a day longer either, the time limit of this test tells.
TEST_F(TimeOfDayTest, ADriverThatHangsIsTimedOutAllTheSame) {
  RunOptions options;
  options.deadline = absl::Milliseconds(500);
  const CaseResult result = Worker("execute_hang")->Run(AddMulCase(), TestMode::kStatic, options);
  EXPECT_EQ(result.verdict, Verdict::TIMEOUT);
  EXPECT_THAT(result.detail, HasSubstr("did not return within 500ms"));
}

TEST_F(TimeOfDayTest, ACallbackThatDoesNotComeIsTimedOutAllTheSame) {
  RunOptions options;
  CaseResult result;
  // On a busy machine the call itself may take as long: it is given more time then.
  for (options.deadline = absl::Milliseconds(500); options.deadline < absl::Minutes(1);
       options.deadline *= 4) {
    result = Worker("callback_kept")->Run(AddMulCase(), TestMode::kStatic, options);
    if (!absl::StrContains(result.detail, "did not return")) break;
  }
  EXPECT_EQ(result.verdict, Verdict::TIMEOUT);
  EXPECT_THAT(result.detail, HasSubstr(absl::StrCat("its callback was not called within ",
                                                    absl::FormatDuration(options.deadline))));
}

TEST_F(TimeOfDayTest, ACallInThisProcessIsTimedOutAllTheSame) {
  CallThread calls;
  const auto release = std::make_shared<std::mutex>();
  std::unique_lock<std::mutex> lock(*release);
  const absl::Status status = calls
                                  .Run(absl::Milliseconds(50),
                                       [release] {
                                         const std::lock_guard<std::mutex> wait(*release);
                                         return true;
                                       })
                                  .status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_EQ(calls.Run(absl::Minutes(1), [] { return 7; }).value(), 7);
}

}  // namespace
}  // namespace nncert
