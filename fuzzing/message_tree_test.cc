// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/message_tree.h"

#include <capnp/message.h>
#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>

#include "fuzzing/tree_mutator.h"
#include "hal/transport/driver.capnp.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = MessageNode::Kind;

std::vector<uint8_t> Serialized(capnp::MessageBuilder& builder) {
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(builder);
  const auto bytes = words.asBytes();
  return {bytes.begin(), bytes.end()};
}

// Reads a message as whoever gets it would.
void WithMessage(const std::vector<uint8_t>& bytes,
                 const std::function<void(capnp::MessageReader&)>& look) {
  ASSERT_EQ(bytes.size() % sizeof(capnp::word), 0U);
  auto words = kj::heapArray<capnp::word>(bytes.size() / sizeof(capnp::word));
  std::memcpy(static_cast<void*>(words.begin()), bytes.data(), bytes.size());
  capnp::FlatArrayMessageReader reader(words);
  look(reader);
}

// A model with all that a message can have but capabilities; of many segments, when those are
// small.
void BuildModel(capnp::MessageBuilder& builder) {
  auto model = builder.initRoot<wire::Model>();
  auto content = model.initModel();
  auto operands = content.initOperands(2);
  operands[0].setType(3);
  operands[0].initDimensions(3).set(1, 7);
  operands[1].initExtraParams().setExtension(kj::heapArray<kj::byte>({1, 2, 3}));
  content.setOperandValues(kj::heapArray<kj::byte>({9, 8, 7, 6, 5}));
  auto names = content.initExtensionNameToPrefix(1);
  names[0].setName("an extension");
  model.initLifetimes(2).set(0, -1);
  model.initPools(1)[0].setSize(~uint64_t{0});
}

void ExpectModel(const std::vector<uint8_t>& bytes) {
  WithMessage(bytes, [](capnp::MessageReader& reader) {
    capnp::MallocMessageBuilder expected;
    BuildModel(expected);
    EXPECT_TRUE(reader.getRoot<capnp::AnyPointer>() ==
                expected.getRoot<capnp::AnyPointer>().asReader());
  });
}

TEST(MessageTreeTest, WritesWhatItReads) {
  capnp::MallocMessageBuilder builder;
  BuildModel(builder);
  const auto root = ReadMessageTree(Serialized(builder));
  ASSERT_TRUE(root.has_value());
  const auto bytes = WriteMessageTree(*root);
  ASSERT_TRUE(bytes.has_value());
  ExpectModel(*bytes);
  EXPECT_EQ(ReadMessageTree(*bytes), root);
  EXPECT_EQ(SizeOfMessage(*bytes), bytes->size());
}

TEST(MessageTreeTest, ReadsMessagesOfManySegments) {
  capnp::MallocMessageBuilder builder(1, capnp::AllocationStrategy::FIXED_SIZE);
  BuildModel(builder);
  ASSERT_GT(builder.getSegmentsForOutput().size(), 5U);
  const std::vector<uint8_t> original = Serialized(builder);
  EXPECT_EQ(SizeOfMessage(original), original.size());
  const auto root = ReadMessageTree(original);
  ASSERT_TRUE(root.has_value());
  const auto bytes = WriteMessageTree(*root);
  ASSERT_TRUE(bytes.has_value());
  ExpectModel(*bytes);
}

TEST(MessageTreeTest, TellsStructsListsAndNothingApart) {
  capnp::MallocMessageBuilder builder;
  builder.initRoot<wire::Model>().initLifetimes(3).set(2, 5);
  const auto root = ReadMessageTree(Serialized(builder));
  ASSERT_TRUE(root.has_value());
  EXPECT_EQ(root->kind, Kind::kStruct);
  EXPECT_THAT(root->data, IsEmpty());
  ASSERT_THAT(root->children, SizeIs(3));
  EXPECT_EQ(root->children[0].kind, Kind::kNull);
  EXPECT_EQ(root->children[1].kind, Kind::kNull);
  EXPECT_EQ(root->children[2].kind, Kind::kDataList);
  EXPECT_EQ(root->children[2].element_size, 4U);
  EXPECT_EQ(root->children[2].count, 3U);
  EXPECT_THAT(root->children[2].data, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0));
}

TEST(MessageTreeTest, KeepsWhatHasNoSize) {
  MessageNode root = {.kind = Kind::kStruct};
  root.children = {{.kind = Kind::kStruct},
                   {.kind = Kind::kStructList, .count = 1000},
                   {.kind = Kind::kDataList, .element_size = 0, .count = 77},
                   {.kind = Kind::kPointerList},
                   {.kind = Kind::kCapability, .count = 3}};
  const auto bytes = WriteMessageTree(root);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(ReadMessageTree(*bytes), root);
}

TEST(MessageTreeTest, GivesAllElementsTheSizeOfTheLargest) {
  MessageNode root = {.kind = Kind::kStructList};
  root.children = {{.kind = Kind::kStruct}, {.kind = Kind::kStruct}};
  root.children[0].data = {1, 2, 3, 4, 5, 6, 7, 8};
  root.children[1].children.resize(1);
  const auto bytes = WriteMessageTree(root);
  ASSERT_TRUE(bytes.has_value());
  const auto read = ReadMessageTree(*bytes);
  ASSERT_TRUE(read.has_value());
  ASSERT_THAT(read->children, SizeIs(2));
  EXPECT_EQ(read->children[0].data, root.children[0].data);
  EXPECT_THAT(read->children[0].children, SizeIs(1));
  EXPECT_THAT(read->children[1].data, SizeIs(8));
}

TEST(MessageTreeTest, RefusesWhatIsNoMessage) {
  capnp::MallocMessageBuilder builder;
  BuildModel(builder);
  const std::vector<uint8_t> bytes = Serialized(builder);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(SizeOfMessage(absl::MakeConstSpan(bytes).first(size)).has_value()) << size;
  }
  // More segments than may be, and a pointer out of the message.
  EXPECT_FALSE(ReadMessageTree(std::vector<uint8_t>(64, 0xFF)).has_value());
  EXPECT_FALSE(ReadMessageTree(std::vector<uint8_t>{0, 0, 0, 0, 1, 0, 0, 0,  //
                                                    0xFC, 0x7F, 0, 0, 1, 0, 1, 0})
                   .has_value());
}

TEST(MessageTreeTest, RefusesAMessageThatPointsToItself) {
  // A struct without data whose two pointers are it.
  EXPECT_FALSE(ReadMessageTree(std::vector<uint8_t>{0,    0,    0,    0,    3, 0, 0, 0,  //
                                                    0,    0,    0,    0,    0, 0, 2, 0,  //
                                                    0xFC, 0xFF, 0xFF, 0xFF, 0, 0, 2, 0,  //
                                                    0xF8, 0xFF, 0xFF, 0xFF, 0, 0, 2, 0})
                   .has_value());
}

TEST(TreeMutatorTest, ChangesMostMessagesIntoMessages) {
  capnp::MallocMessageBuilder builder;
  BuildModel(builder);
  const auto original = ReadMessageTree(Serialized(builder));
  ASSERT_TRUE(original.has_value());
  int changed = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SplitMix64 random(seed);
    MessageNode root = *original;
    MutateTree(root, random, [](std::vector<uint8_t>& bytes) { bytes.push_back(1); });
    if (!(root == *original)) ++changed;
    const auto bytes = WriteMessageTree(root);
    ASSERT_TRUE(bytes.has_value());
    EXPECT_TRUE(ReadMessageTree(*bytes).has_value()) << "seed " << seed;
  }
  EXPECT_GT(changed, 800);
}

}  // namespace
}  // namespace nncert
