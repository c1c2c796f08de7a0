// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The compilation cache of a driver in a process of its own: the handles cross, and what one
// process saved another one reads.

#include <memory>
#include <utility>
#include <vector>

#include "certifying/driver_names.h"
#include "gtest/gtest.h"
#include "hal/compilation_cache.h"
#include "hal/memory.h"
#include "hal/testing/cache_file.h"
#include "hal/testing/callbacks.h"
#include "hal/testing/models.h"
#include "hal/to_string.h"

namespace nncert {
namespace {

using hal::testing::CacheFile;
using hal::testing::PreparedModelCallback;
using hal::testing::TwoAdditions;
using hal::testing::TwoAdditionsRequest;
using hal::V1_0::ErrorStatus;
using hal::V1_2::CacheToken;
using hal::V1_2::IDevice;
using hal::V1_2::IPreparedModel;

// The bytes of the output.
std::vector<uint8_t> OutputOf(IPreparedModel& prepared) {
  const hal::V1_2::Request request = TwoAdditionsRequest();
  EXPECT_EQ(prepared.executeSynchronously(request, hal::V1_2::MeasureTiming::NO).status,
            ErrorStatus::NONE);
  const absl::StatusOr<hal::Mapping> mapping = request.pools[1].Map(hal::MemoryAccess::READ_ONLY);
  EXPECT_TRUE(mapping.ok()) << mapping.status();
  return {mapping->bytes().begin(), mapping->bytes().end()};
}

class CachingTest : public ::testing::Test {
 protected:
  // A process of the driver.
  OpenedDriver Open() const {
    const absl::StatusOr<NamedDriver> driver = FindDriver("sample");
    EXPECT_TRUE(driver.ok()) << driver.status();
    absl::StatusOr<OpenedDriver> opened = OpenDriver(*driver, Isolation::kUnpinned);
    EXPECT_TRUE(opened.ok()) << opened.status();
    return *std::move(opened);
  }

  std::shared_ptr<IPreparedModel> Save(IDevice& device) const {
    const auto callback = std::make_shared<PreparedModelCallback>();
    EXPECT_EQ(device.prepareModel_1_2(TwoAdditions(), hal::V1_2::ExecutionPreference::LOW_POWER,
                                      {model_.Open()}, {data_.Open()}, kToken, callback),
              ErrorStatus::NONE);
    callback->calls.Wait();
    EXPECT_EQ(callback->status, ErrorStatus::NONE);
    return callback->prepared;
  }

  std::pair<ErrorStatus, std::shared_ptr<IPreparedModel>> Load(IDevice& device,
                                                               const CacheToken& token) const {
    const auto callback = std::make_shared<PreparedModelCallback>();
    device.prepareModelFromCache({model_.Open()}, {data_.Open()}, token, callback);
    callback->calls.Wait();
    return {callback->status, callback->prepared};
  }

  static constexpr CacheToken kToken = {1, 2, 3};

  const CacheFile model_;
  const CacheFile data_;
};

TEST_F(CachingTest, AnotherProcessPreparesFromWhatOneHasSaved) {
  std::vector<uint8_t> expected;
  {
    OpenedDriver driver = Open();
    IDevice& device = *driver.session().device_1_2();
    EXPECT_EQ(device.getNumberOfCacheFilesNeeded().numModelCache, 1u);
    EXPECT_EQ(device.getNumberOfCacheFilesNeeded().numDataCache, 1u);
    expected = OutputOf(*Save(device));
  }
  OpenedDriver driver = Open();
  const auto [status, prepared] = Load(*driver.session().device_1_2(), kToken);
  EXPECT_EQ(status, ErrorStatus::NONE);
  ASSERT_NE(prepared, nullptr);
  EXPECT_EQ(OutputOf(*prepared), expected);
}

TEST_F(CachingTest, WhatWasNotSavedUnderTheTokenIsAGeneralFailure) {
  OpenedDriver driver = Open();
  IDevice& device = *driver.session().device_1_2();
  using Refused = std::pair<ErrorStatus, std::shared_ptr<IPreparedModel>>;
  EXPECT_EQ(Load(device, kToken), Refused(ErrorStatus::GENERAL_FAILURE, nullptr));
  Save(device);
  EXPECT_EQ(Load(device, {1, 2, 4}), Refused(ErrorStatus::GENERAL_FAILURE, nullptr));
  EXPECT_EQ(Load(device, kToken).first, ErrorStatus::NONE);
}

TEST_F(CachingTest, ContentsThatAreCorruptInASealedCacheAreAGeneralFailure) {
  OpenedDriver driver = Open();
  IDevice& device = *driver.session().device_1_2();
  Save(device);
  const hal::CacheOwner owner = {.version = device.getVersionString().version, .key = {}};
  absl::StatusOr<hal::CompilationCache> cache =
      loadCompilationCache(owner, kToken, {model_.Open()}, {data_.Open()}, 1, 1);
  ASSERT_TRUE(cache.ok()) << cache.status();
  // Exceptions of Cap'n Proto do not leave the shared object.
  for (size_t i = 0; i < 64; ++i) {
    hal::CompilationCache corrupt = *cache;
    corrupt.model[0][i] ^= 0xff;
    const absl::Status saved =
        saveCompilationCache(corrupt, owner, kToken, {model_.Open()}, {data_.Open()});
    ASSERT_TRUE(saved.ok()) << saved;
    const ErrorStatus status = Load(device, kToken).first;
    EXPECT_NE(status, ErrorStatus::DEVICE_UNAVAILABLE) << "byte " << i;
    // The pointer to the root.
    if (i == 8) {
      EXPECT_EQ(status, ErrorStatus::GENERAL_FAILURE);
    }
  }
  EXPECT_EQ(device.getStatus(), hal::V1_0::DeviceStatus::AVAILABLE);
}

}  // namespace
}  // namespace nncert
