// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Who runs cases.

#ifndef NNCERT_HARNESS_CASE_WORKER_H_
#define NNCERT_HARNESS_CASE_WORKER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cases/test_case.h"
#include "harness/case_runner.h"
#include "harness/cases_together.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/case_result.h"
#include "harness/records/worker_report.h"

namespace nncert {

/// Something to be run on a driver that comes to a result: a case, or a test of another suite.
struct DriverTask {
  /// What messages call it: "GeneratedTests.add".
  std::string full_name;
  /// The result when there is no driver to run it on, but for verdict and detail.
  CaseResult blank;
  /// Runs it. A task that crashed the driver may be run again, on another session.
  std::function<CaseResult(DriverSession& session)> run;
};

/// Runs cases on a driver, one after the other. Several workers may run at the same time, each in a
/// thread of its own.
class CaseWorker {
 public:
  virtual ~CaseWorker() = default;

  /// Runs a task.
  virtual CaseResult RunTask(const DriverTask& task) = 0;

  /// Runs a case; see RunCase.
  CaseResult Run(const TestCase& test_case, TestMode mode, const RunOptions& options);

  /// Runs cases, one after the other, as Run does each. Small ones take less time so, for their
  /// calls are made together where that can be (RunTogether), which nobody notices but a driver
  /// that has the models of all of them at the same time: whatever does not go as it must is found
  /// out case by case. What is wrong only with cases together fails one of them, and says so.
  std::vector<CaseResult> RunAll(absl::Span<const CaseToRun> cases);

  /// The processor that Run runs cases on, if it is a certain one. Who runs many cases saves time
  /// by being there all the while (see OnProcessor).
  virtual std::optional<int> processor() const { return std::nullopt; }

  /// Whether a process of the driver's was lost, or something was found, that TakeReport has not
  /// told yet. Cheap. Not to be called while a case runs.
  virtual bool HasNews() { return false; }

  /// Why the driver is gone for good, so that no case can be run any more, a sentence without a
  /// full stop; empty while cases can be run. The last result came of that, and of nothing that the
  /// driver did with its case. Not to be called while a case runs.
  virtual std::string WhyLost() const { return ""; }

  /// Calls the driver once more, so that a process that has been lost by now is news. Not to be
  /// called while a case runs.
  virtual void Settle() {}

  /// Ends the driver's process, so that the next case is the first one of a new process. Whether
  /// that can be: neither a driver in this process nor a service is this one's to end. Not to be
  /// called while a case runs.
  virtual bool Renew() { return false; }

  /// What the driver's processes went through since this was called last; nothing for a driver in
  /// this process. Not to be called while a case runs.
  virtual WorkerReport TakeReport() { return {}; }

 protected:
  /// Runs cases together. By default they cannot be.
  virtual TogetherOutcome TryTogether(absl::Span<const CaseToRun> /*cases*/) { return {}; }
};

/// Workers that share the device of `session` in this process: the first works with the session
/// itself, which must outlive them, and is not to be used otherwise meanwhile; each of the others
/// with a session of its own. Fails when the device does not give another session. `count` is at
/// least 1. Given a processor, the first worker runs its cases there, the others on the next ones,
/// and so does the thread that calls the driver (see OnProcessor).
absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> WorkersInProcess(
    DriverSession& session, size_t count, absl::Duration deadline = kDefaultDeadline,
    std::optional<int> processor = std::nullopt);

}  // namespace nncert

#endif  // NNCERT_HARNESS_CASE_WORKER_H_
