// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/to_string.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "gtest/gtest.h"

namespace nncert::hal {
namespace {

template <typename Value>
std::string Streamed(const Value& value) {
  std::ostringstream stream;
  stream << value;
  return stream.str();
}

const std::vector<V1_2::OperationType> kOperations = {
#define NNCERT_OPERATION(NAME, ...) V1_2::OperationType::NAME,
#include "hal/operations.def"
};

const std::vector<V1_2::OperandType> kOperands = {
#define NNCERT_OPERAND_TYPE(NAME, ...) V1_2::OperandType::NAME,
#include "hal/operand_types.def"
};

TEST(ToStringTest, every_operand_and_operation_type_is_read_back_from_its_name) {
  for (const V1_2::OperandType type : kOperands) {
    EXPECT_EQ(operandTypeFromString(toString(type)), type);
  }
  for (const V1_2::OperationType type : kOperations) {
    EXPECT_EQ(operationTypeFromString(toString(type)), type);
  }
  EXPECT_EQ(operandTypeFromString("ADD"), std::nullopt);
  EXPECT_EQ(operationTypeFromString("add"), std::nullopt);
}

TEST(ToStringTest, each_version_has_as_many_operations_as_the_hal) {
  const auto count = [](HalVersion version) {
    return std::count_if(kOperations.begin(), kOperations.end(), [&](V1_2::OperationType type) {
      return IntroducedIn(type) <= version && type != V1_2::OperationType::OEM_OPERATION;
    });
  };
  EXPECT_EQ(count(HalVersion::V1_0), 29);
  EXPECT_EQ(count(HalVersion::V1_1), 38);
  EXPECT_EQ(count(HalVersion::V1_2), 95);
}

TEST(ToStringTest, each_version_has_as_many_operand_types_as_the_hal) {
  const auto count = [](HalVersion version) {
    return std::count_if(kOperands.begin(), kOperands.end(),
                         [&](V1_2::OperandType type) { return IntroducedIn(type) <= version; });
  };
  EXPECT_EQ(count(HalVersion::V1_0), 8);
  EXPECT_EQ(count(HalVersion::V1_1), 8);
  EXPECT_EQ(count(HalVersion::V1_2), 16);
}

TEST(ToStringTest, fundamental_values_are_consecutive_and_end_where_the_ranges_say) {
  std::set<int32_t> operations;
  for (const V1_2::OperationType type : kOperations) operations.insert(static_cast<int32_t>(type));
  ASSERT_TRUE(operations.erase(static_cast<int32_t>(V1_2::OperationTypeRange::OEM_MAX)));
  EXPECT_EQ(*operations.begin(), static_cast<int32_t>(V1_2::OperationTypeRange::FUNDAMENTAL_MIN));
  EXPECT_EQ(*operations.rbegin(), static_cast<int32_t>(V1_2::OperationTypeRange::FUNDAMENTAL_MAX));
  EXPECT_EQ(operations.size(), *operations.rbegin() + 1);

  std::set<int32_t> operands;
  for (const V1_2::OperandType type : kOperands) operands.insert(static_cast<int32_t>(type));
  ASSERT_TRUE(operands.erase(static_cast<int32_t>(V1_2::OperandTypeRange::OEM_MIN)));
  ASSERT_TRUE(operands.erase(static_cast<int32_t>(V1_2::OperandTypeRange::OEM_MAX)));
  EXPECT_EQ(*operands.rbegin(), static_cast<int32_t>(V1_2::OperandTypeRange::FUNDAMENTAL_MAX));
  EXPECT_EQ(operands.size(), *operands.rbegin() + 1);
}

TEST(ToStringTest, versions_agree_on_values_and_names) {
  EXPECT_EQ(toString(V1_0::OperationType::TANH), "TANH");
  EXPECT_EQ(toString(V1_1::OperationType::TRANSPOSE), "TRANSPOSE");
  EXPECT_EQ(toString(V1_0::OperandType::TENSOR_QUANT8_ASYMM), "TENSOR_QUANT8_ASYMM");
  EXPECT_EQ(static_cast<int>(V1_0::OperationType::TANH), 28);
  EXPECT_EQ(static_cast<int>(V1_1::OperationType::TRANSPOSE), 37);
  EXPECT_EQ(static_cast<int>(V1_2::OperationType::RESIZE_NEAREST_NEIGHBOR), 94);
}

TEST(ToStringTest, values_without_an_enumerator_are_given_as_numbers) {
  EXPECT_EQ(toString(static_cast<V1_2::OperationType>(95)), "OperationType(95)");
  EXPECT_EQ(toString(static_cast<V1_2::OperandType>(14)), "OperandType(14)");
  EXPECT_EQ(toString(static_cast<V1_2::OperationType>(0x10003)), "OperationType(0x00010003)");
  EXPECT_EQ(toString(static_cast<V1_2::OperandType>(-1)), "OperandType(0xffffffff)");
  EXPECT_EQ(toString(static_cast<V1_0::ErrorStatus>(9)), "ErrorStatus(9)");
  EXPECT_EQ(toString(static_cast<V1_2::DeviceType>(0)), "DeviceType(0)");
  EXPECT_EQ(IntroducedIn(static_cast<V1_2::OperationType>(0x10003)), HalVersion::V1_2);
}

TEST(ToStringTest, small_enumerations_have_their_names) {
  EXPECT_EQ(toString(V1_0::OperandLifeTime::CONSTANT_REFERENCE), "CONSTANT_REFERENCE");
  EXPECT_EQ(toString(V1_0::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE), "OUTPUT_INSUFFICIENT_SIZE");
  EXPECT_EQ(toString(V1_0::DeviceStatus::OFFLINE), "OFFLINE");
  EXPECT_EQ(toString(V1_0::FusedActivationFunc::RELU1), "RELU1");
  EXPECT_EQ(toString(V1_1::ExecutionPreference::SUSTAINED_SPEED), "SUSTAINED_SPEED");
  EXPECT_EQ(toString(V1_2::DeviceType::ACCELERATOR), "ACCELERATOR");
  EXPECT_EQ(toString(V1_2::MeasureTiming::YES), "YES");
}

TEST(ToStringTest, everything_that_has_a_name_can_be_written_to_a_stream) {
  EXPECT_EQ(Streamed(V1_2::OperandType::BOOL), "BOOL");
  EXPECT_EQ(Streamed(V1_2::ErrorStatus::INVALID_ARGUMENT), "INVALID_ARGUMENT");
  EXPECT_EQ(Streamed(V1_1::OperationType::DIV), "DIV");
  EXPECT_EQ(Streamed(V1_2::Operation{
                .type = V1_2::OperationType::ADD, .inputs = {0, 1, 2}, .outputs = {3}}),
            "ADD(0, 1, 2) -> (3)");
}

TEST(ToStringTest, structures_name_their_fields) {
  V1_2::Operand operand = {.type = V1_2::OperandType::TENSOR_QUANT8_ASYMM,
                           .dimensions = {2, 3},
                           .numberOfConsumers = 1,
                           .scale = 0.5F,
                           .zeroPoint = 128,
                           .lifetime = V1_2::OperandLifeTime::CONSTANT_COPY,
                           .location = {.poolIndex = 0, .offset = 4, .length = 6},
                           .extraParams = {}};
  EXPECT_EQ(toString(operand),
            "{.type = TENSOR_QUANT8_ASYMM, .dimensions = [2, 3], .lifetime = CONSTANT_COPY, "
            ".numberOfConsumers = 1, .scale = 0.5, .zeroPoint = 128, "
            ".location = {.poolIndex = 0, .offset = 4, .length = 6}}");
  operand = {};
  operand.extraParams = V1_2::SymmPerChannelQuantParams{.scales = {1, 2}, .channelDim = 1};
  EXPECT_EQ(toString(operand),
            "{.type = FLOAT32, .dimensions = [], .lifetime = TEMPORARY_VARIABLE, "
            ".extraParams.channelQuant = {.scales = [1, 2], .channelDim = 1}}");
  EXPECT_EQ(toString(V1_2::Timing{.timeOnDevice = 3}), "{.timeOnDevice = 3, .timeInDriver = none}");
  EXPECT_EQ(toString(V1_2::OutputShape{.dimensions = {4}, .isSufficient = true}),
            "{.dimensions = [4], .isSufficient = true}");
}

}  // namespace
}  // namespace nncert::hal
