// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the cases of case files on a driver, each as a GoogleTest test with the name that Android's
// suite gives it: GeneratedTests.NAME and DynamicOutputShapeTest.NAME.
//
//     spec_test_main --driver=PATH [--suite=NAME] CASES...
//
// See driver_of_test.h for the driver. The suite, if the cases are of one that certify runs, is
// what `nncert merge` takes their results for.

#include <cstddef>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cases/case_source.h"
#include "certifying/case_batch.h"
#include "certifying/driver_of_test.h"
#include "certifying/report.h"
#include "certifying/submission/must_pass_list.h"
#include "certifying/submission/results_of_tests.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/records/case_answers.h"
#include "harness/records/verdict.h"

ABSL_FLAG(std::string, suite, "",
          "the suite of certify that the cases are of: specs or systematic");

namespace nncert {
namespace {

// What all tests share.
struct Suite {
  DriverOfTest driver;
  std::vector<LoadedCase> loaded;
  // In the order in which they were loaded, which results are kept by.
  std::vector<CaseInMode> cases;
};

// One case in one mode.
class SpecTest : public ::testing::Test {
 public:
  SpecTest(const Suite& suite, size_t place) : suite_(suite), place_(place) {}

  void TestBody() override {
    const CaseInMode& entry = suite_.cases[place_];
    const DriverOfTest& driver = suite_.driver;
    RunOptions options;
    options.at_once = true;
    options.dump_directory = driver.dump_directory;
    options.source_path = entry.loaded->source_path;
    AnswersBuilder answers;
    if (driver.answers != nullptr) options.answers = &answers;
    const CaseResult result = driver.worker->Run(entry.loaded->test_case, entry.mode, options);
    absl::Status kept;
    if (driver.answers != nullptr) kept = driver.answers->Append(place_, answers.answers());
    if (driver.journal != nullptr) kept.Update(driver.journal->Append(place_, result));
    ASSERT_TRUE(kept.ok()) << kept;
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
  const size_t place_;
};

void RegisterTests(const Suite& suite) {
  for (size_t place = 0; place < suite.cases.size(); ++place) {
    const CaseInMode& entry = suite.cases[place];
    ::testing::RegisterTest(
        std::string(FixtureName(entry.mode)).c_str(),
        NameInMode(entry.loaded->test_case, entry.mode).c_str(), nullptr, nullptr, __FILE__,
        __LINE__, [&suite, place]() -> ::testing::Test* { return new SpecTest(suite, place); });
  }
}

absl::StatusOr<Suite> LoadSuite(const std::vector<std::string>& paths) {
  absl::StatusOr<DriverOfTest> driver = OpenDriverOfTest(/*needs_processors=*/false);
  if (!driver.ok()) return driver.status();
  absl::StatusOr<LoadedCases> loaded = LoadCases(paths);
  if (!loaded.ok()) return loaded.status();
  if (!loaded->errors.empty()) return loaded->errors.front();
  if (loaded->cases.empty()) return absl::NotFoundError("there are no cases to run");
  Suite suite = {*std::move(driver), std::move(loaded->cases), {}};
  absl::StatusOr<std::vector<CaseInMode>> cases =
      SelectCases(suite.loaded, {TestMode::kStatic, TestMode::kDynamic}, /*filter=*/"");
  if (!cases.ok()) return cases.status();
  suite.cases = *std::move(cases);
  const std::string name = absl::GetFlag(FLAGS_suite);
  if (name.empty()) return suite;
  if (!IsSuiteOfCases(name)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--suite=", name, ": expected ", kSpecs, " or ", kSystematic));
  }
  const absl::StatusOr<ListedSuite> tests = ListCases(name.c_str(), suite.cases);
  if (!tests.ok()) return tests.status();
  if (absl::Status kept = KeepResults(*tests, suite.driver); !kept.ok()) return kept;
  return suite;
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
