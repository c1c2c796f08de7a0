// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/lifecycle/lifecycle_run.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <array>
#include <functional>
#include <future>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hal/handle.h"
#include "hal/to_string.h"
#include "hal/work_queue.h"
#include "hal_tests/cases/answer.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "harness/isolation/device_calls.h"
#include "harness/isolation/driver_calls.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_0::ErrorStatus;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

// A file in memory that is opened anew for each call, as a client does: what one call has read or
// written does not tell where the next one begins.
class FileInMemory {
 public:
  FileInMemory() : file_(hal::FileDescriptor::Adopt(memfd_create("cache", MFD_CLOEXEC))) {}

  hal::Handle Open() const {
    const std::string path = absl::StrCat("/proc/self/fd/", file_.get());
    return {{hal::FileDescriptor::Adopt(open(path.c_str(), O_RDWR | O_CLOEXEC))}, {}};
  }

 private:
  hal::FileDescriptor file_;
};

// Where a model is cached.
struct Cache {
  std::vector<FileInMemory> model;
  std::vector<FileInMemory> data;
  hal::V1_2::CacheToken token = {};
  // Whether it was prepared from there before.
  bool is_good = false;

  CacheFiles Open() const {
    CacheFiles files;
    for (const FileInMemory& file : model) files.model_cache.push_back(file.Open());
    for (const FileInMemory& file : data) files.data_cache.push_back(file.Open());
    files.token = token;
    return files;
  }
};

Executor ExecutorOf(LifecycleCall call) {
  switch (call) {
    case LifecycleCall::EXECUTE_1_2:
      return Executor::ASYNC;
    case LifecycleCall::EXECUTE_SYNCHRONOUSLY:
      return Executor::SYNC;
    case LifecycleCall::SEND_BY_BURST:
      return Executor::BURST;
    default:
      return Executor::ASYNC_1_0;
  }
}

// What a driver answers when it is asked for its capabilities, as far as it does not change.
template <typename Result>
std::string Told(const absl::StatusOr<Result>& result, std::optional<Result>& first) {
  if (!result.ok()) return std::string(result.status().message());
  if (result->status != ErrorStatus::NONE) {
    return absl::StrCat("the capabilities ended with ", toString(result->status),
                        "; expected NONE");
  }
  if (first.has_value() && !(result->capabilities == first->capabilities)) {
    return "the capabilities are others; expected those that were told before";
  }
  first = *result;
  return "";
}

class Runner {
 public:
  Runner(DriverSession& session, absl::Duration deadline, const LifecycleRoom& room,
         absl::Span<const LifecycleCase> cases)
      : session_(session), deadline_(deadline), room_(room), cases_(cases), state_(room) {
    for (const LifecycleCase& each : cases) {
      models_.push_back(std::make_shared<const Model>(ModelInMode(each.test_case)));
    }
    caches_.resize(cases.size());
  }

  LifecycleOutcome Run(absl::Span<const LifecycleCommand> commands) {
    LifecycleOutcome outcome;
    std::string done;
    for (const LifecycleCommand& command : commands) {
      if (!state_.Allows(command)) continue;
      const std::optional<Problem> problem = DoOnThread(command);
      absl::StrAppend(&done, "\n  ", Describe(command, NameOfModel(command)), ": ");
      if (problem.has_value()) {
        absl::StrAppend(&done, problem->text);
        const std::string_view check = CheckOf(command.call);
        outcome.failure = CheckFailure{
            check, problem->verdict,
            absl::StrCat(std::string(check), ": ", problem->text, "; after these calls:", done)};
        return outcome;
      }
      absl::StrAppend(&done, answer_);
      ++outcome.passed[CheckOf(command.call)];
    }
    return outcome;
  }

 private:
  std::string NameOfModel(const LifecycleCommand& command) const {
    return command.number < cases_.size() ? NameOf(cases_[command.number].test_case) : "";
  }

  // One thread makes calls at a time. The first is that of the caller.
  std::optional<Problem> DoOnThread(const LifecycleCommand& command) {
    if (command.thread == 0) return Do(command);
    // The thread may still be at it when the answer has been taken.
    const auto promise = std::make_shared<std::promise<std::optional<Problem>>>();
    const absl::Status added = threads_[command.thread - 1].Add(
        [this, promise, command] { promise->set_value(Do(command)); });
    if (!added.ok()) return Problem{Verdict::MISSING, std::string(added.message())};
    return promise->get_future().get();
  }

  std::optional<Problem> Do(const LifecycleCommand& command) {
    answer_ = "NONE";
    std::unique_ptr<ModelOnDriver>& model = prepared_[command.slot];
    std::optional<Problem> problem;
    switch (command.call) {
      case LifecycleCall::PREPARE:
      case LifecycleCall::SAVE_TO_CACHE:
        problem = Prepare(command);
        break;
      case LifecycleCall::PREPARE_FROM_CACHE:
        return PrepareFromCache(command);
      case LifecycleCall::EXECUTE:
      case LifecycleCall::EXECUTE_1_2:
      case LifecycleCall::EXECUTE_SYNCHRONOUSLY:
      case LifecycleCall::SEND_BY_BURST:
        problem = Execute(command);
        break;
      case LifecycleCall::FREE_MEMORY:
        problem = model->FreeBurstMemory();
        answer_ = "done";
        break;
      case LifecycleCall::CLOSE_BURST:
        problem = model->CloseBurst();
        answer_ = "done";
        break;
      case LifecycleCall::EXECUTE_INVALID:
        problem = ExecuteInvalid(command);
        break;
      case LifecycleCall::RELEASE:
        problem = model->Release();
        model = nullptr;
        answer_ = "done";
        break;
      case LifecycleCall::ASK:
        problem = Ask();
        break;
    }
    if (!problem.has_value()) state_.Do(command);
    return problem;
  }

  std::optional<Problem> Prepare(const LifecycleCommand& command) {
    PreparationOptions options;
    if (command.call == LifecycleCall::SAVE_TO_CACHE) {
      Cache& cache = caches_[command.number];
      cache = {};
      cache.model.resize(files_needed().numModelCache);
      cache.data.resize(files_needed().numDataCache);
      cache.token.fill(static_cast<uint8_t>(command.number + 1));
      options.cache = cache.Open();
    }
    return Adopt(
        command, PrepareCall(room_.version),
        PrepareModel(session_, room_.version, models_[command.number], options, deadline_));
  }

  std::optional<Problem> Adopt(const LifecycleCommand& command, absl::string_view call,
                               PreparationOutcome outcome) {
    auto model = std::make_unique<ModelOnDriver>(session_, deadline_);
    if (auto problem = model->Adopt(call, std::move(outcome))) return problem;
    prepared_[command.slot] = std::move(model);
    return std::nullopt;
  }

  std::optional<Problem> PrepareFromCache(const LifecycleCommand& command) {
    Cache& cache = caches_[command.number];
    PreparationOutcome outcome = PrepareModelFromCache(session_, cache.Open(), deadline_);
    // A driver need not be able to use what it was given to save something in; when it is, it is.
    const bool may_fail = !cache.is_good && !outcome.problem.has_value() &&
                          outcome.status == ErrorStatus::GENERAL_FAILURE &&
                          outcome.model == nullptr;
    if (may_fail) {
      answer_ = "GENERAL_FAILURE";
      state_.Do(command, /*has_failed=*/true);
      return std::nullopt;
    }
    if (auto problem = Adopt(command, "prepareModelFromCache", std::move(outcome))) return problem;
    cache.is_good = true;
    state_.Do(command);
    return std::nullopt;
  }

  std::optional<Problem> Execute(const LifecycleCommand& command) {
    const uint8_t model = *state_.model(command.slot);
    const CaseInMode& test_case = cases_[model].test_case;
    const Executor executor = ExecutorOf(command.call);
    const Answer answer =
        ExecuteExample(*prepared_[command.slot], test_case, ExampleOf(test_case, command.number),
                       room_.version, session_.spare_pools(), {executor, MeasureTiming::NO});
    if (answer.problem.has_value()) return answer.problem;
    answer_ = std::string(toString(answer.status));
    const std::string difference =
        DifferenceFrom(cases_[model].alone[command.number], answer, "alone");
    if (!difference.empty()) return Broken(difference);
    return std::nullopt;
  }

  std::optional<Problem> ExecuteInvalid(const LifecycleCommand& command) {
    const CaseInMode& test_case = cases_[*state_.model(command.slot)].test_case;
    const absl::StatusOr<GuardedRequest> request =
        RequestOf(test_case, room_.version, session_.spare_pools());
    if (!request.ok()) return Problem{Verdict::MISSING, std::string(request.status().message())};
    hal::V1_0::Request invalid = request->request();
    invalid.outputs.pop_back();
    const ExecutionOutcome outcome =
        prepared_[command.slot]->Execute(invalid, Executor::ASYNC_1_0, MeasureTiming::NO);
    if (outcome.problem.has_value()) return outcome.problem;
    if (outcome.status != ErrorStatus::INVALID_ARGUMENT) {
      return Broken(absl::StrCat("a request without its last output ended with ",
                                 toString(outcome.status), "; expected INVALID_ARGUMENT"));
    }
    answer_ = "INVALID_ARGUMENT";
    return std::nullopt;
  }

  std::optional<Problem> Ask() {
    const absl::StatusOr<hal::V1_0::DeviceStatus> status = session_.calls().Run(
        deadline_, [device = session_.device()] { return device->getStatus(); });
    if (!status.ok()) return ProblemOf("getStatus", status.status());
    if (*status != hal::V1_0::DeviceStatus::AVAILABLE) {
      return Broken(absl::StrCat("getStatus gave ", toString(*status), "; expected AVAILABLE"));
    }
    answer_ = "AVAILABLE and the same as before";
    return AskCapabilities();
  }

  std::optional<Problem> AskCapabilities() {
    CallThread& calls = session_.calls();
    std::string wrong;
    switch (room_.version) {
      case HalVersion::V1_0:
        wrong = Told(calls.Run(deadline_,
                               [device = session_.device()] { return device->getCapabilities(); }),
                     told_1_0_);
        break;
      case HalVersion::V1_1:
        wrong = Told(
            calls.Run(deadline_,
                      [device = session_.device_1_1()] { return device->getCapabilities_1_1(); }),
            told_1_1_);
        break;
      case HalVersion::V1_2:
        wrong = Told(
            calls.Run(deadline_,
                      [device = session_.device_1_2()] { return device->getCapabilities_1_2(); }),
            told_1_2_);
        break;
    }
    if (absl::Status health = calls.Health(); !health.ok()) {
      return ProblemOf("getCapabilities", health);
    }
    if (wrong.empty()) return std::nullopt;
    return Broken(std::move(wrong));
  }

  hal::V1_2::GetNumberOfCacheFilesNeededResult files_needed() {
    if (!needed_.has_value()) {
      needed_ = session_.calls()
                    .Run(deadline_,
                         [device = session_.device_1_2()] {
                           return device->getNumberOfCacheFilesNeeded();
                         })
                    .value_or(hal::V1_2::GetNumberOfCacheFilesNeededResult());
    }
    return *needed_;
  }

  DriverSession& session_;
  const absl::Duration deadline_;
  const LifecycleRoom room_;
  const absl::Span<const LifecycleCase> cases_;
  std::vector<std::shared_ptr<const Model>> models_;
  LifecycleState state_;
  std::string answer_;  // of the last command
  std::vector<Cache> caches_;
  std::optional<hal::V1_0::GetCapabilitiesResult> told_1_0_;
  std::optional<hal::V1_1::GetCapabilitiesResult> told_1_1_;
  std::optional<hal::V1_2::GetCapabilitiesResult> told_1_2_;
  std::optional<hal::V1_2::GetNumberOfCacheFilesNeededResult> needed_;
  std::array<std::unique_ptr<ModelOnDriver>, LifecycleRoom::kSlots> prepared_;
  std::array<hal::WorkQueue, LifecycleRoom::kThreads - 1> threads_;
};

}  // namespace

std::string_view CheckOf(LifecycleCall call) {
  switch (call) {
    case LifecycleCall::PREPARE:
    case LifecycleCall::SAVE_TO_CACHE:
    case LifecycleCall::PREPARE_FROM_CACHE:
      return "prepareInSequenceTest";
    case LifecycleCall::EXECUTE:
    case LifecycleCall::EXECUTE_1_2:
    case LifecycleCall::EXECUTE_SYNCHRONOUSLY:
      return "executeInSequenceTest";
    case LifecycleCall::SEND_BY_BURST:
    case LifecycleCall::FREE_MEMORY:
    case LifecycleCall::CLOSE_BURST:
      return "burstInSequenceTest";
    case LifecycleCall::EXECUTE_INVALID:
      return "invalidRequestInSequenceTest";
    case LifecycleCall::RELEASE:
      return "releaseInSequenceTest";
    case LifecycleCall::ASK:
      return "askInSequenceTest";
  }
  return "";
}

std::optional<Problem> AskAlone(DriverSession& session, absl::Duration deadline,
                                LifecycleCase& asked) {
  const HalVersion version = session.hal_version();
  ModelOnDriver prepared(session, deadline);
  if (auto problem =
          prepared.Prepare(std::make_shared<const Model>(ModelInMode(asked.test_case)))) {
    return problem;
  }
  const Executor executor = version < HalVersion::V1_2 ? Executor::ASYNC_1_0 : Executor::ASYNC;
  for (size_t i = 0; i < LifecycleRoom::kInputs; ++i) {
    Answer answer = ExecuteExample(prepared, asked.test_case, ExampleOf(asked.test_case, i),
                                   version, session.spare_pools(), {executor, MeasureTiming::NO});
    if (answer.problem.has_value()) return answer.problem;
    asked.alone.push_back(std::move(answer));
  }
  return prepared.Release();
}

LifecycleRoom RoomOf(DriverSession& session, uint8_t models, absl::Duration deadline) {
  LifecycleRoom room = {.version = session.hal_version(), .models = models, .has_caching = false};
  if (room.version < HalVersion::V1_2) return room;
  const auto needed = session.calls().Run(
      deadline, [device = session.device_1_2()] { return device->getNumberOfCacheFilesNeeded(); });
  room.has_caching = needed.ok() && needed->status == ErrorStatus::NONE &&
                     (needed->numModelCache > 0 || needed->numDataCache > 0);
  return room;
}

LifecycleOutcome RunLifecycle(DriverSession& session, absl::Duration deadline,
                              const LifecycleRoom& room, absl::Span<const LifecycleCase> cases,
                              absl::Span<const LifecycleCommand> commands) {
  return Runner(session, deadline, room, cases).Run(commands);
}

}  // namespace nncert
