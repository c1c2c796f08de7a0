// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where a process was when it crashed.

#ifndef NNCERT_HAL_TRANSPORT_BACKTRACE_H_
#define NNCERT_HAL_TRANSPORT_BACKTRACE_H_

namespace nncert::hal::transport {

/// Has this process, when a fault of its code or abort() ends it, first write to the standard error
/// in which functions it was, the innermost first:
///
///     backtrace of SIGSEGV at address 0x10:
///     #0 Driver::Execute() at /my/libdriver.so+0x1a2b
///
/// What addr2line says of such an offset is the line of the source. It then ends by the signal as
/// it would have. Handlers that a driver installs itself replace this one. A stack that has
/// overflowed is only told of the thread that calls this.
void PrintBacktraces();

/// Ends this process by a signal, as if nobody had handled or blocked it. Returns only where the
/// signal ends no process. Fit for handlers of signals.
void EndBySignal(int number);

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_BACKTRACE_H_
