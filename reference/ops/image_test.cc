// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

WindowAxis Same(int64_t image, int64_t filter, int64_t stride, int64_t dilation = 1) {
  WindowAxis axis = {.image = image, .filter = filter, .stride = stride, .dilation = dilation};
  SetImplicitPadding(PaddingScheme::kSame, axis);
  return axis;
}

TEST(ImageSizesTest, ReadsEitherLayout) {
  const ImageSizes nhwc = ImageSizesOf({2, 3, 4, 5}, /*is_nchw=*/false);
  EXPECT_THAT((std::vector<size_t>{nhwc.batches, nhwc.height, nhwc.width, nhwc.depth}),
              ElementsAre(2, 3, 4, 5));
  const ImageSizes nchw = ImageSizesOf({2, 5, 3, 4}, /*is_nchw=*/true);
  EXPECT_THAT((std::vector<size_t>{nchw.batches, nchw.height, nchw.width, nchw.depth}),
              ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(ImageDimensions(2, 3, 4, 5, false), (Shape{2, 3, 4, 5}));
  EXPECT_EQ(ImageDimensions(2, 3, 4, 5, true), (Shape{2, 5, 3, 4}));
}

TEST(ImageSizesTest, FindsPixelsInEitherLayout) {
  // Pixel 1 * 12 + 2 * 4 + 3 is batch 1, row 2, column 3.
  const size_t pixel = 23;
  const ImageSizes nhwc = ImageSizesOf({2, 3, 4, 5}, false);
  EXPECT_EQ(nhwc.Pixels(), 24u);
  EXPECT_EQ(nhwc.PixelOffset(pixel), 23u * 5);
  EXPECT_EQ(nhwc.ChannelStride(), 1u);
  const ImageSizes nchw = ImageSizesOf({2, 5, 3, 4}, true);
  EXPECT_EQ(nchw.PixelOffset(pixel), 60u + 11u);  // one image of 60 elements, then row 2, column 3
  EXPECT_EQ(nchw.ChannelStride(), 12u);
}

TEST(WindowAxisTest, CountsThePositionsInsideThePaddedImage) {
  EXPECT_EQ((WindowAxis{.image = 5, .filter = 3}).Positions(), 3);
  EXPECT_EQ((WindowAxis{.image = 5, .filter = 3, .stride = 2}).Positions(), 2);
  EXPECT_EQ((WindowAxis{.image = 6, .filter = 3, .stride = 2}).Positions(), 2);
  EXPECT_EQ((WindowAxis{.image = 5, .filter = 3, .dilation = 2}).Positions(), 1);
  EXPECT_EQ((WindowAxis{.image = 5, .filter = 3, .padding_head = 2, .padding_tail = 1}).Positions(),
            6);
}

TEST(WindowAxisTest, SamePaddingGivesTheImageDividedByTheStrideRoundedUp) {
  for (int64_t image = 1; image <= 9; ++image) {
    for (int64_t filter = 1; filter <= 5; ++filter) {
      for (int64_t stride = 1; stride <= 4; ++stride) {
        for (int64_t dilation = 1; dilation <= 3; ++dilation) {
          const WindowAxis axis = Same(image, filter, stride, dilation);
          EXPECT_EQ(axis.Positions(), (image + stride - 1) / stride)
              << image << " " << filter << " " << stride << " " << dilation;
          EXPECT_LT(axis.padding_head, axis.Span());
          EXPECT_LT(axis.padding_tail, axis.Span());
        }
      }
    }
  }
}

TEST(WindowAxisTest, SamePaddingHasTheSmallerHalfFirst) {
  const auto paddings = [](const WindowAxis& axis) {
    return std::vector<int64_t>{axis.padding_head, axis.padding_tail};
  };
  EXPECT_THAT(paddings(Same(4, 2, 1)), ElementsAre(0, 1));
  EXPECT_THAT(paddings(Same(4, 3, 1)), ElementsAre(1, 1));
  EXPECT_THAT(paddings(Same(4, 3, 2)), ElementsAre(0, 1));     // 2 positions cover 5
  EXPECT_THAT(paddings(Same(4, 1, 3)), ElementsAre(0, 0));     // nothing is missing
  EXPECT_THAT(paddings(Same(4, 3, 1, 2)), ElementsAre(2, 2));  // spans 5
  EXPECT_THAT(paddings(Same(5, 4, 1)), ElementsAre(1, 2));
}

TEST(WindowAxisTest, OtherSchemesPadNothing) {
  for (const PaddingScheme scheme : {PaddingScheme::kNone, PaddingScheme::kValid}) {
    WindowAxis axis = {.image = 4, .filter = 3, .padding_head = 7, .padding_tail = 7};
    SetImplicitPadding(scheme, axis);
    EXPECT_EQ(axis.padding_head, 0);
    EXPECT_EQ(axis.padding_tail, 0);
  }
}

TEST(WindowAxisTest, TapsAreThoseInsideTheImage) {
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
            const WindowTaps taps = axis.TapsAt(position);
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

TEST(WindowAxisTest, HugeParametersDoNotOverflow) {
  constexpr int64_t kInt32 = (int64_t{1} << 31) - 1;
  constexpr int64_t kUint32 = (int64_t{1} << 32) - 1;
  const WindowAxis axis = {.image = kUint32,
                           .filter = kUint32,
                           .stride = 1,
                           .dilation = kInt32,
                           .padding_head = kInt32,
                           .padding_tail = kInt32};
  EXPECT_EQ(axis.Span(), (kUint32 - 1) * kInt32 + 1);
  const WindowTaps taps = axis.TapsAt(0);
  EXPECT_EQ(taps.first, 1);
  EXPECT_EQ(taps.end, 4);  // 2^31 - 1 apart, in an image of 2^32 - 1: at 0, 2^31 - 1, 2^32 - 2
}

TEST(WindowTest, KnowsWhenItIsEveryPixel) {
  const WindowAxis pixel = {.image = 4};
  EXPECT_TRUE((Window{pixel, pixel}).IsEveryPixel());
  EXPECT_FALSE((Window{pixel, {.image = 4, .filter = 2}}).IsEveryPixel());
  EXPECT_FALSE((Window{{.image = 4, .stride = 2}, pixel}).IsEveryPixel());
}

TEST(WindowsToRowsTest, LaysOutWindowsWithZerosOutside) {
  // Two images of 2 x 2 pixels with 2 channels: pixel p has p * 10 and p * 10 + 1.
  const ImageSizes images = ImageSizesOf({2, 2, 2, 2}, false);
  std::vector<float> elements;
  for (int pixel = 0; pixel < 8; ++pixel) {
    elements.push_back(static_cast<float>(pixel * 10));
    elements.push_back(static_cast<float>(pixel * 10 + 1));
  }
  const WindowAxis same = Same(2, 2, 1);  // padded at the end
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
