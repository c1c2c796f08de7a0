// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/extension.h"

#include "gtest/gtest.h"

namespace nncert::hal {
namespace {

TEST(ExtensionTest, type_values_are_put_together_and_taken_apart) {
  const V1_2::OperationType operation = makeExtensionOperationType(0xAAAA, 0xBBBB);
  EXPECT_EQ(static_cast<uint32_t>(operation), 0xAAAABBBB);
  EXPECT_EQ(extensionPrefix(operation), 0xAAAA);
  EXPECT_EQ(typeWithinExtension(operation), 0xBBBB);
  const V1_2::OperandType operand = makeExtensionOperandType(1, 0);
  EXPECT_EQ(static_cast<uint32_t>(operand), 0x10000);
  EXPECT_EQ(extensionPrefix(operand), 1);
  EXPECT_EQ(typeWithinExtension(operand), 0);
}

TEST(ExtensionTest, types_of_the_hal_have_no_prefix) {
  EXPECT_EQ(extensionPrefix(V1_2::OperandType::TENSOR_OEM_BYTE), 0);
  EXPECT_EQ(extensionPrefix(V1_2::OperationType::OEM_OPERATION), 0);
}

TEST(ExtensionTest, a_model_translates_between_names_and_prefixes) {
  V1_2::Model model;
  model.extensionNameToPrefix = {{"com.example.one", 1}, {"com.example.two", 7}};
  EXPECT_EQ(extensionName(model, 7), "com.example.two");
  EXPECT_EQ(extensionName(model, 2), std::nullopt);
  EXPECT_EQ(prefixOfExtension(model, "com.example.one"), 1);
  EXPECT_EQ(prefixOfExtension(model, "com.example"), std::nullopt);
}

TEST(ExtensionTest, names_are_of_lower_case_letters_digits_underscores_and_a_period) {
  EXPECT_TRUE(isValidExtensionName("com.example.my_extension2"));
  EXPECT_FALSE(isValidExtensionName("extension"));
  EXPECT_FALSE(isValidExtensionName("com.Example"));
  EXPECT_FALSE(isValidExtensionName("com.example extension"));
  EXPECT_FALSE(isValidExtensionName(""));
}

}  // namespace
}  // namespace nncert::hal
