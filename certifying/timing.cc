// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/timing.h"

#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "system/escape.h"

namespace nncert {
namespace {

std::string Seconds(absl::Duration duration) {
  return absl::StrFormat("%.3f", RoundedSeconds(duration));
}

}  // namespace

double RoundedSeconds(absl::Duration duration) {
  return std::round(absl::ToDoubleSeconds(duration) * 1000) / 1000;
}

std::string TimingToJson(const RunReport& report) {
  std::string json =
      absl::StrCat("{\n  \"format\": ", kTimingFormat, ",\n  \"start\": \"",
                   absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", report.start, absl::UTCTimeZone()),
                   "\",\n  \"seconds\": ", Seconds(report.duration), ",\n");
  if (report.process.has_value()) {
    absl::StrAppend(&json, "  \"process\": {\"restarts\": ", report.process->restarts,
                    ", \"cpuSeconds\": ", Seconds(report.process->cpu_time),
                    ", \"peakMemoryBytes\": ", report.process->peak_memory, "},\n");
  }
  std::vector<std::string> suites;
  for (const SuiteTotal& suite : SuiteTotals(report)) {
    suites.push_back(absl::StrCat("\n    {\"name\": \"", EscapeJson(suite.name),
                                  "\", \"seconds\": ", Seconds(suite.duration), "}"));
  }
  return absl::StrCat(json, "  \"suites\": [", absl::StrJoin(suites, ","),
                      suites.empty() ? "" : "\n  ", "]\n}\n");
}

}  // namespace nncert
