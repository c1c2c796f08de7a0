// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A fake device as a shared object that ruins its own process. The option says how; it does so for
// models of two operations, and is honest with all others. One kind ruins nothing, and supports
// nothing.

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/driver_entry.h"
#include "harness/testing/fake_device.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;

void Crash() { std::raise(SIGSEGV); }

void Hang() {
  while (true) pause();
}

void Spin() {
  for (std::atomic<unsigned> turns = 0;; ++turns) {
  }
}

// Computes some of the time, and leaves the processor to others for most of it.
void WorkOn() {
  while (true) {
    for (std::atomic<unsigned> turns = 0; turns < 1'000'000; ++turns) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void CrashLater() {
  static std::atomic<bool> is_due = false;
  if (is_due.exchange(true)) return;
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    Crash();
  }).detach();
}

void KeepDescriptor() {
  if (dup(STDIN_FILENO) < 0) std::perror("dup");
}

void Complain() {
  for (int i = 0; i < 3; ++i) std::fprintf(stderr, "complaint %d\n", i);
  std::abort();
}

// Whether the model that was prepared last is one to misbehave with.
std::atomic<bool> bites = false;

std::function<void()> Biting(std::function<void()> action) {
  return [action = std::move(action)] {
    if (bites) action();
  };
}

void Notify(const std::shared_ptr<hal::V1_0::IExecutionCallback>& callback,
            const FakeExecution& execution) {
  std::dynamic_pointer_cast<hal::V1_2::IExecutionCallback>(callback)->notify_1_2(
      execution.result.status, execution.result.outputShapes, execution.result.timing);
}

// How many prepared models have gone.
std::atomic<int> releases = 0;

// Calls the callback `times` times, the first time at once and then when the prepared model has
// gone.
ErrorStatus Deliver(const std::shared_ptr<hal::V1_0::IExecutionCallback>& callback,
                    const FakeExecution& execution, int times) {
  std::thread([callback, execution, times, releases_before = releases.load()] {
    for (int i = 0; i < times; ++i) {
      if (i > 0) releases.wait(releases_before);
      Notify(callback, execution);
    }
  }).detach();
  return ErrorStatus::NONE;
}

// Something to do in each of the calls.
Lies InPrepare(const std::function<void()>& action) {
  Lies lies;
  lies.model = [action](const hal::V1_2::Model& model) {
    bites = model.operations.size() == 2;
    if (bites) action();
  };
  return lies;
}

Lies InExecute(const std::function<void()>& action) {
  Lies lies = InPrepare([] {});
  lies.execution = [action = Biting(action)](FakeExecution&) { action(); };
  return lies;
}

Lies InRelease(const std::function<void()>& action) {
  Lies lies = InPrepare([] {});
  lies.release = Biting(action);
  return lies;
}

Lies WrongResult() {
  Lies lies = InPrepare([] {});
  lies.execution = [](FakeExecution& execution) {
    // The sign of the float that comes first, and the highest bit of its exponent.
    if (bites) execution.Output(0)[3] ^= 0xC0;
  };
  return lies;
}

// Gives a wrong result, and crashes in the release.
Lies WrongAndCrashing() {
  Lies lies = WrongResult();
  lies.release = Biting(&Crash);
  return lies;
}

// Does as `lies` says with the first model of a process, and crashes with a later one.
Lies CrashingUnlessFirst(Lies lies) {
  static std::atomic<int> models = 0;
  lies.model = [](const hal::V1_2::Model& model) {
    bites = model.operations.size() == 2;
    if (++models > 1 && bites) Crash();
  };
  return lies;
}

// Crashes a while after the release, and keeps its callbacks until then, which is waited for.
Lies CrashingLater() {
  Lies lies = InRelease([] {
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      Crash();
    }).detach();
  });
  lies.deliver = [](const auto& callback, const FakeExecution& execution) {
    static auto* const kept = new std::vector<std::shared_ptr<hal::V1_0::IExecutionCallback>>();
    if (bites) kept->push_back(callback);
    return Deliver(callback, execution, 1);
  };
  return lies;
}

Lies Calling(int times) {
  Lies lies = InPrepare([] {});
  lies.deliver = [times](const auto& callback, const FakeExecution& execution) {
    return Deliver(callback, execution, bites ? times : 1);
  };
  lies.release = [] {
    ++releases;
    releases.notify_all();
  };
  return lies;
}

Lies KeepingCallbacks() {
  Lies lies = InPrepare([] {});
  lies.deliver = [](const auto& callback, const FakeExecution& execution) {
    if (!bites) return Deliver(callback, execution, 1);
    // Kept for good, as by a queue that nobody serves.
    static auto* const queue = new std::vector<std::shared_ptr<hal::V1_0::IExecutionCallback>>;
    queue->push_back(callback);
    return ErrorStatus::NONE;
  };
  return lies;
}

Lies SupportingNothing() {
  Lies lies;
  lies.supported = [](hal::V1_0::GetSupportedOperationsResult& result) {
    result.supportedOperations.assign(result.supportedOperations.size(), false);
  };
  lies.prepare = [](const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback,
                    const auto& /*model*/) {
    callback->notify(ErrorStatus::GENERAL_FAILURE, nullptr);
    return ErrorStatus::GENERAL_FAILURE;
  };
  return lies;
}

absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>> Create(std::string_view option) {
  if (option == "load_complain") {
    std::fputs("why not today\n", stderr);
    return absl::UnavailableError("not today");
  }
  static const auto* const kinds = new std::map<std::string, std::function<Lies()>, std::less<>>{
      {"honest", [] { return Lies(); }},
      {"load_crash", [] { return Crash(), Lies(); }},
      {"load_hang", [] { return Hang(), Lies(); }},
      {"prepare_crash", [] { return InPrepare(&Crash); }},
      {"prepare_hang", [] { return InPrepare(&Hang); }},
      {"execute_crash", [] { return InExecute(&Crash); }},
      {"execute_hang", [] { return InExecute(&Hang); }},
      {"execute_spin", [] { return InExecute(&Spin); }},
      {"execute_work_on", [] { return InExecute(&WorkOn); }},
      {"execute_exit", [] { return InExecute([] { _exit(3); }); }},
      {"execute_complain", [] { return InExecute(&Complain); }},
      {"release_crash", [] { return InRelease(&Crash); }},
      {"release_hang", [] { return InRelease(&Hang); }},
      {"exit_hang", [] { return std::atexit(&Hang), Lies(); }},
      {"crash_unless_first", [] { return CrashingUnlessFirst({}); }},
      {"wrong_or_crash", [] { return CrashingUnlessFirst(WrongResult()); }},
      {"wrong_and_release_crash", [] { return WrongAndCrashing(); }},
      {"later_crash", [] { return CrashingLater(); }},
      {"prepare_throw",
       [] { return InPrepare([] { throw std::runtime_error("thrown on demand"); }); }},
      {"crash_later", [] { return InExecute(&CrashLater); }},
      {"keep_descriptors", [] { return InExecute(&KeepDescriptor); }},
      {"supports_nothing", [] { return SupportingNothing(); }},
      {"callback_kept", [] { return KeepingCallbacks(); }},
      {"callback_missing", [] { return Calling(0); }},
      {"callback_doubled", [] { return Calling(2); }},
  };
  const auto kind = kinds->find(option);
  if (kind == kinds->end()) return absl::NotFoundError("there is no such kind");
  return MakeFakeDevice(kind->second());
}

}  // namespace
}  // namespace nncert

NNCERT_REGISTER_DRIVER(nncert::Create);
