// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/reruns/reruns.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cases/case_file.h"
#include "certifying/report_folder.h"
#include "certifying/reruns/pair_search.h"
#include "hal/deadline.h"
#include "harness/records/failure_dump.h"
#include "system/processor.h"
#include "system/threads.h"

namespace nncert {
namespace {

constexpr uint64_t kAloneRuns = 8;

// Whether a result may be one of chance, which running the case again tells.
bool MayBeChance(Verdict verdict) {
  return verdict == Verdict::FAIL || verdict == Verdict::CRASH || verdict == Verdict::TIMEOUT ||
         verdict == Verdict::BROKEN_PROMISE;
}

// Whether the driver's process ended with a case.
bool EndedProcess(Verdict verdict) {
  return verdict == Verdict::CRASH || verdict == Verdict::TIMEOUT;
}

// The mode as a flag of nncert run, with a space before it.
std::string ModeWords(TestMode mode) {
  return mode == TestMode::kStatic ? " --modes static" : " --modes dynamic";
}

// Adds a case in a mode, if it has it.
void AddInMode(const CaseInMode& one, TestMode mode, std::vector<CaseInMode>& cases) {
  if (!NameInMode(one.loaded->test_case, mode).empty()) cases.push_back({one.loaded, mode});
}

// How nncert run comes to run a pair.
struct WayOfPair {
  // The flag for it, with a space before it; may be empty.
  std::string words;
  // What is run of the pair, the failing case in its mode at last.
  std::vector<CaseInMode> cases;
};

// The ways that there are: in the mode of the failing case alone, and in both.
std::vector<WayOfPair> WaysOfPair(const CaseInMode& culprit, const CaseInMode& failing) {
  WayOfPair in_mode = {ModeWords(failing.mode), {}};
  AddInMode(culprit, failing.mode, in_mode.cases);
  in_mode.cases.push_back(failing);
  WayOfPair in_both;
  for (const CaseInMode& one : {culprit, failing}) {
    AddInMode(one, TestMode::kStatic, in_both.cases);
    AddInMode(one, TestMode::kDynamic, in_both.cases);
  }
  if (failing.mode == TestMode::kStatic && in_both.cases.back().mode == TestMode::kDynamic) {
    in_both.cases.pop_back();
  }
  std::vector<WayOfPair> ways;
  if (in_mode.cases.size() > 1) ways.push_back(std::move(in_mode));
  ways.push_back(std::move(in_both));
  return ways;
}

// What became of a case.
struct Rerun {
  size_t place = 0;
  RunTally alone;
  // Whether it was run as often as it was to be.
  bool is_whole = false;
  PairSearchResult others;
  std::string file;
  std::string command;

  bool IsFlaky() const { return is_whole && alone.failed < alone.runs; }
};

class Reruns {
 public:
  Reruns(absl::Span<const std::unique_ptr<CaseWorker>> workers, absl::Span<const CaseInMode> cases,
         const RerunOptions& options, absl::Span<CaseResult> results)
      : workers_(workers),
        cases_(cases),
        options_(options),
        results_(results),
        run_(options.run),
        deadline_(options.time) {
    run_.dump_directory.clear();
  }

  RerunOutcome Run() {
    const std::vector<size_t> failing = FailingCases();
    RerunOutcome outcome;
    outcome.failing = failing.size();
    if (failing.empty()) return outcome;
    if (!workers_.front()->Renew()) {
      outcome.limit =
          "no failing case was run again, since the driver has no process that nncert can begin "
          "anew";
      return outcome;
    }
    reruns_.resize(std::min(failing.size(), options_.most_cases));
    for (size_t i = 0; i < reruns_.size(); ++i) reruns_[i].place = failing[i];
    RunAlone();
    absl::c_sort(reruns_, [](const Rerun& a, const Rerun& b) { return a.place < b.place; });
    LookBehindOthers();
    for (const Rerun& rerun : reruns_) {
      outcome.again += rerun.is_whole ? 1 : 0;
      if (rerun.IsFlaky()) outcome.flaky.push_back(Tell(rerun));
    }
    outcome.limit = LimitOf(outcome);
    return outcome;
  }

 private:
  // The places of the cases that failed, in the order in which they are run again.
  std::vector<size_t> FailingCases() const {
    std::map<std::tuple<std::string, std::string, Verdict>, size_t> of_kind;
    std::vector<std::tuple<bool, size_t, size_t>> order;
    for (size_t i = 0; i < results_.size(); ++i) {
      const CaseResult& result = results_[i];
      if (!MayBeChance(result.verdict)) continue;
      const size_t rank = of_kind[{result.operation, result.type, result.verdict}]++;
      order.emplace_back(result.verdict == Verdict::TIMEOUT, rank, i);
    }
    absl::c_sort(order);
    std::vector<size_t> places;
    places.reserve(order.size());
    for (const auto& [is_timeout, rank, place] : order) places.push_back(place);
    return places;
  }

  bool IsOver(const CaseWorker& worker) const {
    return deadline_.HasPassed() || !worker.WhyLost().empty() ||
           (options_.should_stop != nullptr && options_.should_stop());
  }

  // Runs cases one after the other in a new process: what the last one came to. Nothing when no
  // more are to be run.
  std::optional<Verdict> RunLast(CaseWorker& worker, absl::Span<const CaseInMode> cases) const {
    worker.Renew();
    std::optional<Verdict> last;
    for (const CaseInMode& one : cases) {
      if (IsOver(worker)) return std::nullopt;
      RunOptions run = run_;
      run.source_path = one.loaded->source_path;
      last = worker.Run(one.loaded->test_case, one.mode, run).verdict;
    }
    if (!worker.WhyLost().empty()) return std::nullopt;
    return last;
  }

  void RunAlone(CaseWorker& worker, Rerun& rerun) const {
    while (rerun.alone.runs < kAloneRuns) {
      const std::optional<Verdict> verdict = RunLast(worker, {cases_[rerun.place]});
      if (!verdict.has_value()) return;
      ++rerun.alone.runs;
      rerun.alone.failed += IsFailure(*verdict) ? 1 : 0;
      if (results_[rerun.place].verdict == Verdict::TIMEOUT && *verdict == Verdict::TIMEOUT) break;
    }
    rerun.is_whole = true;
  }

  void RunAlone() {
    std::atomic<size_t> next = 0;
    RunOnThreads(std::min(workers_.size(), reruns_.size()), [&](size_t number) {
      CaseWorker& worker = *workers_[number];
      const OnProcessor scope(worker.processor());
      for (size_t i = next++; i < reruns_.size(); i = next++) RunAlone(worker, reruns_[i]);
    });
  }

  // One after the other, so that which pairs are found does not depend on who is faster.
  void LookBehindOthers() {
    CaseWorker& worker = *workers_.front();
    const OnProcessor scope(worker.processor());
    std::vector<RanCase> ran;
    ran.reserve(results_.size());
    for (const CaseResult& result : results_) {
      ran.push_back({result.operation, result.executions, EndedProcess(result.verdict)});
    }
    std::vector<size_t> culprits;
    for (Rerun& rerun : reruns_) {
      const Verdict first = results_[rerun.place].verdict;
      if (!rerun.is_whole || rerun.alone.failed > 0 || EndedProcess(first)) continue;
      rerun.others = FindCulprit(
          ran, rerun.place, culprits, [&](absl::Span<const size_t> places) -> std::optional<bool> {
            std::vector<CaseInMode> sequence;
            sequence.reserve(places.size());
            for (const size_t place : places) sequence.push_back(cases_[place]);
            const std::optional<Verdict> verdict = RunLast(worker, sequence);
            return verdict.has_value() ? std::optional(IsFailure(*verdict)) : std::nullopt;
          });
      if (!rerun.others.culprit.has_value()) continue;
      if (!absl::c_linear_search(culprits, *rerun.others.culprit)) {
        culprits.push_back(*rerun.others.culprit);
      }
      ShowPair(worker, rerun);
    }
  }

  // Writes a pair, and finds the command that shows it.
  void ShowPair(CaseWorker& worker, Rerun& rerun) {
    const CaseInMode& failing = cases_[rerun.place];
    const CaseInMode& culprit = cases_[*rerun.others.culprit];
    std::string name = SanitizeFileName(NameInMode(failing.loaded->test_case, failing.mode));
    const size_t count = ++names_[name];
    if (count > 1) absl::StrAppend(&name, "_", count);
    std::error_code error;
    std::filesystem::create_directories(options_.sequences_directory, error);
    const std::string file = absl::StrCat(options_.sequences_directory, "/", name, kSequenceSuffix);
    const absl::Status written =
        error
            ? absl::UnavailableError(absl::StrCat(
                  "cannot make the folder ", options_.sequences_directory, ": ", error.message()))
            : WriteCaseFile(file, "nncert", {culprit.loaded->test_case, failing.loaded->test_case});
    if (!written.ok()) {
      obstacles_.insert(absl::StrCat("a pair of cases is not kept: ", written.message()));
      return;
    }
    rerun.file = file;
    for (const WayOfPair& way : WaysOfPair(culprit, failing)) {
      const std::optional<Verdict> verdict = RunLast(worker, way.cases);
      if (!verdict.has_value()) {
        rerun.others.is_cut = true;
        return;
      }
      ++rerun.others.runs.runs;
      if (!IsFailure(*verdict)) continue;
      ++rerun.others.runs.failed;
      rerun.command = ReproduceLine(
          options_.driver, absl::StrCat(run_.reproduce_flags, " --jobs 1", way.words), file);
      return;
    }
  }

  // Makes a result FLAKY, and says how.
  FlakyCase Tell(const Rerun& rerun) {
    CaseResult& result = results_[rerun.place];
    FlakyCase flaky;
    flaky.name = FullName(result);
    flaky.first = result.verdict;
    flaky.alone = rerun.alone;
    flaky.after_others = rerun.others.runs;
    if (rerun.others.culprit.has_value()) {
      flaky.only_after = FullName(results_[*rerun.others.culprit]);
    }
    flaky.file = rerun.file;
    flaky.command = rerun.command;
    result.detail = absl::StrCat(
        DescribeOdds(flaky), "\n  in the run of all cases ", std::string(toString(result.verdict)),
        ": ", result.detail,
        flaky.command.empty() ? "" : absl::StrCat("\n  after the other case: ", flaky.command));
    result.verdict = Verdict::FLAKY;
    return flaky;
  }

  // See RerunOutcome::limit.
  std::string LimitOf(const RerunOutcome& outcome) const {
    std::vector<std::string> limits(obstacles_.begin(), obstacles_.end());
    for (const std::unique_ptr<CaseWorker>& worker : workers_) {
      if (const std::string lost = worker->WhyLost(); !lost.empty()) limits.push_back(lost);
    }
    const uint64_t begun = reruns_.size();
    if (begun < outcome.failing) {
      limits.push_back(absl::StrCat(outcome.failing - begun, " of ", outcome.failing,
                                    " failing cases were not run again, since no more than ",
                                    options_.most_cases, " are"));
    }
    const char* const why = deadline_.HasPassed() ? "time was up (--rerun_time)" : "it was ended";
    if (outcome.again < begun) {
      limits.push_back(
          absl::StrCat(why, " before ", begun - outcome.again, " of ", begun, " were run again"));
    }
    const auto cut = absl::c_count_if(
        reruns_, [](const Rerun& rerun) { return rerun.is_whole && rerun.others.is_cut; });
    if (cut > 0) {
      limits.push_back(
          absl::StrCat(why, " while ", cut, " of them were looked at behind other cases"));
    }
    return absl::StrJoin(limits, "; ");
  }

  const absl::Span<const std::unique_ptr<CaseWorker>> workers_;
  const absl::Span<const CaseInMode> cases_;
  const RerunOptions& options_;
  const absl::Span<CaseResult> results_;
  RunOptions run_;
  const hal::Deadline deadline_;
  std::vector<Rerun> reruns_;
  // How often sequences of a name were written.
  std::map<std::string, size_t> names_;
  std::set<std::string> obstacles_;
};

}  // namespace

RerunOutcome RerunFailures(absl::Span<const std::unique_ptr<CaseWorker>> workers,
                           absl::Span<const CaseInMode> cases, const RerunOptions& options,
                           absl::Span<CaseResult> results) {
  return Reruns(workers, cases, options, results).Run();
}

RerunOutcome NoReruns(absl::Span<const CaseResult> results, const absl::Status& why) {
  RerunOutcome outcome;
  outcome.failing = static_cast<uint64_t>(absl::c_count_if(
      results, [](const CaseResult& result) { return MayBeChance(result.verdict); }));
  outcome.limit = absl::StrCat("no failing case was run again: ", why.message());
  return outcome;
}

}  // namespace nncert
