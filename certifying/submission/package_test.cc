// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/package.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "certifying/report_folder.h"
#include "certifying/submission/must_pass_list.h"
#include "certifying/submission/verification.h"
#include "certifying/timing.h"
#include "certifying/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "random/split_mix.h"

namespace nncert {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kChanges = 1000;

MustPassList ListOfThree() {
  return {.nncert = kVersion,
          .hal_version = "1.2",
          .suites = {{"specs", 2, "ab", {"GeneratedTests.a", "GeneratedTests.b"}},
                     {"basic", 2, "-", {"Basic.x", "Basic.y"}},
                     {"random_graphs", 10, "seed=1", {}}}};
}

absl::StatusOr<MustPassList> OwnList(std::string_view /*hal_version*/) { return ListOfThree(); }

// The files of a run in which everything passed.
std::vector<PackagedFile> HonestFiles() {
  RunReport report;
  report.driver = "mine";
  report.driver_version = "7";
  report.hal_version = "1.2";
  for (const char* const name : {"a", "b"}) {
    CaseResult& result = report.results.emplace_back();
    result.name = name;
    result.operation = "ADD";
    result.verdict = Verdict::PASS;
    result.compared_elements = 1;
  }
  report.case_suites = {{"specs", 2}};
  report.sections.resize(2);
  report.sections[0].name = report.sections[0].member = "basic";
  report.sections[0].json = "{}";
  report.sections[0].results = {{"Basic.x", Verdict::PASS}, {"Basic.y", Verdict::UNSUPPORTED}};
  report.sections[0].counts = {{Verdict::PASS, 1}, {Verdict::UNSUPPORTED, 1}};
  report.sections[0].run = report.sections[0].planned = 2;
  report.sections[1].name = "random_graphs";
  report.sections[1].member = "randomGraphs";
  report.sections[1].json = "{}";
  report.sections[1].run = report.sections[1].planned = 10;
  report.sections[1].counts = {{Verdict::PASS, 10}};
  const ListVerdicts verdicts = CompareWithList(report, ListOfThree());
  report.must_pass = verdicts.outcome;
  const std::string statement = absl::StrCat(
      R"({"nncert": ")", kVersion,
      R"(", "driver": "mine", "driverVersion": "7", "halVersion": "1.2", "extensions": []})");
  return {{kStatementFile, statement},
          {kMustPassFile, MustPassListToText(ListOfThree())},
          {kVerdictsFile, VerdictsToText(report, ListOfThree(), verdicts)},
          {kJsonReportFile, ReportToJson(report)},
          {kTimingFile, TimingToJson(report)},
          {kFailureListFile, ""}};
}

std::vector<std::string> ProblemsOf(const std::vector<PackagedFile>& files) {
  const absl::StatusOr<Verification> verification = VerifySubmission(files, &OwnList);
  EXPECT_TRUE(verification.ok()) << verification.status();
  return verification->problems;
}

std::string Packed(const std::vector<PackagedFile>& files) {
  const absl::StatusOr<std::string> package = WritePackage(files);
  EXPECT_TRUE(package.ok()) << package.status();
  return *package;
}

// Takes one line away, writes it twice, changes places with the next, or changes a letter in it.
std::string WithAnotherRecord(const std::string& text, SplitMix64& random) {
  std::vector<std::string> lines = absl::StrSplit(text, '\n');
  lines.pop_back();
  const auto place = static_cast<size_t>(random.Below(lines.size()));
  std::string& line = lines[place];
  const auto at = lines.begin() + static_cast<std::ptrdiff_t>(place);
  switch (random.Below(4)) {
    case 0:
      lines.erase(at);
      break;
    case 1:
      lines.insert(at, std::string(line));
      break;
    case 2:
      std::swap(line, lines[(place + 1) % lines.size()]);
      break;
    default:
      line[static_cast<size_t>(random.Below(line.size()))] ^= 1;
  }
  return absl::StrCat(absl::StrJoin(lines, "\n"), "\n");
}

TEST(PackageTest, AnHonestPackageIsAcceptedAndAlwaysTheSame) {
  const std::string package = Packed(HonestFiles());
  EXPECT_EQ(Packed(HonestFiles()), package);
  const absl::StatusOr<std::vector<PackagedFile>> files = ReadPackage(package);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(*files, HonestFiles());
  const absl::StatusOr<Verification> verification = VerifySubmission(*files, &OwnList);
  ASSERT_TRUE(verification.ok());
  EXPECT_THAT(verification->problems, IsEmpty());
  EXPECT_EQ(verification->certification, "CERTIFIED");
  EXPECT_THAT(DescribeVerification(*verification), HasSubstr("\nACCEPTED: "));
}

TEST(PackageTest, AnyOtherBitIsRefused) {
  const std::string package = Packed(HonestFiles());
  SplitMix64 random(1);
  for (int i = 0; i < kChanges; ++i) {
    std::string changed = package;
    const auto bit = static_cast<size_t>(random.Below(8 * package.size()));
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_TRUE(absl::IsInvalidArgument(ReadPackage(changed).status())) << bit;
  }
  for (size_t size = 0; size < package.size(); ++size) {
    ASSERT_FALSE(ReadPackage(package.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(ReadPackage(package + '\0').ok());
}

TEST(PackageTest, AnyOtherBitOfTheTarIsRefusedWhateverTheHeadSays) {
  const std::string tar = UnpackTar(Packed(HonestFiles())).value();
  ASSERT_TRUE(ReadPackage(PackTar(tar).value()).ok());
  SplitMix64 random(2);
  for (int i = 0; i < kChanges; ++i) {
    std::string changed = tar;
    const auto bit = static_cast<size_t>(random.Below(8 * tar.size()));
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_TRUE(absl::IsInvalidArgument(ReadPackage(PackTar(changed).value()).status())) << bit;
  }
}

TEST(PackageTest, AnotherRecordIsRefusedAlsoWhereAllHashesAreMadeAnew) {
  SplitMix64 random(3);
  int changes = 0;
  while (changes < kChanges) {
    std::vector<PackagedFile> files = HonestFiles();
    PackagedFile& file = files[1 + static_cast<size_t>(random.Below(2))];
    std::string text = WithAnotherRecord(file.content, random);
    if (text == file.content) continue;
    ++changes;
    file.content = std::move(text);
    const absl::StatusOr<std::vector<PackagedFile>> read = ReadPackage(Packed(files));
    ASSERT_TRUE(read.ok());
    EXPECT_FALSE(ProblemsOf(*read).empty()) << file.name << "\n" << file.content;
  }
}

TEST(PackageTest, WhatDoesNotAgreeIsRefused) {
  const auto with = [](size_t file, const std::string& what, const std::string& other) {
    std::vector<PackagedFile> files = HonestFiles();
    const std::string text = absl::StrReplaceAll(files[file].content, {{what, other}});
    EXPECT_NE(text, files[file].content) << what;
    files[file].content = text;
    return ProblemsOf(files);
  };
  EXPECT_THAT(with(0, "\"7\"", "\"8\""), Contains(HasSubstr("driverVersion is not that of")));
  EXPECT_THAT(with(3, "\"name\": \"a\"", "\"name\": \"c\""), Contains(HasSubstr("case 1 of the")));
  EXPECT_THAT(with(3, "\"PASS\": 10", "\"PASS\": 9"),
              Contains(HasSubstr("counts of random_graphs")));
  EXPECT_THAT(with(3, "\"leftOut\": []", "\"leftOut\": [\"basic\"]"),
              Contains(HasSubstr("not of a complete run")));
  EXPECT_THAT(with(2, "PASS GeneratedTests.a", "FAIL GeneratedTests.a"),
              Contains(HasSubstr("case 1 of the")));
  // All that is said of a test says that it failed, but for the last line.
  std::vector<PackagedFile> files = HonestFiles();
  files[2].content = absl::StrReplaceAll(files[2].content, {{"PASS Basic.x", "FAIL Basic.x"}});
  files[3].content = absl::StrReplaceAll(
      files[3].content, {{"\"PASS\": 1, \"UNSUPPORTED\"", "\"FAIL\": 1, \"UNSUPPORTED\""}});
  EXPECT_THAT(ProblemsOf(files), Contains(HasSubstr("says CERTIFIED, where something failed")));
  files = HonestFiles();
  files.erase(files.begin() + 4);
  EXPECT_THAT(ProblemsOf(files), Contains(HasSubstr("expected timing.json")));
  files = HonestFiles();
  files.push_back({"more.txt", ""});
  EXPECT_THAT(ProblemsOf(files), Contains(HasSubstr("expected failures/1.case")));
}

TEST(PackageTest, HostileArchivesAreRefused) {
  for (const char* const name : {"", "/etc/passwd", "../up", "a/../../up", "a//b", ".hidden", "a/",
                                 "a b", "a\nb", "manifest.txt"}) {
    EXPECT_FALSE(WritePackage({{name, "x"}}).ok()) << name;
  }
  EXPECT_FALSE(WritePackage({{"a", "x"}, {"a", "y"}}).ok());
  EXPECT_FALSE(WritePackage({{std::string(100, 'a'), ""}}).ok());
  const std::string tar = UnpackTar(Packed({{"name", "x"}})).value();
  // The head of the file comes behind that of the manifest and what is in it.
  constexpr size_t kHead = 1024;
  ASSERT_EQ(tar.substr(kHead, 4), "name");
  const auto refuses = [&](size_t place, const std::string& text) {
    std::string changed = tar;
    changed.replace(place, text.size(), text);
    return !ReadPackage(PackTar(changed).value()).ok();
  };
  EXPECT_TRUE(refuses(kHead, "/etc"));
  EXPECT_TRUE(refuses(kHead, "../x"));
  for (const char* const kind : {"1", "2", "3", "4", "5", "6", "x", "L"}) {
    EXPECT_TRUE(refuses(kHead + 156, kind)) << kind;
  }
  EXPECT_TRUE(refuses(kHead + 157, "/etc/passwd"));
  for (const char* const size : {"77777777777", "00000000002", "00000001000", "-0000000001"}) {
    EXPECT_TRUE(refuses(kHead + 124, size)) << size;
  }
  EXPECT_FALSE(ReadPackage(PackTar("").value()).ok());
  EXPECT_FALSE(ReadPackage(PackTar(std::string(5000, '\0')).value()).ok());
}

TEST(PackageTest, ABombIsRefusedBeforeItIsUnpacked) {
  const std::string bomb = PackTar(std::string(size_t{320} << 20, '\0')).value();
  EXPECT_LT(bomb.size(), size_t{1} << 20);
  EXPECT_THAT(std::string(ReadPackage(bomb).status().message()), HasSubstr("unpacks to more than"));
}

}  // namespace
}  // namespace nncert
