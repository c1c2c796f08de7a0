// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/selected_rows_check.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using testing::HasSubstr;

// Numbers, each known exactly.
std::vector<Ball> Exact(const std::vector<double>& numbers) {
  std::vector<Ball> balls;
  for (const double number : numbers) balls.push_back(Ball{number, 0});
  return balls;
}

// Rows of a score and a class, of one image: 9 of class 1 for certain, and either 8 of class 1 or 8
// of class 2, or none of the two.
class SelectedRowsTest : public testing::Test {
 protected:
  SelectedRowsTest() {
    possible_.groups = {{1, 2}};
    possible_.group_of = {0, 0, 0};
    possible_.is_certain = {true, false, false};
  }

  std::string Why(const std::vector<double>& scores, const std::vector<double>& classes,
                  const std::vector<RowGroup>& groups) const {
    return WhyNotSelected(
        {{1, {"fp32", 0.01, 0}, scores, scores_}, {1, {"exact", 0, 0}, classes, classes_}}, groups,
        possible_);
  }
  std::string Why(const std::vector<double>& scores, const std::vector<double>& classes) const {
    return Why(scores, classes, {{0, scores.size()}});
  }

  PossibleRows possible_;
  std::vector<Ball> scores_ = Exact({9, 8, 8});
  std::vector<Ball> classes_ = Exact({1, 1, 2});
};

TEST_F(SelectedRowsTest, EverySelectionIsRight) {
  EXPECT_EQ(Why({9}, {1}), "");
  EXPECT_EQ(Why({9, 8}, {1, 1}), "");
  EXPECT_EQ(Why({9, 8}, {1, 2}), "");
  EXPECT_EQ(Why({8, 9}, {2, 1}), "") << "in any order";
  EXPECT_EQ(Why({9.009, 7.991}, {1, 1}), "") << "within the criterion";
}

TEST_F(SelectedRowsTest, ARowThatIsNoneOfThemIsWrong) {
  EXPECT_THAT(Why({9, 0}, {1, 1}), HasSubstr("row 1 is none of the 3 that an honest answer"));
  // Its elements are right, each by itself.
  EXPECT_THAT(Why({9, 8}, {2, 1}), HasSubstr("row 0 is none of the 3"));
}

TEST_F(SelectedRowsTest, NoRowComesTwice) {
  EXPECT_THAT(Why({9, 9}, {1, 1}), HasSubstr("row 1 comes more often than in an honest answer"));
}

TEST_F(SelectedRowsTest, WhatIsCertainMustBeThere) {
  EXPECT_THAT(
      Why({8, 8}, {1, 2}),
      HasSubstr("a row is missing that every honest answer has, which begins with 9 +/- 0"));
}

TEST_F(SelectedRowsTest, ThereAreAsManyAsThereMayBe) {
  EXPECT_THAT(Why({9, 8, 8}, {1, 1, 2}), HasSubstr("there are 3 rows, where an honest answer has "
                                                   "from 1 to 2"));
  EXPECT_THAT(Why({}, {}), HasSubstr("there are 0 rows"));
}

TEST_F(SelectedRowsTest, ImagesHaveRowsOfTheirOwn) {
  possible_.groups = {{1, 1}, {1, 1}};
  possible_.group_of = {0, 1, 1};
  // Room for two rows of each.
  EXPECT_EQ(Why({9, 0, 8, 0}, {1, 0, 2, 0}, {{0, 1}, {2, 1}}), "");
  EXPECT_THAT(Why({9, 0, 9, 0}, {1, 0, 1, 0}, {{0, 1}, {2, 1}}),
              HasSubstr("image 1: row 2 is none of the 2"));
  EXPECT_THAT(Why({9, 0, 8, 8}, {1, 0, 1, 2}, {{0, 1}, {2, 2}}),
              HasSubstr("image 1: there are 2 rows"));
}

}  // namespace
}  // namespace nncert
