// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Reads test cases from case files, spec files and folders of both.

#ifndef NNCERT_CASES_CASE_SOURCE_H_
#define NNCERT_CASES_CASE_SOURCE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/test_case.h"

namespace nncert {

/// What reading spec files takes.
struct CaseSourceOptions {
  /// The spec reader: the package folder generators/spec_reader, or an executable. Empty: spec
  /// files cannot be read, and are errors.
  std::string spec_reader;
  /// The Python that runs the spec reader.
  std::string python = "/usr/bin/python3";
  /// Whether to read no further; asked now and then. Null for never.
  std::function<bool()> should_stop = nullptr;
  /// The folder of a SpecCache, which specs are looked for in, and kept; empty for none.
  std::string cache = {};
  /// Is told now and then how many specs have been read, of how many. Null for nobody.
  std::function<void(size_t done, size_t total)> on_progress = nullptr;
};

/// A test case, and where it came from.
struct LoadedCase {
  TestCase test_case;
  /// The case file or spec file.
  std::string source_path;
};

/// What was read.
struct LoadedCases {
  /// In the order of the paths given; within a folder sorted by path; within a file in its order.
  std::vector<LoadedCase> cases;
  /// One for each file that could not be read, each naming its file, in the same order. A file that
  /// has an error gives no cases.
  std::vector<absl::Status> errors;
};

/// Reads every case of `paths`: case files (.case), spec files (.mod.py), and folders, which are
/// searched for both, in subfolders as well. A path that does not exist, or is none of these, is an
/// error among LoadedCases::errors, as is a folder without any. Cases of Android's that contradict
/// the documentation get their deviation (see deviations.h). Fails as a whole only when no
/// temporary folder can be made, the spec reader cannot be started, or, with Cancelled, when it was
/// to read no further.
absl::StatusOr<LoadedCases> LoadCases(absl::Span<const std::string> paths,
                                      const CaseSourceOptions& options = {});

}  // namespace nncert

#endif  // NNCERT_CASES_CASE_SOURCE_H_
