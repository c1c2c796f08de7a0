// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/output_statistics.h"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

using testing::ElementsAre;

using hal::testing::StatusIs;

std::string FileOf(const std::vector<float>& floats, size_t dropped = 0) {
  std::string path = ::testing::TempDir() + "/statistics";
  std::vector<uint8_t> bytes(floats.size() * sizeof(float));
  if (!floats.empty()) std::memcpy(bytes.data(), floats.data(), bytes.size());
  bytes.resize(bytes.size() - dropped);
  EXPECT_TRUE(WriteWholeFile(path, bytes).ok());
  return path;
}

TEST(OutputStatisticsTest, MeansComeBeforeDeviations) {
  const auto statistics = ReadOutputStatistics(FileOf({1, 2, -3, 4}));
  ASSERT_TRUE(statistics.ok()) << statistics.status();
  EXPECT_THAT(statistics->mean, ElementsAre(1, -3));
  EXPECT_THAT(statistics->deviation, ElementsAre(2, 4));
}

TEST(OutputStatisticsTest, WrongSizesAreRefused) {
  const std::string no_pairs = " bytes, no pairs of two floats of 4 bytes";
  std::string path = FileOf({1, 2, 3});
  EXPECT_THAT(ReadOutputStatistics(path),
              StatusIs(absl::StatusCode::kInvalidArgument, path + ": has 12" + no_pairs));
  path = FileOf({1, 2}, 1);
  EXPECT_THAT(ReadOutputStatistics(path),
              StatusIs(absl::StatusCode::kInvalidArgument, path + ": has 7" + no_pairs));
  path = FileOf({});
  EXPECT_THAT(ReadOutputStatistics(path),
              StatusIs(absl::StatusCode::kInvalidArgument, path + ": has 0" + no_pairs));
}

TEST(OutputStatisticsTest, WhatIsNotFiniteIsRefused) {
  const std::string path = FileOf({1, 2, 3, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_THAT(ReadOutputStatistics(path),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       path + ": the mean or the deviation of element 1 is not finite"));
}

}  // namespace
}  // namespace nncert
