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
  EXPECT_EQ(stream.str(), "400 of 1000, 400 failed\n800 of 1000, 800 failed, 5s left\n");
}

TEST(ProgressTest, TheLineIsNoWiderThanTheWindow) {
  FakeClock clock;
  std::ostringstream stream;
  size_t columns = 23;
  Progress progress(stream, /*is_terminal=*/true, 4, clock, [&columns] { return columns; });
  clock.Advance(absl::Milliseconds(100));
  progress.Add(Failure());
  EXPECT_EQ(stream.str(), "\r\x1b[K[ 25%] 1 of 4, 1 faile");
  // The window has been made narrower, in the middle of a name with a letter of two bytes.
  columns = 30;
  stream.str("");
  CaseResult result = Failure();
  result.name = "\xC3\xA4\xC3\xB6\xC3\xBC";
  clock.Advance(absl::Milliseconds(100));
  progress.Add(result);
  EXPECT_EQ(stream.str(), "\r\x1b[K[ 50%] 2 of 4, 2 failed  \xC3\xA4\xC3\xB6\xC3\xBC");
  columns = 27;
  stream.str("");
  clock.Advance(absl::Milliseconds(100));
  progress.Add(result);
  EXPECT_EQ(stream.str(), "\r\x1b[K[ 75%] 3 of 4, 3 failed  \xC3\xA4");
}

TEST(TimeLeftTest, IsByThePaceOfLate) {
  FakeClock clock;
  TimeLeft left(clock);
  // A run that goes on with another has most of it at once.
  EXPECT_EQ(left.Describe(500, 1000), "");
  clock.Advance(absl::Milliseconds(500));
  EXPECT_EQ(left.Describe(510, 1000), "");
  clock.Advance(absl::Milliseconds(500));
  EXPECT_EQ(left.Describe(520, 1000), ", 24s left");
  clock.Advance(absl::Seconds(20));
  EXPECT_EQ(left.Describe(600, 1000), ", 1m40s left");
  clock.Advance(absl::Seconds(20));
  EXPECT_EQ(left.Describe(620, 1000), ", 6m20s left");
  EXPECT_EQ(left.Describe(1000, 1000), ", 0 left");
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
