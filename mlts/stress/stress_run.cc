// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/stress_run.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hal/deadline.h"
#include "mlts/measuring/run_description.h"
#include "mlts/stress/driver_service.h"
#include "mlts/stress/stress_network.h"
#include "mlts/stress/stress_tests.h"
#include "reference/driver/driver.h"
#include "system/subprocess.h"

namespace nncert {
namespace {

using Status = StressResult::Status;

Status StatusOf(const absl::Status& status) {
  if (status.ok()) return Status::SUCCESS;
  if (absl::IsUnavailable(status)) return Status::CRASH;
  if (absl::IsDeadlineExceeded(status)) return Status::HANG;
  return absl::IsUnimplemented(status) ? Status::NOT_RUN : Status::FAILURE;
}

class Run {
 public:
  Run(const StressRunOptions& options, absl::Span<const BenchmarkSource> sources)
      : options_(options), sources_(sources) {
    for (const StressTest& test : StressTests()) {
      if (options.filter.Leaves(std::string(test.name))) tests_.push_back(&test);
    }
  }

  absl::StatusOr<MltsResults> Execute() {
    if (tests_.empty()) return absl::NotFoundError("the filter leaves no stress test");
    if (absl::Status status = ReadNetworks(); !status.ok()) return status;
    absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create();
    if (!folder.ok()) return folder.status();
    const std::string file = absl::StrCat(folder->path(), "/networks.case");
    for (; !networks_.empty() && done_ < tests_.size() && GoesOn(); ++done_) {
      if (done_ == 0) {
        if (absl::Status status = WriteStressNetworks(networks_, file); !status.ok()) {
          return status;
        }
      }
      RunTest(*tests_[done_], file);
    }
    results_.is_complete = !is_interrupted_;
    results_.seconds = Seconds();
    return results_;
  }

 private:
  // The networks that can be used, and what the others are wrong with.
  absl::Status ReadNetworks() {
    const double start = Seconds();
    absl::StatusOr<std::unique_ptr<DriverService>> service =
        DriverService::Start(options_.driver, options_.memory, options_.deadline);
    if (!service.ok()) return service.status();
    absl::StatusOr<OpenedDriver> opened = (*service)->Connect();
    if (!opened.ok()) return opened.status();
    results_ =
        DescribeRun(opened->session(), options_.driver.name, options_.command, options_.deadline);
    const absl::StatusOr<std::unique_ptr<DriverSession>> reference =
        DriverSession::FromDevice(MakeReferenceDriver(), "reference");
    if (!reference.ok()) return absl::InternalError(reference.status().message());
    std::vector<std::string> left_out;
    absl::Status worst;
    for (const BenchmarkSource& source : sources_) {
      if (!GoesOn()) break;
      absl::StatusOr<StressNetwork> network =
          ReadStressNetwork(source, opened->session(), **reference, options_.deadline);
      if (network.ok()) {
        networks_.push_back(*std::move(network));
        continue;
      }
      const absl::Status status = (*service)->Explained(network.status());
      left_out.push_back(std::string(status.message()));
      // What the driver does not take, and what cannot be read, is none of its failures.
      if (!absl::IsUnimplemented(status) && !absl::IsInvalidArgument(status)) worst.Update(status);
      if (absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status)) break;
    }
    if (worst.ok() && networks_.empty() && !is_interrupted_) {
      worst = absl::UnimplementedError("there is no network to run");
    }
    StressOutcome outcome;
    outcome.status = worst;
    outcome.rounds = networks_.size();
    outcome.detail = absl::StrCat(networks_.size(), " networks are used");
    if (!left_out.empty()) {
      absl::StrAppend(&outcome.detail, "; left out: ", absl::StrJoin(left_out, "; "));
      if (absl::IsUnimplemented(worst)) outcome.status = worst;
    }
    Add(kBeforeStress, outcome, start);
    return absl::OkStatus();
  }

  void RunTest(const StressTest& test, const std::string& file) {
    const double start = Seconds();
    StressOutcome outcome;
    absl::StatusOr<std::unique_ptr<DriverService>> service =
        DriverService::Start(options_.driver, options_.memory, options_.deadline);
    if (service.ok()) {
      StressSetting setting;
      setting.driver = options_.driver;
      setting.service = service->get();
      setting.networks = networks_;
      setting.client = {options_.client, file};
      setting.memory = options_.memory;
      setting.time = options_.time / static_cast<double>(tests_.size());
      setting.deadline = options_.deadline;
      setting.seed = options_.seed;
      setting.dump_directory = options_.dump_directory;
      setting.goes_on = [this] { return GoesOn(); };
      outcome = test.run(setting);
      outcome.status = (*service)->Explained(outcome.status);
      outcome.status.Update((*service)->Health());
      const std::vector<std::string> findings = (*service)->Findings();
      if (!findings.empty()) {
        outcome.status.Update(absl::FailedPreconditionError(
            absl::StrCat("the driver's process: ", absl::StrJoin(findings, "; "))));
      }
    } else {
      outcome.status = service.status();
    }
    Add(test.name, outcome, start);
  }

  void Add(std::string_view name, const StressOutcome& outcome, double start) {
    StressResult result;
    result.name = std::string(name);
    result.status = StatusOf(outcome.status);
    result.detail = std::string(outcome.status.message());
    if (!outcome.detail.empty()) {
      absl::StrAppend(&result.detail, result.detail.empty() ? "" : "; ", outcome.detail);
    }
    result.rounds = outcome.rounds;
    result.seconds = Seconds() - start;
    results_.stress.push_back(std::move(result));
    results_.seconds = Seconds();
    if (options_.on_test != nullptr) options_.on_test(results_);
  }

  bool GoesOn() {
    if (is_interrupted_ || options_.on_progress == nullptr) return !is_interrupted_;
    StressProgress progress;
    progress.done = done_;
    progress.total = tests_.size();
    progress.test =
        results_.stress.empty() || done_ == tests_.size() ? kBeforeStress : tests_[done_]->name;
    progress.left = end_.Remaining();
    is_interrupted_ = !options_.on_progress(progress);
    return !is_interrupted_;
  }

  double Seconds() const {
    return absl::ToDoubleSeconds(hal::SteadyClock::System().Now() - start_);
  }

  const StressRunOptions& options_;
  const absl::Span<const BenchmarkSource> sources_;
  const absl::Duration start_ = hal::SteadyClock::System().Now();
  const hal::Deadline end_{options_.time};
  std::vector<const StressTest*> tests_;
  std::vector<StressNetwork> networks_;
  size_t done_ = 0;
  bool is_interrupted_ = false;
  MltsResults results_;
};

}  // namespace

absl::StatusOr<MltsResults> RunStress(const StressRunOptions& options,
                                      absl::Span<const BenchmarkSource> sources) {
  return Run(options, sources).Execute();
}

}  // namespace nncert
