// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Ctrl-C, and being asked to end.

#ifndef NNCERT_SYSTEM_INTERRUPTION_H_
#define NNCERT_SYSTEM_INTERRUPTION_H_

#include <csignal>

#include "absl/time/time.h"

namespace nncert {

/// While one of these lives, the first SIGINT and the first SIGTERM do not end the process but are
/// noticed here, and standard error says so; a second one ends it as ever. There can be one at a
/// time.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  /// Signals do what they did before.
  ~Interruption();

  /// Whether either signal has come, or the time of EndAfter has passed.
  static bool IsRequested();

  /// Has the process interrupt itself once, as if by Ctrl-C, when this much time has passed; more
  /// than zero. Takes the process's only SIGALRM. To be called while there is an Interruption.
  static void EndAfter(absl::Duration time);

 private:
  struct sigaction interrupt_before_ = {};
  struct sigaction terminate_before_ = {};
  struct sigaction alarm_before_ = {};
};

}  // namespace nncert

#endif  // NNCERT_SYSTEM_INTERRUPTION_H_
