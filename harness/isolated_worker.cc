// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolated_worker.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "hal/deadline.h"
#include "harness/isolation/device_calls.h"
#include "harness/isolation/resource_growth.h"
#include "system/processor.h"

namespace nncert {
namespace {

class IsolatedWorker : public CaseWorker {
 public:
  // `tells_usage` says whether what the driver's process uses is this one's to tell: that of a
  // service belongs to several workers.
  IsolatedWorker(DriverProcessOptions options, std::unique_ptr<DriverProcess> process,
                 bool tells_usage)
      : options_(std::move(options)), tells_usage_(tells_usage) {
    if (process != nullptr) Take(std::move(process));
  }

  std::optional<int> processor() const override { return options_.processor; }

  CaseResult RunTask(const DriverTask& task) override {
    const OnProcessor scope(options_.processor);
    NoticeLoss();
    if (bombs_ >= kMostBombs) return Refused(task);
    const std::string earlier_case = last_case_;
    const bool is_first = process_ == nullptr || cases_ == 0;
    if (absl::Status started = StartIfNeeded(); !started.ok()) {
      CaseResult result = WithoutDriver(task, started);
      // Nobody but its owner starts a service again.
      if (IsGivenUp() || !options_.socket.empty()) {
        lost_ = last_case_.empty() ? result.detail
                                   : absl::StrCat("the driver was lost with ", last_case_, ", and ",
                                                  result.detail);
      }
      return result;
    }
    CaseResult result = RunOnce(task);
    // That somebody kills it says nothing of a call, nor of an earlier case.
    if (process_ != nullptr || was_killed_) return result;
    // Which of several calls that were made at once the driver was lost with, is found out call by
    // call. And what an earlier case has left behind may have ended the process: as the first case
    // of a new one, this one tells. (A service that has ended does not come back.)
    const bool is_at_once = was_lost_at_once_ && !was_bomb_;
    const bool may_be_earlier = result.verdict == Verdict::CRASH && !is_first;
    if (!is_at_once && !may_be_earlier) return result;
    const int restarts = report_.restarts;
    // A call that does not return takes its whole deadline. So one that is called at once is the
    // last.
    if (is_at_once && result.verdict == Verdict::TIMEOUT) may_call_at_once_ = false;
    if (!StartIfNeeded().ok()) return result;
    if (is_at_once) process_->session().SetMayCallAtOnce(false);
    CaseResult again = RunOnce(task);
    if (process_ != nullptr) process_->session().SetMayCallAtOnce(may_call_at_once_);
    if (again.verdict == result.verdict || (is_at_once && IsFailure(again.verdict))) {
      // Twice the same is one loss.
      if (process_ == nullptr) report_.restarts = restarts;
      return again;
    }
    // The dumped model stays, for the crash may be the case's own after all.
    for (std::string& file : result.dumped_files) {
      const std::vector<std::string>& files = again.dumped_files;
      if (std::find(files.begin(), files.end(), file) == files.end()) {
        again.dumped_files.push_back(std::move(file));
      }
    }
    report_.findings.push_back(absl::StrCat(
        "during ", last_case_, ", which does not ",
        result.verdict == Verdict::CRASH ? "crash" : "fail",
        " when it is run again in a new process", is_at_once ? ", call by call" : "",
        may_be_earlier
            ? absl::StrCat(", so that an earlier case may be the cause (the last one was ",
                           earlier_case, ")")
            : "",
        ": ", result.detail));
    return again;
  }

  std::string WhyLost() const override { return lost_; }

  bool HasNews() override {
    NoticeLoss();
    return report_.restarts > 0 || !report_.findings.empty();
  }

  void Settle() override {
    const OnProcessor scope(options_.processor);
    NoticeLoss();
    if (process_ == nullptr) return;
    AwaitAnswer(process_->session(), options_.deadline).IgnoreError();
    NoticeLoss();
    if (process_ == nullptr) return;
    const ResourceUse use = process_->Resources();
    if (!ResourceGrowth::IsDue(cases_)) growth_.Add(cases_, use);
    AddGrowth();
    // What it has started may be there on purpose, but is to end with it, which can be seen then.
    if (options_.socket.empty() && use.processes > 1) {
      process_->HangUp();
      Forget();
    }
    AddReport();
  }

  bool Renew() override {
    if (!options_.socket.empty()) return false;
    const OnProcessor scope(options_.processor);
    NoticeLoss();
    if (process_ == nullptr) return true;
    process_->HangUp();
    Forget();
    return true;
  }

  WorkerReport TakeReport() override {
    NoticeLoss();
    if (process_ != nullptr) AddUsage();
    return std::exchange(report_, {});
  }

 protected:
  TogetherOutcome TryTogether(absl::Span<const CaseToRun> cases) override {
    const OnProcessor scope(options_.processor);
    NoticeLoss();
    // What a process takes is counted from its first case on.
    if (!may_try_together_ || process_ == nullptr || cases_ == 0) return {};
    TogetherOutcome outcome = RunTogether(process_->session(), cases);
    // What went wrong once does so again, mostly, and to ask twice takes twice the time.
    may_try_together_ = !outcome.results.empty();
    if (!outcome.results.empty()) last_case_ = FullName(outcome.results.back());
    const absl::Status health = process_->Health();
    if (!health.ok()) {
      outcome.results.clear();
      may_try_together_ = false;
      if (absl::IsDeadlineExceeded(health)) {
        // Nobody but us has ended it. What hangs takes its whole deadline each time.
        may_call_at_once_ = false;
      } else {
        outcome.problem = ProblemOf("its process", health);
      }
      // A loss that comes again is counted then.
      const int restarts = report_.restarts;
      LetGo();
      report_.restarts = restarts;
      return outcome;
    }
    for (size_t i = 0; i < outcome.results.size(); ++i) LookIfDue();
    return outcome;
  }

 private:
  // Runs a task on the process that there is, and lets go of one that is not to be used again.
  CaseResult RunOnce(const DriverTask& task) {
    CaseResult result = task.run(process_->session());
    was_lost_at_once_ = process_->session().IsLostAtOnce();
    last_case_ = task.full_name;
    const absl::Status health = process_->Health();
    if (!health.ok() && !Tells(result, health)) {
      // It ended after all that was asked of it, or when the verdict was known already.
      AddFinding(absl::StrCat("during ", last_case_, ", which came to ",
                              std::string(toString(result.verdict))),
                 health);
    }
    if (result.verdict == Verdict::TIMEOUT || !health.ok()) {
      // A process that a call or a callback is missing from may still be at it.
      const std::optional<ProcessEnd> end = process_->EndOfProcess();
      was_killed_ = end.has_value() && end->signal == SIGKILL;
      LetGo();
    } else {
      LookIfDue();
    }
    return result;
  }

  // Counts a case, and looks at the process when that is due.
  void LookIfDue() {
    if (!ResourceGrowth::IsDue(++cases_)) return;
    growth_.Add(cases_, process_->Resources());
    AddReport();
  }

  // Whether a result says what became of the process.
  static bool Tells(const CaseResult& result, const absl::Status& health) {
    const std::string message(health.message());
    return absl::StrContains(result.detail, FirstLine(message));
  }

  void Take(std::unique_ptr<DriverProcess> process) {
    process_ = std::move(process);
    // A service has a life of its own before.
    process_->session().SetMayCallAtOnce(may_call_at_once_);
    told_cpu_time_ = options_.socket.empty() ? absl::ZeroDuration() : process_->Usage().cpu_time;
  }

  void AddFinding(const std::string& when, const absl::Status& health) {
    report_.findings.push_back(absl::StrCat(when, ": ", health.message()));
  }

  // Lets go of a process that ended by itself after a case.
  void NoticeLoss() {
    if (process_ == nullptr) return;
    const absl::Status health = process_->Health();
    if (health.ok()) return;
    AddFinding(last_case_.empty() ? "before the first case" : absl::StrCat("after ", last_case_),
               health);
    LetGo();
  }

  void LetGo() {
    const GuardReport report = process_->Report();
    was_bomb_ = report.is_bomb;
    // Killed by the guard or by nobody that tells: what ends all of several cases is one thing.
    if (report.is_bomb && ++bombs_ == kMostBombs) {
      report_.findings.push_back(absl::StrCat("the driver is run no further, since in ", kMostBombs,
                                              " cases, the last one ", last_case_, ", ",
                                              report.ended_for));
    }
    AddGrowth();
    ++report_.restarts;
    Forget();
  }

  // Lets go of the process, with all that is known of it.
  void Forget() {
    AddUsage();
    AddReport();
    process_ = nullptr;
    cases_ = 0;
    told_findings_ = 0;
    has_told_output_ = false;
  }

  // Adds what the process did that no driver should, and has not been told yet.
  void AddReport() {
    if (process_ == nullptr) return;
    const std::string when = last_case_.empty() ? "before the first case: "
                                                : absl::StrCat("by the end of ", last_case_, ": ");
    const std::vector<std::string> findings = process_->Report().findings;
    for (; told_findings_ < findings.size(); ++told_findings_) {
      absl::string_view what = findings[told_findings_];
      absl::ConsumePrefix(&what, "it ");
      report_.findings.push_back(absl::StrCat(when, "the driver ", what));
    }
    const uint64_t output = process_->OutputSize();
    if (output > kMostOutput && !has_told_output_) {
      has_told_output_ = true;
      report_.findings.push_back(
          absl::StrCat(when, "the driver wrote ", output >> 20,
                       " MiB to its standard output and error, of which nobody reads more than "
                       "the last lines"));
    }
  }

  // The result of a task that the driver is not run on any more.
  CaseResult Refused(const DriverTask& task) {
    CaseResult result = task.blank;
    result.verdict = Verdict::CRASH;
    result.detail =
        absl::StrCat("the driver is run no further, since it started too many ",
                     "processes or threads in ", kMostBombs, " cases, the last one ", last_case_);
    lost_ = result.detail;
    return result;
  }

  // Adds what was wrong with what the process took, and forgets it.
  void AddGrowth() {
    std::vector<std::string> findings = std::exchange(growth_, {}).Findings();
    // What a service takes is not the doing of one of several workers.
    if (!tells_usage_) return;
    std::move(findings.begin(), findings.end(), std::back_inserter(report_.findings));
  }

  // Adds what the process has used since this was done last.
  void AddUsage() {
    if (!tells_usage_) return;
    const ProcessUsage usage = process_->Usage();
    // That of a service that has ended is not to be had.
    report_.cpu_time += std::max(usage.cpu_time - told_cpu_time_, absl::ZeroDuration());
    report_.peak_memory = std::max(report_.peak_memory, usage.peak_memory);
    told_cpu_time_ = usage.cpu_time;
  }

  // Whether the driver has not been got to start for too long.
  bool IsGivenUp() const { return in_vain_ >= kMostDeadlinesInVain * options_.deadline; }

  // Gets a process when there is none. A driver that has not been got to start for long is given
  // up, so that the rest of the run does not take a deadline for each case.
  absl::Status StartIfNeeded() {
    if (process_ != nullptr) return absl::OkStatus();
    if (IsGivenUp()) {
      return absl::Status(why_in_vain_.code(),
                          absl::StrCat("it is given up, since it did not start for ",
                                       absl::FormatDuration(absl::Trunc(in_vain_, kPrecision)),
                                       "; the last time: ", why_in_vain_.message()));
    }
    const absl::Duration start = hal::SteadyClock::System().Now();
    absl::StatusOr<std::unique_ptr<DriverProcess>> process = DriverProcess::Start(options_);
    if (process.ok()) {
      Take(*std::move(process));
      in_vain_ = absl::ZeroDuration();
      return absl::OkStatus();
    }
    in_vain_ += hal::SteadyClock::System().Now() - start;
    why_in_vain_ = process.status();
    // A service has no process of ours to lose.
    if (options_.socket.empty()) ++report_.restarts;
    return why_in_vain_;
  }

  // The result of a task that no driver could be had for.
  static CaseResult WithoutDriver(const DriverTask& task, const absl::Status& status) {
    CaseResult result = task.blank;
    result.verdict = absl::IsDeadlineExceeded(status) ? Verdict::TIMEOUT : Verdict::CRASH;
    result.detail = absl::StrCat("the driver cannot be started again: ", status.message());
    return result;
  }

  static constexpr int kMostDeadlinesInVain = 3;
  // How often a driver may start more processes or threads than a machine bears.
  static constexpr int kMostBombs = 3;
  static constexpr uint64_t kMostOutput = uint64_t{64} << 20;
  static constexpr absl::Duration kPrecision = absl::Milliseconds(100);

  const DriverProcessOptions options_;
  const bool tells_usage_;
  std::unique_ptr<DriverProcess> process_;
  std::string last_case_;
  // Whether the last process that was lost was killed: by somebody else, or for want of memory, but
  // by no fault of code.
  bool was_killed_ = false;
  // Whether the last task lost the process with calls that were made at once; whether the last
  // process that was lost had started too many processes or threads.
  bool was_lost_at_once_ = false;
  bool was_bomb_ = false;
  bool may_try_together_ = true;
  bool may_call_at_once_ = true;  // see DriverSession::MayCallAtOnce
  // Of the process that there is: how many cases it has run, and what was seen of it.
  uint64_t cases_ = 0;
  ResourceGrowth growth_;
  size_t told_findings_ = 0;
  bool has_told_output_ = false;
  int bombs_ = 0;                 // of all processes
  WorkerReport report_;           // what TakeReport has not told yet
  absl::Duration told_cpu_time_;  // of process_
  absl::Duration in_vain_;        // how long starts have failed without one that did not
  absl::Status why_in_vain_;
  std::string lost_;  // see WhyLost
};

}  // namespace

std::vector<std::unique_ptr<CaseWorker>> IsolatedWorkers(DriverProcessOptions options,
                                                         std::unique_ptr<DriverProcess> first,
                                                         size_t count) {
  std::vector<std::unique_ptr<CaseWorker>> workers;
  workers.push_back(std::make_unique<IsolatedWorker>(options, std::move(first), true));
  const std::optional<int> processor = options.processor;
  while (workers.size() < count) {
    options.processor = ProcessorAfter(processor, workers.size());
    workers.push_back(
        std::make_unique<IsolatedWorker>(options, nullptr, /*tells_usage=*/options.socket.empty()));
  }
  return workers;
}

}  // namespace nncert
