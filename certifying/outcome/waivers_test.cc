// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/outcome/waivers.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kText[] = R"(# Known, and being mended.
[[waiver]]
vendor = "Acme"
device = "A1"
driver_version = '1\..*'
test = 'GeneratedTests\.conv_2d_.*'
reason = "the left padding is taken for the right one"
url = "https://acme.example/7"
expires = 2027-01-31
)";

std::unique_ptr<RunWaivers> Waived(const std::string& text, const std::string& version = "1.7",
                                   absl::CivilDay today = absl::CivilDay(2027, 1, 31)) {
  absl::StatusOr<std::vector<Waiver>> waivers = ParseWaivers(text, "w.toml");
  EXPECT_TRUE(waivers.ok()) << waivers.status();
  return RunWaivers::Create(*std::move(waivers), version, today).value();
}

// The details of what is to be said.
std::vector<std::string> Said(const RunWaivers& waivers) {
  std::vector<std::string> details;
  for (const Finding& finding : FindingsOf(waivers.Uses())) {
    EXPECT_EQ(finding.kind, FindingKind::WAIVER);
    details.push_back(finding.detail);
  }
  return details;
}

TEST(WaiversTest, AFailureThatIsNamedIsWaivedUpToTheLastDay) {
  const std::unique_ptr<RunWaivers> waivers = Waived(kText);
  const Waiver* const waiver = waivers->Find("GeneratedTests.conv_2d_same", true);
  ASSERT_NE(waiver, nullptr);
  EXPECT_EQ(waiver->reason, "the left padding is taken for the right one");
  EXPECT_EQ(waivers->Find("GeneratedTests.add", true), nullptr);
  // A name has to match as a whole.
  EXPECT_EQ(waivers->Find("My.GeneratedTests.conv_2d_same", true), nullptr);
  EXPECT_THAT(Said(*waivers), IsEmpty());
  EXPECT_THAT(WaiversToJson(waivers->Uses()),
              HasSubstr("\"state\": \"holds\", \"failed\": 1, \"passed\": 0"));
}

TEST(WaiversTest, AnExpiredOneWaivesNothingAndIsTold) {
  const std::unique_ptr<RunWaivers> waivers = Waived(kText, "1.7", absl::CivilDay(2027, 2, 1));
  EXPECT_EQ(waivers->Find("GeneratedTests.conv_2d_same", true), nullptr);
  EXPECT_THAT(Said(*waivers), ElementsAre(HasSubstr("has expired after 2027-01-31; 1 test that")));
}

TEST(WaiversTest, OneOfAnotherVersionWaivesNothingAndIsTold) {
  const std::unique_ptr<RunWaivers> waivers = Waived(kText, "2.0");
  EXPECT_EQ(waivers->Find("GeneratedTests.conv_2d_same", true), nullptr);
  EXPECT_THAT(Said(*waivers), ElementsAre(HasSubstr("is of driver versions 1\\..*")));
}

TEST(WaiversTest, OneThatNamesNothingIsTold) {
  const std::unique_ptr<RunWaivers> waivers = Waived(kText);
  waivers->Find("GeneratedTests.add", true);
  EXPECT_THAT(Said(*waivers), ElementsAre(HasSubstr("(line 2, https://acme.example/7) names no")));
}

TEST(WaiversTest, ATestThatPassesAfterAllIsTold) {
  const std::unique_ptr<RunWaivers> waivers = Waived(kText);
  EXPECT_EQ(waivers->Find("GeneratedTests.conv_2d_a", false), nullptr);
  waivers->Find("GeneratedTests.conv_2d_b", false);
  EXPECT_THAT(
      Said(*waivers),
      ElementsAre(HasSubstr("names 2 tests that pass, the first: GeneratedTests.conv_2d_a")));
}

TEST(WaiversTest, EveryKeyIsNeededAndNoOtherIsTaken) {
  for (const char* const key :
       {"vendor", "device", "driver_version", "test", "reason", "url", "expires"}) {
    const std::string text =
        absl::StrReplaceAll(kText, {{absl::StrCat("\n", key, " ="), "\nother ="}});
    const absl::StatusOr<std::vector<Waiver>> without = ParseWaivers(text, "w.toml");
    EXPECT_TRUE(absl::IsInvalidArgument(without.status())) << key;
    EXPECT_THAT(without.status().message(), HasSubstr("a waiver has no \"other\""));
    const size_t begin = std::string(kText).find(absl::StrCat("\n", key, " ="));
    std::string cut = kText;
    cut.erase(begin, cut.find('\n', begin + 1) - begin);
    EXPECT_THAT(
        ParseWaivers(cut, "w.toml").status().message(),
        HasSubstr(absl::StrCat("w.toml:2: a waiver has a ",
                               key == std::string("expires") ? "date" : "text", " \"", key)));
  }
}

TEST(WaiversTest, BadFilesAreRefusedWithTheirLine) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"[[waiver]\n", "w.toml:1: "},
           {"a = 1\n[[waiver]]\n", "w.toml:1: expected [[waiver]], not \"a\""},
           {"waiver = [1]\n", "expected [[waiver]]"},
           {absl::StrReplaceAll(kText, {{"conv_2d_.*", "("}}),
            "line 2: 'GeneratedTests\\.(' is no"},
           {absl::StrReplaceAll(kText, {{"2027-01-31", "\"2027-01-31\""}}), "a date \"expires\""},
           {absl::StrReplaceAll(kText, {{"2027-01-31", "2027-02-30"}}), "w.toml:9: "},
       }) {
    const absl::Status status = ParseWaivers(text, "w.toml").status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
    EXPECT_THAT(status.message(), HasSubstr(message));
  }
  EXPECT_TRUE(absl::IsNotFound(ReadWaivers("/nowhere/w.toml").status()));
  EXPECT_THAT(ParseWaivers("", "w.toml").value(), IsEmpty());
}

}  // namespace
}  // namespace nncert
