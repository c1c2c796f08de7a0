// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/call_sequence.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hal/burst_controller.h"
#include "hal/deadline.h"
#include "hal/replay/call_rules.h"
#include "hal/replay/callbacks.h"
#include "hal/replay/device_methods.h"
#include "hal/replay/spare_queues.h"

namespace nncert::hal::replay {
namespace {

using V1_0::ErrorStatus;

// An execution that has been launched, and the method that launched it.
struct LaunchedExecution {
  absl::string_view call;
  std::shared_ptr<ExecutionCallback> callback;
};

// The share of a deadline in which calls are begun.
constexpr double kShareToBeginIn = 0.5;

// A model that is under way.
struct ModelUnderWay {
  absl::string_view prepare_call;                     // the method that prepares it
  std::shared_ptr<PrepareCallback> prepare_callback;  // null before prepareModel is called
  ErrorStatus launched = ErrorStatus::NONE;           // what that returned
  std::shared_ptr<V1_2::IPreparedModel> prepared;
  std::vector<LaunchedExecution> executions;
  std::shared_ptr<BurstController> burst;  // null before its first request
};

// One go through a sequence.
class Caller {
 public:
  Caller(V1_2::IDevice& device, const CallSequence& sequence, SpareQueues& spares)
      : device_(device),
        sequence_(sequence),
        spares_(spares),
        start_of_last_(sequence.deadline * kShareToBeginIn) {}

  SequenceAnswers Call() {
    const size_t count = sequence_.models.size();
    answers_.models.resize(count);
    std::vector<ModelUnderWay> models(count);
    bool goes_on = true;
    for (size_t i = 0; i < count && goes_on; ++i) {
      goes_on = Begin(sequence_.models[i], models[i], answers_.models[i]);
    }
    for (size_t i = 0; i < count && goes_on; ++i) {
      // What has been launched and is not waited for any more is left to its callback.
      goes_on = !start_of_last_.HasPassed();
      if (!goes_on) break;
      const bool is_complete = Execute(sequence_.models[i], models[i], answers_.models[i]);
      GiveBack(models[i]);
      goes_on = is_complete && answers_.violation.empty();
    }
    if (!goes_on) answers_.models.clear();
    return std::move(answers_);
  }

 private:
  // Asks about a model and has it prepared. Whether all went as it should, so far.
  bool Begin(const SequencedModel& of_model, ModelUnderWay& model, SequencedAnswers& answers) {
    if (of_model.is_asked && !Ask(of_model, answers)) return false;
    if (start_of_last_.HasPassed()) return false;
    model.prepare_call = PrepareCall(of_model.version);
    model.prepare_callback = std::make_shared<PrepareCallback>();
    // Held twice by its client, as IsHeldByDriver wants it.
    const auto callback = model.prepare_callback;
    model.launched = CallPrepareModel(device_, of_model.version, *of_model.model,
                                      of_model.preference, {}, callback);
    return true;
  }

  bool Ask(const SequencedModel& of_model, SequencedAnswers& answers) {
    if (start_of_last_.HasPassed()) return false;
    V1_0::GetSupportedOperationsResult result =
        CallGetSupportedOperations(device_, of_model.version, *of_model.model);
    if (of_model.is_invalid) return result.status == ErrorStatus::INVALID_ARGUMENT;
    if (!Holds(WrongSupport(SupportedOperationsCall(of_model.version), result,
                            of_model.model->operations.size()))) {
      return false;
    }
    answers.supported = std::move(result.supportedOperations);
    return true;
  }

  // Executes a model when it has been prepared. Whether all went as it should.
  bool Execute(const SequencedModel& of_model, ModelUnderWay& model, SequencedAnswers& answers) {
    const auto callback = model.prepare_callback;
    std::optional<PrepareCallback::Result> result =
        Await(model.prepare_call, callback, model.launched, Deadline(sequence_.deadline));
    if (!result.has_value()) return false;
    answers.prepared = result->status;
    model.prepared = std::dynamic_pointer_cast<V1_2::IPreparedModel>(result->model);
    if (of_model.is_invalid) {
      return model.launched == ErrorStatus::INVALID_ARGUMENT &&
             result->status == ErrorStatus::INVALID_ARGUMENT && result->model == nullptr;
    }
    if (!Holds(WrongPreparation(model.prepare_call, *result, HalVersion::V1_2))) return false;
    if (model.prepared == nullptr) return true;
    for (const SequencedExecution& execution : of_model.executions) {
      if (start_of_last_.HasPassed()) return false;
      if (!Execute(execution, model, answers.results.emplace_back())) return false;
    }
    return true;
  }

  bool Execute(const SequencedExecution& execution, ModelUnderWay& model, SequencedResult& answer) {
    switch (execution.method) {
      case ExecutionMethod::kAsynchronous:
      case ExecutionMethod::kAsynchronous1_0:
        return ExecuteAsynchronously(execution, model, answer);
      case ExecutionMethod::kSynchronous:
        answer.result = model.prepared->executeSynchronously(execution.request, execution.measure);
        answer.launched = answer.result.status;
        return true;
      case ExecutionMethod::kBurst:
        return ExecuteByBurst(execution, model, answer);
    }
    return false;
  }

  bool ExecuteAsynchronously(const SequencedExecution& execution, ModelUnderWay& model,
                             SequencedResult& answer) {
    const Deadline deadline(sequence_.deadline);
    const bool is_1_0 = execution.method == ExecutionMethod::kAsynchronous1_0;
    const auto& [call, kept] = model.executions.emplace_back(LaunchedExecution{
        is_1_0 ? "execute" : "execute_1_2", std::make_shared<ExecutionCallback>()});
    const auto callback = kept;
    answer.launched =
        is_1_0 ? model.prepared->execute(execution.request, callback)
               : model.prepared->execute_1_2(execution.request, execution.measure, callback);
    std::optional<ExecutionCallback::Result> result =
        Await(call, callback, answer.launched, deadline);
    if (!result.has_value()) return false;
    answer.result = {.status = result->status,
                     .outputShapes = std::move(result->outputShapes),
                     .timing = result->timing};
    return true;
  }

  bool ExecuteByBurst(const SequencedExecution& execution, ModelUnderWay& model,
                      SequencedResult& answer) {
    const Deadline deadline(sequence_.deadline);
    if (model.burst == nullptr) {
      absl::StatusOr<BurstQueues> queues = spares_.Take(LengthsFor(execution.request));
      // When there are no queues to be had, that says nothing of the device.
      if (!queues.ok()) return false;
      auto opened = BurstController::Open(*model.prepared, *std::move(queues));
      if (!opened.ok()) return Holds(std::string(opened.status().message()));
      model.burst = *std::move(opened);
    } else if (ForgetsMemoryBefore(model.burst->sent())) {
      model.burst->FreeAllMemory();
    }
    absl::StatusOr<V1_2::ExecuteSynchronouslyResult> result =
        model.burst->Execute(execution.request, execution.measure, deadline);
    if (!result.ok()) {
      if (!absl::IsDeadlineExceeded(result.status())) {
        Holds(absl::StrCat("the request of a burst: ", result.status().message()));
      }
      return false;
    }
    answer.result = *std::move(result);
    answer.launched = answer.result.status;
    return true;
  }

  // Waits for a callback, which must come as it should; otherwise there is nothing. One that may
  // still come breaks no rule.
  template <typename Callback>
  std::optional<typename Callback::Result> Await(absl::string_view call,
                                                 const std::shared_ptr<Callback>& callback,
                                                 ErrorStatus launched, const Deadline& deadline) {
    auto result = AwaitCallback(callback, DeadlineOfCallback(launched, deadline));
    if (!result.has_value() && IsHeldByDriver(callback)) return std::nullopt;
    const auto called = result.has_value() ? std::optional(result->status) : std::nullopt;
    if (!Holds(WrongCallback(call, launched, called))) return std::nullopt;
    return result;
  }

  // Ends the burst, gives the model back, waits until the device has let go of its callbacks, and
  // looks at how often it has called them.
  void GiveBack(ModelUnderWay& model) {
    model.prepare_callback->result.Finish();
    for (const LaunchedExecution& execution : model.executions) execution.callback->result.Finish();
    if (model.burst != nullptr) model.burst->Close();
    model.prepared = nullptr;
    if (sequence_.patience > absl::ZeroDuration() && !answers_.keeps_callbacks) {
      const auto is_let_go = [](const auto& callback) { return callback.use_count() <= 1; };
      answers_.keeps_callbacks = !Deadline(sequence_.patience).AwaitByLooking([&] {
        return is_let_go(model.prepare_callback) &&
               std::all_of(model.executions.begin(), model.executions.end(),
                           [&](const auto& execution) { return is_let_go(execution.callback); });
      });
    }
    const auto check = [this](absl::string_view call, const auto& result) {
      Holds(WrongCallsAtEnd(call, result.calls(), result.is_late()));
    };
    check(model.prepare_call, model.prepare_callback->result);
    for (const auto& [call, callback] : model.executions) check(call, callback->result);
    if (model.burst == nullptr) return;
    if (const absl::Status status = model.burst->CheckNoResult(); !status.ok()) {
      Holds(absl::StrCat("the end of a burst: ", status.message()));
    }
    spares_.GiveBack(model.burst->queues());
    model.burst = nullptr;
  }

  // Whether nothing is wrong; notes the first thing that is.
  bool Holds(std::string wrong) {
    if (wrong.empty()) return true;
    if (answers_.violation.empty()) answers_.violation = std::move(wrong);
    return false;
  }

  V1_2::IDevice& device_;
  const CallSequence& sequence_;
  SpareQueues& spares_;
  const Deadline start_of_last_;
  SequenceAnswers answers_;
};

}  // namespace

absl::Duration LongestTimeOf(const CallSequence& sequence) {
  const auto prepared =
      std::count_if(sequence.models.begin(), sequence.models.end(),
                    [](const SequencedModel& model) { return !model.is_invalid; });
  return sequence.deadline * (kShareToBeginIn + 1 + static_cast<double>(prepared)) +
         sequence.patience * static_cast<int64_t>(sequence.models.size());
}

SequenceAnswers MakeCalls(V1_2::IDevice& device, const CallSequence& sequence,
                          SpareQueues& spares) {
  return Caller(device, sequence, spares).Call();
}

}  // namespace nncert::hal::replay
