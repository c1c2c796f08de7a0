// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The client's side of callbacks: what comes with them is waited for, and how often they come is
// counted.

#ifndef NNCERT_HAL_REPLAY_CALLBACKS_H_
#define NNCERT_HAL_REPLAY_CALLBACKS_H_

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "hal/deadline.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::replay {

/// Counts the calls of a callback, and keeps what came with the first. Thread-safe.
template <typename Result>
class OnceCalled {
 public:
  /// A call.
  void Set(Result result) {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_late_ |= is_finished_;
    if (++calls_ == 1 && !is_finished_) result_ = std::move(result);
    called_.notify_all();
  }

  /// Nobody waits any more. Gives what came.
  std::optional<Result> Finish() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_finished_ = true;
    return std::exchange(result_, std::nullopt);
  }

  /// Whether a call came after Finish.
  bool is_late() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return is_late_;
  }

  /// Waits for the first call; nothing when it does not come.
  std::optional<Result> Wait(const Deadline& deadline) {
    std::unique_lock<std::mutex> lock(mutex_);
    deadline.Await(called_, lock, [this] { return calls_ > 0; });
    return result_;
  }

  /// How many calls there have been.
  int calls() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return calls_;
  }

 private:
  // Guards everything below.
  mutable std::mutex mutex_;
  std::condition_variable called_;
  int calls_ = 0;
  bool is_finished_ = false;
  bool is_late_ = false;
  std::optional<Result> result_;
};

/// The callback of prepareModel of every version.
class PrepareCallback : public V1_2::IPreparedModelCallback {
 public:
  struct Result {
    V1_0::ErrorStatus status = V1_0::ErrorStatus::NONE;
    std::shared_ptr<V1_0::IPreparedModel> model;
  };

  void notify(V1_0::ErrorStatus status,
              const std::shared_ptr<V1_0::IPreparedModel>& model) override {
    result.Set({status, model});
  }
  void notify_1_2(V1_0::ErrorStatus status,
                  const std::shared_ptr<V1_2::IPreparedModel>& model) override {
    result.Set({status, model});
  }

  OnceCalled<Result> result;
};

/// The callback of execute of every version.
class ExecutionCallback : public V1_2::IExecutionCallback {
 public:
  struct Result {
    V1_0::ErrorStatus status = V1_0::ErrorStatus::NONE;
    std::vector<V1_2::OutputShape> outputShapes;
    V1_2::Timing timing;
  };

  void notify(V1_0::ErrorStatus status) override { result.Set({status, {}, {}}); }
  void notify_1_2(V1_0::ErrorStatus status, const std::vector<V1_2::OutputShape>& outputShapes,
                  const V1_2::Timing& timing) override {
    result.Set({status, outputShapes, timing});
  }

  OnceCalled<Result> result;
};

/// Whether anybody but its client, who holds it twice, can still call a callback. (The transport's
/// proxies hold it for as long as the driver in its process does.)
template <typename Callback>
bool IsHeldByDriver(const std::shared_ptr<Callback>& callback) {
  constexpr long kOwnHolders = 2;
  return callback.use_count() > kOwnHolders;
}

/// Until when the callback of a launch that returned `launched` is waited for; `deadline` is that
/// of both. After a launch that failed it has a short while.
inline Deadline DeadlineOfCallback(V1_0::ErrorStatus launched, const Deadline& deadline,
                                   const SteadyClock& clock = SteadyClock::System()) {
  constexpr absl::Duration kGraceAfterFailedLaunch = absl::Seconds(2);
  if (launched == V1_0::ErrorStatus::NONE) return deadline;
  return Deadline(std::min(deadline.Remaining(), kGraceAfterFailedLaunch), clock);
}

/// Waits for the first call of a callback, which its client holds twice, unless nobody is left who
/// could call it; nothing when it does not come.
template <typename Callback>
std::optional<typename Callback::Result> AwaitCallback(const std::shared_ptr<Callback>& callback,
                                                       const Deadline& deadline) {
  // How often is looked whether the driver still holds it.
  constexpr absl::Duration kLook = absl::Milliseconds(20);
  while (true) {
    // Whoever let go of the callback has called it before, or never will.
    const bool is_last_look = !IsHeldByDriver(callback) || deadline.HasPassed();
    auto result = callback->result.Wait(
        Deadline(is_last_look ? absl::ZeroDuration() : std::min(deadline.Sleep(), kLook)));
    if (result.has_value() || is_last_look) return result;
  }
}

}  // namespace nncert::hal::replay

#endif  // NNCERT_HAL_REPLAY_CALLBACKS_H_
