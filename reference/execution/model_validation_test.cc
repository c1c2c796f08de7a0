// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/model_validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hal/testing/status_is.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

hal::V1_2::Model Addition(const OperandSpec& a, const OperandSpec& b, const OperandSpec& output,
                          int activation) {
  ModelBuilder builder;
  const uint32_t first = builder.Input(a);
  const uint32_t second = builder.Input(b);
  const uint32_t function = builder.Int32(activation);
  const uint32_t result = builder.Output(output);
  builder.Operation(OperationType::ADD, {first, second, function}, {result});
  return builder.model();
}

const OperandSpec kFloats = {OperandType::TENSOR_FLOAT32, {2, 2}};
const OperandSpec kHalves = {OperandType::TENSOR_FLOAT16, {2, 2}};

TEST(ModelValidationTest, AcceptsAValidModelAtEveryVersion) {
  for (const HalVersion version : hal::kHalVersions) {
    EXPECT_EQ(ValidateModel(Addition(kFloats, kFloats, kFloats, 3), version), absl::OkStatus());
  }
}

TEST(ModelValidationTest, NamesOperationOperandAndExpectedType) {
  const absl::Status status = ValidateModel(Addition(kFloats, kHalves, kFloats, 0));
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("operation 0"), HasSubstr("ADD input 1 'b' (operand 1)"),
                    HasSubstr("is TENSOR_FLOAT16"), HasSubstr("expected TENSOR_FLOAT32")));
}

TEST(ModelValidationTest, ChecksOperandsOfTheOutput) {
  const absl::Status status = ValidateModel(Addition(kFloats, kFloats, kHalves, 0));
  EXPECT_THAT(status.message(), HasSubstr("ADD output 0 'output' (operand 3) is TENSOR_FLOAT16"));
}

TEST(ModelValidationTest, ChecksConstraintsOnConstants) {
  const absl::Status status = ValidateModel(Addition(kFloats, kFloats, kFloats, 4));
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("operation 0: ADD: constraint C1"), HasSubstr("operand 2")));
}

TEST(ModelValidationTest, ChecksDimensionsThatTheModelDecides) {
  const OperandSpec three = {OperandType::TENSOR_FLOAT32, {3, 2}};
  EXPECT_THAT(ValidateModel(Addition(kFloats, three, kFloats, 0)).message(),
              HasSubstr("do not broadcast"));
  EXPECT_THAT(ValidateModel(Addition(kFloats, kFloats, three, 0)).message(),
              HasSubstr("dimensions are [2, 2]; the model declares [3, 2]"));
}

TEST(ModelValidationTest, ChecksRank) {
  const OperandSpec rank_five = {OperandType::TENSOR_FLOAT32, {1, 1, 1, 1, 1}};
  EXPECT_THAT(ValidateModel(Addition(rank_five, kFloats, rank_five, 0)).message(),
              HasSubstr("has rank 5; expected rank 1, 2, 3 or 4"));
}

TEST(ModelValidationTest, ChecksNumberOfInputs) {
  hal::V1_2::Model model = Addition(kFloats, kFloats, kFloats, 0);
  model.operations[0].inputs.pop_back();
  model.operands[2].numberOfConsumers = 0;
  EXPECT_THAT(ValidateModel(model).message(), HasSubstr("ADD: has 2 inputs; expected 3"));
}

// InvalidArgument, with `text` in the message.
auto IsInvalid(const std::string& text) {
  return hal::testing::StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text));
}

TEST(ModelValidationTest, ATypeOfALaterVersionIsRefusedAtAnEarlierOne) {
  const hal::V1_2::Model model = Addition(kHalves, kHalves, kHalves, 0);
  EXPECT_EQ(ValidateModel(model, HalVersion::V1_2), absl::OkStatus());
  EXPECT_THAT(ValidateModel(model, HalVersion::V1_1),
              IsInvalid("operand 0: the type is TENSOR_FLOAT16; expected one of HAL 1.1"));
}

TEST(ModelValidationTest, ComplianceNamesTheOperationsOfLaterVersions) {
  ModelBuilder builder;
  const uint32_t input = builder.Input(kFloats);
  const uint32_t permutation = builder.Int32Vector({1, 0});
  const uint32_t none = builder.Int32(0);
  const uint32_t between = builder.Temporary(kFloats);
  const uint32_t result = builder.Output(kFloats);
  builder.Operation(OperationType::ADD, {input, input, none}, {between});
  builder.Operation(OperationType::TRANSPOSE, {between, permutation}, {result});
  std::set<uint32_t> noncompliant;
  EXPECT_TRUE(IsCompliantWith(builder.model(), HalVersion::V1_1, &noncompliant));
  EXPECT_THAT(noncompliant, IsEmpty());
  EXPECT_FALSE(IsCompliantWith(builder.model(), HalVersion::V1_0, &noncompliant));
  EXPECT_THAT(noncompliant, ElementsAre(1));
}

TEST(ModelValidationTest, AnInvalidModelIsCompliantWithNothing) {
  hal::V1_2::Model model = Addition(kFloats, kFloats, kFloats, 0);
  model.operations[0].inputs[0] = 99;
  EXPECT_THAT(ValidateModel(model),
              IsInvalid("the operand index of input 0 is 99; expected less than 4"));
  EXPECT_FALSE(IsCompliantWith(model, HalVersion::V1_0));
  model = Addition(kFloats, kFloats, kFloats, 0);
  model.operands[2].location.offset = 1 << 30;
  EXPECT_THAT(
      ValidateModel(model),
      IsInvalid("operand 2: the location ends at byte 1073741828; operandValues has 4 bytes"));
  EXPECT_FALSE(IsCompliantWith(model, HalVersion::V1_0));
}

TEST(ModelValidationTest, OnlyOptionalInputsCanBeOmitted) {
  ModelBuilder builder;
  const uint32_t input = builder.Input(kFloats);
  const uint32_t permutation = builder.Input({OperandType::TENSOR_INT32, {2}});
  const uint32_t output = builder.Output(kFloats);
  builder.Operation(OperationType::TRANSPOSE, {input, permutation}, {output});
  hal::V1_0::Request request;
  request.inputs.resize(2);
  EXPECT_EQ(ValidateOmittedInputs(builder.model(), request), absl::OkStatus());
  request.inputs[1].hasNoValue = true;
  EXPECT_EQ(ValidateOmittedInputs(builder.model(), request), absl::OkStatus());
  request.inputs[0].hasNoValue = true;
  EXPECT_THAT(ValidateOmittedInputs(builder.model(), request),
              IsInvalid("with the inputs that are omitted: operation 0: TRANSPOSE input 0 "
                        "'input' (operand 0) has no value; it is not optional"));
}

}  // namespace
}  // namespace nncert
