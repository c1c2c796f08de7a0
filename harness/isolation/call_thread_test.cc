// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/call_thread.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/fake_clock.h"

namespace nncert {
namespace {

using testing::HasSubstr;

TEST(CallThread, GivesWhatTheCallReturns) {
  CallThread calls;
  EXPECT_EQ(calls.Run(absl::Seconds(30), [] { return 42; }).value(), 42);
  EXPECT_EQ(calls.Run(absl::Seconds(30), [] { return std::string("text"); }).value(), "text");
  EXPECT_EQ(calls.abandoned(), 0);
}

TEST(CallThread, MakesAllCallsFromOneThread) {
  CallThread calls;
  const auto thread = [] { return std::this_thread::get_id(); };
  const std::thread::id first = calls.Run(absl::Seconds(30), thread).value();
  EXPECT_EQ(calls.Run(absl::Seconds(30), thread).value(), first);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST(CallThread, MakesThemFromAnotherOnceRenewed) {
  CallThread calls;
  // The number of a thread that has ended may be given to another one, and what it has told about
  // itself is gone with it.
  static thread_local int count = 0;
  const auto next = [] { return ++count; };
  EXPECT_EQ(calls.Run(absl::Seconds(30), next).value(), 1);
  EXPECT_EQ(calls.Run(absl::Seconds(30), next).value(), 2);
  calls.Renew();
  EXPECT_EQ(calls.Run(absl::Seconds(30), next).value(), 1);
  EXPECT_EQ(calls.abandoned(), 0);
}

TEST(CallThread, ExceptionsBecomeErrorsThatNameThem) {
  CallThread calls;
  const absl::Status standard =
      calls.Run(absl::Seconds(30), []() -> int { throw std::out_of_range("index 7"); }).status();
  EXPECT_TRUE(absl::IsAborted(standard));
  EXPECT_THAT(std::string(standard.message()), HasSubstr("std::out_of_range: index 7"));
  const absl::Status other = calls.Run(absl::Seconds(30), []() -> int { throw 7; }).status();
  EXPECT_TRUE(absl::IsAborted(other));
  EXPECT_THAT(std::string(other.message()), HasSubstr("int"));
  EXPECT_EQ(calls.Run(absl::Seconds(30), [] { return 1; }).value(), 1);
}

TEST(CallThread, LeavesACallBehindThatDoesNotReturn) {
  const auto release = std::make_shared<absl::Notification>();
  const auto returned = std::make_shared<absl::Notification>();
  hal::testing::FakeClock clock;
  CallThread calls(nullptr, clock);
  const absl::Status status = calls
                                  .Run(absl::Milliseconds(20),
                                       [&clock, release, returned] {
                                         clock.Advance(absl::Milliseconds(20));
                                         release->WaitForNotification();
                                         returned->Notify();
                                         return 1;
                                       })
                                  .status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("20ms"));
  EXPECT_EQ(calls.abandoned(), 1);
  EXPECT_EQ(calls.Run(absl::Seconds(30), [] { return 2; }).value(), 2);
  release->Notify();
  returned->WaitForNotification();
}

TEST(CallThread, ADeadlineGoesByTheClockAlone) {
  hal::testing::FakeClock clock;
  CallThread calls(nullptr, clock);
  // However slow the machine is, no time passes.
  EXPECT_EQ(calls.Run(absl::Nanoseconds(1), [] { return 1; }).value(), 1);
}

TEST(CallThread, WhatACallOwnsIsGoneWhenItReturns) {
  CallThread calls;
  auto owned = std::make_shared<int>(7);
  const std::weak_ptr<int> watched = owned;
  EXPECT_EQ(calls.Run(absl::Seconds(30), [owned = std::move(owned)] { return *owned; }).value(), 7);
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace nncert
