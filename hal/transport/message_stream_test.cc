// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/message_stream.h"

#include <capnp/message.h>
#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/transport/testing/served.h"

namespace nncert::hal::transport {
namespace {

using ::nncert::hal::transport::testing::SocketPair;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Bytes = std::vector<uint8_t>;

Bytes Serialized(capnp::MessageBuilder& builder) {
  const auto words = capnp::messageToFlatArray(builder);
  const auto bytes = words.asBytes();
  return {bytes.begin(), bytes.end()};
}

// A message that is not kept back; it has `reason`.
Bytes Abort(const std::string& reason) {
  capnp::MallocMessageBuilder builder;
  builder.initRoot<capnp::rpc::Message>().initAbort().setReason(reason);
  return Serialized(builder);
}

Bytes Finish() {
  capnp::MallocMessageBuilder builder;
  builder.initRoot<capnp::rpc::Message>().initFinish().setQuestionId(3);
  return Serialized(builder);
}

Bytes EmptyReturn() {
  capnp::MallocMessageBuilder builder;
  builder.initRoot<capnp::rpc::Message>().initReturn().initResults();
  return Serialized(builder);
}

// The beginning of a message: the table of segments of these sizes.
Bytes Table(const std::vector<uint32_t>& sizes) {
  std::vector<uint32_t> numbers = {static_cast<uint32_t>(sizes.size() - 1)};
  numbers.insert(numbers.end(), sizes.begin(), sizes.end());
  if (numbers.size() % 2 != 0) numbers.push_back(0);
  Bytes bytes(numbers.size() * sizeof(uint32_t));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

Bytes operator+(Bytes one, const Bytes& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

// What has been read.
struct Received {
  std::string reason;
  std::vector<kj::AutoCloseFd> descriptors;
};

class MessageStreamTest : public ::testing::Test {
 protected:
  explicit MessageStreamTest(
      std::pair<FileDescriptor, FileDescriptor> sockets = SocketPair(),
      MessageStream::EmptyReturns empty_returns = MessageStream::EmptyReturns::kAreAwaited)
      : peer_(std::move(sockets.second)),
        scope_(loop_),
        stream_(std::move(sockets.first), empty_returns) {}
  ~MessageStreamTest() noexcept override = default;

  // Sends bytes from the other side, with copies of a descriptor.
  void Send(absl::Span<const uint8_t> bytes, size_t descriptors = 0) {
    std::vector<int> values(descriptors, peer_.get());
    while (!bytes.empty()) {
      pollfd writable = {.fd = peer_.get(), .events = POLLOUT, .revents = 0};
      ASSERT_EQ(poll(&writable, 1, 60000), 1);
      iovec part = {const_cast<uint8_t*>(bytes.data()), bytes.size()};
      const ssize_t sent = SendParts(peer_.get(), absl::MakeSpan(&part, 1), values);
      ASSERT_GT(sent, 0);
      bytes.remove_prefix(static_cast<size_t>(sent));
      values.clear();
    }
  }

  // Reads what has come. The next message, if it is there as a whole; the end of the stream is a
  // message without a reason, and `ended_`.
  std::optional<Received> Receive() {
    if (!pending_.has_value()) {
      pending_ = stream_.tryReadMessage(nullptr, {}, nullptr);
    }
    stream_.SetReadable(true);
    loop_.run();
    while (stream_.WantsToRead()) {
      stream_.Read();
      loop_.run();
    }
    if (!pending_->poll(scope_)) return std::nullopt;
    Received received;
    KJ_IF_MAYBE (message, pending_->wait(scope_)) {
      // A message may be without words.
      if (message->reader->getSegment(0).size() > 0) {
        const auto root = message->reader->getRoot<capnp::rpc::Message>();
        if (root.isAbort()) received.reason = std::string(root.getAbort().getReason());
        if (root.isFinish()) received.reason = "finish";
      }
      for (kj::AutoCloseFd& descriptor : message->fds) {
        received.descriptors.push_back(kj::mv(descriptor));
      }
    } else {
      ended_ = true;
    }
    pending_.reset();
    return received;
  }

  void ExpectReceived(const std::string& reason, size_t descriptors = 0) {
    const auto received = Receive();
    ASSERT_TRUE(received.has_value()) << "instead of: " << reason;
    EXPECT_FALSE(ended_);
    EXPECT_EQ(received->reason, reason);
    EXPECT_THAT(received->descriptors, SizeIs(descriptors));
  }

  void ExpectEnd() {
    ASSERT_TRUE(Receive().has_value());
    EXPECT_TRUE(ended_);
  }

  void ExpectDataLoss(const std::string& text) {
    ExpectEnd();
    EXPECT_TRUE(absl::IsDataLoss(stream_.status())) << stream_.status();
    EXPECT_THAT(std::string(stream_.status().message()), HasSubstr(text));
  }

  // Writes a message of one segment or more, given as bytes.
  void Write(const Bytes& message, std::vector<int> descriptors = {}) {
    auto words = kj::heapArray<capnp::word>(message.size() / sizeof(capnp::word));
    std::memcpy(static_cast<void*>(words.begin()), message.data(), message.size());
    capnp::FlatArrayMessageReader reader(words);
    std::vector<kj::ArrayPtr<const capnp::word>> segments;
    for (unsigned i = 0; reader.getSegment(i) != nullptr; ++i) {
      segments.push_back(reader.getSegment(i));
    }
    stream_
        .writeMessage(kj::arrayPtr(descriptors.data(), descriptors.size()),
                      kj::arrayPtr(segments.data(), segments.size()))
        .wait(scope_);
  }

  // What has arrived at the other side, as far as it is there.
  Bytes Arrived() {
    Bytes all;
    std::array<uint8_t, 65536> buffer;
    while (true) {
      const ssize_t size = recv(peer_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (size <= 0) return all;
      all.insert(all.end(), buffer.begin(), buffer.begin() + size);
    }
  }

  FileDescriptor peer_;
  kj::EventLoop loop_;
  kj::WaitScope scope_;
  MessageStream stream_;
  std::optional<kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>>> pending_;
  bool ended_ = false;
};

// --- Reading ---

TEST_F(MessageStreamTest, ReadsAMessageThatComesByteByByte) {
  const Bytes message = Abort("slowly");
  for (size_t i = 0; i + 1 < message.size(); ++i) {
    Send(absl::MakeConstSpan(message).subspan(i, 1));
    EXPECT_FALSE(Receive().has_value()) << "after byte " << i;
  }
  Send(absl::MakeConstSpan(message).last(1));
  ExpectReceived("slowly");
  EXPECT_FALSE(Receive().has_value());
  EXPECT_TRUE(stream_.status().ok()) << stream_.status();
}

TEST_F(MessageStreamTest, ReadsMessagesThatComeTogether) {
  const Bytes last = Abort("three");
  Send(Abort("one") + Abort("two") + Bytes(last.begin(), last.begin() + 20));
  ExpectReceived("one");
  ExpectReceived("two");
  EXPECT_FALSE(Receive().has_value());
  Send(Bytes(last.begin() + 20, last.end()));
  ExpectReceived("three");
}

TEST_F(MessageStreamTest, ReadsMessagesOfManySegments) {
  capnp::MallocMessageBuilder builder(1, capnp::AllocationStrategy::FIXED_SIZE);
  builder.initRoot<capnp::rpc::Message>().initAbort().setReason("in pieces");
  ASSERT_GT(builder.getSegmentsForOutput().size(), 2U);
  Send(Serialized(builder));
  ExpectReceived("in pieces");
}

TEST_F(MessageStreamTest, ReadsAMessageThatIsLargerThanTheSocketHoldsAndOneBehindIt) {
  const std::string reason(3000000, 'x');
  std::thread writer([&] { Send(Abort(reason) + Abort("small")); });
  std::optional<Received> received;
  while (!received.has_value()) {
    pollfd readable = {.fd = stream_.socket(), .events = POLLIN, .revents = 0};
    ASSERT_EQ(poll(&readable, 1, 60000), 1);
    received = Receive();
  }
  writer.join();
  EXPECT_EQ(received->reason, reason);
  ExpectReceived("small");
}

TEST_F(MessageStreamTest, GivesAMessageTheDescriptorsOfItsFirstByte) {
  const Bytes message = Abort("with files");
  Send(absl::MakeConstSpan(message).first(1), 2);
  EXPECT_FALSE(Receive().has_value());
  Send(absl::MakeConstSpan(message).subspan(1));
  ExpectReceived("with files", 2);
}

TEST_F(MessageStreamTest, DescriptorsGoToTheirOwnMessage) {
  Send(Abort("one"));
  Send(Abort("two"), 3);
  Send(Abort("three"));
  Send(Abort("four"), 1);
  ExpectReceived("one");
  ExpectReceived("two", 3);
  ExpectReceived("three");
  ExpectReceived("four", 1);
}

TEST_F(MessageStreamTest, DescriptorsOfAMessageThatWasKeptBackAreThoseOfTheNext) {
  Send(Finish() + Abort("what follows"), 2);
  ExpectReceived("finish");
  ExpectReceived("what follows", 2);
  Send(EmptyReturn() + Abort("and again"), 1);
  ExpectReceived("");
  ExpectReceived("and again", 1);
}

TEST_F(MessageStreamTest, DescriptorsAreClosedOnExec) {
  Send(Abort("files"), 1);
  const auto received = Receive();
  ASSERT_TRUE(received.has_value());
  ASSERT_THAT(received->descriptors, SizeIs(1));
  EXPECT_EQ(fcntl(received->descriptors[0].get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST_F(MessageStreamTest, ReadsAsManyDescriptorsAsAMessageCanCarry) {
  Send(Abort("many"), kMaxDescriptorsOfMessage);
  ExpectReceived("many", kMaxDescriptorsOfMessage);
}

TEST_F(MessageStreamTest, FailsWhenMoreDescriptorsComeThanAMessageCanCarry) {
  const Bytes message = Abort("far too many");
  for (size_t i = 0; i < 3; ++i) {
    Send(absl::MakeConstSpan(message).subspan(i, 1), kMaxDescriptorsOfMessage);
  }
  ExpectDataLoss("more than 253 file descriptors");
}

TEST_F(MessageStreamTest, TakesAMessageOfNoWordsAsOneWithoutARoot) {
  Send(Table({0}));
  ExpectReceived("");
}

TEST_F(MessageStreamTest, FailsWhenAMessageHasMoreSegmentsThanMayBe) {
  Send(Table(std::vector<uint32_t>(513)));
  ExpectDataLoss("513 segments; expected at most 512");
}

TEST_F(MessageStreamTest, ReadsAMessageOfAsManySegmentsAsMayBe) {
  Send(Table(std::vector<uint32_t>(512)));
  ExpectReceived("");
}

TEST_F(MessageStreamTest, FailsWhenAMessageIsLargerThanMayBe) {
  // The table of segments counts.
  Send(Table({static_cast<uint32_t>(kMaxWordsOfMessage)}));
  ExpectDataLoss("33554433 words; expected at most 33554432");
}

TEST_F(MessageStreamTest, FailsWhenTheSizesOfSegmentsAddUpToMoreThan32Bits) {
  Send(Table({0xFFFFFFFF, 1, 0}));
  ExpectDataLoss("words; expected at most");
}

TEST_F(MessageStreamTest, WaitsForTheLargestMessageThereMayBe) {
  Send(Table({static_cast<uint32_t>(kMaxWordsOfMessage - 1)}));
  EXPECT_FALSE(Receive().has_value());
  EXPECT_TRUE(stream_.status().ok()) << stream_.status();
}

TEST_F(MessageStreamTest, DeliversWhatCameBeforeAMessageThatIsNone) {
  Send(Abort("good") + Bytes(64, 0xFF));
  ExpectReceived("good");
  ExpectDataLoss("segments");
}

TEST_F(MessageStreamTest, EndsBetweenMessages) {
  Send(Abort("the last"));
  peer_ = FileDescriptor();
  ExpectReceived("the last");
  ExpectEnd();
  EXPECT_TRUE(absl::IsUnavailable(stream_.status())) << stream_.status();
  EXPECT_THAT(std::string(stream_.status().message()), ::testing::Not(HasSubstr("within")));
}

TEST_F(MessageStreamTest, EndsWithinAMessage) {
  const Bytes message = Abort("cut");
  Send(absl::MakeConstSpan(message).first(message.size() - 1));
  peer_ = FileDescriptor();
  ExpectEnd();
  EXPECT_TRUE(absl::IsUnavailable(stream_.status())) << stream_.status();
  EXPECT_THAT(std::string(stream_.status().message()), HasSubstr("within a message"));
  // And ends again for who asks again.
  ExpectEnd();
}

TEST_F(MessageStreamTest, ReadsAllDataAndTheEndBehindItWhenItIsThereAlready) {
  Send(Abort("one"));
  Send(Abort("two"), 1);
  Send(Abort("three"));
  peer_ = FileDescriptor();
  // Once, for all data that is there.
  stream_.SetReadable(false);
  for (const auto* const reason : {"one", "two", "three"}) {
    auto next = stream_.tryReadMessage(nullptr, {}, nullptr);
    while (stream_.WantsToRead()) stream_.Read();
    ASSERT_TRUE(next.poll(scope_)) << reason;
    KJ_IF_MAYBE (message, next.wait(scope_)) {
      EXPECT_EQ(std::string(message->reader->getRoot<capnp::rpc::Message>().getAbort().getReason()),
                reason);
    } else {
      ADD_FAILURE() << "the stream ended before " << reason;
    }
  }
  EXPECT_TRUE(stream_.status().ok()) << stream_.status();
  ExpectEnd();
}

TEST_F(MessageStreamTest, EndsWithinATableOfSegments) {
  Send(absl::MakeConstSpan(Table({1, 1, 1})).first(6));
  peer_ = FileDescriptor();
  ExpectEnd();
  EXPECT_THAT(std::string(stream_.status().message()), HasSubstr("within a message"));
}

TEST_F(MessageStreamTest, ReadsNothingWhileNobodyWaits) {
  Send(Abort("patience"));
  stream_.SetReadable(true);
  EXPECT_FALSE(stream_.WantsToRead());
  ExpectReceived("patience");
}

TEST_F(MessageStreamTest, EndReadingEndsWhoWaitsAndDropsWhatHasCome) {
  EXPECT_FALSE(Receive().has_value());
  stream_.EndReading();
  ExpectEnd();
  EXPECT_TRUE(absl::IsCancelled(stream_.status())) << stream_.status();
}

TEST_F(MessageStreamTest, AnotherThreadCanShutTheSocketDown) {
  EXPECT_FALSE(Receive().has_value());
  std::thread other([socket = stream_.socket()] { shutdown(socket, SHUT_RDWR); });
  pollfd readable = {.fd = stream_.socket(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&readable, 1, 60000), 1);
  ExpectEnd();
  other.join();
  EXPECT_TRUE(absl::IsUnavailable(stream_.status())) << stream_.status();
}

TEST_F(MessageStreamTest, TheOtherSideMayCloseWhileWeWait) {
  EXPECT_FALSE(Receive().has_value());
  std::thread other([this] { peer_ = FileDescriptor(); });
  pollfd readable = {.fd = stream_.socket(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&readable, 1, 60000), 1);
  other.join();
  ExpectEnd();
}

// --- Writing ---

TEST_F(MessageStreamTest, WritesAtOnce) {
  Write(Abort("now"));
  EXPECT_EQ(Arrived(), Abort("now"));
}

TEST_F(MessageStreamTest, WritesMessagesOfManySegments) {
  capnp::MallocMessageBuilder builder(1, capnp::AllocationStrategy::FIXED_SIZE);
  builder.initRoot<capnp::rpc::Message>().initAbort().setReason("in pieces");
  Write(Serialized(builder));
  EXPECT_EQ(Arrived(), Serialized(builder));
}

TEST_F(MessageStreamTest, KeepsPatientMessagesBackUntilTheNext) {
  Write(Finish());
  Write(Finish());
  EXPECT_THAT(Arrived(), IsEmpty());
  EXPECT_FALSE(stream_.KeepsNews());
  Write(Abort("now"));
  EXPECT_EQ(Arrived(), Finish() + Finish() + Abort("now"));
}

TEST_F(MessageStreamTest, FlushWritesWhatWasKeptBack) {
  capnp::MallocMessageBuilder builder;
  builder.initRoot<capnp::rpc::Message>().initRelease().setReferenceCount(1);
  Write(Serialized(builder));
  EXPECT_TRUE(stream_.KeepsNews());
  EXPECT_THAT(Arrived(), IsEmpty());
  stream_.Flush();
  EXPECT_FALSE(stream_.KeepsNews());
  EXPECT_EQ(Arrived(), Serialized(builder));
}

TEST_F(MessageStreamTest, WritesEmptyReturnsAtOnceWhereTheyAreAwaited) {
  Write(EmptyReturn());
  EXPECT_EQ(Arrived(), EmptyReturn());
}

// The side whose empty returns nobody waits for.
class PatientMessageStreamTest : public MessageStreamTest {
 protected:
  PatientMessageStreamTest()
      : MessageStreamTest(SocketPair(), MessageStream::EmptyReturns::kAreNotAwaited) {}
};

TEST_F(PatientMessageStreamTest, KeepsEmptyReturnsBackUntilTheNext) {
  Write(EmptyReturn());
  EXPECT_TRUE(stream_.KeepsNews());
  EXPECT_THAT(Arrived(), IsEmpty());
  capnp::MallocMessageBuilder builder;
  builder.initRoot<capnp::rpc::Message>().initReturn().initException().setReason("none");
  Write(Serialized(builder));
  EXPECT_FALSE(stream_.KeepsNews());
  EXPECT_EQ(Arrived(), EmptyReturn() + Serialized(builder));
}

TEST_F(MessageStreamTest, KeepsOnlySoMuchBack) {
  for (int i = 0; i < 200; ++i) Write(Finish());
  EXPECT_THAT(Arrived(), SizeIs(::testing::Gt(100 * Finish().size())));
}

TEST_F(MessageStreamTest, WritesInOrderWhatTheSocketHasNoRoomFor) {
  const Bytes large = Abort(std::string(500000, 'x'));
  Bytes expected;
  for (int i = 0; i < 4; ++i) {
    Write(large);
    expected = std::move(expected) + large;
  }
  Write(Abort("the last"), {stream_.socket(), stream_.socket()});
  expected = std::move(expected) + Abort("the last");
  EXPECT_TRUE(stream_.HasBacklog());
  Bytes arrived;
  for (int i = 0; i < 1000 && stream_.HasBacklog(); ++i) {
    arrived = std::move(arrived) + Arrived();
    stream_.Flush();
  }
  EXPECT_FALSE(stream_.HasBacklog());
  EXPECT_TRUE(arrived + Arrived() == expected);
}

TEST_F(MessageStreamTest, FailsWhenTheOtherSideDoesNotRead) {
  const Bytes large = Abort(std::string(size_t{8} << 20, 'x'));
  int written = 0;
  for (; written < 30 && stream_.status().ok(); ++written) Write(large);
  // 64 MiB, and one message on either side of it.
  EXPECT_THAT(written, ::testing::AllOf(::testing::Ge(8), ::testing::Le(11)));
  EXPECT_TRUE(absl::IsDataLoss(stream_.status())) << stream_.status();
  EXPECT_THAT(std::string(stream_.status().message()), HasSubstr("does not read"));
  EXPECT_FALSE(stream_.HasBacklog());
}

TEST_F(MessageStreamTest, WhatItWritesItReads) {
  Write(Finish());
  Write(Abort("a file"), {peer_.get()});
  MessageStream reader(std::move(peer_), MessageStream::EmptyReturns::kAreAwaited);
  auto first = reader.tryReadMessage(nullptr, {}, nullptr);
  reader.SetReadable(true);
  while (reader.WantsToRead()) reader.Read();
  KJ_IF_MAYBE (message, first.wait(scope_)) {
    EXPECT_TRUE(message->reader->getRoot<capnp::rpc::Message>().isFinish());
    EXPECT_EQ(message->fds.size(), 0U);
  } else {
    ADD_FAILURE() << "the stream ended";
  }
  auto second = reader.tryReadMessage(nullptr, {}, nullptr);
  KJ_IF_MAYBE (message, second.wait(scope_)) {
    EXPECT_TRUE(message->reader->getRoot<capnp::rpc::Message>().isAbort());
    EXPECT_EQ(message->fds.size(), 1U);
  } else {
    ADD_FAILURE() << "the stream ended";
  }
}

TEST_F(MessageStreamTest, DropsWhatIsWrittenToASideThatHasGoneAndStillReadsWhatItSaid) {
  Send(Abort("farewell"));
  peer_ = FileDescriptor();
  Write(Abort("unheard"));
  Write(Abort("unheard, too"));
  EXPECT_FALSE(stream_.HasBacklog());
  EXPECT_TRUE(stream_.status().ok()) << stream_.status();
  ExpectReceived("farewell");
  ExpectEnd();
}

TEST_F(MessageStreamTest, TheEndFlushes) {
  Write(Finish());
  stream_.end().wait(scope_);
  EXPECT_EQ(Arrived(), Finish());
  uint8_t byte = 0;
  EXPECT_EQ(recv(peer_.get(), &byte, 1, 0), 0);
}

}  // namespace
}  // namespace nncert::hal::transport
