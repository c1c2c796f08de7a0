// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/progress.h"

#include <sstream>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "hal/testing/fake_clock.h"

namespace nncert {
namespace {

using hal::testing::FakeClock;

CaseResult Failure() {
  CaseResult result;
  result.name = "add";
  result.verdict = Verdict::FAIL;
  return result;
}

TEST(ProgressTest, ATerminalHasOneLineThatIsRemovedInTheEnd) {
  FakeClock clock;
  std::ostringstream stream;
  {
    Progress progress(stream, /*is_terminal=*/true, 4, clock);
    clock.Advance(absl::Milliseconds(100));
    progress.Add(Failure());
    EXPECT_EQ(stream.str(), "\r\x1b[K[ 25%] 1 of 4, 1 failed  add");
    // Too soon to be told.
    clock.Advance(absl::Milliseconds(99));
    progress.Add(Failure());
  }
  EXPECT_EQ(stream.str(), "\r\x1b[K[ 25%] 1 of 4, 1 failed  add\r\x1b[K");
}

TEST(ProgressTest, ALogIsNotFilled) {
  FakeClock clock;
  std::ostringstream stream;
  {
    Progress progress(stream, /*is_terminal=*/false, 1000, clock);
    for (int i = 0; i < 1000; ++i) {
      clock.Advance(absl::Milliseconds(25));
      progress.Add(Failure());
    }
  }
  // A line for each ten seconds.
  EXPECT_EQ(stream.str(), "400 of 1000, 400 failed\n800 of 1000, 800 failed\n");
}

TEST(ProgressTest, LinesThatStayAreWrittenAboveTheProgressLine) {
  FakeClock clock;
  std::ostringstream stream;
  std::ostringstream output;
  {
    Progress progress(stream, /*is_terminal=*/true, 4, clock);
    clock.Advance(absl::Milliseconds(100));
    progress.Add(Failure());
    progress.Print(output, "a result");
  }
  EXPECT_EQ(stream.str(), "\r\x1b[K[ 25%] 1 of 4, 1 failed  add\r\x1b[K");
  EXPECT_EQ(output.str(), "a result\n");
}

}  // namespace
}  // namespace nncert
