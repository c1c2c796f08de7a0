// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Expects that a validation fails.

#ifndef NNCERT_HAL_TESTING_EXPECT_INVALID_H_
#define NNCERT_HAL_TESTING_EXPECT_INVALID_H_

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert::hal::testing {

/// Expects InvalidArgument with a message that contains `message`.
inline void ExpectInvalid(const absl::Status& status, const std::string& message) {
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, ::testing::HasSubstr(message)));
}

}  // namespace nncert::hal::testing

#endif  // NNCERT_HAL_TESTING_EXPECT_INVALID_H_
