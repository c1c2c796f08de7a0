// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/capabilities.h"

#include <algorithm>
#include <cfloat>

#include "gtest/gtest.h"

namespace nncert::hal {
namespace {

using V1_2::OperandType;
using V1_2::PerformanceInfo;

constexpr PerformanceInfo kGood = {.execTime = 0.5F, .powerUsage = 0.25F};
constexpr PerformanceInfo kBetter = {.execTime = 0.1F, .powerUsage = 0.2F};
constexpr PerformanceInfo kUnknown = {.execTime = FLT_MAX, .powerUsage = FLT_MAX};

bool IsSorted(const std::vector<V1_2::Capabilities::OperandPerformance>& performance) {
  return std::is_sorted(performance.begin(), performance.end(),
                        [](const auto& a, const auto& b) { return a.type < b.type; });
}

TEST(CapabilitiesTest, every_type_of_the_hal_gets_the_same_figures_in_order) {
  const auto performance = nonExtensionOperandPerformance(kGood);
  EXPECT_EQ(performance.size(), 16);
  EXPECT_TRUE(IsSorted(performance));
  for (const auto& entry : performance) EXPECT_EQ(entry.info, kGood);
}

TEST(CapabilitiesTest, an_update_changes_one_type) {
  auto performance = nonExtensionOperandPerformance(kGood);
  update(&performance, OperandType::TENSOR_FLOAT32, kBetter);
  EXPECT_EQ(performance.size(), 16);
  EXPECT_EQ(lookup(performance, OperandType::TENSOR_FLOAT32), kBetter);
  EXPECT_EQ(lookup(performance, OperandType::UINT32), kGood);
  EXPECT_EQ(lookup(performance, OperandType::TENSOR_INT32), kGood);
}

TEST(CapabilitiesTest, an_update_of_a_missing_type_adds_it_in_its_place) {
  std::vector<V1_2::Capabilities::OperandPerformance> performance;
  for (const OperandType type :
       {OperandType::TENSOR_FLOAT32, OperandType::OEM, OperandType::FLOAT32}) {
    update(&performance, type, kGood);
  }
  EXPECT_EQ(performance.size(), 3);
  EXPECT_TRUE(IsSorted(performance));
}

TEST(CapabilitiesTest, a_missing_type_counts_as_unusably_slow_whatever_stands_next_to_it) {
  std::vector<V1_2::Capabilities::OperandPerformance> performance = {
      {.type = OperandType::INT32, .info = kGood}, {.type = OperandType::BOOL, .info = kGood}};
  EXPECT_EQ(lookup(performance, OperandType::FLOAT32), kUnknown);
  EXPECT_EQ(lookup(performance, OperandType::UINT32), kUnknown);
  EXPECT_EQ(lookup(performance, OperandType::OEM), kUnknown);
  EXPECT_EQ(lookup({}, OperandType::OEM), kUnknown);
}

}  // namespace
}  // namespace nncert::hal
