// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The locks of Cap'n Proto's KJ library for ThreadSanitizer; see interpose.h.

#include <kj/mutex.h>

#include "third_party/thread_sanitizer/interpose.h"

namespace kj::_ {

using ::nncert::thread_sanitizer::IgnoreReads;
using ::nncert::thread_sanitizer::LockedExclusively;
using ::nncert::thread_sanitizer::LockedShared;
using ::nncert::thread_sanitizer::Next;
using ::nncert::thread_sanitizer::UnlocksExclusively;
using ::nncert::thread_sanitizer::UnlocksShared;

bool Mutex::lock(Exclusivity exclusivity, Maybe<Duration> timeout, LockSourceLocationArg location) {
  const bool locked = Next<&Mutex::lock>::Call(this, exclusivity, timeout, location);
  if (locked) {
    if (exclusivity == EXCLUSIVE) {
      LockedExclusively(this);
    } else {
      LockedShared(this);
    }
  }
  return locked;
}

void Mutex::unlock(Exclusivity exclusivity, Waiter* waiterToSkip) {
  if (exclusivity == EXCLUSIVE) {
    UnlocksExclusively(this);
  } else {
    UnlocksShared(this);
  }
  const IgnoreReads ignore;
  Next<&Mutex::unlock>::Call(this, exclusivity, waiterToSkip);
}

void Mutex::wait(Predicate& predicate, Maybe<Duration> timeout, LockSourceLocationArg location) {
  UnlocksExclusively(this);
  {
    const IgnoreReads ignore;
    Next<&Mutex::wait>::Call(this, predicate, timeout, location);
  }
  LockedExclusively(this);
}

void Once::runOnce(Initializer& init, LockSourceLocationArg location) {
  // isInitialized is inline: it acquires from this object, which the library then marks.
  class ReleasingInitializer final : public Initializer {
   public:
    ReleasingInitializer(Initializer& init, Once* once) : init_(init), once_(once) {}
    void run() override {
      init_.run();
      UnlocksExclusively(once_);
    }

   private:
    Initializer& init_;
    Once* once_;
  };
  ReleasingInitializer releasing(init, this);
  Next<&Once::runOnce>::Call(this, releasing, location);
  LockedExclusively(this);
}

}  // namespace kj::_
