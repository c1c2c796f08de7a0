// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Expects that a validation fails.

#ifndef NNCERT_HAL_TESTING_EXPECT_INVALID_H_
#define NNCERT_HAL_TESTING_EXPECT_INVALID_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace nncert::hal::testing {

/// Expects InvalidArgument with a message that contains `message`.
inline void ExpectInvalid(const absl::Status& status, const std::string& message) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << message;
  EXPECT_NE(status.message().find(message), absl::string_view::npos)
      << "got \"" << status.message() << "\" where \"" << message << "\" was expected";
}

}  // namespace nncert::hal::testing

#endif  // NNCERT_HAL_TESTING_EXPECT_INVALID_H_
