// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs one suite on a driver, each of its tests as a GoogleTest test with the name that Android's
// suite gives it: ValidationTest.NAME.
//
//     hal_test_main --driver=PATH --suite=NAME [--systematic] CASES...
//
// See driver_of_test.h for the driver.

#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "cases/case_source.h"
#include "certifying/case_batch.h"
#include "certifying/driver_of_test.h"
#include "gtest/gtest.h"
#include "hal_tests/check.h"
#include "hal_tests/suite_run.h"

ABSL_FLAG(std::string, suite, "", "the suite to run: validate_model, ...");
ABSL_FLAG(bool, systematic, false, "the systematic cases are among CASES, behind the specs");

namespace nncert {
namespace {

// What all tests share.
struct LoadedSuite {
  DriverOfTest driver;
  std::vector<LoadedCase> cases;
  std::vector<std::unique_ptr<SuiteTest>> tests;
};

// One test of the suite.
class HalTest : public ::testing::Test {
 public:
  HalTest(const LoadedSuite& suite, size_t place)
      : driver_(suite.driver), place_(place), test_(*suite.tests[place]) {}

  void TestBody() override {
    const TestRecord record = RunTest(*driver_.worker, test_, kDefaultDeadline);
    if (driver_.journal != nullptr) {
      const absl::Status kept = driver_.journal->Append(EntryOf(place_, record));
      ASSERT_TRUE(kept.ok()) << kept;
    }
    const Verdict verdict = record.verdict();
    const CheckCount total = record.Total();
    RecordProperty("verdict", std::string(toString(verdict)));
    RecordProperty("operation", test_.operation());
    RecordProperty("passed", absl::StrCat(total.passed));
    RecordProperty("skipped", absl::StrCat(total.skipped));
    // A test that checks nothing cannot fail, which is a failure of the suite.
    if (IsFailure(verdict) || verdict == Verdict::VACUOUS) {
      FAIL() << toString(verdict) << ": " << record.Detail();
    } else if (verdict != Verdict::PASS) {
      GTEST_SKIP() << toString(verdict) << ": " << record.Detail();
    }
  }

 private:
  const DriverOfTest& driver_;
  const size_t place_;
  const SuiteTest& test_;
};

// Stands for the tests of a suite that has none for devices of the driver's version.
class NoTest : public ::testing::Test {
 public:
  void TestBody() override { GTEST_SKIP() << "the suite is about later versions of the HAL"; }
};

absl::Status Load(const std::vector<std::string>& paths, LoadedSuite& loaded) {
  const std::string name = absl::GetFlag(FLAGS_suite);
  const Suite* const suite = FindSuite(name);
  if (suite == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("--suite=", name, ": there is no such suite"));
  }
  if (absl::GetFlag(FLAGS_systematic) != suite->takes_systematic) {
    return absl::InvalidArgumentError(
        absl::StrCat("--suite=", name, suite->takes_systematic ? ": expected" : ": expected no",
                     " --systematic; see takes_systematic in hal_tests/suites.cc"));
  }
  absl::StatusOr<DriverOfTest> driver = OpenDriverOfTest(suite->needs_processors);
  if (!driver.ok()) return driver.status();
  loaded.driver = *std::move(driver);
  absl::StatusOr<LoadedCases> cases = LoadCases(paths);
  if (!cases.ok()) return cases.status();
  if (!cases->errors.empty()) return cases->errors.front();
  loaded.cases = std::move(cases->cases);
  const absl::StatusOr<std::vector<CaseInMode>> selected =
      SelectCases(loaded.cases, {TestMode::kStatic, TestMode::kDynamic}, /*filter=*/"");
  if (!selected.ok()) return selected.status();
  loaded.tests = suite->make_tests(*selected, loaded.driver.version);
  absl::Status kept = KeepResults(ListTests(*suite, loaded.tests), loaded.driver);
  if (!kept.ok()) return kept;
  if (loaded.tests.empty()) {
    ::testing::RegisterTest(std::string(suite->junit).c_str(), "HasNoTestsForThisVersion", nullptr,
                            nullptr, __FILE__, __LINE__,
                            []() -> ::testing::Test* { return new NoTest; });
  }
  for (size_t place = 0; place < loaded.tests.size(); ++place) {
    const SuiteTest& test = *loaded.tests[place];
    ::testing::RegisterTest(
        test.fixture().c_str(), test.name().c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [&loaded, place]() -> ::testing::Test* { return new HalTest(loaded, place); });
  }
  return absl::OkStatus();
}

int Main(int argument_count, char** arguments) {
  ::testing::InitGoogleTest(&argument_count, arguments);
  const std::vector<char*> rest = absl::ParseCommandLine(argument_count, arguments);
  LoadedSuite loaded;
  if (absl::Status status = Load({rest.begin() + 1, rest.end()}, loaded); !status.ok()) {
    std::cerr << "hal_test_main: " << status.message() << std::endl;
    return 1;
  }
  return RunTestsOn(loaded.driver);
}

}  // namespace
}  // namespace nncert

int main(int argument_count, char** arguments) { return nncert::Main(argument_count, arguments); }
