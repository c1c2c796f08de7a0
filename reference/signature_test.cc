// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(OperandRuleTest, StartsRequiredAndFree) {
  const OperandRule rule = Tensor("input");
  EXPECT_EQ(rule.name(), "input");
  EXPECT_TRUE(rule.is_tensor());
  EXPECT_FALSE(rule.is_parameter());
  EXPECT_FALSE(rule.is_variadic());
  EXPECT_FALSE(rule.trails_with_next());
  EXPECT_EQ(rule.presence(), Presence::kRequired);
  EXPECT_EQ(rule.since(), HalVersion::V1_0);
  EXPECT_EQ(rule.like_slot(), -1);
  EXPECT_THAT(rule.types(), IsEmpty());
  EXPECT_THAT(rule.quantization(), IsEmpty());
}

TEST(OperandRuleTest, TypesAddUpByVersion) {
  const OperandRule rule = Tensor("input")
                               .Types({OperandType::TENSOR_FLOAT32, OperandType::TENSOR_INT32})
                               .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT16});
  ASSERT_EQ(rule.types().size(), 3);
  EXPECT_EQ(rule.types()[0].type, OperandType::TENSOR_FLOAT32);
  EXPECT_EQ(rule.types()[0].since, HalVersion::V1_0);
  EXPECT_EQ(rule.types()[2].type, OperandType::TENSOR_FLOAT16);
  EXPECT_EQ(rule.types()[2].since, HalVersion::V1_2);
  EXPECT_EQ(rule.types()[2].when_slot, -1);
}

TEST(OperandRuleTest, TypesMayDependOnAnotherOperand) {
  const OperandRule rule = Tensor("bias").TypeWhen(0, OperandType::TENSOR_QUANT8_ASYMM,
                                                   OperandType::TENSOR_INT32, HalVersion::V1_1);
  ASSERT_EQ(rule.types().size(), 1);
  EXPECT_EQ(rule.types()[0].when_slot, 0);
  EXPECT_EQ(rule.types()[0].when_type, OperandType::TENSOR_QUANT8_ASYMM);
  EXPECT_EQ(rule.types()[0].type, OperandType::TENSOR_INT32);
  EXPECT_EQ(rule.types()[0].since, HalVersion::V1_1);
}

TEST(OperandRuleTest, RanksAddUpByVersion) {
  const OperandRule rule = Tensor("input").Ranks({2, 4}).Ranks(HalVersion::V1_2, {1, 3});
  for (const HalVersion version : hal::kHalVersions) {
    const bool has_odd = version == HalVersion::V1_2;
    EXPECT_EQ(rule.AllowsRank(1, version), has_odd);
    EXPECT_TRUE(rule.AllowsRank(2, version));
    EXPECT_EQ(rule.AllowsRank(3, version), has_odd);
    EXPECT_TRUE(rule.AllowsRank(4, version));
    EXPECT_FALSE(rule.AllowsRank(5, version));
    EXPECT_FALSE(rule.AllowsRank(0, version));
  }
  EXPECT_EQ(rule.RanksToString(HalVersion::V1_1), "2 or 4");
  EXPECT_EQ(rule.RanksToString(HalVersion::V1_2), "1, 2, 3 or 4");
}

TEST(OperandRuleTest, WithoutARuleAnyRankFromOneIsAllowed) {
  const OperandRule rule = Tensor("input");
  EXPECT_FALSE(rule.AllowsRank(0, HalVersion::V1_0));
  EXPECT_TRUE(rule.AllowsRank(1, HalVersion::V1_0));
  EXPECT_TRUE(rule.AllowsRank(40, HalVersion::V1_0));
  EXPECT_EQ(rule.RanksToString(HalVersion::V1_0), "at least 1");
}

TEST(OperandRuleTest, RanksBeyondTheRuleAreRefused) {
  // Ranks are bits of a number: 33 is not taken for 1.
  EXPECT_FALSE(Tensor("input").Ranks({1}).AllowsRank(33, HalVersion::V1_2));
  EXPECT_FALSE(Tensor("input").Ranks({1}).AllowsRank(32, HalVersion::V1_2));
}

TEST(OperandRuleTest, RanksOfALaterVersionAlone) {
  const OperandRule rule = Tensor("input").Ranks(HalVersion::V1_2, {4});
  EXPECT_EQ(rule.RanksToString(HalVersion::V1_0), "none at this version");
  EXPECT_FALSE(rule.AllowsRank(4, HalVersion::V1_0));
}

TEST(OperandRuleTest, ScalarsHaveRankZero) {
  const OperandRule rule = Int32Scalar("axis");
  EXPECT_TRUE(rule.AllowsRank(0, HalVersion::V1_0));
  EXPECT_FALSE(rule.AllowsRank(1, HalVersion::V1_0));
  EXPECT_EQ(rule.RanksToString(HalVersion::V1_0), "0 (a scalar)");
  EXPECT_TRUE(rule.is_parameter());
}

TEST(OperandRuleTest, QuantizationRulesAddUp) {
  const OperandRule rule = Tensor("output")
                               .QuantizedLike(2)
                               .Quantized(0.125F, 7, OperandType::TENSOR_QUANT16_ASYMM)
                               .QuantizedAsBias(0, 1);
  ASSERT_EQ(rule.quantization().size(), 3);
  EXPECT_EQ(rule.quantization()[0].kind, QuantizationRule::Kind::kSameAs);
  EXPECT_EQ(rule.quantization()[0].slot, 2);
  EXPECT_EQ(rule.quantization()[1].kind, QuantizationRule::Kind::kFixed);
  EXPECT_EQ(rule.quantization()[1].scale, 0.125F);
  EXPECT_EQ(rule.quantization()[1].zeroPoint, 7);
  EXPECT_EQ(rule.quantization()[1].only_type, OperandType::TENSOR_QUANT16_ASYMM);
  EXPECT_EQ(rule.quantization()[2].kind, QuantizationRule::Kind::kBias);
  EXPECT_EQ(rule.quantization()[2].slot, 0);
  EXPECT_EQ(rule.quantization()[2].filter_slot, 1);
}

TEST(OperandRuleTest, OtherProperties) {
  const OperandRule rule = Tensor("x")
                               .Since(HalVersion::V1_1)
                               .Trailing(true)
                               .Parameter()
                               .Variadic()
                               .TypeLike(3)
                               .Describe("What it is.")
                               .Values(LogUniform(0.5, 2));
  EXPECT_EQ(rule.since(), HalVersion::V1_1);
  EXPECT_EQ(rule.presence(), Presence::kTrailing);
  EXPECT_TRUE(rule.trails_with_next());
  EXPECT_TRUE(rule.is_parameter());
  EXPECT_TRUE(rule.is_variadic());
  EXPECT_EQ(rule.like_slot(), 3);
  EXPECT_EQ(rule.description(), "What it is.");
  EXPECT_EQ(rule.values().kind, ValueHint::Kind::kLogUniform);
  EXPECT_EQ(rule.values().lowest, 0.5);
  EXPECT_EQ(rule.values().highest, 2);
  EXPECT_EQ(Tensor("y").Omittable().presence(), Presence::kOmittable);
}

TEST(ScalarRulesTest, BooleansCameWithHal12) {
  EXPECT_EQ(BoolScalar("flag").since(), HalVersion::V1_2);
  EXPECT_EQ(LayoutScalar().name(), "layout");
  EXPECT_EQ(LayoutScalar().types()[0].type, OperandType::BOOL);
}

TEST(ScalarRulesTest, FloatsFollowTheTensor) {
  const OperandRule rule = FloatScalarLike("beta", 1);
  for (const TypeAlternative& type : rule.types()) {
    EXPECT_EQ(type.when_slot, 1);
    const bool is_half = type.when_type == OperandType::TENSOR_FLOAT16;
    EXPECT_EQ(type.type, is_half ? OperandType::FLOAT16 : OperandType::FLOAT32);
  }
}

TEST(ScalarRulesTest, Int32VectorsAreParameters) {
  const OperandRule rule = Int32Vector("axes");
  EXPECT_TRUE(rule.is_tensor());
  EXPECT_TRUE(rule.is_parameter());
  EXPECT_TRUE(rule.AllowsRank(1, HalVersion::V1_0));
  EXPECT_FALSE(rule.AllowsRank(2, HalVersion::V1_0));
}

TEST(SignatureTest, TheOneFormIsAllSlotsInOrder) {
  const Signature signature = {.inputs = {Tensor("a"), Tensor("b"), ActivationScalar()}};
  EXPECT_THAT(signature.AllForms(), ElementsAre(ElementsAre(0, 1, 2)));
}

TEST(SignatureTest, FormsAreTakenAsGiven) {
  const Signature signature = {.inputs = {Tensor("a"), Tensor("b")}, .forms = {{1, 0}, {0}}};
  EXPECT_THAT(signature.AllForms(), ElementsAre(ElementsAre(1, 0), ElementsAre(0)));
}

TEST(SignatureTest, FormsCameWithTheInputsThatTheyMustHave) {
  const Signature signature = {.inputs = {Tensor("a"), Tensor("b").Since(HalVersion::V1_1),
                                          Tensor("c").Since(HalVersion::V1_2).Trailing()}};
  EXPECT_TRUE(signature.HasForm({0}, HalVersion::V1_0));
  EXPECT_FALSE(signature.HasForm({0, 1}, HalVersion::V1_0));
  EXPECT_TRUE(signature.HasForm({0, 1}, HalVersion::V1_1));
  EXPECT_TRUE(signature.HasForm({0, 2}, HalVersion::V1_0));
}

}  // namespace
}  // namespace nncert
