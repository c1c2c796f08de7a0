// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/number/precision.h"

#include <gtest/gtest.h>

#include <limits>

#include "hal/float16.h"
#include "reference/number/testing/honest_machine.h"

namespace nncert {
namespace {

TEST(PrecisionTest, FiguresAreThoseOfTheFormats) {
  EXPECT_EQ(kFloat32Precision.unit_roundoff, std::numeric_limits<float>::epsilon() / 2.0);
  EXPECT_EQ(kFloat32Precision.underflow, std::numeric_limits<float>::min());
  EXPECT_EQ(kFloat32Precision.largest_finite, std::numeric_limits<float>::max());
  EXPECT_EQ(kFloat16Precision.largest_finite, hal::Float16ToDouble(0x7BFF));
  EXPECT_EQ(kFloat16Precision.underflow, hal::Float16ToDouble(0x0400));
  // One step above one is twice the unit roundoff.
  EXPECT_EQ(kFloat16Precision.unit_roundoff, (hal::Float16ToDouble(0x3C01) - 1) / 2);
}

TEST(IsHeldExactlyTest, HoldsForEveryNormalHalfAndNoOther) {
  for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
    const double half = hal::Float16ToDouble(static_cast<uint16_t>(bits));
    const bool is_normal = bits == 0 || bits >= 0x0400;
    EXPECT_EQ(IsHeldExactly(half, kFloat16Precision), is_normal) << half;
    EXPECT_EQ(IsHeldExactly(-half, kFloat16Precision), is_normal) << half;
    EXPECT_TRUE(IsHeldExactly(half, kFloat32Precision)) << half;
    const double between = half + 0x1p-24 * std::max(half, 0x1p-14);
    EXPECT_FALSE(IsHeldExactly(between, kFloat16Precision)) << between;
  }
  EXPECT_FALSE(IsHeldExactly(65536, kFloat16Precision));
}

TEST(IsHeldExactlyTest, HoldsForNormalFloats) {
  EXPECT_TRUE(IsHeldExactly(0.1F, kFloat32Precision));
  EXPECT_FALSE(IsHeldExactly(0.1, kFloat32Precision));
  EXPECT_TRUE(IsHeldExactly(16777216, kFloat32Precision));
  EXPECT_FALSE(IsHeldExactly(16777217, kFloat32Precision));
  EXPECT_TRUE(IsHeldExactly(0x1p-126, kFloat32Precision));
  EXPECT_FALSE(IsHeldExactly(0x1p-127, kFloat32Precision));
  EXPECT_TRUE(IsHeldExactly(0x1.fffffep127, kFloat32Precision));
  EXPECT_FALSE(IsHeldExactly(0x1p128, kFloat32Precision));
}

TEST(SumErrorTest, IsOneRoundingForEachTermAndOneMore) {
  EXPECT_NEAR(SumError(kFloat32Precision, 10, 8), 11 * 0x1p-24 * 8, 1e-12);
  EXPECT_EQ(SumError(kFloat32Precision, 10, 0), 0);
}

TEST(SumErrorTest, ExactSumsAreOnlyRoundedOnce) {
  EXPECT_NEAR(SumError(kQuantizedPrecision, 1000, 8), 0x1p-24 * 8, 1e-9);
}

}  // namespace
}  // namespace nncert
