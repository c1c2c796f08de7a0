// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/escape.h"

#include <string>

#include "gtest/gtest.h"

namespace nncert {
namespace {

TEST(EscapeTest, JsonEscapesWhatAStringMustNotHold) {
  EXPECT_EQ(EscapeJson("a \"quoted\" \\ text"), "a \\\"quoted\\\" \\\\ text");
  EXPECT_EQ(EscapeJson("two\nlines\tand \x01"), "two\\nlines\\u0009and \\u0001");
  EXPECT_EQ(EscapeJson(std::string("nul \0 inside", 12)), "nul \\u0000 inside");
}

TEST(EscapeTest, JsonKeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(EscapeJson("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(EscapeJson("\xFF."), "\\ufffd.");
  EXPECT_EQ(EscapeJson("cut \xE2\x82"), "cut \\ufffd\\ufffd");
  // An overlong form, a surrogate, a code point beyond the last.
  EXPECT_EQ(EscapeJson("\xC0\xAF"), "\\ufffd\\ufffd");
  EXPECT_EQ(EscapeJson("\xED\xA0\x80"), "\\ufffd\\ufffd\\ufffd");
  EXPECT_EQ(EscapeJson("\xF4\x90\x80\x80"), "\\ufffd\\ufffd\\ufffd\\ufffd");
}

TEST(EscapeTest, XmlEscapesMarkup) {
  EXPECT_EQ(EscapeXml("a < b && \"c\" > d"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; d");
  EXPECT_EQ(EscapeXml("two\nlines\t"), "two&#10;lines&#9;");
}

TEST(EscapeTest, XmlWritesWhatItCannotHoldAsNumbers) {
  EXPECT_EQ(EscapeXml("bell \x07 escape \x1b"), "bell \\x07 escape \\x1b");
  EXPECT_EQ(EscapeXml("\xFF\xC3\xA9"), "\\xff\xC3\xA9");
  // U+FFFE is UTF-8, but no character of XML.
  EXPECT_EQ(EscapeXml("\xEF\xBF\xBE"), "\\xef\\xbf\\xbe");
}

TEST(EscapeTest, CsvQuotesWhatWouldEndAField) {
  EXPECT_EQ(EscapeCsv("plain text"), "plain text");
  EXPECT_EQ(EscapeCsv(""), "");
  EXPECT_EQ(EscapeCsv("a,b"), "\"a,b\"");
  EXPECT_EQ(EscapeCsv("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(EscapeCsv("two\nlines"), "\"two\nlines\"");
}

TEST(EscapeTest, CsvHasNoFormulas) {
  EXPECT_EQ(EscapeCsv("=1+1"), "'=1+1");
  EXPECT_EQ(EscapeCsv("=HYPERLINK(\"a\",\"b\")"), "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\"");
  for (const char* formula : {"+a", "-a", "@a", "\ra"})
    EXPECT_TRUE(EscapeCsv(formula).find('\'') < 2);
  EXPECT_EQ(EscapeCsv("a=b"), "a=b");
}

TEST(EscapeTest, CsvReplacesWhatIsNoText) {
  EXPECT_EQ(EscapeCsv("\xC3\xA9"), "\xC3\xA9");
  EXPECT_EQ(EscapeCsv("a\xFF\x07"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(EscapeForTerminalTest, LeavesTextAndLineEnds) {
  const std::string text = "plain text, \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 and\nmore: <&>\"'\\";
  EXPECT_EQ(EscapeForTerminal(text), text);
  EXPECT_EQ(EscapeForTerminal("a\tb"), "a b");
  EXPECT_EQ(EscapeForTerminal(""), "");
}

TEST(EscapeForTerminalTest, WritesOutWhatATerminalObeys) {
  EXPECT_EQ(EscapeForTerminal("\x1b[2J\r\b\x7f"), "\\x1b[2J\\x0d\\x08\\x7f");
  EXPECT_EQ(EscapeForTerminal(std::string("\0", 1)), "\\x00");
  // The control sequence introducer of one character, and U+00A0, which is none.
  EXPECT_EQ(EscapeForTerminal("\xC2\x9B\xC2\xA0"), "\\xc2\\x9b\xC2\xA0");
  // Right-to-left override and isolate, line separator; and the dash between them.
  EXPECT_EQ(EscapeForTerminal("\xE2\x80\xAE\xE2\x81\xA7\xE2\x80\xA8\xE2\x80\x93"),
            "\\xe2\\x80\\xae\\xe2\\x81\\xa7\\xe2\\x80\\xa8\xE2\x80\x93");
}

TEST(EscapeForTerminalTest, WritesOutWhatIsNotUtf8) {
  EXPECT_EQ(EscapeForTerminal("a\xff\xfe\xC3"), "a\\xff\\xfe\\xc3");
  EXPECT_EQ(EscapeForTerminal("\xED\xA0\x80"), "\\xed\\xa0\\x80");
}

}  // namespace
}  // namespace nncert
