// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/operand_chooser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Le;
using ::testing::SizeIs;

enum : int { kInput, kOther, kBias, kCount, kLate };

// What the recipe under test does.
void (*recipe)(OperandChooser&) = nullptr;

// An operation of two tensors, a bias, a number, and one since HAL 1.2 that may be left out.
OperationDefinition MakeDefinition() {
  return {
      .type = OperationType::ADD,
      .signature = {.inputs = {FloatOrQuantizedTensor("input").Ranks({1, 2}),
                               Tensor("other").TypeLike(kInput).Ranks({1, 2}).QuantizedLike(kInput),
                               Tensor("bias")
                                   .TypeWhen(kInput, OperandType::TENSOR_FLOAT32,
                                             OperandType::TENSOR_FLOAT32)
                                   .TypeWhen(kInput, OperandType::TENSOR_QUANT8_ASYMM,
                                             OperandType::TENSOR_INT32)
                                   .TypeWhen(kInput, OperandType::TENSOR_FLOAT16,
                                             OperandType::TENSOR_FLOAT16, HalVersion::V1_2)
                                   .QuantizedAsBias(kInput, kOther)
                                   .Omittable(),
                               Int32Scalar("count").Values(Uniform(3, 5)),
                               BoolScalar("late").Trailing()},
                    .outputs = {Tensor("output").TypeLike(kInput)}},
      .shape = SameShapeAsFirstInput,
      .choose = [](OperandChooser& choose) { recipe(choose); },
  };
}

// The combination of types whose first one is `type`.
OperandTypes TypesOf(const OperationDefinition& definition, OperandType type) {
  for (const OperandTypes& types : TypeCombinations(definition, HalVersion::V1_2)) {
    if (types.inputs[0] == type) return types;
  }
  ADD_FAILURE() << "there is no such combination";
  return {};
}

class OperandChooserTest : public testing::Test {
 protected:
  OperandChooserTest() { recipe = ChooseAlike; }

  std::optional<OperandChooser> Choose(OperandType type,
                                       const std::optional<GivenOperand>& given = std::nullopt,
                                       OperandWishes sizes = {}) {
    return OperandChooser::Choose(definition_, HalVersion::V1_2, TypesOf(definition_, type), given,
                                  sizes, random_);
  }

  const OperationDefinition definition_ = MakeDefinition();
  SplitMix64 random_{1};
};

TEST_F(OperandChooserTest, CombinesTypesAsTheSignatureSays) {
  const std::vector<OperandTypes> all = TypeCombinations(definition_, HalVersion::V1_2);
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_THAT(all[1].inputs,
              ElementsAre(OperandType::TENSOR_QUANT8_ASYMM, OperandType::TENSOR_QUANT8_ASYMM,
                          OperandType::TENSOR_INT32, OperandType::INT32, OperandType::BOOL));
  EXPECT_THAT(all[1].outputs, ElementsAre(OperandType::TENSOR_QUANT8_ASYMM));
  EXPECT_THAT(TypeCombinations(definition_, HalVersion::V1_0), SizeIs(2));
}

TEST_F(OperandChooserTest, LeavesOptionalOperandsOutAtTimes) {
  std::set<std::pair<bool, size_t>> seen;
  for (int i = 0; i < 100; ++i) {
    const auto choice = Choose(OperandType::TENSOR_FLOAT32);
    ASSERT_TRUE(choice.has_value());
    seen.insert({choice->Has(kBias), choice->form().size()});
  }
  EXPECT_THAT(seen, SizeIs(4));
}

TEST_F(OperandChooserTest, NeverHasOperandsOfALaterVersion) {
  for (int i = 0; i < 20; ++i) {
    const auto choice = OperandChooser::Choose(definition_, HalVersion::V1_0,
                                               TypeCombinations(definition_, HalVersion::V1_0)[0],
                                               std::nullopt, {}, random_);
    ASSERT_TRUE(choice.has_value());
    EXPECT_THAT(choice->form(), ElementsAre(kInput, kOther, kBias, kCount));
  }
}

TEST_F(OperandChooserTest, TakesScalarsFromTheHint) {
  std::set<double> seen;
  for (int i = 0; i < 100; ++i) {
    seen.insert(Choose(OperandType::TENSOR_FLOAT32)->Inputs(kCount)[0].values[0]);
  }
  EXPECT_THAT(seen, ElementsAre(3, 4, 5));
}

TEST_F(OperandChooserTest, ReachesAsFarAsIsWishedWhereTheHintMayBeScaled) {
  const auto choice = Choose(OperandType::TENSOR_FLOAT32, std::nullopt, {.reach = 64});
  ASSERT_TRUE(choice.has_value());
  EXPECT_EQ(choice->Range(kInput), (ValueRange{-128, 128}));
  EXPECT_LE(choice->Inputs(kCount)[0].values[0], 5);
  const auto quantized = Choose(OperandType::TENSOR_QUANT8_ASYMM, std::nullopt, {.reach = 64});
  ASSERT_TRUE(quantized.has_value());
  EXPECT_GT(RangeOfQuantized(quantized->Info(kInput)).Magnitude(), 100);
  const OperandRule specific = Tensor("weights").Values(Uniform(-1, 1));
  EXPECT_EQ(HintedRange(specific, OperandType::TENSOR_FLOAT32, 64), (ValueRange{-1, 1}));
}

TEST_F(OperandChooserTest, SomeQuantizedOutputsHoldNotAllThatComes) {
  int narrow = 0;
  constexpr int kChoices = 400;
  for (int i = 0; i < kChoices; ++i) {
    const auto choice = Choose(OperandType::TENSOR_QUANT8_ASYMM);
    ASSERT_TRUE(choice.has_value());
    const double all = RangeOfQuantized(choice->Info(kInput)).Magnitude();
    const double held = RangeOfQuantized(choice->outputs()[0].info).Magnitude();
    EXPECT_GT(held, 0.45 * all);
    if (held < 0.7 * all) ++narrow;
  }
  EXPECT_GT(narrow, kChoices / 8);
  EXPECT_LT(narrow, kChoices / 2);
}

TEST_F(OperandChooserTest, TiesQuantization) {
  for (int i = 0; i < 20; ++i) {
    const auto choice = Choose(OperandType::TENSOR_QUANT8_ASYMM);
    ASSERT_TRUE(choice.has_value());
    const OperandInfo& input = choice->Info(kInput);
    EXPECT_GT(input.scale, 0);
    EXPECT_EQ(choice->Info(kOther).scale, input.scale);
    EXPECT_EQ(choice->Info(kOther).zeroPoint, input.zeroPoint);
    if (choice->Has(kBias)) {
      EXPECT_EQ(choice->Info(kBias).scale, input.scale * input.scale);
    }
  }
}

TEST_F(OperandChooserTest, TakesAGivenValueAsItIs) {
  GivenOperand given;
  given.slot = kOther;
  given.info.type = OperandType::TENSOR_QUANT8_ASYMM;
  given.info.dimensions = {7, 9};
  given.info.scale = 0.5F;
  given.info.zeroPoint = 12;
  given.range = {-6, 121};
  const auto choice = Choose(OperandType::TENSOR_QUANT8_ASYMM, given);
  ASSERT_TRUE(choice.has_value());
  EXPECT_TRUE(choice->IsGiven(kOther));
  EXPECT_THAT(choice->Info(kInput).dimensions, ElementsAre(7, 9));
  EXPECT_EQ(choice->Info(kInput).scale, 0.5F);
  EXPECT_EQ(choice->Info(kInput).zeroPoint, 12);
  EXPECT_EQ(choice->Range(kOther), given.range);
  EXPECT_THAT(choice->outputs()[0].info.dimensions, ElementsAre(7, 9));
}

TEST_F(OperandChooserTest, HasNoChoiceWhereAGivenValueDoesNotFit) {
  GivenOperand given;
  given.slot = kInput;
  given.info.type = OperandType::TENSOR_FLOAT32;
  given.info.dimensions = {2, 3, 4};
  EXPECT_FALSE(Choose(OperandType::TENSOR_FLOAT32, given).has_value()) << "of a rank that is none";
  given.info.dimensions = {2, 3};
  recipe = [](OperandChooser& choose) { choose.SetDimensions(kInput, {3, 2}); };
  EXPECT_FALSE(Choose(OperandType::TENSOR_FLOAT32, given).has_value());
  recipe = [](OperandChooser& choose) { choose.SetValues(kInput, {1, 2, 3, 4, 5, 6}); };
  EXPECT_FALSE(Choose(OperandType::TENSOR_FLOAT32, given).has_value());
}

TEST_F(OperandChooserTest, HasTheDimensionThatIsWishedForOnce) {
  int count = 0;
  for (int i = 0; i < 100; ++i) {
    const auto choice =
        Choose(OperandType::TENSOR_FLOAT32, std::nullopt, {.most_elements = 200, .dimension = 65});
    const Shape& dimensions = choice->Info(kInput).dimensions;
    count += std::count(dimensions.begin(), dimensions.end(), 65U) == 1;
    EXPECT_LE(NumberOfElements(dimensions), 200);
  }
  EXPECT_THAT(count, AllOf(Ge(30), Le(100)));
}

TEST_F(OperandChooserTest, BroadcastsToOneAnother) {
  recipe = ChooseBroadcast;
  std::set<Shape> others;
  for (int i = 0; i < 300; ++i) {
    const auto choice = Choose(OperandType::TENSOR_FLOAT32);
    ASSERT_TRUE(choice.has_value());
    const Shape& a = choice->Info(kInput).dimensions;
    const Shape& b = choice->Info(kOther).dimensions;
    ASSERT_TRUE(BroadcastShape(a, b).ok()) << ShapeToString(a) << ' ' << ShapeToString(b);
    if (a == Shape{2, 3}) others.insert(b);
  }
  EXPECT_THAT(others, Contains(Shape({2, 3})));
  EXPECT_THAT(others, SizeIs(Ge(2)));
}

TEST(QuantizationOfTest, HoldsTheRangeAndZero) {
  EXPECT_EQ(QuantizationOf(OperandType::TENSOR_QUANT8_ASYMM, {-1, 1.55}), std::pair(0.01F, 100));
  EXPECT_EQ(QuantizationOf(OperandType::TENSOR_QUANT8_ASYMM, {1, 2.55}), std::pair(0.01F, 0));
  EXPECT_EQ(QuantizationOf(OperandType::TENSOR_QUANT8_ASYMM, {-2.55, -1}), std::pair(0.01F, 255));
  EXPECT_EQ(QuantizationOf(OperandType::TENSOR_QUANT8_ASYMM, {0, 0}), std::pair(1.0F, 0));
  EXPECT_EQ(QuantizationOf(OperandType::TENSOR_QUANT16_SYMM, {-3, 32767}), std::pair(1.0F, 0));
}

TEST(RangeOfQuantizedTest, IsThatOfTheIntegers) {
  OperandInfo info;
  info.type = OperandType::TENSOR_QUANT8_ASYMM;
  info.scale = 0.5F;
  info.zeroPoint = 5;
  EXPECT_EQ(RangeOfQuantized(info), (ValueRange{-2.5, 125}));
}

}  // namespace
}  // namespace nncert
