// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolated_worker.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/deadline.h"
#include "hal/process_tree.h"
#include "hal/testing/fake_clock.h"
#include "harness/isolation/driver_process.h"
#include "harness/testing/misbehaving.h"
#include "system/child_process.h"
#include "system/processor.h"

namespace nncert {
namespace {

using hal::testing::FakeClock;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// A case of two operations, which the driver misbehaves with.
TestCase BadCase() { return AddMulCase(); }

// A worker on a driver of this kind. The deadline is that of calls in cases; the driver has all the
// time that it needs to start.
class Worker {
 public:
  explicit Worker(const std::string& kind, absl::Duration deadline = absl::Seconds(30),
                  const hal::SteadyClock& clock = hal::SteadyClock::System())
      : deadline_(deadline) {
    DriverProcessOptions options = MisbehavingOptions(kind);
    options.clock = &clock;
    auto host = DriverProcess::Start(options);
    EXPECT_TRUE(host.ok()) << host.status();
    if (!host.ok()) return;
    process_ = (*host)->process();
    worker_ = std::move(IsolatedWorkers(options, *std::move(host), 1).front());
  }

  CaseResult Run(const TestCase& test_case, const std::string& dump_directory = "") {
    RunOptions options;
    options.dump_directory = dump_directory;
    options.deadline = deadline_;
    return Run(test_case, options);
  }

  CaseResult Run(const TestCase& test_case, const RunOptions& options) {
    return worker_->Run(test_case, TestMode::kStatic, options);
  }

  // Runs a good case, the bad one, and a good one; gives what the bad one came to.
  CaseResult RunThree() {
    return RunThree([this] { return Run(BadCase()); });
  }
  CaseResult RunThree(absl::FunctionRef<CaseResult()> run_bad) {
    const CaseResult before = Run(AddCase());
    EXPECT_EQ(before.verdict, Verdict::PASS) << before.detail;
    CaseResult result = run_bad();
    const CaseResult after = Run(AddCase());
    EXPECT_EQ(after.verdict, Verdict::PASS) << after.detail;
    return result;
  }

  pid_t process() const { return process_; }
  // What is new since this was called last.
  WorkerReport TakeReport() { return worker_->TakeReport(); }

  // All that the processes went through.
  WorkerReport Report() {
    worker_->Settle();
    Add(worker_->TakeReport(), report_);
    return report_;
  }

  void Settle() { worker_->Settle(); }
  bool Renew() { return worker_->Renew(); }

  // Waits until a loss is noticed that no case has to do with.
  void AwaitNews() {
    while (!worker_->HasNews()) absl::SleepFor(absl::Milliseconds(1));
  }

 private:
  const absl::Duration deadline_;
  pid_t process_ = 0;
  std::unique_ptr<CaseWorker> worker_;
  WorkerReport report_;
};

TEST(IsolatedWorkerTest, AnHonestDriverPassesInItsOwnProcess) {
  Worker worker("honest");
  EXPECT_NE(worker.process(), getpid());
  EXPECT_EQ(worker.RunThree().verdict, Verdict::PASS);
  const WorkerReport report = worker.Report();
  EXPECT_EQ(report.restarts, 0);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_GT(report.cpu_time, absl::ZeroDuration());
  EXPECT_GT(report.peak_memory, uint64_t{1} << 20);
}

TEST(IsolatedWorkerTest, AProcessThatIsBegunAnewIsNoLoss) {
  Worker worker("honest");
  // One that has run nothing yet as well.
  EXPECT_TRUE(worker.Renew());
  EXPECT_EQ(kill(worker.process(), 0), -1);
  EXPECT_TRUE(worker.Renew());
  EXPECT_EQ(worker.RunThree().verdict, Verdict::PASS);
  EXPECT_TRUE(worker.Renew());
  EXPECT_EQ(worker.RunThree().verdict, Verdict::PASS);
  const WorkerReport report = worker.Report();
  EXPECT_EQ(report.restarts, 0);
  EXPECT_THAT(report.findings, IsEmpty());
}

TEST(IsolatedWorkerTest, WorkersLeaveTheirCallerOnItsProcessors) {
  const size_t processors = AllowedProcessors().size();
  DriverProcessOptions options = MisbehavingOptions("honest");
  options.processor = AllowedProcessors().back();
  auto host = DriverProcess::Start(options);
  ASSERT_TRUE(host.ok()) << host.status();
  const std::vector<std::unique_ptr<CaseWorker>> workers =
      IsolatedWorkers(options, *std::move(host), 3);
  for (const std::unique_ptr<CaseWorker>& worker : workers) {
    EXPECT_EQ(worker->Run(AddCase(), TestMode::kStatic, {}).verdict, Verdict::PASS);
  }
  EXPECT_EQ(AllowedProcessors().size(), processors);
}

// The detail of the bad case, which has this verdict; the process was lost once.
std::string DetailOfLoss(Worker& worker, Verdict verdict, absl::FunctionRef<CaseResult()> run_bad) {
  const CaseResult result = worker.RunThree(run_bad);
  EXPECT_EQ(result.verdict, verdict) << result.detail;
  const WorkerReport report = worker.Report();
  EXPECT_EQ(report.restarts, 1);
  EXPECT_THAT(report.findings, IsEmpty());
  return result.detail;
}

std::string DetailOfCrash(const std::string& kind) {
  Worker worker(kind);
  return DetailOfLoss(worker, Verdict::CRASH, [&] { return worker.Run(BadCase()); });
}

// Has a clock go as fast as another one for as long as this exists.
class RunningClock {
 public:
  RunningClock(FakeClock& clock, const std::function<absl::Duration()>& other)
      : thread_([this, &clock, other] { Loop(clock, other); }) {}
  RunningClock(const RunningClock&) = delete;
  RunningClock& operator=(const RunningClock&) = delete;
  ~RunningClock() {
    is_over_ = true;
    thread_.join();
  }

 private:
  void Loop(FakeClock& clock, const std::function<absl::Duration()>& other) const {
    absl::Duration last = other();
    while (!is_over_) {
      absl::SleepFor(absl::Milliseconds(5));
      const absl::Duration now = other();
      clock.Advance(std::max(now - last, absl::ZeroDuration()));
      last = now;
    }
  }

  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

// The detail of the bad case of a driver that takes too long for it. Good cases have all the time
// in the world, however slow the machine is.
std::string DetailOfTimeout(const std::string& kind) {
  FakeClock clock;
  Worker worker(kind, absl::Milliseconds(800), clock);
  return DetailOfLoss(worker, Verdict::TIMEOUT, [&] {
    const RunningClock running(clock, [] { return hal::SteadyClock::System().Now(); });
    return worker.Run(BadCase());
  });
}

// The same, where no time passes but that which the driver's process uses.
std::string DetailOfBusyTimeout(const std::string& kind) {
  FakeClock clock;
  Worker worker(kind, absl::Milliseconds(800), clock);
  return DetailOfLoss(worker, Verdict::TIMEOUT, [&] {
    const RunningClock running(clock, [process = worker.process()] {
      return CpuTimeOf(process).value_or(absl::ZeroDuration());
    });
    return worker.Run(BadCase());
  });
}

constexpr char kWhichExecution[] = "; run: ASYNC, timing NO, FULLY_SPECIFIED";

TEST(IsolatedWorkerTest, ACrashCostsOneCase) {
  const auto is_crash = [](absl::string_view call, absl::string_view run) {
    return AllOf(StartsWith(absl::StrCat(call, ": ", kSegmentationFault, run,
                                         "\n  the last lines that it wrote:\n"
                                         "    backtrace of SIGSEGV:\n    #0 ")),
                 HasSubstr(" at misbehaving_driver.so+0x"));
  };
  EXPECT_THAT(DetailOfCrash("prepare_crash"), is_crash("prepareModel_1_2", ""));
  EXPECT_THAT(DetailOfCrash("execute_crash"), is_crash("execute_1_2", kWhichExecution));
  EXPECT_THAT(DetailOfCrash("release_crash"), is_crash("the release of the prepared model", ""));
}

TEST(IsolatedWorkerTest, AnExitIsACrash) {
  EXPECT_EQ(
      DetailOfCrash("execute_exit"),
      absl::StrCat("execute_1_2: the driver's process exited with status 3", kWhichExecution));
}

TEST(IsolatedWorkerTest, ACrashComesWithTheLastLines) {
  EXPECT_THAT(
      DetailOfCrash("execute_complain"),
      StartsWith(absl::StrCat(
          "execute_1_2: the driver's process was killed by SIGABRT (Aborted)", kWhichExecution,
          "\n  the last lines that it wrote:\n"
          "    complaint 0\n    complaint 1\n    complaint 2\n    backtrace of SIGABRT:\n")));
}

TEST(IsolatedWorkerTest, AStalledDriverIsToldFromASlowOne) {
  EXPECT_THAT(DetailOfTimeout("prepare_hang"),
              AllOf(StartsWith("prepareModel_1_2: did not return within 800ms: "),
                    HasSubstr("the driver is stalled: its process used no CPU time")));
  EXPECT_THAT(DetailOfTimeout("execute_hang"), HasSubstr("the driver is stalled"));
  EXPECT_THAT(DetailOfBusyTimeout("execute_spin"),
              AllOf(StartsWith("execute_1_2: did not return within 800ms: "),
                    HasSubstr("the driver is slow, not stalled: its process used 0.")));
}

TEST(IsolatedWorkerTest, ACallbackThatDoesNotComeInTimeIsATimeout) {
  EXPECT_THAT(DetailOfTimeout("callback_kept"),
              AllOf(StartsWith("execute_1_2 returned NONE, but its callback was not called within "
                               "800ms: "),
                    HasSubstr("the driver is stalled")));
}

TEST(IsolatedWorkerTest, ACallbackThatIsDroppedIsNotWaitedFor) {
  // Who waited for the callback would do so for ever.
  FakeClock clock;
  Worker worker("callback_missing", absl::Seconds(30), clock);
  const CaseResult result = worker.RunThree();
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(result.detail,
              StartsWith("execute_1_2 returned NONE, and the driver let go of its callback without "
                         "calling it; expected exactly one call; run: ASYNC"));
  EXPECT_EQ(worker.Report().restarts, 0);
}

TEST(IsolatedWorkerTest, ADeadlineGoesByTheClockAlone) {
  // However slow the machine is, no time passes, not even a deadline as short as this.
  FakeClock clock;
  Worker worker("honest", absl::Seconds(30), clock);
  RunOptions options;
  options.deadline = absl::Nanoseconds(1);
  const CaseResult result = worker.Run(BadCase(), options);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
}

TEST(IsolatedWorkerTest, AReleaseThatHangsIsATimeout) {
  EXPECT_THAT(DetailOfTimeout("release_hang"),
              AllOf(StartsWith("the release of the prepared model: did not return within 800ms: "),
                    HasSubstr("the driver is stalled")));
}

TEST(IsolatedWorkerTest, AnExceptionThatEndsTheProcessIsNamed) {
  EXPECT_THAT(
      DetailOfCrash("prepare_throw"),
      StartsWith("prepareModel_1_2: the driver's process was killed by SIGABRT (Aborted), for an "
                 "exception that nobody caught: std::runtime_error: thrown on demand\n"));
}

TEST(IsolatedWorkerTest, ACrashThatAnEarlierCaseLeftBehindIsAFinding) {
  Worker worker("crash_later");
  // The process is lost in one of many cases, none of which crashes as the first of a new one.
  for (int i = 0; worker.Report().restarts == 0 && i < 100000; ++i) {
    ASSERT_EQ(worker.Run(i == 1 ? BadCase() : AddCase()).verdict, Verdict::PASS);
  }
  const WorkerReport report = worker.Report();
  EXPECT_EQ(report.restarts, 1);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0], HasSubstr("GeneratedTests.add"));
  EXPECT_THAT(report.findings[0], HasSubstr(kSegmentationFault));
}

TEST(IsolatedWorkerTest, AProcessThatKeepsDescriptorsIsAFinding) {
  Worker worker("keep_descriptors");
  for (int i = 0; i < 40; ++i) EXPECT_EQ(worker.Run(BadCase()).verdict, Verdict::PASS);
  EXPECT_THAT(worker.Report().findings,
              ElementsAre(AllOf(HasSubstr(" descriptors open after 1 case, and "),
                                HasSubstr(" after 40 cases, "))));
}

TEST(IsolatedWorkerTest, ACallbackThatComesTwiceIsAFailure) {
  Worker worker("callback_doubled");
  const CaseResult result = worker.RunThree();
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(result.detail,
              HasSubstr("the callback of execute_1_2 was called 2 times, the last time after the "
                        "prepared model had been released; expected exactly one call"));
  EXPECT_EQ(worker.Report().restarts, 0);
}

TEST(IsolatedWorkerTest, AProcessThatEndsBetweenCasesIsAFinding) {
  Worker worker("honest");
  EXPECT_EQ(worker.Run(AddCase()).verdict, Verdict::PASS);
  ASSERT_EQ(kill(worker.process(), SIGKILL), 0);
  worker.AwaitNews();
  EXPECT_EQ(worker.Run(BadCase()).verdict, Verdict::PASS);
  const WorkerReport report = worker.Report();
  EXPECT_EQ(report.restarts, 1);
  EXPECT_THAT(report.findings,
              ElementsAre(AllOf(StartsWith("after GeneratedTests.add: the driver's process was "
                                           "killed by SIGKILL (Killed), when it had "),
                                HasSubstr(" MiB of memory"))));
}

TEST(IsolatedWorkerTest, WhatAReportHasToldItDoesNotTellAgain) {
  Worker worker("honest");
  EXPECT_EQ(worker.Run(AddCase()).verdict, Verdict::PASS);
  ASSERT_EQ(kill(worker.process(), SIGKILL), 0);
  worker.Settle();
  const WorkerReport first = worker.TakeReport();
  EXPECT_EQ(first.restarts, 1);
  EXPECT_EQ(first.findings.size(), 1u);
  EXPECT_GT(first.cpu_time, absl::ZeroDuration());
  const WorkerReport second = worker.TakeReport();
  EXPECT_EQ(second.restarts, 0);
  EXPECT_THAT(second.findings, IsEmpty());
  EXPECT_EQ(second.cpu_time, absl::ZeroDuration());
  EXPECT_EQ(worker.Run(AddCase()).verdict, Verdict::PASS);
  const absl::Duration third = worker.TakeReport().cpu_time;
  EXPECT_GT(third, absl::ZeroDuration());
  // Of the same process, what was told before is not counted again.
  EXPECT_LT(worker.TakeReport().cpu_time, third);
}

TEST(IsolatedWorkerTest, ACrashAfterAVerdictThatWasKnownIsAFinding) {
  Worker worker("wrong_and_release_crash");
  const CaseResult result = worker.RunThree();
  EXPECT_EQ(result.verdict, Verdict::FAIL) << result.detail;
  const WorkerReport report = worker.Report();
  EXPECT_EQ(report.restarts, 1);
  EXPECT_THAT(report.findings,
              ElementsAre(StartsWith(absl::StrCat("during GeneratedTests.", BadCase().name,
                                                  ", which came to FAIL: ", kSegmentationFault))));
}

// Runs a case that crashes, and comes to `verdict` when it is run again: what either dumps is kept.
void ExpectDumpOfCrash(const std::string& kind, Verdict verdict) {
  Worker worker(kind);
  EXPECT_EQ(worker.Run(AddCase()).verdict, Verdict::PASS);
  const std::string folder = absl::StrCat(::testing::TempDir(), "/", kind);
  const CaseResult result = worker.Run(BadCase(), folder);
  EXPECT_EQ(result.verdict, verdict) << result.detail;
  const std::set<std::string> files(result.dumped_files.begin(), result.dumped_files.end());
  EXPECT_EQ(files.size(), result.dumped_files.size());
  EXPECT_EQ(files.count(absl::StrCat(folder, "/", BadCase().name, ".case")), 1u);
  for (const std::string& file : files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
  const WorkerReport report = worker.Report();
  EXPECT_EQ(report.restarts, 1);
  EXPECT_THAT(report.findings, ElementsAre(HasSubstr(kSegmentationFault)));
}

TEST(IsolatedWorkerTest, TheDumpOfACrashThatIsRunAgainIsKept) {
  ExpectDumpOfCrash("wrong_or_crash", Verdict::FAIL);
  ExpectDumpOfCrash("crash_unless_first", Verdict::PASS);
}

TEST(IsolatedWorkerTest, ACrashAfterTheLastCallOfACaseIsNotLost) {
  // Who waits for the driver to let go of its callbacks has all the time for it.
  FakeClock clock;
  Worker worker("later_crash", absl::Seconds(30), clock);
  const CaseResult result = worker.RunThree();
  const WorkerReport report = worker.Report();
  if (result.verdict == Verdict::CRASH || report.restarts > 1) {
    // The machine is so busy that the crash came before the last answer, and it was run again.
    const int told = result.verdict == Verdict::CRASH ? 1 : 0;
    EXPECT_EQ(told + static_cast<int>(report.findings.size()), report.restarts);
    return;
  }
  EXPECT_EQ(report.restarts, 1);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_THAT(report.findings,
              ElementsAre(StartsWith(absl::StrCat("during GeneratedTests.", BadCase().name,
                                                  ", which came to PASS: ", kSegmentationFault))));
}

// What cases come to on a worker whose process is lost, and whose further ones are of this kind.
std::vector<CaseResult> RunWithoutDriver(const DriverProcessOptions& further, int count,
                                         WorkerReport& report) {
  auto host = DriverProcess::Start(MisbehavingOptions("honest"));
  EXPECT_TRUE(host.ok()) << host.status();
  EXPECT_EQ(kill((*host)->process(), SIGKILL), 0);
  const auto worker = std::move(IsolatedWorkers(further, *std::move(host), 1).front());
  while (!worker->HasNews()) absl::SleepFor(absl::Milliseconds(1));
  std::vector<CaseResult> results;
  for (int i = 0; i < count; ++i) {
    results.push_back(worker->Run(AddCase(), TestMode::kStatic, RunOptions()));
    EXPECT_EQ(results.back().operation, "ADD");
  }
  report = worker->TakeReport();
  EXPECT_THAT(report.findings, ElementsAre(HasSubstr("before the first case: ")));
  return results;
}

TEST(IsolatedWorkerTest, ADriverThatDoesNotStartAgainCostsEachCaseItsVerdict) {
  WorkerReport report;
  for (const CaseResult& result : RunWithoutDriver(MisbehavingOptions("load_crash"), 10, report)) {
    EXPECT_EQ(result.verdict, Verdict::CRASH);
    EXPECT_THAT(result.detail, StartsWith(absl::StrCat("the driver cannot be started again: driver "
                                                       "load_crash: loading it: ",
                                                       kSegmentationFault)));
  }
  EXPECT_EQ(report.restarts, 11);
}

TEST(IsolatedWorkerTest, ADriverThatHangsWheneverItStartsIsGivenUp) {
  constexpr absl::Duration kDeadline = absl::Milliseconds(300);
  WorkerReport report;
  const std::vector<CaseResult> results =
      RunWithoutDriver(MisbehavingOptions("load_hang", kDeadline), 1000, report);
  for (const CaseResult& result : results) EXPECT_EQ(result.verdict, Verdict::TIMEOUT);
  EXPECT_THAT(results.front().detail, StartsWith("the driver cannot be started again: driver "));
  EXPECT_THAT(results.back().detail,
              AllOf(StartsWith("the driver cannot be started again: it is given up, since it did "
                               "not start for "),
                    HasSubstr("; the last time: driver load_hang: ")));
  // That is all the time that it costs: further cases do not try.
  EXPECT_LE(report.restarts, 1 + 3);
}

TEST(IsolatedWorkerTest, NothingIsLeftBehind) {
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  { Worker first("honest"); }
  const auto before = descriptors();
  for (const char* const kind : {"honest", "execute_crash", "execute_hang", "callback_missing"}) {
    FakeClock clock;
    Worker worker(kind, absl::Milliseconds(500), clock);
    worker.RunThree([&] {
      const RunningClock running(clock, [] { return hal::SteadyClock::System().Now(); });
      return worker.Run(BadCase());
    });
  }
  // Those of a connection go with the last of its threads, which nobody waits for.
  const hal::Deadline deadline(absl::Seconds(30));
  while (descriptors() > before && !deadline.HasPassed()) absl::SleepFor(absl::Milliseconds(1));
  EXPECT_LE(descriptors(), before);
  // No child is left, not even to be waited for.
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

// Kills the driver's process or its guard, each pair once, at moments that nobody chose.
class Killer {
 public:
  explicit Killer(int count) : thread_([this, count] { Loop(count); }) {}
  ~Killer() { thread_.join(); }

  int killed() const { return killed_; }
  bool is_done() const { return is_done_; }

 private:
  void Loop(int count) {
    std::minstd_rand random(7);
    std::set<pid_t> seen;
    while (killed_ < count) {
      absl::SleepFor(absl::Microseconds(random() % 20000));
      const std::vector<pid_t> pair = hal::DescendantsOf(getpid());
      // The guard comes first. Whichever is killed, the other one has its end from that.
      if (pair.empty() || seen.count(pair.front()) > 0) continue;
      seen.insert(pair.front());
      if (kill(random() % 2 == 0 ? pair.front() : pair.back(), SIGKILL) == 0) ++killed_;
    }
    is_done_ = true;
  }

  std::atomic<int> killed_ = 0;
  std::atomic<bool> is_done_ = false;
  std::thread thread_;
};

TEST(IsolatedWorkerTest, TwoHundredDeathsAreTwoHundredVerdictsOrFindings) {
  Worker worker("honest");
  const Killer killer(200);
  int crashes = 0;
  const auto run = [&] {
    const CaseResult result = worker.Run(AddCase());
    if (result.verdict == Verdict::PASS) return;
    ++crashes;
    EXPECT_EQ(result.verdict, Verdict::CRASH) << result.detail;
    EXPECT_THAT(result.detail, HasSubstr("was killed by SIGKILL (Killed)"));
  };
  while (!killer.is_done()) run();
  // That the last one is dead may not be known before it is called again.
  run();
  EXPECT_EQ(worker.Run(AddCase()).verdict, Verdict::PASS);
  const WorkerReport report = worker.Report();
  EXPECT_EQ(crashes + static_cast<int>(report.findings.size()), killer.killed());
  EXPECT_EQ(report.restarts, killer.killed());
  for (const std::string& finding : report.findings) {
    EXPECT_THAT(finding, AllOf(AnyOf(StartsWith("before the first case: "),
                                     StartsWith("after GeneratedTests.add: "),
                                     StartsWith("during GeneratedTests.add, which came to PASS: ")),
                               HasSubstr("was killed by SIGKILL (Killed)")));
  }
}

}  // namespace
}  // namespace nncert
