// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/package.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "cases/testing/test_cases.h"
#include "certifying/case_batch.h"
#include "certifying/report_folder.h"
#include "certifying/submission/must_pass_list.h"
#include "certifying/submission/second_judgement.h"
#include "certifying/submission/verification.h"
#include "certifying/timing.h"
#include "certifying/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/records/answers_file.h"
#include "harness/records/case_answers.h"
#include "harness/records/record_file.h"
#include "harness/testing/fake_device.h"
#include "random/split_mix.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
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

// The cases of it.
absl::StatusOr<std::vector<CaseInMode>> OwnCases() {
  static const auto* const loaded = [] {
    auto* const cases = new std::vector<LoadedCase>(2);
    for (size_t i = 0; i < cases->size(); ++i) {
      (*cases)[i].test_case = AddCase();
      (*cases)[i].test_case.name = i == 0 ? "a" : "b";
    }
    return cases;
  }();
  return std::vector<CaseInMode>{{&loaded->front()}, {&loaded->back()}};
}

// What these answer to the cases, as it is submitted.
std::string AnswersTo(const std::vector<CaseAnswers>& answers) {
  const std::string path = ::testing::TempDir() + "/answers";
  {
    const auto file = AnswersFile::Create(path, answers.size()).value();
    for (size_t i = 0; i < answers.size(); ++i) EXPECT_TRUE(file->Append(i, answers[i]).ok());
  }
  return CompleteAnswers(path, answers.size(), kMostPackagedBytes).value();
}

// What a device with these lies answers to case `i`.
CaseAnswers AnswersOf(const Lies& lies, size_t i) {
  const auto session = DriverSession::FromDevice(MakeFakeDevice(lies), "fake").value();
  AnswersBuilder builder;
  RunOptions options;
  options.answers = &builder;
  RunCase(*session, OwnCases().value()[i].loaded->test_case, TestMode::kStatic, options);
  return builder.answers();
}

// Of a device whose output begins with 17.
Lies Seventeen() {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    constexpr float kSeventeen = 17;
    if (execution.Output(0).size() < sizeof(kSeventeen)) return;
    std::memcpy(execution.Output(0).data(), &kSeventeen, sizeof(kSeventeen));
  };
  return lies;
}

const std::string& HonestAnswers() {
  static const auto* const answers =
      new std::string(AnswersTo({AnswersOf({}, 0), AnswersOf({}, 1)}));
  return *answers;
}

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
      R"(", "driver": "mine", "driverVersion": "7", "halVersion": "1.2", "extensions": [], "strict": false})");
  return {{kStatementFile, statement},
          {kMustPassFile, MustPassListToText(ListOfThree())},
          {kVerdictsFile, VerdictsToText(report, ListOfThree(), verdicts)},
          {kJsonReportFile, ReportToJson(report)},
          {kTimingFile, TimingToJson(report)},
          {kFailureListFile, ""},
          {kAnswersFile, HonestAnswers()}};
}

std::vector<std::string> ProblemsOf(const std::vector<PackagedFile>& files) {
  const absl::StatusOr<Verification> verification = VerifySubmission(files, {&OwnList, &OwnCases});
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
  const absl::StatusOr<Verification> verification = VerifySubmission(*files, {&OwnList, &OwnCases});
  ASSERT_TRUE(verification.ok());
  EXPECT_THAT(verification->problems, IsEmpty());
  EXPECT_EQ(verification->certification, "CERTIFIED");
  EXPECT_THAT(DescribeVerification(*verification), HasSubstr("\nACCEPTED: "));
  EXPECT_THAT(DescribeVerification(*verification),
              HasSubstr("\nJudged again by the driver's answers: 2 of 2 cases; of 0 it gave no "
                        "outputs. Not judged again: 12 tests"));
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

// Takes one record of answers away, has it twice, has two change places, or changes a bit of one.
std::string WithAnotherAnswer(const std::string& bytes, SplitMix64& random) {
  std::vector<std::string> records;
  for (std::string_view left = bytes; !left.empty();) {
    const size_t size = kFrameBytes + FirstMessage(left).value().size();
    records.emplace_back(left.substr(0, size));
    left.remove_prefix(size);
  }
  const auto place = static_cast<size_t>(random.Below(records.size()));
  std::string& record = records[place];
  const auto at = records.begin() + static_cast<std::ptrdiff_t>(place);
  switch (random.Below(4)) {
    case 0:
      records.erase(at);
      break;
    case 1:
      records.insert(at, std::string(record));
      break;
    case 2:
      std::swap(record, records[(place + 1) % records.size()]);
      break;
    default:
      record[static_cast<size_t>(random.Below(record.size()))] ^= 1 << random.Below(8);
  }
  return absl::StrJoin(records, "");
}

TEST(PackageTest, AnotherAnswerIsRefusedAlsoWhereAllHashesAreMadeAnew) {
  SplitMix64 random(4);
  for (int i = 0; i < kChanges; ++i) {
    std::vector<PackagedFile> files = HonestFiles();
    files[6].content = WithAnotherAnswer(files[6].content, random);
    const std::vector<std::string> problems = ProblemsOf(ReadPackage(Packed(files)).value());
    ASSERT_EQ(problems.size(), 1) << i;
    EXPECT_THAT(problems, Contains(HasSubstr("answers: ")));
  }
}

TEST(PackageTest, WhatIsJudgedOtherwiseIsRefused) {
  std::vector<PackagedFile> files = HonestFiles();
  files[6].content = AnswersTo({AnswersOf({}, 0), AnswersOf(Seventeen(), 1)});
  EXPECT_THAT(ProblemsOf(files),
              ElementsAre(AllOf(HasSubstr("GeneratedTests.b is PASS by the package; judged again "
                                          "by its answers it is FAIL ("),
                                HasSubstr("17"))));
  // A driver that is said to fail, and does not.
  files = HonestFiles();
  files[2].content = absl::StrReplaceAll(files[2].content,
                                         {{"PASS GeneratedTests.a", "EXPLAINED GeneratedTests.a"}});
  const size_t verdict = files[3].content.find("\"PASS\"", files[3].content.find("\"cases\": [\n"));
  files[3].content.replace(verdict, 6, "\"EXPLAINED\"");
  const size_t counts = files[3].content.find("\"PASS\": 2");
  files[3].content.replace(counts, 9, "\"PASS\": 1, \"EXPLAINED\": 1");
  EXPECT_THAT(ProblemsOf(files),
              ElementsAre(HasSubstr("GeneratedTests.a is EXPLAINED by the package; judged again "
                                    "by its answers it is PASS")));
  // What was not even asked has not passed.
  files = HonestFiles();
  files[6].content = AnswersTo({CaseAnswers(), AnswersOf({}, 1)});
  EXPECT_THAT(ProblemsOf(files),
              ElementsAre(HasSubstr("GeneratedTests.a is PASS by the package, and nothing follows "
                                    "from its answers: there are 0 answers")));
}

TEST(PackageTest, AnswersToOtherQuestionsAreRefused) {
  const CaseAnswers honest = AnswersOf({}, 0);
  const auto problems = [&](const CaseAnswers& answers) {
    std::vector<PackagedFile> files = HonestFiles();
    files[6].content = AnswersTo({answers, AnswersOf({}, 1)});
    return ProblemsOf(files);
  };
  EXPECT_THAT(problems(honest), IsEmpty());
  CaseAnswers other = honest;
  other.buffers[0].push_back(0);
  EXPECT_THAT(problems(other), ElementsAre(HasSubstr("has 17 bytes; expected 16")));
  other = honest;
  other.executions[0].outputs.emplace_back();
  EXPECT_THAT(problems(other), ElementsAre(HasSubstr("an execution has 2 outputs; expected 1")));
  other = honest;
  other.steps.push_back(other.steps.back());
  EXPECT_THAT(problems(other), ElementsAre(HasSubstr("and the case asks for")));
  other = honest;
  other.steps.pop_back();
  EXPECT_THAT(problems(other), ElementsAre(HasSubstr("and the case asks for more")));
  other = honest;
  other.steps.erase(other.steps.begin());
  EXPECT_THAT(problems(other), ElementsAre(HasSubstr("is not to what the case asks")));
  other = honest;
  other.buffers.push_back({1});
  EXPECT_THAT(problems(other), ElementsAre(HasSubstr("not as nncert writes it")));
}

TEST(PackageTest, OfManyCasesThatAreJudgedOtherwiseSomeAreTold) {
  constexpr size_t kCases = 3 * kMostOtherVerdicts;
  const std::vector<CaseInMode> cases(kCases, OwnCases().value()[0]);
  const std::vector<ClaimedResult> claimed(kCases, {"c", Verdict::PASS, ""});
  const std::string answers =
      AnswersTo(std::vector<CaseAnswers>(kCases, AnswersOf(Seventeen(), 0)));
  for (const size_t jobs : {1, 3}) {
    const SecondJudgement second = JudgeAgain(answers, cases, claimed, {}, jobs);
    EXPECT_EQ(second.problems.size(), kMostOtherVerdicts + 1);
    EXPECT_THAT(second.problems.back(), HasSubstr("no further cases"));
    EXPECT_GE(second.judged, kMostOtherVerdicts);
    EXPECT_LT(second.judged, kCases);
  }
  // What failed and was waived has failed, and so has what did not fail again.
  for (const Verdict verdict : {Verdict::WAIVED, Verdict::FLAKY}) {
    EXPECT_THAT(
        JudgeAgain(answers, cases, std::vector<ClaimedResult>(kCases, {"c", verdict, ""}), {}, 2)
            .problems,
        IsEmpty());
  }
}

TEST(PackageTest, APackageOfAnotherVersionIsRefusedAndSaysThatItIsNotJudged) {
  std::vector<PackagedFile> files = HonestFiles();
  files[1].content =
      absl::StrReplaceAll(files[1].content, {{absl::StrCat("nncert ", kVersion), "nncert 0.0.1"}});
  const auto verification = VerifySubmission(files, {&OwnList, &OwnCases}).value();
  EXPECT_THAT(verification.problems, ElementsAre(HasSubstr("made by nncert 0.0.1, and this is ")));
  EXPECT_THAT(DescribeVerification(verification), HasSubstr("was not judged again"));
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
  files = HonestFiles();
  files.push_back({NameOfSmallest(1), ""});
  EXPECT_THAT(ProblemsOf(files), Contains(HasSubstr("smallest/1.case is of no kind of failure")));
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
