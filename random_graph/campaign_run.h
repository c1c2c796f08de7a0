// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A campaign on a driver, as commands do it: with workers and a journal.

#ifndef NNCERT_RANDOM_GRAPH_CAMPAIGN_RUN_H_
#define NNCERT_RANDOM_GRAPH_CAMPAIGN_RUN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "certifying/driver_names.h"
#include "certifying/submission/must_pass_list.h"
#include "hal/version.h"
#include "harness/records/journal.h"
#include "random_graph/campaign.h"

namespace nncert {

/// How a campaign is to be run.
struct CampaignRunOptions {
  /// What to do; version, journal and what is done already are filled in.
  CampaignOptions campaign;
  /// How many graphs run at the same time; at least 1.
  size_t jobs = 1;
  /// Where the journal is; empty for none.
  std::string journal;
  /// Goes on with the campaign of the journal instead of beginning one.
  bool resume = false;
  /// Appends results that are known already to a journal that is begun: those graphs are not run.
  /// Null for nothing.
  std::function<absl::Status(Journal& journal)> take_over = nullptr;
};

/// The seed of the graphs that every driver is certified by, so that two reports compare.
inline constexpr uint64_t kCertificationSeed = 1;

/// How many graphs of that seed a driver of `version` is certified by: three cycles of the plan,
/// and no fewer than the 14,500 of Android's own suite.
uint64_t CertificationGraphs(hal::HalVersion version);

/// These graphs as a must-pass list has them.
ListedSuite ListGraphs(hal::HalVersion version);

/// Runs a campaign on a driver, whose workers are made here. An Interruption ends it after the
/// graphs that are under way. Fails when the driver does not give as many sessions as there are
/// jobs, and when the journal cannot be opened or written, or is of another campaign: another
/// driver, another seed, or graphs that another nncert made.
absl::StatusOr<CampaignResult> RunCampaignOn(OpenedDriver& driver, CampaignRunOptions options);

}  // namespace nncert

#endif  // NNCERT_RANDOM_GRAPH_CAMPAIGN_RUN_H_
