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

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr int32_t kGreatest = std::numeric_limits<int32_t>::max();

// One PAD, or PAD_V2 when there is a value; without output dimensions they are found.
struct Padding {
  OperandSpec input;
  std::vector<double> paddings;
  std::optional<double> value = std::nullopt;
  std::vector<uint32_t> output = {};
  // Of the paddings; [rank, 2] if not given.
  std::vector<uint32_t> dimensions = {};
};

OperandType ValueTypeOf(OperandType type) {
  if (type == kFloat32) return OperandType::FLOAT32;
  return type == kFloat16 ? OperandType::FLOAT16 : OperandType::INT32;
}

hal::V1_2::Model ModelOf(const Padding& padding, bool is_relaxed = false) {
  ModelBuilder builder;
  std::vector<uint32_t> dimensions = padding.dimensions;
  if (dimensions.empty()) {
    dimensions = {static_cast<uint32_t>(padding.input.dimensions.size()), 2};
  }
  std::vector<uint32_t> inputs = {builder.Input(padding.input),
                                  builder.Constant({kInt32, dimensions}, padding.paddings)};
  OperationType type = OperationType::PAD;
  if (padding.value.has_value()) {
    type = OperationType::PAD_V2;
    inputs.push_back(builder.Constant({ValueTypeOf(padding.input.type)}, {*padding.value}));
  }
  OperandSpec output = padding.input;
  output.dimensions = padding.output;
  builder.Operation(type, inputs, {builder.Output(output)}).Relaxed(is_relaxed);
  return builder.model();
}

// Pads a tensor with elements 1, 2, 3, ...
Evaluated Pad(const Padding& padding) {
  std::vector<double> elements = Counting(NumberOfElements(padding.input.dimensions) + 1);
  elements.erase(elements.begin());
  return EvaluateMoves(ModelOf(padding), {elements})[0];
}

// What padding gives, straight from the definition.
std::vector<double> ByDefinition(const std::vector<uint32_t>& input,
                                 const std::vector<double>& paddings, double value) {
  std::vector<uint32_t> output;
  for (size_t d = 0; d < input.size(); ++d) {
    output.push_back(static_cast<uint32_t>(paddings[2 * d]) + input[d] +
                     static_cast<uint32_t>(paddings[2 * d + 1]));
  }
  std::vector<double> expected(NumberOfElements(output));
  for (size_t element = 0; element < expected.size(); ++element) {
    size_t rest = element;
    size_t position = 0;
    size_t stride = 1;
    bool is_inside = true;
    for (size_t d = input.size(); d-- > 0; rest /= output[d]) {
      const auto index =
          static_cast<int64_t>(rest % output[d]) - static_cast<int64_t>(paddings[2 * d]);
      is_inside &= index >= 0 && index < int64_t{input[d]};
      if (is_inside) position += static_cast<size_t>(index) * stride;
      stride *= input[d];
    }
    expected[element] = is_inside ? static_cast<double>(position + 1) : value;
  }
  return expected;
}

TEST(PadTest, PutsZerosAround) {
  // 1 2 3 and 4 5 6, a row below, a column left and two right.
  const Evaluated result = Pad({{kFloat32, {2, 3}}, {0, 1, 1, 2}});
  EXPECT_THAT(result.dimensions, ElementsAre(3, 6));
  EXPECT_THAT(result.from_double,
              ElementsAre(0, 1, 2, 3, 0, 0, 0, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(PadTest, QuantizedZeroIsTheZeroPoint) {
  EXPECT_THAT(Pad({{kQuant8, {2}, 0.5, 9}, {1, 2}}).from_float, ElementsAre(9, 1, 2, 9, 9));
  EXPECT_THAT(Pad({{kQuant8, {2}, 0.5, 255}, {0, 1}}).from_float, ElementsAre(1, 2, 255));
}

TEST(PadTest, OneDimensionMayBePaddedOnEitherSide) {
  EXPECT_THAT(Pad({{kFloat32, {2}}, {3, 0}}).from_double, ElementsAre(0, 0, 0, 1, 2));
  EXPECT_THAT(Pad({{kFloat32, {2}}, {0, 3}}).from_double, ElementsAre(1, 2, 0, 0, 0));
  EXPECT_THAT(Pad({{kFloat32, {2}}, {0, 0}}).from_double, ElementsAre(1, 2));
}

TEST(PadTest, EveryCombinationOfDimensionsGoesByTheDefinition) {
  const std::vector<uint32_t> dimensions = {2, 3, 1, 2};
  for (uint32_t mask = 0; mask < 256; ++mask) {
    std::vector<double> paddings;
    // The paddings differ, so that mixing them up shows.
    for (uint32_t i = 0; i < 8; ++i) paddings.push_back((mask >> i & 1) != 0 ? 1 + i % 3 : 0);
    EXPECT_EQ(Pad({{kFloat32, dimensions}, paddings}).from_double,
              ByDefinition(dimensions, paddings, 0));
    EXPECT_EQ(Pad({{kFloat32, dimensions}, paddings, -2.5}).from_float,
              ByDefinition(dimensions, paddings, -2.5));
  }
}

TEST(PadV2Test, PutsTheValueAround) {
  EXPECT_THAT(Pad({{kFloat32, {1, 2}}, {1, 0, 0, 1}, 9.5}).from_double,
              ElementsAre(9.5, 9.5, 9.5, 1, 2, 9.5));
  EXPECT_THAT(Pad({{kFloat16, {2}}, {1, 1}, -1.5}).from_float, ElementsAre(-1.5, 1, 2, -1.5));
}

TEST(PadV2Test, AQuantizedValueIsTheStoredInteger) {
  // Not (value - 9) * 0.5, nor its quantization.
  EXPECT_THAT(Pad({{kQuant8, {2}, 0.5, 9}, {1, 2}, 3.0}).from_float, ElementsAre(3, 1, 2, 3, 3));
  EXPECT_THAT(Pad({{kQuant8, {2}, 0.5, 9}, {1, 0}, 255.0}).from_float, ElementsAre(255, 1, 2));
}

TEST(PadV2Test, InARelaxedModelTheValueMayBeHeldAsAHalf) {
  // 0.1 is 0.0999755859375 as a half.
  const auto results =
      EvaluateInAllSystems(ModelOf({{kFloat32, {1}}, {1, 0}, 0.1f}, /*is_relaxed=*/true), {{1}});
  ASSERT_TRUE(results.ok()) << results.status();
  const Ball& padded = (*results)[0].enclosure[0];
  EXPECT_TRUE(padded.Contains(0.0999755859375));
  EXPECT_LT(padded.radius, 0.0001);
  EXPECT_EQ((*results)[0].from_double[0], 0.1f);
}

TEST(PadTest, MovesElementsOfEveryType) {
  EXPECT_THAT(Pad({{kFloat16, {2}}, {1, 1}}).from_float, ElementsAre(0, 1, 2, 0));
}

TEST(PadTest, PaddingsAndValueMayBeInputs) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kQuant8, {2}, 0.5, 7}),
                                        builder.Input({kInt32, {1, 2}}),
                                        builder.Input({OperandType::INT32})};
  builder.Operation(OperationType::PAD_V2, inputs, {builder.Output({kQuant8, {0}, 0.5, 7})});
  const Evaluated result = EvaluateMoves(builder.model(), {{1, 2}, {2, 1}, {200}})[0];
  EXPECT_THAT(result.dimensions, ElementsAre(5));
  EXPECT_THAT(result.from_double, ElementsAre(200, 200, 1, 2, 200));
  EXPECT_TRUE(IsRefused(builder.model(), "C2", {{1, 2}, {2, -1}, {200}}));
  EXPECT_TRUE(IsRefused(builder.model(), "C3", {{1, 2}, {2, 1}, {-1}}));
}

TEST(PadTest, TheRankMayBeKnownOnlyDuringTheExecution) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({kFloat32, {2}});
  const uint32_t open = builder.Temporary({kFloat32, {}});
  const uint32_t paddings = builder.Constant({kInt32, {2, 2}}, {1, 0, 0, 0});
  const uint32_t output = builder.Output({kFloat32, {}});
  builder.Operation(OperationType::EXPAND_DIMS, {input, builder.Int32(0)}, {open});
  builder.Operation(OperationType::PAD, {open, paddings}, {output});
  const Evaluated result = EvaluateMoves(builder.model(), {{1, 2}})[0];
  EXPECT_THAT(result.dimensions, ElementsAre(2, 2));
  EXPECT_THAT(result.from_double, ElementsAre(0, 0, 1, 2));
}

TEST(PadTest, pad_c1_rejects_paddings_of_other_dimensions) {
  const auto model = [](const std::vector<uint32_t>& dimensions, std::optional<double> value) {
    return ModelOf({{kFloat32, {2, 3}},
                    std::vector<double>(NumberOfElements(dimensions), 0),
                    value,
                    {},
                    dimensions});
  };
  for (const std::optional<double> value : {std::optional<double>(), std::optional<double>(1)}) {
    EXPECT_TRUE(IsRefused(model({1, 2}, value), "C1"));
    EXPECT_TRUE(IsRefused(model({3, 2}, value), "C1"));
    EXPECT_TRUE(IsRefused(model({2, 1}, value), "C1"));
    EXPECT_TRUE(IsRefused(model({4, 1}, value), "C1"));
  }
}

TEST(PadTest, pad_c2_rejects_negative_paddings) {
  for (const double wrong : {-1.0, static_cast<double>(std::numeric_limits<int32_t>::min())}) {
    EXPECT_TRUE(IsRefused(ModelOf({{kFloat32, {4}}, {wrong, 0}}), "C2"));
    EXPECT_TRUE(IsRefused(ModelOf({{kFloat32, {4}}, {0, wrong}, 1}), "C2"));
  }
}

TEST(PadTest, pad_c3_rejects_undefined_padding_before_1_2) {
  const auto model = [](int32_t zero_point) {
    return ModelOf({{kQuant8, {1}, 0.5, zero_point}, {0, 0}, std::nullopt, {1}});
  };
  EXPECT_TRUE(IsRefused(model(1), "C3", {}, HalVersion::V1_1));
  EXPECT_EQ(PreparationErrorOf(model(0), HalVersion::V1_1), "");
  EXPECT_EQ(PreparationErrorOf(model(1), HalVersion::V1_2), "");
}

TEST(PadV2Test, pad_v2_c3_rejects_values_that_are_no_quantized_elements) {
  for (const double wrong : {-1.0, 256.0}) {
    EXPECT_TRUE(IsRefused(ModelOf({{kQuant8, {1}, 0.5, 7}, {1, 0}, wrong}), "C3"));
  }
}

TEST(PadTest, RefusesDimensionsThatDoNotFitTheHal) {
  EXPECT_THAT(PreparationErrorOf(ModelOf({{kFloat32, {2}}, {kGreatest, kGreatest}})),
              HasSubstr("PAD: the output would have dimensions [4294967296]"));
}

TEST(PadTest, RefusesOutputsThatAreTooLarge) {
  const auto results =
      EvaluateInAllSystems(ModelOf({{kFloat32, {1}}, {kGreatest, kGreatest}}), {{1}});
  EXPECT_THAT(results.status().message(), HasSubstr("4294967295"));
}

TEST(PadTest, TheSignatureGoesByHalVersion) {
  const auto error = [](OperandType type, std::optional<double> value, HalVersion version) {
    const float scale = type == kQuant8 ? 1.f : 0.f;
    return PreparationErrorOf(ModelOf({{type, {1}, scale}, {0, 0}, value, {1}}), version);
  };
  EXPECT_EQ(error(kFloat32, std::nullopt, HalVersion::V1_1), "");
  EXPECT_EQ(error(kQuant8, std::nullopt, HalVersion::V1_1), "");
  EXPECT_THAT(error(kFloat32, std::nullopt, HalVersion::V1_0),
              HasSubstr("the type is PAD; expected one of HAL 1.0"));
  EXPECT_THAT(error(kFloat16, std::nullopt, HalVersion::V1_1),
              HasSubstr("the type is TENSOR_FLOAT16; expected one of HAL 1.1"));
  EXPECT_EQ(error(kFloat16, std::nullopt, HalVersion::V1_2), "");
  EXPECT_THAT(error(kInt32, std::nullopt, HalVersion::V1_2),
              HasSubstr("(operand 0) is TENSOR_INT32; expected "));
  EXPECT_THAT(error(kFloat32, 1, HalVersion::V1_1),
              HasSubstr("the type is PAD_V2; expected one of HAL 1.1"));
  for (const OperandType type : {kFloat32, kFloat16, kQuant8}) {
    EXPECT_EQ(error(type, 1, HalVersion::V1_2), "");
  }
  EXPECT_THAT(PreparationErrorOf(ModelOf({{kFloat32, {1, 1, 1, 1, 1}}, std::vector<double>(10)})),
              HasSubstr("rank 5"));
}

TEST(PadV2Test, RefusesAValueOfAnotherType) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kQuant8, {1}, 0.5, 7}),
                                        builder.Constant({kInt32, {1, 2}}, {0, 0}),
                                        builder.Float32(1)};
  builder.Operation(OperationType::PAD_V2, inputs, {builder.Output({kQuant8, {1}, 0.5, 7})});
  EXPECT_THAT(PreparationErrorOf(builder.model()),
              HasSubstr("input 2 'padValue' (operand 2) is FLOAT32; expected INT32"));
}

}  // namespace
}  // namespace nncert
