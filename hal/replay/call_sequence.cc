// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/call_sequence.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hal/deadline.h"
#include "hal/replay/callbacks.h"
#include "hal/to_string.h"

namespace nncert::hal::replay {
namespace {

using V1_0::ErrorStatus;

// One go through a sequence.
class Caller {
 public:
  Caller(V1_2::IDevice& device, const CallSequence& sequence)
      : device_(device), sequence_(sequence), start_of_last_(sequence.deadline / 2) {}

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
    if (result.status != ErrorStatus::NONE) {
      return Break(absl::StrCat("getSupportedOperations_1_2 ended with ", toString(result.status),
                                "; expected NONE"));
    }
    if (result.supportedOperations.size() != model.operations.size()) {
      return Break(absl::StrCat(
          "getSupportedOperations_1_2 gave ", result.supportedOperations.size(),
          " answers; expected one for each of the ", model.operations.size(), " operations"));
    }
    answers.supported = std::move(result.supportedOperations);
    return true;
  }

  bool Prepare(const V1_2::Model& model, ErrorStatus& status) {
    constexpr absl::string_view kCall = "prepareModel_1_2";
    const Deadline deadline(sequence_.deadline);
    const auto callback = prepare_callback_ = std::make_shared<PrepareCallback>();
    const ErrorStatus launched = device_.prepareModel_1_2(
        model, V1_2::ExecutionPreference::FAST_SINGLE_ANSWER, {}, {}, {}, callback);
    std::optional<PrepareCallback::Result> result = Await(kCall, callback, launched, deadline);
    if (!result.has_value()) return false;
    status = result->status;
    prepared_ = std::dynamic_pointer_cast<V1_2::IPreparedModel>(result->model);
    const bool is_right =
        status == ErrorStatus::NONE ? prepared_ != nullptr : result->model == nullptr;
    if (is_right) return true;
    return Break(absl::StrCat(kCall, " gave ", prepared_ == nullptr ? "no" : "a",
                              " prepared model of HAL 1.2 together with ", toString(status)));
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
        Await("execute_1_2", callback, answer.launched, deadline);
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
    if (!result.has_value()) {
      Break(absl::StrCat(call, " returned ", toString(launched),
                         " and did not call its callback; expected exactly one call"));
      return std::nullopt;
    }
    if (launched != ErrorStatus::NONE && launched != result->status) {
      Break(absl::StrCat(call, " returned ", toString(launched), " and called its callback with ",
                         toString(result->status), "; expected the same status"));
      return std::nullopt;
    }
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
    if (prepare_callback_ != nullptr) CheckCalls("prepareModel_1_2", prepare_callback_->result);
    for (const auto& callback : execution_callbacks_) CheckCalls("execute_1_2", callback->result);
    prepare_callback_ = nullptr;
    execution_callbacks_.clear();
  }

  template <typename Result>
  void CheckCalls(absl::string_view call, const OnceCalled<Result>& result) {
    if (result.calls() <= 1 && !result.is_late()) return;
    Break(absl::StrCat("the callback of ", call, " was called ", result.calls(), " times",
                       result.is_late() ? ", the last time when the model was given back" : "",
                       "; expected exactly one call before that"));
  }

  // Notes the first thing that is not as it should be. Returns false.
  bool Break(std::string violation) {
    if (answers_.violation.empty()) answers_.violation = std::move(violation);
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
  return sequence.deadline * 2.5 + sequence.patience * static_cast<int64_t>(sequence.models.size());
}

SequenceAnswers MakeCalls(V1_2::IDevice& device, const CallSequence& sequence) {
  return Caller(device, sequence).Call();
}

}  // namespace nncert::hal::replay
