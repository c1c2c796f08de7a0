// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the cases of case files on a driver, each as a GoogleTest test with the name that Android's
// suite gives it: GeneratedTests.NAME and DynamicOutputShapeTest.NAME.
//
//     spec_test_main --driver=PATH --driver_host=PATH CASES...
//
// See driver_of_test.h for the driver.

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cases/case_source.h"
#include "certifying/driver_of_test.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/records/verdict.h"

namespace nncert {
namespace {

// What all tests share.
struct Suite {
  DriverOfTest driver;
  std::vector<LoadedCase> cases;
};

// One case in one mode.
class SpecTest : public ::testing::Test {
 public:
  SpecTest(const Suite& suite, const LoadedCase& loaded, TestMode mode)
      : suite_(suite), loaded_(loaded), mode_(mode) {}

  void TestBody() override {
    RunOptions options;
    options.dump_directory = suite_.driver.dump_directory;
    options.source_path = loaded_.source_path;
    const CaseResult result = suite_.driver.worker->Run(loaded_.test_case, mode_, options);
    RecordProperty("verdict", std::string(toString(result.verdict)));
    RecordProperty("operation", result.operation);
    // A test that compares nothing cannot fail, which is a failure of the suite.
    if (IsFailure(result.verdict) || result.verdict == Verdict::VACUOUS) {
      FAIL() << toString(result.verdict) << ": " << result.detail;
    } else if (result.verdict != Verdict::PASS) {
      GTEST_SKIP() << toString(result.verdict) << ": " << result.detail;
    }
  }

 private:
  const Suite& suite_;
  const LoadedCase& loaded_;
  const TestMode mode_;
};

// Registers every case in every mode in which it has a name.
void RegisterTests(const Suite& suite) {
  for (const LoadedCase& loaded : suite.cases) {
    for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
      const std::string& name = NameInMode(loaded.test_case, mode);
      if (name.empty()) continue;
      ::testing::RegisterTest(std::string(FixtureName(mode)).c_str(), name.c_str(), nullptr,
                              nullptr, __FILE__, __LINE__,
                              [&suite, &loaded, mode]() -> ::testing::Test* {
                                return new SpecTest(suite, loaded, mode);
                              });
    }
  }
}

absl::StatusOr<Suite> LoadSuite(const std::vector<std::string>& paths) {
  absl::StatusOr<DriverOfTest> driver = OpenDriverOfTest();
  if (!driver.ok()) return driver.status();
  absl::StatusOr<LoadedCases> loaded = LoadCases(paths);
  if (!loaded.ok()) return loaded.status();
  if (!loaded->errors.empty()) return loaded->errors.front();
  if (loaded->cases.empty()) return absl::NotFoundError("there are no cases to run");
  return Suite{*std::move(driver), std::move(loaded->cases)};
}

int Main(int argument_count, char** arguments) {
  ::testing::InitGoogleTest(&argument_count, arguments);
  const std::vector<char*> rest = absl::ParseCommandLine(argument_count, arguments);
  absl::StatusOr<Suite> suite = LoadSuite({rest.begin() + 1, rest.end()});
  if (!suite.ok()) {
    std::cerr << "spec_test_main: " << suite.status().message() << std::endl;
    return 1;
  }
  RegisterTests(*suite);
  return RunTestsOn(suite->driver);
}

}  // namespace
}  // namespace nncert

int main(int argument_count, char** arguments) { return nncert::Main(argument_count, arguments); }
