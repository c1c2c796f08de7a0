// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "generators/api/catalogue_directives.h"
#include "generators/api/handbook.h"
#include "generators/api/operation_text.h"
#include "generators/api/template_language.h"
#include "hal/to_string.h"
#include "re2/re2.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string ReadFile(const std::string& name) {
  std::ifstream file("generators/api/" + name);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_FALSE(text.empty()) << name;
  return text;
}

// A template of the project, as it is for a kind of file.
struct ApiFile {
  const char* kind;
  const char* name;
};
constexpr ApiFile kHal10 = {"hal_1.0", "templates/operation_type_1_0.t"};
constexpr ApiFile kHal11 = {"hal_1.1", "templates/operation_type_1_1.t"};
constexpr ApiFile kHal12 = {"hal_1.2", "templates/operation_type_1_2.t"};
constexpr ApiFile kConstants = {"nn_api", "templates/nn_api_constants.h.t"};

std::string Rendered(const ApiFile& file) {
  const auto specification = Specification::Parse("nn_api.spec", ReadFile("nn_api.spec"), file.kind,
                                                  CatalogueDirectives());
  EXPECT_TRUE(specification.ok()) << specification.status();
  if (!specification.ok()) return "";
  const auto rendered = specification->Render(file.name, ReadFile(file.name));
  EXPECT_TRUE(rendered.ok()) << rendered.status();
  return rendered.ok() ? *rendered : "";
}

// The enumerators of a rendered file, by name, as what stands right of the sign.
std::map<std::string, std::string> EnumeratorsOf(const std::string& text) {
  std::map<std::string, std::string> enumerators;
  const re2::RE2 pattern("\n +([A-Z][A-Za-z0-9_]*) = ([^,\n]+),");
  re2::StringPiece rest(text);
  std::string name;
  std::string value;
  while (re2::RE2::FindAndConsume(&rest, pattern, &name, &value)) enumerators[name] = value;
  return enumerators;
}

TEST(ApiFilesTest, HaveNoDirectiveLeft) {
  for (const ApiFile& file : {kHal10, kHal11, kHal12, kConstants}) {
    EXPECT_THAT(Rendered(file), AllOf(Not(HasSubstr("\n%")), Not(HasSubstr("%{")))) << file.name;
  }
}

TEST(ApiFilesTest, DeclareEveryOperationOfTheirVersionByItsNumber) {
  const std::map<HalVersion, std::map<std::string, std::string>> files = {
      {HalVersion::V1_0, EnumeratorsOf(Rendered(kHal10))},
      {HalVersion::V1_1, EnumeratorsOf(Rendered(kHal11))},
      {HalVersion::V1_2, EnumeratorsOf(Rendered(kHal12))}};
  const std::map<std::string, std::string> constants = EnumeratorsOf(Rendered(kConstants));
  for (const OperationDefinition* definition : AllOperations()) {
    const std::string number = absl::StrCat(static_cast<int>(definition->type));
    EXPECT_EQ(files.at(definition->since()).at(definition->name()), number);
    EXPECT_EQ(constants.at("ANEURALNETWORKS_" + definition->name()), number);
    if (definition->since() < HalVersion::V1_2) {
      EXPECT_EQ(files.at(HalVersion::V1_2).at(definition->name()),
                "@1.1::OperationType:" + definition->name());
    }
  }
}

TEST(ApiFilesTest, DeclareTheTypesAndTheirRange) {
  const auto types = EnumeratorsOf(Rendered(kHal12));
  EXPECT_EQ(types.at("TENSOR_QUANT8_SYMM"), "13");
  const std::string text = Rendered(kHal12);
  EXPECT_THAT(text, AllOf(HasSubstr("FUNDAMENTAL_MAX = 13,"), HasSubstr("FUNDAMENTAL_MAX = 94,")));
  EXPECT_EQ(EnumeratorsOf(Rendered(kHal10)).at("TENSOR_OEM_BYTE"), "10001");
}

TEST(ApiFilesTest, NumberTheOperandsOfAnOperationFormByForm) {
  const std::string text = Rendered(kHal10);
  const size_t end = text.find(" CONV_2D = ");
  const std::string comment = text.substr(0, end).substr(text.rfind("/**", end));
  EXPECT_THAT(comment, ContainsRegex("\\* Inputs with paddingLeft, paddingRight,(.|\n)*"
                                     "\\* 7: strideWidth\\. How far(.|\n)*"
                                     "\\* Inputs with paddingScheme:(.|\n)*"
                                     "\\* 4: strideWidth\\. How far"));
}

TEST(HandbookTest, HasAPageForEachOperationAndAnIndex) {
  const std::map<std::string, std::string> pages = Handbook();
  EXPECT_EQ(pages.size(), AllOperations().size() + 1);
  for (const OperationDefinition* definition : AllOperations()) {
    const std::string& page = pages.at(definition->name() + ".md");
    for (const Constraint& constraint : definition->constraints) {
      EXPECT_THAT(page, HasSubstr(absl::StrCat("| ", constraint.label, " | ")));
    }
    EXPECT_THAT(pages.at("README.md"), HasSubstr("](" + definition->name() + ".md)"));
  }
}

// A page without words is of no use: everything that the definition can say is said.
TEST(HandbookTest, EveryOperationIsDocumented) {
  for (const OperationDefinition* definition : AllOperations()) {
    EXPECT_FALSE(definition->summary.empty()) << definition->name();
    EXPECT_FALSE(definition->error_bound.empty()) << definition->name();
    EXPECT_FALSE(definition->source.empty()) << definition->name();
    for (const FormText& form : FormTexts(*definition)) {
      for (const OperandText& operand : form.inputs) {
        EXPECT_THAT(operand.meaning, Not(IsEmpty())) << definition->name() << " " << operand.name;
        EXPECT_THAT(operand.types, Not(IsEmpty())) << definition->name() << " " << operand.name;
      }
    }
    for (const OperandText& operand : OutputTexts(*definition)) {
      EXPECT_THAT(operand.meaning, Not(IsEmpty())) << definition->name() << " " << operand.name;
      EXPECT_THAT(operand.types, Not(IsEmpty())) << definition->name() << " " << operand.name;
    }
  }
}

TEST(OperationTextTest, SaysTypesAndRanksByVersion) {
  const std::vector<OperandText> inputs = FormTexts(*FindOperation("SOFTMAX"))[0].inputs;
  EXPECT_EQ(inputs[0].types, "TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM; since HAL 1.2 TENSOR_FLOAT16");
  EXPECT_EQ(inputs[0].ranks, "2 or 4; since HAL 1.2 1, 2, 3 or 4");
  EXPECT_EQ(inputs[1].ranks, "");
  EXPECT_EQ(inputs[2].presence, "since HAL 1.2, may be left out at the end");
  const std::vector<OperandText> outputs = OutputTexts(*FindOperation("SOFTMAX"));
  EXPECT_EQ(outputs[0].types, "the type of input");
  EXPECT_EQ(outputs[0].quantization, "scale 1/256 and zeroPoint 0");
}

TEST(OperationTextTest, WrapsAtBlanks) {
  EXPECT_THAT(Wrapped("one two  three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(Wrapped("incomprehensible it", 5), ElementsAre("incomprehensible", "it"));
  EXPECT_THAT(Wrapped("", 5), IsEmpty());
}

}  // namespace
}  // namespace nncert
