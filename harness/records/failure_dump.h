// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Keeps a failing case for later: as data, as a spec, as a test in C++ and as a picture.

#ifndef NNCERT_HARNESS_RECORDS_FAILURE_DUMP_H_
#define NNCERT_HARNESS_RECORDS_FAILURE_DUMP_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cases/test_case.h"

namespace nncert {

/// What a case is dumped as: its name, whatever mode it fails in. Its name in the other mode if it
/// has no other.
const std::string& DumpName(const TestCase& test_case);

/// The files of a dump.
struct FailureDump {
  /// Paths of what was written, the case file first.
  std::vector<std::string> files;
  /// Not OK when a file could not be written, of several with the messages of all; the others are
  /// there all the same.
  absl::Status status;
};

/// The graph of a model, called `name`, for Graphviz.
std::string DrawingOf(const hal::V1_2::Model& model, std::string_view name);

/// Writes a case into `directory`, which is made when it does not exist: <name>.case, which any
/// tool of nncert runs again; <name>.mod.py, the same as a spec; <name>_test.cc, whose text is
/// `google_test` (see WriteGoogleTest), if there is one; <name>.dot, the model's graph for
/// Graphviz. Files of the same names are replaced.
FailureDump DumpCase(const TestCase& test_case, const absl::StatusOr<std::string>& google_test,
                     std::string_view name, const std::string& directory);

/// The sanitized name of a case that a file has if DumpCase wrote it, or did not write it to its
/// end; nothing for a file that is called otherwise.
std::optional<std::string> DumpedName(std::string_view path);

/// Whether a file that is there is one of those that DumpCase wrote: it has the name of one, and
/// the case file and the graph of that name are beside it; or it was not written to its end.
bool IsOfDump(const std::string& path);

/// `name` as the base name of a file: letters, digits, '-', '_', '+' and '.' stay, all else becomes
/// '_'. It never begins with a dot, is never empty, and is at most 200 bytes long; names that would
/// be cut or altered get a hash of the original behind, so that different names stay different.
std::string SanitizeFileName(std::string_view name);

/// What ReproduceLine begins with, where it is called by a program of this word.
std::string ReproduceStart(std::string_view program, std::string_view driver);

/// The command that runs a case file again: "nncert run --driver DRIVER FLAGS PATH", with what this
/// program is called by (ProgramWord), quoted for a shell where that is needed. `flags` has a space
/// before each flag and stays as it is.
std::string ReproduceLine(std::string_view driver, std::string_view flags, std::string_view path);

}  // namespace nncert

#endif  // NNCERT_HARNESS_RECORDS_FAILURE_DUMP_H_
