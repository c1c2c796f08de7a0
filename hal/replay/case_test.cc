// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/case.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert::hal::replay {
namespace {

using ::testing::ElementsAre;

TEST(Element, AcceptsWhatLiesBetweenItsBounds) {
  const Element element = {2, 1.5, 3};
  EXPECT_TRUE(element.Accepts(1.5));
  EXPECT_TRUE(element.Accepts(3));
  EXPECT_FALSE(element.Accepts(1.25));
  EXPECT_FALSE(element.Accepts(3.25));
  EXPECT_FALSE(element.Accepts(kInfinity));
  EXPECT_FALSE(element.Accepts(kNan));
}

TEST(Element, AcceptsANanWhereOneIsExpected) {
  const Element nan = {kNan, kNan, kNan};
  EXPECT_TRUE(nan.Accepts(kNan));
  EXPECT_FALSE(nan.Accepts(0));
  EXPECT_TRUE(Element({kNan, -kInfinity, kInfinity}).Accepts(0));
  EXPECT_TRUE(Element({kInfinity, kInfinity, kInfinity}).Accepts(kInfinity));
}

TEST(Bytes, AreThoseOfTheType) {
  EXPECT_THAT(Bytes<float>({-2, 0.1F}), ElementsAre(0, 0, 0, 0xC0, 0xCD, 0xCC, 0xCC, 0x3D));
  EXPECT_THAT(Bytes<Float16>({1, -0.0F}), ElementsAre(0, 0x3C, 0, 0x80));
  EXPECT_THAT(Bytes<int32_t>({-2147483648, 258}), ElementsAre(0, 0, 0, 0x80, 2, 1, 0, 0));
  EXPECT_THAT(Bytes<int8_t>({-1, 127}), ElementsAre(0xFF, 0x7F));
  EXPECT_THAT(Bytes<uint16_t>({65535}), ElementsAre(0xFF, 0xFF));
  EXPECT_THAT(Bytes<Bool8>({0, 1}), ElementsAre(0, 1));
  EXPECT_THAT(Bytes<float>({}), ElementsAre());
}

TEST(ReadElement, IsTheInverseOfBytes) {
  EXPECT_EQ(ReadElement<float>(Bytes<float>({0.1F}).data()), 0.1F);
  EXPECT_EQ(ReadElement<Float16>(Bytes<Float16>({0.5}).data()), 0.5);
  EXPECT_EQ(ReadElement<int16_t>(Bytes<int16_t>({-300}).data()), -300);
}

TEST(ReadElement, TakesWhateverIsNotZeroForTrue) {
  const std::vector<uint8_t> bytes = {0, 1, 2, 255};
  EXPECT_EQ(ReadElement<Bool8>(&bytes[0]), 0);
  for (size_t i = 1; i < bytes.size(); ++i) EXPECT_EQ(ReadElement<Bool8>(&bytes[i]), 1);
}

TEST(Hex, ReadsDigitsOfBothCases) {
  EXPECT_THAT(Hex("00fF7a"), ElementsAre(0, 0xFF, 0x7A));
  EXPECT_THAT(Hex(""), ElementsAre());
}

TEST(HexDeathTest, DoesNotTakeAnythingElse) {
  EXPECT_DEATH(Hex("0"), "two hexadecimal digits");
  EXPECT_DEATH(Hex("0g"), "two hexadecimal digits");
}

TEST(Put, SaysWhereTheValueLies) {
  std::vector<uint8_t> memory(4);
  EXPECT_EQ(Put({1, 2}, memory, 1, 3), (V1_2::DataLocation{3, 1, 2}));
  EXPECT_THAT(memory, ElementsAre(0, 1, 2, 0));
  EXPECT_EQ(Put({}, memory, 4), (V1_2::DataLocation{0, 4, 0}));
}

TEST(PutDeathTest, DoesNotWriteOutside) {
  std::vector<uint8_t> memory(4);
  EXPECT_DEATH(Put({1, 2}, memory, 3), "2 bytes at 3 of 4");
  EXPECT_DEATH(Put({}, memory, 5), "0 bytes at 5 of 4");
}

TEST(CountConsumers, CountsEveryOccurrence) {
  V1_2::Model model;
  model.operands.resize(3);
  model.operands[2].numberOfConsumers = 7;
  model.operations.push_back({V1_2::OperationType::ADD, {0, 0, 1}, {2}});
  CountConsumers(model);
  EXPECT_EQ(model.operands[0].numberOfConsumers, 2U);
  EXPECT_EQ(model.operands[1].numberOfConsumers, 1U);
  EXPECT_EQ(model.operands[2].numberOfConsumers, 0U);
}

TEST(Elements, ByBytesAreTheSameAsByNumbers) {
  const Output by_numbers = Elements<Float16>({2}, {{1, 0.5, 2}, {-3, -4, -2}});
  const Output by_bytes = Elements<Float16>({2}, Bytes<Float16>({1, -3}), Bytes<Float16>({0.5, -4}),
                                            Bytes<Float16>({2, -2}));
  EXPECT_EQ(by_numbers.size, 4U);
  EXPECT_EQ(by_bytes.size, 4U);
  EXPECT_EQ(by_bytes.element_size, 2U);
  ASSERT_EQ(by_bytes.elements.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(by_bytes.elements[i].expected, by_numbers.elements[i].expected);
    EXPECT_EQ(by_bytes.elements[i].lowest, by_numbers.elements[i].lowest);
    EXPECT_EQ(by_bytes.elements[i].highest, by_numbers.elements[i].highest);
  }
}

}  // namespace
}  // namespace nncert::hal::replay
