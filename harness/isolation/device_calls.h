// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The calls of a device that are about a model, by the methods of any version that the device has.

#ifndef NNCERT_HARNESS_ISOLATION_DEVICE_CALLS_H_
#define NNCERT_HARNESS_ISOLATION_DEVICE_CALLS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "hal/replay/call_sequence.h"
#include "hal/replay/callbacks.h"
#include "hal/replay/device_methods.h"
#include "hal/v1_2/interfaces.h"
#include "hal/version.h"
#include "harness/isolation/callback_check.h"
#include "harness/isolation/driver_session.h"

namespace nncert {

using hal::replay::CacheFiles;
using hal::replay::PrepareCall;
using hal::replay::SupportedOperationsCall;

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

/// How a model is to be prepared.
struct PreparationOptions {
  /// Before 1.1 there is none.
  hal::V1_2::ExecutionPreference preference = hal::V1_2::ExecutionPreference::FAST_SINGLE_ANSWER;
  /// Where the driver may save what it prepared. Before 1.2 there is no caching.
  CacheFiles cache = {};
};

/// Has a model prepared, and waits for the callback, `timeout` for all. The model is given in the
/// form of `version`, as above.
PreparationOutcome PrepareModel(DriverSession& session, hal::HalVersion version,
                                const std::shared_ptr<const hal::V1_2::Model>& model,
                                const PreparationOptions& options, absl::Duration timeout);

/// Has a model prepared from the files that it was saved in, by a device of 1.2, and waits for the
/// callback, `timeout` for all.
PreparationOutcome PrepareModelFromCache(DriverSession& session, const CacheFiles& cache,
                                         absl::Duration timeout);

/// Gives a prepared model back to the driver: its end is a call like any other. Fails as
/// CallThread::Run does.
absl::Status ReleasePreparedModel(DriverSession& session,
                                  std::shared_ptr<hal::V1_0::IPreparedModel> model,
                                  absl::Duration deadline);

/// Waits until the driver has answered a call that does nothing: what it sent before that, from
/// whatever thread, has then arrived. Fails as CallThread::Run does.
absl::Status AwaitAnswer(DriverSession& session, absl::Duration deadline);

/// Whether calls may be made of a driver at once, as a sequence: its device is of 1.2, in this
/// process or in one to which they can go together, and nobody wants it otherwise.
bool CanCallAtOnce(const DriverSession& session);

/// Whether models of a sequence may be invalid, and of another version than 1.2, as well. In this
/// process they are not: of a driver that crashes it is to be seen which call it does not survive.
bool CanSendInvalidAtOnce(const DriverSession& session);

/// What came of calls that were made at once.
struct AnswersAtOnce {
  /// Set when the driver was lost, and the session knows (IsLostAtOnce).
  std::optional<Problem> lost;
  /// Whether the calls were made. They may be too many for a message.
  bool is_made = false;
  /// One for each model; none when something was not in order (SequenceAnswers::models).
  std::vector<hal::replay::SequencedAnswers> models;
  /// What the driver did that is not allowed; empty for nothing.
  std::string violation;
};

/// Has all calls made at once that models take, each of which may take `deadline`, and waits for
/// the callbacks as long as the session is patient.
AnswersAtOnce CallAtOnce(DriverSession& session, std::vector<hal::replay::SequencedModel> models,
                         absl::Duration deadline);

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_DEVICE_CALLS_H_
