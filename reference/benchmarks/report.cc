// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/benchmarks/report.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace nncert::benchmarks {
namespace {

std::string Time(double seconds) {
  if (seconds == 0) return "-";
  if (seconds < 1e-3) return absl::StrFormat("%.2f us", seconds * 1e6);
  return absl::StrFormat("%.3f ms", seconds * 1e3);
}

std::string Ratio(double time, double other) {
  return time == 0 || other == 0 ? "-" : absl::StrFormat("%.2f", time / other);
}

std::string Rate(const Row& row, double seconds) {
  if (seconds == 0) return "-";
  if (row.flops != 0) return absl::StrFormat("%.1f GFLOP/s", row.flops / seconds * 1e-9);
  if (row.bytes != 0) return absl::StrFormat("%.1f GB/s", row.bytes / seconds * 1e-9);
  return absl::StrFormat("%.0f /s", 1 / seconds);
}

std::string Share(double least, double seconds) {
  return least == 0 || seconds == 0 ? "-" : absl::StrFormat("%.0f %%", 100 * least / seconds);
}

}  // namespace

bool TimeCollector::ReportContext(const Context& /*context*/) { return true; }

void TimeCollector::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration) continue;
    const std::string name = run.run_name.function_name;
    if (run.error_occurred) {
      errors_.push_back(name + ": " + run.error_message);
      continue;
    }
    const bool is_real = run.run_name.time_type == "real_time";
    const double seconds = (is_real ? run.real_accumulated_time : run.cpu_accumulated_time) /
                           static_cast<double>(run.iterations);
    const auto [found, is_new] = seconds_.emplace(name, seconds);
    if (!is_new) found->second = std::min(found->second, seconds);
  }
}

double TimeCollector::SecondsOf(const std::string& row, const std::string& backend) const {
  const auto found = seconds_.find(row + "/" + backend);
  return found == seconds_.end() ? 0 : found->second;
}

void PrintTable(const std::vector<Row>& rows, const TimeCollector& times, std::ostream& out) {
  constexpr char kFormat[] = "%-26s %11s %11s %-8s %6s %9s %15s %8s %8s %8s  %s\n";
  out << absl::StrFormat(kFormat, "", "nncert", "peer", "", "ratio", "Android's", "rate", "of peak",
                         "double/", "ball/", "difference");
  std::vector<std::string> ahead;
  std::vector<std::string> behind;
  std::vector<std::string> unknown;
  for (const Row& row : rows) {
    const double fast = times.SecondsOf(row.name, "nncert");
    const double peer = times.SecondsOf(row.name, row.peer);
    const bool is_known = row.android_ratio != 0 && fast != 0 && peer != 0;
    (!is_known ? unknown : fast < row.android_ratio * peer ? ahead : behind).push_back(row.name);
    out << absl::StrFormat(kFormat, row.name, Time(fast), Time(peer), row.peer, Ratio(fast, peer),
                           Ratio(row.android_ratio, 1), Rate(row, fast),
                           Share(row.least_seconds, fast),
                           Ratio(times.SecondsOf(row.name, "double"), fast),
                           Ratio(times.SecondsOf(row.name, "ball"), fast), row.difference);
  }
  const auto list = [](const std::vector<std::string>& names) {
    return names.empty() ? "none" : absl::StrJoin(names, ", ");
  };
  out << "Ahead of the ratio of Android's CPU executor, of another machine: " << list(ahead)
      << "; behind it: " << list(behind) << "; not known: " << list(unknown) << '\n';
}

}  // namespace nncert::benchmarks
