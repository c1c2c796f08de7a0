// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs random graphs on a driver, and makes those that fail small.

#ifndef NNCERT_RANDOM_GRAPH_CAMPAIGN_H_
#define NNCERT_RANDOM_GRAPH_CAMPAIGN_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cases/case_source.h"
#include "cases/coverage/coverage.h"
#include "hal/version.h"
#include "harness/case_worker.h"
#include "harness/records/case_result.h"
#include "harness/records/finding.h"
#include "harness/records/journal.h"

namespace nncert {

/// Failures of one kind: an operation and a type on which a driver fails in one way.
struct GraphFailure {
  std::string operation;
  std::string type;
  Verdict verdict = Verdict::FAIL;
  /// What makes the graphs hostile (CampaignGraph::hostile_class), "nan"; empty when nothing does.
  std::string elements;
  /// How many graphs failed so.
  uint64_t count = 0;
  /// The first of them, by its number; nothing when only the corpus has it.
  std::optional<uint64_t> number;
  /// Whether a case of the corpus stands for it.
  bool is_of_corpus = false;
  /// What became of the smallest case that shows it, or of the graph itself where nothing smaller
  /// was found.
  CaseResult result;
  TestCase smallest;
  /// How long it took to find that case.
  absl::Duration reduction_time;
  /// After how long the first was found, since the campaign began, or went on.
  absl::Duration found_after;
  /// What the other driver makes of the smallest case, if there is another one.
  std::optional<CaseResult> against;

  /// Whether it fails the driver. What comes of hostile elements is nowhere documented as exactly
  /// as the judge follows it: a wrong element is a failure only where the campaign is strict. A
  /// crash always is.
  bool Counts(bool is_strict) const {
    return elements.empty() || is_strict || verdict != Verdict::FAIL;
  }
};

/// How many graphs were left open, so that neither PASS nor FAIL can be said.
struct OpenCount {
  /// How many came to EXPLAINED and to UNDECIDED; and how many of those that are hostile.
  std::map<Verdict, uint64_t> counts;
  std::map<Verdict, uint64_t> hostile_counts;
};

/// When something was found.
struct Discovery {
  /// How many graphs had been run until then, and for how long, since the campaign began, or went
  /// on.
  uint64_t graphs = 0;
  absl::Duration after;
};

/// How many graphs a worker takes at a time, from a multiple of it on.
inline constexpr uint64_t kGraphSpan = 64;

/// What came of a campaign.
struct CampaignResult {
  /// How many graphs were run.
  uint64_t graphs = 0;
  /// How many of them came to which verdict; and how many of those that are hostile.
  std::map<Verdict, uint64_t> counts;
  std::map<Verdict, uint64_t> hostile_counts;
  /// Those that were left open, by the operation that this is about, and its type (CaseResult).
  std::map<std::pair<std::string, std::string>, OpenCount> open;
  /// How many cases of the corpus were run, and came to which verdict.
  std::map<Verdict, uint64_t> corpus_counts;
  /// By operation, type, verdict and elements.
  std::vector<GraphFailure> failures;
  /// SUSPECT, BIASED and UNDIVIDED, of all graphs together but the hostile ones; and those about
  /// processes.
  std::vector<Finding> findings;
  /// What the graphs asked of operations.
  Coverage coverage;
  /// How long it took; of a campaign that went on, since then.
  absl::Duration duration;
  /// How many of the graphs were run in that time.
  uint64_t graphs_in_duration = 0;
  /// The first failure that counts, or finding SUSPECT or BIASED, of a campaign that ends then
  /// (CampaignOptions::ends_when_found); nothing when none was found.
  std::optional<Discovery> first_found;
  /// Why no further graph could be run, a sentence without a full stop; empty when all could.
  std::string lost;
  /// It was told to stop before it had run all graphs, or for as long as it was to.
  bool is_interrupted = false;

  /// Whether the driver is not as it must be: a failure counts (GraphFailure::Counts), or a finding
  /// is a failure (SUSPECT and BIASED are when the campaign is strict), or the driver was lost.
  bool Failed(bool is_strict) const;
};

/// What a campaign is to do.
struct CampaignOptions {
  uint64_t seed = 0;
  /// The driver's version.
  hal::HalVersion version = hal::HalVersion::V1_2;
  /// The first graph, by its number, and how many there are at the most.
  uint64_t first = 0;
  uint64_t graphs = 0;
  /// Whether the graphs from this number on are to be run, as many as a worker takes at a time;
  /// null for all. A shard runs some.
  std::function<bool(uint64_t)> takes = nullptr;
  /// For how long graphs are begun.
  absl::Duration time = absl::InfiniteDuration();
  /// For how long each kind of failure is made smaller; zero for not at all.
  absl::Duration reduction_time = absl::Seconds(30);
  /// Whether no graph is begun any more once a failure counts in a campaign that is not strict, or
  /// a finding is SUSPECT or BIASED; these are looked for after every span of 64 graphs of a
  /// worker.
  bool ends_when_found = false;
  /// How graphs are run. Failures are dumped, once they are small.
  RunOptions run;
  /// Where the graphs that run, or are being made smaller, are kept as files (RunningCases); empty
  /// for nowhere.
  std::string running_directory = {};
  /// Cases that failed before, which are run before any graph. Not owned.
  absl::Span<const LoadedCase> corpus;
  /// Runs the smallest case of each kind of failure on another driver; null for none. Not owned.
  CaseWorker* against = nullptr;
  /// Takes what graphs come to, a span of graph numbers at a time; null for none. Not owned.
  Journal* journal = nullptr;
  /// What an earlier campaign has come to, of the same seed and driver, which is taken as it is.
  JournalContent done = {};
  /// Whether to stop; asked before every few graphs, by several threads. Null for never.
  std::function<bool()> should_stop = nullptr;
  /// Is told how far the campaign is, now and then, from one thread at a time; of failures, only
  /// how many graphs each kind has. Null for nobody.
  std::function<void(const CampaignResult& so_far)> on_progress = nullptr;
};

/// Runs graphs on a driver, each by the next worker that is free; there is at least one. A graph is
/// executed in one way, graphs in turn in all of them (WayOfTurn), with all calls made at once
/// where that can be (RunOptions::at_once), those of a few graphs together, and one in eight in
/// every way; one in eight with unknown output dimensions, by a driver of HAL 1.2. Of every kind of
/// failure the first by number is made small, call by call. In hostile graphs (CampaignGraph) a NaN
/// or an infinity may be explained by a value in between that is too large for the type
/// (RunOptions::explains_specials). Fails when something cannot be written to the journal, or a
/// running graph not to its file.
absl::StatusOr<CampaignResult> RunCampaign(absl::Span<const std::unique_ptr<CaseWorker>> workers,
                                           const CampaignOptions& options);

}  // namespace nncert

#endif  // NNCERT_RANDOM_GRAPH_CAMPAIGN_H_
