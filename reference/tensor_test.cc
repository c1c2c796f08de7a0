// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/tensor.h"

#include <gtest/gtest.h>

#include <limits>

#include "hal/to_string.h"
#include "reference/number/ball.h"

namespace nncert {
namespace {

// Every operand type that an operation can take.
std::vector<OperandType> AllTypes() {
  std::vector<OperandType> types;
#define NNCERT_OPERAND_TYPE(NAME, VALUE, ...) \
  if (VALUE < 10000) types.push_back(static_cast<OperandType>(VALUE));
#include "hal/operand_types.def"
  return types;
}

TEST(NumberOfElementsTest, IsTheProductOfTheDimensions) {
  EXPECT_EQ(NumberOfElements({}), 1);
  EXPECT_EQ(NumberOfElements({7}), 7);
  EXPECT_EQ(NumberOfElements({2, 3, 4}), 24);
  EXPECT_EQ(NumberOfElements({1U << 31, 1U << 31}), uint64_t{1} << 62);
}

TEST(NumberOfElementsTest, IsZeroWithAnEmptyDimensionWhateverTheOthers) {
  EXPECT_EQ(NumberOfElements({2, 0, 4}), 0);
  const std::vector<uint32_t> large(10, std::numeric_limits<uint32_t>::max());
  std::vector<uint32_t> empty_last = large;
  empty_last.push_back(0);
  std::vector<uint32_t> empty_first = {0};
  empty_first.insert(empty_first.end(), large.begin(), large.end());
  EXPECT_EQ(NumberOfElements(empty_last), 0);
  EXPECT_EQ(NumberOfElements(empty_first), 0);
}

TEST(NumberOfElementsTest, IsTheGreatestNumberWhenThereAreMore) {
  const uint32_t most = std::numeric_limits<uint32_t>::max();
  EXPECT_EQ(NumberOfElements({most, most, most}), std::numeric_limits<uint64_t>::max());
  // Two overflows do not cancel.
  EXPECT_EQ(NumberOfElements({1U << 31, 1U << 31, 4, 3}), std::numeric_limits<uint64_t>::max());
}

TEST(ShapeToStringTest, ListsDimensions) {
  EXPECT_EQ(ShapeToString({}), "[]");
  EXPECT_EQ(ShapeToString({2, 3}), "[2, 3]");
}

TEST(ElementKindTest, HasTheSizeThatTheHalGivesTheType) {
#define NNCERT_OPERAND_TYPE(NAME, VALUE, SINCE, SCALAR, BYTES, ...)                             \
  if (VALUE < 10000) {                                                                          \
    EXPECT_EQ(NativeElementSize(ElementKindOf(static_cast<OperandType>(VALUE))), size_t{BYTES}) \
        << #NAME;                                                                               \
  }
#include "hal/operand_types.def"
}

TEST(ElementKindTest, IsThatOfTheStorage) {
  EXPECT_EQ(ElementKindOf(OperandType::TENSOR_QUANT8_ASYMM), ElementKind::kQuant8);
  EXPECT_EQ(ElementKindOf(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL), ElementKind::kQuant8Symm);
  EXPECT_EQ(ElementKindOf(OperandType::TENSOR_QUANT16_ASYMM), ElementKind::kQuant16);
  EXPECT_EQ(ElementKindOf(OperandType::TENSOR_QUANT16_SYMM), ElementKind::kQuant16Symm);
  EXPECT_EQ(ElementKindOf(OperandType::TENSOR_BOOL8), ElementKind::kBool);
  EXPECT_EQ(ElementKindOf(OperandType::FLOAT16), ElementKind::kFloat16);
  EXPECT_EQ(ElementKindOf(OperandType::UINT32), ElementKind::kUint32);
}

TEST(ElementSizeTest, IsThatOfTheNumberSystem) {
  for (const OperandType type : AllTypes()) {
    EXPECT_EQ(ElementSize(NumberSystem::kFloat, type), NativeElementSize(ElementKindOf(type)));
    EXPECT_EQ(ElementSize(NumberSystem::kDouble, type), sizeof(double));
    EXPECT_EQ(ElementSize(NumberSystem::kBall, type), sizeof(Ball));
  }
}

TEST(IsQuantizedTest, HoldsForTypesWithAScale) {
  for (const OperandType type : AllTypes()) {
    const bool has_scale = hal::toString(type).find("QUANT") != std::string::npos;
    EXPECT_EQ(IsQuantized(type), has_scale) << hal::toString(type);
  }
}

template <class T>
void ExpectRangeOf(OperandType type) {
  EXPECT_EQ(RangeOf(type).lowest, std::numeric_limits<T>::lowest());
  EXPECT_EQ(RangeOf(type).highest, std::numeric_limits<T>::max());
}

TEST(RangeOfTest, IsThatOfTheStorage) {
  ExpectRangeOf<uint8_t>(OperandType::TENSOR_QUANT8_ASYMM);
  ExpectRangeOf<int8_t>(OperandType::TENSOR_QUANT8_SYMM);
  ExpectRangeOf<int8_t>(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL);
  ExpectRangeOf<uint16_t>(OperandType::TENSOR_QUANT16_ASYMM);
  ExpectRangeOf<int16_t>(OperandType::TENSOR_QUANT16_SYMM);
  ExpectRangeOf<int32_t>(OperandType::TENSOR_INT32);
  ExpectRangeOf<uint32_t>(OperandType::UINT32);
  EXPECT_EQ(RangeOf(OperandType::TENSOR_BOOL8).highest, 1);
}

}  // namespace
}  // namespace nncert
