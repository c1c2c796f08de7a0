// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/driver_names.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "harness/isolated_worker.h"
#include "system/processor.h"
#include "system/runfiles.h"

namespace nncert {
namespace {

constexpr char kPrefix[] = "lib";
constexpr char kSuffix[] = ".so";

// The name of the driver in a file: "sample" for libsample.so; empty for other files.
std::string NameOfFile(const std::filesystem::path& path) {
  if (path.extension() != kSuffix) return "";
  const std::string stem = path.stem();
  return absl::StartsWith(stem, kPrefix) ? stem.substr(sizeof(kPrefix) - 1) : "";
}

// The paths of the bundled drivers by name.
absl::StatusOr<std::map<std::string, std::string>> FindBundled() {
  const absl::StatusOr<std::string> folder = FindRunfile("drivers");
  if (!folder.ok()) return folder.status();
  std::map<std::string, std::string> drivers;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(*folder, error), end;
       !error && entry != end; entry.increment(error)) {
    if (const std::string name = NameOfFile(entry->path()); !name.empty()) {
      drivers[name] = entry->path().string();
    }
  }
  if (error) return absl::UnknownError(absl::StrCat(*folder, ": ", error.message()));
  return drivers;
}

// The driver that the build was configured with.
absl::StatusOr<NamedDriver> FindConfigured() {
  const absl::StatusOr<std::string> file = FindRunfile("certifying/configured_driver.txt");
  if (!file.ok()) return file.status();
  std::ifstream stream(*file);
  std::string path;
  if (!std::getline(stream, path) || path.empty()) {
    return absl::NotFoundError(
        absl::StrCat(*file, " names no driver; expected the path of a shared object"));
  }
  const absl::StatusOr<std::string> found = FindRunfile(path);
  if (!found.ok()) return found.status();
  const std::string name = NameOfFile(path);
  if (absl::StartsWith(path, "drivers/") && !name.empty()) return NamedDriver{name, *found};
  // Where it was built, which is there for longer than a link to it.
  std::error_code error;
  const std::filesystem::path built = std::filesystem::canonical(*found, error);
  return NamedDriver{error ? *found : built.string(), *found};
}

}  // namespace

absl::StatusOr<NamedDriver> FindDriver(const std::optional<std::string>& asked_for) {
  if (!asked_for.has_value()) {
    const char* const from_environment = std::getenv("NNCERT_DRIVER");
    if (from_environment == nullptr) return FindConfigured();
    if (*from_environment != '\0') return FindDriver(from_environment);
    return absl::InvalidArgumentError(
        "the environment variable NNCERT_DRIVER is empty: expected a driver, or no such variable");
  }
  const std::string& driver = *asked_for;
  if (driver.empty()) return absl::InvalidArgumentError("the name of the driver is empty");
  if (absl::StartsWith(driver, kSocketPrefix)) {
    std::error_code error;
    const std::string socket = driver.substr(sizeof(kSocketPrefix) - 1);
    const std::filesystem::path path = std::filesystem::absolute(socket, error);
    if (socket.empty() || error) {
      return absl::NotFoundError(
          absl::StrCat("driver ", driver, ": expected the path of a socket behind unix:"));
    }
    return NamedDriver{.name = driver, .path = "", .option = "", .socket = path.string()};
  }
  const DriverAndOption written = SplitDriverAndOption(driver);
  if (IsDriverPath(written.driver)) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::absolute(written.driver, error);
    if (!error && std::filesystem::is_regular_file(path, error)) {
      return NamedDriver{driver, path.string(), written.option};
    }
    return absl::NotFoundError(absl::StrCat("driver ", written.driver, ": ",
                                            error ? error.message() : "not a regular file"));
  }
  const absl::StatusOr<std::map<std::string, std::string>> bundled = FindBundled();
  if (!bundled.ok()) return bundled.status();
  if (const auto found = bundled->find(written.driver); found != bundled->end()) {
    return NamedDriver{driver, found->second, written.option};
  }
  return absl::NotFoundError(absl::StrCat(
      "driver ", written.driver, ": expected the path of a shared object, or one of ",
      absl::StrJoin(*bundled, ", ",
                    [](std::string* text, const auto& entry) { text->append(entry.first); })));
}

absl::StatusOr<OpenedDriver> OpenDriver(const NamedDriver& driver, Isolation isolation,
                                        absl::Duration deadline, uint64_t memory) {
  const bool is_pinned = isolation == Isolation::kPinned || isolation == Isolation::kInProcess;
  const std::optional<int> processor = is_pinned ? std::optional(CurrentProcessor()) : std::nullopt;
  if (isolation == Isolation::kInProcess || isolation == Isolation::kInProcessUnpinned) {
    if (!driver.socket.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("driver ", driver.name, ": a service cannot run in this process"));
    }
    // The thread that calls the driver stays where it is started.
    const OnProcessor scope(processor);
    const absl::StatusOr<std::unique_ptr<DriverSession>> opened =
        DriverSession::Open(driver.path, deadline, driver.option);
    if (!opened.ok()) return opened.status();
    absl::StatusOr<std::unique_ptr<DriverSession>> session =
        DriverSession::FromDevice((*opened)->device(), driver.name, deadline);
    if (!session.ok()) return session.status();
    return OpenedDriver(driver, *std::move(session), processor);
  }
  DriverProcessOptions options;
  options.name = driver.name;
  options.driver = driver.path;
  options.option = driver.option;
  options.socket = driver.socket;
  options.deadline = deadline;
  options.memory = memory;
  if (driver.socket.empty()) {
    options.processor = processor;
    const absl::StatusOr<std::string> program = FindRunfile("hal/transport/driver_host");
    if (!program.ok()) return program.status();
    options.program = *program;
  }
  absl::StatusOr<std::unique_ptr<DriverProcess>> process = DriverProcess::Start(options);
  if (!process.ok()) return process.status();
  return OpenedDriver(driver, std::move(options), *std::move(process));
}

absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> OpenedDriver::MakeWorkers(
    size_t count, absl::Duration deadline) {
  if (process_ == nullptr) {
    return WorkersInProcess(*session_, count, deadline, process_options_.processor);
  }
  return IsolatedWorkers(process_options_, std::move(process_), count);
}

absl::StatusOr<std::vector<std::string>> BundledDrivers() {
  const absl::StatusOr<std::map<std::string, std::string>> bundled = FindBundled();
  if (!bundled.ok()) return bundled.status();
  std::vector<std::string> names;
  for (const auto& [name, path] : *bundled) names.push_back(name);
  return names;
}

}  // namespace nncert
