// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/random_models.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "certifying/report.h"
#include "random_graph/campaign.h"
#include "random_graph/campaign_run.h"

namespace nncert {
namespace {

// Of how many kinds of failure there is a word.
constexpr size_t kMostNamed = 3;

absl::Status StatusOf(const CampaignResult& result) {
  std::vector<std::string> failures;
  std::optional<Verdict> worst;
  size_t count = 0;
  for (const GraphFailure& failure : result.failures) {
    if (!failure.Counts(false)) continue;
    if (failure.verdict == Verdict::CRASH || !worst.has_value()) worst = failure.verdict;
    if (++count > kMostNamed) continue;
    failures.push_back(absl::StrCat(
        std::string(toString(failure.verdict)), " of ", failure.operation, " (", failure.type, ")",
        failure.count == 1 ? "" : absl::StrCat(", ", failure.count, " times")));
  }
  if (count > kMostNamed) failures.push_back(absl::StrCat(count - kMostNamed, " kinds more"));
  for (const Finding& finding : result.findings) {
    if (FailsRun(finding.kind, RunReport())) failures.push_back(DescribeFinding(finding));
  }
  if (!result.lost.empty()) failures.push_back(result.lost);
  const std::string text = absl::StrJoin(failures, "; ");
  if (worst == Verdict::CRASH || !result.lost.empty()) return absl::UnavailableError(text);
  if (worst == Verdict::TIMEOUT) return absl::DeadlineExceededError(text);
  return absl::FailedPreconditionError(text);
}

}  // namespace

StressOutcome InferenceRandom(const StressSetting& setting) {
  StressOutcome outcome;
  absl::StatusOr<OpenedDriver> opened =
      OpenDriver(setting.driver, Isolation::kPinned, setting.deadline, setting.memory);
  outcome.status = opened.status();
  if (!opened.ok()) return outcome;
  CampaignRunOptions options;
  options.campaign.seed = setting.seed;
  options.campaign.graphs = std::numeric_limits<uint64_t>::max();
  options.campaign.time = setting.time;
  options.campaign.reduction_time = absl::ZeroDuration();
  options.campaign.run.deadline = setting.deadline;
  options.campaign.run.dump_directory = setting.dump_directory;
  options.jobs = std::max<size_t>(std::thread::hardware_concurrency(), 1);
  const absl::StatusOr<CampaignResult> result = RunCampaignOn(*opened, options);
  outcome.status = result.status();
  if (!result.ok()) return outcome;
  outcome.rounds = result->graphs;
  std::vector<std::string> counts;
  for (const auto& [verdict, count] : result->counts) {
    counts.push_back(absl::StrCat(count, " ", std::string(toString(verdict))));
  }
  outcome.detail = absl::StrCat("graphs of seed ", setting.seed, ": ", absl::StrJoin(counts, ", "));
  if (result->Failed(false)) outcome.status = StatusOf(*result);
  return outcome;
}

}  // namespace nncert
