// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/message_mutator.h"

#include <capnp/message.h>
#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "fuzzing/message_records.h"
#include "fuzzing/message_tree.h"
#include "hal/transport/driver.capnp.h"

namespace nncert {
namespace {

using capnp::rpc::Message;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

void FlipAByte(std::vector<uint8_t>& bytes) {
  if (!bytes.empty()) bytes[0] ^= 0xFF;
}

std::vector<uint8_t> Serialized(capnp::MessageBuilder& builder) {
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(builder);
  const auto bytes = words.asBytes();
  return {bytes.begin(), bytes.end()};
}

MessageRecord Bootstrap(uint32_t question) {
  capnp::MallocMessageBuilder builder;
  builder.initRoot<Message>().initBootstrap().setQuestionId(question);
  return {.replies = 1, .bytes = Serialized(builder)};
}

MessageRecord Greeting(uint32_t question) {
  capnp::MallocMessageBuilder builder;
  auto call = builder.initRoot<Message>().initCall();
  call.setQuestionId(question);
  call.setInterfaceId(capnp::typeId<wire::Service>());
  call.initTarget().initPromisedAnswer().setQuestionId(0);
  call.initParams().initCapTable(1)[0].setSenderHosted(0);
  return {.descriptors = 1, .bytes = Serialized(builder)};
}

std::vector<uint8_t> SmallTalk() { return WriteRecords({Bootstrap(0), Greeting(1)}); }

// What a record's message says, nothing when it is none.
std::optional<Message::Which> KindOf(const MessageRecord& record) {
  const std::optional<size_t> size = SizeOfMessage(record.bytes);
  if (!size.has_value() || *size != record.bytes.size()) return std::nullopt;
  auto words = kj::heapArray<capnp::word>(*size / sizeof(capnp::word));
  std::memcpy(static_cast<void*>(words.begin()), record.bytes.data(), *size);
  std::optional<Message::Which> kind;
  KJ_IF_MAYBE (ignored, kj::runCatchingExceptions([&] {
                 kind = capnp::FlatArrayMessageReader(words).getRoot<Message>().which();
               })) {
    static_cast<void>(ignored);
  }
  return kind;
}

TEST(MessageRecordsTest, AreReadAsTheyWereWritten) {
  const std::vector<MessageRecord> records = {
      {.descriptors = 3, .descriptor_kind = 2, .replies = 1, .bytes = {1, 2, 3}},
      {},
      {.bytes = std::vector<uint8_t>(300, 7)}};
  const std::vector<uint8_t> data = WriteRecords(records);
  EXPECT_THAT(data, SizeIs(3 * 3 + 3 + 300));
  EXPECT_EQ(ReadRecords(data), records);
}

TEST(MessageRecordsTest, TheLastHasWhatIsLeft) {
  EXPECT_THAT(ReadRecords(std::vector<uint8_t>{0, 9, 0, 5, 6}),
              ElementsAre(MessageRecord{.bytes = {5, 6}}));
  EXPECT_THAT(ReadRecords(std::vector<uint8_t>{0, 9}), IsEmpty());
}

TEST(MessageMutatorTest, KeepsMostMessagesMessages) {
  const std::vector<uint8_t> data = SmallTalk();
  std::map<Message::Which, int> kinds;
  int messages = 0;
  int records = 0;
  int changed = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    SplitMix64 random(seed);
    const std::vector<uint8_t> mutated = MutateMessages(data, 4096, random, FlipAByte);
    EXPECT_LE(mutated.size(), 4096U);
    if (mutated != data) ++changed;
    for (const MessageRecord& record : ReadRecords(mutated)) {
      ++records;
      const auto kind = KindOf(record);
      if (!kind.has_value()) continue;
      ++messages;
      ++kinds[*kind];
    }
  }
  EXPECT_GT(changed, 1800);
  EXPECT_GT(messages, records * 3 / 4);
  // Those that are inserted as well.
  for (const auto kind : {Message::FINISH, Message::RELEASE, Message::RETURN, Message::RESOLVE,
                          Message::DISEMBARGO, Message::ABORT, Message::UNIMPLEMENTED}) {
    EXPECT_GT(kinds[kind], 0) << static_cast<int>(kind);
  }
}

TEST(MessageMutatorTest, MostQuestionsHaveNumbersOfTheirOwn) {
  const std::vector<uint8_t> data = SmallTalk();
  int longer = 0;
  int distinct = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    SplitMix64 random(seed);
    std::set<uint32_t> numbers;
    size_t questions = 0;
    for (const MessageRecord& record : ReadRecords(MutateMessages(data, 4096, random, FlipAByte))) {
      if (KindOf(record) != Message::BOOTSTRAP) continue;
      auto words = kj::heapArray<capnp::word>(record.bytes.size() / sizeof(capnp::word));
      std::memcpy(static_cast<void*>(words.begin()), record.bytes.data(), record.bytes.size());
      capnp::FlatArrayMessageReader reader(words);
      numbers.insert(reader.getRoot<Message>().getBootstrap().getQuestionId());
      ++questions;
    }
    if (questions < 2) continue;
    ++longer;
    if (numbers.size() == questions) ++distinct;
  }
  EXPECT_GT(longer, 100);
  EXPECT_GT(distinct, longer * 3 / 4);
}

TEST(MessageMutatorTest, ChangesDescriptorsAndPauses) {
  const std::vector<uint8_t> data = SmallTalk();
  std::set<int> counts;
  std::set<int> kinds;
  std::set<int> pauses;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    SplitMix64 random(seed);
    for (const MessageRecord& record : ReadRecords(MutateMessages(data, 4096, random, FlipAByte))) {
      counts.insert(record.descriptors);
      kinds.insert(record.descriptor_kind);
      pauses.insert(record.replies);
    }
  }
  EXPECT_THAT(counts, SizeIs(MessageRecord::kMaxDescriptors + 1));
  EXPECT_THAT(kinds, SizeIs(MessageRecord::kDescriptorKinds));
  EXPECT_THAT(pauses, SizeIs(MessageRecord::kMaxReplies + 1));
}

TEST(MessageMutatorTest, GivesMessagesThatCameTogetherRecordsOfTheirOwn) {
  MessageRecord both = Greeting(1);
  const MessageRecord second = Bootstrap(0);
  both.bytes.insert(both.bytes.end(), second.bytes.begin(), second.bytes.end());
  const std::vector<uint8_t> data = WriteRecords({both});
  SplitMix64 random(1);
  const std::vector<MessageRecord> records = ReadRecords(SpliceMessages(data, data, 4096, random));
  ASSERT_THAT(records, SizeIs(testing::Ge(2U)));
  EXPECT_EQ(records[0], Greeting(1));
}

TEST(MessageMutatorTest, SplicesWholeMessagesOfBoth) {
  const std::vector<uint8_t> one = WriteRecords({Bootstrap(0), Bootstrap(1)});
  const std::vector<uint8_t> other = WriteRecords({Greeting(2), Greeting(3)});
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SplitMix64 random(seed);
    const auto records = ReadRecords(SpliceMessages(one, other, 4096, random));
    ASSERT_THAT(records, SizeIs(testing::AllOf(testing::Ge(2U), testing::Le(4U))));
    EXPECT_EQ(records.front(), Bootstrap(0));
    EXPECT_EQ(KindOf(records.back()), Message::CALL);
  }
}

TEST(MessageMutatorTest, DropsWhatDoesNotFit) {
  SplitMix64 random(1);
  EXPECT_THAT(SpliceMessages(SmallTalk(), SmallTalk(), 10, random), IsEmpty());
}

TEST(MessageMutatorTest, BearsWhatIsNoMessage) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    SplitMix64 random(seed);
    EXPECT_LE(MutateMessages(std::vector<uint8_t>(100, 0xFF), 200, random, FlipAByte).size(), 200U);
    EXPECT_LE(MutateMessages({}, 200, random, FlipAByte).size(), 200U);
  }
}

}  // namespace
}  // namespace nncert
