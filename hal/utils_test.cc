// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/utils.h"

#include <limits>
#include <optional>

#include "gtest/gtest.h"
#include "hal/extension.h"
#include "hal/to_string.h"

namespace nncert::hal {
namespace {

using V1_2::OperandType;
using V1_2::OperationType;

const OperandType kExtensionType = makeExtensionOperandType(3, 1);

TEST(UtilsTest, extension_types_are_those_with_a_prefix) {
  EXPECT_TRUE(isExtensionOperandType(kExtensionType));
  EXPECT_TRUE(isExtensionOperandType(static_cast<OperandType>(0x10000)));
  EXPECT_FALSE(isExtensionOperandType(static_cast<OperandType>(0xFFFF)));
  EXPECT_FALSE(isExtensionOperandType(OperandType::TENSOR_OEM_BYTE));
  EXPECT_TRUE(isExtensionOperationType(makeExtensionOperationType(1, 0)));
  EXPECT_FALSE(isExtensionOperationType(OperationType::OEM_OPERATION));
}

TEST(UtilsTest, each_version_has_its_operand_types) {
  EXPECT_TRUE(isOperandTypeOf(HalVersion::V1_0, OperandType::TENSOR_QUANT8_ASYMM));
  EXPECT_TRUE(isOperandTypeOf(HalVersion::V1_0, OperandType::OEM));
  EXPECT_FALSE(isOperandTypeOf(HalVersion::V1_1, OperandType::BOOL));
  EXPECT_TRUE(isOperandTypeOf(HalVersion::V1_2, OperandType::BOOL));
  EXPECT_FALSE(isOperandTypeOf(HalVersion::V1_1, kExtensionType));
  EXPECT_TRUE(isOperandTypeOf(HalVersion::V1_2, kExtensionType));
  for (const int32_t number : {14, 9999, 10002, 0xFFFF}) {
    EXPECT_FALSE(isOperandTypeOf(HalVersion::V1_2, static_cast<OperandType>(number))) << number;
  }
}

TEST(UtilsTest, each_version_has_its_operations) {
  EXPECT_TRUE(isOperationTypeOf(HalVersion::V1_0, OperationType::TANH));
  EXPECT_TRUE(isOperationTypeOf(HalVersion::V1_0, OperationType::OEM_OPERATION));
  EXPECT_FALSE(isOperationTypeOf(HalVersion::V1_0, OperationType::MEAN));
  EXPECT_TRUE(isOperationTypeOf(HalVersion::V1_1, OperationType::MEAN));
  EXPECT_FALSE(isOperationTypeOf(HalVersion::V1_1, OperationType::ABS));
  EXPECT_TRUE(isOperationTypeOf(HalVersion::V1_2, OperationType::RESIZE_NEAREST_NEIGHBOR));
  EXPECT_FALSE(isOperationTypeOf(HalVersion::V1_1, makeExtensionOperationType(1, 0)));
  EXPECT_TRUE(isOperationTypeOf(HalVersion::V1_2, makeExtensionOperationType(1, 0)));
  for (const int32_t number : {95, 9999, 10001, 0xFFFF}) {
    EXPECT_FALSE(isOperationTypeOf(HalVersion::V1_2, static_cast<OperationType>(number))) << number;
  }
}

TEST(UtilsTest, scalars_are_told_from_tensors) {
  for (const OperandType type : {OperandType::FLOAT32, OperandType::INT32, OperandType::UINT32,
                                 OperandType::BOOL, OperandType::FLOAT16, OperandType::OEM}) {
    EXPECT_TRUE(nonExtensionOperandTypeIsScalar(type)) << type;
  }
  for (const OperandType type :
       {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_BOOL8, OperandType::TENSOR_OEM_BYTE,
        kExtensionType, static_cast<OperandType>(14), static_cast<OperandType>(-1)}) {
    EXPECT_FALSE(nonExtensionOperandTypeIsScalar(type)) << type;
  }
}

TEST(UtilsTest, quantized_types_are_those_that_always_have_a_scale) {
  EXPECT_TRUE(isQuantized(OperandType::TENSOR_QUANT8_ASYMM));
  EXPECT_TRUE(isQuantized(OperandType::TENSOR_QUANT8_SYMM));
  EXPECT_TRUE(isQuantized(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL));
  EXPECT_TRUE(isQuantized(OperandType::TENSOR_QUANT16_ASYMM));
  EXPECT_TRUE(isQuantized(OperandType::TENSOR_QUANT16_SYMM));
  EXPECT_FALSE(isQuantized(OperandType::TENSOR_INT32));
  EXPECT_FALSE(isQuantized(OperandType::TENSOR_FLOAT16));
  EXPECT_FALSE(isQuantized(kExtensionType));
}

TEST(UtilsTest, sizes_are_those_of_the_elements_times_the_dimensions) {
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::FLOAT32, {}), 4);
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::FLOAT16, {}), 2);
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::BOOL, {}), 1);
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::TENSOR_FLOAT32, {2, 3, 4}), 96);
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::TENSOR_QUANT16_ASYMM, {5}), 10);
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, {5, 2}), 10);
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::TENSOR_OEM_BYTE, {7}), 7);
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::OEM, {}), 0);
  EXPECT_EQ(nonExtensionSizeOfData(kExtensionType, {2, 2}), 0);
  V1_2::Operand operand;
  operand.type = OperandType::TENSOR_INT32;
  operand.dimensions = {3};
  EXPECT_EQ(nonExtensionOperandSizeOfData(operand), 12);
}

TEST(UtilsTest, sizes_of_unknown_shapes_are_zero) {
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::TENSOR_FLOAT32, {}), 0);
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::TENSOR_FLOAT32, {2, 0}), 0);
}

TEST(UtilsTest, sizes_beyond_32_bits_are_exact_and_beyond_64_bits_nothing) {
  constexpr uint32_t kMost = std::numeric_limits<uint32_t>::max();
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::TENSOR_FLOAT32, {65536, 65536}), uint64_t{1} << 34);
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::TENSOR_BOOL8, {kMost, kMost}),
            uint64_t{kMost} * kMost);
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::TENSOR_FLOAT32, {kMost, kMost}), std::nullopt);
  EXPECT_EQ(nonExtensionSizeOfData(OperandType::TENSOR_FLOAT32, {kMost, kMost, kMost, 0}), 0);
}

TEST(UtilsTest, tensors_with_an_unknown_rank_or_dimension_are_unspecified) {
  EXPECT_TRUE(tensorHasUnspecifiedDimensions(OperandType::TENSOR_FLOAT32, {}));
  EXPECT_TRUE(tensorHasUnspecifiedDimensions(OperandType::TENSOR_FLOAT32, {2, 0}));
  EXPECT_FALSE(tensorHasUnspecifiedDimensions(OperandType::TENSOR_FLOAT32, {2, 1}));
  EXPECT_FALSE(tensorHasUnspecifiedDimensions(OperandType::INT32, {}));
  EXPECT_FALSE(tensorHasUnspecifiedDimensions(kExtensionType, {}));
  EXPECT_TRUE(tensorHasUnspecifiedDimensions(kExtensionType, {0}));
  EXPECT_FALSE(tensorHasUnspecifiedDimensions(V1_2::Operand{}));
}

TEST(UtilsTest, properties_are_found_for_every_type_of_the_hal_and_no_other) {
  int count = 0;
#define NNCERT_OPERAND_TYPE(NAME, ...)                                                         \
  ASSERT_NE(operandTypeProperties(OperandType::NAME), nullptr);                                \
  EXPECT_EQ(operandTypeProperties(OperandType::NAME)->name, #NAME);                            \
  EXPECT_EQ(operandTypeProperties(OperandType::NAME)->since, IntroducedIn(OperandType::NAME)); \
  ++count;
#include "hal/operand_types.def"
  EXPECT_EQ(count, 16);
  EXPECT_EQ(operandTypeProperties(kExtensionType), nullptr);
  EXPECT_EQ(operandTypeProperties(static_cast<OperandType>(14)), nullptr);
  EXPECT_EQ(operandTypeProperties(static_cast<OperandType>(-1)), nullptr);
}

TEST(UtilsTest, oem_types_are_recognised) {
  EXPECT_TRUE(isOemOperandType(OperandType::OEM));
  EXPECT_TRUE(isOemOperandType(OperandType::TENSOR_OEM_BYTE));
  EXPECT_FALSE(isOemOperandType(OperandType::FLOAT32));
  EXPECT_TRUE(isOemOperationType(OperationType::OEM_OPERATION));
  EXPECT_FALSE(isOemOperationType(OperationType::ADD));
}

TEST(UtilsTest, constants_are_the_two_constant_lifetimes) {
  EXPECT_TRUE(isConstant(V1_2::OperandLifeTime::CONSTANT_COPY));
  EXPECT_TRUE(isConstant(V1_2::OperandLifeTime::CONSTANT_REFERENCE));
  EXPECT_FALSE(isConstant(V1_2::OperandLifeTime::MODEL_INPUT));
  EXPECT_FALSE(isConstant(V1_2::OperandLifeTime::NO_VALUE));
}

}  // namespace
}  // namespace nncert::hal
