// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/device_calls.h"

#include "hal/conversion.h"
#include "hal/deadline.h"

namespace nncert {

using hal::replay::AwaitCallback;
using hal::replay::IsHeldByDriver;
using hal::replay::PrepareCallback;
using hal::V1_0::ErrorStatus;
using hal::V1_0::GetSupportedOperationsResult;
using hal::V1_2::ExecutionPreference;
using hal::V1_2::Model;

absl::string_view SupportedOperationsCall(hal::HalVersion version) {
  switch (version) {
    case hal::HalVersion::V1_0:
      return "getSupportedOperations";
    case hal::HalVersion::V1_1:
      return "getSupportedOperations_1_1";
    case hal::HalVersion::V1_2:
      return "getSupportedOperations_1_2";
  }
  return "getSupportedOperations";
}

absl::string_view PrepareCall(hal::HalVersion version) {
  switch (version) {
    case hal::HalVersion::V1_0:
      return "prepareModel";
    case hal::HalVersion::V1_1:
      return "prepareModel_1_1";
    case hal::HalVersion::V1_2:
      return "prepareModel_1_2";
  }
  return "prepareModel";
}

absl::StatusOr<GetSupportedOperationsResult> GetSupportedOperations(
    DriverSession& session, hal::HalVersion version, const std::shared_ptr<const Model>& model,
    absl::Duration deadline) {
  switch (version) {
    case hal::HalVersion::V1_0:
      break;
    case hal::HalVersion::V1_1:
      return session.calls().Run(deadline, [model, device = session.device_1_1()] {
        return device->getSupportedOperations_1_1(hal::convertToV1_1(*model, hal::Loss::EXPECTED));
      });
    case hal::HalVersion::V1_2:
      return session.calls().Run(deadline, [model, device = session.device_1_2()] {
        return device->getSupportedOperations_1_2(*model);
      });
  }
  return session.calls().Run(deadline, [model, device = session.device()] {
    return device->getSupportedOperations(hal::convertToV1_0(*model, hal::Loss::EXPECTED));
  });
}

PreparationOutcome PrepareModel(DriverSession& session, hal::HalVersion version,
                                const std::shared_ptr<const Model>& model,
                                ExecutionPreference preference, absl::Duration timeout) {
  PreparationOutcome outcome;
  // Held twice by its client, as IsHeldByDriver wants it.
  const auto callback = outcome.callback = std::make_shared<PrepareCallback>();
  const hal::Deadline deadline(timeout, session.calls().clock());
  absl::StatusOr<ErrorStatus> launched;
  const absl::string_view call = PrepareCall(version);
  switch (version) {
    case hal::HalVersion::V1_0:
      launched = session.calls().Run(timeout, [model, callback, device = session.device()] {
        return device->prepareModel(hal::convertToV1_0(*model, hal::Loss::EXPECTED), callback);
      });
      break;
    case hal::HalVersion::V1_1:
      launched = session.calls().Run(
          timeout, [model, callback, preference, device = session.device_1_1()] {
            return device->prepareModel_1_1(hal::convertToV1_1(*model, hal::Loss::EXPECTED),
                                            preference, callback);
          });
      break;
    case hal::HalVersion::V1_2:
      launched = session.calls().Run(
          timeout, [model, callback, preference, device = session.device_1_2()] {
            return device->prepareModel_1_2(*model, preference, {}, {}, hal::V1_2::CacheToken{},
                                            callback);
          });
      break;
  }
  if (!launched.ok()) {
    outcome.problem = ProblemOf(call, launched.status());
    return outcome;
  }
  const std::optional<PrepareCallback::Result> result =
      AwaitCallback(callback, DeadlineOfCallback(*launched, deadline, session.calls().clock()));
  outcome.problem = CheckCallback(
      call, *launched, result.has_value() ? std::optional(result->status) : std::nullopt,
      callback->result.calls(), IsHeldByDriver(callback), timeout, session.calls());
  if (outcome.problem.has_value()) return outcome;
  outcome.launched = *launched;
  outcome.status = result->status;
  outcome.model = result->model;
  return outcome;
}

}  // namespace nncert
