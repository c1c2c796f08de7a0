// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/flags.h"

#include <algorithm>
#include <limits>
#include <thread>

#include "absl/flags/flag.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "cases/spec_cache.h"
#include "certifying/case_paths.h"
#include "certifying/report.h"

ABSL_FLAG(
    nncert::DriverChoice, driver, nncert::DriverChoice(),
    "the driver under test: the path of a shared object or the name of a bundled driver, which "
    ":OPTION may follow, or the socket of a service (unix:PATH); by default what the environment "
    "variable NNCERT_DRIVER says, else the one that the build was configured with, which is sample "
    "unless --//:driver= says otherwise");
ABSL_FLAG(absl::Duration, deadline, nncert::kDefaultDeadline,
          "how long the driver may take for one call, and from a launch until its callback: 500ms, "
          "60s, 2m");
ABSL_FLAG(nncert::Jobs, jobs, nncert::Jobs(),
          "how many cases run at the same time; by default as many as there are processors");
ABSL_FLAG(bool, resume, false,
          "go on with an earlier run that was interrupted, instead of beginning anew");
ABSL_FLAG(
    bool, in_process, false,
    "load the driver into nncert's own process, for debuggers; a driver that crashes then ends "
    "the run");
ABSL_FLAG(
    bool, unpinned, false,
    "let the driver use every processor, for drivers whose threads share the work; else it has the "
    "one that its cases are run from, and calls take a fraction of the time");
ABSL_FLAG(nncert::MemorySize, memory, nncert::MemorySize(),
          "how much memory the driver's process may have, with all that it starts: 512M, 8G; by "
          "default half of the machine's, shared out among as many processes as there are "
          "processors, but 4G if there are; one that takes more is killed");
ABSL_FLAG(
    bool, plain, false,
    "judge every result by the definitions of the operations alone, not by their fast kernels "
    "first; takes longer, and comes to the same");
ABSL_FLAG(bool, strict, false,
          "let what is found SUSPECT or BIASED fail the run: results that the documentation "
          "accepts and no honest implementation gives");
ABSL_FLAG(nncert::OutputPath, out, nncert::OutputPath(),
          "where to write: the folder for the reports, by default nncert-report, in which those of "
          "an earlier run are replaced; or the case file for the smaller case");
ABSL_FLAG(bool, no_cache, false,
          "read every spec anew, and keep nothing of what it was read as (docs/spec_language.md)");
ABSL_FLAG(std::string, json, "", "write the results into this file as JSON");

namespace nncert {
namespace {

constexpr size_t kMostJobs = 256;

// What stands behind an amount of memory, each 1024 times the one before.
constexpr absl::string_view kMemoryUnits = "KMGT";

}  // namespace

bool AbslParseFlag(absl::string_view text, DriverChoice* choice, std::string* error) {
  if (text.empty()) {
    *error = "expected a driver; without --driver it is the one of NNCERT_DRIVER or of the build";
    return false;
  }
  choice->driver = std::string(text);
  return true;
}

std::string AbslUnparseFlag(const DriverChoice& choice) { return choice.driver.value_or(""); }

bool AbslParseFlag(absl::string_view text, OutputPath* output, std::string* error) {
  if (text.empty()) {
    *error = "expected a path";
    return false;
  }
  output->path = std::string(text);
  return true;
}

std::string AbslUnparseFlag(const OutputPath& output) { return output.path.value_or(""); }

bool AbslParseFlag(absl::string_view text, TestModes* modes, std::string* error) {
  modes->modes.clear();
  for (const absl::string_view word : absl::StrSplit(text, ',')) {
    TestMode mode = TestMode::kStatic;
    if (word == ModeName(TestMode::kDynamic)) {
      mode = TestMode::kDynamic;
    } else if (word != ModeName(TestMode::kStatic)) {
      *error = "expected static, dynamic, or static,dynamic";
      return false;
    }
    if (std::find(modes->modes.begin(), modes->modes.end(), mode) == modes->modes.end()) {
      modes->modes.push_back(mode);
    }
  }
  return true;
}

std::string AbslUnparseFlag(const TestModes& modes) {
  return absl::StrJoin(modes.modes, ",",
                       [](std::string* text, TestMode mode) { text->append(ModeName(mode)); });
}

size_t Jobs::OrProcessors() const {
  return count > 0 ? count : std::max<size_t>(std::thread::hardware_concurrency(), 1);
}

bool AbslParseFlag(absl::string_view text, Jobs* jobs, std::string* error) {
  if (absl::SimpleAtoi(text, &jobs->count) && jobs->count <= kMostJobs) return true;
  *error = absl::StrCat("expected a number from 0 to ", kMostJobs);
  return false;
}

std::string AbslUnparseFlag(const Jobs& jobs) {
  return jobs.count == 0 ? "" : absl::StrCat(jobs.count);
}

bool AbslParseFlag(absl::string_view text, MemorySize* size, std::string* error) {
  uint64_t unit = 1;
  if (!text.empty() && kMemoryUnits.find(text.back()) != kMemoryUnits.npos) {
    unit <<= 10 * (kMemoryUnits.find(text.back()) + 1);
    text.remove_suffix(1);
  }
  uint64_t number = 0;
  if (!absl::SimpleAtoi(text, &number) || number == 0 ||
      number > std::numeric_limits<uint64_t>::max() / unit) {
    *error = "expected an amount of memory such as 512M or 8G";
    return false;
  }
  size->bytes = number * unit;
  return true;
}

std::string AbslUnparseFlag(const MemorySize& size) {
  if (!size.bytes.has_value()) return "";
  uint64_t number = *size.bytes;
  size_t unit = 0;
  for (; unit < kMemoryUnits.size() && number % 1024 == 0; ++unit) number /= 1024;
  return absl::StrCat(number, unit == 0 ? "" : kMemoryUnits.substr(unit - 1, 1));
}

absl::StatusOr<LoadedCases> LoadCasesByFlags(absl::Span<const std::string> paths) {
  return LoadCasesOfUser(paths, absl::GetFlag(FLAGS_no_cache) ? "" : UsersSpecCache());
}

Isolation IsolationFlag() {
  const bool is_unpinned = absl::GetFlag(FLAGS_unpinned);
  if (absl::GetFlag(FLAGS_in_process)) {
    return is_unpinned ? Isolation::kInProcessUnpinned : Isolation::kInProcess;
  }
  return is_unpinned ? Isolation::kUnpinned : Isolation::kPinned;
}

absl::StatusOr<OpenedDriver> OpenDriverByFlags(const NamedDriver& driver, absl::Duration deadline) {
  return OpenDriver(driver, IsolationFlag(), deadline, MemoryFlag());
}

absl::StatusOr<DriverWithWorkers> OpenWithWorkers(const NamedDriver& driver, Isolation isolation,
                                                  size_t count, absl::Duration deadline) {
  absl::StatusOr<OpenedDriver> opened = OpenDriver(driver, isolation, deadline, MemoryFlag());
  if (!opened.ok()) return opened.status();
  absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> workers =
      opened->MakeWorkers(count, deadline);
  if (!workers.ok()) return workers.status();
  return DriverWithWorkers{*std::move(opened), *std::move(workers)};
}

uint64_t MemoryFlag() { return absl::GetFlag(FLAGS_memory).bytes.value_or(DefaultDriverMemory()); }

std::string IsolationWords() {
  const std::string memory = AbslUnparseFlag(absl::GetFlag(FLAGS_memory));
  return absl::StrCat(absl::GetFlag(FLAGS_in_process) ? " --in_process" : "",
                      absl::GetFlag(FLAGS_unpinned) ? " --unpinned" : "",
                      memory.empty() ? "" : absl::StrCat(" --memory ", memory));
}

std::string PlainWords() { return absl::GetFlag(FLAGS_plain) ? " --plain" : ""; }

std::string DeadlineWords() {
  const absl::Duration deadline = absl::GetFlag(FLAGS_deadline);
  return deadline == kDefaultDeadline
             ? ""
             : absl::StrCat(" --deadline ", absl::FormatDuration(deadline));
}

RunOptions RunOptionsByFlags(absl::Duration deadline) {
  RunOptions options;
  options.deadline = deadline;
  if (absl::GetFlag(FLAGS_plain)) options.kernels = KernelChoice::kDefinitions;
  options.reproduce_flags = absl::StrCat(IsolationWords(), DeadlineWords(), PlainWords());
  return options;
}

std::string JobsWords() {
  const std::string jobs = AbslUnparseFlag(absl::GetFlag(FLAGS_jobs));
  return jobs.empty() ? "" : absl::StrCat(" --jobs ", jobs);
}

std::string StrictWords() { return absl::GetFlag(FLAGS_strict) ? " --strict" : ""; }

absl::StatusOr<absl::Duration> DeadlineFlag() {
  const absl::Duration deadline = absl::GetFlag(FLAGS_deadline);
  if (deadline > absl::ZeroDuration()) return deadline;
  return absl::InvalidArgumentError(
      absl::StrCat("--deadline is ", absl::FormatDuration(deadline), "; expected more than zero"));
}

}  // namespace nncert
