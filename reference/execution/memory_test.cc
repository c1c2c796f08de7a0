// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace nncert {
namespace {

bool IsAligned(const std::byte* pointer) {
  return reinterpret_cast<uintptr_t>(pointer) % kBufferAlignment == 0;
}

TEST(BufferTest, GrowsAndNeverShrinks) {
  Buffer buffer;
  EXPECT_EQ(buffer.size(), 0);
  ASSERT_TRUE(buffer.Reserve(100));
  EXPECT_TRUE(IsAligned(buffer.data()));
  std::memset(buffer.data(), 7, 100);
  const std::byte* const before = buffer.data();
  ASSERT_TRUE(buffer.Reserve(50));
  EXPECT_EQ(buffer.data(), before);
  EXPECT_EQ(buffer.size(), 100);
  EXPECT_EQ(buffer.data()[99], std::byte{7});
  ASSERT_TRUE(buffer.Reserve(1000));
  EXPECT_EQ(buffer.size(), 1000);
}

TEST(BufferTest, SaysWhenThereIsNotMemoryEnough) {
  Buffer buffer;
  ASSERT_TRUE(buffer.Reserve(10));
  EXPECT_FALSE(buffer.Reserve(size_t{1} << 62));
  EXPECT_EQ(buffer.size(), 0);
  EXPECT_TRUE(buffer.Reserve(10));
}

TEST(BufferTest, IsEmptyOnceItHasMoved) {
  Buffer from;
  ASSERT_TRUE(from.Reserve(10));
  std::byte* const bytes = from.data();
  Buffer to = std::move(from);
  EXPECT_EQ(to.data(), bytes);
  EXPECT_EQ(to.size(), 10);
  // What this test is about.  NOLINTNEXTLINE(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
  EXPECT_EQ(from.size(), 0);
  EXPECT_EQ(from.data(), nullptr);
}

TEST(DiscardPagesTest, LeavesWhatIsNotAWholePageAlone) {
  constexpr size_t kSize = size_t{1} << 20;
  Buffer buffer;
  ASSERT_TRUE(buffer.Reserve(kSize));
  std::memset(buffer.data(), 7, kSize);
  std::byte* const begin = buffer.data() + 100;
  std::byte* const end = buffer.data() + kSize - 100;
  DiscardPages(begin, end);
  EXPECT_EQ(begin[-1], std::byte{7});
  EXPECT_EQ(*begin, std::byte{7});
  EXPECT_EQ(end[-1], std::byte{7});
  EXPECT_EQ(*end, std::byte{7});
  // Where the memory went, new pages of zeros have come.
  EXPECT_EQ(buffer.data()[kSize / 2], std::byte{0});
  // Less than a page.
  DiscardPages(end, buffer.data() + kSize);
  DiscardPages(end, end);
  EXPECT_EQ(*end, std::byte{7});
}

TEST(ArenaTest, PiecesAreAlignedAndApart) {
  Arena arena;
  std::vector<std::pair<std::byte*, size_t>> pieces;
  for (const size_t size : {1, 64, 0, 65, 100000, 3, 4096}) {
    std::byte* const piece = arena.Allocate(size);
    ASSERT_NE(piece, nullptr);
    EXPECT_TRUE(IsAligned(piece));
    std::memset(piece, static_cast<int>(pieces.size()), size);
    pieces.emplace_back(piece, size);
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    for (size_t k = 0; k < pieces[i].second; ++k) {
      ASSERT_EQ(pieces[i].first[k], std::byte(i)) << "piece " << i;
    }
  }
}

TEST(ArenaTest, AllocatesNothingOnceItHasSeenTheSameDemands) {
  Arena arena;
  const auto demand = [&arena] {
    arena.Reset();
    for (size_t i = 1; i <= 100; ++i) arena.Allocate(i * 1000);
  };
  demand();
  demand();
  const size_t capacity = arena.capacity();
  const std::byte* const first = (arena.Reset(), arena.Allocate(1));
  for (int round = 0; round < 3; ++round) demand();
  arena.Reset();
  EXPECT_EQ(arena.Allocate(1), first);
  EXPECT_EQ(arena.capacity(), capacity);
}

TEST(ArenaTest, HoldsHardlyMoreThanIsAskedFor) {
  Arena arena;
  arena.Allocate(10 << 20);
  arena.Allocate(1 << 20);
  arena.Reset();
  EXPECT_LE(arena.capacity(), (11 << 20) + 65536);
}

}  // namespace
}  // namespace nncert
