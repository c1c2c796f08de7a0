// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/pool_kind.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

constexpr PoolKind kKinds[] = {PoolKind::kAshmem, PoolKind::kMmapFd, PoolKind::kReadOnlyMmapFd,
                               PoolKind::kHardwareBufferBlob};

TEST(MakePool, HoldsTheContent) {
  // More than a page, and no whole number of them.
  std::vector<uint8_t> content(5000);
  for (size_t i = 0; i < content.size(); ++i) content[i] = static_cast<uint8_t>(i * 7);
  for (const PoolKind kind : kKinds) {
    const auto pool = MakePool(kind, content);
    ASSERT_TRUE(pool.ok()) << pool.status();
    const auto mapping = pool->Map(hal::MemoryAccess::READ_ONLY);
    ASSERT_TRUE(mapping.ok()) << mapping.status();
    EXPECT_THAT(mapping->bytes(), testing::ElementsAreArray(content)) << ToString(kind);
    EXPECT_EQ(pool->Map(hal::MemoryAccess::READ_WRITE).ok(), kind != PoolKind::kReadOnlyMmapFd);
  }
}

TEST(MakePool, LiesInTheMiddleOfItsFile) {
  const std::vector<uint8_t> content(100, 1);
  const auto pool = MakePool(PoolKind::kMmapFd, content);
  ASSERT_TRUE(pool.ok()) << pool.status();
  EXPECT_EQ(pool->name(), hal::kMmapFd);
  EXPECT_GT(pool->offset(), 0U);
  EXPECT_EQ(pool->offset() % 4096, 0U);
  // Whoever forgets the offset reads what is wrong, and so does whoever adds it twice.
  for (const size_t offset : {size_t{0}, pool->offset() + 100}) {
    const auto other = hal::Memory::FromDescriptor(pool->descriptor(), 100, pool->protection(),
                                                   offset, hal::kMmapFd);
    ASSERT_TRUE(other.ok()) << other.status();
    EXPECT_THAT(other->Map(hal::MemoryAccess::READ_ONLY)->bytes(),
                testing::Not(testing::Contains(1)));
  }
}

TEST(IsKnown, BlobsCameWith1_2) {
  for (const PoolKind kind : kKinds) {
    EXPECT_TRUE(IsKnown(kind, hal::HalVersion::V1_2));
    EXPECT_EQ(IsKnown(kind, hal::HalVersion::V1_1), kind != PoolKind::kHardwareBufferBlob);
  }
}

}  // namespace
}  // namespace nncert
