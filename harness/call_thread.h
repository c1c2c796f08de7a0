// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Calls into a driver that may hang or throw.

#ifndef NNCERT_HARNESS_CALL_THREAD_H_
#define NNCERT_HARNESS_CALL_THREAD_H_

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace nncert {

/// A thread that makes calls of a driver, one after the other, while the caller waits no longer
/// than a deadline. A call that does not come back in time is left behind together with its thread,
/// and the next call gets a new one. Not to be used from two threads at the same time.
class CallThread {
 public:
  CallThread();
  CallThread(const CallThread&) = delete;
  CallThread& operator=(const CallThread&) = delete;
  /// Ends the thread; one that was left behind ends with its call, if ever.
  ~CallThread();

  /// Calls `call` and gives what it returns. Since the call may outlive this function, it must own
  /// all that it uses. DeadlineExceeded when it has not returned after `deadline`; Aborted, with
  /// the type and the text of the exception, when it throws.
  template <typename Call>
  absl::StatusOr<std::invoke_result_t<Call&>> Run(absl::Duration deadline, Call call) {
    auto result = std::make_shared<std::optional<std::invoke_result_t<Call&>>>();
    auto owned = std::make_shared<Call>(std::move(call));
    absl::Status status = RunClosure(deadline, [result, owned] { result->emplace((*owned)()); });
    if (!status.ok()) return status;
    return *std::move(*result);
  }

  /// How many calls have been left behind so far.
  int abandoned() const { return abandoned_; }

 private:
  class Worker;

  absl::Status RunClosure(absl::Duration deadline, std::function<void()> closure);

  std::shared_ptr<Worker> worker_;
  int abandoned_ = 0;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_CALL_THREAD_H_
