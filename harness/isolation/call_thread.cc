// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/call_thread.h"

#include <cxxabi.h>

#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <typeinfo>

#include "absl/strings/str_cat.h"
#include "system/escape.h"

namespace nncert {
namespace {

// The name of the type of the exception that is being handled, as it is written in C++.
std::string CurrentExceptionType() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "an exception";
  int status = 0;
  char* demangled = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  std::string name = status == 0 && demangled != nullptr ? demangled : type->name();
  std::free(demangled);
  return name;
}

// Calls `closure`; Aborted when it throws.
absl::Status CallAndCatch(const std::function<void()>& closure) {
  try {
    closure();
    return absl::OkStatus();
  } catch (const std::exception& exception) {
    return absl::AbortedError(absl::StrCat("an exception escaped: ", CurrentExceptionType(), ": ",
                                           EscapeForTerminal(exception.what())));
  } catch (...) {
    return absl::AbortedError(absl::StrCat("an exception escaped: ", CurrentExceptionType()));
  }
}

}  // namespace

// What the caller and the thread share. Both hold it, so whoever is left can still use it.
class CallThread::Worker : public std::enable_shared_from_this<CallThread::Worker> {
 public:
  // Begins the thread. It is detached, since it may never end.
  void Start() {
    std::thread([worker = shared_from_this()] { worker->Loop(); }).detach();
  }

  // Has the thread call `closure`. Nothing when that takes too long: the worker must then not be
  // used again.
  std::optional<absl::Status> Call(const hal::Deadline& deadline, std::function<void()> closure) {
    std::unique_lock<std::mutex> lock(mutex_);
    closure_ = std::move(closure);
    SetAndNotify(State::kCalling, lock, called_);
    lock.lock();
    if (!deadline.Await(returned_, lock, [this] { return state_ == State::kIdle; })) {
      state_ = State::kAbandoned;
      return std::nullopt;
    }
    return std::move(result_);
  }

  // Lets the thread end.
  void Stop() {
    std::unique_lock<std::mutex> lock(mutex_);
    SetAndNotify(State::kAbandoned, lock, called_);
  }

 private:
  enum class State { kIdle, kCalling, kAbandoned };

  // Whoever is woken does not find the lock taken.
  void SetAndNotify(State state, std::unique_lock<std::mutex>& lock,
                    std::condition_variable& other_side) {
    state_ = state;
    lock.unlock();
    other_side.notify_one();
  }

  void Loop() {
    while (true) {
      std::function<void()> closure;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        const auto is_called = [this] { return state_ != State::kIdle; };
        hal::YieldOnce(lock, is_called);
        called_.wait(lock, is_called);
        if (state_ == State::kAbandoned) return;
        closure = std::move(closure_);
        closure_ = nullptr;
      }
      absl::Status result = CallAndCatch(closure);
      // What the closure owns is the driver's, perhaps: it goes before anybody is told of the end.
      absl::Status destruction = CallAndCatch([&] { closure = nullptr; });
      std::unique_lock<std::mutex> lock(mutex_);
      if (state_ == State::kAbandoned) return;
      result.Update(std::move(destruction));
      result_ = std::move(result);
      SetAndNotify(State::kIdle, lock, returned_);
    }
  }

  // Guards everything below.
  std::mutex mutex_;
  std::condition_variable called_;    // or abandoned: what the thread waits for
  std::condition_variable returned_;  // what the caller waits for
  State state_ = State::kIdle;
  std::function<void()> closure_;
  absl::Status result_;
};

CallThread::CallThread(CallWatch* watch, const hal::SteadyClock& clock)
    : watch_(watch), clock_(clock) {}

CallThread::~CallThread() { Renew(); }

void CallThread::Renew() {
  if (worker_ != nullptr) worker_->Stop();
  worker_ = nullptr;
}

absl::Status CallThread::RunClosure(absl::Duration deadline, std::function<void()> closure) {
  if (watch_ != nullptr) {
    watch_->Begin(deadline);
    absl::Status thrown = CallAndCatch(closure);
    const absl::Status ended = watch_->End();
    return ended.ok() ? thrown : ended;
  }
  if (worker_ == nullptr) {
    worker_ = std::make_shared<Worker>();
    worker_->Start();
  }
  std::optional<absl::Status> status =
      worker_->Call(hal::Deadline(deadline, clock_), std::move(closure));
  if (status.has_value()) return *std::move(status);
  worker_ = nullptr;
  ++abandoned_;
  return absl::DeadlineExceededError(
      absl::StrCat("did not return within ", absl::FormatDuration(deadline)));
}

}  // namespace nncert
