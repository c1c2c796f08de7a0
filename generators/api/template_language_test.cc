// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "generators/api/template_language.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nncert {
namespace {

using ::testing::HasSubstr;

// What a template of one %insert of the section S gives, or the error.
std::string SectionOf(std::string_view specification, std::string_view kind = "a",
                      const std::map<std::string, Directive>& directives = {}) {
  const auto parsed = Specification::Parse("spec", specification, kind, directives);
  if (!parsed.ok()) return std::string(parsed.status().message());
  const auto rendered = parsed->Render("template", "%insert S\n");
  return rendered.ok() ? *rendered : std::string(rendered.status().message());
}

TEST(TemplateLanguageTest, InsertsSectionsAndKeepsTheOtherLines) {
  const auto parsed = Specification::Parse("spec",
                                           "ignored\n%section S\n one\n\n%% no\n two\n"
                                           "%/section\nignored\n",
                                           "a", {});
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const auto rendered =
      parsed->Render("template", "%% comment\nbefore 100%\n%insert S\nafter\n%insert S");
  ASSERT_TRUE(rendered.ok()) << rendered.status();
  EXPECT_EQ(*rendered, "before 100%\n one\n\n two\nafter\n one\n\n two\n");
}

TEST(TemplateLanguageTest, MacrosTakeArguments) {
  EXPECT_EQ(SectionOf("%define pair second is %{2}, first is %{1}\n"
                      "%section S\n<%{pair alpha beta}>%{pair 1 2}\n%/section\n"),
            "<second is beta, first is alpha>second is 2, first is 1\n");
}

TEST(TemplateLanguageTest, MacrosAreNotExpandedAgain) {
  EXPECT_EQ(SectionOf("%define one %{two}\n%define two no\n%section S\n%{one}\n%/section\n"),
            "%{two}\n");
}

TEST(TemplateLanguageTest, ALineMayBeginWithAMacro) {
  EXPECT_EQ(SectionOf("%define x y\n%section S\n%{x}z\n%/section\n"), "yz\n");
}

TEST(TemplateLanguageTest, TheBodyKeepsItsBlanks) {
  EXPECT_EQ(SectionOf("%define x  y \n%section S\n<%{x}>\n%/section\n"), "< y >\n");
}

TEST(TemplateLanguageTest, LinesAreDefinedOnceAndInsertedOften) {
  EXPECT_EQ(SectionOf("%define-lines L\na\nb\n%/define-lines\n"
                      "%section S\n%insert-lines L\n-\n%insert-lines L\n%/section\n"),
            "a\nb\n-\na\nb\n");
}

TEST(TemplateLanguageTest, KindsChooseByNameWildcardAndLowestVersion) {
  const std::string specification =
      "%define-kinds hal_1 hal_2 hal_3 ndk\n%section S\n"
      "%kind hal_2 ndk\ntwo or ndk\n%else\nnot\n%/kind\n"
      "%kind hal*\nhal\n%/kind\n%kind hal_2+\nfrom two\n%/kind\n%/section\n";
  EXPECT_EQ(SectionOf(specification, "hal_1"), "not\nhal\n");
  EXPECT_EQ(SectionOf(specification, "hal_2"), "two or ndk\nhal\nfrom two\n");
  EXPECT_EQ(SectionOf(specification, "hal_3"), "not\nhal\nfrom two\n");
  EXPECT_EQ(SectionOf(specification, "ndk"), "two or ndk\nfrom two\n");
  EXPECT_THAT(SectionOf(specification, "hal_4"), HasSubstr("spec:1: %define-kinds"));
}

TEST(TemplateLanguageTest, DefinitionsOfAnotherKindDoNotCount) {
  const std::string specification =
      "%kind a\n%define x A\n%/kind\n%kind b\n%define x B\n%define-lines L\nb\n%/define-lines\n"
      "%/kind\n%section S\n%{x}\n%/section\n";
  EXPECT_EQ(SectionOf(specification, "a"), "A\n");
  EXPECT_EQ(SectionOf(specification, "b"), "B\n");
}

TEST(TemplateLanguageTest, OtherDirectivesGiveLines) {
  const std::map<std::string, Directive> directives = {
      {"echo",
       [](const std::vector<std::string>& arguments,
          const Macros& macros) -> absl::StatusOr<std::vector<std::string>> {
         const auto called = macros.Call("m", arguments);
         if (!called.ok()) return called.status();
         return std::vector<std::string>{*called, "end"};
       }}};
  EXPECT_EQ(SectionOf("%define m (%{1})\n%section S\n%echo hi\n%/section\n", "a", directives),
            "(hi)\nend\n");
  EXPECT_THAT(SectionOf("%define m (%{2})\n%section S\n%echo hi\n%/section\n", "a", directives),
              HasSubstr("spec:3: the macro 'm' wants argument 2; it got 1"));
  EXPECT_THAT(SectionOf("%define m\n%echo hi\n", "a", directives),
              HasSubstr("spec:2: text is only given inside"));
}

TEST(TemplateLanguageTest, ErrorsNameFileAndLine) {
  const std::pair<const char*, const char*> wrong[] = {
      {"%section S\n%{x}\n%/section\n", "spec:2: there is no macro 'x'"},
      {"%section S\n%{x\n%/section\n", "spec:2: '%{' without '}'"},
      {"%section S\n%{}\n%/section\n", "spec:2: '%{}' names no macro"},
      {"%define\n", "spec:1: %define takes a name and a body"},
      {"%section S\n", "spec:1: %section S has no end"},
      {"%section S\n%section T\n", "spec:2: %section T inside of %section S"},
      {"%section S\n%/section\n%section S\n", "spec:3: there is a section S already"},
      {"%section\n", "spec:1: %section takes one name"},
      {"%/section\n", "spec:1: %/section ends nothing"},
      {"%define-lines L\n", "spec:1: %define-lines L has no end"},
      {"%define-lines L\n%define-lines M\n", "spec:2: %define-lines M inside of %define-lines L"},
      {"%define-lines L\n%/define-lines\n%define-lines L\n", "spec:3: there are lines L already"},
      {"%kind a\n", "spec:1: %kind has no end"},
      {"%kind\n", "spec:1: %kind takes kinds"},
      {"%kind a\n%kind b\n", "spec:2: %kind inside of %kind"},
      {"%kind x+\n", "spec:1: %define-kinds does not have the kind x"},
      {"%else\n", "spec:1: %else without %kind"},
      {"%/kind\n", "spec:1: %/kind without %kind"},
      {"%kind a\n%define-lines L\n%/kind\n", "spec:3: %/kind before %/define-lines"},
      {"%kind a\n%section S\n", "spec:2: %section S inside of %kind"},
      {"%section S\n%insert-lines L\n", "spec:2: %insert-lines takes the name"},
      {"%nonsense\n", "spec:1: there is no directive %nonsense"},
      {"", "template:1: the specification has no section S"},
  };
  for (const auto& [specification, error] : wrong) {
    EXPECT_THAT(SectionOf(specification), HasSubstr(error)) << specification;
  }
}

TEST(TemplateLanguageTest, ATemplateHasInsertsAlone) {
  const auto parsed = Specification::Parse("spec", "", "a", {});
  ASSERT_TRUE(parsed.ok());
  EXPECT_THAT(parsed->Render("t", "x\n%define a b\n").status().message(),
              HasSubstr("t:2: a template has %insert NAME alone; got %define a b"));
  EXPECT_THAT(parsed->Render("t", "%insert\n").status().message(), HasSubstr("t:1: a template"));
}

}  // namespace
}  // namespace nncert
