// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/interruption.h"

#include <atomic>

namespace nncert {
namespace {

// A signal handler can reach nothing else.
std::atomic<bool> is_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void Notice(int /*signal*/) { is_requested = true; }

}  // namespace

Interruption::Interruption() {
  is_requested = false;
  struct sigaction action = {};
  action.sa_handler = &Notice;
  // Once: the handler goes with the first call. Calls that a signal comes into go on.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &interrupt_before_);
  sigaction(SIGTERM, &action, &terminate_before_);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &terminate_before_, nullptr);
}

bool Interruption::IsRequested() { return is_requested; }

}  // namespace nncert
