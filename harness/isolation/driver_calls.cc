// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/driver_calls.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hal/burst_controller.h"
#include "hal/deadline.h"
#include "hal/replay/call_rules.h"
#include "hal/replay/callbacks.h"
#include "hal/to_string.h"
#include "harness/isolation/device_calls.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using hal::replay::AwaitCallback;
using hal::replay::DeadlineOfCallback;
using hal::replay::ExecutionCallback;
using hal::replay::IsHeldByDriver;
using hal::replay::PrepareCallback;
using hal::replay::WrongCallsAtEnd;
using hal::replay::WrongPreparation;
using hal::replay::WrongSupport;
using hal::V1_0::ErrorStatus;
using hal::V1_0::GetSupportedOperationsResult;
using hal::V1_0::Request;
using hal::V1_2::ExecuteSynchronouslyResult;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

constexpr absl::string_view kReleaseCall = "the release of the prepared model";

// Operations that messages name one by one.
constexpr size_t kNamedOperations = 8;

absl::string_view ExecuteCall(hal::HalVersion version) {
  return version >= hal::HalVersion::V1_2 ? "execute_1_2" : "execute";
}

}  // namespace

hal::replay::ExecutionMethod MethodOf(Executor executor) {
  using hal::replay::ExecutionMethod;
  switch (executor) {
    case Executor::ASYNC:
      return ExecutionMethod::kAsynchronous;
    case Executor::SYNC:
      return ExecutionMethod::kSynchronous;
    case Executor::BURST:
      return ExecutionMethod::kBurst;
    case Executor::ASYNC_1_0:
      return ExecutionMethod::kAsynchronous1_0;
  }
  return ExecutionMethod::kAsynchronous;
}

std::string_view toString(Executor executor) {
  switch (executor) {
    case Executor::ASYNC:
      return "ASYNC";
    case Executor::SYNC:
      return "SYNC";
    case Executor::BURST:
      return "BURST";
    case Executor::ASYNC_1_0:
      return "ASYNC_1_0";
  }
  return "Executor(?)";
}

std::ostream& operator<<(std::ostream& stream, Executor executor) {
  return stream << toString(executor);
}

std::string UnsupportedOperations(const Model& model, const std::vector<bool>& supported) {
  std::string names;
  size_t unsupported = 0;
  for (size_t i = 0; i < model.operations.size(); ++i) {
    if (supported[i]) continue;
    if (++unsupported > kNamedOperations) continue;
    absl::StrAppend(&names, names.empty() ? "" : ", ", i, " (",
                    OperationName(model, model.operations[i].type), ")");
  }
  if (unsupported > kNamedOperations) {
    absl::StrAppend(&names, " and ", unsupported - kNamedOperations, " more");
  }
  return names;
}

Problem RefusalOf(absl::string_view call, ErrorStatus status, const std::string& unsupported) {
  if (unsupported.empty()) {
    return {Verdict::BROKEN_PROMISE,
            absl::StrCat("the driver claims to support every operation, but ", call, " ended with ",
                         toString(status)),
            /*is_refusal=*/true};
  }
  return {Verdict::UNSUPPORTED, absl::StrCat("the driver does not support operation ", unsupported),
          /*is_refusal=*/true};
}

ModelOnDriver::ModelOnDriver(DriverSession& session, absl::Duration deadline)
    : session_(session), deadline_(deadline) {}

ModelOnDriver::~ModelOnDriver() { DropPreparedModel().IgnoreError(); }

absl::Status ModelOnDriver::DropPreparedModel() {
  if (std::exchange(is_released_, true) || prepare_callback_ == nullptr) return absl::OkStatus();
  for (const auto& callback : execution_callbacks_) callback->result.Finish();
  std::optional<PrepareCallback::Result> of_callback = prepare_callback_->result.Finish();
  prepared_1_2_ = nullptr;
  std::shared_ptr<hal::V1_0::IPreparedModel> model = std::exchange(prepared_, nullptr);
  if (model == nullptr && of_callback.has_value()) model = std::move(of_callback->model);
  of_callback.reset();
  if (burst_ != nullptr) {
    // The burst may hold the model.
    if (absl::Status closed = burst_->Close(); !closed.ok()) return closed;
  }
  return GiveBack(std::move(model));
}

absl::Status ModelOnDriver::GiveBack(std::shared_ptr<hal::V1_0::IPreparedModel> model) {
  if (session_.calls().is_watched()) {
    // The thread that called the callback holds the proxy for a moment longer than it calls. Were
    // that the last reference, the process would hear of the release after it has been asked how it
    // fares, and what its destructor breaks would be the next case's.
    hal::Deadline(deadline_, session_.calls().clock()).AwaitByLooking([&model] {
      return model.use_count() <= 1;
    });
  }
  return ReleasePreparedModel(session_, std::move(model), deadline_);
}

std::optional<Problem> ModelOnDriver::ReleaseEarly() {
  prepare_callback_->result.Finish();
  prepared_1_2_ = nullptr;
  if (absl::Status status = GiveBack(std::exchange(prepared_, nullptr)); !status.ok()) {
    return ProblemOf(kReleaseCall, status);
  }
  return std::nullopt;
}

std::optional<Problem> ModelOnDriver::Release() {
  if (absl::Status status = DropPreparedModel(); !status.ok())
    return ProblemOf(kReleaseCall, status);
  if (session_.calls().is_watched()) {
    // The process hears of the release before it answers.
    if (absl::Status status = AwaitAnswer(session_, deadline_); !status.ok()) {
      return ProblemOf(kReleaseCall, status);
    }
  }
  AwaitCallbacks();
  // Threads of the driver may have held the prepared model until then.
  if (absl::Status status = session_.calls().Health(); !status.ok())
    return ProblemOf(kReleaseCall, status);
  if (burst_ != nullptr) {
    if (std::optional<Problem> problem = burst_->CheckNoResult()) return problem;
  }
  return CheckCallbacks();
}

void ModelOnDriver::AwaitCallbacks() const {
  if (!session_.IsPatient()) return;
  const auto is_kept = [](const auto& callback) {
    return callback != nullptr && callback.use_count() > 1;
  };
  const hal::Deadline deadline(DriverSession::kPatience, session_.calls().clock());
  const bool is_let_go = deadline.AwaitByLooking([&] {
    return !is_kept(prepare_callback_) &&
           std::none_of(execution_callbacks_.begin(), execution_callbacks_.end(), is_kept);
  });
  if (!is_let_go) session_.LosePatience();
}

std::optional<Problem> ModelOnDriver::AskSupportedOperations(
    const std::shared_ptr<const Model>& shared) {
  const Model& model = *shared;
  const hal::HalVersion version = session_.hal_version();
  const absl::string_view call = SupportedOperationsCall(version);
  const absl::StatusOr<GetSupportedOperationsResult> result =
      GetSupportedOperations(session_, version, shared, deadline_);
  if (!result.ok()) return ProblemOf(call, result.status());
  if (std::string wrong = WrongSupport(call, *result, model.operations.size()); !wrong.empty()) {
    return Problem{Verdict::FAIL, std::move(wrong),
                   /*is_refusal=*/result->status != ErrorStatus::NONE};
  }
  unsupported_ = UnsupportedOperations(model, result->supportedOperations);
  return std::nullopt;
}

std::optional<Problem> ModelOnDriver::Prepare(const std::shared_ptr<const Model>& model,
                                              Asking asking) {
  if (asking == Asking::kFirst) {
    if (std::optional<Problem> problem = AskSupportedOperations(model)) return problem;
  }
  const absl::string_view call = PrepareCall(session_.hal_version());
  PreparationOutcome result =
      PrepareModel(session_, session_.hal_version(), model, PreparationOptions(), deadline_);
  const bool is_refused =
      !result.problem.has_value() && result.status != ErrorStatus::NONE && result.model == nullptr;
  if (is_refused) {
    prepare_callback_ = std::move(result.callback);
    return RefusalOf(call, result.status, unsupported_);
  }
  return Adopt(call, std::move(result));
}

std::optional<Problem> ModelOnDriver::Adopt(absl::string_view call, PreparationOutcome result) {
  prepare_callback_ = std::move(result.callback);
  if (result.problem.has_value()) return result.problem;
  std::string wrong = WrongPreparation(call, {result.status, result.model}, session_.hal_version());
  if (!wrong.empty()) return Broken(std::move(wrong));
  if (result.status != ErrorStatus::NONE) {
    return Broken(
        absl::StrCat(call, " ended with ", toString(result.status), "; expected a prepared model"));
  }
  prepared_ = result.model;
  prepared_1_2_ = std::dynamic_pointer_cast<hal::V1_2::IPreparedModel>(result.model);
  return std::nullopt;
}

void ModelOnDriver::AdoptFrom(const ModelOnDriver& other) {
  prepare_callback_ = std::make_shared<PrepareCallback>();
  // Whoever gives the model up waits until nobody else holds what he gives up; so each has a
  // reference that counts by itself.
  prepared_ = std::shared_ptr<hal::V1_0::IPreparedModel>(
      other.prepared_.get(), [keep = other.prepared_](hal::V1_0::IPreparedModel* /*model*/) {});
  prepared_1_2_ = std::dynamic_pointer_cast<hal::V1_2::IPreparedModel>(prepared_);
}

ExecutionOutcome ModelOnDriver::Execute(const Request& request, Executor executor,
                                        MeasureTiming measure) {
  switch (executor) {
    case Executor::ASYNC:
    case Executor::ASYNC_1_0:
      return AwaitEnd(Launch(request, executor, measure));
    case Executor::SYNC:
      return ExecuteSync(request, measure);
    case Executor::BURST:
      return ExecuteBurst(request, measure);
  }
  return ExecuteSync(request, measure);
}

LaunchedExecution ModelOnDriver::Launch(const Request& request, Executor executor,
                                        MeasureTiming measure) {
  const hal::HalVersion version =
      executor == Executor::ASYNC_1_0 ? hal::HalVersion::V1_0 : session_.hal_version();
  const bool is_1_2 = version >= hal::HalVersion::V1_2;
  LaunchedExecution execution;
  execution.call = ExecuteCall(version);
  execution.deadline = hal::Deadline(deadline_, session_.calls().clock());
  // Held twice by its client, as IsHeldByDriver wants it.
  const auto callback = execution.callback =
      execution_callbacks_.emplace_back(std::make_shared<ExecutionCallback>());
  const absl::StatusOr<ErrorStatus> launched = session_.calls().Run(
      deadline_,
      [request, measure, callback, is_1_2, model = prepared_, model_1_2 = prepared_1_2_] {
        return is_1_2 ? model_1_2->execute_1_2(request, measure, callback)
                      : model->execute(request, callback);
      });
  if (launched.ok()) {
    execution.launched = *launched;
  } else {
    execution.problem = ProblemOf(execution.call, launched.status());
  }
  return execution;
}

ExecutionOutcome ModelOnDriver::AwaitEnd(LaunchedExecution execution) {
  ExecutionOutcome outcome;
  outcome.problem = execution.problem;
  if (outcome.problem.has_value()) return outcome;
  const std::shared_ptr<ExecutionCallback> callback = std::move(execution.callback);
  std::optional<ExecutionCallback::Result> result = AwaitCallback(
      callback,
      DeadlineOfCallback(execution.launched, execution.deadline, session_.calls().clock()));
  outcome.problem = CheckCallback(execution.call, execution.launched,
                                  result.has_value() ? std::optional(result->status) : std::nullopt,
                                  callback->result.calls(), IsHeldByDriver(callback), deadline_,
                                  session_.calls());
  if (outcome.problem.has_value()) return outcome;
  outcome.launched = execution.launched;
  outcome.status = result->status;
  outcome.outputShapes = std::move(result->outputShapes);
  outcome.timing = result->timing;
  return outcome;
}

ExecutionOutcome ModelOnDriver::ExecuteSync(const Request& request, MeasureTiming measure) {
  ExecutionOutcome outcome;
  absl::StatusOr<ExecuteSynchronouslyResult> result =
      session_.calls().Run(deadline_, [request, measure, model = prepared_1_2_] {
        return model->executeSynchronously(request, measure);
      });
  if (!result.ok()) {
    outcome.problem = ProblemOf("executeSynchronously", result.status());
    return outcome;
  }
  outcome.launched = outcome.status = result->status;
  outcome.outputShapes = std::move(result->outputShapes);
  outcome.timing = result->timing;
  return outcome;
}

OpenedBurst ModelOnDriver::OpenBurst(const BurstOptions& options) {
  return BurstOnDriver::Open(session_, deadline_, prepared_1_2_, options);
}

std::optional<Problem> ModelOnDriver::ConfigureBurst(
    const std::shared_ptr<hal::V1_2::IBurstCallback>& callback,
    const hal::MQDescriptorSync<hal::V1_2::FmqRequestDatum>& requests,
    const hal::MQDescriptorSync<hal::V1_2::FmqResultDatum>& results, ErrorStatus& status,
    bool& is_open) {
  const auto configured =
      session_.calls().Run(deadline_, [callback, requests, results, model = prepared_1_2_] {
        // A burst that is given ends here.
        const auto result = model->configureExecutionBurst(callback, requests, results);
        return std::pair(result.status, result.context != nullptr);
      });
  if (!configured.ok()) return ProblemOf("configureExecutionBurst", configured.status());
  std::tie(status, is_open) = *configured;
  return std::nullopt;
}

ExecutionOutcome ModelOnDriver::ExecuteBurst(const Request& request, MeasureTiming measure) {
  ExecutionOutcome outcome;
  if (burst_ == nullptr) {
    OpenedBurst opened = OpenBurst({.lengths = hal::LengthsFor(request)});
    outcome.problem = std::move(opened.problem);
    burst_ = std::move(opened.burst);
  } else if (hal::ForgetsMemoryBefore(burst_->sent())) {
    outcome.problem = FreeBurstMemory();
  }
  if (outcome.problem.has_value()) return outcome;
  return burst_->Execute(request, measure);
}

std::optional<Problem> ModelOnDriver::FreeBurstMemory() {
  return burst_ == nullptr ? std::nullopt : burst_->FreeAllMemory();
}

std::optional<Problem> ModelOnDriver::CloseBurst() {
  if (burst_ == nullptr) return std::nullopt;
  const absl::Status closed = burst_->Close();
  std::optional<Problem> problem = burst_->CheckNoResult();
  if (!closed.ok()) problem = ProblemOf("the end of a burst", closed);
  burst_ = nullptr;
  return problem;
}

std::optional<Problem> ModelOnDriver::CheckCallbacks() const {
  const auto check = [](absl::string_view call, const auto& result) -> std::optional<Problem> {
    std::string wrong = WrongCallsAtEnd(call, result.calls(), result.is_late());
    if (wrong.empty()) return std::nullopt;
    return Broken(std::move(wrong));
  };
  if (prepare_callback_ != nullptr) {
    if (auto problem = check(PrepareCall(session_.hal_version()), prepare_callback_->result))
      return problem;
  }
  for (const std::shared_ptr<ExecutionCallback>& callback : execution_callbacks_) {
    if (auto problem = check(ExecuteCall(session_.hal_version()), callback->result)) return problem;
  }
  return std::nullopt;
}

}  // namespace nncert
