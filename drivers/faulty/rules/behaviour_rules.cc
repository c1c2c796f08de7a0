// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about behaviour: statuses, promises, callbacks, timing, and the process itself.

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "drivers/faulty/rules/rule.h"

namespace nncert::faulty {
namespace {

using hal::V1_0::ErrorStatus;

void EndWith(FinishedExecution& execution, ErrorStatus status) {
  execution.result.status = status;
  execution.result.outputShapes.clear();
  execution.result.timing = {};
}

constexpr Delivery kNever = {.calls = 0};
constexpr Delivery kTwice = {.calls = 2};
// Longer than the harness waits unless it is told otherwise.
constexpr Delivery kLate = {.delay = absl::Seconds(75)};
constexpr Delivery kReturnsFailure = {.returns_failure = true};
constexpr Delivery kAtRelease = {.calls = 0, .again_at_release = true};
constexpr Delivery kAgainAtRelease = {.again_at_release = true};

// Also where a sanitizer would have a word first.
void Crash() {
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
}

void Abort() { std::abort(); }

void Exit() { std::_Exit(0); }

void Hang() {
  while (true) absl::SleepFor(absl::Seconds(1));
}

void Spin() {
  // The counter is volatile, so that the loop is not taken for one that has no effect.
  volatile uint64_t counter = 0;
  while (true) counter = counter + 1;
}

void Throw() { throw std::runtime_error("the faulty driver was told to throw"); }

// What has nothing to do with the thread that it happens in.
void CrashLater() {
  std::thread([] {
    absl::SleepFor(absl::Milliseconds(500));
    Crash();
  }).detach();
}

void Dawdle() { absl::SleepFor(absl::Milliseconds(250)); }

// More than a pipe holds, so that it is noticed when nobody reads.
void Chatter() {
  const std::string words(100, '.');
  for (int i = 0; i < 1000; ++i) std::fprintf(stderr, "chatter %d %s\n", i, words.c_str());
}

void KeepMemory() {
  static std::mutex mutex;
  static auto* const kept = new std::vector<std::string>;
  const std::lock_guard<std::mutex> lock(mutex);
  kept->emplace_back(size_t{10} << 20, 'm');
}

void KeepDescriptor() { static_cast<void>(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

void StartProcess() {
  posix_spawn_file_actions_t nothing;
  posix_spawn_file_actions_init(&nothing);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&nothing, stream, "/dev/null", O_RDWR, 0);
  }
  std::string program = "/bin/sleep";
  std::string seconds = "60";
  const std::array<char*, 3> arguments = {program.data(), seconds.data(), nullptr};
  pid_t process = 0;
  posix_spawn(&process, program.c_str(), &nothing, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&nothing);
}

constexpr Rule kRules[] = {
    {.name = "capabilities_fail",
     .fault_class = FaultClass::kStatus,
     .breaks = "Ends getCapabilities with GENERAL_FAILURE.",
     .capabilities = [](ErrorStatus& status) { status = ErrorStatus::GENERAL_FAILURE; }},
    {.name = "supported_fails",
     .fault_class = FaultClass::kStatus,
     .breaks = "Ends getSupportedOperations with GENERAL_FAILURE for valid models.",
     .supported =
         [](hal::V1_0::GetSupportedOperationsResult& result) {
           result.status = ErrorStatus::GENERAL_FAILURE;
           result.supportedOperations.clear();
         }},
    {.name = "supported_too_few",
     .fault_class = FaultClass::kStatus,
     .breaks = "Says of one operation too few whether it is supported.",
     .supported =
         [](hal::V1_0::GetSupportedOperationsResult& result) {
           if (!result.supportedOperations.empty()) result.supportedOperations.pop_back();
         }},
    {.name = "prepare_fails",
     .fault_class = FaultClass::kStatus,
     .breaks = "Claims to support every operation, and then fails to prepare the model.",
     .prepared =
         [](ErrorStatus& status, std::shared_ptr<hal::V1_2::IPreparedModel>& model) {
           status = ErrorStatus::GENERAL_FAILURE;
           model = nullptr;
         }},
    {.name = "prepare_refuses",
     .fault_class = FaultClass::kStatus,
     .breaks = "Claims to support every operation, and then calls the model invalid.",
     .prepared =
         [](ErrorStatus& status, std::shared_ptr<hal::V1_2::IPreparedModel>& model) {
           status = ErrorStatus::INVALID_ARGUMENT;
           model = nullptr;
         }},
    {.name = "prepare_gives_null",
     .fault_class = FaultClass::kStatus,
     .breaks = "Says that the preparation succeeded, and gives no prepared model.",
     .prepared = [](ErrorStatus& /*status*/,
                    std::shared_ptr<hal::V1_2::IPreparedModel>& model) { model = nullptr; }},
    {.name = "prepare_fails_with_model",
     .fault_class = FaultClass::kStatus,
     .breaks = "Says that the preparation failed, and gives a prepared model.",
     .prepared =
         [](ErrorStatus& status, std::shared_ptr<hal::V1_2::IPreparedModel>& /*model*/) {
           status = ErrorStatus::GENERAL_FAILURE;
         }},
    {.name = "prepare_returns_another_status",
     .fault_class = FaultClass::kStatus,
     .breaks = "Returns GENERAL_FAILURE from prepareModel, and calls back with NONE.",
     .prepare_delivery = &kReturnsFailure},
    {.name = "execute_fails",
     .fault_class = FaultClass::kStatus,
     .breaks = "Ends executions with GENERAL_FAILURE.",
     .execution =
         [](FinishedExecution& execution) { EndWith(execution, ErrorStatus::GENERAL_FAILURE); }},
    {.name = "execute_refuses",
     .fault_class = FaultClass::kStatus,
     .breaks = "Ends executions of valid requests with INVALID_ARGUMENT.",
     .execution =
         [](FinishedExecution& execution) { EndWith(execution, ErrorStatus::INVALID_ARGUMENT); }},
    {.name = "execute_unavailable",
     .fault_class = FaultClass::kStatus,
     .breaks = "Ends executions with DEVICE_UNAVAILABLE.",
     .execution =
         [](FinishedExecution& execution) { EndWith(execution, ErrorStatus::DEVICE_UNAVAILABLE); }},
    {.name = "execute_returns_another_status",
     .fault_class = FaultClass::kStatus,
     .breaks = "Returns GENERAL_FAILURE from execute, and calls back with NONE.",
     .execute_delivery = &kReturnsFailure},
    {.name = "insufficient_invented",
     .fault_class = FaultClass::kStatus,
     .breaks = "Ends executions with OUTPUT_INSUFFICIENT_SIZE though every buffer is large enough.",
     .execution =
         [](FinishedExecution& execution) {
           if (execution.result.status != ErrorStatus::NONE) return;
           execution.result.status = ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
           execution.result.timing = {};
         }},
    {.name = "insufficient_hidden",
     .fault_class = FaultClass::kStatus,
     .breaks = "Says NONE, and that buffers are large enough, where one is too small.",
     .execution =
         [](FinishedExecution& execution) {
           if (execution.result.status != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) return;
           execution.result.status = ErrorStatus::NONE;
           for (hal::V1_2::OutputShape& shape : execution.result.outputShapes) {
             shape.isSufficient = true;
           }
         }},
    // Callbacks.
    {.name = "prepare_callback_missing",
     .fault_class = FaultClass::kCallback,
     .breaks = "Never calls back after prepareModel.",
     .prepare_delivery = &kNever},
    {.name = "prepare_callback_twice",
     .fault_class = FaultClass::kCallback,
     .breaks = "Calls back twice after prepareModel.",
     .prepare_delivery = &kTwice},
    {.name = "prepare_callback_late",
     .fault_class = FaultClass::kCallback,
     .breaks = "Calls back 75 seconds after prepareModel.",
     .prepare_delivery = &kLate},
    {.name = "execute_callback_missing",
     .fault_class = FaultClass::kCallback,
     .breaks = "Never calls back after execute.",
     .execute_delivery = &kNever},
    {.name = "execute_callback_twice",
     .fault_class = FaultClass::kCallback,
     .breaks = "Calls back twice after execute.",
     .execute_delivery = &kTwice},
    {.name = "execute_callback_late",
     .fault_class = FaultClass::kCallback,
     .breaks = "Calls back 75 seconds after execute.",
     .execute_delivery = &kLate},
    {.name = "prepare_callback_again_at_release",
     .fault_class = FaultClass::kCallback,
     .breaks = "Calls back after prepareModel, and once more when the prepared model is released.",
     .prepare_delivery = &kAgainAtRelease},
    {.name = "execute_callback_again_at_release",
     .fault_class = FaultClass::kCallback,
     .breaks = "Calls back after execute, and once more when the prepared model is released.",
     .execute_delivery = &kAgainAtRelease},
    {.name = "execute_callback_at_release",
     .fault_class = FaultClass::kCallback,
     .breaks = "Calls back after execute only when the prepared model is released.",
     .execute_delivery = &kAtRelease},
    // Timing.
    {.name = "timing_unasked",
     .fault_class = FaultClass::kTiming,
     .breaks = "Gives timing that was not asked for.",
     .execution =
         [](FinishedExecution& execution) {
           if (execution.result.status == ErrorStatus::NONE) execution.result.timing = {1, 2};
         }},
    {.name = "timing_inverted",
     .fault_class = FaultClass::kTiming,
     .breaks = "Says that the device took longer than the driver with the device in it.",
     .execution =
         [](FinishedExecution& execution) {
           if (execution.result.status == ErrorStatus::NONE &&
               execution.measure == hal::V1_2::MeasureTiming::YES) {
             execution.result.timing = {2, 1};
           }
         }},
    {.name = "timing_of_failure",
     .fault_class = FaultClass::kTiming,
     .breaks = "Gives timing of executions that fail.",
     .execution =
         [](FinishedExecution& execution) {
           if (execution.result.status != ErrorStatus::NONE) execution.result.timing = {1, 2};
         }},
    // The process.
    {.name = "load_crashes",
     .fault_class = FaultClass::kProcess,
     .breaks = "Crashes (SIGABRT) while it is loaded.",
     .at_load = &Abort},
    {.name = "load_hangs",
     .fault_class = FaultClass::kProcess,
     .breaks = "Does not come back from being loaded.",
     .at_load = &Hang},
    {.name = "capabilities_crash",
     .fault_class = FaultClass::kProcess,
     .breaks = "Crashes (SIGSEGV) in getCapabilities.",
     .at_capabilities = &Crash},
    {.name = "capabilities_hang",
     .fault_class = FaultClass::kProcess,
     .breaks = "Does not return from getCapabilities.",
     .at_capabilities = &Hang},
    {.name = "supported_crashes",
     .fault_class = FaultClass::kProcess,
     .breaks = "Crashes (SIGABRT) in getSupportedOperations.",
     .at_supported = &Abort},
    {.name = "supported_hangs",
     .fault_class = FaultClass::kProcess,
     .breaks = "Does not return from getSupportedOperations.",
     .at_supported = &Hang},
    {.name = "prepare_crashes",
     .fault_class = FaultClass::kProcess,
     .breaks = "Crashes (SIGABRT) in prepareModel.",
     .at_prepare = &Abort},
    {.name = "prepare_hangs",
     .fault_class = FaultClass::kProcess,
     .breaks = "Does not return from prepareModel.",
     .at_prepare = &Hang},
    {.name = "prepare_throws",
     .fault_class = FaultClass::kProcess,
     .breaks = "Throws an exception out of prepareModel.",
     .at_prepare = &Throw},
    {.name = "execute_crashes",
     .fault_class = FaultClass::kProcess,
     .breaks = "Crashes (SIGSEGV) when it is to execute.",
     .at_execute = &Crash},
    {.name = "execute_exits",
     .fault_class = FaultClass::kProcess,
     .breaks = "Ends the process with status 0 when it is to execute.",
     .at_execute = &Exit},
    {.name = "execute_hangs",
     .fault_class = FaultClass::kProcess,
     .breaks = "Does not return from an execution, and does nothing meanwhile.",
     .at_execute = &Hang},
    {.name = "execute_spins",
     .fault_class = FaultClass::kProcess,
     .breaks = "Does not return from an execution, and is busy meanwhile.",
     .at_execute = &Spin},
    {.name = "execute_throws",
     .fault_class = FaultClass::kProcess,
     .breaks = "Throws an exception out of an execution.",
     .at_execute = &Throw},
    {.name = "release_crashes",
     .fault_class = FaultClass::kProcess,
     .breaks = "Crashes (SIGABRT) when the prepared model goes.",
     .at_release = &Abort},
    {.name = "release_hangs",
     .fault_class = FaultClass::kProcess,
     .breaks = "Does not let go of a prepared model that is released.",
     .at_release = &Hang},
    {.name = "execute_crashes_later",
     .fault_class = FaultClass::kProcess,
     .breaks = "Crashes (SIGSEGV) half a second after each execution, in a thread of its own.",
     .at_execute = &CrashLater,
     .passes = true},
    {.name = "execute_starts_process",
     .fault_class = FaultClass::kProcess,
     .breaks = "Starts a process in each execution, which may outlive the driver.",
     .at_execute = &StartProcess,
     .passes = true},
    {.name = "execute_keeps_memory",
     .fault_class = FaultClass::kProcess,
     .breaks = "Keeps 10 MiB of memory more with each execution.",
     .at_execute = &KeepMemory,
     .passes = true},
    {.name = "execute_keeps_descriptor",
     .fault_class = FaultClass::kProcess,
     .breaks = "Keeps one descriptor more open with each execution.",
     .at_execute = &KeepDescriptor,
     .passes = true},
    {.name = "execute_dawdles",
     .fault_class = FaultClass::kProcess,
     .breaks = "Takes a quarter of a second for each execution, which it may.",
     .at_execute = &Dawdle,
     .passes = true},
    {.name = "execute_chatters",
     .fault_class = FaultClass::kProcess,
     .breaks = "Writes a thousand lines to standard error in each execution, which it may.",
     .at_execute = &Chatter,
     .passes = true},
};

}  // namespace

absl::Span<const Rule> BehaviourRules() { return kRules; }

}  // namespace nncert::faulty
