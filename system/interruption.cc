// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/interruption.h"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string_view>

namespace nncert {
namespace {

// A signal handler can reach nothing else.
std::atomic<bool> is_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

// What is under way, of a driver above all, may take long, and nobody is to wonder what is waited
// for.
constexpr std::string_view kWords =
    "\nnncert: what is under way is still brought to its end; once more ends it at once\n";
constexpr std::string_view kWordsAfterTime =
    "\nnncert: the time is over; what is under way is still brought to its end\n";

void Notice(int signal) {
  const int error = errno;
  is_requested = true;
  const std::string_view words = signal == SIGALRM ? kWordsAfterTime : kWords;
  const ssize_t ignored = write(STDERR_FILENO, words.data(), words.size());
  static_cast<void>(ignored);
  errno = error;
}

}  // namespace

Interruption::Interruption() {
  is_requested = false;
  struct sigaction action = {};
  action.sa_handler = &Notice;
  // Once: the handler goes with the first call. Calls that a signal comes into go on.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &interrupt_before_);
  sigaction(SIGTERM, &action, &terminate_before_);
  sigaction(SIGALRM, &action, &alarm_before_);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &terminate_before_, nullptr);
  const itimerval none = {};
  setitimer(ITIMER_REAL, &none, nullptr);
  sigaction(SIGALRM, &alarm_before_, nullptr);
}

void Interruption::EndAfter(absl::Duration time) {
  // A timer of zero is none at all.
  const itimerval once = {.it_interval = {},
                          .it_value = absl::ToTimeval(std::max(time, absl::Microseconds(1)))};
  setitimer(ITIMER_REAL, &once, nullptr);
}

bool Interruption::IsRequested() { return is_requested; }

}  // namespace nncert
