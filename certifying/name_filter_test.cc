// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/name_filter.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;

TEST(NameFilter, LeavesNamesInWhichTheExpressionOccurs) {
  const NameFilter filter = *NameFilter::Of("conv_2d_[12]$");
  EXPECT_TRUE(filter.Leaves("ValidationTest.conv_2d_1"));
  EXPECT_FALSE(filter.Leaves("ValidationTest.conv_2d_3"));
  EXPECT_FALSE(filter.Leaves("ValidationTest.conv_2d_11"));
}

TEST(NameFilter, LeavesTestsByTheirNameOrTheirFullName) {
  EXPECT_TRUE(NameFilter::Of("^conv")->Leaves("ValidationTest", "conv_2d"));
  EXPECT_TRUE(NameFilter::Of("^Validation.*conv")->Leaves("ValidationTest", "conv_2d"));
  EXPECT_FALSE(NameFilter::Of("^Generated")->Leaves("ValidationTest", "conv_2d"));
}

TEST(NameFilter, LeavesEverythingWhenThereIsNoExpression) {
  EXPECT_TRUE(NameFilter().Leaves("anything"));
  EXPECT_TRUE(NameFilter::Of("")->Leaves("anything"));
}

TEST(NameFilter, WhatIsNoExpressionIsSaid) {
  const absl::Status status = NameFilter::Of("a(").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("--filter: 'a(' is no regular expression"));
  EXPECT_THAT(NameFilter::Of("a(", "--rules").status().message(),
              HasSubstr("--rules: 'a(' is no regular expression"));
}

TEST(NameFilter, TheExpressionOfANameLeavesThatNameAlone) {
  const std::string name = "Test.a-b+c[0] (d)";
  const NameFilter filter = *NameFilter::Of(NameFilter::ExpressionOf(name));
  EXPECT_TRUE(filter.Leaves(name));
  EXPECT_FALSE(filter.Leaves(name + "1"));
  EXPECT_FALSE(filter.Leaves("1" + name));
  EXPECT_FALSE(filter.Leaves("Test_a-b+c[0] (d)"));
}

}  // namespace
}  // namespace nncert
