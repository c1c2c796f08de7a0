// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/process_tree.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "absl/cleanup/cleanup.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert::hal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ProcessTreeTest, FindsChildrenAndGrandchildrenThatLive) {
  EXPECT_THAT(DescendantsOf(getpid()), IsEmpty());
  std::array<int, 2> ends = {};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild != 0 && write(ends[1], &grandchild, sizeof(grandchild)) < 0) _exit(1);
    while (true) pause();
  }
  pid_t grandchild = 0;
  ASSERT_EQ(read(ends[0], &grandchild, sizeof(grandchild)),
            static_cast<ssize_t>(sizeof(grandchild)));
  EXPECT_THAT(DescendantsOf(getpid()), ElementsAre(child, grandchild));
  EXPECT_THAT(DescendantsOf(child), ElementsAre(grandchild));
  EXPECT_EQ(NameOf(child), NameOf(getpid()));
  kill(grandchild, SIGKILL);
  kill(child, SIGKILL);
  siginfo_t info = {};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  // It has ended, and is still there to be waited for.
  EXPECT_EQ(StatusOf(child).threads, 0u);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(NameOf(child), "");
  close(ends[0]);
  close(ends[1]);
}

TEST(ProcessTreeTest, TellsWhatAProcessHas) {
  const ProcessStatus status = StatusOf(getpid());
  EXPECT_GE(status.threads, 1u);
  EXPECT_GT(status.own_memory, uint64_t{10} << 10);
  EXPECT_GT(status.peak_memory, status.own_memory);
  EXPECT_FALSE(status.is_stopped);
  EXPECT_GT(ProportionalMemoryOf(getpid()), status.own_memory / 2);
  EXPECT_EQ(StatusOf(0).threads, 0u);
}

// One that computes is ready even while others have the processor, one that waits is not.
TEST(ProcessTreeTest, TellsWhoIsReadyToRun) {
  const auto fork_one = [](void (*live)()) {
    const pid_t child = fork();
    if (child == 0) live();
    return child;
  };
  const pid_t computing = fork_one([] {
    for (volatile bool is_running = true; is_running;) continue;
  });
  const pid_t waiting = fork_one([] {
    while (true) pause();
  });
  const absl::Cleanup end = [&] {
    for (const pid_t child : {computing, waiting}) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  };
  // The one that waits has to come that far first.
  while (IsReadyToRun(waiting)) sched_yield();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(IsReadyToRun(computing));
  EXPECT_TRUE(IsReadyToRun(getpid()));
  EXPECT_FALSE(IsReadyToRun(0));
}

}  // namespace
}  // namespace nncert::hal
