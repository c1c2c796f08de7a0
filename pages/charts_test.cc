// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/charts.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/axis.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

size_t Count(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(DistributionChartTest, HasATickForEachQuantileAndAMarkAtTheMedian) {
  const std::string drawn = DistributionChart({"Times", "milliseconds", 1000},
                                              {{"sync", "driver", 0, {1000, 2000, 3000}, "2"},
                                               {"sync", "baseline", 1, {2000, 3000, 3001}, "3"}})
                                .text();
  // From 96 to 300: 1000, 2000 and 3000 of 1000 to 3001.
  EXPECT_THAT(drawn, HasSubstr("d=\"M96 40v3M197.9 40v3M299.9 40v3\""));
  EXPECT_THAT(drawn, HasSubstr("class=\"median s0\" x1=\"197.9\""));
  EXPECT_EQ(Count(drawn, ">sync<"), 1U);
  EXPECT_THAT(drawn, HasSubstr(">milliseconds<"));
  EXPECT_THAT(drawn, HasSubstr(">1.5<"));
}

TEST(DistributionChartTest, WideOnesAreLogarithmic) {
  EXPECT_THAT(DistributionChart({"Times", "ms"}, {{"", "driver", 0, {1, 10, 100}, ""}}).text(),
              HasSubstr("ms, logarithmic"));
  EXPECT_THAT(DistributionChart({"Times", "ms"}, {{"", "driver", 0, {0, 10, 100}, ""}}).text(),
              Not(HasSubstr("logarithmic")));
}

TEST(ChartsTest, WhatIsNoNumberIsNotDrawn) {
  const std::vector<std::string> drawn = {
      DistributionChart({"t", "a"}, {{"", "<x>", 0, {kNan, kInfinity}, "NaN"}}).text(),
      DistributionChart({"t", "a"}, {}).text(),
      IntervalChart({"t", "a"}, {{"<x>", 0, kNan, -kInfinity, kInfinity, "<y>"}}).text(),
      CurveChart({"t", "a"}, "v", {{"<x>", 0, {{kNan, 1}, {1, kNan}, {0, 1}, {-1, kInfinity}}}})
          .text(),
      CurveChart({"t", "a"}, "v", {}).text(),
      BarStrip({"t", "a"},
               {{"<x>", kNan, false, ""}, {"<x>", -1, false, ""}, {"<x>", kInfinity, true, "<y>"}})
          .text(),
      BarStrip({"t", "a"}, {}).text(),
      IntervalMark(Axis::Linear({-1, 1}, 4, 116), 0, kNan, kNan, kNan, true).text(),
      IntervalMark(Axis::Linear({-1, 1}, 4, 116), 0, kInfinity, kNan, kNan, true).text()};
  for (const std::string& chart : drawn) {
    EXPECT_THAT(chart, Not(HasSubstr("\"nan")));
    EXPECT_THAT(chart, Not(HasSubstr("inf\"")));
    EXPECT_THAT(chart, Not(HasSubstr("<x>")));
    EXPECT_EQ(Count(chart, "<svg"), 1U);
    EXPECT_TRUE(chart.ends_with("</svg>"));
  }
}

TEST(CurveChartTest, NamesDoNotTouch) {
  const std::string drawn = CurveChart({"t", "threads"}, "a second",
                                       {{"one", 0, {{1, 5}, {2, 10}}},
                                        {"two", 1, {{1, 5}, {2, 10}}},
                                        {"three", 2, {{1, 5}, {2, 9.99}}}})
                                .text();
  std::vector<double> places;
  for (const char* name : {"one", "two", "three"}) {
    const size_t end = drawn.find(std::string(">") + name + "<");
    ASSERT_NE(end, std::string::npos);
    places.push_back(std::stod(drawn.substr(drawn.rfind("y=\"", end) + 3)));
  }
  std::sort(places.begin(), places.end());
  EXPECT_GE(places[1] - places[0], 13.9);
  EXPECT_GE(places[2] - places[1], 13.9);
}

TEST(BarStripTest, LargerErrorsAreHigherAndTheNotableOneIsNamed) {
  const std::string drawn = BarStrip({"t", "a"}, {{"0 ADD: 0", 0, false, ""},
                                                  {"1 MUL: 1", 1, false, ""},
                                                  {"2 SUB: 100", 100, true, "2 SUB"}})
                                .text();
  EXPECT_EQ(Count(drawn, "<rect"), 2U);
  EXPECT_EQ(Count(drawn, "<circle"), 1U);
  EXPECT_THAT(drawn, HasSubstr("y=\"24\""));
  EXPECT_THAT(drawn, HasSubstr(">2 SUB</text>"));
  EXPECT_THAT(drawn, HasSubstr("<title>1 MUL: 1</title>"));
}

TEST(IntervalMarkTest, BeyondTheAxisIsAnArrow) {
  const Axis axis = Axis::Linear({-1, 1}, 4, 116);
  EXPECT_THAT(IntervalMark(axis, 0, 0.5, 0.4, 0.6, false).text(), HasSubstr("<circle"));
  const std::string beyond = IntervalMark(axis, 0, -5, -6, -4, true).text();
  EXPECT_THAT(beyond, HasSubstr("class=\"arrow s0 notable\" d=\"M0 "));
  EXPECT_THAT(IntervalMark(axis, 0, 5, 4, 6, false).text(), HasSubstr("d=\"M120 "));
}

TEST(ShortenedTest, CutsBetweenCharacters) {
  EXPECT_EQ(Shortened("short", 5), "short");
  EXPECT_EQ(Shortened("longer", 5), "long\xE2\x80\xA6");
  EXPECT_EQ(Shortened("\xC3\xA9\xC3\xA9\xC3\xA9", 3), "\xC3\xA9\xC3\xA9\xC3\xA9");
  EXPECT_EQ(Shortened("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 3), "\xC3\xA9\xC3\xA9\xE2\x80\xA6");
  EXPECT_EQ(Shortened("", 3), "");
}

}  // namespace
}  // namespace nncert
