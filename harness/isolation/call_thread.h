// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Calls into a driver that may hang or throw.

#ifndef NNCERT_HARNESS_ISOLATION_CALL_THREAD_H_
#define NNCERT_HARNESS_ISOLATION_CALL_THREAD_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "hal/deadline.h"

namespace nncert {

/// Watches calls of a driver in another process, whose end makes them return. Health and Activity
/// may be called by several threads.
class CallWatch {
 public:
  virtual ~CallWatch() = default;

  /// A call begins, which may take `deadline`.
  virtual void Begin(absl::Duration deadline) = 0;

  /// The call has returned. What Health says.
  virtual absl::Status End() = 0;

  /// OK while the driver can be called. Afterwards DeadlineExceeded when a call took too long,
  /// Unavailable when the driver's process has ended, another error when it broke the rules of the
  /// transport; the message says more.
  virtual absl::Status Health() = 0;

  /// Whether a driver that has not answered in time is at work: "it used no CPU time in 0.1s, so it
  /// is stalled". Takes that time.
  virtual std::string Activity() = 0;
};

/// A thread that makes calls of a driver, one after the other, while the caller waits no longer
/// than a deadline. A call that does not come back in time is left behind together with its thread,
/// and the next call gets a new one. Not to be used from two threads at the same time.
///
/// Calls that are watched need no thread: the caller makes them, and the watch makes them return.
class CallThread {
 public:
  /// With a watch, which must outlive this; or without, for a driver in this process. Deadlines go
  /// by `clock`, which must outlive this as well.
  explicit CallThread(CallWatch* watch = nullptr,
                      const hal::SteadyClock& clock = hal::SteadyClock::System());
  CallThread(const CallThread&) = delete;
  CallThread& operator=(const CallThread&) = delete;
  /// Ends the thread; one that was left behind ends with its call, if ever.
  ~CallThread();

  /// Calls `call` and gives what it returns. Since the call may outlive this function, it must own
  /// all that it uses. DeadlineExceeded when it has not returned after `deadline`; Aborted, with
  /// the type and the text of the exception, when it throws; what the watch says when it is not
  /// well.
  template <typename Call>
  absl::StatusOr<std::invoke_result_t<Call&>> Run(absl::Duration deadline, Call call) {
    auto result = std::make_shared<std::optional<std::invoke_result_t<Call&>>>();
    auto owned = std::make_shared<Call>(std::move(call));
    absl::Status status = RunClosure(deadline, [result, owned] { result->emplace((*owned)()); });
    if (!status.ok()) return status;
    return *std::move(*result);
  }

  /// Lets the thread end. The next call gets another, which runs on the processors of its caller.
  void Renew();

  /// Whether there is a watch.
  bool is_watched() const { return watch_ != nullptr; }

  /// See CallWatch::Health; OK without a watch.
  absl::Status Health() const { return watch_ == nullptr ? absl::OkStatus() : watch_->Health(); }

  /// See CallWatch::Activity; empty without a watch.
  std::string Activity() const { return watch_ == nullptr ? "" : watch_->Activity(); }

  /// What the deadlines of calls go by, and all other waiting for the driver.
  const hal::SteadyClock& clock() const { return clock_; }

  /// How many calls have been left behind so far.
  int abandoned() const { return abandoned_; }

 private:
  class Worker;

  absl::Status RunClosure(absl::Duration deadline, std::function<void()> closure);

  CallWatch* const watch_;
  const hal::SteadyClock& clock_;
  std::shared_ptr<Worker> worker_;
  int abandoned_ = 0;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_CALL_THREAD_H_
