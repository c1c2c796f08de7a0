// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/earlier_device.h"

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/conversion.h"
#include "hal/testing/callbacks.h"
#include "hal/testing/models.h"
#include "hal/testing/status_is.h"
#include "hal/testing/toy_driver.h"
#include "hal/v1_1/interfaces.h"

namespace nncert::hal {
namespace {

using ::testing::Each;
using testing::ExecutionCallback;
using testing::PreparedModelCallback;
using testing::StatusIs;
using testing::ToyDriver;
using testing::TwoAdditions;
using testing::TwoAdditionsRequest;
using V1_0::ErrorStatus;

std::shared_ptr<V1_0::IDevice> ToyDeviceOf(HalVersion version) {
  return deviceOfVersion(std::make_shared<ToyDriver>(), version);
}

TEST(EarlierDeviceTest, HasTheInterfacesOfItsVersionAlone) {
  for (const HalVersion version : kHalVersions) {
    const std::shared_ptr<V1_0::IDevice> device = ToyDeviceOf(version);
    EXPECT_EQ(std::dynamic_pointer_cast<V1_1::IDevice>(device) != nullptr,
              version >= HalVersion::V1_1)
        << version;
    EXPECT_EQ(std::dynamic_pointer_cast<V1_2::IDevice>(device) != nullptr,
              version >= HalVersion::V1_2)
        << version;
  }
}

TEST(EarlierDeviceTest, AnswersAsTheDriver) {
  const auto driver = std::make_shared<ToyDriver>();
  const auto device =
      std::dynamic_pointer_cast<V1_1::IDevice>(deviceOfVersion(driver, HalVersion::V1_1));
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->getStatus(), V1_0::DeviceStatus::AVAILABLE);
  EXPECT_EQ(device->getCapabilities().capabilities, driver->getCapabilities().capabilities);
  EXPECT_EQ(device->getCapabilities_1_1().capabilities, driver->getCapabilities_1_1().capabilities);
  EXPECT_THAT(device->getSupportedOperations(convertToV1_0(TwoAdditions())).supportedOperations,
              Each(true));
  EXPECT_THAT(device->getSupportedOperations_1_1(convertToV1_1(TwoAdditions())).supportedOperations,
              Each(true));
  V1_1::Model invalid = convertToV1_1(TwoAdditions());
  invalid.outputIndexes.clear();
  EXPECT_EQ(device->getSupportedOperations_1_1(invalid).status, ErrorStatus::INVALID_ARGUMENT);
  const auto callback = std::make_shared<PreparedModelCallback>();
  EXPECT_EQ(device->prepareModel_1_1(invalid, V1_1::ExecutionPreference::LOW_POWER, callback),
            ErrorStatus::INVALID_ARGUMENT);
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(callback->prepared_1_0, nullptr);
}

TEST(EarlierDeviceTest, PreparesModelsOfItsVersion) {
  const std::shared_ptr<V1_0::IDevice> device = ToyDeviceOf(HalVersion::V1_0);
  const auto prepared = std::make_shared<PreparedModelCallback>();
  EXPECT_EQ(device->prepareModel(convertToV1_0(TwoAdditions()), prepared), ErrorStatus::NONE);
  prepared->calls.Wait();
  ASSERT_NE(prepared->prepared_1_0, nullptr);
  EXPECT_EQ(std::dynamic_pointer_cast<V1_2::IPreparedModel>(prepared->prepared_1_0), nullptr);
  const auto executed = std::make_shared<ExecutionCallback>();
  EXPECT_EQ(prepared->prepared_1_0->execute(TwoAdditionsRequest(), executed), ErrorStatus::NONE);
  executed->calls.Wait();
  EXPECT_EQ(executed->status, ErrorStatus::NONE);
}

TEST(EarlierDeviceTest, IsOfTheVersionThatTheOptionSays) {
  const auto driver = std::make_shared<ToyDriver>();
  for (const std::string option : {"", "1.2"}) {
    EXPECT_EQ(deviceOfVersion(driver, option).value(), driver);
  }
  EXPECT_EQ(std::dynamic_pointer_cast<V1_1::IDevice>(deviceOfVersion(driver, "1.0").value()),
            nullptr);
  EXPECT_NE(std::dynamic_pointer_cast<V1_1::IDevice>(deviceOfVersion(driver, "1.1").value()),
            nullptr);
  EXPECT_THAT(deviceOfVersion(driver, "1.3").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "the option \"1.3\" is no version of the HAL that the driver can be; "
                       "expected 1.0, 1.1 or 1.2"));
}

}  // namespace
}  // namespace nncert::hal
