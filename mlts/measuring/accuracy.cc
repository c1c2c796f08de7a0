// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/accuracy.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "mlts/measuring/golden_check.h"
#include "mlts/measuring/network_on_driver.h"
#include "mlts/measuring/timed_requests.h"
#include "mlts/metrics/accuracy_counter.h"
#include "mlts/metrics/classes.h"
#include "mlts/metrics/decoded_outputs.h"
#include "mlts/metrics/differences.h"
#include "mlts/metrics/mlts_thresholds.h"
#include "mlts/metrics/paired_counter.h"

namespace nncert {
namespace {

using Outcome = CheckResult::Outcome;

// With which probability an honest driver may fail for chance alone.
constexpr double kSignificance = 0.01;
// Problems that are told one by one.
constexpr size_t kMostProblems = 20;

// One driver with the network.
struct Computer {
  std::string name;
  std::unique_ptr<NetworkOnDriver> network;
  std::unique_ptr<AccuracyCounter> counter;
  std::vector<Inference> inferences;
};

// How far two inferences of the same input are apart.
double Distance(const Sequence& sequence, const std::vector<TensorFormat>& formats,
                const SequenceOutputs& one, const SequenceOutputs& other, size_t& furthest) {
  const absl::StatusOr<DecodedOutputs> ones = DecodeOutputs(sequence, "one", one, formats);
  const absl::StatusOr<DecodedOutputs> others = DecodeOutputs(sequence, "other", other, formats);
  if (!ones.ok() || !others.ok()) return 0;
  double greatest = -1;
  for (size_t inference = 0; inference < ones->size(); ++inference) {
    for (size_t i = 0; i < formats.size(); ++i) {
      const StoredOutput& values = (*ones)[inference][i];
      for (size_t k = 0; k < values.size(); ++k) {
        const double difference = std::abs(DifferenceOf(
            RealValue(formats[i], values[k]), RealValue(formats[i], (*others)[inference][i][k])));
        if (difference > greatest) {
          greatest = difference;
          furthest = inference;
        }
      }
    }
  }
  return std::max(greatest, 0.0);
}

// Whether the first output of the last inference has the label on top.
bool IsRightOn(const Sequence& sequence, const std::vector<TensorFormat>& formats,
               const SequenceOutputs& outputs) {
  if (!sequence.label.has_value() || outputs.empty() || formats.empty()) return false;
  const absl::StatusOr<std::vector<double>> scores = StoredElements(formats[0], outputs.back()[0]);
  return scores.ok() && TopClass(*scores) == std::optional<size_t>(*sequence.label);
}

class Measurer {
 public:
  Measurer(const Benchmark& benchmark, const NetworkArguments& arguments,
           const AccuracyOptions& options)
      : benchmark_(benchmark),
        arguments_(arguments),
        formats_(arguments.users_outputs()),
        options_(options),
        golden_(arguments) {}

  absl::Status Prepare(absl::Span<const ComputingDriver> drivers) {
    for (const ComputingDriver& driver : drivers) {
      absl::StatusOr<std::unique_ptr<NetworkOnDriver>> network =
          NetworkOnDriver::Prepare(*driver.session, arguments_, options_.deadline);
      if (!network.ok()) {
        if (computers_.empty()) return network.status();
        AddProblem(absl::StrCat(driver.name, ": ", network.status().message()));
        continue;
      }
      computers_.push_back({driver.name,
                            *std::move(network),
                            std::make_unique<AccuracyCounter>(
                                driver.name, formats_, AccuracyCounter::OptionsOf(benchmark_)),
                            {}});
    }
    if (drivers.size() > 1 && computers_.size() > 1 && computers_[1].name == drivers[1].name) {
      paired_.emplace(computers_[1].name, formats_, benchmark_.evaluator);
    }
    return absl::OkStatus();
  }

  absl::Status Run() {
    const size_t all = benchmark_.data->size();
    const size_t count = options_.samples == 0 ? all : std::min(options_.samples, all);
    size_t done = 0;
    for (size_t i = 0; i < count; ++i) {
      if (options_.on_progress != nullptr &&
          !options_.on_progress(static_cast<double>(i) / static_cast<double>(count))) {
        return absl::CancelledError("interrupted");
      }
      const absl::StatusOr<Sequence> sequence = benchmark_.data->Read(i);
      if (!sequence.ok()) {
        AddProblem(std::string(sequence.status().message()));
        continue;
      }
      const absl::StatusOr<bool> is_counted = RunSequence(*sequence);
      if (!is_counted.ok()) return is_counted.status();
      done += *is_counted ? 1 : 0;
    }
    if (done > 0) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("none of ", count, " sequences could be read or compared",
                     problems_.empty() ? "" : absl::StrCat("; the first: ", problems_.front())));
  }

  absl::StatusOr<AccuracyMeasurement> Finish() {
    AccuracyMeasurement measurement;
    for (Computer& computer : computers_) {
      if (absl::Status status = computer.network->Release(); !status.ok()) {
        if (&computer == &computers_.front()) return status;
        AddProblem(absl::StrCat(computer.name, ": ", status.message()));
      }
      measurement.results.push_back(computer.counter->Result());
      measurement.inferences.push_back(
          DistinctInferences(arguments_, computer.inferences, options_.kept_inferences));
    }
    if (paired_.has_value()) {
      measurement.comparison = paired_->Result();
      if (measurement.comparison->top_1_difference.has_value()) {
        measurement.checks.push_back(CheckTop1(*measurement.comparison));
      }
    }
    for (CheckResult& check : golden_.Checks()) measurement.checks.push_back(std::move(check));
    for (CheckResult& check :
         MltsChecks(measurement.results.front(), benchmark_.evaluator, benchmark_.expected_top_1)) {
      measurement.checks.push_back(std::move(check));
    }
    measurement.furthest = std::move(furthest_);
    if (problems_.size() > kMostProblems) {
      const size_t more = problems_.size() - kMostProblems;
      problems_.resize(kMostProblems);
      problems_.push_back(absl::StrCat("and ", more, " more"));
    }
    measurement.problems = std::move(problems_);
    return measurement;
  }

 private:
  static CheckResult CheckTop1(const PairedComparison& comparison) {
    CheckResult check;
    check.name = "top 1 against the baseline";
    const bool is_worse = comparison.baseline_alone_right > comparison.driver_alone_right;
    check.outcome =
        is_worse && comparison.mcnemar_p < kSignificance ? Outcome::FAIL : Outcome::PASS;
    check.detail = absl::StrFormat(
        "%.1f points %s %s on the same %d sequences, %d of which are classified otherwise (p = "
        "%.2g)",
        100 * std::abs(comparison.top_1_difference->value), is_worse ? "below" : "above",
        comparison.baseline, comparison.sequences, comparison.changed, comparison.mcnemar_p);
    return check;
  }

  void AddProblem(std::string problem) { problems_.push_back(std::move(problem)); }

  // Whether the sequence was counted. An error is the driver's.
  absl::StatusOr<bool> RunSequence(const Sequence& sequence) {
    std::vector<SequenceOutputs> outputs;
    std::vector<Inference> of_driver;
    for (size_t i = 0; i < computers_.size();) {
      std::vector<Inference> inferences;
      absl::StatusOr<SequenceOutputs> run = computers_[i].network->Run(sequence, &inferences);
      if (!run.ok()) {
        if (absl::IsInvalidArgument(run.status())) {
          AddProblem(std::string(run.status().message()));
          return false;
        }
        if (i == 0) return run.status();
        Lose(i, run.status());
        continue;
      }
      outputs.push_back(*std::move(run));
      Keep(inferences, computers_[i]);
      if (i == 0) of_driver = std::move(inferences);
      ++i;
    }
    for (size_t i = 0; i < computers_.size(); ++i) {
      if (absl::Status status = computers_[i].counter->Add(sequence, outputs[i]); !status.ok()) {
        // A label or golden outputs that do not fit, which all drivers are told.
        AddProblem(std::string(status.message()));
        return false;
      }
    }
    const SequenceOutputs* const reference = paired_.has_value() ? &outputs[1] : nullptr;
    if (absl::Status status = golden_.Add(sequence, outputs[0], reference); !status.ok()) {
      AddProblem(std::string(status.message()));
    }
    if (reference == nullptr) return true;
    if (absl::Status status = paired_->Add(sequence, outputs[0], *reference); !status.ok()) {
      AddProblem(std::string(status.message()));
    }
    LookForFurthest(sequence, outputs[0], *reference, of_driver);
    return true;
  }

  // A baseline that fails is left out from now on, and what it gave before.
  void Lose(size_t index, const absl::Status& status) {
    AddProblem(absl::StrCat(computers_[index].name, ": ", status.message()));
    if (index == 1) paired_.reset();
    computers_.erase(computers_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  void Keep(const std::vector<Inference>& inferences, Computer& computer) const {
    // Some of them may have the same answer.
    const size_t most = 3 * options_.kept_inferences;
    for (const Inference& inference : inferences) {
      if (computer.inferences.size() >= most) return;
      computer.inferences.push_back(inference);
    }
  }

  void LookForFurthest(const Sequence& sequence, const SequenceOutputs& driver,
                       const SequenceOutputs& reference, std::vector<Inference>& of_driver) {
    size_t place = 0;
    const double distance = Distance(sequence, formats_, driver, reference, place);
    const bool is_loss =
        IsRightOn(sequence, formats_, reference) && !IsRightOn(sequence, formats_, driver);
    if (std::pair(is_loss, distance) <= std::pair(furthest_is_loss_, furthest_distance_)) return;
    furthest_is_loss_ = is_loss;
    furthest_distance_ = distance;
    furthest_ = std::move(of_driver[place]);
  }

  const Benchmark& benchmark_;
  const NetworkArguments& arguments_;
  const std::vector<TensorFormat>& formats_;
  const AccuracyOptions& options_;
  std::vector<Computer> computers_;
  std::optional<PairedCounter> paired_;
  GoldenCheck golden_;
  std::optional<Inference> furthest_;
  bool furthest_is_loss_ = false;
  double furthest_distance_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace

absl::StatusOr<AccuracyMeasurement> MeasureAccuracy(const Benchmark& benchmark,
                                                    const NetworkArguments& arguments,
                                                    absl::Span<const ComputingDriver> drivers,
                                                    const AccuracyOptions& options) {
  Measurer measurer(benchmark, arguments, options);
  if (absl::Status status = measurer.Prepare(drivers); !status.ok()) return status;
  if (absl::Status status = measurer.Run(); !status.ok()) return status;
  return measurer.Finish();
}

}  // namespace nncert
