// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <png.h>

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/data_sets/image.h"
#include "mlts/data_sets/testing/test_data.h"

namespace nncert {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using hal::testing::StatusIs;

// The pixels of a file.
std::vector<uint8_t> PixelsOf(const std::vector<uint8_t>& file) {
  const absl::StatusOr<Image> image = DecodeImage(file);
  if (!image.ok()) {
    ADD_FAILURE() << image.status();
    return {};
  }
  EXPECT_EQ(image->rgb.size(), size_t{3} * image->width * image->height);
  return image->rgb;
}

Image Uneven() {
  Image image = {13, 9, {}};
  for (uint32_t i = 0; i < 13 * 9 * 3; ++i) image.rgb.push_back(static_cast<uint8_t>(i * i + i));
  return image;
}

TEST(PngTest, ColoursAreExact) {
  const auto image = DecodeImage(PngFile(Uneven()));
  ASSERT_TRUE(image.ok()) << image.status();
  EXPECT_EQ(*image, Uneven());
}

TEST(PngTest, InterlacedFilesAreRead) {
  const Image uneven = Uneven();
  EXPECT_EQ(PixelsOf(PngFile({13, 9, 8, PNG_COLOR_TYPE_RGB, true}, uneven.rgb)), uneven.rgb);
}

TEST(PngTest, GreyBecomesRedGreenAndBlue) {
  EXPECT_THAT(PixelsOf(PngFile({2, 1, 8, PNG_COLOR_TYPE_GRAY}, {7, 200})),
              ElementsAre(7, 7, 7, 200, 200, 200));
}

TEST(PngTest, FewBitsAreScaled) {
  // Black and white, and the four greys of two bits.
  EXPECT_THAT(PixelsOf(PngFile({2, 1, 1, PNG_COLOR_TYPE_GRAY}, {0b0100'0000})),
              ElementsAre(0, 0, 0, 255, 255, 255));
  EXPECT_THAT(PixelsOf(PngFile({4, 1, 2, PNG_COLOR_TYPE_GRAY}, {0b0001'1011})),
              ElementsAre(0, 0, 0, 85, 85, 85, 170, 170, 170, 255, 255, 255));
}

TEST(PngTest, SixteenBitsAreRoundedToEight) {
  // 0x1280 is nearer to 0x12 * 257 = 0x1212 than to 0x1313; 0x12F0 is not.
  EXPECT_THAT(
      PixelsOf(PngFile({1, 1, 16, PNG_COLOR_TYPE_RGB}, {0x12, 0x80, 0x12, 0xF0, 0xFF, 0xFF})),
      ElementsAre(0x12, 0x13, 0xFF));
  EXPECT_THAT(PixelsOf(PngFile({1, 1, 16, PNG_COLOR_TYPE_GRAY}, {0x40, 0x40})),
              ElementsAre(0x40, 0x40, 0x40));
}

TEST(PngTest, PalettesAreLookedUp) {
  PngDescription description = {2, 1, 8, PNG_COLOR_TYPE_PALETTE};
  description.palette = {1, 2, 3, 40, 50, 60};
  EXPECT_THAT(PixelsOf(PngFile(description, {1, 0})), ElementsAre(40, 50, 60, 1, 2, 3));
}

TEST(PngTest, AlphaIsIgnored) {
  EXPECT_THAT(PixelsOf(PngFile({1, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA}, {1, 2, 3, 0})),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(PixelsOf(PngFile({1, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA}, {9, 0})),
              ElementsAre(9, 9, 9));
  PngDescription description = {1, 1, 8, PNG_COLOR_TYPE_PALETTE};
  description.palette = {1, 2, 3};
  description.transparency = {0};
  EXPECT_THAT(PixelsOf(PngFile(description, {0})), ElementsAre(1, 2, 3));
}

TEST(PngTest, FilesThatEndTooEarlyAreRefused) {
  const std::vector<uint8_t> file = PngFile(Uneven());
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_THAT(DecodeImage(absl::MakeConstSpan(file).first(size)),
                StatusIs(absl::StatusCode::kInvalidArgument, testing::_))
        << size;
  }
}

TEST(PngTest, EveryBrokenByteIsSeen) {
  const std::vector<uint8_t> file = PngFile(Uneven());
  for (size_t i = 0; i < file.size(); ++i) {
    std::vector<uint8_t> broken = file;
    broken[i] ^= 0xFF;
    EXPECT_FALSE(DecodeImage(broken).ok()) << i;
  }
}

TEST(PngTest, LargeImagesAreRefusedBeforeTheyTakeMemory) {
  // Ten thousand rows of the fewest bits: a small file all the same.
  const std::vector<uint8_t> file =
      PngFile({10000, 10000, 1, PNG_COLOR_TYPE_GRAY}, std::vector<uint8_t>(1250 * 10000));
  EXPECT_THAT(DecodeImage(file), StatusIs(absl::StatusCode::kInvalidArgument,
                                          HasSubstr("larger than 8192 by 8192 pixels")));
}

}  // namespace
}  // namespace nncert
