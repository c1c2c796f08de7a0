// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/campaign_run.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cases/case_file.h"
#include "certifying/report.h"
#include "certifying/run_identity.h"
#include "harness/records/journal.h"
#include "random_graph/graph_plan.h"
#include "system/digest.h"
#include "system/interruption.h"

namespace nncert {
namespace {

// Campaigns whose first graphs are the same are of the same graphs.
constexpr uint64_t kGraphsOfDigest = 64;

absl::StatusOr<uint64_t> DigestOf(const CampaignOptions& options) {
  GraphPlan plan(options.seed, options.version);
  Digest digest;
  for (uint64_t i = 0; i < kGraphsOfDigest; ++i) {
    const absl::StatusOr<std::vector<uint8_t>> bytes =
        SerializeCaseFile("", {plan.Make(options.first + i)});
    if (!bytes.ok()) return bytes.status();
    digest.Add(*bytes);
  }
  return digest.value();
}

// Opens the journal, and takes over what it has.
absl::StatusOr<std::unique_ptr<Journal>> OpenJournal(OpenedDriver& driver,
                                                     CampaignRunOptions& options) {
  CampaignOptions& campaign = options.campaign;
  if (options.journal.empty()) return nullptr;
  absl::StatusOr<RunIdentity> run = RunIdentityOf(
      driver, absl::StrCat("fuzz --seed=", campaign.seed, " from graph ", campaign.first,
                           " on, --deadline=", absl::FormatDuration(campaign.run.deadline),
                           campaign.run.kernels == KernelChoice::kFast ? "" : " --plain"));
  if (!run.ok()) return run.status();
  const absl::StatusOr<uint64_t> digest = DigestOf(campaign);
  if (!digest.ok()) return digest.status();
  run->cases_digest = *digest;
  // A campaign may go on for longer than the one before: their graphs are the same.
  run->case_count = UINT64_MAX;
  if (options.resume) return Journal::Resume(options.journal, *run, campaign.done);
  absl::StatusOr<std::unique_ptr<Journal>> journal = Journal::Create(options.journal, *run);
  if (!journal.ok() || options.take_over == nullptr) return journal;
  if (absl::Status taken = options.take_over(**journal); !taken.ok()) return taken;
  absl::StatusOr<JournalContent> done = Journal::Read(options.journal);
  if (!done.ok()) return done.status();
  campaign.done = *std::move(done);
  return journal;
}

}  // namespace

uint64_t CertificationGraphs(hal::HalVersion version) {
  constexpr uint64_t kLeast = 14500;
  return std::max(kLeast, 3 * GraphPlan(kCertificationSeed, version).cycle());
}

ListedSuite ListGraphs(hal::HalVersion version) {
  return {.name = kRandomGraphs,
          .count = CertificationGraphs(version),
          .content = absl::StrCat("seed=", kCertificationSeed)};
}

absl::StatusOr<CampaignResult> RunCampaignOn(OpenedDriver& driver, CampaignRunOptions options) {
  CampaignOptions& campaign = options.campaign;
  campaign.version = driver.session().hal_version();
  campaign.should_stop = &Interruption::IsRequested;
  const absl::StatusOr<std::unique_ptr<Journal>> journal = OpenJournal(driver, options);
  if (!journal.ok()) return journal.status();
  campaign.journal = journal->get();
  const absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> workers =
      driver.MakeWorkers(options.jobs, campaign.run.deadline);
  if (!workers.ok()) return workers.status();
  return RunCampaign(*workers, campaign);
}

}  // namespace nncert
