// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/calls/condition.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;

bool Holds(std::string_view condition, const OperationCall& call) {
  const absl::StatusOr<Condition> parsed = Condition::Parse(condition);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return parsed.ok() && parsed->Holds(call);
}

OperationCall CallOfOperation(const ModelBuilder& builder, size_t operation = 0) {
  absl::StatusOr<OperationCall> call = CallOf(builder.model(), operation, 8);
  EXPECT_TRUE(call.ok()) << call.status();
  return *std::move(call);
}

// [2, 3, 20] + [20], the second one a constant; then the sum plus itself.
ModelBuilder SumsModel() {
  ModelBuilder builder;
  const OperandSpec large = {OperandType::TENSOR_FLOAT32, {2, 3, 20}};
  const uint32_t a = builder.Input(large);
  const uint32_t b =
      builder.Constant({OperandType::TENSOR_FLOAT32, {20}}, std::vector<double>(20, 1));
  const uint32_t sum = builder.Temporary(large);
  builder.Operation(OperationType::ADD, {a, b, builder.Int32(0)}, {sum});
  builder.Operation(OperationType::ADD, {sum, sum, builder.Int32(0)}, {builder.Output(large)});
  return builder;
}

TEST(ConditionTest, QuantitiesAreCompared) {
  const OperationCall call = CallOfOperation(SumsModel());
  EXPECT_TRUE(Holds("rank>2", call));
  EXPECT_FALSE(Holds("rank>3", call));
  EXPECT_TRUE(Holds("rank<4", call));
  EXPECT_FALSE(Holds("rank<3", call));
  EXPECT_TRUE(Holds("rank=3", call));
  EXPECT_FALSE(Holds("rank=2", call));
  EXPECT_TRUE(Holds("inner%8", call));
  EXPECT_FALSE(Holds("inner%10", call));
}

TEST(ConditionTest, QuantitiesAreThoseOfTheOperation) {
  const ModelBuilder builder = SumsModel();
  const OperationCall call = CallOfOperation(builder);
  EXPECT_TRUE(Holds("dimension=20", call));
  EXPECT_TRUE(Holds("batch=2", call));
  EXPECT_TRUE(Holds("inner=20", call));
  EXPECT_TRUE(Holds("inputs=3", call));
  EXPECT_TRUE(Holds("elements=120", call));
  EXPECT_TRUE(Holds("consumers=1", call));
  EXPECT_TRUE(Holds("consumers=2", CallOfOperation(builder, 1)));
  EXPECT_TRUE(Holds("operations=2", call));
}

TEST(ConditionTest, PropertiesAreThoseOfTheOperation) {
  const ModelBuilder builder = SumsModel();
  const OperationCall first = CallOfOperation(builder);
  const OperationCall second = CallOfOperation(builder, 1);
  EXPECT_TRUE(Holds("constant", first));
  EXPECT_FALSE(Holds("constant", second));
  EXPECT_FALSE(Holds("first_constant", first));
  EXPECT_FALSE(Holds("variable", first));
  EXPECT_TRUE(Holds("variable", second));
  EXPECT_FALSE(Holds("internal", first));
  EXPECT_TRUE(Holds("internal", second));
  EXPECT_FALSE(Holds("same_operand", first));
  EXPECT_TRUE(Holds("same_operand", second));
  EXPECT_FALSE(Holds("relaxed", first));
  EXPECT_TRUE(Holds("relaxed", CallOfOperation(SumsModel().Relaxed())));
}

TEST(ConditionTest, ALayoutIsKnownFromItsScalar) {
  const auto call_with = [](bool is_nchw) {
    ModelBuilder builder;
    const OperandSpec image = {OperandType::TENSOR_FLOAT32, {1, 4, 4, 4}};
    builder.Operation(OperationType::SPACE_TO_DEPTH,
                      {builder.Input(image), builder.Int32(2), builder.Bool(is_nchw)},
                      {builder.Output({OperandType::TENSOR_FLOAT32, {0, 0, 0, 0}})});
    return CallOfOperation(builder);
  };
  EXPECT_TRUE(Holds("nchw", call_with(true)));
  EXPECT_FALSE(Holds("nchw", call_with(false)));
  EXPECT_FALSE(Holds("nchw", CallOfOperation(SumsModel())));
}

TEST(ConditionTest, OperationAndTypeAreTheHalsNames) {
  const OperationCall call = CallOfOperation(SumsModel());
  EXPECT_TRUE(Holds("operation=ADD", call));
  EXPECT_FALSE(Holds("operation=SUB", call));
  EXPECT_TRUE(Holds("type=TENSOR_FLOAT32", call));
  EXPECT_FALSE(Holds("type=TENSOR_FLOAT16", call));
}

TEST(ConditionTest, EveryIsANumber) {
  const absl::StatusOr<Condition> every = Condition::Parse("every=3");
  ASSERT_TRUE(every.ok()) << every.status();
  EXPECT_EQ(every->every(), 3u);
  EXPECT_EQ(Condition::Parse("constant")->every(), 1u);
}

TEST(ConditionTest, ErrorsSayWhatWasExpected) {
  const auto error_of = [](std::string_view text) {
    const absl::Status status = Condition::Parse(text).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text << ": " << status;
    return std::string(status.message());
  };
  EXPECT_THAT(error_of("blue"), HasSubstr("constant, first_constant"));
  EXPECT_THAT(error_of("blue"), HasSubstr("rank, dimension"));
  EXPECT_THAT(error_of(""), HasSubstr("one of constant"));
  EXPECT_THAT(error_of("blue>3"), HasSubstr("one of rank"));
  EXPECT_THAT(error_of("rank>many"), HasSubstr("a number"));
  EXPECT_THAT(error_of("rank>-1"), HasSubstr("a number"));
  EXPECT_THAT(error_of("rank>"), HasSubstr("a number"));
  EXPECT_THAT(error_of("rank>99999999999999999999"), HasSubstr("a number of 64 bits"));
  EXPECT_THAT(error_of("rank%0"), HasSubstr("above 0"));
  EXPECT_THAT(error_of("every=0"), HasSubstr("above 0"));
  EXPECT_THAT(error_of("every>2"), HasSubstr("one of rank"));
  EXPECT_THAT(error_of("operation=CONV"), HasSubstr("CONV_2D"));
  EXPECT_THAT(error_of("type=FLOAT"), HasSubstr("TENSOR_FLOAT32"));
}

}  // namespace
}  // namespace nncert
