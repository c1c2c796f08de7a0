// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/cpp_text.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(CppText, NumbersAreLiteralsOfTheirType) {
  EXPECT_EQ(FloatText(0.1F), "0.1F");
  EXPECT_EQ(FloatText(3), "3.0F");
  EXPECT_EQ(FloatText(-0.0), "-0.0F");
  EXPECT_EQ(FloatText(1e-45F), "1e-45F");
  EXPECT_EQ(ElementText(OperandType::TENSOR_FLOAT16, 0.0999755859375), "0.099975586F");
  EXPECT_EQ(ElementText(OperandType::TENSOR_FLOAT32, kNan), "kNan");
  EXPECT_EQ(ElementText(OperandType::TENSOR_FLOAT32, -kInfinity), "-kInfinity");
  EXPECT_EQ(ElementText(OperandType::TENSOR_INT32, -2147483648.0), "-2147483648");
}

TEST(CppText, BoundsAreExact) {
  EXPECT_EQ(BoundText(OperandType::TENSOR_FLOAT32, 0.1F), "0x1.99999ap-4");
  EXPECT_EQ(BoundText(OperandType::TENSOR_FLOAT32, 0), "0x0p+0");
  EXPECT_EQ(BoundText(OperandType::TENSOR_FLOAT32, kNan), "kNan");
  EXPECT_EQ(BoundText(OperandType::TENSOR_FLOAT16, kInfinity), "kInfinity");
  EXPECT_EQ(BoundText(OperandType::TENSOR_QUANT8_ASYMM, 254), "254");
}

TEST(CppText, NamesAndCommentsHoldNothingElse) {
  EXPECT_EQ(IdentifierText("a-b c\n+1_2\xC3\xA4"), "a_b_c__1_2__");
  EXPECT_EQ(CommentText("a\nint x; \\"), "a?int x; ?");
}

TEST(CppText, ListsAndCommentsAreBrokenIntoLines) {
  CppText text;
  text.AddList("before(", std::vector<std::string>(40, "item"), ");");
  text.AddComment("  ",
                  std::string(30, 'x') + " " + std::string(50, 'y') + " " + std::string(40, 'z'));
  for (const absl::string_view line : absl::StrSplit(text.text(), '\n')) {
    EXPECT_LE(line.size(), 100U) << line;
  }
  EXPECT_THAT(text.text(), HasSubstr("before(\n      item, item,"));
  EXPECT_THAT(text.text(), HasSubstr("item, item);\n  // xxx"));
  EXPECT_THAT(text.text(), HasSubstr("y\n  // zzz"));
}

std::string ValueText(OperandType type, const std::vector<uint8_t>& bytes) {
  CppText text;
  text.AddValue("", type, bytes, "");
  return text.text();
}

TEST(CppText, ValuesAreNumbersWhereTheseSayAll) {
  EXPECT_EQ(ValueText(OperandType::TENSOR_FLOAT32, {0, 0, 0x80, 0x3F}), "Bytes<float>({1.0F})\n");
  EXPECT_EQ(ValueText(OperandType::TENSOR_FLOAT32, {1, 0, 0xC0, 0x7F}), "Hex(\"0100c07f\")\n");
  EXPECT_EQ(ValueText(OperandType::TENSOR_FLOAT32, {0, 0, 0x80, 0x7F}),
            "Bytes<float>({kInfinity})\n");
  EXPECT_EQ(ValueText(OperandType::TENSOR_BOOL8, {0, 1}), "Bytes<Bool8>({0, 1})\n");
  EXPECT_EQ(ValueText(OperandType::TENSOR_BOOL8, {0, 2}), "Hex(\"0002\")\n");
  EXPECT_EQ(ValueText(OperandType::TENSOR_QUANT8_SYMM, {255}), "Bytes<int8_t>({-1})\n");
  EXPECT_EQ(ValueText(OperandType::TENSOR_INT32, {1, 2, 3}), "Hex(\"010203\")\n");
  EXPECT_EQ(ValueText(OperandType::TENSOR_OEM_BYTE, {1, 2, 3}), "Bytes<uint8_t>({1, 2, 3})\n");
  EXPECT_EQ(ValueText(OperandType::TENSOR_FLOAT32, {}), "Bytes<float>({})\n");
}

TEST(CppText, LongValuesAreBytes) {
  EXPECT_THAT(
      ValueText(OperandType::TENSOR_QUANT8_ASYMM, std::vector<uint8_t>(kMostElementsAsNumbers, 7)),
      HasSubstr("Bytes<uint8_t>({\n      7, 7, "));
  const std::string text = ValueText(OperandType::TENSOR_QUANT8_ASYMM,
                                     std::vector<uint8_t>(kMostElementsAsNumbers + 1, 7));
  EXPECT_THAT(text, HasSubstr("Hex(\n      \"0707"));
  EXPECT_LT(text.size(), 3 * kMostElementsAsNumbers);
}

}  // namespace
}  // namespace nncert
