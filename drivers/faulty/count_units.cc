// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Counts what case files make of every rule about operations, operation by operation:
// ./bazelw run //drivers/faulty:count_units -- [--cases=FOLDER] [--faults=NAME,NAME]
//
// A unit is a rule in one operation whose outputs it changes in some case. It is counted once: as
// failed, or else with a finding SUSPECT, or else BIASED, or else as passed.

#include <algorithm>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "drivers/faulty/fault.h"
#include "drivers/faulty/kill_run.h"
#include "drivers/faulty/rule.h"

ABSL_FLAG(std::string, cases, "spec_tests/specs", "the folder with the case files");
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

// One row of the table, with the operations that pass.
void Print(const FaultCount& count) {
  size_t failed = 0;
  size_t suspect = 0;
  size_t biased = 0;
  std::vector<std::string> passed;
  for (const auto& [operation, unit] : count.units) {
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
  std::cout << "| " << count.fault << " | " << count.units.size() << " | " << failed << " | "
            << suspect << " | " << biased << " | " << passed.size() << " | "
            << absl::StrJoin(passed, ", ") << " |" << std::endl;
}

absl::Status Count() {
  const absl::StatusOr<std::vector<Test>> tests = LoadTests(absl::GetFlag(FLAGS_cases));
  if (!tests.ok()) return tests.status();
  std::vector<std::string> faults = absl::GetFlag(FLAGS_faults);
  if (faults.empty()) faults = RulesAboutOperations();
  std::cout << "| rule | units | failed | SUSPECT | BIASED | passed | which (cases that change) |\n"
               "|--|--|--|--|--|--|--|"
            << std::endl;
  return CountUnitsApart(faults, *tests, std::max<size_t>(1, absl::GetFlag(FLAGS_jobs)), Print);
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
