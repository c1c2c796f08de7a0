// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/runfiles.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace nncert {
namespace {

// The name of the workspace in WORKSPACE, which is the folder's name among the runfiles.
constexpr char kWorkspace[] = "nncert";

}  // namespace

absl::StatusOr<std::string> FindRunfile(const std::string& path) {
  std::vector<std::filesystem::path> folders;
  for (const char* variable : {"RUNFILES_DIR", "TEST_SRCDIR"}) {
    if (const char* folder = std::getenv(variable); folder != nullptr) folders.emplace_back(folder);
  }
  std::error_code error;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program += ".runfiles");
  for (const std::filesystem::path& folder : folders) {
    const std::filesystem::path found =
        std::filesystem::absolute(folder / kWorkspace / path, error).lexically_normal();
    if (!error && std::filesystem::exists(found, error)) return found.string();
  }
  return absl::NotFoundError(
      absl::StrCat("cannot find ", path, ", which should be in ",
                   folders.empty() ? "the program's runfiles" : folders.back().string(),
                   "; build the program with Bazel, and run it where it was built"));
}

}  // namespace nncert
