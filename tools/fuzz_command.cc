// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "certifying/driver_names.h"
#include "certifying/report.h"
#include "random_graph/campaign.h"
#include "random_graph/campaign_report.h"
#include "system/interruption.h"
#include "tools/commands.h"
#include "tools/flags.h"

ABSL_FLAG(uint64_t, graphs, 0, "how many random graphs to run; 0 for as many as there is time for");
ABSL_FLAG(uint64_t, seed, 1, "which random graphs: the same seed makes the same ones");
ABSL_FLAG(absl::Duration, time, absl::InfiniteDuration(),
          "for how long to go on, \"60s\" or \"1h\"");
ABSL_FLAG(absl::Duration, reduce_time, absl::Seconds(30),
          "for how long to make the first failure of each kind smaller");

ABSL_DECLARE_FLAG(std::string, dump);

namespace nncert {
namespace {

absl::StatusOr<ExitStatus> Fuzz(absl::Span<const std::string> /*arguments*/) {
  const absl::StatusOr<absl::Duration> deadline = DeadlineFlag();
  if (!deadline.ok()) return deadline.status();
  CampaignOptions options;
  options.seed = absl::GetFlag(FLAGS_seed);
  options.time = absl::GetFlag(FLAGS_time);
  options.graphs = absl::GetFlag(FLAGS_graphs);
  if (options.time <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("--time must be above zero");
  }
  if (options.graphs == 0) {
    if (options.time == absl::InfiniteDuration()) {
      return absl::InvalidArgumentError("say for how long: --graphs=N or --time=DURATION");
    }
    options.graphs = std::numeric_limits<uint64_t>::max();
  }
  options.reduction_time = absl::GetFlag(FLAGS_reduce_time);
  options.run.deadline = *deadline;
  options.run.kernels = PlainFlag();
  options.run.dump_directory = absl::GetFlag(FLAGS_dump);
  options.should_stop = [] { return Interruption::IsRequested(); };
  options.on_progress = [](const CampaignResult& so_far) {
    std::cerr << DescribeProgress(so_far) << std::endl;
  };

  const absl::StatusOr<NamedDriver> driver = FindDriver(absl::GetFlag(FLAGS_driver).driver);
  if (!driver.ok()) return driver.status();
  absl::StatusOr<OpenedDriver> opened = OpenDriver(*driver, IsolationFlag(), *deadline);
  if (!opened.ok()) return opened.status();
  options.version = opened->session().hal_version();
  const absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> workers =
      opened->MakeWorkers(absl::GetFlag(FLAGS_jobs).OrProcessors(), *deadline);
  if (!workers.ok()) return workers.status();

  const CampaignResult result = RunCampaign(*workers, options);
  if (const std::string json = absl::GetFlag(FLAGS_json); !json.empty()) {
    if (absl::Status status = WriteTextFile(json, CampaignToJson(result)); !status.ok()) {
      return status;
    }
  }
  std::cout << Summarize(result) << std::flush;
  if (!result.failures.empty() || !result.lost.empty()) return ExitStatus::kFailure;
  const bool has_failing_finding =
      std::any_of(result.findings.begin(), result.findings.end(), [](const Finding& finding) {
        RunReport report;
        report.is_strict = absl::GetFlag(FLAGS_strict);
        return FailsRun(finding.kind, report);
      });
  if (has_failing_finding) return ExitStatus::kFailure;
  return result.is_interrupted ? ExitStatus::kInterrupted : ExitStatus::kSuccess;
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
                {"jobs", "N"},
                {"deadline", "DURATION"},
                {"reduce_time", "DURATION"},
                {"in_process", ""},
                {"unpinned", ""},
                {"plain", ""},
                {"strict", ""}},
      .run = &Fuzz,
  };
}

}  // namespace nncert
