// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/device_calls.h"

#include <utility>

#include "hal/conversion.h"
#include "hal/deadline.h"

namespace nncert {

using hal::replay::AwaitCallback;
using hal::replay::CallSequence;
using hal::replay::DeadlineOfCallback;
using hal::replay::IsHeldByDriver;
using hal::replay::PrepareCallback;
using hal::replay::SequenceAnswers;
using hal::replay::SequenceDevice;
using hal::V1_0::ErrorStatus;
using hal::V1_0::GetSupportedOperationsResult;
using hal::V1_2::ExecutionPreference;
using hal::V1_2::Model;

namespace {

// Launches a preparation, `timeout` for all, and waits for its callback.
template <typename Launch>
PreparationOutcome AwaitPreparation(DriverSession& session, absl::string_view call,
                                    absl::Duration timeout, Launch launch) {
  PreparationOutcome outcome;
  // Held twice by its client, as IsHeldByDriver wants it.
  const auto callback = outcome.callback = std::make_shared<PrepareCallback>();
  const hal::Deadline deadline(timeout, session.calls().clock());
  const absl::StatusOr<ErrorStatus> launched = launch(callback);
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

}  // namespace

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
                                const PreparationOptions& options, absl::Duration timeout) {
  const ExecutionPreference preference = options.preference;
  const auto launch =
      [&](const std::shared_ptr<PrepareCallback>& callback) -> absl::StatusOr<ErrorStatus> {
    switch (version) {
      case hal::HalVersion::V1_0:
        break;
      case hal::HalVersion::V1_1:
        return session.calls().Run(
            timeout, [model, callback, preference, device = session.device_1_1()] {
              return device->prepareModel_1_1(hal::convertToV1_1(*model, hal::Loss::EXPECTED),
                                              preference, callback);
            });
      case hal::HalVersion::V1_2:
        return session.calls().Run(timeout, [model, callback, options,
                                             device = session.device_1_2()] {
          return device->prepareModel_1_2(*model, options.preference, options.cache.model_cache,
                                          options.cache.data_cache, options.cache.token, callback);
        });
    }
    return session.calls().Run(timeout, [model, callback, device = session.device()] {
      return device->prepareModel(hal::convertToV1_0(*model, hal::Loss::EXPECTED), callback);
    });
  };
  return AwaitPreparation(session, PrepareCall(version), timeout, launch);
}

PreparationOutcome PrepareModelFromCache(DriverSession& session, const CacheFiles& cache,
                                         absl::Duration timeout) {
  const auto launch = [&](const std::shared_ptr<PrepareCallback>& callback) {
    return session.calls().Run(timeout, [cache, callback, device = session.device_1_2()] {
      return device->prepareModelFromCache(cache.model_cache, cache.data_cache, cache.token,
                                           callback);
    });
  };
  return AwaitPreparation(session, "prepareModelFromCache", timeout, launch);
}

absl::Status ReleasePreparedModel(DriverSession& session,
                                  std::shared_ptr<hal::V1_0::IPreparedModel> model,
                                  absl::Duration deadline) {
  return session.calls()
      .Run(deadline,
           [model = std::move(model)]() mutable {
             model = nullptr;
             return true;
           })
      .status();
}

bool CanCallAtOnce(const DriverSession& session) {
  if (!session.MayCallAtOnce() || session.device_1_2() == nullptr) return false;
  return !session.calls().is_watched() ||
         dynamic_cast<SequenceDevice*>(session.device_1_2().get()) != nullptr;
}

absl::StatusOr<SequenceAnswers> MakeCallsOf(DriverSession& session, CallSequence sequence) {
  const absl::Duration timeout = LongestTimeOf(sequence);
  absl::StatusOr<absl::StatusOr<SequenceAnswers>> answers =
      session.calls().Run(timeout,
                          [device = session.device_1_2(),
                           sequence = std::move(sequence)]() -> absl::StatusOr<SequenceAnswers> {
                            auto* const remote = dynamic_cast<SequenceDevice*>(device.get());
                            return remote != nullptr ? remote->MakeCalls(sequence)
                                                     : hal::replay::MakeCalls(*device, sequence);
                          });
  if (!answers.ok()) return answers.status();
  return *std::move(answers);
}

absl::Status AwaitAnswer(DriverSession& session, absl::Duration deadline) {
  return session.calls()
      .Run(deadline, [device = session.device()] { return device->getStatus(); })
      .status();
}

}  // namespace nncert
