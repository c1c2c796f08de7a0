// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/leak.h"

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "mlts/measuring/network_on_driver.h"
#include "mlts/metrics/intervals.h"

namespace nncert {
namespace {

// What a load may leave behind.
constexpr double kMostThings = 0.1;
constexpr double kMostBytes = 16 << 10;
// Loads before the first look.
constexpr size_t kWarmUp = 4;

absl::Status LoadOnce(const NetworkArguments& arguments, const TimedDriver& driver,
                      absl::Duration deadline) {
  const absl::StatusOr<std::unique_ptr<NetworkOnDriver>> network =
      NetworkOnDriver::Prepare(*driver.session, arguments, deadline);
  if (!network.ok()) return network.status();
  const auto outputs = (*network)->Execute(driver.inferences.front().inputs);
  if (!outputs.ok()) return outputs.status();
  return (*network)->Release();
}

// What grows, each with its figure: "descriptors, 1 [1, 1] a load".
std::vector<std::string> GrowingThings(const LeakResult& leak) {
  std::vector<std::string> growing;
  const auto add = [&](const char* what, const Estimate& per_load, double most) {
    if (!(per_load.low > most)) return;
    growing.push_back(absl::StrFormat("%s, %.4g [%.4g, %.4g] a load", what, per_load.value,
                                      per_load.low, per_load.high));
  };
  add("descriptors", leak.descriptors, kMostThings);
  add("threads", leak.threads, kMostThings);
  add("bytes of memory", leak.bytes, kMostBytes);
  return growing;
}

}  // namespace

absl::StatusOr<LeakMeasurement> MeasureLeak(const NetworkArguments& arguments,
                                            const TimedDriver& driver, const TimingPlan& plan,
                                            absl::Duration deadline,
                                            const std::function<ResourceUse()>& resources) {
  for (size_t i = 0; i < kWarmUp; ++i) {
    if (absl::Status status = LoadOnce(arguments, driver, deadline); !status.ok()) return status;
  }
  LeakMeasurement measurement;
  measurement.check.name = "leaks";
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> bytes;
    std::vector<double> descriptors;
    std::vector<double> threads;
    for (size_t i = 0; i < plan.loads; ++i) {
      if (absl::Status status = LoadOnce(arguments, driver, deadline); !status.ok()) return status;
      const ResourceUse use = resources();
      bytes.push_back(static_cast<double>(use.memory));
      descriptors.push_back(static_cast<double>(use.descriptors));
      threads.push_back(static_cast<double>(use.threads));
    }
    measurement.result = {plan.loads, SlopeOf(bytes), SlopeOf(descriptors), SlopeOf(threads)};
    const std::vector<std::string> growing = GrowingThings(measurement.result);
    if (growing.empty()) {
      measurement.check.outcome = CheckResult::Outcome::PASS;
      measurement.check.detail = absl::StrCat("none found in ", plan.loads, " loads");
      return measurement;
    }
    measurement.check.outcome = CheckResult::Outcome::FAIL;
    measurement.check.detail =
        absl::StrCat("each load leaves behind ", absl::StrJoin(growing, "; "), ", in ", plan.loads,
                     " loads, and did so in as many before");
  }
  return measurement;
}

}  // namespace nncert
