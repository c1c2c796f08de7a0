// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/discarded_ranges.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "gtest/gtest.h"

namespace nncert {
namespace {

constexpr size_t kPages = 6;

class DiscardedRangesTest : public testing::Test {
 protected:
  void SetUp() override {
    void* const memory =
        mmap(nullptr, kPages * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    begin_ = static_cast<std::byte*>(memory);
    std::memset(begin_, 7, kPages * page_);
  }
  void TearDown() override { munmap(begin_, kPages * page_); }

  // Discards from and to places counted in quarters of a page.
  void Discard(size_t first, size_t last) {
    ranges_.Add(begin_ + first * page_ / 4, begin_ + last * page_ / 4);
  }

  // For each page, '-' when it was given back (and zeros came in its place), '#' when it is there.
  std::string Pages() const {
    std::string pages;
    for (size_t i = 0; i < kPages; ++i) {
      const std::byte* const page = begin_ + i * page_;
      const auto is = [&](std::byte value) {
        return std::all_of(page, page + page_, [&](std::byte byte) { return byte == value; });
      };
      pages += is(std::byte{0}) ? '-' : is(std::byte{7}) ? '#' : '?';
    }
    return pages;
  }

  const size_t page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::byte* begin_ = nullptr;
  DiscardedRanges ranges_;
};

TEST_F(DiscardedRangesTest, APageGoesWhenTheLastPartOfItDoes) {
  Discard(1, 10);
  EXPECT_EQ(Pages(), "#-####");
  Discard(10, 11);
  EXPECT_EQ(Pages(), "#-####");
  Discard(11, 13);
  EXPECT_EQ(Pages(), "#--###");
  Discard(0, 1);
  EXPECT_EQ(Pages(), "---###");
}

TEST_F(DiscardedRangesTest, PiecesMayComeInAnyOrder) {
  Discard(17, 24);
  EXPECT_EQ(Pages(), "#####-");
  Discard(2, 6);
  Discard(7, 9);
  EXPECT_EQ(Pages(), "#####-");
  Discard(6, 7);
  EXPECT_EQ(Pages(), "#-###-");
  Discard(9, 17);
  EXPECT_EQ(Pages(), "#-----");
}

TEST_F(DiscardedRangesTest, PiecesMayOverlap) {
  Discard(5, 11);
  Discard(2, 9);
  EXPECT_EQ(Pages(), "#-####");
  Discard(1, 15);
  EXPECT_EQ(Pages(), "#--###");
  Discard(4, 8);
  Discard(9, 9);
  EXPECT_EQ(Pages(), "#--###");
  Discard(0, 24);
  EXPECT_EQ(Pages(), "------");
}

TEST_F(DiscardedRangesTest, WhatIsFarAwayStays) {
  Discard(4, 5);
  Discard(7, 8);
  Discard(12, 16);
  EXPECT_EQ(Pages(), "###-##");
  Discard(5, 6);
  EXPECT_EQ(Pages(), "###-##");
  Discard(6, 7);
  EXPECT_EQ(Pages(), "#-#-##");
}

}  // namespace
}  // namespace nncert
