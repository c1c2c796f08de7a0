// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/progress.h"

#include <sstream>

#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

CaseResult Failure() {
  CaseResult result;
  result.name = "add";
  result.verdict = Verdict::FAIL;
  return result;
}

TEST(ProgressTest, ATerminalHasOneLineThatIsRemovedInTheEnd) {
  std::ostringstream stream;
  {
    Progress progress(stream, /*is_terminal=*/true, 4);
    absl::SleepFor(absl::Milliseconds(110));
    progress.Add(Failure());
    EXPECT_EQ(stream.str(), "\r\x1b[K[ 25%] 1 of 4, 1 failed  add");
    // Too soon to be told.
    progress.Add(Failure());
  }
  EXPECT_EQ(stream.str(), "\r\x1b[K[ 25%] 1 of 4, 1 failed  add\r\x1b[K");
}

TEST(ProgressTest, ALogIsNotFilled) {
  std::ostringstream stream;
  {
    Progress progress(stream, /*is_terminal=*/false, 1000);
    for (int i = 0; i < 1000; ++i) progress.Add(Failure());
  }
  EXPECT_EQ(stream.str(), "");
}

TEST(ProgressTest, LinesThatStayAreWrittenAboveTheProgressLine) {
  std::ostringstream stream;
  std::ostringstream output;
  {
    Progress progress(stream, /*is_terminal=*/true, 4);
    absl::SleepFor(absl::Milliseconds(110));
    progress.Add(Failure());
    progress.Print(output, "a result");
  }
  EXPECT_EQ(stream.str(), "\r\x1b[K[ 25%] 1 of 4, 1 failed  add\r\x1b[K");
  EXPECT_EQ(output.str(), "a result\n");
}

}  // namespace
}  // namespace nncert
