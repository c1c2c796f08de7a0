// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/driver_names.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/runfiles.h"

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

bool IsPath(absl::string_view text) {
  return absl::StrContains(text, '/') || absl::EndsWith(text, kSuffix);
}

// A driver as it was written, taken apart at the colon: "faulty:all_nan".
struct DriverAndOption {
  std::string driver;
  std::string option;
};

DriverAndOption TakeApart(const std::string& text) {
  std::error_code error;
  if (IsPath(text) && std::filesystem::is_regular_file(text, error)) return {text, ""};
  // A path may have colons of its own.
  size_t colon = text.find(absl::StrCat(kSuffix, ":"));
  if (colon != text.npos) {
    colon += sizeof(kSuffix) - 1;
  } else {
    colon = text.find(':');
    if (colon == text.npos || IsPath(text.substr(0, colon))) return {text, ""};
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// The driver that the build was configured with.
absl::StatusOr<NamedDriver> FindConfigured() {
  const absl::StatusOr<std::string> file = FindRunfile("tools/configured_driver.txt");
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
  if (absl::StartsWith(path, "drivers/") && !name.empty()) return NamedDriver{name, *found, ""};
  // Where it was built, which is there for longer than a link to it.
  std::error_code error;
  const std::filesystem::path built = std::filesystem::canonical(*found, error);
  return NamedDriver{error ? *found : built.string(), *found, ""};
}

}  // namespace

absl::StatusOr<NamedDriver> FindDriver(const std::string& driver) {
  if (driver.empty()) return FindConfigured();
  const DriverAndOption written = TakeApart(driver);
  if (IsPath(written.driver)) {
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

absl::StatusOr<std::unique_ptr<DriverSession>> OpenDriver(const NamedDriver& driver) {
  const absl::StatusOr<std::unique_ptr<DriverSession>> opened =
      DriverSession::Open(driver.path, kDefaultDeadline, driver.option);
  if (!opened.ok()) return opened.status();
  return DriverSession::FromDevice((*opened)->device(), driver.name);
}

absl::StatusOr<std::vector<std::string>> BundledDrivers() {
  const absl::StatusOr<std::map<std::string, std::string>> bundled = FindBundled();
  if (!bundled.ok()) return bundled.status();
  std::vector<std::string> names;
  for (const auto& [name, path] : *bundled) names.push_back(name);
  return names;
}

}  // namespace nncert
