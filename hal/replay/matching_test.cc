// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/matching.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert::hal::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The matching where row i of `fits` has a + for each thing on the right that i fits.
std::vector<size_t> Match(const std::vector<std::string>& fits) {
  return GreatestMatching(fits.size(), fits.empty() ? 0 : fits[0].size(),
                          [&](size_t i, size_t k) { return fits[i][k] == '+'; });
}

TEST(GreatestMatching, OfEqualNumbersThingsStayWhereTheyFit) {
  EXPECT_THAT(Match({"+++", "+++", "+++"}), ElementsAre(0, 1, 2));
  EXPECT_THAT(Match({"++-", "+--", "--+"}), ElementsAre(1, 0, 2));
}

TEST(GreatestMatching, ChangesWhatItHasWhereThatMatchesMore) {
  EXPECT_THAT(Match({"++--", "+---", "-++-", "--++"}), ElementsAre(1, 0, 2, 3));
  EXPECT_THAT(Match({"+-", "++"}), ElementsAre(0, 1));
}

TEST(GreatestMatching, LeavesOutWhatHasNoPlace) {
  EXPECT_THAT(Match({"+-", "+-"}), ElementsAre(0, kNoMatch));
  EXPECT_THAT(Match({"+", "+", "-"}), ElementsAre(0, kNoMatch, kNoMatch));
  EXPECT_THAT(Match({"--+", "--+"}), ElementsAre(2, kNoMatch));
  EXPECT_THAT(Match({}), IsEmpty());
  EXPECT_THAT(Match({"", ""}), ElementsAre(kNoMatch, kNoMatch));
}

}  // namespace
}  // namespace nncert::hal::replay
