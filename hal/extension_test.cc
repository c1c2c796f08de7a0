// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/extension.h"

#include <string>
#include <vector>

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

TEST(ExtensionTest, types_are_called_by_the_extension_and_their_number) {
  V1_2::Model model;
  model.extensionNameToPrefix = {{"com.example.one", 1}};
  EXPECT_EQ(toString(model, makeExtensionOperandType(1, 3)), "com.example.one[3]");
  EXPECT_EQ(toString(model, makeExtensionOperationType(1, 0)), "com.example.one[0]");
  EXPECT_EQ(toString(model, makeExtensionOperationType(2, 0)), "OperationType(0x00020000)");
  EXPECT_EQ(toString(model, V1_2::OperandType::TENSOR_INT32), "TENSOR_INT32");
  EXPECT_EQ(toString(model, V1_2::OperationType::ADD), "ADD");
}

TEST(ExtensionTest, a_model_uses_the_extensions_of_its_operands_and_operations) {
  V1_2::Model model;
  model.extensionNameToPrefix = {{"com.example.a", 1}, {"com.example.b", 2}, {"com.example.c", 3}};
  EXPECT_TRUE(extensionsUsed(model).empty());
  model.operands.resize(3);
  model.operands[0].type = makeExtensionOperandType(3, 1);
  model.operands[2].type = makeExtensionOperandType(9, 1);
  EXPECT_EQ(extensionsUsed(model), std::vector<std::string>{"com.example.c"});
  model.operations.push_back(
      {.type = makeExtensionOperationType(1, 1), .inputs = {}, .outputs = {}});
  EXPECT_EQ(extensionsUsed(model), (std::vector<std::string>{"com.example.a", "com.example.c"}));
}

TEST(ExtensionTest, lists_of_extensions_have_rules) {
  V1_2::Extension good = {"com.example.a", {{0, true, 1}, {1, false, 8}}};
  EXPECT_TRUE(problemsOfExtensions({}).empty());
  EXPECT_TRUE(problemsOfExtensions({good, {"com.example.b", {}}}).empty());
  const auto the_problem = [](const std::vector<V1_2::Extension>& extensions) {
    const std::vector<std::string> problems = problemsOfExtensions(extensions);
    return problems.size() == 1 ? problems[0] : "not one problem";
  };
  EXPECT_EQ(the_problem({good, good}),
            "the extension \"com.example.a\" is listed twice; expected each name once");
  EXPECT_EQ(the_problem({{"", {}}}).substr(0, 27), "the extension \"\" has a name");
  EXPECT_EQ(the_problem({{"Acme", {}}}).substr(0, 31), "the extension \"Acme\" has a name");
  V1_2::Extension twice = good;
  twice.operandTypes[1].type = 0;
  EXPECT_EQ(the_problem({twice}),
            "operand type 0 of the extension \"com.example.a\" is listed twice; expected each "
            "number once");
  V1_2::Extension empty = good;
  empty.operandTypes[1].byteSize = 0;
  EXPECT_EQ(the_problem({empty}),
            "operand type 1 of the extension \"com.example.a\" has the byteSize 0; expected at "
            "least 1");
}

}  // namespace
}  // namespace nncert::hal
