// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/measuring_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "mlts/measuring/claims.h"
#include "mlts/measuring/run_description.h"

namespace nncert {
namespace {

// Before that share is done nobody knows how long the rest takes.
constexpr double kLeastShare = 0.02;

class Run {
 public:
  Run(const MeasuringRunOptions& options, absl::Span<const BenchmarkSource> sources)
      : options_(options),
        sources_(sources),
        driver_(options.driver, options.driver.name, options.isolation, options.measuring.deadline,
                options.memory) {}

  absl::StatusOr<MltsResults> Measure() {
    const absl::Duration deadline = options_.measuring.deadline;
    const absl::StatusOr<DriverSession*> session = driver_.Session();
    if (!session.ok()) return session.status();
    auto baselines = BaselinesFor(options_.driver, options_.isolation, deadline, options_.memory);
    if (!baselines.ok()) return baselines.status();
    baselines_ = *std::move(baselines);
    results_ = DescribeRun(**session, driver_.name(), options_.command, deadline);
    results_.baseline = kReferenceName;
    const absl::StatusOr<ClaimedTimes> claimed = ClaimedTimesOf(**session, deadline);
    if (!claimed.ok()) return claimed.status();
    results_.is_complete = true;
    for (size_t i = 0; i < sources_.size(); ++i) {
      BenchmarkRun run = MeasureBenchmark(sources_[i], driver_, baselines_, options_.measuring,
                                          [&](const MeasuringStep& step) { return Tell(i, step); });
      results_.seconds = Seconds();
      AddSpeed(run);
      results_.benchmarks.push_back(std::move(run.result));
      results_.claims = ClaimsOf(*claimed, speeds_);
      if (run.is_interrupted) results_.is_complete = false;
      if (options_.on_benchmark != nullptr) options_.on_benchmark(results_);
      if (run.is_interrupted) break;
    }
    return results_;
  }

 private:
  double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  bool Tell(size_t benchmark, const MeasuringStep& step) const {
    if (options_.on_progress == nullptr) return true;
    RunProgress progress;
    progress.done = benchmark;
    progress.total = sources_.size();
    progress.benchmark = sources_[benchmark].name;
    progress.step = step;
    const double share =
        (static_cast<double>(benchmark) + step.share) / static_cast<double>(sources_.size());
    if (share >= kLeastShare) progress.left = absl::Seconds(Seconds() * (1 - share) / share);
    return options_.on_progress(progress);
  }

  void AddSpeed(const BenchmarkRun& run) {
    if (run.subject.empty()) return;
    std::optional<Estimate> ratio = RatioOfComputing(run.result, driver_.name(), kCpuName);
    if (!ratio.has_value()) ratio = RatioOfComputing(run.result, driver_.name(), kReferenceName);
    if (!ratio.has_value()) return;
    auto found = std::find_if(speeds_.begin(), speeds_.end(), [&](const SpeedOnNetworks& speed) {
      return speed.subject == run.subject;
    });
    if (found == speeds_.end()) found = speeds_.insert(speeds_.end(), {run.subject, {}});
    found->ratios.push_back(*ratio);
  }

  const MeasuringRunOptions& options_;
  const absl::Span<const BenchmarkSource> sources_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  MeasuredDriver driver_;
  std::vector<std::unique_ptr<MeasuredDriver>> baselines_;
  std::vector<SpeedOnNetworks> speeds_;
  MltsResults results_;
};

}  // namespace

absl::StatusOr<std::vector<std::unique_ptr<MeasuredDriver>>> BaselinesFor(const NamedDriver& driver,
                                                                          Isolation isolation,
                                                                          absl::Duration deadline,
                                                                          uint64_t memory) {
  std::vector<std::unique_ptr<MeasuredDriver>> baselines;
  absl::StatusOr<NamedDriver> reference = FindDriver("sample");
  if (!reference.ok()) return reference.status();
  baselines.push_back(
      std::make_unique<MeasuredDriver>(*reference, kReferenceName, isolation, deadline, memory));
  if (driver.name == kCpuName) return baselines;
  absl::StatusOr<NamedDriver> cpu = FindDriver(kCpuName);
  if (!cpu.ok()) return cpu.status();
  baselines.push_back(
      std::make_unique<MeasuredDriver>(*cpu, kCpuName, isolation, deadline, memory));
  return baselines;
}

absl::StatusOr<MltsResults> MeasureDriver(const MeasuringRunOptions& options,
                                          absl::Span<const BenchmarkSource> sources) {
  return Run(options, sources).Measure();
}

}  // namespace nncert
