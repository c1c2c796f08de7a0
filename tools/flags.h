// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The flags that the commands share.

#ifndef NNCERT_TOOLS_FLAGS_H_
#define NNCERT_TOOLS_FLAGS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cases/case_source.h"
#include "certifying/driver_names.h"
#include "harness/case_runner.h"
#include "harness/case_worker.h"
#include "harness/records/case_result.h"

namespace nncert {

/// The driver that somebody asks for: --driver=sample. Nothing where the flag is not given.
struct DriverChoice {
  std::optional<std::string> driver;
};

/// Reads any text but an empty one, which "--driver=$MY_DRIVER" may come to.
bool AbslParseFlag(absl::string_view text, DriverChoice* choice, std::string* error);

/// Writes what AbslParseFlag reads; nothing where there is no choice.
std::string AbslUnparseFlag(const DriverChoice& choice);

/// Where a command writes: --out=FOLDER. Nothing where the flag is not given.
struct OutputPath {
  std::optional<std::string> path;
};

/// Reads any text but an empty one.
bool AbslParseFlag(absl::string_view text, OutputPath* output, std::string* error);
/// Writes what AbslParseFlag reads; nothing where there is no path.
std::string AbslUnparseFlag(const OutputPath& output);

/// The modes that cases are run in: --modes=static,dynamic.
struct TestModes {
  std::vector<TestMode> modes = {TestMode::kStatic, TestMode::kDynamic};
};

/// Reads a comma-separated list of "static" and "dynamic", at least one of them.
bool AbslParseFlag(absl::string_view text, TestModes* modes, std::string* error);

/// Writes what AbslParseFlag reads.
std::string AbslUnparseFlag(const TestModes& modes);

/// A number of jobs: --jobs=2. 0 stands for the number of processors.
struct Jobs {
  size_t count = 0;

  /// The number, at least 1.
  size_t OrProcessors() const;
};

/// Reads a number from 0 to 256.
bool AbslParseFlag(absl::string_view text, Jobs* jobs, std::string* error);

/// Writes what AbslParseFlag reads; nothing for 0.
std::string AbslUnparseFlag(const Jobs& jobs);

/// An amount of memory: --memory=2G. Nothing where the flag is not given.
struct MemorySize {
  std::optional<uint64_t> bytes;
};

/// Reads a number above 0 with K, M, G or T behind it, for powers of 1024, or a number of bytes.
bool AbslParseFlag(absl::string_view text, MemorySize* size, std::string* error);

/// Writes what AbslParseFlag reads; nothing where there is no size.
std::string AbslUnparseFlag(const MemorySize& size);

/// The cases of paths, those of specs from the user's cache, unless --no_cache is given. See
/// LoadCasesOfUser.
absl::StatusOr<LoadedCases> LoadCasesByFlags(absl::Span<const std::string> paths);

/// Where --in_process and --unpinned say that the driver is to live.
Isolation IsolationFlag();

/// How many bytes --memory allows the driver's processes, by default DefaultDriverMemory.
uint64_t MemoryFlag();

/// Opens a driver where the former flags, and with the memory that --memory says. Fails as
/// OpenDriver.
absl::StatusOr<OpenedDriver> OpenDriverByFlags(const NamedDriver& driver, absl::Duration deadline);

/// A driver with workers, which go before it.
struct DriverWithWorkers {
  OpenedDriver driver;
  std::vector<std::unique_ptr<CaseWorker>> workers;
};

/// Opens a driver with the memory that --memory says, and makes so many workers. Fails as
/// OpenDriver and OpenedDriver::MakeWorkers do.
absl::StatusOr<DriverWithWorkers> OpenWithWorkers(const NamedDriver& driver, Isolation isolation,
                                                  size_t count, absl::Duration deadline);

/// --in_process, --unpinned and --memory where they are given, as they are written on a command
/// line, with a space before each; may be empty.
std::string IsolationWords();

/// Whether --plain is given, as it is written on a command line, with a space before it; may be
/// empty.
std::string PlainWords();

/// What --jobs says, if it is given, as it is written on a command line, with a space before it;
/// may be empty.
std::string JobsWords();

/// --deadline where it is not the usual one, as it is written on a command line, with a space
/// before it; may be empty.
std::string DeadlineWords();

/// How cases are run by the flags that commands share, and what makes them fail again: dumped
/// nowhere, within a deadline that DeadlineFlag gave.
RunOptions RunOptionsByFlags(absl::Duration deadline);

/// Whether --strict is given, as it is written on a command line, with a space before it; may be
/// empty.
std::string StrictWords();

/// What --deadline says; InvalidArgument when it is not above zero.
absl::StatusOr<absl::Duration> DeadlineFlag();

}  // namespace nncert

ABSL_DECLARE_FLAG(nncert::DriverChoice, driver);
ABSL_DECLARE_FLAG(absl::Duration, deadline);
ABSL_DECLARE_FLAG(nncert::Jobs, jobs);
ABSL_DECLARE_FLAG(bool, in_process);
ABSL_DECLARE_FLAG(std::string, json);
ABSL_DECLARE_FLAG(bool, no_cache);
ABSL_DECLARE_FLAG(nncert::OutputPath, out);
ABSL_DECLARE_FLAG(bool, plain);
ABSL_DECLARE_FLAG(bool, resume);
ABSL_DECLARE_FLAG(bool, strict);
ABSL_DECLARE_FLAG(bool, unpinned);

#endif  // NNCERT_TOOLS_FLAGS_H_
