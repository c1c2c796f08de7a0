// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The enclosures of the bundled specs hold what the reference computes in float and in double.

#include <iostream>

#include "absl/status/status.h"
#include "cases/case_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/judging/enclosure_statistics.h"

namespace nncert {
namespace {

using ::testing::IsEmpty;

TEST(EnclosuresTest, HoldTheResultsInFloatAndInDouble) {
  const auto loaded = LoadCases({"spec_tests/specs"});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  ASSERT_THAT(loaded->errors, IsEmpty());
  ASSERT_FALSE(loaded->cases.empty());
  EnclosureStatistics statistics;
  for (const LoadedCase& entry : loaded->cases) {
    const absl::Status status = statistics.Add(entry.test_case);
    // The catalogue does not have an operation of the model.
    if (absl::IsUnimplemented(status)) continue;
    EXPECT_TRUE(status.ok()) << entry.test_case.name << ": " << status;
  }
  EXPECT_FALSE(statistics.by_operation().empty());
  EXPECT_THAT(statistics.violations(), IsEmpty());
  std::cout << EnclosuresToTable(statistics);
}

}  // namespace
}  // namespace nncert
