// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/joint_calls.h"

#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "harness/isolation/call_thread.h"
#include "harness/isolation/driver_session.h"
#include "reference/driver/driver.h"

namespace nncert {
namespace {

// A watch whose driver is lost as soon as it is told so.
class LosableWatch : public CallWatch {
 public:
  void Begin(absl::Duration /*deadline*/) override {}
  absl::Status End() override { return Health(); }
  absl::Status Health() override {
    return is_lost ? absl::UnavailableError("it ended") : absl::OkStatus();
  }
  std::string Activity() override { return ""; }

  std::atomic<bool> is_lost = false;
};

class JointCallsTest : public ::testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<DriverSession> Open() {
    auto session = DriverSession::FromDevice(MakeReferenceDriver(), "sample", kDefaultDeadline,
                                             GetParam() ? &watch_ : nullptr);
    EXPECT_TRUE(session.ok()) << session.status();
    return *std::move(session);
  }

  LosableWatch watch_;
};

TEST_P(JointCallsTest, AllAreUnderWayAtOnceEachByItsSession) {
  const auto session = Open();
  std::latch all(3);
  std::vector<const DriverSession*> sessions(3);
  std::vector<JointCalls> threads;
  for (const DriverSession*& place : sessions) {
    threads.emplace_back([&all, &session, &place](DriverSession& own) -> std::optional<Problem> {
      all.arrive_and_wait();
      place = &own;
      EXPECT_EQ(own.device(), session->device());
      EXPECT_EQ(own.calls().is_watched(), GetParam());
      return std::nullopt;
    });
  }
  EXPECT_FALSE(CallTogether(*session, kDefaultDeadline, threads).has_value());
  EXPECT_NE(sessions[0], sessions[1]);
  EXPECT_NE(sessions[0], session.get());
}

TEST_P(JointCallsTest, TheProblemIsThatOfTheFirstWhoHasOne) {
  const auto session = Open();
  const auto fail = [](const char* text) {
    return [text](DriverSession& /*own*/) { return std::optional(Broken(text)); };
  };
  const std::vector<JointCalls> threads = {
      [](DriverSession& /*own*/) { return std::optional<Problem>(); }, fail("a"), fail("b")};
  const auto problem = CallTogether(*session, kDefaultDeadline, threads);
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->text, "a");
}

TEST_P(JointCallsTest, AnExceptionOfTheDriverIsAProblem) {
  const auto session = Open();
  const std::vector<JointCalls> threads = {[](DriverSession& own) -> std::optional<Problem> {
    const auto thrown = own.calls().Run(kDefaultDeadline, []() -> int { throw 1; });
    return ProblemOf("it", thrown.status());
  }};
  const auto problem = CallTogether(*session, kDefaultDeadline, threads);
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->verdict, Verdict::FAIL);
}

TEST_P(JointCallsTest, TheLossOfTheProcessComesBeforeWhatItMadeOfTheCalls) {
  if (!GetParam()) return;
  const auto session = Open();
  const std::vector<JointCalls> threads = {[this](DriverSession& own) {
    watch_.is_lost = true;
    EXPECT_TRUE(absl::IsUnavailable(own.calls().Run(kDefaultDeadline, [] { return 1; }).status()));
    return std::optional(Broken("wrong result"));
  }};
  const auto problem = CallTogether(*session, kDefaultDeadline, threads);
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->verdict, Verdict::CRASH);
  EXPECT_EQ(problem->text, "the calls of several threads: it ended");
}

INSTANTIATE_TEST_SUITE_P(Watched, JointCallsTest, ::testing::Bool(), [](const auto& each) {
  return each.param ? "InAnotherProcess" : "InThisProcess";
});

}  // namespace
}  // namespace nncert
