// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/page/report_page.h"

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cases/element_values.h"
#include "cases/testing/test_cases.h"
#include "certifying/failure_examination.h"
#include "certifying/page/model_drawing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/json_part.h"
#include "pages/long_table.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Lt;
using ::testing::Not;

TEST(ReportPageTest, FiftyThousandFailuresTakeLessThanTenMegabytes) {
  RunReport report;
  report.driver = "mine";
  for (int i = 0; i < 50'000; ++i) {
    CaseResult& result = report.results.emplace_back();
    result.name = absl::StrCat("a_case_whose_name_is_about_as_long_as_they_are_", i);
    result.operation = absl::StrCat("OPERATION_", i % 95);
    result.type = "TENSOR_FLOAT32";
    result.verdict = i % 2 == 0 ? Verdict::FAIL : Verdict::PASS;
    result.detail = absl::StrCat(i, std::string(1000, 'x'));
  }
  report.failures = FailureKindsOf(report);
  EXPECT_EQ(report.failures.size(), 95);
  const std::string page = ReportToHtml(report);
  EXPECT_THAT(page.size(), Lt(10'000'000));
  EXPECT_THAT(page, AllOf(HasSubstr("they_are_49999"), HasSubstr("only report.json")));
}

TEST(LongTableTest, TextsCannotEndItsScript) {
  LongTable table("rows", {"a", "b"});
  table.AddRow({"</script><script>", "\"\\\n"});
  table.AddRow({"same", "same"});
  const std::string text = table.Build().text();
  EXPECT_THAT(text, Not(HasSubstr("</script><script>")));
  EXPECT_THAT(text, HasSubstr(R"("\u003c/script>\u003cscript>")"));
  EXPECT_THAT(text, HasSubstr(R"("cells":[0,1,2,2])"));
}

TEST(JsonPartTest, EveryFigureIsThere) {
  const std::string text =
      JsonPart(R"({"foundAfter": 0.25, "list": [{"a": 1, "counts": {"PASS": 18446744073709551615}},
                   {"a": -2, "b": "<i>"}], "words": ["x", "y"], "is": true})")
          .text();
  EXPECT_THAT(text, AllOf(HasSubstr("found after"), HasSubstr("value=\"0.25\""),
                          HasSubstr("value=\"18446744073709551615\""), HasSubstr("value=\"-2\""),
                          HasSubstr("&lt;i&gt;"), HasSubstr("yes")));
  EXPECT_THAT(JsonPart("no <json>").text(), HasSubstr("no &lt;json&gt;"));
}

TEST(PlainDrawingTest, OnlyWhatCanBeSeenStays) {
  const std::string text =
      PlainDrawing(
          "<?xml version=\"1.0\"?><!DOCTYPE svg><svg width=\"8pt\" onload=\"alert(1)\">"
          "<!-- > --><script>alert(2)</script><g id=\"a\"><title>t</title>"
          "<a xlink:href=\"https://example.org\"><text x='1' "
          "style=\"color:red\">&lt;b&gt;</text></a>"
          "<image href=\"x\"/><path d=\"M0,0\"/></g></svg>")
          .text();
  EXPECT_EQ(text, R"(<svg width="8pt"><g><path d="M0,0"/></g></svg>)");
  EXPECT_TRUE(PlainDrawing("no drawing").empty());
  EXPECT_TRUE(PlainDrawing("<svg <g>").empty());
}

TEST(DrawModelsTest, WhatIsNoGraphHasNoDrawing) {
  const absl::StatusOr<std::vector<Markup>> drawings = DrawModels({"", "/nowhere/at/all.dot"});
  ASSERT_TRUE(drawings.ok()) << drawings.status();
  ASSERT_EQ(drawings->size(), 2);
  EXPECT_TRUE((*drawings)[0].empty());
  EXPECT_TRUE((*drawings)[1].empty());
}

// An answer with these values as the one output.
Answer AnswerOf(const std::vector<double>& values) {
  Answer answer;
  AnsweredExecution& execution = answer.executions.emplace_back();
  AnsweredOutput& output = execution.outputs.emplace_back();
  output.values = values;
  return answer;
}

TEST(WrongElementsTest, TheWorstIsFirstInUnitsOfTheThreshold) {
  const TestCase test_case = AddCase();
  const ExpectedOutput& expected = test_case.examples[0].outputs[0];
  std::vector<double> values =
      DecodeElements(hal::V1_2::OperandType::TENSOR_FLOAT32, expected.data);
  ASSERT_GE(values.size(), 2);
  const double first = values[0];
  const double second = values[1];
  values[0] += 0.5;
  values[1] -= 2;
  const WrongElements elements = WrongElementsOf({test_case, "ADD", AnswerOf(values)});
  EXPECT_EQ(elements.wrong, 2);
  EXPECT_EQ(elements.compared, values.size());
  EXPECT_EQ(elements.criterion, "fp32");
  ASSERT_EQ(elements.worst.size(), 2);
  EXPECT_EQ(elements.worst[0].expected, second);
  EXPECT_EQ(elements.worst[0].actual, second - 2);
  EXPECT_NEAR(*elements.worst[0].thresholds, 2 / (1e-5 + 1e-5 * std::abs(second)), 1);
  EXPECT_EQ(elements.worst[1].expected, first);
  EXPECT_THAT(*elements.worst[0].lowest, Le(second));
  EXPECT_THAT(*elements.worst[0].highest, Ge(second));
  EXPECT_THAT(*elements.worst[0].highest, Lt(second + 1));
}

TEST(WrongElementsTest, NothingIsWrongWithTheExpectedValues) {
  const TestCase test_case = AddCase();
  const std::vector<double> values =
      DecodeElements(hal::V1_2::OperandType::TENSOR_FLOAT32, test_case.examples[0].outputs[0].data);
  EXPECT_EQ(WrongElementsOf({test_case, "ADD", AnswerOf(values)}).wrong, 0);
}

}  // namespace
}  // namespace nncert
