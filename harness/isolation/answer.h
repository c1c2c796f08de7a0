// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What drivers answer when they are asked for something beside running cases.

#ifndef NNCERT_HARNESS_ISOLATION_ANSWER_H_
#define NNCERT_HARNESS_ISOLATION_ANSWER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "hal/to_string.h"
#include "harness/isolation/driver_session.h"

namespace nncert {

/// What a call of the driver answers that ends with a status. FailedPrecondition, with `what` was
/// asked for, where that is not NONE; fails as CallThread::Run does.
template <typename Call>
auto AnswerOf(DriverSession& session, absl::Duration deadline, absl::string_view what,
              const Call& call) -> decltype(session.calls().Run(deadline, call)) {
  auto answer = session.calls().Run(deadline, call);
  if (answer.ok() && answer->status != hal::V1_0::ErrorStatus::NONE) {
    return absl::FailedPreconditionError(
        absl::StrCat(what, " ended with ", toString(answer->status), "; expected NONE"));
  }
  return answer;
}

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_ANSWER_H_
