// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/driver_names.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(DriverNamesTest, TheBundledDriversHaveNames) {
  const auto names = BundledDrivers();
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_THAT(*names, ElementsAre("example_extension", "faulty_nan", "faulty_off_by_two",
                                  "faulty_shape", "sample"));
}

TEST(DriverNamesTest, ABundledDriverIsFoundByItsName) {
  const auto driver = FindDriver("faulty_nan");
  ASSERT_TRUE(driver.ok()) << driver.status();
  EXPECT_EQ(driver->name, "faulty_nan");
  EXPECT_THAT(driver->path, EndsWith("/libfaulty_nan.so"));
  EXPECT_TRUE(std::filesystem::is_regular_file(driver->path));
}

TEST(DriverNamesTest, WithoutANameItIsTheConfiguredDriver) {
  const auto driver = FindDriver("");
  ASSERT_TRUE(driver.ok()) << driver.status();
  EXPECT_TRUE(std::filesystem::is_regular_file(driver->path)) << driver->path;
  // Its name, as reproduce lines have it, finds the same one again.
  const auto again = FindDriver(driver->name);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->path, driver->path);
}

TEST(DriverNamesTest, APathIsTakenAsItIs) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/libmine.so");
  std::ofstream(path) << "not looked into";
  const auto driver = FindDriver(path);
  ASSERT_TRUE(driver.ok()) << driver.status();
  EXPECT_EQ(driver->name, path);
  EXPECT_EQ(std::filesystem::path(driver->path), std::filesystem::absolute(path));
}

TEST(DriverNamesTest, AMissingFileIsNamed) {
  const absl::Status status = FindDriver("./no_such_driver").status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("./no_such_driver"));
  EXPECT_TRUE(absl::IsNotFound(FindDriver("libmissing.so").status()));
  EXPECT_TRUE(absl::IsNotFound(FindDriver(::testing::TempDir()).status()));
}

TEST(DriverNamesTest, AnUnknownNameListsTheKnownOnes) {
  const absl::Status status = FindDriver("simple").status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(
      std::string(status.message()),
      HasSubstr("one of example_extension, faulty_nan, faulty_off_by_two, faulty_shape, sample"));
}

TEST(DriverNamesTest, AnOpenedDriverIsCalledByItsName) {
  const auto session = OpenDriver("sample");
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_EQ((*session)->name(), "sample");
}

}  // namespace
}  // namespace nncert
