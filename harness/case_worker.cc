// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/case_worker.h"

#include <utility>

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

 private:
  std::unique_ptr<DriverSession> own_;
  DriverSession& session_;
  const std::optional<int> processor_;
};

}  // namespace

CaseResult CaseWorker::Run(const TestCase& test_case, TestMode mode, const RunOptions& options) {
  DriverTask task;
  task.blank.name = NameInMode(test_case, mode);
  task.blank.mode = mode;
  if (const auto& operations = test_case.model.operations; !operations.empty()) {
    task.blank.operation = OperationName(test_case.model, operations.back().type);
  }
  task.full_name = FullName(task.blank);
  // Without a driver there are none.
  if (options.answers != nullptr) options.answers->Clear();
  task.run = [&](DriverSession& session) { return RunCase(session, test_case, mode, options); };
  return RunTask(task);
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
