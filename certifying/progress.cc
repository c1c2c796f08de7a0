// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

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
// How much time says how fast something is: what is younger says too little, what is older says
// how fast it once was.
constexpr absl::Duration kLeastPast = absl::Seconds(1);
constexpr absl::Duration kMostPast = absl::Seconds(20);
constexpr size_t kUsualColumns = 80;
// Back to the first column, and erase to the right (ECMA-48, CR and EL).
constexpr char kEraseLine[] = "\r\x1b[K";

hal::Deadline Silence(bool is_terminal, const hal::SteadyClock& clock) {
  return hal::Deadline(is_terminal ? kTerminalInterval : kLogInterval, clock);
}

// The beginning of a text (UTF-8) that takes no more than so many columns.
std::string FirstColumns(const std::string& text, size_t columns) {
  size_t end = 0;
  for (; end < text.size(); ++end) {
    const bool is_new = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (is_new && columns-- == 0) break;
  }
  return text.substr(0, end);
}

}  // namespace

size_t ErrorStreamColumns() {
  winsize window = {};
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  return is_known ? window.ws_col : kUsualColumns;
}

ProgressLine::ProgressLine(std::ostream& stream, bool is_terminal, const hal::SteadyClock& clock,
                           std::function<size_t()> columns)
    : stream_(stream),
      is_terminal_(is_terminal),
      clock_(clock),
      columns_(std::move(columns)),
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
    // A line that reaches the last column would begin another one, which nobody erases.
    stream_ << kEraseLine << FirstColumns(text, columns_() - 1) << std::flush;
    is_shown_ = true;
  } else {
    stream_ << text << std::endl;
  }
}

void ProgressLine::Print(std::ostream& stream, const std::string& line) {
  Clear();
  stream << line << std::endl;
}

std::string TimeLeft::Describe(size_t done, size_t total) {
  const absl::Duration now = clock_.Now();
  past_.emplace_back(now, done);
  while (past_.size() > 2 && now - past_[1].first >= kMostPast) past_.pop_front();
  const auto [then, done_then] = past_.front();
  if (now - then < kLeastPast || done == done_then || done > total) return "";
  const double of_past = static_cast<double>(total - done) / static_cast<double>(done - done_then);
  return absl::StrCat(
      ", ", absl::FormatDuration(absl::Ceil((now - then) * of_past, absl::Seconds(1))), " left");
}

Progress::Progress(std::ostream& stream, bool is_terminal, size_t total,
                   const hal::SteadyClock& clock, std::function<size_t()> columns)
    : line_(stream, is_terminal, clock, std::move(columns)), time_left_(clock), total_(total) {}

void Progress::Add(const CaseResult& result) {
  ++done_;
  failed_ += IsFailure(result.verdict);
  if (!line_.IsDue()) return;
  const std::string state = absl::StrCat(done_, " of ", total_, ", ", failed_, " failed",
                                         time_left_.Describe(done_, total_));
  line_.Show(line_.is_terminal()
                 ? absl::StrFormat("[%3d%%] %s  %s", total_ == 0 ? 100 : 100 * done_ / total_,
                                   state, EscapeForTerminal(result.name))
                 : state);
}

}  // namespace nncert
