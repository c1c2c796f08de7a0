// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the bundled cases on the faulty driver with every rule and with some conditions, and writes
// what came of it into the README: ./bazelw run //drivers/faulty:update_readme
//
// With --fault=NAME it prints what the cases make of that fault instead.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "drivers/faulty/kill_run.h"
#include "drivers/faulty/readme.h"

ABSL_FLAG(std::string, cases, "spec_tests/specs", "the folder with the case files");
ABSL_FLAG(std::string, readme, "", "the README; by default that of the workspace");
ABSL_FLAG(size_t, jobs, std::max(1u, std::thread::hardware_concurrency()),
          "how many faults to run at the same time");
ABSL_FLAG(std::string, fault, "", "print what the cases make of this fault, and write nothing");

namespace nncert::faulty {
namespace {

std::string ReadmePath() {
  std::string path = absl::GetFlag(FLAGS_readme);
  if (!path.empty()) return path;
  const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  return absl::StrCat(workspace == nullptr ? "." : workspace, "/drivers/faulty/README.md");
}

absl::StatusOr<std::vector<Kill>> RunAndPrint(const std::vector<std::string>& faults,
                                              const std::vector<Test>& tests) {
  const size_t jobs = std::max<size_t>(1, absl::GetFlag(FLAGS_jobs));
  return RunFaultsApart(
      faults, [&tests](const std::string&) { return absl::MakeConstSpan(tests); }, jobs,
      [](const Kill& kill) {
        std::cout << kill.fault << ": " << kill.verdict << ", " << kill.tests << " tests of "
                  << kill.operations << " operations, " << kill.witness << std::endl;
      });
}

absl::Status Update() {
  const absl::StatusOr<std::vector<Test>> tests = LoadTests({absl::GetFlag(FLAGS_cases)});
  if (!tests.ok()) return tests.status();
  if (const std::string fault = absl::GetFlag(FLAGS_fault); !fault.empty()) {
    return RunAndPrint({fault}, *tests).status();
  }
  const std::string path = ReadmePath();
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::string readme = text.str();
  const size_t mark = readme.find(kReadmeMark);
  if (mark == readme.npos) {
    return absl::NotFoundError(
        absl::StrCat(path, ": expected the line ", std::string(kReadmeMark)));
  }
  std::vector<std::string> names;
  for (const Rule* rule : AllRules()) names.emplace_back(rule->name);
  const absl::StatusOr<std::vector<Kill>> rules = RunAndPrint(names, *tests);
  if (!rules.ok()) return rules.status();
  const absl::StatusOr<std::vector<Kill>> conditional = RunAndPrint(ConditionalFaults(), *tests);
  if (!conditional.ok()) return conditional.status();
  readme.resize(mark + kReadmeMark.size());
  std::ofstream stream(path);
  stream << readme << ReadmeTables(*rules, *conditional);
  return stream.good() ? absl::OkStatus() : absl::UnknownError(absl::StrCat("cannot write ", path));
}

int Main(int argument_count, char** arguments) {
  absl::ParseCommandLine(argument_count, arguments);
  const absl::Status status = Update();
  if (status.ok()) return 0;
  std::cerr << "update_readme: " << status.message() << std::endl;
  return 1;
}

}  // namespace
}  // namespace nncert::faulty

int main(int argument_count, char** arguments) {
  return nncert::faulty::Main(argument_count, arguments);
}
