// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/answers_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "random/split_mix.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t kMost = 1 << 20;

// Answers with everything that there is.
CaseAnswers SomeAnswers(uint8_t byte) {
  AnswersBuilder builder;
  builder.AddPreparation(true, std::nullopt);
  RecordedExecution good;
  good.shapes = {{{2, 3}, true}, {{}, false}};
  good.outputs = {builder.AddBuffer({byte, 2, 3}), std::nullopt};
  builder.AddExecution(good);
  RecordedExecution bad;
  bad.status = hal::V1_0::ErrorStatus::GENERAL_FAILURE;
  bad.timing = {5, 4};
  bad.memory = "wrote past output 0";
  bad.outputs = {builder.AddBuffer({byte, 2, 3}), builder.AddBuffer({})};
  builder.AddExecution(bad);
  builder.AddExecution(good);
  RecordedExecution broken;
  broken.problem = {Verdict::TIMEOUT, "no callback"};
  builder.AddExecution(broken);
  builder.AddRelease(RecordedProblem{Verdict::CRASH, "ended", false});
  builder.AddPreparation(false, RecordedProblem{Verdict::UNSUPPORTED, "refused", true});
  return builder.answers();
}

class AnswersFileTest : public ::testing::Test {
 protected:
  ~AnswersFileTest() override { std::filesystem::remove(path_); }

  std::string Bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void Write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  // The file of these answers, as it is submitted.
  std::string Complete(const std::vector<CaseAnswers>& answers) const {
    {
      const auto file = AnswersFile::Create(path_, answers.size()).value();
      for (size_t i = 0; i < answers.size(); ++i) EXPECT_TRUE(file->Append(i, answers[i]).ok());
    }
    return CompleteAnswers(path_, answers.size(), kMost).value();
  }

  const std::string path_ = ::testing::TempDir() + "/answers";
};

TEST_F(AnswersFileTest, WhatComesAgainIsThereOnce) {
  const CaseAnswers answers = SomeAnswers(1);
  EXPECT_EQ(answers.steps.size(), 7);
  EXPECT_EQ(answers.executions.size(), 3);
  EXPECT_EQ(answers.buffers.size(), 2);
  EXPECT_EQ(answers.steps[3].execution, 0);
}

TEST_F(AnswersFileTest, TooManyBytesAreForgottenAndTheNextCaseIsNot) {
  AnswersBuilder builder;
  std::vector<uint8_t> large(kMostAnsweredBytes / 2 + 1);
  for (const uint8_t byte : {1, 2}) {
    large[0] = byte;
    RecordedExecution execution;
    execution.outputs = {builder.AddBuffer(large)};
    builder.AddExecution(execution);
    EXPECT_EQ(HasExecutions(builder.answers()), byte == 1);
  }
  builder.AddRelease(std::nullopt);
  EXPECT_EQ(builder.answers(), CaseAnswers());
  builder.Clear();
  builder.AddPreparation(true, std::nullopt);
  EXPECT_EQ(builder.answers().steps.size(), 1);
}

TEST_F(AnswersFileTest, AnswersAreReadBackInTheOrderOfTheCases) {
  {
    const auto file = AnswersFile::Create(path_, 3).value();
    // The second ones to case 1 are those that its result came of.
    for (const size_t i : {1, 2, 1, 0}) {
      EXPECT_TRUE(file->Append(i, i == 2 ? CaseAnswers() : SomeAnswers(i)).ok());
    }
  }
  const std::string complete = CompleteAnswers(path_, 3, kMost).value();
  EXPECT_EQ(complete, Complete({SomeAnswers(0), SomeAnswers(1), CaseAnswers()}));
}

TEST_F(AnswersFileTest, ARunThatWasInterruptedGoesOn) {
  Complete({SomeAnswers(1), SomeAnswers(2), SomeAnswers(3)});
  const std::string whole = Bytes();
  for (size_t size = 0; size < whole.size(); size += 7) {
    Write(whole.substr(0, size));
    {
      const auto file = AnswersFile::Resume(path_, 3).value();
      ASSERT_TRUE(file->Append(0, SomeAnswers(4)).ok());
    }
    // All that was whole is there, and what came now.
    size_t records = 0;
    const absl::Status read = ForEachAnswers(path_, 3, [&](size_t index, std::string_view message) {
      ++records;
      return ParseAnswers(message, index).status();
    });
    ASSERT_TRUE(read.ok()) << read;
    EXPECT_GE(records, 1 + (size * 3 / whole.size() > 2 ? 1 : 0)) << size;
    EXPECT_FALSE(CompleteAnswers(path_, 3, kMost).ok());
  }
  // Of another run nothing is kept.
  Write(whole);
  EXPECT_TRUE(AnswersFile::Resume(path_, 2).ok());
  EXPECT_LT(Bytes().size(), whole.size() / 3);
}

TEST_F(AnswersFileTest, WhatIsMissingOrTooMuchIsNotSubmitted) {
  EXPECT_TRUE(absl::IsNotFound(CompleteAnswers(path_, 1, kMost).status()));
  const size_t size = Complete({SomeAnswers(1), SomeAnswers(2)}).size();
  EXPECT_THAT(std::string(CompleteAnswers(path_, 2, size / 2).status().message()),
              HasSubstr("more than"));
  EXPECT_THAT(std::string(CompleteAnswers(path_, 3, size).status().message()),
              HasSubstr("a run of 2 cases; expected 3"));
  {
    const auto file = AnswersFile::Create(path_, 2).value();
    EXPECT_TRUE(file->Append(0, SomeAnswers(1)).ok());
  }
  EXPECT_THAT(std::string(CompleteAnswers(path_, 2, kMost).status().message()),
              HasSubstr("no answers to case 1 of 2"));
  Write("anything");
  EXPECT_THAT(std::string(CompleteAnswers(path_, 2, kMost).status().message()),
              HasSubstr("no answers of a run"));
}

TEST_F(AnswersFileTest, AnyOtherBitOrRecordIsRefused) {
  const std::string bytes = Complete({SomeAnswers(1), SomeAnswers(2), CaseAnswers()});
  const std::vector<std::string_view> messages = SplitAnswers(bytes, 3).value();
  ASSERT_EQ(messages.size(), 3);
  EXPECT_EQ(ParseAnswers(messages[1], 1).value(), SomeAnswers(2));
  EXPECT_FALSE(ParseAnswers(messages[1], 0).ok());
  SplitMix64 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::string changed = bytes;
    const auto bit = static_cast<size_t>(random.Below(8 * bytes.size()));
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_TRUE(absl::IsInvalidArgument(SplitAnswers(changed, 3).status())) << bit;
  }
  for (size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_FALSE(SplitAnswers(bytes.substr(0, size), 3).ok()) << size;
  }
  const auto record = [&](size_t i) {
    return std::string(messages[i].data() - kFrameBytes, messages[i].size() + kFrameBytes);
  };
  const std::string head =
      bytes.substr(0, static_cast<size_t>(messages[0].data() - bytes.data()) - kFrameBytes);
  const auto refusal = [&](const std::string& changed) {
    return std::string(SplitAnswers(changed, 3).status().message());
  };
  EXPECT_THAT(refusal(head + record(0) + record(1) + record(2)), IsEmpty());
  EXPECT_THAT(refusal(head + record(1) + record(0) + record(2)),
              HasSubstr("answers to case 1 come where those to case 0 are expected"));
  EXPECT_THAT(refusal(head + record(0) + record(0) + record(1) + record(2)),
              HasSubstr("answers to case 0 come where those to case 1"));
  EXPECT_THAT(refusal(head + record(0) + record(2)), HasSubstr("answers to case 2 come where"));
  EXPECT_THAT(refusal(head + record(0) + record(1)), HasSubstr("answers to 2 of 3 cases"));
  EXPECT_THAT(refusal(bytes + record(2)), HasSubstr("more behind the answers"));
  EXPECT_THAT(refusal(record(0) + record(1) + record(2)), HasSubstr("the first record"));
}

TEST_F(AnswersFileTest, ARecordOfAnyBitsIsReadOrRefused) {
  const std::string bytes = Complete({SomeAnswers(1)});
  const std::string message(SplitAnswers(bytes, 1).value()[0]);
  SplitMix64 random(2);
  int read = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string changed = message;
    for (uint64_t changes = 1 + random.Below(3); changes > 0; --changes) {
      const auto bit = static_cast<size_t>(random.Below(8 * message.size()));
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    }
    read += ParseAnswers(changed, 0).ok() ? 1 : 0;
  }
  // Some bits are those of elements.
  EXPECT_GT(read, 0);
  EXPECT_LT(read, 2500);
}

}  // namespace
}  // namespace nncert
