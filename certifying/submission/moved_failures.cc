// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/moved_failures.h"

#include <cstddef>
#include <optional>
#include <string>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "certifying/report_folder.h"

namespace nncert {

namespace fs = std::filesystem;

absl::Status MoveFailures(const fs::path& from, const fs::path& out, CaseResult& result) {
  const std::string new_part = absl::StrCat(out.string(), "/", kFailuresFolder, "/");
  for (std::string& file : result.dumped_files) {
    const std::optional<size_t> place = NameInFailures(file);
    if (!place.has_value()) continue;
    const std::string name = file.substr(*place);
    if (absl::c_linear_search(fs::path(name), "..")) {
      return absl::InvalidArgumentError(
          absl::StrCat(file, ": expected a file in the folder ", kFailuresFolder));
    }
    const fs::path to = fs::path(new_part) / name;
    std::error_code error;
    fs::create_directories(to.parent_path(), error);
    if (!error) {
      fs::copy_file(from / kFailuresFolder / name, to, fs::copy_options::overwrite_existing, error);
    }
    if (error) {
      return absl::UnavailableError(absl::StrCat("cannot copy ",
                                                 (from / kFailuresFolder / name).string(), " to ",
                                                 to.string(), ": ", error.message()));
    }
    result.detail = absl::StrReplaceAll(result.detail, {{file.substr(0, *place), new_part}});
    file = to.string();
  }
  return absl::OkStatus();
}

}  // namespace nncert
