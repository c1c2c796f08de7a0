// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/run_description.h"

#include "absl/time/clock.h"
#include "certifying/version.h"
#include "hal/to_string.h"
#include "hal/version.h"
#include "system/machine.h"

namespace nncert {
namespace {

// "ACCELERATOR"; empty for devices before HAL 1.2, which do not say.
std::string DeviceTypeOf(DriverSession& session, absl::Duration deadline) {
  if (session.hal_version() < hal::HalVersion::V1_2) return "";
  const auto type =
      session.calls().Run(deadline, [device = session.device_1_2()] { return device->getType(); });
  if (!type.ok() || type->status != hal::V1_0::ErrorStatus::NONE) return "";
  return toString(type->type);
}

}  // namespace

MltsResults DescribeRun(DriverSession& session, const std::string& name, const std::string& command,
                        absl::Duration deadline) {
  MltsResults results;
  results.driver = name;
  results.driver_version = session.version_string();
  results.hal_version = std::string(toString(session.hal_version()));
  results.device_type = DeviceTypeOf(session, deadline);
  results.machine = DescribeMachine();
  results.nncert_version = kVersion;
  results.started = absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  results.command = command;
  return results;
}

}  // namespace nncert
