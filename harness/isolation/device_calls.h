// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The calls of a device that are about a model, by the methods of any version that the device has.

#ifndef NNCERT_HARNESS_ISOLATION_DEVICE_CALLS_H_
#define NNCERT_HARNESS_ISOLATION_DEVICE_CALLS_H_

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "hal/replay/callbacks.h"
#include "hal/v1_2/interfaces.h"
#include "hal/version.h"
#include "harness/isolation/callback_check.h"
#include "harness/isolation/driver_session.h"

namespace nncert {

/// The names of the methods of a version: "getSupportedOperations_1_2", "prepareModel_1_2".
absl::string_view SupportedOperationsCall(hal::HalVersion version);
absl::string_view PrepareCall(hal::HalVersion version);

/// Asks which operations of a model are supported. The model, which may be invalid, is given in the
/// form of `version`, which is not later than the device's. Fails as CallThread::Run does.
absl::StatusOr<hal::V1_0::GetSupportedOperationsResult> GetSupportedOperations(
    DriverSession& session, hal::HalVersion version,
    const std::shared_ptr<const hal::V1_2::Model>& model, absl::Duration deadline);

/// How a preparation ended.
struct PreparationOutcome {
  /// Set when a rule about calls was broken; all that follows but the callback is then meaningless.
  std::optional<Problem> problem;
  /// What the method returned, and what the callback was called with.
  hal::V1_0::ErrorStatus launched = hal::V1_0::ErrorStatus::NONE;
  hal::V1_0::ErrorStatus status = hal::V1_0::ErrorStatus::NONE;
  /// The prepared model; null when there is none.
  std::shared_ptr<hal::V1_0::IPreparedModel> model;
  /// The callback, never null; whoever keeps it can see whether it is called again.
  std::shared_ptr<hal::replay::PrepareCallback> callback;
};

/// Has a model prepared, without compilation caching, and waits for the callback, `timeout` for
/// all. The same goes for the model. Before 1.1 there is no preference.
PreparationOutcome PrepareModel(DriverSession& session, hal::HalVersion version,
                                const std::shared_ptr<const hal::V1_2::Model>& model,
                                hal::V1_2::ExecutionPreference preference, absl::Duration timeout);

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_DEVICE_CALLS_H_
