// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs many test cases on a driver, several at the same time.

#ifndef NNCERT_CERTIFYING_CASE_BATCH_H_
#define NNCERT_CERTIFYING_CASE_BATCH_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/case_source.h"
#include "harness/case_runner.h"
#include "harness/case_worker.h"
#include "harness/records/answers_file.h"
#include "harness/records/journal.h"

namespace nncert {

/// A case in one of its modes.
struct CaseInMode {
  /// Never null; not owned.
  const LoadedCase* loaded = nullptr;
  TestMode mode = TestMode::kStatic;
};

/// Every case in each of `modes` in which it has a name that the regular expression `filter`
/// (RE2) finds a match in; an empty filter takes all. In the order of `cases`, the modes of
/// a case in the order of `modes`. Refers to `cases`. InvalidArgument when the filter is no regular
/// expression.
absl::StatusOr<std::vector<CaseInMode>> SelectCases(absl::Span<const LoadedCase> cases,
                                                    absl::Span<const TestMode> modes,
                                                    const std::string& filter);

/// The full name of its test: "GeneratedTests.add".
std::string FullName(const CaseInMode& entry);

/// How to run a batch.
struct BatchOptions {
  /// How each case is run. Failures of a case in either mode are dumped as the same files; a case
  /// whose name (DumpName) another one had before in the batch is dumped into a subfolder that is
  /// called by a number. Where it was read from is said by the batch.
  RunOptions run;
  /// Where the cases that run are kept as files (RunningCases); empty for nowhere.
  std::string running_directory;
  /// Takes each result before its worker goes on; null for none. Not owned.
  Journal* journal = nullptr;
  /// Takes what the driver answered to each case before the journal takes the result; null for
  /// none. Not owned.
  AnswersFile* answers = nullptr;
  /// Whether the case at this place is to be run at all; null for all. A shard runs some.
  std::function<bool(size_t)> takes = nullptr;
  /// What an earlier run has come to, which is taken as it is. Each index is less than the number
  /// of cases.
  JournalContent done = {};
  /// Whether no further case is to be begun; asked before each, by several threads. Null for never.
  std::function<bool()> should_stop = nullptr;
};

/// What a batch has come to.
struct BatchResult {
  /// In the order of the cases; nothing for those that `takes` leaves out, and those that were not
  /// begun because `should_stop` said so, or because a worker had lost the driver.
  std::vector<std::optional<CaseResult>> results;
  /// What the driver's processes went through, in the earlier run and in this one.
  WorkerReport processes;
  /// Why no further case could be run, a sentence without a full stop; empty when all could.
  std::string lost;
};

/// Runs the cases, each by the next of `workers` that is free; there is at least one. Calls
/// `report` for each result as it comes, from one thread at a time, those of `options.done` first.
/// Fails when something cannot be written to the journal or the answers, or a case that is to run
/// to its file.
absl::StatusOr<BatchResult> RunCases(absl::Span<const std::unique_ptr<CaseWorker>> workers,
                                     absl::Span<const CaseInMode> cases,
                                     const BatchOptions& options,
                                     absl::FunctionRef<void(const CaseResult&)> report);

/// A digest of the cases and their modes, in their order. Fails when a case cannot be serialized.
absl::StatusOr<uint64_t> DigestCases(absl::Span<const CaseInMode> cases);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_CASE_BATCH_H_
