// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Ctrl-C, and being asked to end.

#ifndef NNCERT_SYSTEM_INTERRUPTION_H_
#define NNCERT_SYSTEM_INTERRUPTION_H_

#include <csignal>

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

  /// Whether either signal has come.
  static bool IsRequested();

 private:
  struct sigaction interrupt_before_ = {};
  struct sigaction terminate_before_ = {};
};

}  // namespace nncert

#endif  // NNCERT_SYSTEM_INTERRUPTION_H_
