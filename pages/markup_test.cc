// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/markup.h"

#include <string>

#include "gtest/gtest.h"

namespace nncert {
namespace {

TEST(MarkupTest, TextsAreEscaped) {
  EXPECT_EQ(Text("<b> & \"c\"").text(), "&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(Text("\xFF\x01").text(), "\\xff\\x01");
  EXPECT_EQ(Isolated("<i>").text(), "<bdi>&lt;i&gt;</bdi>");
}

TEST(MarkupTest, ElementsAreClosedAndTheirAttributesEscaped) {
  EXPECT_EQ(Element("p", {{"class", "a\" onclick=\"b"}}, "<x>").text(),
            "<p class=\"a&quot; onclick=&quot;b\">&lt;x&gt;</p>");
  EXPECT_EQ(Element("td", Markup()).text(), "<td></td>");
  EXPECT_EQ(EmptyElement("line", {{"x1", "0"}, {"y1", "2"}}).text(), "<line x1=\"0\" y1=\"2\"/>");
}

TEST(MarkupTest, PiecesAreJoinedInTheirOrder) {
  Markup markup = Text("a") + Element("b", Text("c"));
  markup += Text("d");
  EXPECT_EQ(markup.text(), "a<b>c</b>d");
  EXPECT_FALSE(markup.empty());
  EXPECT_TRUE(Markup().empty());
}

}  // namespace
}  // namespace nncert
