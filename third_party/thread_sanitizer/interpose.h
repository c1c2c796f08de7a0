// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_THIRD_PARTY_THREAD_SANITIZER_INTERPOSE_H_
#define NNCERT_THIRD_PARTY_THREAD_SANITIZER_INTERPOSE_H_

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

// Two marks of ThreadSanitizer's run-time library that have no header: the reads of this thread
// between them are nobody's race.
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
}

// ThreadSanitizer learns which thread waits for which from the code it instruments. The locks of
// Debian's Abseil and Cap'n Proto are compiled without it, so it would call every use of them a
// race. The files beside this header define the locks' functions once more: a program's own
// definition is the one that all its libraries call. Each one tells the sanitizer what happens and
// calls the library's definition.
namespace nncert::thread_sanitizer {

// What the unlocking of a lock orders: everything before an exclusive unlock comes before what
// follows any later lock; before a shared unlock, only before what follows a later exclusive lock.
inline void* ExclusiveClock(const void* lock) { return const_cast<void*>(lock); }
inline void* SharedClock(const void* lock) {
  return const_cast<char*>(static_cast<const char*>(lock)) + 1;
}

inline void LockedExclusively(const void* lock) {
  __tsan_acquire(ExclusiveClock(lock));
  __tsan_acquire(SharedClock(lock));
}
inline void LockedShared(const void* lock) { __tsan_acquire(ExclusiveClock(lock)); }
inline void UnlocksExclusively(const void* lock) { __tsan_release(ExclusiveClock(lock)); }
inline void UnlocksShared(const void* lock) { __tsan_release(SharedClock(lock)); }

// While one lives, reads of its thread are not checked. For calls that evaluate a condition of ours
// inside the library: the lock is held then, but the sanitizer is told before or after. Unlocking
// evaluates the conditions of other threads.
class IgnoreReads {
 public:
  IgnoreReads() { AnnotateIgnoreReadsBegin(__FILE__, __LINE__); }
  ~IgnoreReads() { AnnotateIgnoreReadsEnd(__FILE__, __LINE__); }
  IgnoreReads(const IgnoreReads&) = delete;
  IgnoreReads& operator=(const IgnoreReads&) = delete;
};

// Returns the address of the definition that ours at the address own stands in front of. Ends the
// program when there is none: a lock that does nothing is no way to continue.
inline void* FindNextDefinition(void* own) {
  Dl_info info;
  void* next = nullptr;
  if (dladdr(own, &info) != 0 && info.dli_sname != nullptr && info.dli_saddr == own) {
    next = dlsym(RTLD_NEXT, info.dli_sname);
  }
  if (next == nullptr || next == own) {
    std::fputs("thread_sanitizer: a lock's own definition cannot be found\n", stderr);
    std::abort();
  }
  return next;
}

template <auto kMethod>
struct Next;

// Next<&Class::Method>::Call(object, arguments...) calls the next definition of a method of which
// the caller is the first. A method that is not virtual is a function of the object, then its
// arguments (Itanium C++ ABI, 2.3 and 3.1).
template <typename Class, typename Result, typename... Arguments,
          Result (Class::*kMethod)(Arguments...)>
struct Next<kMethod> {
  static Result Call(Class* object, Arguments... arguments) {
    using Function = Result (*)(Class*, Arguments...);
    static const Function next = [] {
      auto method = kMethod;
      void* own = nullptr;
      std::memcpy(&own, &method, sizeof(own));
      return reinterpret_cast<Function>(FindNextDefinition(own));
    }();
    return next(object, std::forward<Arguments>(arguments)...);
  }
};

template <typename Class, typename Result, typename... Arguments,
          Result (Class::*kMethod)(Arguments...) const>
struct Next<kMethod> {
  static Result Call(const Class* object, Arguments... arguments) {
    using Function = Result (*)(const Class*, Arguments...);
    static const Function next = [] {
      auto method = kMethod;
      void* own = nullptr;
      std::memcpy(&own, &method, sizeof(own));
      return reinterpret_cast<Function>(FindNextDefinition(own));
    }();
    return next(object, std::forward<Arguments>(arguments)...);
  }
};

}  // namespace nncert::thread_sanitizer

#endif  // NNCERT_THIRD_PARTY_THREAD_SANITIZER_INTERPOSE_H_
