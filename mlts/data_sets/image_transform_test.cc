// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/image_transform.h"

#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

using hal::testing::StatusIs;

// Greys as an image.
Image Grey(uint32_t width, uint32_t height, const std::vector<uint8_t>& samples) {
  Image image = {width, height, {}};
  for (const uint8_t sample : samples) image.rgb.insert(image.rgb.end(), 3, sample);
  return image;
}

// An image whose samples are their columns plus ten times their rows.
Image Positions(uint32_t width, uint32_t height) {
  std::vector<uint8_t> samples;
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) samples.push_back(static_cast<uint8_t>(x + 10 * y));
  }
  return Grey(width, height, samples);
}

// The first of each three samples.
std::vector<int> Reds(const Image& image) {
  std::vector<int> reds;
  for (size_t i = 0; i < image.rgb.size(); i += 3) reds.push_back(image.rgb[i]);
  return reds;
}

std::vector<float> FloatsOf(const absl::StatusOr<TensorBytes>& bytes) {
  if (!bytes.ok()) {
    ADD_FAILURE() << bytes.status();
    return {};
  }
  std::vector<float> floats(bytes->size() / sizeof(float));
  std::memcpy(floats.data(), bytes->data(), bytes->size());
  return floats;
}

// The bytes that MLTS's preprocessing makes of greys.
TensorBytes MltsBytes(const std::vector<uint8_t>& samples, bool wraps_around) {
  ImageTransform transform = InceptionTransform();
  transform.crop_share = 1;
  transform.mlts_quantization = {0.007812F, 128, wraps_around};
  const uint32_t width = static_cast<uint32_t>(samples.size());
  const auto bytes = InputOf(Grey(width, 1, samples), transform,
                             {OperandType::TENSOR_QUANT8_ASYMM, {1, 1, width, 1}, 0.0078125F, 128});
  if (!bytes.ok()) {
    ADD_FAILURE() << bytes.status();
    return {};
  }
  return *bytes;
}

TEST(CropTest, IsCentred) {
  // The side is int(0.875 * 4) = 3, of 6 columns it begins at 6 / 2 - 3 / 2 = 2.
  const Image cropped = CentredCrop(Positions(6, 4), 7, 7, 0.875F);
  EXPECT_EQ(cropped.width, 3);
  EXPECT_EQ(cropped.height, 3);
  EXPECT_THAT(Reds(cropped), ElementsAre(12, 13, 14, 22, 23, 24, 32, 33, 34));
}

TEST(CropTest, HasTheShapeOfWhatIsAskedFor) {
  // Twice as wide as high.
  const Image cropped = CentredCrop(Positions(6, 6), 4, 2, 1);
  EXPECT_EQ(cropped.width, 6);
  EXPECT_EQ(cropped.height, 3);
  EXPECT_EQ(cropped.rgb[0], 20);
}

TEST(CropTest, OfTheWholeIsTheWhole) {
  EXPECT_EQ(CentredCrop(Positions(5, 5), 3, 3, 1), Positions(5, 5));
}

TEST(CropTest, HasAPixelAtLeast) {
  const Image cropped = CentredCrop(Positions(1, 1), 9, 9, 0.5F);
  EXPECT_EQ(cropped, Positions(1, 1));
  EXPECT_EQ(CentredCrop(Positions(9, 1), 1, 9, 1).width, 1);
}

TEST(ResizeTest, SameSizeIsTheSameImage) {
  EXPECT_EQ(Resized(Positions(4, 3), 4, 3), Positions(4, 3));
}

TEST(ResizeTest, HalvesAreMeansOfNeighbours) {
  // Centres of the new pixels lie between the old ones.
  EXPECT_THAT(Reds(Resized(Grey(4, 2, {0, 10, 20, 30, 100, 110, 120, 130}), 2, 1)),
              ElementsAre(55, 75));
}

TEST(ResizeTest, DoublesRepeatEdges) {
  // Centres at -0.25, 0.25, 0.75, 1.25 of two pixels.
  EXPECT_THAT(Reds(Resized(Grey(2, 1, {0, 100}), 4, 1)), ElementsAre(0, 25, 75, 100));
}

TEST(ResizeTest, PixelsFarFromACentreAreLost) {
  // Of eight, the new one lies between the fourth and the fifth.
  EXPECT_THAT(Reds(Resized(Grey(8, 1, {9, 9, 9, 40, 60, 9, 9, 9}), 1, 1)), ElementsAre(50));
}

TEST(ResizeTest, ChannelsDoNotMix) {
  const Image image = {2, 1, {10, 20, 30, 20, 40, 60}};
  EXPECT_THAT(Resized(image, 1, 1).rgb, ElementsAre(15, 30, 45));
}

TEST(ImageTransformTest, FloatsAreInTheRange) {
  ImageTransform transform;
  const TensorFormat input = {OperandType::TENSOR_FLOAT32, {1, 1, 3, 1}};
  const Image image = Grey(3, 1, {0, 51, 255});
  EXPECT_THAT(FloatsOf(InputOf(image, transform, input)), ElementsAre(0, 0.2F, 1));
  transform.lowest = -1;
  EXPECT_THAT(FloatsOf(InputOf(image, transform, input)),
              ElementsAre(-1, 51 * 2.0F / 255.0F - 1.0F, 1));
}

TEST(ImageTransformTest, ColoursStayTogether) {
  const auto bytes = InputOf({2, 1, {1, 2, 3, 4, 5, 6}}, ImageTransform(),
                             {OperandType::TENSOR_FLOAT32, {1, 1, 2, 3}});
  const std::vector<float> floats = FloatsOf(bytes);
  ASSERT_EQ(floats.size(), 6);
  for (size_t i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(floats[i] * 255, static_cast<float>(i + 1));
}

TEST(ImageTransformTest, OneChannelIsLuma) {
  ImageTransform transform;
  transform.keeps_bytes = true;
  for (const std::vector<uint32_t>& dimensions :
       {std::vector<uint32_t>{1, 1, 3}, std::vector<uint32_t>{1, 1, 3, 1}}) {
    const auto bytes = InputOf({3, 1, {255, 0, 0, 0, 255, 0, 0, 0, 255}}, transform,
                               {OperandType::TENSOR_QUANT8_ASYMM, dimensions, 1, 0});
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    // 0.299, 0.587 and 0.114 of 255.
    EXPECT_THAT(*bytes, ElementsAre(76, 150, 29));
  }
}

TEST(ImageTransformTest, QuantizedInputsGetBytesOrTheNearestSteps) {
  ImageTransform transform;
  transform.keeps_bytes = true;
  const TensorFormat input = {OperandType::TENSOR_QUANT8_ASYMM, {1, 1, 3, 1}, 0.01F, 5};
  const Image image = Grey(3, 1, {0, 128, 255});
  EXPECT_THAT(*InputOf(image, transform, input), ElementsAre(0, 128, 255));
  transform.keeps_bytes = false;
  // 0, 0.50196 and 1 are 0, 50 and 100 steps from zero.
  EXPECT_THAT(*InputOf(image, transform, input), ElementsAre(5, 55, 105));
}

TEST(ImageTransformTest, HalvesAreRounded) {
  const auto bytes =
      InputOf(Grey(1, 1, {255}), ImageTransform(), {OperandType::TENSOR_FLOAT16, {1, 1, 1, 1}});
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_THAT(*bytes, ElementsAre(0x00, 0x3C));
}

TEST(ImageTransformTest, MltsMakesWhiteBlack) {
  // Before it is rounded towards zero, 0 is -0.008, 1 is 0.996, 127 is 127.498, 254 is 255.004, and
  // 255 is 256.008, whose lowest eight bits are 0.
  EXPECT_THAT(MltsBytes({0, 1, 127, 128, 254, 255}, true), ElementsAre(0, 0, 127, 128, 255, 0));
}

TEST(ImageTransformTest, SaturatingKeepsWhiteWhite) {
  EXPECT_THAT(MltsBytes({0, 1, 127, 128, 254, 255}, false), ElementsAre(0, 0, 127, 128, 255, 255));
}

TEST(ImageTransformTest, SaturatingDiffersWhereMltsWrapsAlone) {
  std::vector<uint8_t> all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<uint8_t>(i));
  const TensorBytes wrapping = MltsBytes(all, true);
  const TensorBytes saturating = MltsBytes(all, false);
  for (size_t i = 0; i < 255; ++i) EXPECT_EQ(wrapping[i], saturating[i]) << i;
  EXPECT_NE(wrapping[255], saturating[255]);
}

TEST(ImageTransformTest, FloatNetworksGetRealValuesFromMltsTransformToo) {
  ImageTransform transform = InceptionTransform();
  transform.mlts_quantization = {0.007812F, 128, true};
  EXPECT_THAT(
      FloatsOf(InputOf(Grey(1, 1, {255}), transform, {OperandType::TENSOR_FLOAT32, {1, 1, 1, 3}})),
      Each(1));
}

TEST(ImageTransformTest, InputsThatTakeNoImagesAreTold) {
  EXPECT_TRUE(CheckTakesImages({OperandType::TENSOR_FLOAT32, {1, 28, 28}}).ok());
  EXPECT_TRUE(CheckTakesImages({OperandType::TENSOR_QUANT8_ASYMM, {1, 28, 28, 3}}).ok());
  for (const TensorFormat& format : {TensorFormat{OperandType::TENSOR_FLOAT32, {1, 784}},
                                     TensorFormat{OperandType::TENSOR_FLOAT32, {2, 28, 28, 3}},
                                     TensorFormat{OperandType::TENSOR_FLOAT32, {1, 0, 28, 3}},
                                     TensorFormat{OperandType::TENSOR_FLOAT32, {1, 28, 28, 4}},
                                     TensorFormat{OperandType::TENSOR_FLOAT32, {1, 9999, 9999, 1}},
                                     TensorFormat{OperandType::TENSOR_INT32, {1, 28, 28, 3}}}) {
    EXPECT_THAT(CheckTakesImages(format),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("this one is TENSOR_")));
  }
}

}  // namespace
}  // namespace nncert
