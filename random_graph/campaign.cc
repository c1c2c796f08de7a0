// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/campaign.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <tuple>
#include <utility>

#include "cases/coverage/coverage_counter.h"
#include "certifying/outcome/accuracy_findings.h"
#include "certifying/report.h"
#include "certifying/running_cases.h"
#include "hal/deadline.h"
#include "harness/execution_ways.h"
#include "random_graph/campaign_graph.h"
#include "random_graph/graph_plan.h"
#include "random_graph/reducer.h"
#include "system/threads.h"

namespace nncert {
namespace {

// How often progress is told.
constexpr absl::Duration kTellEvery = absl::Seconds(1);
// One graph of so many has outputs of unknown dimensions.
constexpr uint64_t kDynamicEvery = 8;
// One turn of such graphs in so many is executed in every way: executions may differ.
constexpr uint64_t kEveryWayEvery = 8;

// Operation, type, verdict, and the hostile class of elements.
using FailureKey = std::tuple<std::string, std::string, Verdict, std::string>;

// Whether there is something to say of a result.
bool IsRemarkable(const CaseResult& result) {
  return !result.undivided.empty() ||
         (result.verdict != Verdict::PASS && result.verdict != Verdict::UNSUPPORTED);
}

void AddCounts(const std::map<Verdict, uint64_t>& more, std::map<Verdict, uint64_t>& sum) {
  for (const auto& [verdict, count] : more) sum[verdict] += count;
}

// Leaves out the errors that a full sample would not keep.
void KeepErrorsOf(const std::vector<OperationAccuracy>& sample,
                  std::vector<OperationAccuracy>& accuracies) {
  for (OperationAccuracy& accuracy : accuracies) {
    const auto same = std::find_if(sample.begin(), sample.end(), [&](const auto& candidate) {
      return candidate.operation == accuracy.operation && candidate.type == accuracy.type;
    });
    if (same == sample.end() || same->errors.size() < kMostErrors) continue;
    const uint64_t greatest = same->errors.back().key;
    std::erase_if(accuracy.errors,
                  [greatest](const ElementError& error) { return error.key > greatest; });
  }
}

// A campaign under way.
class Campaign {
 public:
  Campaign(const CampaignOptions& options, size_t workers)
      : options_(options),
        deadline_(options.time),
        running_(options.running_directory),
        silence_(kTellEvery),
        coverage_(workers),
        status_(running_.Create(workers)) {
    for (const CaseSpan& span : options.done.spans) TakeDone(span);
    for (const std::string& finding : options.done.processes.findings) {
      result_.findings.push_back({.kind = FindingKind::PROCESS, .detail = finding});
    }
    result_.graphs_in_duration = 0;
  }

  // Runs graphs while there are any, as worker number `index`.
  void RunOn(CaseWorker& worker, size_t index) {
    GraphPlan plan(options_.seed, options_.version);
    CoverageCounter counter;
    if (index == 0) {
      RunCorpus(worker);
      ReduceWhatIsKnown(worker);
    }
    while (const std::optional<CaseSpan> next = NextSpan()) {
      CaseSpan span = {.first = next->first};
      while (span.count < next->count && MayGoOn(worker)) {
        std::vector<CampaignGraph> graphs =
            MakeGraphs(plan, span.first + span.count, span.first + next->count);
        if (!Begin(index, graphs)) break;
        if (!RunGraphs(worker, std::move(graphs), span, counter)) break;
        Tell(index, counter);
      }
      Add(std::move(span), worker.TakeReport());
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    coverage_[index] = counter.Result();
    AddProcesses(worker.TakeReport());
  }

  absl::StatusOr<CampaignResult> Conclude() {
    if (!status_.ok()) return status_;
    for (auto& [key, failure] : failures_) result_.failures.push_back(std::move(failure));
    for (auto& [number, undivided] : undivided_) all_.push_back(std::move(undivided));
    for (OperationAccuracy& accuracy : all_[0].accuracy) {
      const auto first = first_suspects_.find({accuracy.operation, accuracy.type});
      if (first != first_suspects_.end()) accuracy.first_suspect = first->second.second;
    }
    for (Finding& finding : FindingsOf(all_)) result_.findings.push_back(std::move(finding));
    result_.coverage = CoverageOfAll();
    result_.coverage.Add(CoverageOfDone());
    result_.duration = Elapsed();
    return std::move(result_);
  }

 private:
  absl::Duration Elapsed() const { return hal::SteadyClock::System().Now() - start_; }

  // Options without a dump.
  RunOptions OptionsFor(const CampaignGraph& graph) const {
    RunOptions run = options_.run;
    run.dump_directory.clear();
    run.explains_specials = graph.is_hostile();
    const uint64_t turn = graph.number / kDynamicEvery;
    if (turn % kEveryWayEvery != 0) run.only_way = WayOfTurn(turn);
    return run;
  }

  TestMode ModeOf(uint64_t number) const {
    const bool is_dynamic =
        options_.version >= hal::HalVersion::V1_2 && number % kDynamicEvery == kDynamicEvery - 1;
    return is_dynamic ? TestMode::kDynamic : TestMode::kStatic;
  }

  // What an earlier campaign did.
  void TakeDone(const CaseSpan& span) {
    done_[span.first] = std::max(done_[span.first], span.first + span.count);
    result_.graphs += span.count;
    AddCounts(span.counts, result_.counts);
    AddCounts(span.hostile_counts, result_.hostile_counts);
    AddAccuracyOf(span);
    for (const JournalEntry& entry : span.results) {
      Note(entry);
      if (!IsFailure(entry.result.verdict)) continue;
      CampaignGraph graph = MakeGraph(plan_, entry.index);
      NoticeExtremes(graph);
      GraphFailure& failure = FailureOf(entry.result, graph.hostile_class);
      if (!failure.number.has_value() || entry.index < *failure.number) {
        failure.number = entry.index;
        failure.result = entry.result;
      }
      ++failure.count;
    }
  }

  // Adds what elements of a span are like. The first suspect is that of the first span by its
  // numbers, whichever worker comes first.
  void AddAccuracyOf(const CaseSpan& span) {
    AddAccuracy(span.accuracy, all_[0].accuracy);
    for (const OperationAccuracy& accuracy : span.accuracy) {
      if (accuracy.suspect == 0) continue;
      const auto [first, is_new] = first_suspects_.try_emplace({accuracy.operation, accuracy.type},
                                                               span.first, accuracy.first_suspect);
      if (!is_new && span.first < first->second.first) {
        first->second = {span.first, accuracy.first_suspect};
      }
    }
  }

  // The failures of a kind, maybe none so far.
  GraphFailure& FailureOf(const CaseResult& result, const std::string& hostile_class) {
    GraphFailure& failure =
        failures_[{result.operation, result.type, result.verdict, hostile_class}];
    failure.operation = result.operation;
    failure.type = result.type;
    failure.verdict = result.verdict;
    failure.elements = hostile_class;
    return failure;
  }

  // Counts a graph that is left open, and keeps what findings are made of.
  void Note(const JournalEntry& entry) {
    const CaseResult& result = entry.result;
    if (result.verdict == Verdict::EXPLAINED || result.verdict == Verdict::UNDECIDED) {
      OpenCount& open = result_.open[{result.operation, result.type}];
      ++open.counts[result.verdict];
      // Extremes are looked for in graphs that fail alone.
      if (IsHostile(plan_.WishesOf(entry.index).elements)) ++open.hostile_counts[result.verdict];
    }
    if (result.undivided.empty()) return;
    CaseResult& undivided = undivided_[entry.index];
    undivided.name = result.name;
    undivided.undivided = result.undivided;
  }

  void AddProcesses(const WorkerReport& report) {
    for (const std::string& finding : report.findings) {
      result_.findings.push_back({.kind = FindingKind::PROCESS, .detail = finding});
    }
  }

  // The next numbers that no campaign has run; nothing when there are none.
  std::optional<CaseSpan> NextSpan() {
    const std::lock_guard<std::mutex> lock(mutex_);
    const uint64_t end = options_.graphs > UINT64_MAX - options_.first
                             ? UINT64_MAX
                             : options_.first + options_.graphs;
    while (true) {
      auto after = done_.upper_bound(next_);
      while (after != done_.begin() && std::prev(after)->second > next_) {
        next_ = std::prev(after)->second;
        after = done_.upper_bound(next_);
      }
      const uint64_t limit = after == done_.end() ? end : std::min(end, after->first);
      if (next_ >= limit || IsOver()) return std::nullopt;
      CaseSpan span = {.first = next_,
                       .count = std::min(kGraphSpan - next_ % kGraphSpan, limit - next_)};
      next_ += span.count;
      if (options_.takes == nullptr || options_.takes(span.first)) return span;
    }
  }

  // Under the mutex.
  bool IsOver() const {
    return deadline_.HasPassed() || !result_.lost.empty() || result_.is_interrupted ||
           !status_.ok() || result_.first_found.has_value();
  }

  bool MayGoOn(const CaseWorker& worker) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (result_.lost.empty()) result_.lost = worker.WhyLost();
    if (IsOver()) return false;
    result_.is_interrupted = options_.should_stop != nullptr && options_.should_stop();
    return !result_.is_interrupted;
  }

  // Graphs that are run together, from a number on; those from `end` on are not of them.
  static std::vector<CampaignGraph> MakeGraphs(GraphPlan& plan, uint64_t first, uint64_t end) {
    std::vector<CampaignGraph> graphs;
    size_t operations = 0;
    while (first < end && !AreEnoughTogether(graphs.size(), operations)) {
      operations += graphs.emplace_back(MakeGraph(plan, first++)).test_case.model.operations.size();
    }
    return graphs;
  }

  // Keeps graphs for the case that nothing comes after them. Whether that could be done.
  bool Begin(size_t index, absl::Span<const CampaignGraph> graphs) {
    if (options_.running_directory.empty()) return true;
    std::vector<TestCase> cases;
    for (const CampaignGraph& graph : graphs) cases.push_back(graph.test_case);
    absl::Status status = running_.Begin(index, cases);
    if (status.ok()) return true;
    const std::lock_guard<std::mutex> lock(mutex_);
    status_.Update(std::move(status));
    return false;
  }

  // Runs graphs, and adds them to the span of their worker. Whether there are results.
  bool RunGraphs(CaseWorker& worker, std::vector<CampaignGraph> graphs, CaseSpan& span,
                 CoverageCounter& counter) {
    std::vector<CaseToRun> cases;
    for (const CampaignGraph& graph : graphs) cases.push_back(CaseOf(graph));
    std::vector<CaseResult> results = worker.RunAll(cases);
    for (size_t i = 0; i < graphs.size(); ++i) {
      if (!AddGraph(worker, std::move(graphs[i]), std::move(results[i]), span, counter))
        return false;
    }
    return true;
  }

  // Adds a graph that came to `result`. Whether that is what it comes to.
  bool AddGraph(CaseWorker& worker, CampaignGraph graph, CaseResult result, CaseSpan& span,
                CoverageCounter& counter) {
    result = WithKnownDimensions(worker, graph, std::move(result));
    if (IsFailure(result.verdict) && NoticeExtremes(graph)) {
      const CaseToRun of = CaseOf(graph);
      result = WithKnownDimensions(worker, graph, worker.Run(*of.test_case, of.mode, of.options));
    }
    // What comes of a driver that is gone for good is no result.
    if (!worker.WhyLost().empty()) return false;
    counter.Add(graph.test_case);
    ++span.count;
    ++span.counts[result.verdict];
    if (graph.is_hostile()) {
      ++span.hostile_counts[result.verdict];
    } else {
      AddAccuracy(result.accuracy, span.accuracy);
    }
    bool is_first = false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ++result_.graphs;
      ++result_.graphs_in_duration;
      ++result_.counts[result.verdict];
      if (graph.is_hostile()) ++result_.hostile_counts[result.verdict];
      is_first = IsFailure(result.verdict) && CountFailure(result, graph);
    }
    if (IsRemarkable(result)) {
      span.results.push_back({graph.number, result});
      span.results.back().result.accuracy.clear();
    }
    if (is_first) ReduceAndKeep(worker, graph, std::move(result));
    return true;
  }

  // How a graph is run.
  CaseToRun CaseOf(const CampaignGraph& graph) const {
    CaseToRun of = {&graph.test_case, ModeOf(graph.number), OptionsFor(graph)};
    of.options.at_once = true;
    return of;
  }

  // What a graph comes to that came to `result` in its mode.
  CaseResult WithKnownDimensions(CaseWorker& worker, const CampaignGraph& graph,
                                 CaseResult result) const {
    if (result.mode == TestMode::kDynamic && IsFailure(result.verdict)) {
      // Operations are judged one by one in the static mode alone, which says which of them errs.
      CaseResult with_known_dimensions =
          worker.Run(graph.test_case, TestMode::kStatic, CaseOf(graph).options);
      if (IsFailure(with_known_dimensions.verdict)) return with_known_dimensions;
    }
    return result;
  }

  // Whether it is the one of its kind that is kept: the first by number, whichever worker comes
  // first, so that every run tells of the same. Under the mutex.
  bool CountFailure(const CaseResult& result, const CampaignGraph& graph) {
    GraphFailure& failure = FailureOf(result, graph.hostile_class);
    ++failure.count;
    if (failure.number.has_value() && *failure.number < graph.number) return false;
    if (!failure.number.has_value()) {
      failure.found_after = Elapsed();
      if (failure.Counts(/*is_strict=*/false)) NoteDiscovery();
      // One of the corpus is as small as it was made.
      failure.is_of_corpus = !failure.result.name.empty();
    }
    failure.number = graph.number;
    return !failure.is_of_corpus;
  }

  // Something has been found. Under the mutex.
  void NoteDiscovery() {
    if (!options_.ends_when_found || result_.first_found.has_value()) return;
    result_.first_found = {result_.graphs_in_duration, Elapsed()};
  }

  // Tells how far the campaign is, from time to time.
  void Tell(size_t index, const CoverageCounter& counter) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (options_.on_progress == nullptr || !silence_.HasPassed()) return;
    silence_ = hal::Deadline(kTellEvery);
    coverage_[index] = counter.Result();
    CampaignResult so_far = result_;
    so_far.duration = Elapsed();
    so_far.coverage = CoverageOfAll();
    for (const auto& [key, failure] : failures_) {
      so_far.failures.emplace_back().count = failure.count;
    }
    options_.on_progress(so_far);
  }

  // A worker has come to the end of its span, or does not go on.
  void Add(CaseSpan span, const WorkerReport& processes) {
    if (span.count == 0) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    AddAccuracyOf(span);
    for (const JournalEntry& entry : span.results) Note(entry);
    AddProcesses(processes);
    if (options_.ends_when_found && !result_.first_found.has_value() && HasAccuracyFinding()) {
      NoteDiscovery();
    }
    if (options_.journal == nullptr) return;
    KeepErrorsOf(all_[0].accuracy, span.accuracy);
    status_.Update(options_.journal->Append(span, processes));
  }

  // Whether the elements so far come to a finding. Under the mutex.
  bool HasAccuracyFinding() const {
    const std::vector<Finding> findings = FindingsOf(all_);
    return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
      return finding.kind == FindingKind::SUSPECT || finding.kind == FindingKind::BIASED;
    });
  }

  void ReduceAndKeep(CaseWorker& worker, const CampaignGraph& graph, CaseResult result) {
    const RunOptions run = OptionsFor(graph);
    const absl::Duration start = Elapsed();
    TestCase smallest = graph.test_case;
    if (options_.reduction_time > absl::ZeroDuration()) {
      absl::StatusOr<Reduction> reduction =
          ReduceFailure(graph.test_case, result, worker, run, {.time = options_.reduction_time});
      if (reduction.ok()) smallest = std::move(reduction->smallest);
    }
    // Once more, to say what is wrong with it, and to keep it.
    RunOptions last = run;
    last.dump_directory = options_.run.dump_directory;
    CaseResult again = worker.Run(smallest, result.mode, last);
    const bool is_same = again.operation == result.operation && again.type == result.type &&
                         again.verdict == result.verdict;
    if (is_same) result = std::move(again);
    const absl::Duration reduction_time = Elapsed() - start;
    std::optional<CaseResult> against = RunAgainst(smallest, result.mode, run);
    const std::lock_guard<std::mutex> lock(mutex_);
    GraphFailure& failure = FailureOf(result, graph.hostile_class);
    // Meanwhile another worker may have met an earlier one.
    if (failure.number.has_value() && *failure.number < graph.number) return RemoveDump(result);
    RemoveDump(failure.result);
    failure.result = std::move(result);
    failure.smallest = std::move(smallest);
    failure.reduction_time = reduction_time;
    failure.against = std::move(against);
  }

  // Removes what was kept of a failure that another one stands for now.
  static void RemoveDump(const CaseResult& result) {
    std::error_code ignored;
    for (const std::string& file : result.dumped_files) std::filesystem::remove(file, ignored);
  }

  // What the other driver makes of a case.
  std::optional<CaseResult> RunAgainst(const TestCase& test_case, TestMode mode,
                                       const RunOptions& run) {
    if (options_.against == nullptr) return std::nullopt;
    const std::lock_guard<std::mutex> lock(against_mutex_);
    return options_.against->Run(test_case, mode, run);
  }

  // What failed before is known: it is run, and counts when it fails still.
  void RunCorpus(CaseWorker& worker) {
    for (const LoadedCase& loaded : options_.corpus) {
      if (!MayGoOn(worker)) return;
      RunOptions run = options_.run;
      run.dump_directory.clear();
      run.source_path = loaded.source_path;
      CaseResult result;
      for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
        if (NameInMode(loaded.test_case, mode).empty()) continue;
        result = worker.Run(loaded.test_case, mode, run);
        if (IsFailure(result.verdict)) break;
      }
      const std::lock_guard<std::mutex> lock(mutex_);
      ++result_.corpus_counts[result.verdict];
      if (!IsFailure(result.verdict)) continue;
      GraphFailure& failure = FailureOf(result, "");
      if (!failure.result.name.empty()) continue;
      failure.result = std::move(result);
      failure.result.dumped_files = {loaded.source_path};
      failure.smallest = loaded.test_case;
    }
  }

  // Makes small again what an earlier campaign found, as worker number 0: its journal has no cases.
  void ReduceWhatIsKnown(CaseWorker& worker) {
    std::vector<uint64_t> numbers;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (const auto& [key, failure] : failures_) {
        if (!failure.result.name.empty() && failure.smallest.examples.empty()) {
          numbers.push_back(*failure.number);
        }
      }
    }
    for (const uint64_t number : numbers) {
      CampaignGraph graph = MakeGraph(plan_, number);
      NoticeExtremes(graph);
      if (!MayGoOn(worker) || !Begin(0, absl::MakeConstSpan(&graph, 1))) return;
      const RunOptions run = OptionsFor(graph);
      CaseResult result = worker.Run(graph.test_case, TestMode::kStatic, run);
      if (!IsFailure(result.verdict)) {
        result = worker.Run(graph.test_case, TestMode::kDynamic, run);
      }
      const FailureKey key = {result.operation, result.type, result.verdict, graph.hostile_class};
      bool is_known = false;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        is_known = failures_.contains(key);
      }
      if (is_known) ReduceAndKeep(worker, graph, std::move(result));
    }
  }

  // Under the mutex, or when there is nobody else.
  Coverage CoverageOfAll() const {
    Coverage all;
    for (const Coverage& of_worker : coverage_) all.Add(of_worker);
    return all;
  }

  Coverage CoverageOfDone() {
    CoverageCounter counter;
    for (const CaseSpan& span : options_.done.spans) {
      for (uint64_t i = 0; i < span.count; ++i) counter.Add(plan_.Make(span.first + i));
    }
    return counter.Result();
  }

  const CampaignOptions& options_;
  // Of graphs that an earlier campaign ran.
  GraphPlan plan_{options_.seed, options_.version};
  const absl::Duration start_ = hal::SteadyClock::System().Now();
  const hal::Deadline deadline_;
  RunningCases running_;
  std::mutex against_mutex_;
  std::mutex mutex_;  // of what follows
  hal::Deadline silence_;
  uint64_t next_ = options_.first;
  // The numbers that an earlier campaign has run: first ones, and the one behind the last.
  std::map<uint64_t, uint64_t> done_;
  CampaignResult result_;
  std::map<FailureKey, GraphFailure> failures_;
  // The graphs that could not be judged one by one, by their numbers.
  std::map<uint64_t, CaseResult> undivided_;
  // By operation and type: the first span that has a suspect element, and what is said of it.
  std::map<std::pair<std::string, std::string>, std::pair<uint64_t, std::string>> first_suspects_;
  // What elements of all results are like, and at last what else findings are made of.
  std::vector<CaseResult> all_ = std::vector<CaseResult>(1);
  // By worker.
  std::vector<Coverage> coverage_;
  // What became of writing to the journal, and of running graphs to their files.
  absl::Status status_;
};

}  // namespace

bool CampaignResult::Failed(bool is_strict) const {
  RunReport report;
  report.is_strict = is_strict;
  const auto is_failure = [is_strict](const GraphFailure& failure) {
    return failure.Counts(is_strict);
  };
  const auto fails = [&report](const Finding& finding) { return FailsRun(finding.kind, report); };
  return !lost.empty() || std::any_of(failures.begin(), failures.end(), is_failure) ||
         std::any_of(findings.begin(), findings.end(), fails);
}

absl::StatusOr<CampaignResult> RunCampaign(absl::Span<const std::unique_ptr<CaseWorker>> workers,
                                           const CampaignOptions& options) {
  Campaign campaign(options, workers.size());
  RunOnThreads(workers.size(), [&](size_t number) { campaign.RunOn(*workers[number], number); });
  return campaign.Conclude();
}

}  // namespace nncert
