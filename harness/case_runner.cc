// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/case_runner.h"

#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cases/accepted_answers.h"
#include "cases/google_test_writer.h"
#include "hal/deadline.h"
#include "harness/case_under_way.h"
#include "harness/judging/acceptance.h"
#include "harness/judging/oracle.h"
#include "harness/records/failure_dump.h"

namespace nncert {
namespace {

// A case that is to be dumped.
struct FailingCase {
  TestCase test_case;
  absl::StatusOr<std::vector<AcceptedAnswer>> accepted;
};

// The GoogleTest source of a case and, if it is known which of its operations errs, of that one
// alone: without that, the test of a model that fails for it would pass.
absl::StatusOr<std::string> SourceOf(const FailingCase& whole,
                                     const std::optional<FailingCase>& operation) {
  if (!whole.accepted.ok()) return whole.accepted.status();
  std::vector<AcceptedCase> cases = {{whole.test_case, *whole.accepted}};
  if (operation.has_value() && operation->accepted.ok()) {
    cases.push_back({operation->test_case, *operation->accepted});
  }
  return WriteGoogleTest(cases);
}

// Dumps a case, and says in the result what has been written and what could not be. Gives the path
// that reproduces it; empty when there is none.
std::string Dump(const TestCase& test_case, const absl::StatusOr<std::string>& source,
                 const std::string& name, const std::string& directory, CaseResult& result) {
  FailureDump dump = DumpCase(test_case, source, name, directory);
  if (!dump.status.ok()) {
    absl::StrAppend(&result.detail, "\n  the failure dump is incomplete: ", dump.status.message());
  }
  std::string path = dump.files.empty() ? "" : dump.files.front();
  std::move(dump.files.begin(), dump.files.end(), std::back_inserter(result.dumped_files));
  return path;
}

}  // namespace

CaseResult RunCase(DriverSession& session, const TestCase& test_case, TestMode mode,
                   const RunOptions& options) {
  if (options.answers != nullptr) options.answers->Clear();
  LiveCaseDriver driver(session, options.answers);
  return RunCase(driver, test_case, mode, options);
}

CaseResult RunCase(CaseDriver& driver, const TestCase& test_case, TestMode mode,
                   const RunOptions& options) {
  const absl::Duration start = hal::SteadyClock::System().Now();
  CaseResult result = BlankResult(test_case, mode);
  CaseUnderWay run(driver, test_case, mode, options, result);
  if (run.Begin()) {
    const std::vector<const PlannedModel*> models = run.Plan();
    std::optional<Problem> problem;
    if (!models.empty()) problem = driver.CallAtOnce(models, options.deadline);
    if (problem.has_value()) {
      run.Conclude(problem->verdict, std::move(problem->text));
    } else {
      run.Finish();
    }
  }
  driver.spare_pools().DropLarge();
  if (IsFailure(result.verdict) && !IsCaseError(result.verdict)) {
    std::string path = options.source_path;
    if (!options.dump_directory.empty()) {
      const FailingCase whole = {run.complete_case(), run.AcceptedAnswers()};
      std::optional<FailingCase> operation;
      if (const std::optional<TestCase>& failing = run.failing_operation()) {
        Oracle oracle(*failing,
                      {.most_steps = options.most_steps, .kernels = KernelChoice::kDefinitions});
        operation = FailingCase{*failing, AcceptedAnswersOf(*failing, oracle)};
      }
      const std::string dumped = Dump(whole.test_case, SourceOf(whole, operation),
                                      DumpName(test_case), options.dump_directory, result);
      if (!dumped.empty()) path = dumped;
      if (operation.has_value()) {
        const std::string part = Dump(operation->test_case, SourceOf(*operation, std::nullopt),
                                      operation->test_case.name, options.dump_directory, result);
        if (!part.empty()) {
          absl::StrAppend(&result.detail, "\n  the operation alone: ",
                          ReproduceLine(driver.name(), options.reproduce_flags, part));
        }
      }
    }
    if (const std::string place = PlaceOf(test_case, options.source_path);
        place != options.source_path) {
      absl::StrAppend(&result.detail, "\n  expected by ", place);
    }
    if (!path.empty()) {
      absl::StrAppend(&result.detail, "\n  ",
                      ReproduceLine(driver.name(), options.reproduce_flags, path));
    }
  }
  result.duration = hal::SteadyClock::System().Now() - start;
  return result;
}

}  // namespace nncert
