// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/call_sequence.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/string_view.h"
#include "hal/deadline.h"
#include "hal/replay/call_rules.h"
#include "hal/replay/callbacks.h"
#include "hal/version.h"

namespace nncert::hal::replay {
namespace {

using V1_0::ErrorStatus;

constexpr absl::string_view kPrepareCall = "prepareModel_1_2";
constexpr absl::string_view kExecuteCall = "execute_1_2";

// The share of a deadline in which calls are begun.
constexpr double kShareToBeginIn = 0.5;

// One go through a sequence.
class Caller {
 public:
  Caller(V1_2::IDevice& device, const CallSequence& sequence)
      : device_(device), sequence_(sequence), start_of_last_(sequence.deadline * kShareToBeginIn) {}

  SequenceAnswers Call() {
    bool is_complete = true;
    for (const SequencedModel& model : sequence_.models) {
      is_complete = CallForModel(model);
      GiveBack();
      if (!is_complete || !answers_.violation.empty()) break;
    }
    if (!is_complete || !answers_.violation.empty()) answers_.models.clear();
    return std::move(answers_);
  }

 private:
  // Whether all went as it should.
  bool CallForModel(const SequencedModel& of_model) {
    SequencedAnswers& answers = answers_.models.emplace_back();
    if (of_model.is_asked && !Ask(*of_model.model, answers)) return false;
    if (start_of_last_.HasPassed()) return false;
    if (!Prepare(*of_model.model, answers.prepared)) return false;
    if (prepared_ == nullptr) return true;
    for (const SequencedExecution& execution : of_model.executions) {
      if (start_of_last_.HasPassed()) return false;
      if (!Execute(execution, answers.results.emplace_back())) return false;
    }
    return true;
  }

  bool Ask(const V1_2::Model& model, SequencedAnswers& answers) {
    V1_0::GetSupportedOperationsResult result = device_.getSupportedOperations_1_2(model);
    if (!Holds(WrongSupport("getSupportedOperations_1_2", result, model.operations.size()))) {
      return false;
    }
    answers.supported = std::move(result.supportedOperations);
    return true;
  }

  bool Prepare(const V1_2::Model& model, ErrorStatus& status) {
    const Deadline deadline(sequence_.deadline);
    const auto callback = prepare_callback_ = std::make_shared<PrepareCallback>();
    const ErrorStatus launched = device_.prepareModel_1_2(
        model, V1_2::ExecutionPreference::FAST_SINGLE_ANSWER, {}, {}, {}, callback);
    std::optional<PrepareCallback::Result> result =
        Await(kPrepareCall, callback, launched, deadline);
    if (!result.has_value()) return false;
    status = result->status;
    prepared_ = std::dynamic_pointer_cast<V1_2::IPreparedModel>(result->model);
    return Holds(WrongPreparation(kPrepareCall, *result, HalVersion::V1_2));
  }

  bool Execute(const SequencedExecution& execution, SequencedResult& answer) {
    if (execution.is_synchronous) {
      answer.result = prepared_->executeSynchronously(execution.request, execution.measure);
      answer.launched = answer.result.status;
      return true;
    }
    const Deadline deadline(sequence_.deadline);
    const auto callback = execution_callbacks_.emplace_back(std::make_shared<ExecutionCallback>());
    answer.launched = prepared_->execute_1_2(execution.request, execution.measure, callback);
    std::optional<ExecutionCallback::Result> result =
        Await(kExecuteCall, callback, answer.launched, deadline);
    if (!result.has_value()) return false;
    answer.result = {.status = result->status,
                     .outputShapes = std::move(result->outputShapes),
                     .timing = result->timing};
    return true;
  }

  // Waits for a callback, which must come as it should; otherwise there is nothing.
  template <typename Callback>
  std::optional<typename Callback::Result> Await(absl::string_view call,
                                                 const std::shared_ptr<Callback>& callback,
                                                 ErrorStatus launched, const Deadline& deadline) {
    auto result = AwaitCallback(callback, DeadlineOfCallback(launched, deadline));
    const auto called = result.has_value() ? std::optional(result->status) : std::nullopt;
    if (!Holds(WrongCallback(call, launched, called))) return std::nullopt;
    return result;
  }

  // Gives the model back, waits until the device has let go of its callbacks, and looks at how
  // often it has called them.
  void GiveBack() {
    if (prepare_callback_ != nullptr) prepare_callback_->result.Finish();
    for (const auto& callback : execution_callbacks_) callback->result.Finish();
    prepared_ = nullptr;
    if (sequence_.patience > absl::ZeroDuration() && !answers_.keeps_callbacks) {
      const auto is_let_go = [](const auto& callback) {
        return callback == nullptr || callback.use_count() <= 1;
      };
      answers_.keeps_callbacks = !Deadline(sequence_.patience).AwaitByLooking([&] {
        return is_let_go(prepare_callback_) &&
               std::all_of(execution_callbacks_.begin(), execution_callbacks_.end(), is_let_go);
      });
    }
    const auto check = [this](absl::string_view call, const auto& result) {
      Holds(WrongCallsAtEnd(call, result.calls(), result.is_late()));
    };
    if (prepare_callback_ != nullptr) check(kPrepareCall, prepare_callback_->result);
    for (const auto& callback : execution_callbacks_) check(kExecuteCall, callback->result);
    prepare_callback_ = nullptr;
    execution_callbacks_.clear();
  }

  // Whether nothing is wrong; notes the first thing that is.
  bool Holds(std::string wrong) {
    if (wrong.empty()) return true;
    if (answers_.violation.empty()) answers_.violation = std::move(wrong);
    return false;
  }

  V1_2::IDevice& device_;
  const CallSequence& sequence_;
  const Deadline start_of_last_;
  SequenceAnswers answers_;
  // Of the model that is under way.
  std::shared_ptr<V1_2::IPreparedModel> prepared_;
  std::shared_ptr<PrepareCallback> prepare_callback_;
  std::vector<std::shared_ptr<ExecutionCallback>> execution_callbacks_;
};

}  // namespace

absl::Duration LongestTimeOf(const CallSequence& sequence) {
  return sequence.deadline * (kShareToBeginIn + 2) +
         sequence.patience * static_cast<int64_t>(sequence.models.size());
}

SequenceAnswers MakeCalls(V1_2::IDevice& device, const CallSequence& sequence) {
  return Caller(device, sequence).Call();
}

}  // namespace nncert::hal::replay
