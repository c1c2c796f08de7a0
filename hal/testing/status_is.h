// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Matches errors by their code and message.

#ifndef NNCERT_HAL_TESTING_STATUS_IS_H_
#define NNCERT_HAL_TESTING_STATUS_IS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"

namespace nncert::hal::testing {

inline const absl::Status& StatusOf(const absl::Status& status) { return status; }
template <class Value>
const absl::Status& StatusOf(const absl::StatusOr<Value>& value) {
  return value.status();
}

/// Matches an absl::Status or absl::StatusOr whose code is `code` and whose message `message`
/// matches, a matcher or the whole text:
/// EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound, HasSubstr("no such file"))).
MATCHER_P2(StatusIs, code, message,
           (negation ? "is not " : "is ") + absl::StatusCodeToString(code) +
               " with a message that " + ::testing::DescribeMatcher<std::string>(message)) {
  const absl::Status& status = StatusOf(arg);
  *result_listener << "which is " << status;
  return status.code() == code && ::testing::Matches(message)(std::string(status.message()));
}

}  // namespace nncert::hal::testing

#endif  // NNCERT_HAL_TESTING_STATUS_IS_H_
