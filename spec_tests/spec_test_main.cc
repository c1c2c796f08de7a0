// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the cases of case files on a driver, each as a GoogleTest test with the name that Android's
// suite gives it: GeneratedTests.NAME and DynamicOutputShapeTest.NAME.
//
//     spec_test_main --driver=PATH --driver_host=PATH CASES...
//
// The environment variable NNCERT_DRIVER goes before --driver: the path of a shared object, which
// an option may follow (PATH.so:OPTION), or the socket of a service, unix:PATH. The driver gets a
// process of its own from driver_host, so that a test that it crashes in fails and the next one
// runs; --in_process is for debuggers.

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cases/case_source.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/case_worker.h"
#include "harness/isolated_worker.h"
#include "harness/isolation/driver_process.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/verdict.h"

ABSL_FLAG(std::string, driver, "",
          "the driver under test: the path of a shared object, or unix: and the path of a socket");
ABSL_FLAG(std::string, driver_host, "", "the program that gives a driver a process of its own");
ABSL_FLAG(bool, in_process, false, "load the driver into this process");

namespace nncert {
namespace {

// What all tests share.
struct Suite {
  std::unique_ptr<DriverSession> session;  // of a driver in this process, else null
  std::unique_ptr<CaseWorker> worker;
  std::vector<LoadedCase> cases;
  std::string dump_directory;
};

std::optional<std::string> EnvironmentVariable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

// One case in one mode.
class SpecTest : public ::testing::Test {
 public:
  SpecTest(const Suite& suite, const LoadedCase& loaded, TestMode mode)
      : suite_(suite), loaded_(loaded), mode_(mode) {}

  void TestBody() override {
    RunOptions options;
    options.dump_directory = suite_.dump_directory;
    options.source_path = loaded_.source_path;
    const CaseResult result = suite_.worker->Run(loaded_.test_case, mode_, options);
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

// The driver, by the path that a reproduce line can name outside of the sandbox of this test.
DriverAndOption NamedDriver() {
  DriverAndOption driver = SplitDriverAndOption(
      EnvironmentVariable("NNCERT_DRIVER").value_or(absl::GetFlag(FLAGS_driver)));
  std::error_code error;
  const std::filesystem::path canonical = std::filesystem::canonical(driver.driver, error);
  if (!error) driver.driver = canonical.string();
  return driver;
}

// Opens the driver, and makes the suite's worker.
absl::Status OpenDriver(const DriverAndOption& driver, Suite& suite) {
  if (absl::GetFlag(FLAGS_in_process)) {
    absl::StatusOr<std::unique_ptr<DriverSession>> session =
        DriverSession::Open(driver.driver, kDefaultDeadline, driver.option);
    if (!session.ok()) return session.status();
    suite.session = *std::move(session);
    absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> workers =
        WorkersInProcess(*suite.session, 1);
    if (!workers.ok()) return workers.status();
    suite.worker = std::move(workers->front());
    return absl::OkStatus();
  }
  DriverProcessOptions options;
  options.name =
      driver.option.empty() ? driver.driver : absl::StrCat(driver.driver, ":", driver.option);
  options.program = absl::GetFlag(FLAGS_driver_host);
  options.option = driver.option;
  if (absl::StartsWith(driver.driver, kSocketPrefix)) {
    options.socket = driver.driver.substr(sizeof(kSocketPrefix) - 1);
  } else {
    options.driver = driver.driver;
  }
  absl::StatusOr<std::unique_ptr<DriverProcess>> host = DriverProcess::Start(options);
  if (!host.ok()) return host.status();
  suite.worker = std::move(IsolatedWorkers(options, *std::move(host), 1).front());
  return absl::OkStatus();
}

absl::StatusOr<Suite> LoadSuite(const std::vector<std::string>& paths) {
  Suite suite;
  const DriverAndOption driver = NamedDriver();
  if (driver.driver.empty()) {
    return absl::InvalidArgumentError(
        EnvironmentVariable("NNCERT_DRIVER").has_value()
            ? "NNCERT_DRIVER is empty: expected a driver, or no such variable"
            : "neither --driver nor NNCERT_DRIVER is set");
  }
  if (absl::Status status = OpenDriver(driver, suite); !status.ok()) return status;
  absl::StatusOr<LoadedCases> loaded = LoadCases(paths);
  if (!loaded.ok()) return loaded.status();
  if (!loaded->errors.empty()) return loaded->errors.front();
  if (loaded->cases.empty()) return absl::NotFoundError("there are no cases to run");
  suite.cases = std::move(loaded->cases);
  suite.dump_directory = EnvironmentVariable("TEST_UNDECLARED_OUTPUTS_DIR").value_or("");
  return suite;
}

int Main(int argument_count, char** arguments) {
  ::testing::InitGoogleTest(&argument_count, arguments);
  const std::vector<char*> rest = absl::ParseCommandLine(argument_count, arguments);
  const absl::StatusOr<Suite> suite = LoadSuite({rest.begin() + 1, rest.end()});
  if (!suite.ok()) {
    std::cerr << "spec_test_main: " << suite.status().message() << std::endl;
    return 1;
  }
  RegisterTests(*suite);
  const int failed = RUN_ALL_TESTS();
  // What happened to the driver between tests belongs to none of them.
  const std::vector<std::string> findings = suite->worker->TakeReport().findings;
  for (const std::string& finding : findings) std::cerr << "FAIL: " << finding << std::endl;
  return findings.empty() ? failed : 1;
}

}  // namespace
}  // namespace nncert

int main(int argument_count, char** arguments) { return nncert::Main(argument_count, arguments); }
