// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/page.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/numbers.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(WritePageTest, HasAPolicyThatAllowsItsOwnStyleAndScriptAlone) {
  const std::string page = WritePage("a < b", Text("body"));
  EXPECT_THAT(page,
              StartsWith("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"));
  EXPECT_THAT(page, HasSubstr("<title>a &lt; b</title>"));
  // results_page_test has a browser that would complain, were these not the digests of what is
  // there.
  EXPECT_THAT(page, HasSubstr("content=\"default-src 'none'; style-src 'sha256-"));
  EXPECT_THAT(page, HasSubstr("; script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("http://")));
  EXPECT_THAT(page, Not(HasSubstr("https://")));
}

TEST(TableTest, LeavesOutColumnsThatAreEmpty) {
  Table table({{"name", Table::Kind::TEXT}, {"a"}, {"b"}});
  table.AddRow({Text("one"), Markup(), Figure(1.5)});
  table.AddRow({Text("two"), Markup()}, "wrong");
  const std::string text = table.Build().text();
  EXPECT_THAT(text, HasSubstr("<th scope=\"col\">name</th><th class=\"n\" scope=\"col\">b</th>"));
  EXPECT_THAT(text, Not(HasSubstr(">a<")));
  EXPECT_THAT(text,
              HasSubstr("<tr class=\"wrong\"><th scope=\"row\">two</th><td class=\"n\"></td>"));
}

TEST(TableTest, SaysItsScale) {
  Table table({{"name", Table::Kind::TEXT}, {"ms"}}, "sortable");
  table.SetScale(1000);
  table.AddRow({Text("one"), Figure(1500, 1000)});
  EXPECT_THAT(table.Build().text(), HasSubstr("<table class=\"sortable\" data-scale=\"1000\">"));
}

TEST(TableTest, IsNothingWithoutRows) { EXPECT_TRUE(Table({{"name"}}).Build().empty()); }

}  // namespace
}  // namespace nncert
