// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/throughput.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "harness/isolation/joint_calls.h"
#include "mlts/measuring/network_on_driver.h"
#include "mlts/metrics/summarize.h"

namespace nncert {
namespace {

using Clock = std::chrono::steady_clock;
using hal::V1_2::MeasureTiming;

// What one thread did.
struct ThreadResult {
  absl::Status status;
  std::vector<double> times;
  TimedAnswers answers;
  Clock::time_point begin;
  Clock::time_point end;
};

// Executes in the calling thread until the time is over.
absl::Status ExecuteFor(absl::Duration time, const NetworkArguments& arguments,
                        const TimedDriver& driver, const ModelOnDriver& prepared,
                        DriverSession& session, absl::Duration deadline, ThreadResult& result) {
  ModelOnDriver on_driver(session, deadline);
  on_driver.AdoptFrom(prepared);
  const absl::StatusOr<std::unique_ptr<TimedRequests>> requests =
      TimedRequests::Create(session, arguments, driver.inferences);
  if (!requests.ok()) return requests.status();
  const Executor executor = PlainExecutor(session.hal_version());
  const double end = absl::ToDoubleMicroseconds(time);
  result.begin = Clock::now();
  do {
    const absl::StatusOr<TimedExecution> execution =
        (*requests)->Execute(on_driver, executor, nullptr, MeasureTiming::NO);
    if (!execution.ok()) return execution.status();
    result.times.push_back(execution->microseconds);
  } while (MicrosecondsSince(result.begin) < end);
  result.end = Clock::now();
  result.answers = (*requests)->answers();
  const std::optional<Problem> problem = on_driver.Release();
  return problem.has_value() ? StatusOfProblem(*problem) : absl::OkStatus();
}

}  // namespace

absl::StatusOr<ThroughputMeasurement> MeasureThroughput(const NetworkArguments& arguments,
                                                        const TimedDriver& driver,
                                                        const TimingPlan& plan,
                                                        absl::Duration deadline) {
  const absl::StatusOr<std::unique_ptr<NetworkOnDriver>> network =
      NetworkOnDriver::Prepare(*driver.session, arguments, deadline);
  if (!network.ok()) return network.status();
  ThroughputMeasurement measurement;
  for (const size_t count : plan.threads) {
    std::vector<ThreadResult> results(count);
    std::vector<JointCalls> threads;
    for (ThreadResult& result : results) {
      threads.emplace_back([&](DriverSession& session) -> std::optional<Problem> {
        result.status = ExecuteFor(plan.time / 2, arguments, driver, (*network)->on_driver(),
                                   session, deadline, result);
        return std::nullopt;
      });
    }
    // One call of the session, however many there are in it.
    if (const std::optional<Problem> problem =
            CallTogether(*driver.session, deadline + plan.time, threads)) {
      return StatusOfProblem(*problem);
    }
    ThroughputResult throughput;
    throughput.driver = driver.name;
    throughput.threads = static_cast<uint32_t>(count);
    std::vector<double> times;
    Clock::time_point begin = results.front().begin;
    Clock::time_point end = results.front().end;
    for (ThreadResult& result : results) {
      if (!result.status.ok()) return result.status;
      times.insert(times.end(), result.times.begin(), result.times.end());
      measurement.answers.Add(result.answers);
      begin = std::min(begin, result.begin);
      end = std::max(end, result.end);
    }
    throughput.inferences_per_second =
        static_cast<double>(times.size()) / std::chrono::duration<double>(end - begin).count();
    throughput.latency = Summarize(std::move(times));
    measurement.results.push_back(std::move(throughput));
  }
  if (absl::Status status = (*network)->Release(); !status.ok()) return status;
  return measurement;
}

}  // namespace nncert
