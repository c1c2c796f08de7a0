// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/element_values.h"

#include <limits>

#include "gtest/gtest.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(FormatElement, AsFewDigitsAsTellNumbersApart) {
  EXPECT_EQ(FormatElement(OperandType::TENSOR_FLOAT32, 0.1F), "0.1");
  EXPECT_EQ(FormatElement(OperandType::TENSOR_FLOAT32, 0.1), "0.1");
  EXPECT_EQ(FormatElement(OperandType::TENSOR_FLOAT32, 1 / 3.0), "0.3333333333333333");
  EXPECT_EQ(FormatElement(OperandType::TENSOR_FLOAT32, -0.0), "-0");
  EXPECT_EQ(FormatElement(OperandType::TENSOR_FLOAT32, kNan), "nan");
  EXPECT_EQ(FormatElement(OperandType::TENSOR_FLOAT16, -kInfinity), "-inf");
  EXPECT_EQ(FormatElement(OperandType::TENSOR_INT32, -2147483648.0), "-2147483648");
  EXPECT_EQ(FormatElement(OperandType::TENSOR_QUANT8_ASYMM, 255), "255");
}

TEST(MultiIndex, IsRowMajor) {
  EXPECT_EQ(MultiIndex({2, 4, 2}, 7), "[0, 3, 1]");
  EXPECT_EQ(MultiIndex({2, 4, 2}, 15), "[1, 3, 1]");
  EXPECT_EQ(MultiIndex({5}, 4), "[4]");
  EXPECT_EQ(MultiIndex({}, 0), "[]");
  EXPECT_EQ(MultiIndex({0, 3}, 0), "[0, 0]");
}

}  // namespace
}  // namespace nncert
