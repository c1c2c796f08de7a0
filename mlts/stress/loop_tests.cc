// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/loop_tests.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/deadline.h"
#include "mlts/stress/resource_trend.h"

namespace nncert {
namespace {

constexpr size_t kParallelThreads = 8;
// In a loop of inferences, how often a network is executed before it is loaded anew, and into how
// many rounds the time is divided.
constexpr uint64_t kMostExecutions = 1000;
constexpr double kRounds = 40;
constexpr absl::Duration kShortestRound = absl::Milliseconds(10);
constexpr absl::Duration kLongestRound = absl::Milliseconds(250);
// Of threads at the same time, how often each executes a network.
constexpr uint64_t kParallelExecutions = 16;
constexpr absl::Duration kShortestParallelRound = absl::Milliseconds(50);
constexpr absl::Duration kLongestParallelRound = absl::Seconds(10);

// Loads each network again and again for its part of the time, with so many executions a load for
// as long as a round takes.
StressOutcome LoopOver(const StressSetting& setting, uint64_t executions, absl::Duration round,
                       const char* name_of_round) {
  StressOutcome outcome;
  LoadCount count;
  absl::StatusOr<OpenedDriver> opened = setting.service->Connect();
  outcome.status = opened.status();
  const absl::Duration slice = setting.time / static_cast<double>(setting.networks.size());
  ResourceTrend whole(name_of_round);
  for (const StressNetwork& network : setting.networks) {
    ResourceTrend trend(name_of_round);
    TimeOfRounds time(slice);
    do {
      if (!outcome.status.ok()) break;
      outcome.status = LoadNetwork(opened->session(), network,
                                   {executions, hal::Deadline(round), setting.deadline}, count);
      if (!outcome.status.ok()) break;
      const ResourceUse use = opened->process()->Resources();
      trend.Add(use);
      whole.Add(use);
    } while (!time.IsOver(trend) && setting.goes_on());
    outcome.status.Update(trend.Check(absl::StrCat("executions and loads of ", network.name)));
    if (!outcome.status.ok() || !setting.goes_on()) break;
  }
  outcome.rounds = executions > 1 ? count.executions : count.loads;
  outcome.detail = whole.Describe();
  return outcome;
}

}  // namespace

StressOutcome InferenceStress(const StressSetting& setting) {
  const absl::Duration slice = setting.time / static_cast<double>(setting.networks.size());
  return LoopOver(setting, kMostExecutions,
                  std::clamp(slice / kRounds, kShortestRound, kLongestRound), "round");
}

StressOutcome ModelLoadingStress(const StressSetting& setting) {
  return LoopOver(setting, 1, setting.time, "load");
}

StressOutcome ParallelInferenceStress(const StressSetting& setting) {
  StressOutcome outcome;
  LoadCount count;
  ResourceTrend trend("round");
  ClientWork work;
  work.threads = kParallelThreads;
  work.executions = kParallelExecutions;
  work.time = std::clamp(setting.time / kRounds, kShortestParallelRound, kLongestParallelRound);
  work.deadline = setting.deadline;
  TimeOfRounds time(setting.time);
  do {
    outcome.status = RunClient(setting.service->driver(), setting.networks, work, count);
    if (outcome.status.ok()) trend.Add(setting.service->SettledResources());
  } while (outcome.status.ok() && !time.IsOver(trend) && setting.goes_on());
  outcome.status.Update(trend.Check("parallel clients"));
  outcome.rounds = count.executions;
  outcome.detail =
      absl::StrCat(kParallelThreads, " threads, ", count.loads, " loads; ", trend.Describe());
  return outcome;
}

}  // namespace nncert
