// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Writes the systematic cases of all operations: make_cases --out=FOLDER
//
// Each HAL version has a file, FOLDER/V1_0.case and so on, with the cases of the operations in the
// order of the catalogue.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cases/case_file.h"
#include "hal/version.h"
#include "reference/catalogue.h"
#include "spec_tests/systematic/operation_cases.h"
#include "system/threads.h"

ABSL_FLAG(std::string, out, "", "the folder for the case files");
ABSL_FLAG(bool, verbose, false, "whether to tell how many cases each operation has");

namespace nncert {
namespace {

// The cases of each operation.
std::vector<OperationCases> MakeAll() {
  const absl::Span<const OperationDefinition* const> operations = AllOperations();
  std::vector<OperationCases> made(operations.size());
  std::atomic<size_t> next = 0;
  RunOnThreads(std::max(1U, std::thread::hardware_concurrency()), [&](size_t /*number*/) {
    for (size_t i = next++; i < operations.size(); i = next++) {
      made[i] = MakeOperationCases(*operations[i]);
    }
  });
  return made;
}

absl::Status MakeCases() {
  const std::filesystem::path folder = absl::GetFlag(FLAGS_out);
  std::map<hal::HalVersion, std::vector<TestCase>> cases;
  const absl::Span<const OperationDefinition* const> operations = AllOperations();
  std::vector<OperationCases> made = MakeAll();
  for (size_t i = 0; i < operations.size(); ++i) {
    OperationCases& of_operation = made[i];
    if (absl::GetFlag(FLAGS_verbose)) {
      std::cout << operations[i]->name() << ": " << of_operation.cases.size() << " cases, "
                << of_operation.uncertain << " uncertain, " << of_operation.pairs_met << " of "
                << of_operation.pairs_seen << " pairs" << std::endl;
      for (const std::string& gap : of_operation.gaps) std::cout << "  gap: " << gap << std::endl;
    }
    for (TestCase& test_case : of_operation.cases) {
      cases[*test_case.minimumVersion].push_back(std::move(test_case));
    }
  }
  for (const hal::HalVersion version : hal::kHalVersions) {
    const std::string file(hal::namespaceName(version));
    absl::Status status =
        WriteCaseFile(folder / absl::StrCat(file, ".case"), "systematic cases", cases[version]);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

int Main(int argument_count, char** arguments) {
  absl::ParseCommandLine(argument_count, arguments);
  const absl::Status status = MakeCases();
  if (status.ok()) return 0;
  std::cerr << "make_cases: " << status.message() << std::endl;
  return 1;
}

}  // namespace
}  // namespace nncert

int main(int argument_count, char** arguments) { return nncert::Main(argument_count, arguments); }
