// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/degradation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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
// How often so many turns are taken, while they do not tell.
constexpr int kLooks = 5;

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

  // Forgets all turns.
  void BeginAnew() { ratios_.clear(); }

  // How many times as long an inference takes, the median of all turns.
  Estimate Ratio() const {
    std::vector<double> sorted = ratios_;
    std::sort(sorted.begin(), sorted.end());
    return QuantileOf(sorted, 0.5);
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

// What is wrong with the ratios, if anything is; UnimplementedError when something may be, and the
// turns do not tell.
absl::Status Judge(const std::string& other, const Estimate& ratio, const Estimate& by) {
  const double most = kMostDegradation * std::max(1.0, by.high);
  const std::string what = absl::StrFormat(
      "an inference takes %.3g [%.3g, %.3g] times as long while %s is prepared; the reference's "
      "%.3g [%.3g, %.3g]; at most %g times is allowed, or as much more than that",
      ratio.value, ratio.low, ratio.high, other, by.value, by.low, by.high, kMostDegradation);
  if (std::isfinite(most) && ratio.low > most) return absl::FailedPreconditionError(what);
  if (ratio.value <= kMostDegradation * std::max(1.0, by.value)) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat("too few turns to tell: ", what));
}

// What the turns tell of a driver beside another network that is prepared.
struct Finding {
  Estimate ratio;
  Estimate by_reference;
  absl::Status judged;  // see Judge
};

// A driver and the reference, which take turns.
class TurnTakers {
 public:
  TurnTakers(Measured& driver, Measured& reference, const StressSetting& setting)
      : driver_(driver), reference_(reference), setting_(setting) {
    const double measurements = static_cast<double>(4 * kTurns * setting.networks.size());
    time_ = std::max(setting.time / measurements, kShortestMeasurement);
  }

  // Takes turns beside a client that prepares `other`, until they tell, or there is no more time:
  // then the finding is empty.
  absl::StatusOr<std::optional<Finding>> Look(const StressNetwork& other) {
    driver_.BeginAnew();
    reference_.BeginAnew();
    Finding finding;
    for (int look = 0; look < kLooks; ++look) {
      for (size_t turn = 0; turn < kTurns; ++turn) {
        if (!setting_.goes_on()) return look > 0 ? std::optional(finding) : std::nullopt;
        if (absl::Status status = driver_.TakeTurn(other, time_); !status.ok()) return status;
        if (absl::Status status = reference_.TakeTurn(other, time_); !status.ok()) {
          return absl::UnimplementedError(absl::StrCat("the reference: ", status.message()));
        }
      }
      finding.ratio = driver_.Ratio();
      finding.by_reference = reference_.Ratio();
      finding.judged = Judge(other.name, finding.ratio, finding.by_reference);
      if (!absl::IsUnimplemented(finding.judged)) break;
    }
    return finding;
  }

 private:
  Measured& driver_;
  Measured& reference_;
  const StressSetting& setting_;
  absl::Duration time_;
};

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
  TurnTakers turn_takers(**driver, *reference.measured, setting);
  absl::Status worst;
  for (const StressNetwork& other : setting.networks) {
    const absl::StatusOr<std::optional<Finding>> finding = turn_takers.Look(other);
    outcome.status = finding.status();
    if (!finding.ok() || !finding->has_value()) break;
    absl::StrAppend(
        &outcome.detail, outcome.detail.empty() ? network.name : ";",
        outcome.detail.empty() ? ": " : " ",
        absl::StrFormat("%.3g times as long while %s is prepared (reference %.3g)",
                        (*finding)->ratio.value, other.name, (*finding)->by_reference.value));
    const absl::Status& judged = (*finding)->judged;
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
