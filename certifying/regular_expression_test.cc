// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/regular_expression.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert {
namespace {

using hal::testing::StatusIs;
using ::re2::RE2;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(RegularExpression, IsFoundInATextOrIsTheWholeOfIt) {
  const auto pattern = ParseRegularExpression(R"(conv_2d_\d+(_relaxed)?)");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_TRUE(RE2::PartialMatch("a conv_2d_12_relaxed b", **pattern));
  EXPECT_FALSE(RE2::FullMatch("a conv_2d_12_relaxed b", **pattern));
  EXPECT_TRUE(RE2::FullMatch("conv_2d_12_relaxed", **pattern));
  EXPECT_FALSE(RE2::PartialMatch("conv_2d_", **pattern));
}

TEST(RegularExpression, WhatIsNoneIsSaid) {
  const auto expect_refused = [](const std::string& expression, const std::string& what) {
    EXPECT_THAT(ParseRegularExpression(expression).status(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("'" + expression + "' is no regular expression: "),
                               HasSubstr(what))));
  };
  expect_refused("a(", "missing ): a(");
  expect_refused("^(?!conv)", "(?!");
  expect_refused("((a{100}){100}){100}", "{100}");
}

// Others try each of the ways to cut the text into words: some 2^40 of them.
TEST(RegularExpression, TakesNoMoreTimeWhereThereAreManyWaysToMatch) {
  const auto pattern = ParseRegularExpression(R"(^(\w+)*!$)");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  const std::string words(40, 'a');
  EXPECT_FALSE(RE2::PartialMatch(words, **pattern));
  EXPECT_TRUE(RE2::PartialMatch(words + "!", **pattern));
}

// What drivers call themselves is no UTF-8 sometimes.
TEST(RegularExpression, IsOfBytes) {
  const auto pattern = ParseRegularExpression("a.b");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_TRUE(
      RE2::FullMatch("a\xff"
                     "b",
                     **pattern));
}

}  // namespace
}  // namespace nncert
