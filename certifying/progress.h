// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Tells how far a run is.

#ifndef NNCERT_CERTIFYING_PROGRESS_H_
#define NNCERT_CERTIFYING_PROGRESS_H_

#include <cstddef>
#include <ostream>
#include <string>

#include "hal/deadline.h"
#include "harness/records/case_result.h"

namespace nncert {

/// Tells how far a run is: on a terminal in one line that is written over and removed in the end,
/// elsewhere in a line now and then. Not to be used from two threads at the same time.
class Progress {
 public:
  /// Of a run of `total` cases, told to `stream`, which is a terminal or not. "Now and then" is by
  /// `clock`, which must outlive this.
  Progress(std::ostream& stream, bool is_terminal, size_t total,
           const hal::SteadyClock& clock = hal::SteadyClock::System());
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Removes the line.
  ~Progress();

  /// Another case has ended.
  void Add(const CaseResult& result);

  /// Writes a line that stays, above the progress line.
  void Print(std::ostream& stream, const std::string& line);

 private:
  void Clear();

  std::ostream& stream_;
  const bool is_terminal_;
  const size_t total_;
  size_t done_ = 0;
  size_t failed_ = 0;
  bool is_shown_ = false;
  const hal::SteadyClock& clock_;
  hal::Deadline silence_;  // until when nothing more is told
};

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_PROGRESS_H_
