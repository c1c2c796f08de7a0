// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/case_paths.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "certifying/progress.h"
#include "system/escape.h"
#include "system/interruption.h"
#include "system/runfiles.h"

namespace nncert {
namespace {

// All cases of a folder of runfiles.
absl::StatusOr<LoadedCases> LoadRunfiles(const std::string& path) {
  const absl::StatusOr<std::string> folder = FindRunfile(path);
  if (!folder.ok()) return folder.status();
  absl::StatusOr<LoadedCases> loaded = LoadCases({*folder});
  if (loaded.ok() && !loaded->errors.empty()) return loaded->errors.front();
  return loaded;
}

}  // namespace

absl::StatusOr<LoadedCases> LoadCasesOfUser(absl::Span<const std::string> paths,
                                            const std::string& cache) {
  const absl::StatusOr<std::string> spec_reader = FindRunfile("generators/spec_reader");
  if (!spec_reader.ok()) return spec_reader.status();
  CaseSourceOptions options;
  options.spec_reader = *spec_reader;
  options.should_stop = &Interruption::IsRequested;
  options.cache = cache;
  ProgressLine line(std::cerr, isatty(STDERR_FILENO) != 0);
  TimeLeft time_left;
  options.on_progress = [&](size_t done, size_t total) {
    if (!line.IsDue()) return;
    line.Show(absl::StrCat(done, " of ", total, " specs read", time_left.Describe(done, total)));
  };
  return LoadCases(paths, options);
}

absl::StatusOr<LoadedCases> LoadBundledCases() { return LoadRunfiles("spec_tests/specs"); }

absl::StatusOr<LoadedCases> LoadSystematicCases() { return LoadRunfiles("spec_tests/systematic"); }

void PrintInputError(const absl::Status& error) {
  std::string message(error.message());
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::cerr << "nncert: " << EscapeForTerminal(message) << std::endl;
}

}  // namespace nncert
