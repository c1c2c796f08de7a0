// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The page of the extension says what its definitions say.

#include "generators/api/handbook.h"

#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "drivers/example_extension/sequences.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Page() { return ExtensionPage(*FindExtension(kSequences)); }

TEST(ExtensionPage, TheWrittenOneIsAsTheDefinitionsSay) {
  std::ifstream file("drivers/example_extension/OPERATIONS.md", std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(written, Page()) << "docs/extensions.md says how the page is written";
}

TEST(ExtensionPage, HasEveryOperandTypeAndOperationOfTheExtension) {
  const std::string page = Page();
  for (const ExtensionOperandType& type : FindExtension(kSequences)->operand_types) {
    EXPECT_THAT(page, HasSubstr(absl::StrCat("| ", type.type, " | `", std::string(type.name))));
  }
  ASSERT_EQ(AllExtensionOperations().size(), 2U);
  for (const OperationDefinition* definition : AllExtensionOperations()) {
    const std::string title =
        absl::StrReplaceAll(std::string(definition->name_in_extension), {{"_", "\\_"}});
    EXPECT_THAT(page, HasSubstr(absl::StrCat("\n## ", title, "\n")));
    for (const Constraint& constraint : definition->constraints) {
      EXPECT_THAT(page, HasSubstr(absl::StrCat("| ", constraint.label, " | ")));
    }
  }
}

TEST(ExtensionPage, TheHandbookOfTheHalHasNothingOfIt) {
  for (const auto& [name, text] : Handbook()) {
    EXPECT_THAT(text, Not(HasSubstr("RECURRENCE"))) << name;
  }
}

}  // namespace
}  // namespace nncert
