// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs random graphs on a driver, and makes those that fail small.

#ifndef NNCERT_RANDOM_GRAPH_CAMPAIGN_H_
#define NNCERT_RANDOM_GRAPH_CAMPAIGN_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "hal/version.h"
#include "harness/case_worker.h"
#include "harness/records/case_result.h"
#include "harness/records/finding.h"
#include "harness/records/worker_report.h"

namespace nncert {

/// Failures of one kind: an operation and a type on which a driver fails in one way.
struct GraphFailure {
  std::string operation;
  std::string type;
  Verdict verdict = Verdict::FAIL;
  /// How many graphs failed so.
  uint64_t count = 0;
  /// The first of them, by its number.
  uint64_t number = 0;
  /// What became of the smallest case that shows it, or of the graph itself where nothing smaller
  /// was found.
  CaseResult result;
  TestCase smallest;
  /// The operations of that case, and how long it took to find.
  size_t operations = 0;
  absl::Duration reduction_time;
  /// After how long the first was found, since the campaign began.
  absl::Duration found_after;
};

/// What came of a campaign.
struct CampaignResult {
  /// How many graphs were run.
  uint64_t graphs = 0;
  std::map<Verdict, uint64_t> counts;
  /// By operation, type and verdict.
  std::vector<GraphFailure> failures;
  /// SUSPECT, BIASED and UNDIVIDED, of all graphs together; and those about processes.
  std::vector<Finding> findings;
  absl::Duration duration;
  /// Why no further graph could be run, a sentence without a full stop; empty when all could.
  std::string lost;
  /// It was told to stop before it had run all graphs, or for as long as it was to.
  bool is_interrupted = false;
};

/// What a campaign is to do.
struct CampaignOptions {
  uint64_t seed = 0;
  /// The driver's version.
  hal::HalVersion version = hal::HalVersion::V1_2;
  /// The first graph, by its number, and how many there are at the most.
  uint64_t first = 0;
  uint64_t graphs = 0;
  /// For how long graphs are begun.
  absl::Duration time = absl::InfiniteDuration();
  /// For how long each kind of failure is made smaller; zero for not at all.
  absl::Duration reduction_time = absl::Seconds(30);
  /// How graphs are run. Failures are dumped, once they are small.
  RunOptions run;
  /// Whether to stop; asked before each graph, by several threads. Null for never.
  std::function<bool()> should_stop = nullptr;
  /// Is told how far the campaign is, now and then, from one thread at a time. Null for nobody.
  std::function<void(const CampaignResult& so_far)> on_progress = nullptr;
};

/// Runs graphs on a driver, each by the next worker that is free; there is at least one. A graph is
/// executed in one way (RunOptions::only_way), graphs in turn in all of them, and one in eight in
/// every way; one in eight with unknown output dimensions, by a driver of HAL 1.2. Every kind of
/// failure is made small once, by the worker that saw it first.
CampaignResult RunCampaign(absl::Span<const std::unique_ptr<CaseWorker>> workers,
                           const CampaignOptions& options);

}  // namespace nncert

#endif  // NNCERT_RANDOM_GRAPH_CAMPAIGN_H_
