// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Tells how far a run is.

#ifndef NNCERT_CERTIFYING_PROGRESS_H_
#define NNCERT_CERTIFYING_PROGRESS_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "hal/deadline.h"
#include "harness/records/case_result.h"

namespace nncert {

/// How many columns the terminal of the standard error has; 80 when nobody knows.
size_t ErrorStreamColumns();

/// A line that says how far something is: on a terminal one that is written over and removed in the
/// end, elsewhere a line now and then. Not to be used from two threads at the same time.
class ProgressLine {
 public:
  /// Told to `stream`, which is a terminal or not. "Now and then" is by `clock`, which must outlive
  /// this. `columns` says how wide the terminal is at the moment: what has no room is left out.
  ProgressLine(std::ostream& stream, bool is_terminal,
               const hal::SteadyClock& clock = hal::SteadyClock::System(),
               std::function<size_t()> columns = &ErrorStreamColumns);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Removes the line.
  ~ProgressLine();

  bool is_terminal() const { return is_terminal_; }

  /// Whether it is time to tell something again.
  bool IsDue() const { return silence_.HasPassed(); }

  /// Tells, whether it is time or not.
  void Show(const std::string& text);

  /// Writes a line that stays, above the progress line.
  void Print(std::ostream& stream, const std::string& line);

 private:
  void Clear();

  std::ostream& stream_;
  const bool is_terminal_;
  bool is_shown_ = false;
  const hal::SteadyClock& clock_;
  const std::function<size_t()> columns_;
  hal::Deadline silence_;  // until when nothing more is told
};

/// Estimates how much longer something takes, by how fast it has been of late.
class TimeLeft {
 public:
  /// By `clock`, which must outlive this.
  explicit TimeLeft(const hal::SteadyClock& clock = hal::SteadyClock::System()) : clock_(clock) {}

  /// Of `total` things `done` are done by now, no fewer than before. ", 1m20s left"; empty as long
  /// as nothing is known.
  std::string Describe(size_t done, size_t total);

 private:
  const hal::SteadyClock& clock_;
  std::deque<std::pair<absl::Duration, size_t>> past_;  // when how many were done
};

/// Tells how far a run of cases is, and how long it takes still.
class Progress {
 public:
  /// Of a run of `total` cases; see ProgressLine.
  Progress(std::ostream& stream, bool is_terminal, size_t total,
           const hal::SteadyClock& clock = hal::SteadyClock::System(),
           std::function<size_t()> columns = &ErrorStreamColumns);

  /// Another case has ended.
  void Add(const CaseResult& result);

  /// See ProgressLine.
  void Print(std::ostream& stream, const std::string& line) { line_.Print(stream, line); }

 private:
  ProgressLine line_;
  TimeLeft time_left_;
  const size_t total_;
  size_t done_ = 0;
  size_t failed_ = 0;
};

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_PROGRESS_H_
