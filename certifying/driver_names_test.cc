// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/driver_names.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/version.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(DriverNamesTest, TheBundledDriversHaveNames) {
  const auto names = BundledDrivers();
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_THAT(*names, ElementsAre("example_extension", "faulty", "sample", "xnnpack"));
}

TEST(DriverNamesTest, ABundledDriverIsFoundByItsName) {
  const auto driver = FindDriver("faulty");
  ASSERT_TRUE(driver.ok()) << driver.status();
  EXPECT_EQ(driver->name, "faulty");
  EXPECT_THAT(driver->path, EndsWith("/libfaulty.so"));
  EXPECT_TRUE(std::filesystem::is_regular_file(driver->path));
}

TEST(DriverNamesTest, WhatFollowsTheNameIsTheOption) {
  const auto driver = FindDriver("faulty:one:two");
  ASSERT_TRUE(driver.ok()) << driver.status();
  EXPECT_EQ(driver->name, "faulty:one:two");
  EXPECT_THAT(driver->path, EndsWith("/libfaulty.so"));
  EXPECT_EQ(driver->option, "one:two");
  EXPECT_EQ(FindDriver("faulty")->option, "");
  EXPECT_TRUE(absl::IsNotFound(FindDriver("no_such_driver:option").status()));
}

TEST(DriverNamesTest, WithoutANameItIsTheConfiguredDriver) {
  const auto driver = FindDriver(std::nullopt);
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

TEST(DriverNamesTest, AnOptionFollowsAPathAsWell) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/libmine.so");
  std::ofstream(path) << "not looked into";
  auto driver = FindDriver(path + ":one:two");
  ASSERT_TRUE(driver.ok()) << driver.status();
  EXPECT_EQ(driver->name, path + ":one:two");
  EXPECT_EQ(std::filesystem::path(driver->path), std::filesystem::absolute(path));
  EXPECT_EQ(driver->option, "one:two");
  // A file of that name goes before.
  std::ofstream(path + ":one") << "not looked into";
  driver = FindDriver(path + ":one");
  ASSERT_TRUE(driver.ok()) << driver.status();
  EXPECT_EQ(driver->option, "");
  EXPECT_TRUE(absl::IsNotFound(FindDriver("./missing.so:option").status()));
}

TEST(DriverNamesTest, ADriverOfAnEarlierVersionIsNamedByItsOption) {
  for (const hal::HalVersion version : hal::kHalVersions) {
    const auto driver = FindDriver(absl::StrCat("sample:", std::string(toString(version))));
    ASSERT_TRUE(driver.ok()) << driver.status();
    for (const Isolation isolation : {Isolation::kInProcess, Isolation::kPinned}) {
      auto opened = OpenDriver(*driver, isolation);
      ASSERT_TRUE(opened.ok()) << opened.status();
      EXPECT_EQ(opened->session().hal_version(), version);
    }
  }
}

TEST(DriverNamesTest, AnOptionThatTheDriverDoesNotHaveIsNamed) {
  const auto driver = FindDriver("sample:some word");
  ASSERT_TRUE(driver.ok()) << driver.status();
  const absl::Status status = OpenDriver(*driver, Isolation::kInProcess).status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("the option \"some word\" is no version of the HAL"));
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
  EXPECT_THAT(std::string(status.message()), HasSubstr("one of example_extension, faulty, sample"));
}

TEST(DriverNamesTest, AnOpenedDriverIsCalledByItsName) {
  const auto driver = FindDriver("sample");
  ASSERT_TRUE(driver.ok()) << driver.status();
  for (const Isolation isolation :
       {Isolation::kInProcess, Isolation::kPinned, Isolation::kUnpinned}) {
    auto opened = OpenDriver(*driver, isolation);
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_EQ(opened->driver().path, driver->path);
    EXPECT_EQ(opened->session().name(), "sample");
    EXPECT_EQ(opened->session().calls().is_watched(), isolation != Isolation::kInProcess);
  }
}

TEST(DriverNamesTest, AServiceIsFoundByItsSocket) {
  const auto driver = FindDriver("unix:some/socket");
  ASSERT_TRUE(driver.ok()) << driver.status();
  EXPECT_EQ(driver->name, "unix:some/socket");
  EXPECT_EQ(driver->path, "");
  EXPECT_EQ(std::filesystem::path(driver->socket), std::filesystem::absolute("some/socket"));
  EXPECT_TRUE(absl::IsInvalidArgument(OpenDriver(*driver, Isolation::kInProcess).status()));
  EXPECT_THAT(std::string(OpenDriver(*driver, Isolation::kPinned).status().message()),
              HasSubstr("unix:some/socket"));
  EXPECT_TRUE(absl::IsNotFound(FindDriver("unix:").status()));
}

TEST(DriverNamesTest, TheEnvironmentGoesBeforeTheConfiguredDriver) {
  ASSERT_EQ(setenv("NNCERT_DRIVER", "faulty:wrong_shape", 1), 0);
  const auto driver = FindDriver(std::nullopt);
  ASSERT_EQ(unsetenv("NNCERT_DRIVER"), 0);
  ASSERT_TRUE(driver.ok()) << driver.status();
  EXPECT_EQ(driver->name, "faulty:wrong_shape");
}

TEST(DriverNamesTest, AnEmptyNameIsNoDriver) {
  const absl::Status asked_for = FindDriver("").status();
  EXPECT_TRUE(absl::IsInvalidArgument(asked_for)) << asked_for;
  ASSERT_EQ(setenv("NNCERT_DRIVER", "", 1), 0);
  const absl::Status of_environment = FindDriver(std::nullopt).status();
  ASSERT_EQ(unsetenv("NNCERT_DRIVER"), 0);
  EXPECT_TRUE(absl::IsInvalidArgument(of_environment)) << of_environment;
  EXPECT_THAT(std::string(of_environment.message()), HasSubstr("NNCERT_DRIVER is empty"));
}

}  // namespace
}  // namespace nncert
