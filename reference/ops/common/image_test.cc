// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/common/image.h"

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
  EXPECT_EQ(axis.PlaceOf(0, 2), kInt32);
}

TEST(ImagesTest, ElementsAreWhereTheLayoutHasThem) {
  const std::vector<float> numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const TensorView<const float> nhwc = {numbers.data(), {1, 2, 3, 2}, numbers.size()};
  const TensorView<const float> nchw = {numbers.data(), {1, 2, 2, 3}, numbers.size()};
  EXPECT_EQ(ImagesIn(nhwc, false).At(0, 1, 2, 1), 11);
  EXPECT_EQ(ImagesIn(nhwc, false).At(0, 1, 0, 1), 7);
  EXPECT_EQ(ImagesIn(nchw, true).At(0, 1, 0, 1), 9);
  EXPECT_EQ(ImagesIn(nchw, true).At(0, 0, 2, 1), 8);
}

TEST(ImagesTest, ContainsWhatIsInside) {
  const Images<const float> images = {ImageSizesOf({1, 2, 3, 1}, false), nullptr};
  EXPECT_TRUE(images.Contains(0, 0));
  EXPECT_TRUE(images.Contains(1, 2));
  EXPECT_FALSE(images.Contains(-1, 0));
  EXPECT_FALSE(images.Contains(0, -1));
  EXPECT_FALSE(images.Contains(2, 0));
  EXPECT_FALSE(images.Contains(0, 3));
}

TEST(ForEachTapTest, VisitsTheFilterWithTheImageUnderIt) {
  const Window window = {{.image = 5, .filter = 2, .stride = 2, .padding_head = 1},
                         {.image = 5, .filter = 2, .dilation = 3}};
  std::vector<std::vector<int64_t>> visited;
  ForEachTap(window, 1, 2, [&](size_t i, size_t j, int64_t row, int64_t column) {
    visited.push_back({static_cast<int64_t>(i), static_cast<int64_t>(j), row, column});
  });
  EXPECT_EQ(visited, (std::vector<std::vector<int64_t>>{
                         {0, 0, 1, 2}, {0, 1, 1, 5}, {1, 0, 2, 2}, {1, 1, 2, 5}}));
}

}  // namespace
}  // namespace nncert
