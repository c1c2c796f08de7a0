// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/page/write_results.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mlts/page/results_page.h"
#include "mlts/results/results_csv.h"
#include "mlts/results/results_json.h"
#include "system/whole_file.h"

namespace nncert {

absl::Status WriteResults(const MltsResults& results, const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat(directory, ": the folder cannot be made: ", error.message()));
  }
  // The page is the last to be there: who finds it finds the others.
  for (const auto& [name, text] : {std::pair("results.json", MltsResultsToJson(results)),
                                   std::pair("results.csv", MltsResultsToCsv(results)),
                                   std::pair("report.html", MltsResultsToHtml(results))}) {
    const std::string path = (std::filesystem::path(directory) / name).string();
    absl::Status status = WriteWholeFile(path, text);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace nncert
