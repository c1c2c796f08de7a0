// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/driver_calls.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/synchronization/mutex.h"
#include "hal/conversion.h"
#include "hal/to_string.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_0::GetSupportedOperationsResult;
using hal::V1_0::Request;
using hal::V1_2::ExecutionPreference;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

// How long a callback may stay away after the launch has already reported its failure.
constexpr absl::Duration kGraceAfterFailedLaunch = absl::Seconds(2);

// Operations that messages name one by one.
constexpr size_t kNamedOperations = 8;

Problem ProblemOf(absl::string_view call, const absl::Status& status) {
  return {absl::IsDeadlineExceeded(status) ? Verdict::TIMEOUT : Verdict::FAIL,
          absl::StrCat(call, ": ", status.message())};
}

Problem Broken(std::string text) { return {Verdict::FAIL, std::move(text)}; }

// Counts the calls of a callback, and keeps what came with the first.
template <typename Result>
class OnceCalled {
 public:
  void Set(Result result) {
    absl::MutexLock lock(&mutex_);
    if (++calls_ == 1) result_ = std::move(result);
  }

  // Waits for the first call; nothing when it does not come.
  std::optional<Result> Wait(absl::Duration deadline) {
    absl::MutexLock lock(&mutex_);
    mutex_.AwaitWithTimeout(absl::Condition(
                                +[](int* calls) { return *calls > 0; }, &calls_),
                            deadline);
    return result_;
  }

  int calls() const {
    absl::MutexLock lock(&mutex_);
    return calls_;
  }

 private:
  mutable absl::Mutex mutex_;
  int calls_ ABSL_GUARDED_BY(mutex_) = 0;
  std::optional<Result> result_ ABSL_GUARDED_BY(mutex_);
};

// Checks what a launch returned against what the callback, if it came, was called with. `calls` is
// how often it came.
std::optional<Problem> CheckCallback(absl::string_view call, ErrorStatus launched,
                                     std::optional<ErrorStatus> called, int calls,
                                     absl::Duration waited) {
  if (!called.has_value()) {
    if (launched != ErrorStatus::NONE) {
      return Broken(absl::StrCat(call, " returned ", toString(launched),
                                 " and did not call its callback; expected exactly one call"));
    }
    return Problem{Verdict::TIMEOUT,
                   absl::StrCat(call, " returned NONE, but its callback was not called within ",
                                absl::FormatDuration(waited))};
  }
  if (calls > 1) {
    return Broken(
        absl::StrCat(call, " called its callback ", calls, " times; expected exactly one call"));
  }
  if (launched != ErrorStatus::NONE && launched != *called) {
    return Broken(absl::StrCat(call, " returned ", toString(launched),
                               " and called its callback with ", toString(*called),
                               "; expected the same status"));
  }
  return std::nullopt;
}

}  // namespace

std::string_view toString(Executor executor) {
  switch (executor) {
    case Executor::ASYNC:
      return "ASYNC";
    case Executor::SYNC:
      return "SYNC";
  }
  return "Executor(?)";
}

std::ostream& operator<<(std::ostream& stream, Executor executor) {
  return stream << toString(executor);
}

class ModelOnDriver::PrepareCallback : public hal::V1_2::IPreparedModelCallback {
 public:
  struct Result {
    ErrorStatus status;
    std::shared_ptr<hal::V1_0::IPreparedModel> model;
  };

  void notify(ErrorStatus status,
              const std::shared_ptr<hal::V1_0::IPreparedModel>& model) override {
    result.Set({status, model});
  }
  void notify_1_2(ErrorStatus status,
                  const std::shared_ptr<hal::V1_2::IPreparedModel>& model) override {
    result.Set({status, model});
  }

  OnceCalled<Result> result;
};

class ModelOnDriver::ExecutionCallback : public hal::V1_2::IExecutionCallback {
 public:
  struct Result {
    ErrorStatus status;
    std::vector<hal::V1_2::OutputShape> outputShapes;
    hal::V1_2::Timing timing;
  };

  void notify(ErrorStatus status) override { result.Set({status, {}, {}}); }
  void notify_1_2(ErrorStatus status, const std::vector<hal::V1_2::OutputShape>& outputShapes,
                  const hal::V1_2::Timing& timing) override {
    result.Set({status, outputShapes, timing});
  }

  OnceCalled<Result> result;
};

ModelOnDriver::ModelOnDriver(DriverSession& session, absl::Duration deadline)
    : session_(session), deadline_(deadline) {}

ModelOnDriver::~ModelOnDriver() {
  // The destructor of a prepared model is a call like any other. The callbacks hold it, too.
  struct Release {
    std::shared_ptr<void> callback;
    std::shared_ptr<void> prepared;
    std::shared_ptr<void> prepared_1_2;
  };
  auto release = std::make_shared<Release>(
      Release{std::move(prepare_callback_), std::move(prepared_), std::move(prepared_1_2_)});
  session_.calls()
      .Run(deadline_,
           [release = std::move(release)]() mutable {
             release = nullptr;
             return true;
           })
      .IgnoreError();
}

std::optional<Problem> ModelOnDriver::AskSupportedOperations(const Model& model) {
  const std::shared_ptr<const Model> shared = std::make_shared<Model>(model);
  absl::StatusOr<GetSupportedOperationsResult> result;
  absl::string_view call;
  switch (session_.hal_version()) {
    case hal::HalVersion::V1_0:
      call = "getSupportedOperations";
      result = session_.calls().Run(deadline_, [shared, device = session_.device()] {
        return device->getSupportedOperations(hal::convertToV1_0(*shared));
      });
      break;
    case hal::HalVersion::V1_1:
      call = "getSupportedOperations_1_1";
      result = session_.calls().Run(deadline_, [shared, device = session_.device_1_1()] {
        return device->getSupportedOperations_1_1(hal::convertToV1_1(*shared));
      });
      break;
    case hal::HalVersion::V1_2:
      call = "getSupportedOperations_1_2";
      result = session_.calls().Run(deadline_, [shared, device = session_.device_1_2()] {
        return device->getSupportedOperations_1_2(*shared);
      });
      break;
  }
  if (!result.ok()) return ProblemOf(call, result.status());
  if (result->status != ErrorStatus::NONE) {
    return Problem{Verdict::FAIL,
                   absl::StrCat(call, " ended with ", toString(result->status),
                                "; expected NONE for a valid model"),
                   /*is_refusal=*/true};
  }
  if (result->supportedOperations.size() != model.operations.size()) {
    return Broken(absl::StrCat(call, " gave ", result->supportedOperations.size(),
                               " answers; expected one for each of the ", model.operations.size(),
                               " operations"));
  }
  size_t unsupported = 0;
  for (size_t i = 0; i < model.operations.size(); ++i) {
    if (result->supportedOperations[i]) continue;
    if (++unsupported > kNamedOperations) continue;
    absl::StrAppend(&unsupported_, unsupported_.empty() ? "" : ", ", i, " (",
                    OperationName(model, model.operations[i].type), ")");
  }
  if (unsupported > kNamedOperations) {
    absl::StrAppend(&unsupported_, " and ", unsupported - kNamedOperations, " more");
  }
  return std::nullopt;
}

std::optional<Problem> ModelOnDriver::Prepare(const Model& model) {
  if (std::optional<Problem> problem = AskSupportedOperations(model)) return problem;
  const std::shared_ptr<const Model> shared = std::make_shared<Model>(model);
  const auto callback = prepare_callback_ = std::make_shared<PrepareCallback>();
  const absl::Time start = absl::Now();
  absl::StatusOr<ErrorStatus> launched;
  absl::string_view call;
  switch (session_.hal_version()) {
    case hal::HalVersion::V1_0:
      call = "prepareModel";
      launched = session_.calls().Run(deadline_, [shared, callback, device = session_.device()] {
        return device->prepareModel(hal::convertToV1_0(*shared), callback);
      });
      break;
    case hal::HalVersion::V1_1:
      call = "prepareModel_1_1";
      launched =
          session_.calls().Run(deadline_, [shared, callback, device = session_.device_1_1()] {
            return device->prepareModel_1_1(hal::convertToV1_1(*shared),
                                            ExecutionPreference::FAST_SINGLE_ANSWER, callback);
          });
      break;
    case hal::HalVersion::V1_2:
      call = "prepareModel_1_2";
      launched =
          session_.calls().Run(deadline_, [shared, callback, device = session_.device_1_2()] {
            return device->prepareModel_1_2(*shared, ExecutionPreference::FAST_SINGLE_ANSWER, {},
                                            {}, hal::V1_2::CacheToken{}, callback);
          });
      break;
  }
  if (!launched.ok()) return ProblemOf(call, launched.status());
  const absl::Duration left = std::max(deadline_ - (absl::Now() - start), absl::ZeroDuration());
  const std::optional<PrepareCallback::Result> result = callback->result.Wait(
      *launched == ErrorStatus::NONE ? left : std::min(left, kGraceAfterFailedLaunch));
  if (std::optional<Problem> problem = CheckCallback(
          call, *launched, result.has_value() ? std::optional(result->status) : std::nullopt,
          callback->result.calls(), deadline_)) {
    return problem;
  }
  if (result->status != ErrorStatus::NONE) {
    if (result->model != nullptr) {
      return Broken(absl::StrCat(call, " gave a prepared model together with ",
                                 toString(result->status), "; expected null"));
    }
    if (is_fully_supported()) {
      return Problem{Verdict::BROKEN_PROMISE,
                     absl::StrCat("the driver claims to support every operation, but ", call,
                                  " ended with ", toString(result->status)),
                     /*is_refusal=*/true};
    }
    return Problem{Verdict::UNSUPPORTED,
                   absl::StrCat("the driver does not support operation ", unsupported_),
                   /*is_refusal=*/true};
  }
  if (result->model == nullptr) {
    return Broken(absl::StrCat(call, " gave NONE together with a null prepared model"));
  }
  prepared_ = result->model;
  prepared_1_2_ = std::dynamic_pointer_cast<hal::V1_2::IPreparedModel>(result->model);
  if (session_.hal_version() >= hal::HalVersion::V1_2 && prepared_1_2_ == nullptr) {
    return Broken(absl::StrCat(call, " gave a prepared model that is not one of HAL 1.2"));
  }
  return std::nullopt;
}

ExecutionOutcome ModelOnDriver::Execute(const Request& request, Executor executor,
                                        MeasureTiming measure) {
  return executor == Executor::ASYNC ? ExecuteAsync(request, measure)
                                     : ExecuteSync(request, measure);
}

ExecutionOutcome ModelOnDriver::ExecuteAsync(const Request& request, MeasureTiming measure) {
  ExecutionOutcome outcome;
  const auto callback = std::make_shared<ExecutionCallback>();
  execution_callbacks_.push_back(callback);
  const bool is_1_2 = session_.hal_version() >= hal::HalVersion::V1_2;
  const absl::string_view call = is_1_2 ? "execute_1_2" : "execute";
  const absl::Time start = absl::Now();
  const absl::StatusOr<ErrorStatus> launched = session_.calls().Run(
      deadline_,
      [request, measure, callback, is_1_2, model = prepared_, model_1_2 = prepared_1_2_] {
        return is_1_2 ? model_1_2->execute_1_2(request, measure, callback)
                      : model->execute(request, callback);
      });
  if (!launched.ok()) {
    outcome.problem = ProblemOf(call, launched.status());
    return outcome;
  }
  const absl::Duration left = std::max(deadline_ - (absl::Now() - start), absl::ZeroDuration());
  std::optional<ExecutionCallback::Result> result = callback->result.Wait(
      *launched == ErrorStatus::NONE ? left : std::min(left, kGraceAfterFailedLaunch));
  outcome.problem = CheckCallback(call, *launched,
                                  result.has_value() ? std::optional(result->status) : std::nullopt,
                                  callback->result.calls(), deadline_);
  if (outcome.problem.has_value()) return outcome;
  outcome.status = result->status;
  outcome.outputShapes = std::move(result->outputShapes);
  outcome.timing = result->timing;
  return outcome;
}

ExecutionOutcome ModelOnDriver::ExecuteSync(const Request& request, MeasureTiming measure) {
  ExecutionOutcome outcome;
  absl::StatusOr<hal::V1_2::ExecuteSynchronouslyResult> result =
      session_.calls().Run(deadline_, [request, measure, model = prepared_1_2_] {
        return model->executeSynchronously(request, measure);
      });
  if (!result.ok()) {
    outcome.problem = ProblemOf("executeSynchronously", result.status());
    return outcome;
  }
  outcome.status = result->status;
  outcome.outputShapes = std::move(result->outputShapes);
  outcome.timing = result->timing;
  return outcome;
}

std::optional<Problem> ModelOnDriver::CheckCallbacks() const {
  if (prepare_callback_ != nullptr && prepare_callback_->result.calls() > 1) {
    return Broken(absl::StrCat("the callback of the preparation was called ",
                               prepare_callback_->result.calls(),
                               " times; expected exactly one call"));
  }
  for (const std::shared_ptr<ExecutionCallback>& callback : execution_callbacks_) {
    if (callback->result.calls() <= 1) continue;
    return Broken(absl::StrCat("the callback of an execution was called ", callback->result.calls(),
                               " times; expected exactly one call"));
  }
  return std::nullopt;
}

}  // namespace nncert
