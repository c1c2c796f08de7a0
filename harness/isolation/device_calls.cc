// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/device_calls.h"

#include <utility>

#include "hal/deadline.h"

namespace nncert {

using hal::replay::AwaitCallback;
using hal::replay::CallSequence;
using hal::replay::DeadlineOfCallback;
using hal::replay::IsHeldByDriver;
using hal::replay::PrepareCallback;
using hal::replay::SequenceAnswers;
using hal::replay::SequenceDevice;
using hal::replay::SequencedModel;
using hal::V1_0::ErrorStatus;
using hal::V1_0::GetSupportedOperationsResult;
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

absl::StatusOr<GetSupportedOperationsResult> GetSupportedOperations(
    DriverSession& session, hal::HalVersion version, const std::shared_ptr<const Model>& model,
    absl::Duration deadline) {
  return session.calls().Run(deadline, [version, model, device = session.device()] {
    return hal::replay::CallGetSupportedOperations(*device, version, *model);
  });
}

PreparationOutcome PrepareModel(DriverSession& session, hal::HalVersion version,
                                const std::shared_ptr<const Model>& model,
                                const PreparationOptions& options, absl::Duration timeout) {
  const auto launch = [&](const std::shared_ptr<PrepareCallback>& callback) {
    return session.calls().Run(
        timeout, [version, model, callback, options, device = session.device()] {
          return hal::replay::CallPrepareModel(*device, version, *model, options.preference,
                                               options.cache, callback);
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

bool CanSendInvalidAtOnce(const DriverSession& session) {
  if (!CanCallAtOnce(session)) return false;
  const auto* const remote = dynamic_cast<const SequenceDevice*>(session.device_1_2().get());
  return remote != nullptr && remote->TakesInvalidModels();
}

AnswersAtOnce CallAtOnce(DriverSession& session, std::vector<SequencedModel> models,
                         absl::Duration deadline) {
  CallSequence sequence = {.models = std::move(models), .deadline = deadline};
  if (session.IsPatient()) sequence.patience = DriverSession::kPatience;
  const absl::Duration timeout = LongestTimeOf(sequence);
  using Result = absl::StatusOr<SequenceAnswers>;
  absl::StatusOr<Result> called = session.calls().Run(
      timeout,
      [device = session.device_1_2(), spares = session.spare_queues(),
       sequence = std::move(sequence)]() -> Result {
        auto* const remote = dynamic_cast<SequenceDevice*>(device.get());
        return remote != nullptr ? remote->MakeCalls(sequence)
                                 : hal::replay::MakeCalls(*device, sequence, *spares);
      });
  AnswersAtOnce answers;
  if (const absl::Status health = session.calls().Health(); !health.ok()) {
    session.SetLostAtOnce();
    answers.lost = ProblemOf("its calls, all made at once", health);
    return answers;
  }
  const absl::Status status = called.ok() ? called->status() : called.status();
  answers.is_made = !absl::IsInternal(status);
  if (!status.ok()) {
    if (answers.is_made) answers.violation = std::string(status.message());
    return answers;
  }
  SequenceAnswers given = **std::move(called);
  if (given.keeps_callbacks) session.LosePatience();
  answers.models = std::move(given.models);
  answers.violation = std::move(given.violation);
  return answers;
}

absl::Status AwaitAnswer(DriverSession& session, absl::Duration deadline) {
  return session.calls()
      .Run(deadline, [device = session.device()] { return device->getStatus(); })
      .status();
}

}  // namespace nncert
