// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/benchmark_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "mlts/measuring/accuracy.h"
#include "mlts/measuring/claims.h"
#include "mlts/measuring/compilation.h"
#include "mlts/measuring/latency.h"
#include "mlts/measuring/layers.h"
#include "mlts/measuring/leak.h"
#include "mlts/measuring/network_arguments.h"
#include "mlts/measuring/throughput.h"
#include "system/processor.h"

namespace nncert {
namespace {

using Outcome = CheckResult::Outcome;
using Status = BenchmarkResult::Status;
using StepObserver = std::function<bool(const MeasuringStep& step)>;

// The steps of a benchmark, with the share that is done when each begins.
constexpr double kAccuracyFrom = 0.01;
constexpr double kLatencyFrom = 0.45;
constexpr double kCompilationFrom = 0.8;
constexpr double kLeakFrom = 0.87;
constexpr double kLayersFrom = 0.9;
constexpr double kThroughputFrom = 0.93;

class Measurer {
 public:
  Measurer(const BenchmarkSource& source, MeasuredDriver& driver,
           absl::Span<const std::unique_ptr<MeasuredDriver>> baselines,
           const MeasuringOptions& options, const StepObserver& observe)
      : source_(source),
        driver_(driver),
        baselines_(baselines),
        options_(options),
        observe_(observe) {}

  BenchmarkRun Measure() {
    result().name = source_.name;
    result().file = source_.file;
    result().problems = source_.notes;
    if (absl::Status status = Read(); !status.ok()) {
      result().status = Status::UNREADABLE;
      result().detail = std::string(status.message());
    } else if (status = RunAll(); !status.ok()) {
      TakeFailure(status);
    }
    return std::move(run_);
  }

 private:
  BenchmarkResult& result() { return run_.result; }

  absl::Status Read() {
    absl::StatusOr<Benchmark> benchmark = source_.load();
    if (!benchmark.ok()) return benchmark.status();
    benchmark_ = *std::move(benchmark);
    result().sha256 = benchmark_.sha256;
    result().operations = benchmark_.network.model.operations.size();
    result().type = TypeOfNetwork(benchmark_.network.model);
    run_.subject = SubjectOfClaim(benchmark_.network.model);
    absl::StatusOr<NetworkArguments> arguments = NetworkArguments::Of(benchmark_.network);
    if (!arguments.ok()) return arguments.status();
    arguments_.emplace(*std::move(arguments));
    return absl::OkStatus();
  }

  void TakeFailure(const absl::Status& status) {
    if (absl::IsCancelled(status)) {
      run_.is_interrupted = true;
      result().problems.push_back("the run was interrupted before all was measured");
      return;
    }
    result().status = absl::IsUnimplemented(status)     ? Status::UNSUPPORTED
                      : absl::IsInvalidArgument(status) ? Status::UNREADABLE
                                                        : Status::FAILED;
    result().detail = std::string(status.message());
  }

  absl::Status RunAll() {
    {
      // Where the driver is, so that neither side wakes another processor.
      const absl::StatusOr<DriverSession*> session = driver_.Session();
      if (!session.ok()) return absl::UnavailableError(session.status().message());
      session_ = *session;
      const OnProcessor scope(driver_.processor());
      OpenBaselines();
      if (absl::Status status = RunAccuracy(); !status.ok()) return status;
      if (absl::Status status = RunLatency(); !status.ok()) return status;
      if (absl::Status status = RunCompilation(); !status.ok()) return status;
      if (absl::Status status = RunLeak(); !status.ok()) return status;
      if (absl::Status status = RunLayers(); !status.ok()) return status;
    }
    if (absl::Status status = RunThroughput(); !status.ok()) return status;
    AddCheck(CheckTimedAnswers(answers_, timed_.front().inferences.size()));
    return absl::OkStatus();
  }

  absl::Status Begin(const char* what, double share) {
    if (observe_({what, share})) return absl::OkStatus();
    return absl::CancelledError("interrupted");
  }

  void OpenBaselines() {
    drivers_.push_back({driver_.name(), session_});
    for (const std::unique_ptr<MeasuredDriver>& baseline : baselines_) {
      const absl::StatusOr<DriverSession*> session = baseline->Session();
      if (session.ok()) {
        drivers_.push_back({baseline->name(), *session});
      } else {
        AddProblem(absl::StrCat(baseline->name(), ": ", session.status().message()));
      }
    }
  }

  absl::Status RunAccuracy() {
    AccuracyOptions accuracy;
    accuracy.samples = options_.samples;
    accuracy.deadline = options_.deadline;
    accuracy.on_progress = [&](double share) {
      return observe_({"accuracy", kAccuracyFrom + share * (kLatencyFrom - kAccuracyFrom)});
    };
    absl::StatusOr<AccuracyMeasurement> measured =
        MeasureAccuracy(benchmark_, *arguments_, drivers_, accuracy);
    if (!measured.ok()) return measured.status();
    result().accuracy = std::move(measured->results);
    result().comparison = std::move(measured->comparison);
    furthest_ = std::move(measured->furthest);
    for (std::string& problem : measured->problems) AddProblem(std::move(problem));
    for (size_t i = 0; i < result().accuracy.size(); ++i) {
      const auto found =
          std::find_if(drivers_.begin(), drivers_.end(), [&](const ComputingDriver& driver) {
            return driver.name == result().accuracy[i].driver;
          });
      if (found == drivers_.end() || measured->inferences[i].empty()) continue;
      timed_.push_back({found->name, found->session, std::move(measured->inferences[i])});
    }
    const bool is_wrong =
        std::any_of(measured->checks.begin(), measured->checks.end(),
                    [](const CheckResult& check) { return check.outcome == Outcome::FAIL; });
    for (CheckResult& check : measured->checks) AddCheck(std::move(check));
    const bool is_judged =
        std::any_of(result().checks.begin(), result().checks.end(),
                    [](const CheckResult& check) { return check.outcome != Outcome::NOT_RUN; });
    if (timed_.empty() || timed_.front().name != driver_.name()) {
      return absl::InternalError("no inference was kept of the driver");
    }
    // Where nothing else says whether results are right, the operations do.
    if (is_wrong || !is_judged) RunOperations(/*is_wrong=*/is_wrong);
    return absl::OkStatus();
  }

  const Inference& NotableInference() const {
    return furthest_.has_value() ? *furthest_ : timed_.front().inferences.front();
  }

  void RunOperations(bool is_wrong) {
    std::string why;
    result().first_diverging_operation =
        FirstDivergingOperation(*arguments_, *session_, NotableInference(), options_.deadline, why);
    CheckResult check;
    check.name = "operations one by one";
    if (!result().first_diverging_operation.empty()) {
      check.outcome = Outcome::FAIL;
      check.detail = why;
    } else if (!why.empty()) {
      check.outcome = Outcome::NOT_RUN;
      check.detail = why;
    } else {
      check.outcome = Outcome::PASS;
      check.detail = is_wrong ? "none errs on the input that was looked at"
                              : "each is within the documented precision on one input";
    }
    AddCheck(std::move(check));
  }

  absl::Status RunLatency() {
    if (absl::Status status = Begin("latency", kLatencyFrom); !status.ok()) return status;
    absl::StatusOr<LatencyMeasurement> measured =
        MeasureLatency(*arguments_, timed_, options_.plan, options_.deadline);
    if (!measured.ok()) return measured.status();
    result().latency = std::move(measured->results);
    result().call_time = measured->call_time;
    answers_.Add(measured->answers);
    for (CheckResult& check : measured->checks) AddCheck(std::move(check));
    for (std::string& problem : measured->problems) AddProblem(std::move(problem));
    return absl::OkStatus();
  }

  absl::Status RunCompilation() {
    if (absl::Status status = Begin("compilation", kCompilationFrom); !status.ok()) return status;
    for (const TimedDriver& timed : timed_) {
      absl::StatusOr<CompilationMeasurement> measured =
          MeasureCompilation(*arguments_, timed, options_.plan, options_.deadline);
      if (!measured.ok()) {
        if (&timed == &timed_.front()) return measured.status();
        AddProblem(
            absl::StrCat("the compilation of ", timed.name, ": ", measured.status().message()));
        continue;
      }
      result().compilation.push_back(std::move(measured->result));
      if (&timed == &timed_.front()) AddCheck(std::move(measured->check));
    }
    return absl::OkStatus();
  }

  absl::Status RunLeak() {
    if (absl::Status status = Begin("leaks", kLeakFrom); !status.ok()) return status;
    absl::StatusOr<LeakMeasurement> measured =
        MeasureLeak(*arguments_, timed_.front(), options_.plan, options_.deadline,
                    [&] { return driver_.Resources(); });
    if (!measured.ok()) return measured.status();
    result().leak = measured->result;
    AddCheck(std::move(measured->check));
    return absl::OkStatus();
  }

  absl::Status RunLayers() {
    if (absl::Status status = Begin("layers", kLayersFrom); !status.ok()) return status;
    absl::StatusOr<std::vector<LayerError>> layers =
        MeasureLayers(*arguments_, *session_, NotableInference(), options_.deadline);
    if (layers.ok()) {
      result().layers = *std::move(layers);
    } else {
      AddProblem(absl::StrCat("the error by layer: ", layers.status().message()));
    }
    // A driver that ends when its operands become outputs is another matter.
    return session_->calls().Health();
  }

  absl::Status RunThroughput() {
    if (absl::Status status = Begin("throughput", kThroughputFrom); !status.ok()) return status;
    for (TimedDriver timed : timed_) {
      const bool is_driver = timed.name == driver_.name();
      absl::StatusOr<DriverSession*> session = absl::NotFoundError("there is no such driver");
      if (is_driver) session = driver_.UnpinnedSession();
      for (const std::unique_ptr<MeasuredDriver>& baseline : baselines_) {
        if (baseline->name() == timed.name) session = baseline->UnpinnedSession();
      }
      absl::StatusOr<ThroughputMeasurement> measured = absl::InternalError("not measured");
      if (session.ok()) {
        timed.session = *session;
        measured = MeasureThroughput(*arguments_, timed, options_.plan, options_.deadline);
      } else {
        measured = session.status();
      }
      if (!measured.ok()) {
        if (is_driver) return measured.status();
        AddProblem(
            absl::StrCat("the throughput of ", timed.name, ": ", measured.status().message()));
        continue;
      }
      for (ThroughputResult& throughput : measured->results) {
        result().throughput.push_back(std::move(throughput));
      }
      if (is_driver) answers_.Add(measured->answers);
    }
    return absl::OkStatus();
  }

  void AddProblem(std::string problem) { result().problems.push_back(std::move(problem)); }
  void AddCheck(CheckResult check) { result().checks.push_back(std::move(check)); }

  const BenchmarkSource& source_;
  MeasuredDriver& driver_;
  const absl::Span<const std::unique_ptr<MeasuredDriver>> baselines_;
  const MeasuringOptions& options_;
  const StepObserver& observe_;
  BenchmarkRun run_;
  Benchmark benchmark_;
  std::optional<NetworkArguments> arguments_;
  DriverSession* session_ = nullptr;
  std::vector<ComputingDriver> drivers_;
  std::vector<TimedDriver> timed_;
  std::optional<Inference> furthest_;
  TimedAnswers answers_;
};

}  // namespace

BenchmarkRun MeasureBenchmark(const BenchmarkSource& source, MeasuredDriver& driver,
                              absl::Span<const std::unique_ptr<MeasuredDriver>> baselines,
                              const MeasuringOptions& options, const StepObserver& observe) {
  return Measurer(source, driver, baselines, options, observe).Measure();
}

}  // namespace nncert
