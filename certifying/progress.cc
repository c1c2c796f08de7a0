// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/progress.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "harness/records/verdict.h"
#include "system/escape.h"

namespace nncert {
namespace {

// How often at the most progress is told.
constexpr absl::Duration kTerminalInterval = absl::Milliseconds(100);
constexpr absl::Duration kLogInterval = absl::Seconds(10);
// How much of a case's name a line has room for.
constexpr size_t kNameWidth = 48;
// Back to the first column, and erase to the right (ECMA-48, CR and EL).
constexpr char kEraseLine[] = "\r\x1b[K";

hal::Deadline Silence(bool is_terminal, const hal::SteadyClock& clock) {
  return hal::Deadline(is_terminal ? kTerminalInterval : kLogInterval, clock);
}

}  // namespace

ProgressLine::ProgressLine(std::ostream& stream, bool is_terminal, const hal::SteadyClock& clock)
    : stream_(stream),
      is_terminal_(is_terminal),
      clock_(clock),
      silence_(Silence(is_terminal, clock)) {}

ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Clear() {
  if (!is_shown_) return;
  stream_ << kEraseLine << std::flush;
  is_shown_ = false;
}

void ProgressLine::Show(const std::string& text) {
  silence_ = Silence(is_terminal_, clock_);
  if (is_terminal_) {
    stream_ << kEraseLine << text << std::flush;
    is_shown_ = true;
  } else {
    stream_ << text << std::endl;
  }
}

void ProgressLine::Print(std::ostream& stream, const std::string& line) {
  Clear();
  stream << line << std::endl;
}

Progress::Progress(std::ostream& stream, bool is_terminal, size_t total,
                   const hal::SteadyClock& clock)
    : line_(stream, is_terminal, clock), total_(total) {}

void Progress::Add(const CaseResult& result) {
  ++done_;
  failed_ += IsFailure(result.verdict);
  if (!line_.IsDue()) return;
  const std::string state = absl::StrCat(done_, " of ", total_, ", ", failed_, " failed");
  line_.Show(line_.is_terminal()
                 ? absl::StrFormat("[%3d%%] %s  %s", total_ == 0 ? 100 : 100 * done_ / total_,
                                   state, EscapeForTerminal(result.name.substr(0, kNameWidth)))
                 : state);
}

}  // namespace nncert
