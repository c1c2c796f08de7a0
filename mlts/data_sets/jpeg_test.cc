// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <cstdlib>
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

// The centre of a decoded image of one colour.
std::vector<int> CentreOf(const absl::StatusOr<Image>& image) {
  if (!image.ok()) {
    ADD_FAILURE() << image.status();
    return {};
  }
  const size_t centre = (image->height / 2 * image->width + image->width / 2) * size_t{3};
  return {image->rgb[centre], image->rgb[centre + 1], image->rgb[centre + 2]};
}

// Matches colours that differ by rounding alone.
auto Near(int red, int green, int blue) {
  const auto near = [](int value) {
    return testing::AllOf(testing::Ge(value - 2), testing::Le(value + 2));
  };
  return ElementsAre(near(red), near(green), near(blue));
}

// So many pixels of one kind.
std::vector<uint8_t> Repeated(const std::vector<uint8_t>& pixel, size_t count) {
  std::vector<uint8_t> pixels;
  for (size_t i = 0; i < count; ++i) pixels.insert(pixels.end(), pixel.begin(), pixel.end());
  return pixels;
}

// An image in which no two blocks are alike, so that no part of its file is dispensable.
Image Uneven() {
  Image image = {40, 24, {}};
  for (uint32_t i = 0; i < 40 * 24 * 3; ++i) {
    image.rgb.push_back(static_cast<uint8_t>(i * i / 7 + 31 * i));
  }
  return image;
}

TEST(JpegTest, ColoursAreRead) {
  const auto image = DecodeImage(JpegFile(ImageOfColour(20, 10, 200, 30, 90)));
  EXPECT_THAT(CentreOf(image), Near(200, 30, 90));
  EXPECT_EQ(image->width, 20);
  EXPECT_EQ(image->height, 10);
  EXPECT_EQ(image->rgb.size(), 600);
}

TEST(JpegTest, ProgressiveFilesAreRead) {
  EXPECT_THAT(
      CentreOf(DecodeImage(JpegFile(JpegKind::PROGRESSIVE, 20, 10, Repeated({200, 30, 90}, 200)))),
      Near(200, 30, 90));
}

TEST(JpegTest, GreyBecomesRedGreenAndBlue) {
  EXPECT_THAT(CentreOf(DecodeImage(JpegFile(JpegKind::GREY, 9, 7, Repeated({77}, 63)))),
              Near(77, 77, 77));
}

TEST(JpegTest, InvertedInksAreConverted) {
  for (const JpegKind kind : {JpegKind::INKS, JpegKind::YCCK}) {
    // No ink at all is white; half of black halves what the others leave.
    EXPECT_THAT(CentreOf(DecodeImage(JpegFile(kind, 8, 8, Repeated({255, 255, 255, 255}, 64)))),
                Near(255, 255, 255));
    EXPECT_THAT(CentreOf(DecodeImage(JpegFile(kind, 8, 8, Repeated({200, 100, 40, 128}, 64)))),
                Near(100, 50, 20));
    EXPECT_THAT(CentreOf(DecodeImage(JpegFile(kind, 8, 8, Repeated({200, 100, 40, 0}, 64)))),
                Near(0, 0, 0));
  }
}

TEST(JpegTest, FilesThatEndTooEarlyAreRefused) {
  for (const bool is_progressive : {false, true}) {
    const Image uneven = Uneven();
    const std::vector<uint8_t> file =
        is_progressive ? JpegFile(JpegKind::PROGRESSIVE, uneven.width, uneven.height, uneven.rgb)
                       : JpegFile(uneven);
    ASSERT_TRUE(DecodeImage(file).ok()) << DecodeImage(file).status();
    for (size_t size = 0; size < file.size(); ++size) {
      const auto image = DecodeImage(absl::MakeConstSpan(file).first(size));
      EXPECT_THAT(image, StatusIs(absl::StatusCode::kInvalidArgument, testing::_)) << size;
    }
  }
}

TEST(JpegTest, BrokenFilesAreReadOrRefused) {
  const std::vector<uint8_t> file = JpegFile(Uneven());
  size_t refused = 0;
  for (size_t i = 0; i < file.size(); ++i) {
    std::vector<uint8_t> broken = file;
    broken[i] ^= 0xFF;
    const auto image = DecodeImage(broken);
    if (!image.ok()) {
      ++refused;
    } else {
      // Another size may have come of it.
      EXPECT_EQ(image->rgb.size(), size_t{3} * image->width * image->height);
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(JpegTest, LargeImagesAreRefusedBeforeTheyTakeMemory) {
  std::vector<uint8_t> file = JpegFile(ImageOfColour(16, 16, 1, 2, 3));
  // The frame header: FF C0, length, precision, then height and width in two bytes each.
  for (size_t i = 0; i + 8 < file.size(); ++i) {
    if (file[i] == 0xFF && file[i + 1] == 0xC0) {
      for (size_t j = 5; j < 9; ++j) file[i + j] = 0xF0;
      break;
    }
  }
  EXPECT_THAT(DecodeImage(file), StatusIs(absl::StatusCode::kInvalidArgument,
                                          HasSubstr("larger than 8192 by 8192 pixels")));
}

TEST(JpegTest, WhatIsNoImageIsRefused) {
  EXPECT_THAT(DecodeImage({}), StatusIs(absl::StatusCode::kInvalidArgument, "is empty"));
  EXPECT_THAT(DecodeJpeg({}), StatusIs(absl::StatusCode::kInvalidArgument, "is empty"));
  EXPECT_THAT(DecodeImage({'G', 'I', 'F', '8'}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "is neither a JPEG nor a PNG file by its first bytes"));
}

TEST(JpegTest, ErrorsNameTheFile) {
  const TestFolder folder;
  const std::string path = folder.Write("photo.jpeg", std::vector<uint8_t>{0xFF, 0xD8, 0xFF});
  EXPECT_THAT(ReadImage(path), StatusIs(absl::StatusCode::kInvalidArgument,
                                        HasSubstr(path + ": is no JPEG file that can be read: ")));
  EXPECT_THAT(
      ReadImage(folder / "none.jpeg"),
      StatusIs(absl::StatusCode::kNotFound, (folder / "none.jpeg") + ": there is no such file"));
}

}  // namespace
}  // namespace nncert
