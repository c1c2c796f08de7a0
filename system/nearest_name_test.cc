// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/nearest_name.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace nncert {
namespace {

TEST(NearestNameTest, FindsTyposAndNothingFarAway) {
  const std::vector<std::string> names = {"certify", "run", "enclosures"};
  EXPECT_EQ(NearestName("certfiy", names), "certify");
  EXPECT_EQ(NearestName("enclosure", names), "enclosures");
  EXPECT_EQ(NearestName("urn", names), "run");
  EXPECT_EQ(NearestName("reduce", names), "");
  EXPECT_EQ(NearestName("", names), "");
  EXPECT_EQ(NearestName("certificate", names), "");
  EXPECT_EQ(NearestName("encloses", names), "enclosures");
}

// A table of the distances between beginnings would take more memory than there is.
TEST(NearestNameTest, WhateverIsTypedMayBeOfAnyLength) {
  const std::vector<std::string> names = {"certify", "run"};
  EXPECT_EQ(NearestName(std::string(size_t{1} << 30, 'r'), names), "");
}

TEST(NearestNameTest, TheEndOfAMessageNamesIt) {
  const std::vector<std::string> names = {"certify", "run"};
  EXPECT_EQ(DidYouMean("urn", names), "; did you mean run?");
  EXPECT_EQ(DidYouMean("urn", names, "--"), "; did you mean --run?");
  EXPECT_EQ(DidYouMean("reduce", names, "--"), "");
}

}  // namespace
}  // namespace nncert
