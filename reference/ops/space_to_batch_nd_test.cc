// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"
#include "reference/testing/moves.h"
#include "reference/testing/refusal.h"

namespace nncert {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr int32_t kGreatest = std::numeric_limits<int32_t>::max();

// One SPACE_TO_BATCH_ND; without output dimensions they are found.
struct ToBatch {
  OperandSpec input;
  std::vector<int32_t> block = {2, 2};
  std::vector<double> paddings = {0, 0, 0, 0};
  std::optional<bool> is_nchw = std::nullopt;
  std::vector<uint32_t> output = {};
  std::vector<uint32_t> paddings_dimensions = {2, 2};
};

// One BATCH_TO_SPACE_ND.
struct ToSpace {
  OperandSpec input;
  std::vector<int32_t> block = {2, 2};
  std::optional<bool> is_nchw = std::nullopt;
  std::vector<uint32_t> output = {};
};

hal::V1_2::Model ModelOf(const ToBatch& operation) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {
      builder.Input(operation.input), builder.Int32Vector(operation.block),
      builder.Constant({kInt32, operation.paddings_dimensions}, operation.paddings)};
  if (operation.is_nchw.has_value()) inputs.push_back(builder.Bool(*operation.is_nchw));
  OperandSpec output = operation.input;
  output.dimensions = operation.output;
  builder.Operation(OperationType::SPACE_TO_BATCH_ND, inputs, {builder.Output(output)});
  return builder.model();
}

hal::V1_2::Model ModelOf(const ToSpace& operation) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input(operation.input),
                                  builder.Int32Vector(operation.block)};
  if (operation.is_nchw.has_value()) inputs.push_back(builder.Bool(*operation.is_nchw));
  OperandSpec output = operation.input;
  output.dimensions = operation.output;
  builder.Operation(OperationType::BATCH_TO_SPACE_ND, inputs, {builder.Output(output)});
  return builder.model();
}

// Of images with elements 1, 2, 3, ..., so that padding shows.
template <class Operation>
Evaluated Evaluate(const Operation& operation) {
  std::vector<double> elements = Counting(NumberOfElements(operation.input.dimensions) + 1);
  elements.erase(elements.begin());
  return EvaluateMoves(ModelOf(operation), {elements})[0];
}

// Where an element stands in a tensor of images, and in which dimensions.
struct Images {
  uint32_t batches, height, width, depth;
  bool is_nchw;

  std::vector<uint32_t> Dimensions() const {
    return is_nchw ? std::vector<uint32_t>{batches, depth, height, width}
                   : std::vector<uint32_t>{batches, height, width, depth};
  }
  size_t At(uint32_t n, uint32_t y, uint32_t x, uint32_t c) const {
    return is_nchw ? ((n * depth + c) * height + y) * width + x
                   : ((n * height + y) * width + x) * depth + c;
  }
};

TEST(SpaceToBatchNdTest, EveryPixelOfABlockGoesToAnImageOfItsOwn) {
  // Rows 1 2 3 4 and 5 6 7 8: two blocks.
  const Evaluated result = Evaluate(ToBatch{{kFloat32, {1, 2, 4, 1}}});
  EXPECT_THAT(result.dimensions, ElementsAre(4, 1, 2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(1, 3, 2, 4, 5, 7, 6, 8));
}

TEST(SpaceToBatchNdTest, BatchesOfOnePlaceStayTogether) {
  // Two images of one block, 1 2 3 4 and 5 6 7 8.
  const Evaluated result = Evaluate(ToBatch{{kFloat32, {2, 2, 2, 1}}});
  EXPECT_THAT(result.dimensions, ElementsAre(8, 1, 1, 1));
  EXPECT_THAT(result.from_double, ElementsAre(1, 5, 2, 6, 3, 7, 4, 8));
}

TEST(SpaceToBatchNdTest, PadsWithZerosBeforeItCuts) {
  // A row of zeros above, and a column left and two right of 1 2 3: the rows are 0 0 0 0 0 0 and
  // 0 1 2 3 0 0, which make blocks of two times three.
  const Evaluated result = Evaluate(ToBatch{{kFloat32, {1, 1, 3, 1}}, {2, 3}, {1, 0, 1, 2}});
  EXPECT_THAT(result.dimensions, ElementsAre(6, 1, 2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 2, 0));
}

TEST(SpaceToBatchNdTest, PadsQuantizedImagesWithTheirZeroPoint) {
  const Evaluated result =
      Evaluate(ToBatch{{kQuant8, {1, 1, 1, 1}, 0.5, 77}, {2, 1}, {1, 2, 0, 0}});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 2, 1, 1));
  EXPECT_THAT(result.from_float, ElementsAre(77, 77, 1, 77));
}

TEST(SpaceToBatchNdTest, GoesByTheDefinition) {
  struct Case {
    uint32_t block_height, block_width, top, bottom, left, right;
  };
  for (const bool is_nchw : {false, true}) {
    // The last ones pad with whole blocks, and make one block of the whole image.
    for (const Case& c : {Case{1, 1, 0, 0, 0, 0}, Case{2, 3, 0, 0, 0, 1}, Case{3, 2, 1, 1, 0, 1},
                          Case{2, 1, 5, 3, 2, 0}, Case{4, 7, 0, 0, 2, 0}, Case{1, 9, 0, 0, 9, 4}}) {
      const Images image = {2, 4, 5, 3, is_nchw};
      const uint32_t height = c.top + image.height + c.bottom;
      const uint32_t width = c.left + image.width + c.right;
      const Images batch = {2 * c.block_height * c.block_width, height / c.block_height,
                            width / c.block_width, 3, is_nchw};
      std::vector<double> expected(NumberOfElements(batch.Dimensions()), 0);
      for (uint32_t n = 0; n < image.batches; ++n) {
        for (uint32_t y = 0; y < image.height; ++y) {
          for (uint32_t x = 0; x < image.width; ++x) {
            for (uint32_t channel = 0; channel < image.depth; ++channel) {
              const uint32_t row = y + c.top;
              const uint32_t column = x + c.left;
              const uint32_t place = row % c.block_height * c.block_width + column % c.block_width;
              expected[batch.At(place * image.batches + n, row / c.block_height,
                                column / c.block_width, channel)] =
                  static_cast<double>(image.At(n, y, x, channel) + 1);
            }
          }
        }
      }
      const std::vector<int32_t> block = {static_cast<int32_t>(c.block_height),
                                          static_cast<int32_t>(c.block_width)};
      EXPECT_EQ(Evaluate(ToBatch{{kFloat32, image.Dimensions()},
                                 block,
                                 {static_cast<double>(c.top), static_cast<double>(c.bottom),
                                  static_cast<double>(c.left), static_cast<double>(c.right)},
                                 is_nchw,
                                 batch.Dimensions()})
                    .from_double,
                expected);
    }
  }
}

TEST(BatchToSpaceNdTest, PutsBlocksTogether) {
  const Evaluated result = Evaluate(ToSpace{{kFloat32, {4, 1, 2, 1}}});
  EXPECT_THAT(result.dimensions, ElementsAre(1, 2, 4, 1));
  EXPECT_THAT(result.from_double, ElementsAre(1, 3, 2, 4, 5, 7, 6, 8));
}

TEST(BatchToSpaceNdTest, BatchesOfOnePlaceAreTogether) {
  const Evaluated result = Evaluate(ToSpace{{kFloat32, {8, 1, 1, 1}}});
  EXPECT_THAT(result.dimensions, ElementsAre(2, 2, 2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(1, 3, 5, 7, 2, 4, 6, 8));
}

TEST(BatchToSpaceNdTest, GoesByTheDefinition) {
  for (const bool is_nchw : {false, true}) {
    for (const std::vector<int32_t>& block :
         std::vector<std::vector<int32_t>>{{1, 1}, {2, 3}, {3, 1}, {1, 6}}) {
      const auto block_height = static_cast<uint32_t>(block[0]);
      const auto block_width = static_cast<uint32_t>(block[1]);
      const Images batch = {2 * block_height * block_width, 2, 3, 5, is_nchw};
      const Images image = {2, 2 * block_height, 3 * block_width, 5, is_nchw};
      std::vector<double> expected(NumberOfElements(image.Dimensions()));
      for (uint32_t n = 0; n < image.batches; ++n) {
        for (uint32_t y = 0; y < image.height; ++y) {
          for (uint32_t x = 0; x < image.width; ++x) {
            for (uint32_t channel = 0; channel < image.depth; ++channel) {
              const uint32_t place = y % block_height * block_width + x % block_width;
              expected[image.At(n, y, x, channel)] = static_cast<double>(
                  batch.At(place * image.batches + n, y / block_height, x / block_width, channel) +
                  1);
            }
          }
        }
      }
      EXPECT_EQ(
          Evaluate(ToSpace{{kFloat32, batch.Dimensions()}, block, is_nchw, image.Dimensions()})
              .from_double,
          expected);
    }
  }
}

TEST(SpaceToBatchNdTest, MovesElementsOfEveryType) {
  for (const OperandSpec& input :
       {OperandSpec{kFloat16, {4, 1, 2, 1}}, OperandSpec{kQuant8, {4, 1, 2, 1}, 0.5, 7}}) {
    EXPECT_THAT(Evaluate(ToSpace{input}).from_float, ElementsAre(1, 3, 2, 4, 5, 7, 6, 8));
  }
  EXPECT_THAT(Evaluate(ToBatch{{kFloat16, {1, 2, 2, 1}}, {2, 2}, {0, 0, 1, 1}}).from_float,
              ElementsAre(0, 2, 1, 0, 0, 4, 3, 0));
}

TEST(SpaceToBatchNdTest, TheParametersMayBeInputs) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {
      builder.Input({kFloat32, {1, 1, 2, 1}}), builder.Input({kInt32, {2}}),
      builder.Input({kInt32, {2, 2}}), builder.Input({OperandType::BOOL})};
  builder.Operation(OperationType::SPACE_TO_BATCH_ND, inputs, {builder.Output({kFloat32, {}})});
  const std::vector<double> elements = {3, 4};
  const Evaluated result = EvaluateMoves(builder.model(), {elements, {2, 1}, {0, 0, 1, 0}, {1}})[0];
  // NCHW: two rows of one pixel, padded at the left.
  EXPECT_THAT(result.dimensions, ElementsAre(2, 1, 1, 2));
  EXPECT_THAT(result.from_double, ElementsAre(0, 3, 0, 4));
  EXPECT_TRUE(IsRefused(builder.model(), "C2", {elements, {2, 0}, {0, 0, 1, 0}, {1}}));
  EXPECT_TRUE(IsRefused(builder.model(), "C4", {elements, {2, 1}, {0, 0, -1, 0}, {1}}));
  EXPECT_TRUE(IsRefused(builder.model(), "C5", {elements, {2, 2}, {0, 0, 1, 0}, {0}}));
}

TEST(SpaceToBatchNdTest, PaddingsMayBeComputed) {
  // The paddings are what another operation has made of an input.
  ModelBuilder builder;
  const uint32_t input = builder.Input({kFloat32, {1, 1, 1, 1}});
  const uint32_t numbers = builder.Input({kInt32, {4}});
  const uint32_t paddings = builder.Temporary({kInt32, {2, 2}});
  const uint32_t output = builder.Output({kFloat32, {0, 0, 0, 0}});
  builder.Operation(OperationType::GATHER,
                    {numbers, builder.Int32(0), builder.Constant({kInt32, {2, 2}}, {0, 1, 2, 3})},
                    {paddings});
  builder.Operation(OperationType::SPACE_TO_BATCH_ND,
                    {input, builder.Int32Vector({1, 1}), paddings}, {output});
  const Evaluated result = EvaluateMoves(builder.model(), {{9}, {0, 0, 1, 0}})[0];
  EXPECT_THAT(result.dimensions, ElementsAre(1, 1, 2, 1));
  EXPECT_THAT(result.from_double, ElementsAre(0, 9));
}

TEST(SpaceToBatchNdTest, space_to_batch_nd_c1_rejects_other_than_two_block_sizes) {
  for (const std::vector<int32_t>& block : {std::vector<int32_t>{2}, {1, 2, 2}}) {
    EXPECT_TRUE(IsRefused(ModelOf(ToBatch{{kFloat32, {1, 2, 2, 1}}, block}), "C1"));
    EXPECT_TRUE(IsRefused(ModelOf(ToSpace{{kFloat32, {4, 2, 2, 1}}, block}), "C1"));
  }
}

TEST(SpaceToBatchNdTest, space_to_batch_nd_c2_rejects_blocks_without_pixels) {
  const int32_t least = std::numeric_limits<int32_t>::min();
  for (const std::vector<int32_t>& block : {std::vector<int32_t>{0, 2}, {2, -2}, {least, least}}) {
    EXPECT_TRUE(IsRefused(ModelOf(ToBatch{{kFloat32, {1, 2, 2, 1}}, block}), "C2"));
    EXPECT_TRUE(IsRefused(ModelOf(ToSpace{{kFloat32, {4, 2, 2, 1}}, block}), "C2"));
  }
}

TEST(SpaceToBatchNdTest, space_to_batch_nd_c3_rejects_paddings_of_other_dimensions) {
  const OperandSpec input = {kFloat32, {1, 2, 2, 1}};
  const auto model = [&](const std::vector<uint32_t>& dimensions) {
    std::vector<double> paddings(NumberOfElements(dimensions), 0);
    return ModelOf(ToBatch{input, {2, 2}, paddings, std::nullopt, {}, dimensions});
  };
  EXPECT_TRUE(IsRefused(model({4, 2}), "C3"));
  EXPECT_TRUE(IsRefused(model({2, 1}), "C3"));
  EXPECT_TRUE(IsRefused(model({4, 1}), "C3"));
}

TEST(SpaceToBatchNdTest, space_to_batch_nd_c4_rejects_negative_paddings) {
  const OperandSpec input = {kFloat32, {1, 2, 2, 1}};
  EXPECT_TRUE(IsRefused(ModelOf(ToBatch{input, {1, 1}, {-1, 0, 0, 0}}), "C4"));
  EXPECT_TRUE(IsRefused(
      ModelOf(ToBatch{input, {1, 1}, {0, 0, 0, std::numeric_limits<int32_t>::min()}}), "C4"));
}

TEST(SpaceToBatchNdTest, space_to_batch_nd_c5_rejects_images_that_blocks_do_not_fill) {
  EXPECT_TRUE(IsRefused(ModelOf(ToBatch{{kFloat32, {1, 3, 2, 2}}}), "C5"));
  EXPECT_TRUE(IsRefused(ModelOf(ToBatch{{kFloat32, {1, 2, 2, 2}}, {2, 2}, {0, 0, 0, 1}}), "C5"));
  EXPECT_TRUE(
      IsRefused(ModelOf(ToBatch{{kFloat32, {1, 2, 2, 3}}, {2, 2}, {0, 0, 0, 0}, true}), "C5"));
  EXPECT_EQ(
      PreparationErrorOf(ModelOf(ToBatch{{kFloat32, {1, 2, 2, 3}}, {2, 2}, {0, 0, 1, 0}, true})),
      "");
}

TEST(SpaceToBatchNdTest, space_to_batch_nd_c6_rejects_undefined_padding_before_1_2) {
  const auto model = [](int32_t zero_point) {
    return ModelOf(
        ToBatch{{kQuant8, {1, 2, 2, 1}, 0.5, zero_point}, {2, 2}, {0, 0, 0, 0}, {}, {4, 1, 1, 1}});
  };
  EXPECT_TRUE(IsRefused(model(1), "C6", {}, HalVersion::V1_1));
  EXPECT_EQ(PreparationErrorOf(model(0), HalVersion::V1_1), "");
  EXPECT_EQ(PreparationErrorOf(model(1), HalVersion::V1_2), "");
}

TEST(BatchToSpaceNdTest, batch_to_space_nd_c3_rejects_batches_that_do_not_fill_blocks) {
  EXPECT_TRUE(IsRefused(ModelOf(ToSpace{{kFloat32, {6, 2, 2, 1}}}), "C3"));
  EXPECT_TRUE(IsRefused(ModelOf(ToSpace{{kFloat32, {4, 2, 2, 1}}, {kGreatest, kGreatest}}), "C3"));
  // 65536 squared would be 0 in 32 bits.
  EXPECT_TRUE(IsRefused(ModelOf(ToSpace{{kFloat32, {4, 2, 2, 1}}, {65536, 65536}}), "C3"));
}

TEST(SpaceToBatchNdTest, RefusesDimensionsThatDoNotFitTheHal) {
  EXPECT_THAT(PreparationErrorOf(
                  ModelOf(ToBatch{{kFloat32, {1, 2, 1, 1}}, {1, 1}, {kGreatest, kGreatest, 0, 0}})),
              HasSubstr("SPACE_TO_BATCH_ND: the output would have dimensions [1, 4294967296, 1, "
                        "1]"));
  EXPECT_THAT(
      PreparationErrorOf(ModelOf(ToBatch{
          {kFloat32, {1, 1, 1, 1}}, {kGreatest, kGreatest}, {kGreatest - 1, 0, kGreatest - 1, 0}})),
      HasSubstr("SPACE_TO_BATCH_ND: the output would have dimensions"));
  EXPECT_THAT(
      PreparationErrorOf(ModelOf(ToSpace{{kFloat32, {4, 1u << 31, 1, 1}}})),
      HasSubstr("BATCH_TO_SPACE_ND: the output would have dimensions [1, 4294967296, 2, 1]"));
}

TEST(SpaceToBatchNdTest, TheSignatureGoesByHalVersion) {
  const auto errors = [](OperandType type, std::optional<bool> is_nchw, HalVersion version) {
    const OperandSpec input = {type, {1, 1, 1, 1}, type == kQuant8 ? 1.f : 0.f};
    return std::vector<std::string>{
        PreparationErrorOf(ModelOf(ToBatch{input, {1, 1}, {0, 0, 0, 0}, is_nchw, {1, 1, 1, 1}}),
                           version),
        PreparationErrorOf(ModelOf(ToSpace{input, {1, 1}, is_nchw, {1, 1, 1, 1}}), version)};
  };
  EXPECT_THAT(errors(kFloat32, std::nullopt, HalVersion::V1_1), Each(""));
  EXPECT_THAT(errors(kQuant8, std::nullopt, HalVersion::V1_1), Each(""));
  EXPECT_THAT(errors(kFloat16, true, HalVersion::V1_2), Each(""));
  EXPECT_THAT(errors(kFloat32, std::nullopt, HalVersion::V1_0), Each(HasSubstr("HAL 1.0")));
  EXPECT_THAT(errors(kFloat16, std::nullopt, HalVersion::V1_1), Each(HasSubstr("HAL 1.1")));
  EXPECT_THAT(errors(kFloat32, true, HalVersion::V1_1), Each(HasSubstr("HAL 1.1")));
  EXPECT_THAT(errors(kInt32, std::nullopt, HalVersion::V1_2), Each(HasSubstr("TENSOR_INT32")));
}

}  // namespace
}  // namespace nncert
