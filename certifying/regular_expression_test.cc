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
  const auto refused_for = [](const std::string& what) {
    return StatusIs(absl::StatusCode::kInvalidArgument,
                    AllOf(HasSubstr("' is no regular expression: "), HasSubstr(what)));
  };
  EXPECT_THAT(ParseRegularExpression("a(").status(), refused_for("missing ): a("));
  EXPECT_THAT(ParseRegularExpression("^(?!conv)").status(), refused_for("(?!"));
  EXPECT_THAT(ParseRegularExpression("((a{100}){100}){100}").status(), refused_for("{100}"));
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
