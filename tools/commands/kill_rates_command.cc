// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "certifying/case_paths.h"
#include "certifying/name_filter.h"
#include "certifying/report.h"
#include "drivers/faulty/kill_rates/kill_rates.h"
#include "drivers/faulty/kill_rates/measuring.h"
#include "drivers/faulty/rules/rule.h"
#include "random_graph/campaign_report.h"
#include "random_graph/campaign_run.h"
#include "random_graph/graph_plan.h"
#include "system/interruption.h"
#include "system/whole_file.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

ABSL_DECLARE_FLAG(std::string, filter);
ABSL_DECLARE_FLAG(uint64_t, graphs);
ABSL_DECLARE_FLAG(std::string, journal);
ABSL_DECLARE_FLAG(std::vector<std::string>, suites);
ABSL_FLAG(bool, conditions, true, "whether to look at rules under conditions as well");
ABSL_FLAG(std::string, markdown, "",
          "write the tables in Markdown into this file, behind what it has above its mark");
ABSL_FLAG(std::string, rules, "", "only the rules in whose names this regular expression occurs");

namespace nncert {
namespace {

using faulty::MeasuredSuite;

// How many random graphs there are where nothing else is said.
constexpr uint64_t kGraphs = 2000;

// The graphs that drivers are certified by, from the first one on; what is hostile is judged by
// itself.
std::vector<TestCase> RandomGraphs(uint64_t count) {
  GraphPlan plan(kCertificationSeed, hal::HalVersion::V1_2);
  std::vector<TestCase> graphs;
  for (uint64_t number = 0; number < count; ++number) {
    if (!IsHostile(plan.WishesOf(number).elements)) graphs.push_back(plan.Make(number));
  }
  return graphs;
}

// The tests of the cases that the filter leaves.
MeasuredSuite SuiteOf(std::string name, LoadedCases loaded, bool is_measured,
                      const NameFilter& filter) {
  std::vector<TestCase> cases;
  for (LoadedCase& entry : loaded.cases) {
    if (filter.Leaves(entry.test_case.name)) cases.push_back(std::move(entry.test_case));
  }
  return {std::move(name), faulty::TestsOf(std::move(cases)), is_measured};
}

// The suites that --suites names, and the other ones of cases, by which it is known what rules
// change.
absl::StatusOr<std::vector<MeasuredSuite>> Suites() {
  std::vector<std::string> chosen = absl::GetFlag(FLAGS_suites);
  if (chosen.empty()) chosen = {kSpecs, kSystematic};
  const std::vector<std::string> known = {kSpecs, kSystematic, kRandomGraphs};
  for (const std::string& name : chosen) {
    if (absl::c_linear_search(known, name)) continue;
    return absl::InvalidArgumentError(absl::StrCat("--suites: there is no suite \"", name,
                                                   "\"; expected some of ",
                                                   absl::StrJoin(known, ", ")));
  }
  const absl::StatusOr<NameFilter> filter = NameFilter::Of(absl::GetFlag(FLAGS_filter));
  if (!filter.ok()) return filter.status();
  const auto is_chosen = [&](const char* name) { return absl::c_linear_search(chosen, name); };
  std::vector<MeasuredSuite> suites;
  absl::StatusOr<LoadedCases> specs = LoadBundledCases();
  if (!specs.ok()) return specs.status();
  suites.push_back(SuiteOf(kSpecs, *std::move(specs), is_chosen(kSpecs), *filter));
  absl::StatusOr<LoadedCases> systematic = LoadSystematicCases();
  if (!systematic.ok()) return systematic.status();
  suites.push_back(SuiteOf(kSystematic, *std::move(systematic), is_chosen(kSystematic), *filter));
  if (is_chosen(kRandomGraphs)) {
    const uint64_t graphs = absl::GetFlag(FLAGS_graphs);
    suites.push_back(
        {kRandomGraphs, faulty::TestsOf(RandomGraphs(graphs == 0 ? kGraphs : graphs)), true});
  }
  const auto has_tests = [](const MeasuredSuite& suite) {
    return suite.is_measured && !suite.tests.empty();
  };
  if (absl::c_any_of(suites, has_tests)) return suites;
  return absl::NotFoundError("there are no cases left to measure");
}

// A line for a rule that has been measured.
void Print(absl::Span<const faulty::Unit> units, size_t left) {
  if (units.empty()) return;
  faulty::OutcomeCount alone;
  faulty::OutcomeCount conditional;
  for (const faulty::Unit& unit : units) {
    (unit.condition.empty() ? alone : conditional).Add(unit.Best().outcome);
  }
  std::cout << units.front().rule->name << ": " << alone.caught() << " of " << alone.units()
            << " operations";
  if (conditional.units() > 0) {
    std::cout << ", " << conditional.caught() << " of " << conditional.units()
              << " under conditions";
  }
  std::cout << "; " << left << " rules left" << std::endl;
}

absl::StatusOr<ExitStatus> RunKillRates(absl::Span<const std::string> /*arguments*/) {
  faulty::MeasuringOptions options;
  options.has_conditions = absl::GetFlag(FLAGS_conditions);
  options.jobs = absl::GetFlag(FLAGS_jobs).OrProcessors();
  options.journal = absl::GetFlag(FLAGS_journal);
  options.resume = absl::GetFlag(FLAGS_resume);
  options.should_stop = &Interruption::IsRequested;
  options.on_rule = &Print;
  if (options.resume && options.journal.empty()) {
    return absl::InvalidArgumentError("--resume goes on with the run of a --journal");
  }
  const absl::StatusOr<std::vector<const faulty::Rule*>> rules =
      faulty::MeasurableRulesNamed(absl::GetFlag(FLAGS_rules));
  if (!rules.ok()) return rules.status();
  const absl::StatusOr<std::vector<MeasuredSuite>> suites = Suites();
  if (!suites.ok()) return suites.status();
  const absl::StatusOr<faulty::KillRates> rates =
      faulty::MeasureKillRates(*rules, *suites, options);
  if (absl::IsCancelled(rates.status()) && !options.journal.empty()) {
    return absl::CancelledError(absl::StrCat(rates.status().message(), "; --resume goes on"));
  }
  if (!rates.ok()) return rates.status();
  std::cout << "\n" << Summarize(*rates) << std::flush;
  absl::Status written;
  if (const std::string json = absl::GetFlag(FLAGS_json); !json.empty()) {
    written.Update(WriteTextFile(json, KillRatesToJson(*rates)));
  }
  if (const std::string markdown = absl::GetFlag(FLAGS_markdown); !markdown.empty()) {
    // A new one is of tables alone.
    const std::string document = ReadWholeFile(markdown).value_or("");
    written.Update(
        WriteTextFile(markdown, faulty::WithTables(document, KillRatesToMarkdown(*rates))));
  }
  if (!written.ok()) return written;
  return ExitStatus::kSuccess;
}

}  // namespace

Command KillRatesCommand() {
  return {
      .name = "kill_rates",
      .summary = "says which faults suites find, and which not",
      .description =
          "Runs suites of cases on the bundled driver with every rule of drivers/faulty that "
          "changes results,\none at a time, in every operation that it changes, alone and under "
          "each condition\n(docs/kill_rates.md). Suites are specs, systematic and random_graphs; "
          "by "
          "default the first two. Says of\neach rule how often it was caught, and of all by class, "
          "operation and suite what survived and why\n(--json, --markdown).",
      .flags = {{"suites", "NAME,..."},
                {"rules", "REGEX"},
                {"filter", "REGEX"},
                {"conditions", ""},
                {"graphs", "N"},
                {"jobs", "N"},
                {"journal", "FILE"},
                {"resume", ""},
                {"json", "FILE"},
                {"markdown", "FILE"}},
      .run = &RunKillRates,
  };
}

}  // namespace nncert
