// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "gtest/gtest.h"
#include "hal/replay/replay.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::replay {
namespace {

TEST(DeviceUnderTest, IsTheOneThatIsLinkedIn) {
  const auto device = DeviceUnderTest();
  ASSERT_TRUE(device.ok()) << device.status();
  const auto device_1_2 = std::dynamic_pointer_cast<V1_2::IDevice>(*device);
  ASSERT_NE(device_1_2, nullptr);
  EXPECT_EQ(device_1_2->getVersionString().version, "toy 1.0");
}

}  // namespace
}  // namespace nncert::hal::replay
