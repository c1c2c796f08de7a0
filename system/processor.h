// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Which processor threads run on.

#ifndef NNCERT_SYSTEM_PROCESSOR_H_
#define NNCERT_SYSTEM_PROCESSOR_H_

#include <sched.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace nncert {

/// The number of the processor that the calling thread runs on now.
int CurrentProcessor();

/// The numbers of the processors that the calling thread may run on, from the one that it runs on
/// now on, round about; at least one.
std::vector<int> AllowedProcessors();

/// The processor that comes `steps` after one of those that the calling thread may run on, round
/// about; nothing after nothing.
std::optional<int> ProcessorAfter(std::optional<int> processor, size_t steps);

/// Lets the calling thread run on every processor that the system allows it, wherever the thread
/// that started it is held by an OnProcessor.
void RunOnAnyProcessor();

/// While one of these lives, the calling thread runs on one processor, with every thread and
/// process that it starts meanwhile. (Those stay there.)
///
/// That is for two sides that wait for each other by turns: to wake a thread on another processor
/// costs some 60 us, on the same one 3. None of these threads interrupts another when it is woken
/// (SCHED_BATCH), so who sends a message goes to sleep before the other side reads it, and is not
/// found in the way, holding locks.
class OnProcessor {
 public:
  /// Changes nothing without a processor, or when the system does not allow it: calls take longer
  /// then. Takes no time where another one of these has the thread on this processor already.
  explicit OnProcessor(std::optional<int> processor);
  OnProcessor(const OnProcessor&) = delete;
  OnProcessor& operator=(const OnProcessor&) = delete;
  /// Lets the thread run where it could before. To be called by the same thread.
  ~OnProcessor();

 private:
  bool is_placed_ = false;
  std::optional<int> place_before_;  // of another one of these
  cpu_set_t processors_before_;
  bool is_batch_ = false;
};

}  // namespace nncert

#endif  // NNCERT_SYSTEM_PROCESSOR_H_
