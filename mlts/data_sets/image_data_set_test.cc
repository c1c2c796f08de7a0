// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/image_data_set.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/data_sets/testing/test_data.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using testing::ElementsAre;
using testing::HasSubstr;

using hal::testing::StatusIs;

std::shared_ptr<const std::vector<LabelledImage>> Images(std::vector<LabelledImage> images) {
  return std::make_shared<const std::vector<LabelledImage>>(std::move(images));
}

Network OfBytes() {
  return NetworkOf({OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {1, 1, 2, 3}, 1, 0)}, {});
}

TEST(ImageDataSetTest, ImagesBecomeSequences) {
  const TestFolder folder;
  const std::string path = folder.Write("a.png", PngFile({2, 1, {1, 2, 3, 4, 5, 6}}));
  ImageTransform transform;
  transform.keeps_bytes = true;
  const auto data = OpenImages(Images({{"a", path, {7}}, {"b", path}}), transform, OfBytes());
  ASSERT_TRUE(data.ok()) << data.status();
  ASSERT_EQ((*data)->size(), 2);
  const auto first = (*data)->Read(0);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->name, "a");
  EXPECT_EQ(first->label, 7);
  EXPECT_THAT(first->inputs, ElementsAre(ElementsAre(ElementsAre(1, 2, 3, 4, 5, 6))));
  EXPECT_TRUE(first->golden_outputs.empty());
  EXPECT_EQ((*data)->Read(1)->label, std::nullopt);
}

TEST(ImageDataSetTest, BrokenImagesFailAlone) {
  const TestFolder folder;
  const std::vector<uint8_t> file = PngFile(ImageOfColour(2, 1, 1, 2, 3));
  const std::string good = folder.Write("good.png", file);
  const std::string broken =
      folder.Write("broken.png", std::vector<uint8_t>(file.begin(), file.end() - 20));
  const auto data = OpenImages(Images({{"broken", broken, {1}},
                                       {"none", folder / "none.png", {1}},
                                       {"unlabelled", good, absl::NotFoundError("has no label")},
                                       {"good", good, {1}}}),
                               {}, OfBytes());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT((*data)->Read(0), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(broken)));
  EXPECT_THAT((*data)->Read(1), StatusIs(absl::StatusCode::kNotFound, HasSubstr("none.png")));
  EXPECT_THAT((*data)->Read(2), StatusIs(absl::StatusCode::kNotFound, "has no label"));
  EXPECT_TRUE((*data)->Read(3).ok());
}

TEST(ImageDataSetTest, InputsWithoutAScaleAreTold) {
  const TestFolder folder;
  const std::string path = folder.Write("a.png", PngFile(ImageOfColour(2, 1, 1, 2, 3)));
  const Network network =
      NetworkOf({OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {1, 1, 2, 3}, 0, 0)}, {});
  const auto data = OpenImages(Images({{"a", path, {1}}}), {}, network);
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT((*data)->Read(0),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("which is no scale")));
}

TEST(ImageDataSetTest, NetworksThatTakeNoImagesAreTold) {
  Network network = OfBytes();
  network.model.inputIndexes.push_back(0);
  EXPECT_THAT(OpenImages(Images({}), {}, network),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("this one has 2 inputs")));
  EXPECT_THAT(
      OpenImages(Images({}), {}, NetworkOf({OperandOf(OperandType::TENSOR_INT32, {1})}, {})),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("network: images are for an input of [1, height, width")));
}

}  // namespace
}  // namespace nncert
