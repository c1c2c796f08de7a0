// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/case_worker.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "harness/case_under_way.h"
#include "reference/catalogue.h"
#include "system/processor.h"

namespace nncert {
namespace {

class WorkerInProcess : public CaseWorker {
 public:
  // Works with a session of somebody else's, or with its own.
  WorkerInProcess(DriverSession& session, std::optional<int> processor)
      : session_(session), processor_(processor) {
    // The thread that has called the driver so far may be anywhere.
    if (processor.has_value()) session_.calls().Renew();
  }
  WorkerInProcess(std::unique_ptr<DriverSession> session, std::optional<int> processor)
      : WorkerInProcess(*session, processor) {
    own_ = std::move(session);
  }

  std::optional<int> processor() const override { return processor_; }

  CaseResult RunTask(const DriverTask& task) override {
    const OnProcessor scope(processor_);
    return task.run(session_);
  }

 protected:
  TogetherOutcome TryTogether(absl::Span<const CaseToRun> cases) override {
    const OnProcessor scope(processor_);
    if (!may_try_together_) return {};
    TogetherOutcome outcome = RunTogether(session_, cases);
    // What went wrong once does so again, mostly, and to ask twice takes twice the time.
    may_try_together_ = !outcome.results.empty();
    return outcome;
  }

 private:
  std::unique_ptr<DriverSession> own_;
  DriverSession& session_;
  const std::optional<int> processor_;
  bool may_try_together_ = true;
};

}  // namespace

CaseResult CaseWorker::Run(const TestCase& test_case, TestMode mode, const RunOptions& options) {
  DriverTask task;
  task.blank = BlankResult(test_case, mode);
  if (const auto& operations = test_case.model.operations; !operations.empty()) {
    task.blank.operation = OperationName(test_case.model, operations.back().type);
  }
  task.full_name = FullName(task.blank);
  // Without a driver there are none.
  if (options.answers != nullptr) options.answers->Clear();
  task.run = [&](DriverSession& session) { return RunCase(session, test_case, mode, options); };
  return RunTask(task);
}

std::vector<CaseResult> CaseWorker::RunAll(absl::Span<const CaseToRun> cases) {
  const auto run = [this](const CaseToRun& of) { return Run(*of.test_case, of.mode, of.options); };
  TogetherOutcome together;
  if (cases.size() > 1) together = TryTogether(cases);
  std::vector<CaseResult>& results = together.results;
  if (results.empty()) {
    for (const CaseToRun& of : cases) results.push_back(run(of));
    const bool comes_again =
        absl::c_any_of(results, [](const CaseResult& result) { return IsFailure(result.verdict); });
    if (together.problem.has_value() && !comes_again) {
      results.front().verdict = together.problem->verdict;
      results.front().detail = absl::StrCat(
          "when the calls of ", cases.size(), " cases were made together, this one's first, ",
          together.problem->text, "; case by case that did not happen again");
    }
    return std::move(results);
  }
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!IsFailure(results[i].verdict)) continue;
    CaseResult alone = run(cases[i]);
    if (IsFailure(alone.verdict)) {
      results[i] = std::move(alone);
    } else {
      absl::StrAppend(
          &results[i].detail, "\n  by itself it comes to ", std::string(toString(alone.verdict)),
          "; this was when the driver had the models of ", cases.size(), " cases at the same time");
    }
  }
  return std::move(results);
}

absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> WorkersInProcess(
    DriverSession& session, size_t count, absl::Duration deadline, std::optional<int> processor) {
  std::vector<std::unique_ptr<CaseWorker>> workers;
  workers.push_back(std::make_unique<WorkerInProcess>(session, processor));
  while (workers.size() < count) {
    absl::StatusOr<std::unique_ptr<DriverSession>> another =
        DriverSession::FromDevice(session.device(), session.name(), deadline);
    if (!another.ok()) return another.status();
    (*another)->SetOpener(session.opener());
    workers.push_back(std::make_unique<WorkerInProcess>(*std::move(another),
                                                        ProcessorAfter(processor, workers.size())));
  }
  return workers;
}

}  // namespace nncert
