// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/interruption.h"

#include <unistd.h>

#include <csignal>

#include "gtest/gtest.h"

namespace nncert {
namespace {

TEST(InterruptionTest, NoticesEitherSignal) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Interruption interruption;
    EXPECT_FALSE(Interruption::IsRequested());
    ASSERT_EQ(raise(signal), 0);
    EXPECT_TRUE(Interruption::IsRequested());
  }
}

TEST(InterruptionTest, TimeThatHasPassedIsNoticed) {
  {
    const Interruption interruption;
    Interruption::EndAfter(absl::Milliseconds(1));
    while (!Interruption::IsRequested()) usleep(1000);
    // Somebody who loses patience with what is still under way can end it.
    struct sigaction action = {};
    sigaction(SIGINT, nullptr, &action);
    EXPECT_NE(action.sa_handler, SIG_DFL);
  }
  const Interruption another;
  EXPECT_FALSE(Interruption::IsRequested());
}

TEST(InterruptionDeathTest, TheSecondSignalEndsTheProcess) {
  for (const int signal : {SIGINT, SIGTERM}) {
    EXPECT_EXIT(
        {
          const Interruption interruption;
          raise(signal);
          raise(signal);
        },
        ::testing::KilledBySignal(signal), "");
  }
}

TEST(InterruptionDeathTest, AfterwardsSignalsDoWhatTheyDid) {
  EXPECT_EXIT(
      {
        { const Interruption interruption; }
        raise(SIGTERM);
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace nncert
