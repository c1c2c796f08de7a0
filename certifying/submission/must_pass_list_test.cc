// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/must_pass_list.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

MustPassList SmallList() {
  return {
      .nncert = "1.0",
      .hal_version = "1.2",
      .suites = {{"specs", 3, "ab", {"GeneratedTests.a", "GeneratedTests.b", "GeneratedTests.a"}},
                 {"basic", 2, "-", {"Basic.x", "Basic.y"}},
                 {"random_graphs", 10, "seed=1", {}}}};
}

// A run with a result of everything on the list.
RunReport WholeRun() {
  RunReport report;
  for (const char* const name : {"a", "b", "a"}) {
    report.results.emplace_back();
    report.results.back().name = name;
    report.results.back().verdict = Verdict::PASS;
  }
  report.results[1].verdict = Verdict::FAIL;
  report.case_suites = {{"specs", 3}};
  report.sections.resize(2);
  report.sections[0].name = "basic";
  report.sections[0].results = {{"Basic.x", Verdict::PASS}, {"Basic.y", Verdict::UNSUPPORTED}};
  report.sections[1].name = "random_graphs";
  report.sections[1].run = 10;
  report.sections[1].counts = {{Verdict::PASS, 9}, {Verdict::CRASH, 1}};
  return report;
}

TEST(MustPassListTest, TheTextIsReadAgain) {
  const std::string text = MustPassListToText(SmallList());
  EXPECT_THAT(text, HasSubstr("\nhal 1.2\nsuite specs 3 ab\nGeneratedTests.a\n"));
  const absl::StatusOr<MustPassList> read = ParseMustPassList(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, SmallList());
  EXPECT_EQ(HashOf(*read), HashOf(SmallList()));
  EXPECT_EQ(SmallList().Tests(), 15u);
}

TEST(MustPassListTest, AnyChangeIsAnotherHashOrNoList) {
  const std::string text = MustPassListToText(SmallList());
  for (size_t i = 0; i < text.size(); ++i) {
    for (const std::string& changed :
         {text.substr(0, i) + text.substr(i + 1), text.substr(0, i),
          text.substr(0, i) + "\n" + text.substr(i), text.substr(0, i) + "0" + text.substr(i)}) {
      const absl::StatusOr<MustPassList> read = ParseMustPassList(changed);
      if (!read.ok()) {
        EXPECT_TRUE(absl::IsInvalidArgument(read.status()));
      } else {
        EXPECT_NE(HashOf(*read), HashOf(SmallList())) << changed;
      }
    }
  }
}

TEST(MustPassListTest, AWholeRunMissesNothing) {
  const ListVerdicts compared = CompareWithList(WholeRun(), SmallList());
  EXPECT_THAT(compared.outcome.missing, IsEmpty());
  EXPECT_EQ(compared.outcome.tests, 15u);
  EXPECT_EQ(compared.outcome.results, 15u);
  EXPECT_EQ(compared.outcome.sha256, HashOf(SmallList()));
  EXPECT_EQ(VerdictsToText(WholeRun(), SmallList(), compared),
            "suite specs 3 ab\nPASS GeneratedTests.a\nFAIL GeneratedTests.b\nPASS "
            "GeneratedTests.a\nsuite basic 2 -\nPASS Basic.x\nUNSUPPORTED Basic.y\nsuite "
            "random_graphs 10 seed=1 unnamed\nPASS 9\nCRASH 1\n");
}

TEST(MustPassListTest, WhatHasNoResultIsMissing) {
  RunReport report = WholeRun();
  report.results.pop_back();
  report.case_suites = {{"specs", 2}};
  report.sections[0].results[1].verdict = Verdict::MISSING;
  report.sections[1].run = 4;
  const ListVerdicts compared = CompareWithList(report, SmallList());
  EXPECT_THAT(compared.verdicts[0], ElementsAre(Verdict::PASS, Verdict::FAIL, Verdict::MISSING));
  ASSERT_EQ(compared.outcome.missing.size(), 3u);
  EXPECT_EQ(compared.outcome.missing[0].first, "GeneratedTests.a");
  EXPECT_EQ(compared.outcome.missing[1].first, "Basic.y");
  EXPECT_EQ(compared.outcome.missing[2].tests, 6u);
  EXPECT_EQ(compared.outcome.results, 7u);
  // Nor does a result stand for a test before or behind which it came.
  std::swap(report.results[0], report.results[1]);
  EXPECT_THAT(CompareWithList(report, SmallList()).verdicts[0],
              ElementsAre(Verdict::MISSING, Verdict::FAIL, Verdict::PASS));
  EXPECT_EQ(CompareWithList({}, SmallList()).outcome.results, 0u);
}

}  // namespace
}  // namespace nncert
