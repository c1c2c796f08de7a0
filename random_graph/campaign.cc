// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/campaign.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

#include "certifying/accuracy_findings.h"
#include "hal/deadline.h"
#include "random_graph/graph_plan.h"
#include "random_graph/reducer.h"

namespace nncert {
namespace {

// How often progress is told.
constexpr absl::Duration kTellEvery = absl::Seconds(1);
// One graph of so many has outputs of unknown dimensions.
constexpr uint64_t kDynamicEvery = 8;
// One turn of such graphs in so many is executed in every way: executions may differ.
constexpr uint64_t kEveryWayEvery = 8;

using FailureKey = std::tuple<std::string, std::string, Verdict>;

FailureKey KeyOf(const CaseResult& result) {
  return {result.operation, result.type, result.verdict};
}

// A campaign under way.
class Campaign {
 public:
  explicit Campaign(const CampaignOptions& options)
      : options_(options), deadline_(options.time), silence_(kTellEvery) {}

  void RunOn(CaseWorker& worker) {
    GraphPlan plan(options_.seed, options_.version);
    while (const std::optional<uint64_t> number = Next(worker)) {
      const TestCase graph = plan.Make(*number);
      const RunOptions run = OptionsFor(*number);
      CaseResult result = worker.Run(graph, ModeOf(*number), run);
      if (result.mode == TestMode::kDynamic && IsFailure(result.verdict)) {
        // Operations are judged one by one in the static mode alone, which says which of them errs.
        CaseResult with_known_dimensions = worker.Run(graph, TestMode::kStatic, run);
        if (IsFailure(with_known_dimensions.verdict)) result = std::move(with_known_dimensions);
      }
      if (!Add(result, *number)) continue;
      ReduceAndKeep(worker, graph, run, std::move(result));
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    WorkerReport report = worker.TakeReport();
    for (std::string& finding : report.findings) {
      result_.findings.push_back({.kind = FindingKind::PROCESS, .detail = std::move(finding)});
    }
  }

  CampaignResult Conclude() {
    for (auto& [key, failure] : failures_) result_.failures.push_back(std::move(failure));
    for (Finding& finding : FindingsOf(all_)) result_.findings.push_back(std::move(finding));
    result_.duration = Elapsed();
    return std::move(result_);
  }

 private:
  absl::Duration Elapsed() const { return hal::SteadyClock::System().Now() - start_; }

  // Options without a dump.
  RunOptions OptionsFor(uint64_t number) const {
    RunOptions run = options_.run;
    run.dump_directory.clear();
    const uint64_t turn = number / kDynamicEvery;
    if (turn % kEveryWayEvery != 0) run.only_way = turn;
    return run;
  }

  TestMode ModeOf(uint64_t number) const {
    const bool is_dynamic =
        options_.version >= hal::HalVersion::V1_2 && number % kDynamicEvery == kDynamicEvery - 1;
    return is_dynamic ? TestMode::kDynamic : TestMode::kStatic;
  }

  // The number of the next graph; nothing when there is none.
  std::optional<uint64_t> Next(const CaseWorker& worker) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (next_ >= options_.graphs || deadline_.HasPassed() || !result_.lost.empty()) {
      return std::nullopt;
    }
    result_.lost = worker.WhyLost();
    if (!result_.lost.empty()) return std::nullopt;
    if (options_.should_stop != nullptr && options_.should_stop()) {
      result_.is_interrupted = true;
      return std::nullopt;
    }
    return options_.first + next_++;
  }

  // Counts a result. Whether it is the first failure of its kind.
  bool Add(const CaseResult& result, uint64_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++result_.graphs;
    ++result_.counts[result.verdict];
    AddAccuracy(result.accuracy, all_[0].accuracy);
    if (!result.undivided.empty()) {
      CaseResult undivided;
      undivided.name = result.name;
      undivided.undivided = result.undivided;
      all_.push_back(std::move(undivided));
    }
    bool is_first = false;
    if (IsFailure(result.verdict)) {
      const auto [entry, is_new] = failures_.try_emplace(KeyOf(result));
      GraphFailure& failure = entry->second;
      ++failure.count;
      is_first = is_new;
      if (is_new) {
        failure.number = number;
        failure.found_after = Elapsed();
        std::tie(failure.operation, failure.type, failure.verdict) = entry->first;
      }
    }
    if (options_.on_progress != nullptr && silence_.HasPassed()) {
      silence_ = hal::Deadline(kTellEvery);
      result_.duration = Elapsed();
      options_.on_progress(result_);
    }
    return is_first;
  }

  void ReduceAndKeep(CaseWorker& worker, const TestCase& graph, const RunOptions& run,
                     CaseResult result) {
    const absl::Duration start = Elapsed();
    const FailureKey key = KeyOf(result);
    const TestMode mode = result.mode;
    TestCase smallest = graph;
    if (options_.reduction_time > absl::ZeroDuration()) {
      const absl::StatusOr<Reduction> reduction = Reduce(
          graph, 0,
          [&](const TestCase& smaller) { return KeyOf(worker.Run(smaller, mode, run)) == key; },
          options_.reduction_time);
      if (reduction.ok()) smallest = reduction->smallest;
    }
    // Once more, to say what is wrong with it, and to keep it.
    RunOptions last = run;
    last.dump_directory = options_.run.dump_directory;
    CaseResult again = worker.Run(smallest, mode, last);
    if (KeyOf(again) == key) result = std::move(again);
    const std::lock_guard<std::mutex> lock(mutex_);
    GraphFailure& failure = failures_[key];
    failure.result = std::move(result);
    failure.operations = smallest.model.operations.size();
    failure.smallest = std::move(smallest);
    failure.reduction_time = Elapsed() - start;
  }

  const CampaignOptions& options_;
  const absl::Duration start_ = hal::SteadyClock::System().Now();
  const hal::Deadline deadline_;
  std::mutex mutex_;  // of what follows
  hal::Deadline silence_;
  uint64_t next_ = 0;
  CampaignResult result_;
  std::map<FailureKey, GraphFailure> failures_;
  // Of all results what findings are made of.
  std::vector<CaseResult> all_ = std::vector<CaseResult>(1);
};

}  // namespace

CampaignResult RunCampaign(absl::Span<const std::unique_ptr<CaseWorker>> workers,
                           const CampaignOptions& options) {
  Campaign campaign(options);
  std::vector<std::thread> threads;
  for (size_t i = 1; i < workers.size(); ++i) {
    threads.emplace_back([&campaign, worker = workers[i].get()] { campaign.RunOn(*worker); });
  }
  campaign.RunOn(*workers[0]);
  for (std::thread& thread : threads) thread.join();
  return campaign.Conclude();
}

}  // namespace nncert
