// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "cases/case_source.h"
#include "cases/coverage/coverage_report.h"
#include "certifying/case_paths.h"
#include "certifying/driver_names.h"
#include "certifying/report.h"
#include "random_graph/campaign.h"
#include "random_graph/campaign_report.h"
#include "random_graph/campaign_run.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

ABSL_FLAG(uint64_t, graphs, 0,
          "how many random graphs to run; 0 for as many as there is time for, or as a driver is "
          "certified by: with fewer it is not");
ABSL_FLAG(uint64_t, seed, 1,
          "which random graphs, or inputs of a network: the same seed makes the same ones");
ABSL_FLAG(absl::Duration, time, absl::InfiniteDuration(),
          "for how long to go on, \"60s\" or \"1h\"");
ABSL_FLAG(absl::Duration, reduce_time, absl::Seconds(30),
          "for how long to make the first failure of each kind smaller");

ABSL_FLAG(std::string, corpus, "",
          "a folder with the smallest case of each kind of failure: its cases are run first, and "
          "new kinds are added to it. Folders of two machines are merged by copying");
ABSL_FLAG(nncert::DriverChoice, against, nncert::DriverChoice(),
          "another driver, on which the smallest case of each kind of failure is run as well");
ABSL_FLAG(std::string, coverage, "",
          "write into this file, as JSON, what the graphs asked of operations");

ABSL_DECLARE_FLAG(std::string, dump);
ABSL_DECLARE_FLAG(std::string, journal);

namespace nncert {
namespace {

// The cases of the corpus; none while there is no such folder.
absl::StatusOr<LoadedCases> LoadCorpus(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  if (folder.empty() || !std::filesystem::exists(folder, error)) return LoadedCases();
  std::filesystem::directory_iterator entries(folder, error);
  if (error) {
    return absl::UnavailableError(absl::StrCat("--corpus: ", folder, ": ", error.message()));
  }
  for (const std::filesystem::directory_entry& entry : entries) {
    // Beside each stand the same case as a spec and as a drawing.
    if (entry.path().extension() == ".case") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) return LoadedCases();
  return LoadCasesOfUser(files, /*cache=*/"");
}

// The driver to run failures against, if there is one.
absl::StatusOr<std::optional<DriverWithWorkers>> OpenOther(absl::Duration deadline) {
  const std::optional<std::string> name = absl::GetFlag(FLAGS_against).driver;
  if (!name.has_value()) return std::nullopt;
  const absl::StatusOr<NamedDriver> driver = FindDriver(name);
  if (!driver.ok()) return driver.status();
  absl::StatusOr<DriverWithWorkers> opened = OpenWithWorkers(*driver, IsolationFlag(), 1, deadline);
  if (!opened.ok()) return opened.status();
  return *std::move(opened);
}

// What the flags ask for, but for drivers and cases.
absl::StatusOr<CampaignRunOptions> OptionsOfFlags() {
  CampaignRunOptions options;
  CampaignOptions& campaign = options.campaign;
  const absl::StatusOr<absl::Duration> deadline = DeadlineFlag();
  if (!deadline.ok()) return deadline.status();
  campaign.seed = absl::GetFlag(FLAGS_seed);
  campaign.time = absl::GetFlag(FLAGS_time);
  campaign.graphs = absl::GetFlag(FLAGS_graphs);
  if (campaign.time <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("--time must be above zero");
  }
  if (campaign.graphs == 0) {
    if (campaign.time == absl::InfiniteDuration()) {
      return absl::InvalidArgumentError("say for how long: --graphs=N or --time=DURATION");
    }
    campaign.graphs = std::numeric_limits<uint64_t>::max();
  }
  options.journal = absl::GetFlag(FLAGS_journal);
  options.resume = absl::GetFlag(FLAGS_resume);
  if (options.resume && options.journal.empty()) {
    return absl::InvalidArgumentError(
        "--resume needs the journal of the earlier campaign: --journal");
  }
  options.jobs = absl::GetFlag(FLAGS_jobs).OrProcessors();
  campaign.reduction_time = absl::GetFlag(FLAGS_reduce_time);
  campaign.run = RunOptionsByFlags(*deadline);
  campaign.run.dump_directory = absl::GetFlag(FLAGS_dump);
  if (campaign.run.dump_directory.empty()) {
    campaign.run.dump_directory = absl::GetFlag(FLAGS_corpus);
  }
  if (!campaign.run.dump_directory.empty()) {
    campaign.running_directory = absl::StrCat(campaign.run.dump_directory, "/running");
  }
  return options;
}

absl::Status WriteResults(const CampaignResult& result) {
  absl::Status written;
  if (const std::string json = absl::GetFlag(FLAGS_json); !json.empty()) {
    written.Update(WriteTextFile(json, CampaignToJson(result)));
  }
  if (const std::string coverage = absl::GetFlag(FLAGS_coverage); !coverage.empty()) {
    written.Update(WriteTextFile(coverage, CoverageToJson(result.coverage)));
  }
  return written;
}

absl::StatusOr<ExitStatus> Fuzz(absl::Span<const std::string> /*arguments*/) {
  absl::StatusOr<CampaignRunOptions> options = OptionsOfFlags();
  if (!options.ok()) return options.status();
  CampaignOptions& campaign = options->campaign;
  campaign.on_progress = [](const CampaignResult& so_far) {
    std::cerr << DescribeProgress(so_far) << std::endl;
  };
  const absl::StatusOr<LoadedCases> corpus = LoadCorpus(absl::GetFlag(FLAGS_corpus));
  if (!corpus.ok()) return corpus.status();
  // A file that cannot be read does not keep the others from being run.
  for (const absl::Status& error : corpus->errors) PrintInputError(error);
  campaign.corpus = corpus->cases;

  const absl::StatusOr<NamedDriver> driver = FindDriver(absl::GetFlag(FLAGS_driver).driver);
  if (!driver.ok()) return driver.status();
  absl::StatusOr<OpenedDriver> opened = OpenDriverByFlags(*driver, campaign.run.deadline);
  if (!opened.ok()) return opened.status();
  const absl::StatusOr<std::optional<DriverWithWorkers>> other = OpenOther(campaign.run.deadline);
  if (!other.ok()) return other.status();
  if (other->has_value()) campaign.against = (**other).workers.front().get();

  const absl::StatusOr<CampaignResult> result = RunCampaignOn(*opened, *options);
  if (!result.ok()) return result.status();
  if (absl::Status status = WriteResults(*result); !status.ok()) return status;
  std::cout << Summarize(*result) << std::flush;
  if (result->Failed(absl::GetFlag(FLAGS_strict))) return ExitStatus::kFailure;
  if (!corpus->errors.empty()) return ExitStatus::kBadInput;
  return result->is_interrupted ? ExitStatus::kInterrupted : ExitStatus::kSuccess;
}

}  // namespace

Command FuzzCommand() {
  return {
      .name = "fuzz",
      .summary = "runs random graphs on a driver",
      .description =
          "Makes random models, valid by construction, runs them on a driver, and judges each "
          "operation. Of\neach kind of failure, by operation, type and verdict, the first is made "
          "as small as it can be.\nThe exit status is 0 when nothing failed, 1 when something did, "
          "2 when the driver cannot be\nused, 3 when it was interrupted.",
      .flags = {{"driver", "DRIVER"},
                {"graphs", "N"},
                {"time", "DURATION"},
                {"seed", "S"},
                {"json", "FILE"},
                {"dump", "DIR"},
                {"corpus", "DIR"},
                {"against", "DRIVER"},
                {"coverage", "FILE"},
                {"journal", "FILE"},
                {"resume", ""},
                {"jobs", "N"},
                {"deadline", "DURATION"},
                {"reduce_time", "DURATION"},
                {"in_process", ""},
                {"unpinned", ""},
                {"memory", "SIZE"},
                {"plain", ""},
                {"strict", ""}},
      .run = &Fuzz,
  };
}

}  // namespace nncert
