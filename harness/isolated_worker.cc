// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolated_worker.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "harness/processor.h"

namespace nncert {
namespace {

class IsolatedWorker : public CaseWorker {
 public:
  IsolatedWorker(DriverHostOptions options, std::unique_ptr<DriverHost> host)
      : options_(std::move(options)), host_(std::move(host)) {}

  CaseResult Run(const hal::TestCase& test_case, TestMode mode,
                 const RunOptions& options) override {
    const OnProcessor scope(options_.processor);
    NoticeLoss();
    if (host_ == nullptr) {
      absl::StatusOr<std::unique_ptr<DriverHost>> host = DriverHost::Start(options_);
      if (!host.ok()) return WithoutDriver(test_case, mode, host.status());
      host_ = *std::move(host);
    }
    CaseResult result = RunCase(host_->session(), test_case, mode, options);
    last_case_ = absl::StrCat(std::string(FixtureName(mode)), ".", result.name);
    // A process that a call or a callback is missing from may still be at it.
    if (result.verdict == Verdict::TIMEOUT || !host_->Health().ok()) LetGo();
    return result;
  }

  WorkerReport Report() override {
    NoticeLoss();
    WorkerReport report = report_;
    if (host_ != nullptr) Add(host_->Usage(), report);
    return report;
  }

 private:
  // Lets go of a process that ended by itself after a case.
  void NoticeLoss() {
    if (host_ == nullptr) return;
    const absl::Status health = host_->Health();
    if (health.ok()) return;
    report_.findings.push_back(absl::StrCat(
        last_case_.empty() ? "before the first case" : absl::StrCat("after ", last_case_), ": ",
        health.message()));
    LetGo();
  }

  void LetGo() {
    Add(host_->Usage(), report_);
    ++report_.restarts;
    host_ = nullptr;
  }

  static void Add(const HostUsage& usage, WorkerReport& report) {
    report.cpu_time += usage.cpu_time;
    report.peak_memory = std::max(report.peak_memory, usage.peak_memory);
  }

  // The result of a case that no driver could be had for.
  static CaseResult WithoutDriver(const hal::TestCase& test_case, TestMode mode,
                                  const absl::Status& status) {
    CaseResult result;
    result.name = NameInMode(test_case, mode);
    result.mode = mode;
    result.verdict = absl::IsDeadlineExceeded(status) ? Verdict::TIMEOUT : Verdict::CRASH;
    result.detail = absl::StrCat("the driver cannot be started again: ", status.message());
    return result;
  }

  const DriverHostOptions options_;
  std::unique_ptr<DriverHost> host_;
  std::string last_case_;
  WorkerReport report_;
};

}  // namespace

std::vector<std::unique_ptr<CaseWorker>> IsolatedWorkers(DriverHostOptions options,
                                                         std::unique_ptr<DriverHost> first,
                                                         size_t count) {
  const std::vector<int> processors = AllowedProcessors();
  const size_t place_of_first =
      std::find(processors.begin(), processors.end(), options.processor) - processors.begin();
  std::vector<std::unique_ptr<CaseWorker>> workers;
  workers.push_back(std::make_unique<IsolatedWorker>(options, std::move(first)));
  while (workers.size() < count) {
    if (options.processor.has_value()) {
      options.processor = processors[(place_of_first + workers.size()) % processors.size()];
    }
    workers.push_back(std::make_unique<IsolatedWorker>(options, nullptr));
  }
  return workers;
}

}  // namespace nncert
