// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/leak.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mlts/measuring/network_on_driver.h"
#include "mlts/measuring/resource_slopes.h"

namespace nncert {
namespace {

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
    std::vector<ResourceUse> uses;
    for (size_t i = 0; i < plan.loads; ++i) {
      if (absl::Status status = LoadOnce(arguments, driver, deadline); !status.ok()) return status;
      uses.push_back(resources());
    }
    const ResourceSlopes slopes = SlopesOf(uses);
    measurement.result = {plan.loads, slopes.bytes, slopes.descriptors, slopes.threads};
    const std::vector<std::string> growing = GrowingThings(slopes, "load");
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
