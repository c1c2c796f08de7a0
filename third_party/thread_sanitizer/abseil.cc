// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Abseil's locks, and the counter of references to a status, for ThreadSanitizer; see interpose.h.

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/synchronization/barrier.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "third_party/thread_sanitizer/interpose.h"

namespace absl {
ABSL_NAMESPACE_BEGIN

using ::nncert::thread_sanitizer::IgnoreReads;
using ::nncert::thread_sanitizer::LockedExclusively;
using ::nncert::thread_sanitizer::LockedShared;
using ::nncert::thread_sanitizer::Next;
using ::nncert::thread_sanitizer::UnlocksExclusively;
using ::nncert::thread_sanitizer::UnlocksShared;

void Mutex::Lock() {
  Next<&Mutex::Lock>::Call(this);
  LockedExclusively(this);
}

void Mutex::Unlock() {
  UnlocksExclusively(this);
  const IgnoreReads ignore;
  Next<&Mutex::Unlock>::Call(this);
}

bool Mutex::TryLock() {
  const bool locked = Next<&Mutex::TryLock>::Call(this);
  if (locked) LockedExclusively(this);
  return locked;
}

void Mutex::ReaderLock() {
  Next<&Mutex::ReaderLock>::Call(this);
  LockedShared(this);
}

void Mutex::ReaderUnlock() {
  UnlocksShared(this);
  const IgnoreReads ignore;
  Next<&Mutex::ReaderUnlock>::Call(this);
}

bool Mutex::ReaderTryLock() {
  const bool locked = Next<&Mutex::ReaderTryLock>::Call(this);
  if (locked) LockedShared(this);
  return locked;
}

void Mutex::LockWhen(const Condition& cond) {
  {
    const IgnoreReads ignore;
    Next<&Mutex::LockWhen>::Call(this, cond);
  }
  LockedExclusively(this);
}

bool Mutex::LockWhenWithTimeout(const Condition& cond, Duration timeout) {
  bool met = false;
  {
    const IgnoreReads ignore;
    met = Next<&Mutex::LockWhenWithTimeout>::Call(this, cond, timeout);
  }
  LockedExclusively(this);
  return met;
}

bool Mutex::LockWhenWithDeadline(const Condition& cond, Time deadline) {
  bool met = false;
  {
    const IgnoreReads ignore;
    met = Next<&Mutex::LockWhenWithDeadline>::Call(this, cond, deadline);
  }
  LockedExclusively(this);
  return met;
}

void Mutex::ReaderLockWhen(const Condition& cond) {
  {
    const IgnoreReads ignore;
    Next<&Mutex::ReaderLockWhen>::Call(this, cond);
  }
  LockedShared(this);
}

bool Mutex::ReaderLockWhenWithTimeout(const Condition& cond, Duration timeout) {
  bool met = false;
  {
    const IgnoreReads ignore;
    met = Next<&Mutex::ReaderLockWhenWithTimeout>::Call(this, cond, timeout);
  }
  LockedShared(this);
  return met;
}

bool Mutex::ReaderLockWhenWithDeadline(const Condition& cond, Time deadline) {
  bool met = false;
  {
    const IgnoreReads ignore;
    met = Next<&Mutex::ReaderLockWhenWithDeadline>::Call(this, cond, deadline);
  }
  LockedShared(this);
  return met;
}

// The waits below give the lock up and take it again, as it was held: exclusively as far as is
// known here.

void Mutex::Await(const Condition& cond) {
  UnlocksExclusively(this);
  {
    const IgnoreReads ignore;
    Next<&Mutex::Await>::Call(this, cond);
  }
  LockedExclusively(this);
}

bool Mutex::AwaitWithTimeout(const Condition& cond, Duration timeout) {
  UnlocksExclusively(this);
  bool met = false;
  {
    const IgnoreReads ignore;
    met = Next<&Mutex::AwaitWithTimeout>::Call(this, cond, timeout);
  }
  LockedExclusively(this);
  return met;
}

bool Mutex::AwaitWithDeadline(const Condition& cond, Time deadline) {
  UnlocksExclusively(this);
  bool met = false;
  {
    const IgnoreReads ignore;
    met = Next<&Mutex::AwaitWithDeadline>::Call(this, cond, deadline);
  }
  LockedExclusively(this);
  return met;
}

void CondVar::Wait(Mutex* mu) {
  UnlocksExclusively(mu);
  {
    const IgnoreReads ignore;
    Next<&CondVar::Wait>::Call(this, mu);
  }
  LockedExclusively(mu);
}

bool CondVar::WaitWithTimeout(Mutex* mu, Duration timeout) {
  UnlocksExclusively(mu);
  bool timed_out = false;
  {
    const IgnoreReads ignore;
    timed_out = Next<&CondVar::WaitWithTimeout>::Call(this, mu, timeout);
  }
  LockedExclusively(mu);
  return timed_out;
}

bool CondVar::WaitWithDeadline(Mutex* mu, Time deadline) {
  UnlocksExclusively(mu);
  bool timed_out = false;
  {
    const IgnoreReads ignore;
    timed_out = Next<&CondVar::WaitWithDeadline>::Call(this, mu, deadline);
  }
  LockedExclusively(mu);
  return timed_out;
}

void Notification::Notify() {
  // HasBeenNotified is inline: it acquires from the flag, which follows the mutex.
  static_assert(sizeof(Notification) == 2 * sizeof(Mutex));
  __tsan_release(reinterpret_cast<char*>(this) + sizeof(Mutex));
  UnlocksExclusively(this);
  Next<&Notification::Notify>::Call(this);
}

void Notification::WaitForNotification() const {
  Next<&Notification::WaitForNotification>::Call(this);
  LockedExclusively(this);
}

bool Notification::WaitForNotificationWithTimeout(Duration timeout) const {
  const bool notified = Next<&Notification::WaitForNotificationWithTimeout>::Call(this, timeout);
  if (notified) LockedExclusively(this);
  return notified;
}

bool Notification::WaitForNotificationWithDeadline(Time deadline) const {
  const bool notified = Next<&Notification::WaitForNotificationWithDeadline>::Call(this, deadline);
  if (notified) LockedExclusively(this);
  return notified;
}

bool BlockingCounter::DecrementCount() {
  UnlocksExclusively(this);
  const bool reached_zero = Next<&BlockingCounter::DecrementCount>::Call(this);
  if (reached_zero) LockedExclusively(this);
  return reached_zero;
}

void BlockingCounter::Wait() {
  Next<&BlockingCounter::Wait>::Call(this);
  LockedExclusively(this);
}

bool Barrier::Block() {
  UnlocksExclusively(this);
  const bool last = Next<&Barrier::Block>::Call(this);
  LockedExclusively(this);
  return last;
}

// Copies of a status count their references in the header, which is instrumented, and are dropped
// by the library, which is not: whoever drops the last one, having nothing to do with those who
// dropped the others before, would delete what they have read. This does what the library does.
void Status::UnrefNonInlined(uintptr_t rep) {
  status_internal::StatusRep* const shared = RepToPointer(rep);
  if (shared->ref.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shared;
}

ABSL_NAMESPACE_END
}  // namespace absl
