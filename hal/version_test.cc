// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/version.h"

#include <sstream>

#include "gtest/gtest.h"

namespace nncert::hal {
namespace {

TEST(HalVersionTest, versions_have_both_their_names) {
  EXPECT_EQ(toString(HalVersion::V1_0), "1.0");
  EXPECT_EQ(toString(HalVersion::V1_1), "1.1");
  EXPECT_EQ(toString(HalVersion::V1_2), "1.2");
  EXPECT_EQ(namespaceName(HalVersion::V1_2), "V1_2");
  std::ostringstream stream;
  stream << HalVersion::V1_1;
  EXPECT_EQ(stream.str(), "1.1");
}

TEST(HalVersionTest, both_names_are_read_back_and_nothing_else) {
  for (const HalVersion version : kHalVersions) {
    EXPECT_EQ(halVersionFromString(toString(version)), version);
    EXPECT_EQ(halVersionFromString(namespaceName(version)), version);
  }
  EXPECT_EQ(halVersionFromString("1.3"), std::nullopt);
  EXPECT_EQ(halVersionFromString(""), std::nullopt);
}

TEST(HalVersionTest, later_versions_compare_greater) {
  EXPECT_LT(HalVersion::V1_0, HalVersion::V1_1);
  EXPECT_LT(HalVersion::V1_1, HalVersion::V1_2);
}

}  // namespace
}  // namespace nncert::hal
