// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast/window_geometry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace nncert {
namespace {

using ::testing::ElementsAreArray;

TEST(TapsAtTest, GivesThoseInsideTheImage) {
  // Every combination against a walk over all taps.
  for (int64_t image = 1; image <= 6; ++image) {
    for (int64_t filter = 1; filter <= 4; ++filter) {
      for (int64_t dilation = 1; dilation <= 3; ++dilation) {
        for (int64_t padding = 0; padding <= (filter - 1) * dilation; ++padding) {
          const WindowAxis axis = {.image = image,
                                   .filter = filter,
                                   .dilation = dilation,
                                   .padding_head = padding,
                                   .padding_tail = padding};
          if (image + 2 * padding < axis.Span()) continue;
          for (int64_t position = 0; position < axis.Positions(); ++position) {
            std::vector<int64_t> expected;
            for (int64_t tap = 0; tap < filter; ++tap) {
              const int64_t at = position - padding + tap * dilation;
              if (at >= 0 && at < image) expected.push_back(at);
            }
            const WindowTaps taps = TapsAt(axis, position);
            std::vector<int64_t> found;
            for (int64_t tap = taps.first; tap < taps.end; ++tap) {
              EXPECT_EQ(taps.image + (tap - taps.first) * dilation,
                        position - padding + tap * dilation);
              found.push_back(taps.image + (tap - taps.first) * dilation);
            }
            EXPECT_THAT(found, ElementsAreArray(expected));
          }
        }
      }
    }
  }
}

TEST(TapsAtTest, HugeParametersDoNotOverflow) {
  constexpr int64_t kInt32 = (int64_t{1} << 31) - 1;
  constexpr int64_t kUint32 = (int64_t{1} << 32) - 1;
  const WindowAxis axis = {.image = kUint32,
                           .filter = kUint32,
                           .stride = 1,
                           .dilation = kInt32,
                           .padding_head = kInt32,
                           .padding_tail = kInt32};
  const WindowTaps taps = TapsAt(axis, 0);
  EXPECT_EQ(taps.first, 1);
  EXPECT_EQ(taps.end, 4);  // 2^31 - 1 apart, in an image of 2^32 - 1: at 0, 2^31 - 1, 2^32 - 2
}

TEST(WindowsToRowsTest, LaysOutWindowsWithZerosOutside) {
  // Two images of 2 x 2 pixels with 2 channels: pixel p has p * 10 and p * 10 + 1.
  const ImageSizes images = ImageSizesOf({2, 2, 2, 2}, false);
  std::vector<float> elements;
  for (int pixel = 0; pixel < 8; ++pixel) {
    elements.push_back(static_cast<float>(pixel * 10));
    elements.push_back(static_cast<float>(pixel * 10 + 1));
  }
  const WindowAxis same = {.image = 2, .filter = 2, .padding_tail = 1};
  std::vector<float> rows(3 * 8, 99);
  // Positions 3 (last of the first image), 4 and 5 (row 0 of the second).
  WindowsToRows(Window{same, same}, images, elements.data(), 3, 3, -1.f, rows.data());
  EXPECT_THAT(rows, ElementsAreArray({30, 31, -1, -1, -1, -1, -1, -1,  //
                                      40, 41, 50, 51, 60, 61, 70, 71,  //
                                      50, 51, -1, -1, 70, 71, -1, -1}));
}

TEST(WindowsToRowsTest, DilatedTapsAreApart) {
  const ImageSizes images = ImageSizesOf({1, 1, 5, 1}, false);
  const std::vector<float> elements = {1, 2, 3, 4, 5};
  const WindowAxis across = {
      .image = 5, .filter = 3, .dilation = 2, .padding_head = 3, .padding_tail = 1};
  std::vector<float> rows(5 * 3, 99);
  WindowsToRows(Window{{}, across}, images, elements.data(), 0, 5, 0.f, rows.data());
  // Windows start at -3 ... 1.
  EXPECT_THAT(rows, ElementsAreArray({0, 0, 2, 0, 1, 3, 0, 2, 4, 1, 3, 5, 2, 4, 0}));
}

}  // namespace
}  // namespace nncert
