// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Each thing that a hostile driver does is contained, named, and leaves nothing behind.

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/deadline.h"
#include "hal/process_tree.h"
#include "harness/isolated_worker.h"
#include "harness/isolation/driver_process.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// What calls and starts may take that are to end in time, and what those may that do not end.
constexpr absl::Duration kLong = absl::Seconds(60);
constexpr absl::Duration kShort = absl::Seconds(1);

// What a driver does, and what is to be said of it.
struct Hostility {
  const char* kind;
  // What the case comes to; those that are run again may come to PASS.
  Verdict verdict;
  // A part of what is said, of the case or as a finding. Empty: it harms nobody but itself.
  const char* name;
  bool is_endless = false;
  // Whether what it does to its process is seen once this has run a case, so that one comes before.
  bool is_growth = false;
  // Whether its process goes on without what it needs, so that the next case fails as well.
  bool is_lasting = false;
};

constexpr char kAborted[] = "was killed by SIGABRT (Aborted)";
constexpr char kClosed[] = "closed its socket, and did not end";

const std::vector<Hostility>& Hostilities() {
  using enum Verdict;
  static const auto* const all = new std::vector<Hostility>{
      {"abort", CRASH, "SIGABRT (Aborted); run: "},
      {"exit", CRASH, "the driver's process exited with status 0"},
      {"exit_quickly", CRASH, "the driver's process exited with status 3"},
      {"exit_in_a_thread", CRASH, "the driver's process exited with status 5"},
      {"throw", CRASH, "for an exception that nobody caught: std::runtime_error: \\x1b[2J"},
      {"throw_in_a_thread", CRASH, "for an exception that nobody caught: int"},
      {"segfault", CRASH, "backtrace of SIGSEGV at address 0x10:\n    #0 nncert::"},
      {"bus_error", CRASH, "backtrace of SIGBUS at address 0x"},
      {"illegal_instruction", CRASH, "was killed by SIGILL"},
      {"arithmetic", CRASH, "was killed by SIGFPE"},
      {"stack_overflow", CRASH, "was killed by SIGSEGV"},
      {"kill_itself", CRASH, "was killed by SIGKILL (Killed), when it had "},
      {"kill_its_group", CRASH, "was killed by SIGKILL (Killed), when it had "},
      {"alarm", CRASH, "was killed by SIGALRM"},
      {"become_another_program", CRASH, kClosed},
      {"load_abort", CRASH, kAborted},
      {"load_exit", CRASH, "loading it: the driver's process exited with status 0"},
      {"load_throw", CRASH, "it threw an exception: \\x1b[2J"},
      {"load_evil_message", CRASH, "\\x1b[2J\\x1b]0;owned\\x07\\xff\\xfe"},
      {"loop", TIMEOUT, "the driver is slow, not stalled", true},
      {"sleep", TIMEOUT, "the driver is stalled", true},
      {"loop_deaf", TIMEOUT, "did not return within 1s", true},
      {"loop_in_a_handler", TIMEOUT, "did not return within 1s", true},
      {"stop", TIMEOUT, "the driver's process was stopped by a signal (SIGSTOP", true},
      {"hang_at_exit", TIMEOUT, "did not return within 1s", true},
      {"load_sleep", TIMEOUT, "it was not loaded within 1s", true},
      {"fork_spinning", PASS, "the driver left 6 processes ("},
      {"fork_daemon", PASS, "the driver left 6 processes ("},
      {"fork_deaf_daemon", PASS, "the driver left 6 processes ("},
      {"fork_without_descriptors", PASS, "the driver left 6 processes ("},
      {"fork_and_loop_at_exit", PASS, "the driver left 6 processes ("},
      {"fork_and_crash", CRASH, kAborted},
      {"fork_and_sleep", TIMEOUT, "did not return within 1s", true},
      {"fork_each_time", PASS, "itself among them,", false, true},
      {"fork_bomb", CRASH, " processes; at most 200 may run at the same time"},
      {"fork_bomb_of_sessions", CRASH, " processes; at most 200 may run"},
      {"fork_bomb_in_a_daemon", CRASH, " processes; at most 200 may run"},
      {"thread_bomb", CRASH, " threads; at most 4000 may run at the same time"},
      {"kill_its_parent", PASS, "the driver tried to send a signal to process "},
      {"stop_its_parent", PASS, "the driver tried to send a signal to process "},
      {"kill_the_program", PASS, "the driver tried to send a signal to process "},
      {"kill_everything", PASS, "the driver tried to send a signal to every process"},
      {"memory", CRASH, "MiB of memory, more than the 300 MiB that it may have"},
      {"shared_memory", CRASH, "MiB of memory, more than the 300 MiB that it may have"},
      {"memory_of_a_daemon", CRASH, "MiB of memory, more than the 300 MiB that it may have"},
      {"leak_descriptors", PASS, " descriptors open after 1 case, and ", false, true},
      {"leak_threads", PASS, " threads after 1 case, and ", false, true},
      {"output", TIMEOUT, "did not return within 1s", true},
      {"much_output", PASS, " MiB to its standard output and error"},
      {"evil_output", CRASH, "\n    \\x1b[2J\\x1b]0;owned\\x07\\xff\\xfe\"<b>&'\\x0d\\x08\\xe2"},
      {"close_everything", CRASH, ""},
      {"close_streams", CRASH, kAborted},
      {"hang_up", CRASH, ""},
      {"talk_nonsense", FAIL, "the driver's process broke the protocol"},
      {"change_folder", PASS, ""},
      {"change_group", PASS, ""},
      {"limit_descriptors", BROKEN_PROMISE, "", false, false, true},
      {"limit_memory", CRASH, ""},
      {"limit_time", CRASH, "was killed by SIG"},
      {"hide", PASS, ""},
      {"evil_version", PASS, "\\x1b[2J\\x1b]0;owned\\x07\\xff\\xfe"},
      {"evil_extension", PASS, "\\x1b[2J\\x1b]0;owned\\x07\\xff\\xfe"},
  };
  return *all;
}

// What makes the processes of one driver known, wherever they have gone: all that it starts has it.
constexpr char kMark[] = "NNCERT_HOSTILE_PROCESS_TEST";

// The processes that are marked, but for this one.
std::vector<pid_t> MarkedProcesses() {
  const std::string mark = absl::StrCat(kMark, "=", getpid());
  std::vector<pid_t> marked;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    const pid_t process = std::atoi(entry->path().filename().c_str());
    if (process == 0 || process == getpid()) continue;
    std::ifstream file(entry->path() / "environ", std::ios::binary);
    std::ostringstream environment;
    environment << file.rdbuf();
    if (environment.str().find(mark) != std::string::npos) marked.push_back(process);
  }
  return marked;
}

// What became of a driver: the case that it was hostile in, the one after, and what was found.
struct Outcome {
  CaseResult bad;
  CaseResult good;
  std::string version;
  std::vector<std::string> findings;

  std::string AllThatIsSaid() const {
    return absl::StrCat(bad.detail, "\n", version, "\n", absl::StrJoin(findings, "\n"));
  }
};

Outcome OutcomeOf(const Hostility& hostility) {
  Outcome outcome;
  DriverProcessOptions options;
  options.name = hostility.kind;
  options.program = "hal/transport/driver_host";
  options.driver = std::filesystem::absolute("harness/testing/hostile_driver.so").string();
  options.option = hostility.kind;
  options.memory = uint64_t{300} << 20;
  const bool is_load = absl::string_view(hostility.kind).substr(0, 5) == "load_";
  options.deadline = is_load && hostility.is_endless ? kShort : kLong;
  absl::StatusOr<std::unique_ptr<DriverProcess>> process = DriverProcess::Start(options);
  if (!process.ok()) {
    outcome.bad.verdict =
        absl::IsDeadlineExceeded(process.status()) ? Verdict::TIMEOUT : Verdict::CRASH;
    outcome.bad.detail = std::string(process.status().message());
    outcome.good.verdict = is_load ? Verdict::PASS : Verdict::MISSING;
    return outcome;
  }
  outcome.version = (*process)->session().version_string();
  for (const std::string& finding : (*process)->session().findings()) {
    outcome.findings.push_back(finding);
  }
  const auto worker = std::move(IsolatedWorkers(options, *std::move(process), 1).front());
  RunOptions run;
  if (hostility.is_growth) worker->Run(AddCase(), TestMode::kStatic, run);
  run.deadline = hostility.is_endless ? kShort : kLong;
  outcome.bad = worker->Run(AddMulCase(), TestMode::kStatic, run);
  run.deadline = kLong;
  outcome.good = worker->Run(AddCase(), TestMode::kStatic, run);
  worker->Settle();
  const WorkerReport report = worker->TakeReport();
  outcome.findings.insert(outcome.findings.end(), report.findings.begin(), report.findings.end());
  return outcome;
}

// Runs all of them, many at the same time, for most of them wait.
std::vector<Outcome> AllOutcomes() {
  std::vector<Outcome> outcomes(Hostilities().size());
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&] {
      for (size_t k = next++; k < outcomes.size(); k = next++) {
        outcomes[k] = OutcomeOf(Hostilities()[k]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return outcomes;
}

TEST(HostileProcessTest, EachIsContainedAndNamedAndLeavesNothingBehind) {
  ASSERT_EQ(setenv(kMark, absl::StrCat(getpid()).c_str(), 1), 0);
  const std::vector<Outcome> outcomes = AllOutcomes();
  EXPECT_GE(outcomes.size(), 40u);
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const Hostility& hostility = Hostilities()[i];
    SCOPED_TRACE(hostility.kind);
    const std::string said = outcomes[i].AllThatIsSaid();
    EXPECT_EQ(outcomes[i].bad.verdict, hostility.verdict) << said;
    EXPECT_THAT(said, HasSubstr(hostility.name));
    // What it says may not do anything to who reads it.
    for (const char evil : {'\x1b', '\x07', '\xff', '\xfe', '\r', '\b'}) {
      EXPECT_THAT(said, Not(testing::Contains(evil)));
    }
    // The next case is run as if nothing had been.
    EXPECT_EQ(outcomes[i].good.verdict, hostility.is_lasting ? hostility.verdict : Verdict::PASS)
        << outcomes[i].good.detail;
  }
  // Who is killed may take a moment to be gone.
  const hal::Deadline deadline(kLong);
  while (!MarkedProcesses().empty() && !deadline.HasPassed()) absl::SleepFor(absl::Milliseconds(5));
  EXPECT_THAT(MarkedProcesses(), IsEmpty());
}

TEST(HostileProcessTest, ADriverThatBurstsInEachCaseIsRunNoFurther) {
  DriverProcessOptions options;
  options.name = "fork_bomb";
  options.program = "hal/transport/driver_host";
  options.driver = std::filesystem::absolute("harness/testing/hostile_driver.so").string();
  options.option = "fork_bomb";
  auto process = DriverProcess::Start(options);
  ASSERT_TRUE(process.ok()) << process.status();
  const auto worker = std::move(IsolatedWorkers(options, *std::move(process), 1).front());
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(worker->WhyLost(), IsEmpty());
    const CaseResult result = worker->Run(AddMulCase(), TestMode::kStatic, {});
    EXPECT_EQ(result.verdict, Verdict::CRASH) << result.detail;
  }
  EXPECT_EQ(worker->Run(AddMulCase(), TestMode::kStatic, {}).verdict, Verdict::CRASH);
  EXPECT_THAT(worker->WhyLost(), HasSubstr("run no further, since it started too many processes"));
  // One finding, whatever the number of cases.
  EXPECT_THAT(worker->TakeReport().findings,
              testing::ElementsAre(HasSubstr(" processes; at most 200 may run at the same time")));
}

}  // namespace
}  // namespace nncert
