// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/child_process.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/deadline.h"
#include "hal/process_tree.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;

constexpr absl::Duration kLong = absl::Seconds(30);

// A shell that runs a script, and the other end of its socket.
struct Shell {
  explicit Shell(const std::string& script) {
    std::array<int, 2> ends = {};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    socket = hal::FileDescriptor::Adopt(ends[0]);
    const auto other = hal::FileDescriptor::Adopt(ends[1]);
    process = ChildProcess::Start({"/bin/sh", "-c", script}, other.get()).value();
  }

  // What the script says through the socket, when it has said something.
  std::string Read() const {
    std::array<char, 256> buffer;
    const ssize_t count = read(socket.get(), buffer.data(), buffer.size());
    return count > 0 ? std::string(buffer.data(), static_cast<size_t>(count)) : "";
  }

  hal::FileDescriptor socket;
  std::unique_ptr<ChildProcess> process;
};

bool IsAlive(pid_t process) { return kill(process, 0) == 0 || errno != ESRCH; }

// Waits until a process that is nobody's child here is gone.
bool EndsSoon(pid_t process) {
  const hal::Deadline deadline(kLong);
  while (IsAlive(process) && !deadline.HasPassed()) absl::SleepFor(absl::Milliseconds(5));
  return !IsAlive(process);
}

TEST(DescribeEndTest, NamesSignalsAndStatuses) {
  EXPECT_EQ(DescribeEnd({SIGSEGV, 0}), "was killed by SIGSEGV (Segmentation fault)");
  EXPECT_EQ(DescribeEnd({SIGABRT, 0}), "was killed by SIGABRT (Aborted)");
  EXPECT_EQ(DescribeEnd({SIGRTMIN + 3, 0}), absl::StrCat("was killed by signal ", SIGRTMIN + 3));
  EXPECT_EQ(DescribeEnd({0, 0}), "exited with status 0");
  EXPECT_EQ(DescribeEnd({0, 255}), "exited with status 255");
}

TEST(ChildProcessTest, TellsHowItEnded) {
  const auto exited = Shell("exit 7").process->WaitFor(kLong);
  ASSERT_TRUE(exited.has_value());
  EXPECT_EQ(exited->signal, 0);
  EXPECT_EQ(exited->exit_status, 7);
  const Shell killed("kill -SEGV $$");
  const auto end = killed.process->WaitFor(kLong);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->signal, SIGSEGV);
  EXPECT_EQ(killed.process->WaitFor(absl::ZeroDuration())->signal, SIGSEGV);
}

TEST(ChildProcessTest, WaitsNoLongerThanItIsTold) {
  const Shell shell("read line <&3");
  const absl::Duration start = hal::SteadyClock::System().Now();
  EXPECT_FALSE(shell.process->WaitFor(absl::Milliseconds(20)).has_value());
  EXPECT_GE(hal::SteadyClock::System().Now() - start, absl::Milliseconds(20));
  EXPECT_FALSE(shell.process->WaitFor(absl::ZeroDuration()).has_value());
}

TEST(ChildProcessTest, HasTheSocketAndTheReportAndNothingElse) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  const auto ours = hal::FileDescriptor::Adopt(ends[0]);
  const auto theirs = hal::FileDescriptor::Adopt(ends[1]);
  // The report is 4, the program's own look at the folder 5.
  const auto list = ChildProcess::Start({"/bin/ls", "/proc/self/fd"}, theirs.get());
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_TRUE((*list)->WaitFor(kLong).has_value());
  EXPECT_THAT((*list)->LastLines(), ElementsAre("0", "1", "2", "3", "4", "5"));
  const Shell shell("readlink /proc/$$/fd/0 >&3");
  EXPECT_EQ(shell.Read(), "/dev/null\n");
}

TEST(ChildProcessTest, KeepsTheLastLines) {
  const Shell shell("for i in $(seq 30); do echo out $i; done; printf 'a\\tb\\033[0m\\377' >&2");
  ASSERT_TRUE(shell.process->WaitFor(kLong).has_value());
  const std::vector<std::string> lines = shell.process->LastLines();
  ASSERT_EQ(lines.size(), ChildProcess::kMostLines);
  EXPECT_EQ(lines.front(), absl::StrCat("out ", 30 + 2 - ChildProcess::kMostLines));
  EXPECT_EQ(lines.back(), "a b\\x1b[0m\\xff");
}

TEST(ChildProcessTest, ALotOfOutputStopsNobody) {
  const Shell shell("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo end");
  ASSERT_TRUE(shell.process->WaitFor(kLong).has_value());
  const std::vector<std::string> lines = shell.process->LastLines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], std::string(ChildProcess::kLongestLine, 'x') + "...");
  EXPECT_EQ(lines[1], "end");
}

TEST(ChildProcessTest, TellsCpuTimeAndMemory) {
  const Shell busy("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo >&3; read line <&3");
  EXPECT_EQ(busy.Read(), "\n");
  const absl::Duration running = busy.process->CpuTime();
  EXPECT_GT(running, absl::Milliseconds(5));
  EXPECT_GT(busy.process->PeakMemory(), uint64_t{100} << 10);
  EXPECT_LT(busy.process->PeakMemory(), uint64_t{100} << 20);
  busy.process->Kill();
  ASSERT_TRUE(busy.process->WaitFor(kLong).has_value());
  EXPECT_GE(busy.process->CpuTime(), running - absl::Milliseconds(5));
  EXPECT_GT(busy.process->PeakMemory(), uint64_t{100} << 10);
  EXPECT_EQ(hal::StatusOf(busy.process->id()).peak_memory, 0u);
  EXPECT_FALSE(CpuTimeOf(busy.process->id()).has_value());
}

TEST(ChildProcessTest, WaitingCostsNoCpuTime) {
  const Shell shell("echo >&3; read line <&3");
  EXPECT_EQ(shell.Read(), "\n");
  // As soon as it has come to the end of the line, nothing is added any more. Only the time that
  // this takes depends on the machine.
  const hal::Deadline deadline(kLong);
  absl::Duration before;
  absl::Duration after = shell.process->CpuTime();
  do {
    before = after;
    absl::SleepFor(absl::Milliseconds(10));
    after = shell.process->CpuTime();
  } while (after != before && !deadline.HasPassed());
  EXPECT_EQ(after, before);
  EXPECT_GT(after, absl::ZeroDuration());
}

TEST(ChildProcessTest, EndsWithItsObjectAndSoDoesWhatItStarted) {
  pid_t parent = 0;
  int child = 0;
  {
    const Shell shell("sleep 1000 & echo $! >&3; wait");
    std::string text = shell.Read();
    ASSERT_TRUE(absl::SimpleAtoi(text, &child)) << text;
    parent = shell.process->id();
    EXPECT_TRUE(IsAlive(parent));
    EXPECT_TRUE(IsAlive(child));
  }
  EXPECT_FALSE(IsAlive(parent));
  EXPECT_TRUE(EndsSoon(child));
}

TEST(ChildProcessTest, WhatItStartedEndsWithItEvenWhenItEndsByItself) {
  const Shell shell("sleep 1000 & echo $! >&3; exit 3");
  int child = 0;
  const std::string text = shell.Read();
  ASSERT_TRUE(absl::SimpleAtoi(text, &child)) << text;
  const auto end = shell.process->WaitFor(kLong);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_status, 3);
  EXPECT_TRUE(EndsSoon(child));
}

TEST(ChildProcessTest, TellsWhatItHas) {
  const Shell shell("exec 7</dev/null; exec cat <&3 >&3");
  ASSERT_EQ(write(shell.socket.get(), "\n", 1), 1);
  EXPECT_EQ(shell.Read(), "\n");
  // The three streams, the socket, the report, and what the script has opened itself.
  EXPECT_EQ(DescriptorsOf(shell.process->id()), 6u);
  EXPECT_GT(hal::StatusOf(shell.process->id()).own_memory, uint64_t{10} << 10);
  EXPECT_LE(hal::StatusOf(shell.process->id()).own_memory, shell.process->PeakMemory());
  shell.process->Kill();
  ASSERT_TRUE(shell.process->WaitFor(kLong).has_value());
  EXPECT_EQ(DescriptorsOf(shell.process->id()), 0u);
  EXPECT_EQ(hal::StatusOf(shell.process->id()).own_memory, 0u);
}

TEST(ChildProcessTest, KnowsWhatAGuardSays) {
  const Shell shell(
      "trap 'exit 4' TERM; printf 'ready\\nprocess 1\\nfinding it lies\\nbomb it bursts\\nend' >&4;"
      "echo >&3; sleep 1000 & wait");
  EXPECT_EQ(shell.Read(), "\n");
  EXPECT_EQ(shell.process->guarded(), 1);
  EXPECT_THAT(shell.process->Processes(), ElementsAre(1));
  const GuardReport report = shell.process->Report();
  EXPECT_THAT(report.findings, ElementsAre("it lies"));
  EXPECT_EQ(report.ended_for, "it bursts");
  EXPECT_TRUE(report.is_bomb);
}

TEST(ChildProcessTest, CountsItsOutput) {
  const Shell shell("echo four; echo five. >&2; echo >&3; read line <&3");
  EXPECT_EQ(shell.Read(), "\n");
  EXPECT_EQ(shell.process->OutputSize(), 11u);
}

TEST(ChildProcessTest, LeavesNoCoreFile) {
  const Shell shell("read line <&3; ulimit -c >&3");
  ASSERT_EQ(write(shell.socket.get(), "\n", 1), 1);
  EXPECT_EQ(shell.Read(), "0\n");
}

TEST(ChildProcessTest, IsOfAGroupOfItsOwn) {
  const Shell shell("read line <&3");
  EXPECT_EQ(getpgid(shell.process->id()), shell.process->id());
}

TEST(ChildProcessTest, LeavesNoDescriptorsBehind) {
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  { const Shell first("exit 0"); }
  const auto before = count();
  for (int i = 0; i < 5; ++i) const Shell shell("read line <&3");
  EXPECT_EQ(count(), before);
}

TEST(ChildProcessTest, SaysWhatCannotBeStarted) {
  const absl::Status status = ChildProcess::Start({"/no/such/program"}, STDIN_FILENO).status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_NE(status.message().find("/no/such/program"), status.message().npos) << status;
}

}  // namespace
}  // namespace nncert
