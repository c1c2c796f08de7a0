// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/driver_session.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "harness/testing/fake_device.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::testing::StatusIs;
using testing::HasSubstr;

std::string ErrorOf(const Lies& lies) {
  return std::string(DriverSession::FromDevice(MakeFakeDevice(lies), "fake").status().message());
}

TEST(DriverSession, KnowsTheVersionOfTheDevice) {
  const auto v1_0 = DriverSession::FromDevice(MakeFakeDevice1_0(), "a");
  ASSERT_TRUE(v1_0.ok()) << v1_0.status();
  EXPECT_EQ((*v1_0)->hal_version(), HalVersion::V1_0);
  EXPECT_EQ((*v1_0)->version_string(), "");
  EXPECT_EQ((*v1_0)->name(), "a");
  EXPECT_NE((*v1_0)->device(), nullptr);
  EXPECT_EQ((*v1_0)->device_1_1(), nullptr);
  const auto v1_1 = DriverSession::FromDevice(MakeFakeDevice1_1(), "b");
  ASSERT_TRUE(v1_1.ok()) << v1_1.status();
  EXPECT_EQ((*v1_1)->hal_version(), HalVersion::V1_1);
  EXPECT_NE((*v1_1)->device_1_1(), nullptr);
  EXPECT_EQ((*v1_1)->device_1_2(), nullptr);
  const auto v1_2 = DriverSession::FromDevice(MakeFakeDevice(), "c");
  ASSERT_TRUE(v1_2.ok()) << v1_2.status();
  EXPECT_EQ((*v1_2)->hal_version(), HalVersion::V1_2);
  EXPECT_EQ((*v1_2)->version_string(), "fake 1");
  EXPECT_NE((*v1_2)->device_1_2(), nullptr);
}

TEST(DriverSession, ListsTheExtensionsOfTheDriver) {
  Lies lies;
  lies.extensions = [](hal::V1_2::GetSupportedExtensionsResult& result) {
    result.extensions = {{"com.example.a", {{0, true, 4}}}, {"com.example.b", {}}};
  };
  const auto session = DriverSession::FromDevice(MakeFakeDevice(lies), "fake");
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_THAT((*session)->extensions(), testing::SizeIs(2));
  EXPECT_TRUE((*session)->HasExtension("com.example.b"));
  EXPECT_FALSE((*session)->HasExtension("com.example"));
  EXPECT_THAT((*session)->findings(), testing::IsEmpty());
}

TEST(DriverSession, WhatIsWrongWithTheExtensionsIsAFinding) {
  Lies lies;
  lies.extensions = [](hal::V1_2::GetSupportedExtensionsResult& result) {
    result.extensions = {{"Acme", {}}, {"com.example.b", {{3, true, 4}, {3, false, 0}}}};
  };
  const auto session = DriverSession::FromDevice(MakeFakeDevice(lies), "fake");
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_THAT((*session)->findings(),
              testing::ElementsAre(
                  HasSubstr("getSupportedExtensions: the extension \"Acme\" has a name"),
                  HasSubstr("operand type 3 of the extension \"com.example.b\" is listed twice"),
                  HasSubstr("has the byteSize 0")));
  lies.extensions = [](hal::V1_2::GetSupportedExtensionsResult& result) {
    result.status = hal::V1_0::ErrorStatus::GENERAL_FAILURE;
    result.extensions = {{"com.example.b", {}}};
  };
  const auto failing = DriverSession::FromDevice(MakeFakeDevice(lies), "fake");
  ASSERT_TRUE(failing.ok()) << failing.status();
  EXPECT_THAT((*failing)->findings(),
              testing::ElementsAre(HasSubstr("ended with GENERAL_FAILURE")));
  EXPECT_FALSE((*failing)->HasExtension("com.example.b"));
}

TEST(DriverSession, ADriverThatThrowsInsteadOfListingIsNotTested) {
  Lies lies;
  lies.extensions = [](hal::V1_2::GetSupportedExtensionsResult&) {
    throw std::runtime_error("no list");
  };
  EXPECT_THAT(ErrorOf(lies), HasSubstr("getSupportedExtensions"));
}

TEST(DriverSession, ANullDeviceIsAnError) {
  EXPECT_TRUE(absl::IsFailedPrecondition(DriverSession::FromDevice(nullptr, "none").status()));
}

TEST(DriverSession, TheDeviceMustBeAvailable) {
  for (const auto& [status, name] : {std::pair(hal::V1_0::DeviceStatus::BUSY, "BUSY"),
                                     std::pair(hal::V1_0::DeviceStatus::OFFLINE, "OFFLINE"),
                                     std::pair(hal::V1_0::DeviceStatus::UNKNOWN, "UNKNOWN")}) {
    Lies lies;
    lies.status = [status = status] { return status; };
    EXPECT_THAT(ErrorOf(lies), HasSubstr(name));
    EXPECT_THAT(ErrorOf(lies), HasSubstr("driver fake: getStatus"));
  }
}

TEST(DriverSession, CapabilitiesMustBeReadable) {
  Lies lies;
  lies.capabilities = [](hal::V1_0::ErrorStatus& status) {
    status = hal::V1_0::ErrorStatus::GENERAL_FAILURE;
  };
  EXPECT_THAT(ErrorOf(lies), HasSubstr("getCapabilities_1_2 ended with GENERAL_FAILURE"));
  EXPECT_THAT(DriverSession::FromDevice(MakeFakeDevice1_1(lies), "fake"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("getCapabilities_1_1 ended with GENERAL_FAILURE")));
  EXPECT_THAT(DriverSession::FromDevice(MakeFakeDevice1_0(lies), "fake"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("getCapabilities ended with GENERAL_FAILURE")));
}

TEST(DriverSession, AnExceptionIsAnError) {
  Lies lies;
  lies.status = []() -> hal::V1_0::DeviceStatus { throw std::runtime_error("no luck"); };
  EXPECT_THAT(ErrorOf(lies), HasSubstr("std::runtime_error: no luck"));
}

TEST(DriverSession, ADeviceThatDoesNotAnswerIsAnError) {
  const auto release = std::make_shared<absl::Notification>();
  Lies lies;
  lies.status = [release] {
    release->WaitForNotification();
    return hal::V1_0::DeviceStatus::AVAILABLE;
  };
  EXPECT_TRUE(absl::IsDeadlineExceeded(
      DriverSession::FromDevice(MakeFakeDevice(lies), "fake", absl::Milliseconds(20)).status()));
  release->Notify();
}

TEST(DriverSession, OpensADriverInASharedObject) {
  const std::string path = "harness/testing/fake_driver.so";
  const auto session = DriverSession::Open(path);
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_EQ((*session)->name(), path);
  EXPECT_EQ((*session)->hal_version(), HalVersion::V1_2);
  EXPECT_EQ((*session)->version_string(), "fake 1");
  EXPECT_EQ((*session)->device()->getStatus(), hal::V1_0::DeviceStatus::AVAILABLE);
}

TEST(DriverSession, TheOptionStandsBehindAColon) {
  const auto split = [](const std::string& text) {
    const DriverAndOption parts = SplitDriverAndOption(text);
    return std::pair(parts.driver, parts.option);
  };
  EXPECT_EQ(split("sample"), std::pair(std::string("sample"), std::string()));
  EXPECT_EQ(split("faulty:a@b>1"), std::pair(std::string("faulty"), std::string("a@b>1")));
  EXPECT_EQ(split("/a:b/c.so:d:e"), std::pair(std::string("/a:b/c.so"), std::string("d:e")));
  EXPECT_EQ(split("./no:such/file"), std::pair(std::string("./no:such/file"), std::string()));
}

TEST(DriverSession, ADriverWithoutOptionsSaysSo) {
  const absl::Status status =
      DriverSession::Open("harness/testing/fake_driver.so", kDefaultDeadline, "word").status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("no options"));
}

TEST(DriverSession, ADriverInASharedObjectIsOpenedOnceMore) {
  const auto session = DriverSession::Open("harness/testing/fake_driver.so");
  ASSERT_TRUE(session.ok()) << session.status();
  const auto another = (*session)->OpenAnother();
  ASSERT_TRUE(another.ok()) << another.status();
  EXPECT_NE((*another)->device(), (*session)->device());
  EXPECT_EQ((*another)->name(), (*session)->name());
}

TEST(DriverSession, WithoutAnOpenerThereIsNoOther) {
  const auto session = DriverSession::FromDevice(MakeFakeDevice(), "fake");
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_THAT((*session)->OpenAnother().status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("driver fake: there is no")));
}

TEST(DriverSession, APathWithoutADriverIsAnError) {
  EXPECT_THAT(DriverSession::Open("/no/such/driver.so"),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("cannot load the driver /no/such/driver.so: ")));
}

}  // namespace
}  // namespace nncert
