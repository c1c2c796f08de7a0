// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/driver_of_test.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "harness/isolated_worker.h"
#include "harness/isolation/driver_process.h"

ABSL_FLAG(std::string, driver, "",
          "the driver under test: the path of a shared object, or unix: and the path of a socket");
ABSL_FLAG(std::string, driver_host, "", "the program that gives a driver a process of its own");
ABSL_FLAG(bool, in_process, false, "load the driver into this process");

namespace nncert {
namespace {

std::optional<std::string> EnvironmentVariable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
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

absl::Status OpenInProcess(const DriverAndOption& driver, DriverOfTest& opened) {
  absl::StatusOr<std::unique_ptr<DriverSession>> session =
      DriverSession::Open(driver.driver, kDefaultDeadline, driver.option);
  if (!session.ok()) return session.status();
  opened.session = *std::move(session);
  opened.version = opened.session->hal_version();
  absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> workers =
      WorkersInProcess(*opened.session, 1);
  if (!workers.ok()) return workers.status();
  opened.worker = std::move(workers->front());
  return absl::OkStatus();
}

absl::Status OpenIsolated(const DriverAndOption& driver, DriverOfTest& opened) {
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
  opened.version = (*host)->session().hal_version();
  opened.worker = std::move(IsolatedWorkers(options, *std::move(host), 1).front());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DriverOfTest> OpenDriverOfTest() {
  const DriverAndOption driver = NamedDriver();
  if (driver.driver.empty()) {
    return absl::InvalidArgumentError(
        EnvironmentVariable("NNCERT_DRIVER").has_value()
            ? "NNCERT_DRIVER is empty: expected a driver, or no such variable"
            : "neither --driver nor NNCERT_DRIVER is set");
  }
  DriverOfTest opened;
  const absl::Status status = absl::GetFlag(FLAGS_in_process) ? OpenInProcess(driver, opened)
                                                              : OpenIsolated(driver, opened);
  if (!status.ok()) return status;
  opened.dump_directory = EnvironmentVariable("TEST_UNDECLARED_OUTPUTS_DIR").value_or("");
  return opened;
}

int RunTestsOn(DriverOfTest& driver) {
  const int failed = RUN_ALL_TESTS();
  const std::vector<std::string> findings = driver.worker->TakeReport().findings;
  for (const std::string& finding : findings) std::cerr << "FAIL: " << finding << std::endl;
  return findings.empty() ? failed : 1;
}

}  // namespace nncert
