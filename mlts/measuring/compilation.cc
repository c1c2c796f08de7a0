// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/compilation.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hal/compilation_cache.h"
#include "harness/isolation/cache_file_set.h"
#include "harness/isolation/device_calls.h"
#include "mlts/measuring/network_on_driver.h"
#include "mlts/metrics/summarize.h"

namespace nncert {
namespace {

using Clock = std::chrono::steady_clock;
using hal::V1_2::MeasureTiming;
using Outcome = CheckResult::Outcome;

// What networks are saved under.
constexpr hal::V1_2::CacheToken kToken = {'m', 'l', 't', 's'};

// Prepares one network on one driver again and again.
class Compiler {
 public:
  Compiler(const NetworkArguments& arguments, const TimedDriver& driver, const TimingPlan& plan,
           absl::Duration deadline)
      : arguments_(arguments), driver_(driver), plan_(plan), deadline_(deadline) {}

  absl::StatusOr<CompilationMeasurement> Measure() {
    CompilationMeasurement measurement;
    measurement.result.driver = driver_.name;
    measurement.check = {"network from the cache", Outcome::NOT_RUN, "the driver does not cache"};
    const absl::StatusOr<TimeStatistics> without =
        Times([&](double& microseconds) { return Prepare(CacheFiles(), microseconds); });
    if (!without.ok()) return without.status();
    measurement.result.without_cache = *without;
    if (session().hal_version() < hal::HalVersion::V1_2) return measurement;
    const auto counts = session().calls().Run(deadline_, [device = session().device_1_2()] {
      return device->getNumberOfCacheFilesNeeded();
    });
    if (!counts.ok()) return counts.status();
    if (counts->status != hal::V1_0::ErrorStatus::NONE ||
        counts->numModelCache + counts->numDataCache == 0) {
      return measurement;
    }
    empty_.model.resize(counts->numModelCache);
    empty_.data.resize(counts->numDataCache);
    if (absl::Status status = MeasureCache(measurement.result); !status.ok()) {
      measurement.check.outcome = Outcome::FAIL;
      measurement.check.detail = std::string(status.message());
    } else {
      measurement.check.outcome = Outcome::PASS;
      measurement.check.detail = "gives what the network gives that was prepared without";
    }
    return measurement;
  }

 private:
  DriverSession& session() const { return *driver_.session; }

  template <typename PrepareOnce>
  absl::StatusOr<TimeStatistics> Times(PrepareOnce prepare) {
    std::vector<double> times;
    const Clock::time_point start = Clock::now();
    const double most = absl::ToDoubleMicroseconds(plan_.time) * 2;
    for (size_t i = 0; i < plan_.preparations; ++i) {
      // Of a network that takes long, three times tell enough.
      if (i >= 3 && MicrosecondsSince(start) > most) break;
      double microseconds = 0;
      if (absl::Status status = prepare(microseconds); !status.ok()) return status;
      times.push_back(microseconds);
    }
    return Summarize(std::move(times));
  }

  absl::Status GiveBack(PreparationOutcome outcome, const char* call) {
    if (outcome.problem.has_value()) return StatusOfProblem(*outcome.problem);
    if (outcome.status != hal::V1_0::ErrorStatus::NONE || outcome.model == nullptr) {
      return absl::FailedPreconditionError(absl::StrCat(call, " gave no prepared model"));
    }
    return ReleasePreparedModel(session(), std::move(outcome.model), deadline_);
  }

  absl::Status Prepare(const CacheFiles& files, double& microseconds) {
    PreparationOptions options;
    options.cache = files;
    const Clock::time_point start = Clock::now();
    PreparationOutcome outcome =
        PrepareModel(session(), session().hal_version(), arguments_.model(), options, deadline_);
    microseconds = MicrosecondsSince(start);
    return GiveBack(std::move(outcome), "prepareModel");
  }

  absl::Status MeasureCache(CompilationResult& result) {
    std::optional<CacheFileSet> saved;
    const absl::StatusOr<TimeStatistics> saving = Times([&](double& microseconds) {
      absl::StatusOr<CacheFileSet> files = CacheFileSet::Create(empty_);
      if (!files.ok()) return files.status();
      const absl::StatusOr<CacheFiles> opened = files->Open(kToken);
      if (!opened.ok()) return opened.status();
      absl::Status status = Prepare(*opened, microseconds);
      saved.emplace(*std::move(files));
      return status;
    });
    if (!saving.ok()) return saving.status();
    result.saving = *saving;
    const absl::StatusOr<hal::CompilationCache> contents = saved->Read();
    if (!contents.ok()) return contents.status();
    uint64_t bytes = 0;
    for (const std::vector<std::vector<uint8_t>>* files : {&contents->model, &contents->data}) {
      for (const std::vector<uint8_t>& file : *files) bytes += file.size();
    }
    result.cache_bytes = bytes;
    const absl::StatusOr<TimeStatistics> from_cache = Times([&](double& microseconds) {
      const absl::StatusOr<CacheFiles> opened = saved->Open(kToken);
      if (!opened.ok()) return opened.status();
      const Clock::time_point start = Clock::now();
      PreparationOutcome outcome = PrepareModelFromCache(session(), *opened, deadline_);
      microseconds = MicrosecondsSince(start);
      return GiveBack(std::move(outcome), "prepareModelFromCache");
    });
    if (!from_cache.ok()) return from_cache.status();
    result.from_cache = *from_cache;
    return CheckAnswers(*saved);
  }

  // A network from the cache gives what it gave before.
  absl::Status CheckAnswers(const CacheFileSet& saved) {
    const absl::StatusOr<CacheFiles> opened = saved.Open(kToken);
    if (!opened.ok()) return opened.status();
    ModelOnDriver on_driver(session(), deadline_);
    if (const std::optional<Problem> problem = on_driver.Adopt(
            "prepareModelFromCache", PrepareModelFromCache(session(), *opened, deadline_))) {
      return StatusOfProblem(*problem);
    }
    const absl::StatusOr<std::unique_ptr<TimedRequests>> requests =
        TimedRequests::Create(session(), arguments_, driver_.inferences);
    if (!requests.ok()) return requests.status();
    for (size_t i = 0; i < driver_.inferences.size(); ++i) {
      const absl::StatusOr<TimedExecution> execution =
          (*requests)->Execute(on_driver, Executor::SYNC, nullptr, MeasureTiming::NO);
      if (!execution.ok()) return execution.status();
    }
    if (const TimedAnswers& answers = (*requests)->answers(); answers.wrong > 0) {
      return absl::FailedPreconditionError(absl::StrCat("gives another result for ", answers.wrong,
                                                        " of ", answers.executions,
                                                        " inputs than when prepared without"));
    }
    const std::optional<Problem> problem = on_driver.Release();
    return problem.has_value() ? StatusOfProblem(*problem) : absl::OkStatus();
  }

  const NetworkArguments& arguments_;
  const TimedDriver& driver_;
  const TimingPlan& plan_;
  const absl::Duration deadline_;
  hal::CompilationCache empty_;
};

}  // namespace

absl::StatusOr<CompilationMeasurement> MeasureCompilation(const NetworkArguments& arguments,
                                                          const TimedDriver& driver,
                                                          const TimingPlan& plan,
                                                          absl::Duration deadline) {
  return Compiler(arguments, driver, plan, deadline).Measure();
}

}  // namespace nncert
