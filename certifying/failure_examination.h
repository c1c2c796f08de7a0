// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Looks into failures after a run: the smallest case that shows each kind, by how much it is wrong,
// and the likely cause.

#ifndef NNCERT_CERTIFYING_FAILURE_EXAMINATION_H_
#define NNCERT_CERTIFYING_FAILURE_EXAMINATION_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cases/test_case.h"
#include "certifying/outcome/failure_kind.h"
#include "harness/case_runner.h"
#include "harness/case_worker.h"
#include "harness/records/case_result.h"

namespace nncert {

/// A case made smaller.
struct SmallerCase {
  TestCase test_case;
  /// Whether no way to make it still smaller is known.
  bool is_smallest = false;
};

/// How failures are looked into.
struct ExaminationOptions {
  /// For how long kinds are begun with. Of the rest `obstacle` says that time was up.
  absl::Duration time = absl::Seconds(60);
  /// Makes a case that failed on a worker's driver with a result smaller, in little time. Null for
  /// nobody.
  std::function<absl::StatusOr<SmallerCase>(const TestCase& test_case, const CaseResult& result,
                                            CaseWorker& worker, const RunOptions& run)>
      reduce = nullptr;
  /// How cases are run. The smallest cases are dumped into its directory.
  RunOptions run;
  /// The driver, as commands are to name it.
  std::string driver;
  /// The lines for a shell that show cases which fail behind another one alone, by their full
  /// names.
  std::map<std::string, std::string> commands_of_pairs = {};
  /// Whether to stop; asked before each kind, by several threads. Null for never.
  std::function<bool()> should_stop = nullptr;
};

/// Looks into the kinds of failures, those of one operation after the other by the next worker that
/// is free; there is at least one. `results` are those of the cases of the run, whose dumped files
/// are read; of a kind of another suite, its first one's are.
///
/// A kind has a reproducer where one of its cases was dumped: the smallest one of these, made
/// smaller. Causes are those of all failures of an operation whose verdict is FAIL: of each kind
/// of these some cases, small and large ones, are asked for what the driver gives. Of causes that
/// explain an operation equally well that one is first which explains most other operations. Cases
/// that are FLAKY are neither made smaller nor asked about: what comes of it would be by chance.
void ExamineFailures(absl::Span<const std::unique_ptr<CaseWorker>> workers,
                     absl::Span<const CaseResult> results, const ExaminationOptions& options,
                     std::vector<FailureKind>& kinds);

/// What is wrong with the outputs of the first execution that is wrong in a failure.
WrongElements WrongElementsOf(const Failure& failure);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_FAILURE_EXAMINATION_H_
