// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/degradation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hal/deadline.h"
#include "mlts/measuring/network_on_driver.h"
#include "mlts/measuring/timed_requests.h"
#include "mlts/metrics/intervals.h"
#include "mlts/results/results.h"

namespace nncert {
namespace {

using hal::V1_2::MeasureTiming;

constexpr size_t kTurns = 16;
constexpr absl::Duration kShortestMeasurement = absl::Milliseconds(10);

// A driver's times for one network, alone and beside a client that prepares.
class Measured {
 public:
  static absl::StatusOr<std::unique_ptr<Measured>> Create(DriverService& service,
                                                          const StressNetwork& network,
                                                          absl::Duration deadline) {
    std::unique_ptr<Measured> measured(new Measured(service, deadline));
    absl::StatusOr<OpenedDriver> opened = service.Connect();
    if (!opened.ok()) return opened.status();
    measured->opened_ = std::make_unique<OpenedDriver>(*std::move(opened));
    DriverSession& session = measured->opened_->session();
    absl::StatusOr<std::unique_ptr<NetworkOnDriver>> prepared =
        NetworkOnDriver::Prepare(session, network.arguments, deadline);
    if (!prepared.ok()) return prepared.status();
    measured->prepared_ = *std::move(prepared);
    absl::StatusOr<std::unique_ptr<TimedRequests>> requests =
        TimedRequests::Create(session, network.arguments, network.inferences);
    if (!requests.ok()) return requests.status();
    measured->requests_ = *std::move(requests);
    const absl::StatusOr<double> warm_up = measured->MeanTime(kShortestMeasurement);
    if (!warm_up.ok()) return warm_up.status();
    return measured;
  }

  // Measures alone, and then beside a client that prepares `other`, for that time each.
  absl::Status TakeTurn(const StressNetwork& other, absl::Duration time) {
    const absl::StatusOr<double> alone = MeanTime(time);
    if (!alone.ok()) return alone.status();
    BackgroundClient preparer(service_.driver(), absl::MakeConstSpan(&other, 1), /*executions=*/0,
                              deadline_);
    preparer.AwaitFirstLoad();
    const absl::StatusOr<double> beside = MeanTime(time);
    absl::Status status = beside.status();
    status.Update(preparer.End());
    if (status.ok()) ratios_.push_back(*beside / *alone);
    return status;
  }

  // How many times as long an inference takes, the median of all turns; begins anew.
  Estimate TakeRatio() {
    std::sort(ratios_.begin(), ratios_.end());
    const Estimate ratio = QuantileOf(ratios_, 0.5);
    ratios_.clear();
    return ratio;
  }

  const TimedAnswers& answers() const { return requests_->answers(); }
  uint64_t count() const { return count_; }

 private:
  Measured(DriverService& service, absl::Duration deadline)
      : service_(service), deadline_(deadline) {}

  // The mean: who waits for somebody else's preparation does so rarely, and for long.
  absl::StatusOr<double> MeanTime(absl::Duration time) {
    double sum = 0;
    uint64_t count = 0;
    const hal::Deadline end(time);
    const Executor executor = PlainExecutor(opened_->session().hal_version());
    do {
      const absl::StatusOr<TimedExecution> execution =
          requests_->Execute(prepared_->on_driver(), executor, nullptr, MeasureTiming::NO);
      if (!execution.ok()) return execution.status();
      sum += execution->microseconds;
      ++count;
    } while (!end.HasPassed());
    count_ += count;
    return sum / static_cast<double>(count);
  }

  DriverService& service_;
  const absl::Duration deadline_;
  std::unique_ptr<OpenedDriver> opened_;
  std::unique_ptr<NetworkOnDriver> prepared_;
  std::unique_ptr<TimedRequests> requests_;
  std::vector<double> ratios_;  // by turn
  uint64_t count_ = 0;
};

// The reference on this machine, which takes the same turns. Its answers are its own.
struct Reference {
  std::unique_ptr<DriverService> service;
  StressNetwork network;
  std::unique_ptr<Measured> measured;
};

absl::Status StartReference(const StressSetting& setting, Reference& reference) {
  const absl::StatusOr<NamedDriver> named = FindDriver("sample");
  if (!named.ok()) return named.status();
  absl::StatusOr<std::unique_ptr<DriverService>> service =
      DriverService::Start(*named, setting.memory, setting.deadline);
  if (!service.ok()) return service.status();
  reference.service = *std::move(service);
  absl::StatusOr<OpenedDriver> opened = reference.service->Connect();
  if (!opened.ok()) return opened.status();
  const absl::StatusOr<std::unique_ptr<NetworkOnDriver>> prepared =
      NetworkOnDriver::Prepare(opened->session(), reference.network.arguments, setting.deadline);
  if (!prepared.ok()) return prepared.status();
  for (Inference& inference : reference.network.inferences) {
    absl::StatusOr<std::vector<TensorBytes>> outputs = (*prepared)->Execute(inference.inputs);
    if (!outputs.ok()) return outputs.status();
    inference.outputs = *std::move(outputs);
  }
  if (absl::Status status = (*prepared)->Release(); !status.ok()) return status;
  absl::StatusOr<std::unique_ptr<Measured>> measured =
      Measured::Create(*reference.service, reference.network, setting.deadline);
  if (!measured.ok()) return measured.status();
  reference.measured = *std::move(measured);
  return absl::OkStatus();
}

// What is wrong with the ratios, if anything is.
absl::Status Judge(const std::string& other, const Estimate& ratio, const Estimate& by) {
  const double most = kMostDegradation * std::max(1.0, by.high);
  if (!(ratio.low > kMostDegradation)) return absl::OkStatus();
  const std::string what = absl::StrFormat(
      "an inference takes %.3g [%.3g, %.3g] times as long while %s is prepared; the reference's "
      "%.3g [%.3g, %.3g]; at most %g times is allowed, or as much more than that",
      ratio.value, ratio.low, ratio.high, other, by.value, by.low, by.high, kMostDegradation);
  if (!std::isfinite(by.high)) {
    return absl::UnimplementedError(absl::StrCat("too few turns to tell: ", what));
  }
  return ratio.low > most ? absl::FailedPreconditionError(what) : absl::OkStatus();
}

}  // namespace

StressOutcome PerformanceDegradation(const StressSetting& setting) {
  StressOutcome outcome;
  const StressNetwork& network = setting.networks.front();
  const absl::StatusOr<std::unique_ptr<Measured>> driver =
      Measured::Create(*setting.service, network, setting.deadline);
  outcome.status = driver.status();
  if (!outcome.status.ok()) return outcome;
  Reference reference = {nullptr, network, nullptr};
  if (absl::Status status = StartReference(setting, reference); !status.ok()) {
    outcome.status = absl::UnimplementedError(absl::StrCat("the reference: ", status.message()));
    return outcome;
  }
  const double measurements = static_cast<double>(4 * kTurns * setting.networks.size());
  const absl::Duration time = std::max(setting.time / measurements, kShortestMeasurement);
  absl::Status worst;
  for (const StressNetwork& other : setting.networks) {
    for (size_t turn = 0; turn < kTurns && outcome.status.ok(); ++turn) {
      if (!setting.goes_on()) break;
      outcome.status = (*driver)->TakeTurn(other, time);
      if (!outcome.status.ok()) break;
      if (absl::Status status = reference.measured->TakeTurn(other, time); !status.ok()) {
        outcome.status =
            absl::UnimplementedError(absl::StrCat("the reference: ", status.message()));
      }
    }
    if (!outcome.status.ok() || !setting.goes_on()) break;
    const Estimate ratio = (*driver)->TakeRatio();
    const Estimate by = reference.measured->TakeRatio();
    absl::StrAppend(&outcome.detail, outcome.detail.empty() ? network.name : ";",
                    outcome.detail.empty() ? ": " : " ",
                    absl::StrFormat("%.3g times as long while %s is prepared (reference %.3g)",
                                    ratio.value, other.name, by.value));
    const absl::Status judged = Judge(other.name, ratio, by);
    if (!judged.ok() && (worst.ok() || absl::IsUnimplemented(worst))) worst = judged;
  }
  outcome.rounds = (*driver)->count();
  outcome.status.Update(worst);
  if (outcome.status.ok() && (*driver)->answers().wrong > 0) {
    outcome.status = absl::FailedPreconditionError(
        absl::StrCat("wrong results beside preparations: ", (*driver)->answers().first));
  }
  return outcome;
}

}  // namespace nncert
