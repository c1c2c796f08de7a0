// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Finds out what a driver gives for cases that it fails.

#ifndef NNCERT_DIAGNOSIS_FAILING_CASES_H_
#define NNCERT_DIAGNOSIS_FAILING_CASES_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "cases/test_case.h"
#include "diagnosis/diagnosis.h"
#include "harness/case_runner.h"
#include "harness/case_worker.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/case_result.h"

namespace nncert {

/// What came of a case.
struct ExaminedCase {
  CaseResult result;
  /// What is to be diagnosed; nothing where the case does not fail, or `obstacle` says why not.
  std::optional<Failure> failure;
  /// A sentence without a full stop.
  std::string obstacle;
};

/// Runs a case and, where it fails, asks the driver for what it gives: for the first operation that
/// errs, alone, if the model has several and that one errs alone as well; else for the whole model.
/// Fails when there can be no temporary folder, or what was dumped into it cannot be read.
absl::StatusOr<ExaminedCase> ExamineCase(CaseWorker& worker, const TestCase& test_case,
                                         TestMode mode, const RunOptions& options);

/// The failure of a case with outputs in every example that a driver has wrong elements in. Fails
/// as AnswerOfDriver and HasWrongElements do, and with NotFound where no element is wrong.
absl::StatusOr<Failure> FailureOf(DriverSession& session, const TestCase& test_case,
                                  const std::string& operation, absl::Duration deadline);

/// The same of a worker's driver, for a case that was dumped of one with this result: the operation
/// is its only one, or that of the result. Aborted when the driver ends.
absl::StatusOr<Failure> FailureOf(CaseWorker& worker, const CaseResult& result,
                                  const TestCase& test_case, absl::Duration deadline);

}  // namespace nncert

#endif  // NNCERT_DIAGNOSIS_FAILING_CASES_H_
