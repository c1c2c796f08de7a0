// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/backtrace.h"

#include <dlfcn.h>
#include <unistd.h>
#include <unwind.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "absl/debugging/symbolize.h"

namespace nncert::hal::transport {
namespace {

constexpr std::array<int, 5> kFaults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int kMostFrames = 12;
// How long it may take: a process that crashed while it held a lock of the loader waits for itself.
constexpr unsigned kMostSeconds = 5;

volatile sig_atomic_t fault_under_way = 0;

void GiveUp(int /*number*/) { EndBySignal(fault_under_way); }

// The frames of a stack that are told: from where the signal came on.
struct Frames {
  bool is_past_signal = false;
  int count = 0;
  std::array<uintptr_t, kMostFrames> addresses = {};
};

_Unwind_Reason_Code AddFrame(_Unwind_Context* context, void* argument) {
  auto& frames = *static_cast<Frames*>(argument);
  int is_before_instruction = 0;
  const uintptr_t address = _Unwind_GetIPInfo(context, &is_before_instruction);
  if (address == 0) return _URC_END_OF_STACK;
  // The frame that the signal came to is the only one that is told by the address where it is, and
  // not by the one it returns to.
  frames.is_past_signal |= is_before_instruction != 0;
  if (!frames.is_past_signal) return _URC_NO_REASON;
  frames.addresses[static_cast<size_t>(frames.count++)] =
      is_before_instruction != 0 ? address : address - 1;
  return frames.count < kMostFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void Write(const char* text) {
  const ssize_t ignored = write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(ignored);
}

void PrintFrame(int number, uintptr_t address) {
  // As large as a line that is kept of the output; nothing here takes memory.
  std::array<char, 120> name = {};
  std::array<char, 400> line = {};
  if (!absl::Symbolize(reinterpret_cast<void*>(address), name.data(), name.size())) {
    std::strncpy(name.data(), "?", name.size() - 1);
  }
  Dl_info info = {};
  if (dladdr(reinterpret_cast<void*>(address), &info) != 0 && info.dli_fname != nullptr) {
    const char* const slash = std::strrchr(info.dli_fname, '/');
    std::snprintf(line.data(), line.size(), "#%d %s at %s+0x%zx\n", number, name.data(),
                  slash == nullptr ? info.dli_fname : slash + 1,
                  address - reinterpret_cast<uintptr_t>(info.dli_fbase));
  } else {
    std::snprintf(line.data(), line.size(), "#%d %s at 0x%zx\n", number, name.data(), address);
  }
  Write(line.data());
}

void PrintAndEnd(int number, siginfo_t* info, void* /*context*/) {
  fault_under_way = number;
  signal(number, SIG_DFL);
  signal(SIGALRM, &GiveUp);
  alarm(kMostSeconds);
  std::array<char, 120> line = {};
  const char* const name = sigabbrev_np(number);
  // Else somebody has sent it.
  if (info->si_code > 0 && (number == SIGSEGV || number == SIGBUS)) {
    std::snprintf(line.data(), line.size(), "backtrace of SIG%s at address %p:\n", name,
                  info->si_addr);
  } else {
    std::snprintf(line.data(), line.size(), "backtrace of SIG%s:\n", name);
  }
  Write(line.data());
  Frames frames;
  _Unwind_Backtrace(&AddFrame, &frames);
  for (int i = 0; i < frames.count; ++i) {
    PrintFrame(i, frames.addresses[static_cast<size_t>(i)]);
  }
  EndBySignal(number);
}

}  // namespace

void PrintBacktraces() {
  absl::InitializeSymbolizer(nullptr);
  alignas(16) static std::array<char, size_t{64} << 10> stack;
  const stack_t alternate = {.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = &PrintAndEnd;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int fault : kFaults) sigaction(fault, &action, nullptr);
}

void EndBySignal(int number) {
  signal(number, SIG_DFL);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, number);
  pthread_sigmask(SIG_UNBLOCK, &mask, nullptr);
  raise(number);
}

}  // namespace nncert::hal::transport
