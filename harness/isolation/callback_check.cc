// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/callback_check.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/replay/call_rules.h"

namespace nncert {
namespace {

using hal::replay::WrongCallback;
using hal::V1_0::ErrorStatus;

}  // namespace

Problem ProblemOf(absl::string_view call, const absl::Status& status) {
  Verdict verdict = Verdict::FAIL;
  if (absl::IsDeadlineExceeded(status)) verdict = Verdict::TIMEOUT;
  if (absl::IsUnavailable(status)) verdict = Verdict::CRASH;
  return {verdict, absl::StrCat(call, ": ", status.message())};
}

Problem Broken(std::string text) { return {Verdict::FAIL, std::move(text)}; }

Problem CalledAgain(absl::string_view call, int count) {
  return Broken(hal::replay::WrongCalls(call, count));
}

std::optional<Problem> CheckCallback(absl::string_view call, ErrorStatus launched,
                                     std::optional<ErrorStatus> called, int count, bool is_held,
                                     absl::Duration waited, const CallThread& calls) {
  if (absl::Status health = calls.Health(); !health.ok()) {
    return ProblemOf(absl::StrCat("waiting for the callback of ", call), health);
  }
  if (!called.has_value()) {
    if (launched != ErrorStatus::NONE) return Broken(WrongCallback(call, launched, called));
    if (!is_held) {
      return Broken(absl::StrCat(call,
                                 " returned NONE, and the driver let go of its callback without "
                                 "calling it; expected exactly one call"));
    }
    const std::string activity = calls.Activity();
    return Problem{
        Verdict::TIMEOUT,
        absl::StrCat(call, " returned NONE, but its callback was not called within ",
                     absl::FormatDuration(waited), activity.empty() ? "" : ": ", activity)};
  }
  if (count > 1) {
    return CalledAgain(call, count);
  }
  std::string wrong = WrongCallback(call, launched, called);
  if (!wrong.empty()) return Broken(std::move(wrong));
  return std::nullopt;
}

}  // namespace nncert
