// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/case_worker.h"

#include <utility>

namespace nncert {
namespace {

class WorkerInProcess : public CaseWorker {
 public:
  // Works with a session of somebody else's, or with its own.
  explicit WorkerInProcess(DriverSession& session) : session_(session) {}
  explicit WorkerInProcess(std::unique_ptr<DriverSession> session)
      : own_(std::move(session)), session_(*own_) {}

  CaseResult Run(const TestCase& test_case, TestMode mode, const RunOptions& options) override {
    return RunCase(session_, test_case, mode, options);
  }

 private:
  const std::unique_ptr<DriverSession> own_;
  DriverSession& session_;
};

}  // namespace

absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> WorkersInProcess(DriverSession& session,
                                                                          size_t count,
                                                                          absl::Duration deadline) {
  std::vector<std::unique_ptr<CaseWorker>> workers;
  workers.push_back(std::make_unique<WorkerInProcess>(session));
  while (workers.size() < count) {
    absl::StatusOr<std::unique_ptr<DriverSession>> another =
        DriverSession::FromDevice(session.device(), session.name(), deadline);
    if (!another.ok()) return another.status();
    workers.push_back(std::make_unique<WorkerInProcess>(*std::move(another)));
  }
  return workers;
}

}  // namespace nncert
