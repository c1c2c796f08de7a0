// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/driver_of_test.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "certifying/report.h"
#include "certifying/report_folder.h"
#include "certifying/run_identity.h"
#include "certifying/submission/results_of_tests.h"
#include "certifying/version.h"
#include "gtest/gtest.h"
#include "harness/records/worker_report.h"
#include "system/processor.h"
#include "system/whole_file.h"

ABSL_FLAG(std::string, driver, "",
          "the driver under test: the path of a shared object, or unix: and the path of a socket");
ABSL_FLAG(bool, in_process, false, "load the driver into this process");
ABSL_FLAG(bool, unpinned, false, "let the driver run on any processors");

namespace nncert {
namespace {

std::optional<std::string> EnvironmentVariable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

// Where Bazel keeps what a test writes; empty outside of Bazel.
std::filesystem::path KeptFolder() {
  return EnvironmentVariable("TEST_UNDECLARED_OUTPUTS_DIR").value_or("");
}

// The driver, by the path that a reproduce line can name outside of the sandbox of this test.
DriverAndOption WrittenDriver() {
  DriverAndOption driver = SplitDriverAndOption(
      EnvironmentVariable("NNCERT_DRIVER").value_or(absl::GetFlag(FLAGS_driver)));
  std::error_code error;
  const std::filesystem::path canonical = std::filesystem::canonical(driver.driver, error);
  if (!error) driver.driver = canonical.string();
  return driver;
}

// Where the flags say that it is to live.
Isolation WrittenIsolation(bool needs_processors) {
  const bool is_pinned = !needs_processors && !absl::GetFlag(FLAGS_unpinned);
  if (absl::GetFlag(FLAGS_in_process)) {
    return is_pinned ? Isolation::kInProcess : Isolation::kInProcessUnpinned;
  }
  return is_pinned ? Isolation::kPinned : Isolation::kUnpinned;
}

}  // namespace

absl::StatusOr<DriverOfTest> OpenDriverOfTest(bool needs_processors) {
  const DriverAndOption written = WrittenDriver();
  if (written.driver.empty()) {
    return absl::InvalidArgumentError(
        EnvironmentVariable("NNCERT_DRIVER").has_value()
            ? "NNCERT_DRIVER is empty: expected a driver, or no such variable"
            : "neither --driver nor NNCERT_DRIVER is set");
  }
  DriverOfTest test;
  test.driver = {.name = written.option.empty() ? written.driver
                                                : absl::StrCat(written.driver, ":", written.option),
                 .path = "",
                 .option = written.option};
  absl::string_view socket = written.driver;
  if (absl::ConsumePrefix(&socket, kSocketPrefix)) {
    test.driver.socket = std::string(socket);
  } else {
    test.driver.path = written.driver;
  }
  absl::StatusOr<OpenedDriver> opened = OpenDriver(test.driver, WrittenIsolation(needs_processors));
  if (!opened.ok()) return opened.status();
  test.opened = std::make_unique<OpenedDriver>(*std::move(opened));
  test.version = test.opened->session().hal_version();
  test.version_string = test.opened->session().version_string();
  absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> workers =
      test.opened->MakeWorkers(1, kDefaultDeadline);
  if (!workers.ok()) return workers.status();
  test.worker = std::move(workers->front());
  if (!KeptFolder().empty()) test.dump_directory = KeptFolder() / kFailuresFolder;
  return test;
}

absl::Status KeepResults(const ListedSuite& tests, DriverOfTest& driver) {
  const std::filesystem::path folder = KeptFolder();
  if (folder.empty()) return absl::OkStatus();
  absl::StatusOr<RunIdentity> run =
      RunIdentityOf(driver.driver, driver.version_string, SelectionOfTests(kDefaultDeadline));
  if (!run.ok()) return run.status();
  run->case_count = tests.count;
  const MustPassList list = {
      .nncert = kVersion, .hal_version = std::string(toString(driver.version)), .suites = {tests}};
  absl::Status written = WriteTextFile(folder / kTestsFile, MustPassListToText(list));
  if (!written.ok()) return written;
  absl::StatusOr<std::unique_ptr<Journal>> journal =
      Journal::Create(folder / JournalFileOf(tests.name), *run);
  if (!journal.ok()) return journal.status();
  driver.journal = *std::move(journal);
  if (!IsSuiteOfCases(tests.name)) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<AnswersFile>> answers =
      AnswersFile::Create(folder / kAnswersFile, tests.count);
  if (!answers.ok()) return answers.status();
  driver.answers = *std::move(answers);
  return absl::OkStatus();
}

int RunTestsOn(DriverOfTest& driver) {
  const OnProcessor scope(driver.worker->processor());
  const int failed = RUN_ALL_TESTS();
  const WorkerReport report = driver.worker->TakeReport();
  for (const std::string& finding : report.findings) std::cerr << "FAIL: " << finding << std::endl;
  const absl::Status kept =
      driver.journal == nullptr ? absl::OkStatus() : driver.journal->Append(report);
  if (!kept.ok()) std::cerr << "FAIL: " << kept.message() << std::endl;
  return report.findings.empty() && kept.ok() ? failed : 1;
}

}  // namespace nncert
