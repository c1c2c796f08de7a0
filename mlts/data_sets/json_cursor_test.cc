// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/json_cursor.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using hal::testing::StatusIs;

std::string Path() { return ::testing::TempDir() + "/document.json"; }

// The document of a text.
JsonCursor Document(std::string_view text) {
  EXPECT_TRUE(WriteWholeFile(Path(), text).ok());
  absl::StatusOr<JsonCursor> document = JsonCursor::Open(Path());
  EXPECT_TRUE(document.ok()) << document.status();
  return *document;
}

// Expects the error of a place.
void Fails(const JsonCursor& cursor, const std::string& text) {
  EXPECT_THAT(cursor.status(),
              StatusIs(absl::StatusCode::kInvalidArgument, absl::StrCat(Path(), ": ", text)));
}

TEST(JsonCursorTest, ValuesAreReached) {
  const JsonCursor document = Document(R"({"models": [{"name": "a"}, {"name": "b", "size": 3}]})");
  const std::vector<JsonCursor> models = document["models"].Elements();
  ASSERT_EQ(models.size(), 2);
  EXPECT_EQ(models[1]["name"].String(), "b");
  EXPECT_EQ(models[1]["size"].Integer(1), 3);
  EXPECT_EQ(models[1]["size"].Number(), 3);
  EXPECT_FALSE(models[0].Has("size"));
  EXPECT_THAT(models[1].Names(), ElementsAre("name", "size"));
  EXPECT_TRUE(document.status().ok()) << document.status();
}

TEST(JsonCursorTest, WhatIsMissingIsToldWithItsPlace) {
  const JsonCursor document = Document(R"({"models": [{"name": "a"}]})");
  EXPECT_EQ(document["models"].Elements()[0]["data"]["path"].String(), "");
  Fails(document, "models[0].data is missing");
}

TEST(JsonCursorTest, FirstErrorIsKept) {
  const JsonCursor document = Document(R"({"a": 1, "b": []})");
  EXPECT_EQ(document["a"].String(), "");
  EXPECT_EQ(document["b"].Number(), 0);
  Fails(document, "a is number, not a text");
}

TEST(JsonCursorTest, ErrorsOfAPlaceCanBeKeptApart) {
  const JsonCursor document = Document(R"({"a": 1})");
  const JsonCursor apart = document["a"].WithOwnErrors();
  EXPECT_EQ(apart.String(), "");
  EXPECT_TRUE(document.status().ok());
  EXPECT_FALSE(apart.status().ok());
}

TEST(JsonCursorTest, OtherKindsAreTold) {
  const JsonCursor document = Document(R"({"a": [1]})");
  const JsonCursor list = document["a"].WithOwnErrors();
  EXPECT_FALSE(list.Has("b"));
  Fails(list, "a is array, not an object");
  const JsonCursor number = document["a"].Elements()[0].WithOwnErrors();
  EXPECT_THAT(number.Elements(), IsEmpty());
  Fails(number, "a[0] is number, not a list");
  const JsonCursor other = document["a"].Elements()[0].WithOwnErrors();
  EXPECT_THAT(other.Names(), IsEmpty());
  Fails(other, "a[0] is number, not an object");
}

TEST(JsonCursorTest, WrongNumbersAreTold) {
  for (const char* const number : {"1.5", "-1", "1e20", "0"}) {
    const JsonCursor document = Document(absl::StrCat("{\"a\": ", number, "}"));
    EXPECT_EQ(document["a"].Integer(1), 1);
    EXPECT_THAT(document.status(), StatusIs(absl::StatusCode::kInvalidArgument,
                                            HasSubstr("not a whole number from 1")));
  }
}

TEST(JsonCursorTest, EmptyTextsAreTold) {
  const JsonCursor document = Document(R"({"a": ""})");
  EXPECT_EQ(document["a"].String(), "");
  Fails(document, "a is empty");
}

TEST(JsonCursorTest, UnknownMembersAreTold) {
  const JsonCursor document = Document(R"({"crop": 1, "corp": 1})");
  document.AllowOnly({"crop", "data"});
  Fails(document, "has the unknown member \"corp\"; there are crop, data");
}

TEST(JsonCursorTest, WhatIsNoJsonIsToldWithItsPlace) {
  ASSERT_TRUE(WriteWholeFile(Path(), std::string_view("{\"a\": 1,\n\"b\" 2}")).ok());
  EXPECT_THAT(JsonCursor::Open(Path()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(StartsWith(Path() + ": is no JSON: "), HasSubstr("line 2"))));
  EXPECT_THAT(JsonCursor::Open(::testing::TempDir() + "/none.json"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("none.json")));
}

}  // namespace
}  // namespace nncert
