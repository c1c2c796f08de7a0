// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/spare_pools.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hal/handle.h"

namespace nncert {
namespace {

constexpr size_t kSize = 4096;

// The file of a pool tells it from others, and who has the file does not hold the pool.
using hal::FileDescriptor;

TEST(SparePools, APoolThatCameBackIsTakenAgainForTheSameSize) {
  SparePools pools;
  hal::Memory first = pools.Take(kSize).value();
  ASSERT_EQ(first.size(), kSize);
  const FileDescriptor file = first.descriptor();
  pools.GiveBack(std::move(first));
  const hal::Memory larger = pools.Take(2 * kSize).value();
  EXPECT_EQ(larger.size(), 2 * kSize);
  EXPECT_NE(larger.descriptor(), file);
  const hal::Memory again = pools.Take(kSize).value();
  EXPECT_EQ(again.descriptor(), file);
  EXPECT_NE(pools.Take(kSize)->descriptor(), file);
}

TEST(SparePools, APoolIsNotTakenAgainWhileADriverHasIt) {
  SparePools pools;
  hal::Memory pool = pools.Take(kSize).value();
  const FileDescriptor file = pool.descriptor();
  hal::Memory of_driver = pool;
  pools.GiveBack(std::move(pool));
  EXPECT_NE(pools.Take(kSize).value(), of_driver);
  of_driver = hal::Memory();
  EXPECT_EQ(pools.Take(kSize)->descriptor(), file);
}

TEST(SparePools, NorIsOneThatADriverHasMapped) {
  for (const hal::MemoryAccess access :
       {hal::MemoryAccess::READ_ONLY, hal::MemoryAccess::READ_WRITE}) {
    SparePools pools;
    hal::Memory pool = pools.Take(kSize).value();
    const FileDescriptor file = pool.descriptor();
    const hal::Mapping of_driver = pool.Map(access).value();
    pools.GiveBack(std::move(pool));
    EXPECT_NE(pools.Take(kSize)->descriptor(), file);
  }
}

TEST(SparePools, LargePoolsGoWithTheirCase) {
  for (const size_t size : {SparePools::kLargestKept, SparePools::kLargestKept + kSize}) {
    SparePools pools;
    hal::Memory pool = pools.Take(size).value();
    const FileDescriptor file = pool.descriptor();
    pools.GiveBack(std::move(pool));
    pool = pools.Take(size).value();
    EXPECT_EQ(pool.descriptor(), file);
    pools.GiveBack(std::move(pool));
    pools.DropLarge();
    EXPECT_EQ(pools.Take(size)->descriptor() == file, size == SparePools::kLargestKept);
  }
}

TEST(SparePools, ThoseThatCameBackLastAreKept) {
  SparePools pools;
  std::vector<hal::Memory> taken;
  std::vector<FileDescriptor> files;
  for (int i = 0; i < 100; ++i) {
    taken.push_back(pools.Take(kSize).value());
    files.push_back(taken.back().descriptor());
  }
  for (hal::Memory& pool : taken) pools.GiveBack(std::move(pool));
  std::vector<FileDescriptor> kept;
  for (hal::Memory& pool : taken) {
    pool = pools.Take(kSize).value();
    kept.push_back(pool.descriptor());
  }
  EXPECT_EQ(std::count(kept.begin(), kept.end(), files.front()), 0);
  EXPECT_EQ(std::count(kept.begin(), kept.end(), files.back()), 1);
}

TEST(SparePools, TheOneThatCameBackLastIsTakenLast) {
  SparePools pools;
  std::vector<hal::Memory> taken;
  std::vector<FileDescriptor> files;
  for (int i = 0; i < 3; ++i) {
    taken.push_back(pools.Take(kSize).value());
    files.push_back(taken.back().descriptor());
  }
  for (hal::Memory& pool : taken) pools.GiveBack(std::move(pool));
  for (int i = 0; i < 6; ++i) {
    hal::Memory pool = pools.Take(kSize).value();
    EXPECT_EQ(pool.descriptor(), files[static_cast<size_t>(i) % files.size()]);
    pools.GiveBack(std::move(pool));
  }
}

}  // namespace
}  // namespace nncert
