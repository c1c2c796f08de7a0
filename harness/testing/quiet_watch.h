// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A watch for drivers that are trusted to come back.

#ifndef NNCERT_HARNESS_TESTING_QUIET_WATCH_H_
#define NNCERT_HARNESS_TESTING_QUIET_WATCH_H_

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "harness/isolation/call_thread.h"

namespace nncert {

/// Has calls go as they do to a driver in another process, which need no thread of their own here;
/// nothing ends them.
class QuietWatch : public CallWatch {
 public:
  void Begin(absl::Duration /*deadline*/) override {}
  absl::Status End() override { return absl::OkStatus(); }
  absl::Status Health() override { return absl::OkStatus(); }
  std::string Activity() override { return ""; }
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_TESTING_QUIET_WATCH_H_
