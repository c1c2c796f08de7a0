// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/operation_definition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "hal/testing/status_is.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kFloat16 = OperandType::TENSOR_FLOAT16;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kPerChannel = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

OperandInfo Info(OperandType type, const Shape& dimensions = {}, float scale = 0,
                 int32_t zeroPoint = 0) {
  OperandInfo info;
  info.type = type;
  info.dimensions = dimensions;
  info.scale = scale;
  info.zeroPoint = zeroPoint;
  return info;
}

// Operands that are matched with a definition: inputs are operands 0, 1, ..., outputs 100, ...
struct Operands {
  std::vector<OperandInfo> inputs;
  std::vector<OperandInfo> outputs = {Info(kFloat32, {2})};
  std::vector<int> omitted = {};

  std::vector<OperandState> InputStates() const {
    std::vector<OperandState> states;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const bool is_omitted =
          std::find(omitted.begin(), omitted.end(), static_cast<int>(i)) != omitted.end();
      states.push_back({&inputs[i], static_cast<uint32_t>(i), is_omitted, nullptr});
    }
    return states;
  }
  std::vector<OperandState> OutputStates() const {
    std::vector<OperandState> states;
    for (size_t i = 0; i < outputs.size(); ++i) {
      states.push_back({&outputs[i], static_cast<uint32_t>(100 + i), false, nullptr});
    }
    return states;
  }
};

// "" when the operands match, otherwise the error.
std::string Match(const Signature& signature, const Operands& operands,
                  HalVersion version = HalVersion::V1_2) {
  OperationDefinition definition;
  definition.type = OperationType::ADD;
  definition.signature = signature;
  return std::string(
      MatchSignature(definition, version, operands.InputStates(), operands.OutputStates())
          .status()
          .message());
}

SlotBindings BindingsOf(const Signature& signature, const Operands& operands,
                        HalVersion version = HalVersion::V1_2) {
  OperationDefinition definition;
  definition.signature = signature;
  const auto bindings =
      MatchSignature(definition, version, operands.InputStates(), operands.OutputStates());
  EXPECT_TRUE(bindings.ok()) << bindings.status();
  return bindings.ok() ? *bindings : SlotBindings();
}

OperandRule Floats(std::string_view name) { return Tensor(name).Types({kFloat32}); }
const OperandInfo kRow = Info(kFloat32, {2});
const OperandInfo kScalar = Info(OperandType::INT32);

TEST(MatchSignatureTest, BindsSlotsInOrder) {
  const Signature signature = {.inputs = {Floats("a"), Int32Scalar("n")},
                               .outputs = {Floats("output")}};
  const SlotBindings bindings = BindingsOf(signature, {.inputs = {kRow, kScalar}});
  ASSERT_EQ(bindings.size(), 2);
  EXPECT_EQ(bindings[1].first, 1);
  EXPECT_EQ(bindings[1].count, 1);
}

TEST(MatchSignatureTest, TellsHowManyInputsAreExpected) {
  const Signature signature = {.inputs = {Floats("a"), Int32Scalar("n").Trailing()},
                               .outputs = {Floats("output")}};
  EXPECT_EQ(Match(signature, {.inputs = {kRow}}), "");
  EXPECT_EQ(Match(signature, {.inputs = {kRow, kScalar}}), "");
  EXPECT_THAT(Match(signature, {.inputs = {}}), HasSubstr("ADD: has 0 inputs; expected 1 to 2"));
  EXPECT_THAT(Match(signature, {.inputs = {kRow, kScalar, kScalar}}),
              HasSubstr("has 3 inputs; expected 1 to 2"));
}

TEST(MatchSignatureTest, InputsOfLaterVersionsDoNotCount) {
  const Signature signature = {
      .inputs = {Floats("a"), Int32Scalar("n").Since(HalVersion::V1_2).Trailing()},
      .outputs = {Floats("output")}};
  EXPECT_EQ(Match(signature, {.inputs = {kRow, kScalar}}), "");
  EXPECT_THAT(Match(signature, {.inputs = {kRow, kScalar}}, HalVersion::V1_1),
              HasSubstr("has 2 inputs; expected 1 at HAL 1.1"));
  EXPECT_EQ(BindingsOf(signature, {.inputs = {kRow}}, HalVersion::V1_1)[1].count, 0);
}

TEST(MatchSignatureTest, PairsThatTrailComeTogether) {
  const Signature signature = {.inputs = {Floats("a"), Int32Scalar("width").Trailing(true),
                                          Int32Scalar("height").Trailing()},
                               .outputs = {Floats("output")}};
  EXPECT_EQ(Match(signature, {.inputs = {kRow}}), "");
  EXPECT_EQ(Match(signature, {.inputs = {kRow, kScalar, kScalar}}), "");
  EXPECT_THAT(Match(signature, {.inputs = {kRow, kScalar}}), HasSubstr("'width'"));
}

TEST(MatchSignatureTest, VariadicSlotsTakeWhatIsThere) {
  const Signature signature = {.inputs = {Floats("values").Variadic(), Int32Scalar("axis")},
                               .outputs = {Floats("output")}};
  const SlotBindings bindings = BindingsOf(signature, {.inputs = {kRow, kRow, kRow, kScalar}});
  EXPECT_EQ(bindings[0].count, 3);
  EXPECT_EQ(bindings[1].first, 3);
  EXPECT_THAT(Match(signature, {.inputs = {kScalar}}), HasSubstr("expected at least 2"));
  EXPECT_THAT(Match(signature, {.inputs = {kRow, kScalar, kScalar}}),
              HasSubstr("ADD input 1 'values' (operand 1) is INT32"));
}

TEST(MatchSignatureTest, TakesTheFormThatFits) {
  const Signature signature = {
      .inputs = {Floats("a"), Int32Scalar("scheme"), Int32Scalar("left"), Int32Scalar("right")},
      .outputs = {Floats("output")},
      .forms = {{0, 2, 3}, {0, 1}}};
  EXPECT_EQ(BindingsOf(signature, {.inputs = {kRow, kScalar}})[1].first, 1);
  const SlotBindings explicit_form = BindingsOf(signature, {.inputs = {kRow, kScalar, kScalar}});
  EXPECT_EQ(explicit_form[1].count, 0);
  EXPECT_EQ(explicit_form[3].first, 2);
  // The error is that of the form that matches furthest.
  EXPECT_THAT(Match(signature, {.inputs = {kRow, kRow}}),
              HasSubstr("ADD input 1 'scheme' (operand 1) is TENSOR_FLOAT32; expected INT32"));
}

TEST(MatchSignatureTest, AFormWithAnInputOfALaterVersionDoesNotApplyBefore) {
  const Signature signature = {
      .inputs = {Floats("a"), Int32Scalar("n"), Int32Scalar("m").Since(HalVersion::V1_2)},
      .outputs = {Floats("output")},
      .forms = {{0, 1}, {0, 2}}};
  EXPECT_THAT(Match(signature, {.inputs = {kRow}}, HalVersion::V1_1),
              HasSubstr("ADD: has 1 inputs; expected 2 at HAL 1.1"));
  EXPECT_EQ(BindingsOf(signature, {.inputs = {kRow, kScalar}}, HalVersion::V1_1)[1].count, 1);
  EXPECT_EQ(Match({.inputs = {Int32Scalar("m").Since(HalVersion::V1_2)}}, {}, HalVersion::V1_1),
            "ADD takes no list of inputs at HAL 1.1");
}

TEST(BindingsByNumberTest, AreThoseOfTheOnlyFormWithSoManyInputs) {
  OperationDefinition definition;
  definition.type = OperationType::ADD;
  definition.signature = {
      .inputs = {Floats("a"), Int32Scalar("scheme"), Int32Scalar("left"), Int32Scalar("right"),
                 Int32Scalar("layout").Since(HalVersion::V1_2).Trailing()},
      .outputs = {Floats("output")},
      .forms = {{0, 2, 3}, {0, 1, 4}}};
  const auto bindings = [&](size_t inputs, HalVersion version = HalVersion::V1_2) {
    return BindingsByNumber(definition, version, inputs);
  };
  ASSERT_TRUE(bindings(2).has_value());
  EXPECT_EQ((*bindings(2))[1].first, 1);
  EXPECT_EQ((*bindings(2))[4].count, 0);
  // The types say which form three inputs are of, but before HAL 1.2 there is one such form.
  EXPECT_FALSE(bindings(3).has_value());
  ASSERT_TRUE(bindings(3, HalVersion::V1_1).has_value());
  EXPECT_EQ((*bindings(3, HalVersion::V1_1))[3].first, 2);
  EXPECT_FALSE(bindings(4).has_value());
}

TEST(MatchSignatureTest, ChecksTypesByVersion) {
  const Signature signature = {.inputs = {Floats("a").Types(HalVersion::V1_2, {kFloat16})},
                               .outputs = {Tensor("output").TypeLike(0)}};
  const Operands halves = {.inputs = {Info(kFloat16, {2})}, .outputs = {Info(kFloat16, {2})}};
  EXPECT_EQ(Match(signature, halves), "");
  EXPECT_THAT(Match(signature, halves, HalVersion::V1_1),
              HasSubstr("ADD input 0 'a' (operand 0) is TENSOR_FLOAT16; expected TENSOR_FLOAT32 at "
                        "HAL 1.1"));
  EXPECT_THAT(Match(signature, {.inputs = {Info(kInt32, {2})}}),
              HasSubstr("expected TENSOR_FLOAT32 or TENSOR_FLOAT16"));
  EXPECT_THAT(Match(signature, {.inputs = {kRow}, .outputs = {Info(kFloat16, {2})}}),
              HasSubstr("ADD output 0 'output' (operand 100) is TENSOR_FLOAT16; expected "
                        "TENSOR_FLOAT32"));
}

TEST(MatchSignatureTest, ChecksTypesThatDependOnOthers) {
  const Signature signature = {
      .inputs = {Tensor("a").Types({kFloat32, kQuant8}),
                 Tensor("bias").TypeWhen(0, kFloat32, kFloat32).TypeWhen(0, kQuant8, kInt32)},
      .outputs = {Floats("output")}};
  EXPECT_EQ(Match(signature, {.inputs = {kRow, kRow}}), "");
  EXPECT_EQ(Match(signature, {.inputs = {Info(kQuant8, {2}, 1), Info(kInt32, {2})}}), "");
  EXPECT_THAT(Match(signature, {.inputs = {kRow, Info(kInt32, {2})}}),
              HasSubstr("'bias' (operand 1) is TENSOR_INT32; expected TENSOR_FLOAT32"));
}

TEST(MatchSignatureTest, ChecksRanksThatAreKnown) {
  const Signature signature = {.inputs = {Floats("a").Ranks({4})}, .outputs = {Floats("output")}};
  EXPECT_EQ(Match(signature, {.inputs = {Info(kFloat32, {1, 0, 3, 4})}}), "");
  EXPECT_EQ(Match(signature, {.inputs = {Info(kFloat32, {})}}), "");
  EXPECT_THAT(Match(signature, {.inputs = {kRow}}), HasSubstr("has rank 1; expected rank 4"));
}

TEST(MatchSignatureTest, OnlyOptionalOperandsMayBeOmitted) {
  const Signature signature = {.inputs = {Floats("a"), Floats("b").Omittable()},
                               .outputs = {Floats("output")}};
  EXPECT_EQ(Match(signature, {.inputs = {kRow, kRow}, .omitted = {1}}), "");
  EXPECT_THAT(Match(signature, {.inputs = {kRow, kRow}, .omitted = {0}}),
              HasSubstr("ADD input 0 'a' (operand 0) has no value; it is not optional"));
  // The type counts all the same.
  EXPECT_THAT(Match(signature, {.inputs = {kRow, Info(kInt32, {2})}, .omitted = {1}}),
              HasSubstr("'b' (operand 1) is TENSOR_INT32"));
}

TEST(MatchSignatureTest, ChecksQuantizationLikeAnotherOperand) {
  const Signature signature = {.inputs = {Tensor("a").Types({kFloat32, kQuant8})},
                               .outputs = {Tensor("output").TypeLike(0).QuantizedLike(0)}};
  const auto match = [&](float scale, int32_t zeroPoint) {
    return Match(signature, {.inputs = {Info(kQuant8, {2}, 0.5F, 7)},
                             .outputs = {Info(kQuant8, {2}, scale, zeroPoint)}});
  };
  EXPECT_EQ(match(0.5F, 7), "");
  EXPECT_THAT(match(0.25F, 7), HasSubstr("has scale 0.25 and zeroPoint 7; expected scale 0.5 and "
                                         "zeroPoint 7"));
  EXPECT_THAT(match(0.5F, 8), HasSubstr("zeroPoint 8; expected"));
  EXPECT_EQ(Match(signature, {.inputs = {kRow}, .outputs = {kRow}}), "");
}

TEST(MatchSignatureTest, ChecksFixedQuantization) {
  const Signature signature = {
      .inputs = {Floats("a")},
      .outputs = {Tensor("output").Types({kFloat32, kQuant8}).Quantized(1.0F / 256, 0)}};
  EXPECT_EQ(Match(signature, {.inputs = {kRow}, .outputs = {kRow}}), "");
  EXPECT_EQ(Match(signature, {.inputs = {kRow}, .outputs = {Info(kQuant8, {2}, 1.0F / 256, 0)}}),
            "");
  EXPECT_THAT(Match(signature, {.inputs = {kRow}, .outputs = {Info(kQuant8, {2}, 1.0F / 256, 1)}}),
              HasSubstr("expected scale 0.00390625 and zeroPoint 0"));
}

TEST(MatchSignatureTest, FixedQuantizationMayBeForOneTypeOnly) {
  const Signature signature = {
      .inputs = {Floats("a")},
      .outputs = {Tensor("output")
                      .Types({kQuant8, OperandType::TENSOR_QUANT16_ASYMM})
                      .Quantized(0.125F, 0, OperandType::TENSOR_QUANT16_ASYMM)}};
  EXPECT_EQ(Match(signature, {.inputs = {kRow}, .outputs = {Info(kQuant8, {2}, 3, 3)}}), "");
  EXPECT_THAT(Match(signature, {.inputs = {kRow},
                                .outputs = {Info(OperandType::TENSOR_QUANT16_ASYMM, {2}, 1, 0)}}),
              HasSubstr("expected scale 0.125"));
}

TEST(MatchSignatureTest, ChecksTheScaleOfABias) {
  const Signature signature = {
      .inputs = {Tensor("a").Types({kQuant8}), Tensor("filter").Types({kQuant8, kPerChannel}),
                 Tensor("bias").Types({kInt32}).QuantizedAsBias(0, 1)},
      .outputs = {Floats("output")}};
  const auto match = [&](const OperandInfo& filter, float scale, int32_t zeroPoint) {
    return Match(signature, {.inputs = {Info(kQuant8, {2}, 0.3F, 7), filter,
                                        Info(kInt32, {2}, scale, zeroPoint)}});
  };
  const OperandInfo filter = Info(kQuant8, {2}, 0.7F, 9);
  EXPECT_EQ(match(filter, 0.3F * 0.7F, 0), "");
  EXPECT_THAT(match(filter, 0.2F, 0), HasSubstr("'bias' (operand 2) has scale 0.2"));
  EXPECT_THAT(match(filter, 0.3F * 0.7F, 1), HasSubstr("zeroPoint 1"));
  EXPECT_EQ(match(Info(kPerChannel, {2}), 0, 0), "");
  EXPECT_THAT(match(Info(kPerChannel, {2}), 0.21F, 0),
              HasSubstr("has scale 0.21 and zeroPoint 0; expected scale 0 and zeroPoint 0"));
}

TEST(MatchSignatureTest, ChecksTheNumberOfOutputs) {
  const Signature one = {.inputs = {Floats("a")}, .outputs = {Floats("output")}};
  EXPECT_THAT(Match(one, {.inputs = {kRow}, .outputs = {kRow, kRow}}),
              HasSubstr("ADD: has 2 outputs; expected 1"));
  const Signature many = {.inputs = {Floats("a")}, .outputs = {Floats("parts").Variadic()}};
  EXPECT_EQ(Match(many, {.inputs = {kRow}, .outputs = {kRow, kRow}}), "");
  EXPECT_THAT(Match(many, {.inputs = {kRow}, .outputs = {}}), HasSubstr("expected at least 1"));
}

TEST(MatchSignatureTest, RefusesOperationsOfALaterVersion) {
  OperationDefinition definition;
  definition.type = OperationType::CAST;
  definition.signature = {.inputs = {Floats("a")}, .outputs = {Floats("output")}};
  const Operands operands = {.inputs = {kRow}};
  EXPECT_THAT(
      MatchSignature(definition, HalVersion::V1_1, operands.InputStates(), operands.OutputStates())
          .status()
          .message(),
      HasSubstr("CAST was introduced in HAL 1.2; the model is held to HAL 1.1"));
}

// ---- Constraints ----

class CheckConstraintsTest : public testing::Test {
 protected:
  CheckConstraintsTest() {
    definition_.type = OperationType::ADD;
    definition_.signature = {.inputs = {Floats("a"), Int32Scalar("axis")},
                             .outputs = {Floats("output")}};
    definition_.constraints = {Constraint(
        "axis is below the rank of a", {.shapes = {0}, .values = {1}},
        [](const OperationContext& context) { return context.Int32(1) < context.Rank(0); })};
    definition_.constraints[0].label = "C7";
  }

  std::string Check(const OperandInfo& a, const int32_t* axis, Stage stage = Stage::kModel) {
    const Operands operands = {.inputs = {a, kScalar}};
    std::vector<OperandState> inputs = operands.InputStates();
    inputs[1].value = reinterpret_cast<const std::byte*>(axis);
    const SlotBindings bindings = {{0, 1}, {1, 1}};
    const OperationContext context(definition_, stage, HalVersion::V1_2, bindings, inputs, {});
    return std::string(CheckConstraints(context).message());
  }

  OperationDefinition definition_;
};

TEST_F(CheckConstraintsTest, NamesLabelTextAndOperands) {
  const int32_t good = 0;
  const int32_t bad = 1;
  EXPECT_EQ(Check(kRow, &good), "");
  EXPECT_THAT(Check(kRow, &bad),
              AllOf(HasSubstr("ADD: constraint C7 does not hold: axis is below the rank of a"),
                    HasSubstr("input 0 'a' (operand 0) of dimensions [2]"),
                    HasSubstr("input 1 'axis' (operand 1)")));
}

TEST_F(CheckConstraintsTest, WaitsForShapesAndValues) {
  const int32_t bad = 1;
  EXPECT_EQ(Check(kRow, nullptr), "");
  EXPECT_EQ(Check(Info(kFloat32, {0}), &bad), "");
  EXPECT_EQ(Check(Info(kFloat32, {}), &bad), "");
  EXPECT_THAT(Check(Info(kFloat32, {0}), &bad, Stage::kExecution),
              HasSubstr("constraint C7 does not hold"));
}

// ---- What definitions share ----

TEST(BroadcastShapeTest, TakesTheGreaterOfEachPair) {
  EXPECT_THAT(*BroadcastShape({4, 1, 2}, {5, 4, 3, 1}), ElementsAre(5, 4, 3, 2));
  EXPECT_THAT(*BroadcastShape({5, 4, 3, 1}, {4, 1, 2}), ElementsAre(5, 4, 3, 2));
  EXPECT_THAT(*BroadcastShape({3}, {3}), ElementsAre(3));
  EXPECT_THAT(*BroadcastShape({}, {2, 3}), ElementsAre(2, 3));
}

TEST(BroadcastShapeTest, EmptyGoesWithEmptyOrOne) {
  EXPECT_THAT(*BroadcastShape({0, 2}, {1, 2}), ElementsAre(0, 2));
  EXPECT_THAT(*BroadcastShape({0}, {0}), ElementsAre(0));
  EXPECT_THAT(BroadcastShape({0}, {2}),
              hal::testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                     "dimensions [0] and [2] do not broadcast"));
}

TEST(BroadcastShapeTest, RefusesOthers) {
  EXPECT_THAT(BroadcastShape({2, 3}, {2}).status().message(),
              HasSubstr("dimensions [2, 3] and [2] do not broadcast"));
}

TEST(CanonicalAxisTest, CountsFromTheEndWhenNegative) {
  EXPECT_EQ(CanonicalAxis(0, 3), 0);
  EXPECT_EQ(CanonicalAxis(2, 3), 2);
  EXPECT_EQ(CanonicalAxis(-1, 3), 2);
  EXPECT_EQ(CanonicalAxis(-3, 3), 0);
}

TEST(CanonicalAxisTest, IsMinusOneOutOfRange) {
  EXPECT_EQ(CanonicalAxis(3, 3), -1);
  EXPECT_EQ(CanonicalAxis(-4, 3), -1);
  EXPECT_EQ(CanonicalAxis(0, 0), -1);
  EXPECT_EQ(CanonicalAxis(std::numeric_limits<int>::min(), 4), -1);
  EXPECT_EQ(CanonicalAxis(std::numeric_limits<int>::max(), 4), -1);
}

TEST(OperationDefinitionTest, NameAndVersionAreThoseOfTheType) {
  OperationDefinition definition;
  definition.type = OperationType::TRANSPOSE;
  EXPECT_EQ(definition.name(), "TRANSPOSE");
  EXPECT_EQ(definition.since(), HalVersion::V1_1);
}

}  // namespace
}  // namespace nncert
