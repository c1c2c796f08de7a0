// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Scopes that record how long things take, by layer and phase.
//
//   absl::Status Prepare(...) {
//     NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "Prepare");
//     ...
//   }
//
// The environment variable NNCERT_TRACE names the file that events are appended to, as lines of the
// Trace Event Format (a JSON array whose closing bracket is left out, as the format allows), to be
// opened in chrome://tracing or Perfetto. When it is not set, a scope costs a load and a branch.
//
// Names are those of Android's systrace: "[NN_<layer>_<phase>]<detail>", with [SW] in front where a
// scope of another phase begins within a function, and [SUB] where time is to be taken off the
// layer around.

#ifndef NNCERT_HAL_TRACING_H_
#define NNCERT_HAL_TRACING_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/handle.h"

namespace nncert::hal {

/// Appends events to a trace file. Safe to use from several threads; several writers, even in
/// several processes, may share a file.
class TraceWriter {
 public:
  /// Opens a file, and creates it when there is none.
  static absl::StatusOr<std::unique_ptr<TraceWriter>> Open(const std::string& path);

  /// The writer of NNCERT_TRACE, or null when the variable is not set or the file cannot be opened
  /// (which is logged once). It lives until the process ends.
  static TraceWriter* OfEnvironment();

  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;
  ~TraceWriter();

  /// Records that `name` went on in this thread for a time; both in nanoseconds of NowNanoseconds.
  void Record(std::string_view name, int64_t start, int64_t duration);

  /// Writes what has been recorded so far.
  void Flush();

  /// The monotonic clock of events.
  static int64_t NowNanoseconds();

 private:
  explicit TraceWriter(FileDescriptor file) : file_(std::move(file)) {}
  // Writes the buffer; to be called under the lock.
  void FlushLocked();

  const FileDescriptor file_;
  // Guards buffer_.
  std::mutex mutex_;
  std::string buffer_;
};

/// Records the time from its construction to its destruction under a name, which must outlive it.
class ScopedTrace {
 public:
  explicit ScopedTrace(const char* name, TraceWriter* writer = TraceWriter::OfEnvironment())
      : writer_(writer),
        name_(name),
        start_(writer == nullptr ? 0 : TraceWriter::NowNanoseconds()) {}
  ScopedTrace(const ScopedTrace&) = delete;
  ScopedTrace& operator=(const ScopedTrace&) = delete;
  ~ScopedTrace() {
    if (writer_ != nullptr) {
      writer_->Record(name_, start_, TraceWriter::NowNanoseconds() - start_);
    }
  }

 private:
  TraceWriter* const writer_;
  const char* const name_;
  const int64_t start_;
};

}  // namespace nncert::hal

// Layers.
#define NNTRACE_LAYER_APPLICATION "LA"
#define NNTRACE_LAYER_RUNTIME "LR"
#define NNTRACE_LAYER_IPC "LI"
#define NNTRACE_LAYER_DRIVER "LD"
#define NNTRACE_LAYER_CPU "LC"
#define NNTRACE_LAYER_OTHER "LO"
#define NNTRACE_LAYER_UTILITY "LU"

// Phases of a program.
#define NNTRACE_PHASE_OVERALL "PO"
#define NNTRACE_PHASE_WARMUP "PWU"
#define NNTRACE_PHASE_BENCHMARK "PBM"
// Phases of every layer.
#define NNTRACE_PHASE_INITIALIZATION "PI"
#define NNTRACE_PHASE_PREPARATION "PP"
#define NNTRACE_PHASE_COMPILATION "PC"
#define NNTRACE_PHASE_EXECUTION "PE"
#define NNTRACE_PHASE_TERMINATION "PT"
#define NNTRACE_PHASE_UNSPECIFIED "PU"
// Phases of an execution.
#define NNTRACE_PHASE_INPUTS_AND_OUTPUTS "PIO"
#define NNTRACE_PHASE_TRANSFORMATION "PTR"
#define NNTRACE_PHASE_COMPUTATION "PCO"
#define NNTRACE_PHASE_RESULTS "PR"

#define NNTRACE_CONCATENATE_EXPANDED(a, b) a##b
#define NNTRACE_CONCATENATE(a, b) NNTRACE_CONCATENATE_EXPANDED(a, b)
#define NNTRACE_SCOPE(name) \
  const ::nncert::hal::ScopedTrace NNTRACE_CONCATENATE(nntrace_scope_, __LINE__)(name)

/// The rest of the scope belongs to a layer and phase. All three are string literals.
#define NNTRACE_FULL(layer, phase, detail) NNTRACE_SCOPE("[NN_" layer "_" phase "]" detail)

/// From here on the scope is in another phase than the NNTRACE_FULL before it said.
#define NNTRACE_FULL_SWITCH(layer, phase, detail) \
  NNTRACE_SCOPE("[SW][NN_" layer "_" phase "]" detail)

/// The rest of the scope does not count for the layer around it.
#define NNTRACE_FULL_SUBTRACT(layer, phase, detail) \
  NNTRACE_SCOPE("[SUB][NN_" layer "_" phase "]" detail)

// The common layers.
#define NNTRACE_APP(phase, detail) NNTRACE_FULL(NNTRACE_LAYER_APPLICATION, phase, detail)
#define NNTRACE_APP_SWITCH(phase, detail) \
  NNTRACE_FULL_SWITCH(NNTRACE_LAYER_APPLICATION, phase, detail)
#define NNTRACE_RT(phase, detail) NNTRACE_FULL(NNTRACE_LAYER_RUNTIME, phase, detail)
#define NNTRACE_RT_SWITCH(phase, detail) NNTRACE_FULL_SWITCH(NNTRACE_LAYER_RUNTIME, phase, detail)
#define NNTRACE_CPU(phase, detail) NNTRACE_FULL(NNTRACE_LAYER_CPU, phase, detail)
#define NNTRACE_COMP(detail) NNTRACE_FULL(NNTRACE_LAYER_CPU, NNTRACE_PHASE_COMPUTATION, detail)
#define NNTRACE_COMP_SWITCH(detail) \
  NNTRACE_FULL_SWITCH(NNTRACE_LAYER_CPU, NNTRACE_PHASE_COMPUTATION, detail)
#define NNTRACE_TRANS(detail) NNTRACE_FULL(NNTRACE_LAYER_CPU, NNTRACE_PHASE_TRANSFORMATION, detail)

#endif  // NNCERT_HAL_TRACING_H_
