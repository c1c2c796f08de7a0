// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Counts what case files, or the random graphs of seed 1, make of every rule about operations,
// operation by operation:
// ./bazelw run //drivers/faulty:count_units --
//     [--cases=FOLDER,FOLDER [--conditions] | --graphs=N] [--faults=NAME,NAME]
//
// A unit is a rule in one operation whose outputs it changes in some case. It is counted once: as
// failed, or else with a finding SUSPECT, or else BIASED, or else as passed.
//
// Of random graphs, and of cases with --conditions, also the rules under each condition are
// counted: a rule in an operation that does not pass, under a condition that some case has the
// operation meet, is caught when a case that meets the condition fails, or findings of such cases
// are SUSPECT or BIASED. Where the rule changes no case of the operation under the condition,
// nothing can be said. At the end there is a line with all rules by their verdict.

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cases/coverage/coverage.h"
#include "cases/coverage/coverage_counter.h"
#include "cases/coverage/coverage_items.h"
#include "drivers/faulty/kill_run.h"
#include "drivers/faulty/rules/fault.h"
#include "drivers/faulty/rules/rule.h"
#include "drivers/faulty/unit_count.h"
#include "random_graph/campaign_run.h"
#include "random_graph/graph_plan.h"

ABSL_FLAG(std::vector<std::string>, cases,
          std::vector<std::string>({"spec_tests/specs", "spec_tests/systematic"}),
          "the folders with the case files");
ABSL_FLAG(bool, conditions, false,
          "whether to count rules under conditions, of cases as of graphs");
ABSL_FLAG(uint64_t, graphs, 0, "as many random graphs in place of cases");
ABSL_FLAG(std::vector<std::string>, faults, {}, "these faults in place of all rules");
ABSL_FLAG(size_t, jobs, std::max(1u, std::thread::hardware_concurrency()),
          "how many faults to run at the same time");

namespace nncert::faulty {
namespace {

// The rules that bite single operations, and leave the process as it is.
std::vector<std::string> RulesAboutOperations() {
  std::vector<std::string> names;
  for (const Rule* rule : AllRules()) {
    const absl::StatusOr<std::vector<Fault>> faults = ParseFaults(std::string(rule->name));
    if (!faults.ok() || EndsProcess(*rule)) continue;
    if (faults->front().IsAboutOperations()) names.emplace_back(rule->name);
  }
  return names;
}

// How many rules under conditions are caught, of how many.
struct ConditionTotals {
  size_t caught = 0;
  size_t missed = 0;
  size_t unchanged = 0;
};

// The rule in each operation under each condition, in columns of the table.
void PrintConditions(const FaultCount& count, const Coverage& coverage, ConditionTotals& totals) {
  size_t caught = 0;
  std::vector<std::string> missed;
  std::vector<std::string> unchanged;
  for (const auto& [operation, unit] : count.units) {
    if (absl::StrContains(operation, '@') || !unit.IsCaught()) continue;
    for (const CoverageCondition& counted : CoverageConditions()) {
      const std::string_view condition = counted.text;
      if (coverage.Count(operation, condition) == 0) continue;
      const std::string name = absl::StrCat(operation, "@", std::string(condition));
      const auto found = count.units.find(name);
      if (found == count.units.end()) {
        unchanged.push_back(name);
      } else if (found->second.IsCaught()) {
        ++caught;
      } else {
        missed.push_back(absl::StrCat(name, " (", found->second.changed, ")"));
      }
    }
  }
  totals.caught += caught;
  totals.missed += missed.size();
  totals.unchanged += unchanged.size();
  std::cout << " " << caught << " | " << absl::StrJoin(missed, ", ") << " | "
            << absl::StrJoin(unchanged, ", ") << " |";
}

// What became of the units of all rules.
struct UnitTotals {
  size_t units = 0;
  size_t failed = 0;
  size_t suspect = 0;
  size_t biased = 0;
  size_t passed = 0;
};

// One row of the table, with the operations that pass.
void Print(const FaultCount& count, UnitTotals& totals) {
  size_t units = 0;
  size_t failed = 0;
  size_t suspect = 0;
  size_t biased = 0;
  std::vector<std::string> passed;
  for (const auto& [operation, unit] : count.units) {
    if (absl::StrContains(operation, '@')) continue;
    ++units;
    if (unit.failed > 0) {
      ++failed;
    } else if (unit.is_suspect) {
      ++suspect;
    } else if (unit.is_biased) {
      ++biased;
    } else {
      passed.push_back(absl::StrCat(operation, " (", unit.changed, ")"));
    }
  }
  totals.units += units;
  totals.failed += failed;
  totals.suspect += suspect;
  totals.biased += biased;
  totals.passed += passed.size();
  std::cout << "| " << count.fault << " | " << units << " | " << failed << " | " << suspect << " | "
            << biased << " | " << passed.size() << " | " << absl::StrJoin(passed, ", ") << " |";
}

// The first graphs that drivers are certified by.
std::vector<TestCase> RandomGraphs(uint64_t count) {
  GraphPlan plan(kCertificationSeed, hal::HalVersion::V1_2);
  std::vector<TestCase> graphs;
  for (uint64_t number = 0; number < count; ++number) {
    // What is hostile is judged by itself.
    if (!IsHostile(plan.WishesOf(number).elements)) graphs.push_back(plan.Make(number));
  }
  return graphs;
}

absl::Status Count() {
  const uint64_t graphs = absl::GetFlag(FLAGS_graphs);
  const bool has_conditions = graphs > 0 || absl::GetFlag(FLAGS_conditions);
  absl::StatusOr<std::vector<Test>> tests =
      graphs > 0 ? TestsOf(RandomGraphs(graphs)) : LoadTests(absl::GetFlag(FLAGS_cases));
  if (!tests.ok()) return tests.status();
  CoverageCounter counter;
  if (has_conditions) {
    for (const Test& test : *tests) counter.Add(*test.test_case);
  }
  const Coverage coverage = counter.Result();
  std::vector<std::string> faults = absl::GetFlag(FLAGS_faults);
  if (faults.empty()) faults = RulesAboutOperations();
  std::cout << "| rule | units | failed | SUSPECT | BIASED | passed | which (cases that change) |"
            << (has_conditions
                    ? " caught under conditions | missed (cases that change) | unchanged |"
                    : "")
            << "\n|--|--|--|--|--|--|--|" << (has_conditions ? "--|--|--|" : "") << std::endl;
  ConditionTotals totals;
  UnitTotals units;
  absl::Status status = CountUnitsApart(
      faults, *tests,
      has_conditions ? CountedFaults::kUnderConditions : CountedFaults::kInOperations,
      std::max<size_t>(1, absl::GetFlag(FLAGS_jobs)), [&](const FaultCount& count) {
        Print(count, units);
        if (has_conditions) PrintConditions(count, coverage, totals);
        std::cout << std::endl;
      });
  std::cout << "\nof " << units.units << " units failed " << units.failed << ", SUSPECT "
            << units.suspect << ", BIASED " << units.biased << ", passed " << units.passed
            << std::endl;
  if (has_conditions) {
    std::cout << "under conditions: " << totals.caught << " of " << totals.caught + totals.missed
              << " caught; " << totals.unchanged << " change nothing in these graphs" << std::endl;
  }
  return status;
}

int Main(int argument_count, char** arguments) {
  absl::ParseCommandLine(argument_count, arguments);
  const absl::Status status = Count();
  if (status.ok()) return 0;
  std::cerr << "count_units: " << status.message() << std::endl;
  return 1;
}

}  // namespace
}  // namespace nncert::faulty

int main(int argument_count, char** arguments) {
  return nncert::faulty::Main(argument_count, arguments);
}
