// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/journal.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "harness/records/journal.capnp.h"
#include "system/digest.h"
#include "system/subprocess.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunIdentity SomeRun() {
  RunIdentity run;
  run.version = "0.1.0";
  run.driver = "mine";
  run.driver_version = "build 7";
  run.driver_digest = 0xFEDCBA9876543210;
  run.selection = "--modes=static";
  run.case_count = 20;
  run.cases_digest = 17;
  return run;
}

CaseResult SomeResult(const std::string& name) {
  CaseResult result;
  result.name = name;
  result.mode = TestMode::kDynamic;
  result.operation = "ADD";
  result.verdict = Verdict::BROKEN_PROMISE;
  result.detail = "first\n  second, with \"quotes\"";
  result.dumped_files = {"a/b.case", "a/b.dot"};
  result.duration = absl::Microseconds(1500);
  result.deviation = "ADD-carry";
  result.executions = 8;
  result.compared_elements = uint64_t{1} << 40;
  return result;
}

class JournalTest : public ::testing::Test {
 protected:
  // Makes a journal with `count` results: "case_0" is case 0, and so on.
  void Make(size_t count, const RunIdentity& run = SomeRun()) {
    const auto journal = Journal::Create(path_, run);
    ASSERT_TRUE(journal.ok()) << journal.status();
    for (size_t i = 0; i < count; ++i) {
      ASSERT_TRUE((*journal)->Append(i, SomeResult(absl::StrCat("case_", i))).ok());
    }
  }

  // The names of the results in the journal.
  std::vector<std::string> Names() {
    JournalContent content;
    const auto journal = Journal::Resume(path_, SomeRun(), content);
    EXPECT_TRUE(journal.ok()) << journal.status();
    std::vector<std::string> names;
    for (const JournalEntry& entry : content.results) {
      EXPECT_EQ(entry.result.name, absl::StrCat("case_", entry.index));
      names.push_back(entry.result.name);
    }
    return names;
  }

  std::string Refusal(const RunIdentity& run) {
    JournalContent content;
    return std::string(Journal::Resume(path_, run, content).status().message());
  }

  std::string Bytes() {
    std::ifstream file(path_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  void SetBytes(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }

  const TemporaryFolder folder_ = TemporaryFolder::Create().value();
  const std::string path_ = absl::StrCat(folder_.path(), "/journal");
};

TEST_F(JournalTest, KeepsEverythingOfAResult) {
  Make(0);
  const CaseResult written = SomeResult("a");
  {
    JournalContent content;
    const auto journal = Journal::Resume(path_, SomeRun(), content);
    ASSERT_TRUE(journal.ok()) << journal.status();
    EXPECT_TRUE(content.results.empty());
    ASSERT_TRUE((*journal)->Append(19, written).ok());
  }
  JournalContent content;
  ASSERT_TRUE(Journal::Resume(path_, SomeRun(), content).ok());
  ASSERT_EQ(content.results.size(), 1u);
  EXPECT_EQ(content.results[0].index, 19u);
  const CaseResult& read = content.results[0].result;
  EXPECT_EQ(read.name, written.name);
  EXPECT_EQ(read.mode, written.mode);
  EXPECT_EQ(read.operation, written.operation);
  EXPECT_EQ(read.verdict, written.verdict);
  EXPECT_EQ(read.detail, written.detail);
  EXPECT_EQ(read.dumped_files, written.dumped_files);
  EXPECT_EQ(read.duration, written.duration);
  EXPECT_EQ(read.deviation, written.deviation);
  EXPECT_EQ(read.executions, written.executions);
  EXPECT_EQ(read.compared_elements, written.compared_elements);
}

WorkerReport SomeProcesses() {
  WorkerReport processes;
  processes.restarts = 2;
  processes.cpu_time = absl::Milliseconds(40);
  processes.peak_memory = 5000;
  processes.findings = {"after GeneratedTests.a: it was killed", "first\n  second"};
  return processes;
}

TEST_F(JournalTest, KeepsWhatTheProcessesWentThrough) {
  const WorkerReport some = SomeProcesses();
  {
    const auto journal = Journal::Create(path_, SomeRun());
    ASSERT_TRUE(journal.ok()) << journal.status();
    ASSERT_TRUE((*journal)->Append(0, SomeResult("case_0")).ok());
    ASSERT_TRUE((*journal)->Append(1, SomeResult("case_1"), some).ok());
    ASSERT_TRUE((*journal)->Append(some).ok());
    WorkerReport usage;
    usage.cpu_time = absl::Milliseconds(3);
    usage.peak_memory = 7000;
    ASSERT_TRUE((*journal)->Append(usage).ok());
    const size_t size = Bytes().size();
    ASSERT_TRUE((*journal)->Append(WorkerReport()).ok());
    EXPECT_EQ(Bytes().size(), size);
  }
  EXPECT_EQ(Names().size(), 2u);
  JournalContent content;
  // What was there before is not added to.
  content.processes = some;
  ASSERT_TRUE(Journal::Resume(path_, SomeRun(), content).ok());
  EXPECT_EQ(content.processes.restarts, 4);
  EXPECT_EQ(content.processes.cpu_time, absl::Milliseconds(83));
  EXPECT_EQ(content.processes.peak_memory, 7000u);
  EXPECT_THAT(content.processes.findings,
              ElementsAre(some.findings[0], some.findings[1], some.findings[0], some.findings[1]));
}

TEST_F(JournalTest, AResultAndWhatComesWithItAreTornTogether) {
  Make(1);
  const std::string one = Bytes();
  {
    JournalContent content;
    const auto journal = Journal::Resume(path_, SomeRun(), content);
    ASSERT_TRUE(journal.ok()) << journal.status();
    ASSERT_TRUE((*journal)->Append(1, SomeResult("case_1"), SomeProcesses()).ok());
  }
  const std::string two = Bytes();
  for (size_t size = one.size(); size <= two.size(); ++size) {
    SetBytes(two.substr(0, size));
    JournalContent content;
    ASSERT_TRUE(Journal::Resume(path_, SomeRun(), content).ok()) << size;
    const bool is_whole = size == two.size();
    ASSERT_EQ(content.results.size(), is_whole ? 2u : 1u) << size;
    ASSERT_EQ(content.processes.restarts, is_whole ? 2 : 0) << size;
  }
}

// A journal whose first record is this one.
std::string JournalOf(capnp::MallocMessageBuilder& message) {
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
  const auto content = words.asChars();
  Digest digest;
  digest.Add(std::string_view(content.begin(), content.size()));
  const auto checksum = static_cast<uint32_t>(digest.value() ^ (digest.value() >> 32));
  std::string bytes;
  for (const uint32_t number : {static_cast<uint32_t>(content.size()), checksum}) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift);
  }
  return bytes.append(content.begin(), content.size());
}

TEST_F(JournalTest, AnotherVersionOfTheFormatIsRefused) {
  // The first version had no number.
  capnp::MallocMessageBuilder earlier;
  earlier.initRoot<schema::JournalRecord>().initRun().setCaseCount(20);
  SetBytes(JournalOf(earlier));
  EXPECT_THAT(Refusal(SomeRun()), AllOf(HasSubstr(path_), HasSubstr("by an earlier nncert"),
                                        HasSubstr("without --resume")));
  capnp::MallocMessageBuilder later;
  later.initRoot<schema::JournalRecord>().initRun().setFormat(1000);
  SetBytes(JournalOf(later));
  EXPECT_THAT(Refusal(SomeRun()),
              AllOf(HasSubstr("by a later nncert"), HasSubstr("in version 1000 of its format")));
}

TEST_F(JournalTest, EveryTornEndIsTolerated) {
  Make(2);
  const std::string two = Bytes();
  Make(3);
  const std::string three = Bytes();
  ASSERT_EQ(three.substr(0, two.size()), two);
  for (size_t size = two.size(); size < three.size(); ++size) {
    SetBytes(three.substr(0, size));
    ASSERT_EQ(Names(), (std::vector<std::string>{"case_0", "case_1"})) << size;
    // What was torn is gone, so that the next record follows a whole one.
    ASSERT_EQ(Bytes(), two) << size;
  }
  SetBytes(three);
  EXPECT_EQ(Names().size(), 3u);
}

TEST_F(JournalTest, ARecordThatIsNotWhatWasWrittenEndsTheJournal) {
  Make(2);
  const std::string two = Bytes();
  Make(3);
  std::string damaged = Bytes();
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  SetBytes(damaged);
  EXPECT_EQ(Names().size(), 2u);
  EXPECT_EQ(Bytes(), two);
}

TEST_F(JournalTest, AppendsAfterAResume) {
  Make(2);
  SetBytes(Bytes() + "torn");
  {
    JournalContent content;
    const auto journal = Journal::Resume(path_, SomeRun(), content);
    ASSERT_TRUE(journal.ok()) << journal.status();
    ASSERT_TRUE((*journal)->Append(2, SomeResult("case_2")).ok());
  }
  EXPECT_EQ(Names(), (std::vector<std::string>{"case_0", "case_1", "case_2"}));
}

TEST_F(JournalTest, TheFirstResultOfACaseCounts) {
  Make(1);
  {
    JournalContent content;
    const auto journal = Journal::Resume(path_, SomeRun(), content);
    ASSERT_TRUE(journal.ok());
    ASSERT_TRUE((*journal)->Append(0, SomeResult("again")).ok());
  }
  EXPECT_EQ(Names(), std::vector<std::string>{"case_0"});
}

TEST_F(JournalTest, IsReadWithoutTheRun) {
  Make(3);
  const absl::StatusOr<JournalContent> content = Journal::Read(path_);
  ASSERT_TRUE(content.ok()) << content.status();
  ASSERT_EQ(content->results.size(), 3);
  EXPECT_EQ(content->results[2].result.name, "case_2");
  EXPECT_THAT(Journal::Read(path_ + ".none").status().message(), HasSubstr("cannot be opened"));
}

TEST_F(JournalTest, CreateReplacesAnEarlierOne) {
  Make(3);
  Make(1);
  EXPECT_EQ(Names(), std::vector<std::string>{"case_0"});
}

TEST_F(JournalTest, TheJournalOfAnotherRunIsRefused) {
  Make(1);
  EXPECT_EQ(Refusal(SomeRun()), "");
  RunIdentity run = SomeRun();
  run.driver = "yours";
  EXPECT_EQ(Refusal(run), absl::StrCat(path_,
                                       ": the journal is of another run: it is of driver "
                                       "mine, and this is of yours"));
  run = SomeRun();
  run.driver_version = "";
  EXPECT_THAT(Refusal(run), HasSubstr("version build 7, and this is of (none)"));
  run = SomeRun();
  run.driver_digest = 1;
  EXPECT_THAT(Refusal(run), HasSubstr("the driver's file has changed"));
  run = SomeRun();
  run.selection = "--modes=dynamic";
  EXPECT_THAT(Refusal(run), HasSubstr("--modes=static, and this is of --modes=dynamic"));
  run = SomeRun();
  run.case_count = 21;
  EXPECT_THAT(Refusal(run), HasSubstr("20 cases, and this is of 21"));
  run = SomeRun();
  run.cases_digest = 18;
  EXPECT_THAT(Refusal(run), HasSubstr("the cases have changed"));
  run = SomeRun();
  run.version = "0.2.0";
  EXPECT_THAT(Refusal(run), HasSubstr("nncert 0.1.0, and this is of 0.2.0"));
}

TEST_F(JournalTest, WhatIsNoJournalIsRefused) {
  EXPECT_THAT(Refusal(SomeRun()), HasSubstr("No such file"));
  EXPECT_THAT(Refusal(SomeRun()), HasSubstr(path_));
  for (const std::string& bytes :
       {std::string(), std::string("text"), std::string(1000, '\0'), std::string(1000, '\xFF')}) {
    SetBytes(bytes);
    EXPECT_THAT(Refusal(SomeRun()), HasSubstr("it is no journal of a run"));
    EXPECT_EQ(Bytes(), bytes);
  }
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_THAT(Refusal(SomeRun()), HasSubstr(path_));
  EXPECT_THAT(Journal::Create(path_, SomeRun()),
              hal::testing::StatusIs(absl::StatusCode::kFailedPrecondition,
                                     HasSubstr(path_ + ": cannot be opened")));
}

TEST_F(JournalTest, AResultOfACaseThatTheRunDoesNotHaveIsRefused) {
  Make(0);
  {
    JournalContent content;
    const auto journal = Journal::Resume(path_, SomeRun(), content);
    ASSERT_TRUE(journal.ok());
    ASSERT_TRUE((*journal)->Append(20, SomeResult("a")).ok());
  }
  EXPECT_THAT(Refusal(SomeRun()), HasSubstr("a result is of case 20 of 20"));
}

TEST_F(JournalTest, OnlyOneRunWritesAJournal) {
  const auto journal = Journal::Create(path_, SomeRun());
  ASSERT_TRUE(journal.ok());
  ASSERT_TRUE((*journal)->Append(0, SomeResult("case_0")).ok());
  EXPECT_THAT(Refusal(SomeRun()), HasSubstr("another run that is under way"));
  const auto other = Journal::Create(path_, SomeRun());
  EXPECT_TRUE(absl::IsFailedPrecondition(other.status())) << other.status();
  ASSERT_TRUE((*journal)->Append(1, SomeResult("case_1")).ok());
}

TEST_F(JournalTest, TakesResultsOfSeveralThreads) {
  RunIdentity run = SomeRun();
  run.case_count = 400;
  {
    const auto journal = Journal::Create(path_, run);
    ASSERT_TRUE(journal.ok());
    std::vector<std::thread> threads;
    for (size_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&journal, thread] {
        for (size_t i = 0; i < 100; ++i) {
          const size_t index = 100 * thread + i;
          EXPECT_TRUE((*journal)->Append(index, SomeResult(absl::StrCat("case_", index))).ok());
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  JournalContent content;
  ASSERT_TRUE(Journal::Resume(path_, run, content).ok());
  EXPECT_EQ(content.results.size(), 400u);
}

TEST_F(JournalTest, SaysWhichFileCannotBeWritten) {
  const auto device = Journal::Create("/dev/full", SomeRun());
  EXPECT_THAT(std::string(device.status().message()), HasSubstr("/dev/full: not a regular file"));
  const auto unwritable = Journal::Create("/proc/no_such_folder/journal", SomeRun());
  EXPECT_THAT(std::string(unwritable.status().message()), HasSubstr("/proc/no_such_folder"));
}

TEST_F(JournalTest, KeepsSpansOfCases) {
  CaseSpan span = {.first = 8, .count = 4};
  span.counts = {{Verdict::PASS, 3}, {Verdict::FAIL, 1}};
  span.hostile_counts = {{Verdict::PASS, 2}};
  span.results.push_back({9, SomeResult("case_9")});
  OperationAccuracy accuracy = {.operation = "ADD", .type = "TENSOR_FLOAT32", .elements = 7};
  AddErrors({{5, 0.5F}, {2, -0.25F}}, accuracy);
  span.accuracy = {accuracy};
  WorkerReport processes;
  processes.findings = {"it ended"};
  {
    const auto journal = Journal::Create(path_, SomeRun());
    ASSERT_TRUE(journal.ok()) << journal.status();
    ASSERT_TRUE((*journal)->Append(span, processes).ok());
  }
  JournalContent content;
  const auto journal = Journal::Resume(path_, SomeRun(), content);
  ASSERT_TRUE(journal.ok()) << journal.status();
  ASSERT_EQ(content.spans.size(), 1);
  const CaseSpan& kept = content.spans.front();
  EXPECT_EQ(kept.first, 8);
  EXPECT_EQ(kept.count, 4);
  EXPECT_EQ(kept.counts, span.counts);
  EXPECT_EQ(kept.hostile_counts, span.hostile_counts);
  EXPECT_EQ(kept.accuracy, span.accuracy);
  ASSERT_EQ(kept.results.size(), 1);
  EXPECT_EQ(kept.results[0].index, 9);
  EXPECT_EQ(kept.results[0].result.detail, SomeResult("").detail);
  EXPECT_THAT(content.processes.findings, ElementsAre("it ended"));
  EXPECT_TRUE(content.results.empty());
}

TEST_F(JournalTest, SpansAreOfCasesOfTheRun) {
  {
    const auto journal = Journal::Create(path_, SomeRun());
    ASSERT_TRUE(journal.ok()) << journal.status();
    ASSERT_TRUE((*journal)->Append(CaseSpan{.first = 18, .count = 3}).ok());
  }
  JournalContent content;
  EXPECT_THAT(Journal::Resume(path_, SomeRun(), content).status(),
              hal::testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("a span is of 3 cases from 18 on, of 20")));
}

TEST_F(JournalTest, AResultOfManyErrorsIsReadAgain) {
  CaseResult result = SomeResult("many");
  std::vector<ElementError> errors;
  for (uint64_t key = 0; key < kMostErrors; ++key) errors.push_back({key, 0.5F});
  for (const char* const operation : {"ADD", "MUL", "SUB"}) {
    result.accuracy.push_back({.operation = operation, .type = "TENSOR_FLOAT32"});
    AddErrors(errors, result.accuracy.back());
  }
  {
    const auto journal = Journal::Create(path_, SomeRun());
    ASSERT_TRUE(journal.ok());
    ASSERT_TRUE((*journal)->Append(3, result).ok());
  }
  const absl::StatusOr<JournalContent> content = Journal::Read(path_);
  ASSERT_TRUE(content.ok()) << content.status();
  ASSERT_EQ(content->results.size(), 1u);
  EXPECT_EQ(content->results[0].result.accuracy, result.accuracy);
}

TEST_F(JournalTest, ATestThatIsNoCaseIsReadAgain) {
  const struct nncert::JournalTest test = {
      .index = 19,
      .checks = {{"one", 1, 2, 3, 4}, {"other", 5, 0, 0, 0}},
      .failures = {{"one", Verdict::CRASH, "it\nended"}, {"", Verdict::TIMEOUT, "nothing"}},
      .left_out = 7};
  {
    const auto journal = Journal::Create(path_, SomeRun());
    ASSERT_TRUE(journal.ok());
    WorkerReport processes;
    processes.restarts = 2;
    ASSERT_TRUE((*journal)->Append(test, processes).ok());
    // A second result of the same is none.
    ASSERT_TRUE((*journal)->Append(nncert::JournalTest{.index = 19}).ok());
  }
  RunIdentity run;
  const absl::StatusOr<JournalContent> content = Journal::Read(path_, run);
  ASSERT_TRUE(content.ok()) << content.status();
  EXPECT_EQ(run, SomeRun());
  EXPECT_THAT(content->tests, ElementsAre(test));
  EXPECT_EQ(content->processes.restarts, 2);
  {
    const auto journal = Journal::Create(path_, SomeRun());
    ASSERT_TRUE(journal.ok());
    ASSERT_TRUE((*journal)->Append(nncert::JournalTest{.index = 20}).ok());
  }
  EXPECT_THAT(std::string(Journal::Read(path_).status().message()), HasSubstr("test 20 of 20"));
}

}  // namespace
}  // namespace nncert
