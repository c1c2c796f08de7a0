// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/tracing.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "glog/logging.h"

namespace nncert::hal {
namespace {

constexpr size_t kBufferSize = size_t{64} << 10;

std::string JsonString(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(&result, "\\u%04x", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

// A trace that cannot be written must not disturb what is traced, so errors end here.
void WriteWholeLines(int descriptor, const std::string& lines) {
  size_t written = 0;
  while (written < lines.size()) {
    const ssize_t step = write(descriptor, lines.data() + written, lines.size() - written);
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0) return;
    written += static_cast<size_t>(step);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<TraceWriter>> TraceWriter::Open(const std::string& path) {
  const FileDescriptor file =
      FileDescriptor::Adopt(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file.valid()) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot open the trace file ", path));
  }
  // The first writer begins the array; the lock keeps a second one from doing it as well.
  struct stat status;
  flock(file.get(), LOCK_EX);
  if (fstat(file.get(), &status) == 0 && status.st_size == 0) WriteWholeLines(file.get(), "[\n");
  flock(file.get(), LOCK_UN);
  return std::unique_ptr<TraceWriter>(new TraceWriter(file));
}

TraceWriter* TraceWriter::OfEnvironment() {
  // Never destroyed, because threads may still be tracing while the process ends; what is left in
  // the buffer is written then.
  static TraceWriter* const writer = []() -> TraceWriter* {
    const char* const path = std::getenv("NNCERT_TRACE");
    if (path == nullptr || *path == '\0') return nullptr;
    absl::StatusOr<std::unique_ptr<TraceWriter>> opened = Open(path);
    if (!opened.ok()) {
      LOG(WARNING) << opened.status() << "; expected NNCERT_TRACE to name a file to write to";
      return nullptr;
    }
    std::atexit([] { OfEnvironment()->Flush(); });
    return opened->release();
  }();
  return writer;
}

TraceWriter::~TraceWriter() { Flush(); }

void TraceWriter::Record(std::string_view name, int64_t start, int64_t duration) {
  // Timestamps are in microseconds.
  const std::string line = absl::StrFormat(
      "{\"name\":%s,\"cat\":\"nn\",\"ph\":\"X\",\"ts\":%d.%03d,\"dur\":%d.%03d,\"pid\":%d,"
      "\"tid\":%d},\n",
      JsonString(name), start / 1000, start % 1000, duration / 1000, duration % 1000, getpid(),
      static_cast<int>(syscall(SYS_gettid)));
  const std::lock_guard<std::mutex> lock(mutex_);
  buffer_ += line;
  if (buffer_.size() >= kBufferSize) FlushLocked();
}

void TraceWriter::Flush() {
  const std::lock_guard<std::mutex> lock(mutex_);
  FlushLocked();
}

void TraceWriter::FlushLocked() {
  WriteWholeLines(file_.get(), buffer_);
  buffer_.clear();
}

int64_t TraceWriter::NowNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace nncert::hal
