// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/digest.h"

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert {
namespace {

using hal::testing::StatusIs;

uint64_t DigestOf(std::initializer_list<std::string_view> parts) {
  Digest digest;
  for (const std::string_view part : parts) digest.Add(part);
  return digest.value();
}

// The constants are those of the definition, in decimal and in hexadecimal.
TEST(DigestTest, IsFnv1aOfTheLengthAndTheBytes) {
  uint64_t expected = 0xCBF29CE484222325;
  for (const int byte : {1, 0, 0, 0, 0, 0, 0, 0, 0x61}) {
    expected = (expected ^ static_cast<uint64_t>(byte)) * 1099511628211;
  }
  EXPECT_EQ(DigestOf({"a"}), expected);
}

TEST(DigestTest, PartsAreToldApart) {
  EXPECT_EQ(DigestOf({"ab", "c"}), DigestOf({"ab", "c"}));
  EXPECT_NE(DigestOf({"ab", "c"}), DigestOf({"a", "bc"}));
  EXPECT_NE(DigestOf({"ab", "c"}), DigestOf({"c", "ab"}));
  EXPECT_NE(DigestOf({}), DigestOf({""}));
}

TEST(DigestTest, OfAFile) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/digested");
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  write("one");
  const auto one = DigestFile(path);
  ASSERT_TRUE(one.ok()) << one.status();
  write("two");
  const auto two = DigestFile(path);
  ASSERT_TRUE(two.ok()) << two.status();
  EXPECT_NE(*one, *two);
  write("one");
  EXPECT_EQ(DigestFile(path).value(), *one);
}

TEST(DigestTest, SaysWhichFileCannotBeRead) {
  EXPECT_THAT(DigestFile("/no/such/file"),
              StatusIs(absl::StatusCode::kNotFound, "/no/such/file: there is no such file"));
  EXPECT_THAT(DigestFile("/proc"),
              StatusIs(absl::StatusCode::kInvalidArgument, "/proc: is no regular file"));
}

TEST(DigestTest, Sha256IsThatOfTheStandard) {
  // The examples of FIPS 180-2, appendix B.
  EXPECT_EQ(Sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace nncert
