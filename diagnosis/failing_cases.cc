// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "diagnosis/failing_cases.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cases/case_file.h"
#include "diagnosis/answer.h"
#include "harness/records/verdict.h"
#include "reference/catalogue.h"
#include "system/subprocess.h"

namespace nncert {
namespace {

// The cases that were dumped: the first operation that errs, alone, if the model has several; then
// the one that was run, with all outputs.
absl::StatusOr<std::vector<TestCase>> DumpedCases(const CaseResult& result) {
  std::vector<TestCase> cases;
  for (const std::string& file : result.dumped_files) {
    if (!absl::EndsWith(file, ".case")) continue;
    absl::StatusOr<std::vector<TestCase>> read = ReadCaseFile(file);
    if (!read.ok()) return read.status();
    for (TestCase& test_case : *read) cases.push_back(std::move(test_case));
  }
  // They are dumped in the other order.
  std::reverse(cases.begin(), cases.end());
  return cases;
}

}  // namespace

absl::StatusOr<Failure> FailureOf(DriverSession& session, const TestCase& test_case,
                                  const std::string& operation, absl::Duration deadline) {
  absl::StatusOr<Answer> answer = AnswerOfDriver(session, test_case, deadline);
  if (!answer.ok()) return answer.status();
  const absl::StatusOr<bool> is_wrong = HasWrongElements(test_case, *answer);
  if (!is_wrong.ok()) return is_wrong.status();
  if (!*is_wrong) {
    return absl::NotFoundError("no element and no dimension is wrong by itself");
  }
  return Failure{test_case, operation, *std::move(answer)};
}

absl::StatusOr<Failure> FailureOf(CaseWorker& worker, const CaseResult& result,
                                  const TestCase& test_case, absl::Duration deadline) {
  const std::string operation =
      test_case.model.operations.size() == 1
          ? OperationName(test_case.model, test_case.model.operations.front().type)
          : result.operation;
  absl::StatusOr<Failure> failure = absl::AbortedError("the driver ended when it was asked again");
  DriverTask task;
  task.full_name = FullName(result);
  task.blank = result;
  task.run = [&](DriverSession& session) {
    failure = FailureOf(session, test_case, operation, deadline);
    return result;
  };
  worker.RunTask(task);
  return failure;
}

absl::StatusOr<ExaminedCase> ExamineCase(CaseWorker& worker, const TestCase& test_case,
                                         TestMode mode, const RunOptions& options) {
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create();
  if (!folder.ok()) return folder.status();
  RunOptions dumping = options;
  dumping.dump_directory = folder->path();
  ExaminedCase examined;
  examined.result = worker.Run(test_case, mode, dumping);
  if (!IsFailure(examined.result.verdict)) return examined;
  if (IsCaseError(examined.result.verdict)) {
    examined.obstacle = FirstLine(examined.result.detail);
    return examined;
  }
  const absl::StatusOr<std::vector<TestCase>> dumped = DumpedCases(examined.result);
  if (!dumped.ok()) return dumped.status();
  for (const TestCase& one : *dumped) {
    if (one.examples.empty() || one.examples.front().outputs.empty()) continue;
    absl::StatusOr<Failure> failure = FailureOf(worker, examined.result, one, options.deadline);
    if (failure.ok()) {
      examined.failure = *std::move(failure);
      examined.obstacle.clear();
      return examined;
    }
    examined.obstacle = std::string(failure.status().message());
  }
  if (examined.obstacle.empty()) examined.obstacle = "the case could not be kept";
  return examined;
}

}  // namespace nncert
