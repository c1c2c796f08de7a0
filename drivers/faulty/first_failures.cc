// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How soon random graphs find each rule that changes a number or a shape, and how small they make
// what they find, as a table in Markdown:
// ./bazelw run //drivers/faulty:first_failures -- [--rules=REGEX] [--time=60s] [--jobs=2]
// [--seed=1]
//
// Each rule has a campaign as `nncert fuzz` runs it, with the driver in processes of its own, which
// ends when a failure counts or a finding is SUSPECT or BIASED. A failure is then made small; of a
// finding there is no smallest case. Every rule has the same graphs. Left out are rules that no
// single case shows (Rule::passes).

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "certifying/driver_names.h"
#include "certifying/name_filter.h"
#include "drivers/faulty/foreseen_tests.h"
#include "drivers/faulty/rules/rule.h"
#include "random_graph/campaign.h"
#include "random_graph/campaign_run.h"

ABSL_FLAG(std::string, rules, "", "the rules in whose names this regular expression occurs");
ABSL_FLAG(absl::Duration, time, absl::Seconds(60), "for how long a rule is looked for");
ABSL_FLAG(absl::Duration, reduce_time, absl::Seconds(30), "for how long a failure is made smaller");
ABSL_FLAG(size_t, jobs, 2, "how many graphs run at the same time");
ABSL_FLAG(uint64_t, seed, nncert::kCertificationSeed, "which random graphs");

namespace nncert::faulty {
namespace {

// Whether a rule changes numbers or shapes of results, in a process that goes on, and a single case
// may show it.
bool ChangesResults(const Rule& rule) {
  return rule.fault_class <= FaultClass::kResult && !EndsProcess(rule) && !rule.passes;
}

// What a campaign has found first.
struct FirstFound {
  Discovery when;
  // "FAIL", "SUSPECT".
  std::string kind;
  std::string operation;
  // Of a failure: how many operations its smallest case has, and how long it took to find that.
  std::optional<size_t> operations_left;
  absl::Duration reduction_time;
};

FirstFound FirstOf(const CampaignResult& result) {
  FirstFound found;
  found.when = *result.first_found;
  const GraphFailure* first = nullptr;
  for (const GraphFailure& failure : result.failures) {
    if (!failure.Counts(/*is_strict=*/false)) continue;
    if (first == nullptr || failure.found_after < first->found_after) first = &failure;
  }
  if (first != nullptr) {
    found.kind = std::string(toString(first->verdict));
    found.operation = first->operation;
    found.operations_left = first->smallest.model.operations.size();
    found.reduction_time = first->reduction_time;
    return found;
  }
  for (const Finding& finding : result.findings) {
    if (finding.kind != FindingKind::SUSPECT && finding.kind != FindingKind::BIASED) continue;
    found.kind = std::string(toString(finding.kind));
    found.operation = finding.operation;
    break;
  }
  return found;
}

// What came of all rules.
struct Totals {
  size_t rules = 0;
  std::vector<std::string> not_found;
  // Of failures.
  std::vector<size_t> operations_left;
  std::vector<absl::Duration> reduction_times;
};

// A row of the table.
void Print(const Rule& rule, const CampaignResult& result, Totals& totals) {
  ++totals.rules;
  if (!result.first_found.has_value()) {
    totals.not_found.emplace_back(rule.name);
    std::cout << absl::StrFormat("| `%s` | not found | | %d | %.1f | | |", std::string(rule.name),
                                 result.graphs, absl::ToDoubleSeconds(result.duration))
              << std::endl;
    return;
  }
  const FirstFound found = FirstOf(result);
  std::string left;
  std::string seconds;
  if (found.operations_left.has_value()) {
    left = absl::StrCat(*found.operations_left);
    seconds = absl::StrFormat("%.2f", absl::ToDoubleSeconds(found.reduction_time));
    totals.operations_left.push_back(*found.operations_left);
    totals.reduction_times.push_back(found.reduction_time);
  }
  std::cout << absl::StrFormat("| `%s` | %s | %s | %d | %.2f | %s | %s |", std::string(rule.name),
                               found.kind, found.operation, found.when.graphs,
                               absl::ToDoubleSeconds(found.when.after), left, seconds)
            << std::endl;
}

// What lies in the middle of the values, of which there are some.
template <class Value>
Value Median(std::vector<Value> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void Print(const Totals& totals) {
  std::cout << "\n"
            << totals.rules - totals.not_found.size() << " of " << totals.rules
            << " rules were found" << (totals.not_found.empty() ? "" : "; not found: ")
            << absl::StrJoin(totals.not_found, ", ") << ".\n";
  if (totals.operations_left.empty()) return;
  const std::vector<absl::Duration>& times = totals.reduction_times;
  std::cout << absl::StrFormat(
      "Of %d failures the smallest case has %d operations in the median, %d at the most; finding "
      "it took %.2f s in the median, %.2f s at the most.\n",
      times.size(), Median(totals.operations_left),
      *std::max_element(totals.operations_left.begin(), totals.operations_left.end()),
      absl::ToDoubleSeconds(Median(times)),
      absl::ToDoubleSeconds(*std::max_element(times.begin(), times.end())));
}

absl::StatusOr<CampaignResult> RunOn(const Rule& rule) {
  const absl::StatusOr<NamedDriver> driver =
      FindDriver(absl::StrCat("faulty:", std::string(rule.name)));
  if (!driver.ok()) return driver.status();
  absl::StatusOr<OpenedDriver> opened = OpenDriver(*driver, Isolation::kPinned);
  if (!opened.ok()) return opened.status();
  CampaignRunOptions options;
  options.jobs = std::max<size_t>(1, absl::GetFlag(FLAGS_jobs));
  options.campaign.seed = absl::GetFlag(FLAGS_seed);
  options.campaign.graphs = std::numeric_limits<uint64_t>::max();
  options.campaign.time = absl::GetFlag(FLAGS_time);
  options.campaign.reduction_time = absl::GetFlag(FLAGS_reduce_time);
  options.campaign.ends_when_found = true;
  return RunCampaignOn(*opened, std::move(options));
}

absl::Status Run() {
  const absl::StatusOr<NameFilter> filter = NameFilter::Of(absl::GetFlag(FLAGS_rules), "--rules");
  if (!filter.ok()) return filter.status();
  std::cout << "| rule | found as | in | graphs | seconds | operations left | seconds for that |\n"
            << "|--|--|--|--|--|--|--|" << std::endl;
  Totals totals;
  for (const Rule* rule : AllRules()) {
    if (!ChangesResults(*rule) || !filter->Leaves(std::string(rule->name))) continue;
    const absl::StatusOr<CampaignResult> result = RunOn(*rule);
    if (!result.ok()) {
      return absl::Status(result.status().code(),
                          absl::StrCat(std::string(rule->name), ": ", result.status().message()));
    }
    Print(*rule, *result, totals);
  }
  Print(totals);
  return absl::OkStatus();
}

int Main(int argument_count, char** arguments) {
  absl::ParseCommandLine(argument_count, arguments);
  const absl::Status status = Run();
  if (status.ok()) return 0;
  std::cerr << "first_failures: " << status.message() << std::endl;
  return 1;
}

}  // namespace
}  // namespace nncert::faulty

int main(int argument_count, char** arguments) {
  return nncert::faulty::Main(argument_count, arguments);
}
