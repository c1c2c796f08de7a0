// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <iostream>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cases/case_source.h"
#include "certifying/case_paths.h"
#include "certifying/report.h"
#include "harness/judging/enclosure_statistics.h"
#include "system/interruption.h"
#include "system/threads.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

namespace nncert {
namespace {

// What became of one case.
struct Measured {
  EnclosureStatistics statistics;
  absl::Status status;
};

std::vector<Measured> MeasureAll(absl::Span<const LoadedCase> cases, size_t jobs) {
  std::vector<Measured> measured(cases.size());
  std::atomic<size_t> next = 0;
  RunOnThreads(jobs, [&](size_t /*number*/) {
    for (size_t i = next++; i < cases.size() && !Interruption::IsRequested(); i = next++) {
      measured[i].status = measured[i].statistics.Add(cases[i].test_case);
    }
  });
  return measured;
}

absl::StatusOr<ExitStatus> Enclosures(absl::Span<const std::string> paths) {
  const absl::StatusOr<LoadedCases> loaded = LoadCasesByFlags(paths);
  if (!loaded.ok()) return loaded.status();
  bool has_input_error = !loaded->errors.empty();
  for (const absl::Status& error : loaded->errors) PrintInputError(error);

  EnclosureStatistics statistics;
  size_t without_definition = 0;
  const std::vector<Measured> measured =
      MeasureAll(loaded->cases, absl::GetFlag(FLAGS_jobs).OrProcessors());
  if (Interruption::IsRequested()) {
    return absl::CancelledError("interrupted before every case was measured; nothing is written");
  }
  for (size_t i = 0; i < measured.size(); ++i) {
    const absl::Status& status = measured[i].status;
    if (status.ok()) {
      statistics.Merge(measured[i].statistics);
    } else if (absl::IsUnimplemented(status)) {
      ++without_definition;
    } else {
      has_input_error = true;
      PrintInputError(absl::Status(
          status.code(), absl::StrCat(loaded->cases[i].source_path, ": case ",
                                      loaded->cases[i].test_case.name, ": ", status.message())));
    }
  }

  for (const std::string& violation : statistics.violations()) {
    std::cout << "OUTSIDE " << violation << '\n';
  }
  std::cout << EnclosuresToTable(statistics);
  if (without_definition > 0) {
    std::cout << without_definition
              << " cases left out: the catalogue does not have one of their operations\n";
  }
  std::cout << std::flush;
  if (const std::string json = absl::GetFlag(FLAGS_json); !json.empty()) {
    if (absl::Status status = WriteTextFile(json, EnclosuresToJson(statistics)); !status.ok()) {
      return status;
    }
  }
  if (has_input_error) return ExitStatus::kBadInput;
  return statistics.violations().empty() ? ExitStatus::kSuccess : ExitStatus::kFailure;
}

}  // namespace

Command EnclosuresCommand() {
  return {
      .name = "enclosures",
      .arguments = "PATH...",
      .minimum_arguments = 1,
      .summary = "measures how tightly the reference encloses honest answers",
      .description =
          "Computes every case of spec files (.mod.py), case files (.case) and folders of them in "
          "float, in\ndouble and as enclosures, and prints for each operation: cases and output "
          "elements; the share of\nelements without a finite enclosure (undecided); how many "
          "results in float or double are outside of\ntheir enclosure; and the median and 99th "
          "percentile of the enclosure's radius in units of the\ndocumented threshold. A model of "
          "several operations counts under its last one. The exit status is\n0 when every result "
          "is inside, 1 when one is not, 2 when a file cannot be used.",
      .flags = {{"json", "FILE"}, {"jobs", "N"}, {"no_cache", ""}},
      .run = &Enclosures,
  };
}

}  // namespace nncert
