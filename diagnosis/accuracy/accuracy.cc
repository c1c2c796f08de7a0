// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Measures how often the likely cause is the right one, by the failures of the bundled specs:
// ./bazelw run //diagnosis/accuracy -- [--rules=NAME,NAME] [--pairs=N]
//
// Prints a line for each unit that is not right, or that names something with the right rule left
// out, and the figures of docs/diagnosis.md at the end.

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "diagnosis/accuracy/accuracy_count.h"
#include "drivers/faulty/kill_run.h"
#include "random/split_mix.h"

ABSL_FLAG(std::string, cases, "spec_tests/specs", "the folder with the case files");
ABSL_FLAG(std::vector<std::string>, rules, {}, "these rules in place of all");
ABSL_FLAG(size_t, pairs, 20, "how many pairs of rules");
ABSL_FLAG(size_t, left_out_every, 1, "in every so many units the rule is left out as well");
ABSL_FLAG(size_t, jobs, std::max(1u, std::thread::hardware_concurrency()),
          "how many faults to diagnose at the same time");

namespace nncert {
namespace {

// Which pairs of rules are tried.
constexpr uint64_t kSeedOfPairs = 17;

struct Figures {
  size_t units = 0;
  size_t right = 0;
  size_t alone = 0;
  size_t unknown = 0;
  size_t left_out = 0;
  size_t named_without = 0;
  absl::Duration time;
  absl::Duration longest_of_failure;
  std::map<std::string, std::set<std::string>> operations;  // by fault

  void Add(const DiagnosedUnit& unit) {
    ++units;
    right += unit.is_right;
    alone += unit.is_right && unit.is_alone;
    unknown += unit.named.empty();
    left_out += unit.is_left_out;
    named_without += !unit.named_without.empty();
    time += unit.time;
    longest_of_failure =
        std::max(longest_of_failure, unit.time / static_cast<int64_t>(unit.failures));
    operations[unit.fault].insert(unit.operation);
  }
};

std::string Percent(size_t part, size_t all) {
  return absl::StrFormat(
      "%d of %d (%.1f %%)", part, all,
      all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

void Print(const DiagnosedUnit& unit) {
  if (!unit.is_right) {
    std::cout << "not right: " << unit.fault << " in " << unit.operation << ", " << unit.failures
              << " failures: "
              << (unit.named.empty() ? "none known" : absl::StrJoin(unit.named, ", ")) << std::endl;
  }
  if (!unit.named_without.empty()) {
    std::cout << "without " << unit.fault << " in " << unit.operation << ", " << unit.failures
              << " failures: " << unit.named_without << std::endl;
  }
}

// Pairs of different rules that both have units in one operation, as they are drawn.
std::vector<std::string> PairsOf(const Figures& singles, size_t count) {
  std::vector<std::string> rules;
  for (const auto& [rule, operations] : singles.operations) rules.push_back(rule);
  std::vector<std::string> pairs;
  SplitMix64 random(kSeedOfPairs);
  // There may be fewer.
  for (size_t i = 0; i < 1000 * count && pairs.size() < count && !rules.empty(); ++i) {
    const std::string a = random.OneOf(rules);
    const std::string b = random.OneOf(rules);
    const std::set<std::string>& of_a = singles.operations.at(a);
    const std::set<std::string>& of_b = singles.operations.at(b);
    const bool meet = std::any_of(of_a.begin(), of_a.end(), [&of_b](const std::string& operation) {
      return of_b.contains(operation);
    });
    const std::string pair = absl::StrCat(a, "+", b);
    const bool is_new = std::find(pairs.begin(), pairs.end(), pair) == pairs.end();
    if (a != b && meet && is_new) pairs.push_back(pair);
  }
  return pairs;
}

absl::Status MeasurePairs(const Figures& singles, const std::vector<faulty::Test>& tests,
                          size_t jobs) {
  Figures figures;
  size_t hidden = 0;
  std::map<std::string, size_t> right;
  // Of some nothing shows but one of the two.
  const size_t wanted = absl::GetFlag(FLAGS_pairs);
  const std::vector<std::string> pairs = PairsOf(singles, 2 * wanted);
  AccuracyOptions options;
  options.left_out_every = 0;
  absl::Status status =
      DiagnoseUnitsApart(pairs, tests, options, jobs, [&](const DiagnosedUnit& unit) {
        // Where one of them does nothing there is no pair.
        const std::vector<std::string> rules = absl::StrSplit(unit.fault, '+');
        for (const std::string& rule : rules) {
          if (!singles.operations.at(rule).contains(unit.operation)) return;
        }
        if (right.size() == wanted && !right.contains(unit.fault)) return;
        if (unit.is_hidden) {
          ++hidden;
          return;
        }
        Print(unit);
        figures.Add(unit);
        right[unit.fault] += unit.is_right;
      });
  if (!status.ok()) return status;
  const auto named = static_cast<size_t>(
      std::count_if(right.begin(), right.end(), [](const auto& pair) { return pair.second > 0; }));
  std::cout << "\npairs: both rules named, in some operation, of " << Percent(named, right.size())
            << "; units of pairs: " << Percent(figures.right, figures.units)
            << "; none known: " << figures.unknown
            << "; units in which one of the two does not show: " << hidden << std::endl;
  return absl::OkStatus();
}

absl::Status Measure() {
  const absl::StatusOr<std::vector<faulty::Test>> tests =
      faulty::LoadTests({absl::GetFlag(FLAGS_cases)});
  if (!tests.ok()) return tests.status();
  std::vector<std::string> rules = absl::GetFlag(FLAGS_rules);
  if (rules.empty()) rules = RulesToDiagnose();
  const size_t jobs = std::max<size_t>(1, absl::GetFlag(FLAGS_jobs));
  Figures figures;
  AccuracyOptions options;
  options.left_out_every = absl::GetFlag(FLAGS_left_out_every);
  absl::Status status =
      DiagnoseUnitsApart(rules, *tests, options, jobs, [&figures](const DiagnosedUnit& unit) {
        Print(unit);
        figures.Add(unit);
      });
  if (!status.ok()) return status;
  std::cout << "\nrules with units: " << figures.operations.size()
            << "\nthe rule, or one that cannot be told from it, first: "
            << Percent(figures.right, figures.units)
            << "\nnothing else named: " << Percent(figures.alone, figures.units)
            << "\nnone known: " << Percent(figures.unknown, figures.units)
            << "\na cause named without the rule: "
            << Percent(figures.named_without, figures.left_out)
            << "\ntime: " << figures.time / static_cast<int64_t>(std::max<size_t>(1, figures.units))
            << " a unit; the longest, for each of its failures: " << figures.longest_of_failure
            << std::endl;
  return MeasurePairs(figures, *tests, jobs);
}

int Main(int argument_count, char** arguments) {
  absl::ParseCommandLine(argument_count, arguments);
  const absl::Status status = Measure();
  if (status.ok()) return 0;
  std::cerr << "accuracy: " << status.message() << std::endl;
  return 1;
}

}  // namespace
}  // namespace nncert

int main(int argument_count, char** arguments) { return nncert::Main(argument_count, arguments); }
