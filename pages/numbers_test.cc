// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/numbers.h"

#include <cstdint>
#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace nncert {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(FormatNumberTest, HasThreeDigitsAtLeast) {
  EXPECT_EQ(FormatNumber(0.05128), "0.0513");
  EXPECT_EQ(FormatNumber(12.345), "12.3");
  EXPECT_EQ(FormatNumber(1234.56), "1,235");
  EXPECT_EQ(FormatNumber(9.999), "10.00");
  EXPECT_EQ(FormatNumber(0.0001), "0.000100");
  EXPECT_EQ(FormatNumber(-2.5),
            "\xE2\x88\x92"
            "2.50");
}

TEST(FormatNumberTest, IntegersAreExact) {
  EXPECT_EQ(FormatNumber(0), "0");
  EXPECT_EQ(FormatNumber(-0.0), "0");
  EXPECT_EQ(FormatNumber(37), "37");
  EXPECT_EQ(FormatNumber(-1234567),
            "\xE2\x88\x92"
            "1,234,567");
}

TEST(FormatNumberTest, FarFromOneItHasAnExponent) {
  EXPECT_EQ(FormatNumber(1.234e-7),
            "1.23e\xE2\x88\x92"
            "7");
  EXPECT_EQ(FormatNumber(2.5e7), "2.50e7");
  EXPECT_EQ(FormatNumber(-9.999e99),
            "\xE2\x88\x92"
            "1.00e100");
  EXPECT_EQ(FormatNumber(std::numeric_limits<double>::denorm_min()),
            "4.94e\xE2\x88\x92"
            "324");
}

TEST(FormatNumberTest, WhatIsNoNumberSaysSo) {
  EXPECT_EQ(FormatNumber(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(FormatNumber(kInfinity), "\xE2\x88\x9E");
  EXPECT_EQ(FormatNumber(-kInfinity), "\xE2\x88\x92\xE2\x88\x9E");
}

TEST(FormatPercentTest, HasOneDecimal) {
  EXPECT_EQ(FormatPercent(0.6167), "61.7");
  EXPECT_EQ(FormatPercent(0.74), "74.0");
  EXPECT_EQ(FormatPercent(1), "100.0");
  EXPECT_EQ(FormatPercent(0), "0.0");
  EXPECT_EQ(FormatPercent(-0.03),
            "\xE2\x88\x92"
            "3.0");
  EXPECT_EQ(FormatPercent(0.000512), "0.0512");
  EXPECT_EQ(FormatPercent(-kInfinity), "\xE2\x88\x92\xE2\x88\x9E");
}

TEST(FormatTickTest, HasNoDigitsThatSayNothing) {
  EXPECT_EQ(FormatTick(0.5), "0.5");
  EXPECT_EQ(FormatTick(3 * 0.1), "0.3");
  EXPECT_EQ(FormatTick(20000), "20,000");
  EXPECT_EQ(FormatTick(5e-7),
            "5e\xE2\x88\x92"
            "7");
  EXPECT_EQ(FormatTick(-1e100),
            "\xE2\x88\x92"
            "1e100");
}

TEST(FigureTest, HasItsExactValueAndAText) {
  EXPECT_EQ(Figure(9150.25, 1000).text(), "<data value=\"9150.25\">9.15</data>");
  EXPECT_EQ(Figure(std::numeric_limits<uint64_t>::max()).text(),
            "<data value=\"18446744073709551615\">18,446,744,073,709,551,615</data>");
  EXPECT_EQ(ShareFigure(0.25).text(), "<data value=\"0.25\" data-scale=\"0.01\">25.0</data>");
}

TEST(FormatExactlyTest, IsReadBackAsItWas) {
  for (const double value : {0.1, 1.0 / 3, 1e-300, 12345.678}) {
    EXPECT_EQ(std::stod(FormatExactly(value)), value);
  }
  EXPECT_EQ(FormatExactly(0.1), "0.1");
}

}  // namespace
}  // namespace nncert
