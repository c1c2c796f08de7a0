// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/shape_images.h"

#include <array>
#include <set>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "system/digest.h"

namespace nncert {
namespace {

using ::testing::Each;
using ::testing::SizeIs;

constexpr std::array<DataSplit, 4> kSplits = {DataSplit::TRAINING, DataSplit::CALIBRATION,
                                              DataSplit::VALIDATION, DataSplit::HELD_OUT};

TEST(ShapeImagesTest, images_are_the_same_for_ever) {
  Digest digest;
  for (const DataSplit split : kSplits) {
    for (uint64_t index = 0; index < 50; ++index) digest.Add(DrawShape(split, index).pixels);
  }
  // Accuracies of different machines and times can be compared as long as this stays.
  EXPECT_EQ(digest.value(), 6051873121763555162U);
}

TEST(ShapeImagesTest, images_are_whole) {
  for (uint64_t index = 0; index < 20; ++index) {
    EXPECT_THAT(DrawShape(DataSplit::HELD_OUT, index).pixels,
                SizeIs(kShapeImageSide * kShapeImageSide * kShapeImageDepth));
  }
}

TEST(ShapeImagesTest, every_shape_comes_equally_often) {
  std::array<int, kShapeCount> counts = {};
  for (uint64_t index = 0; index < 500; ++index) {
    const ShapeImage image = DrawShape(DataSplit::HELD_OUT, index);
    ASSERT_LT(image.label, kShapeCount);
    ++counts[image.label];
  }
  EXPECT_THAT(counts, Each(50));
}

TEST(ShapeImagesTest, no_image_comes_twice_and_none_is_in_two_splits) {
  std::set<std::vector<uint8_t>> images;
  for (const DataSplit split : kSplits) {
    for (uint64_t index = 0; index < 300; ++index) images.insert(DrawShape(split, index).pixels);
  }
  EXPECT_THAT(images, SizeIs(300 * kSplits.size()));
}

TEST(ShapeImagesTest, names_are_different) {
  std::set<std::string_view> names;
  for (uint32_t label = 0; label < kShapeCount; ++label) names.insert(ShapeName(label));
  EXPECT_THAT(names, SizeIs(kShapeCount));
}

}  // namespace
}  // namespace nncert
