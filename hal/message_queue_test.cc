// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/message_queue.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/deadline.h"
#include "hal/testing/status_is.h"
#include "hal/v1_2/burst_types.h"

namespace nncert::hal {
namespace {

using ::testing::HasSubstr;
using testing::StatusIs;

constexpr absl::Duration kLong = absl::Seconds(30);

template <typename Element>
MessageQueue<Element> MakeQueue(uint32_t elementCount) {
  absl::StatusOr<MessageQueue<Element>> queue = MessageQueue<Element>::Create(elementCount);
  EXPECT_TRUE(queue.ok()) << queue.status();
  return *std::move(queue);
}

// InvalidArgument, with `text` in the message.
auto IsInvalid(const std::string& text) {
  return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text));
}

TEST(MessageQueueTest, elements_come_out_in_the_order_they_went_in_across_the_end_of_the_ring) {
  MessageQueue<int> writer = MakeQueue<int>(5);
  absl::StatusOr<MessageQueue<int>> reader = MessageQueue<int>::Open(writer.descriptor());
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ(reader->capacity(), 5);
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(writer.write({round, round + 1, round + 2}).ok());
    EXPECT_EQ(*reader->availableToRead(), 3);
    EXPECT_EQ(*writer.availableToWrite(), 2);
    std::vector<int> elements(3);
    ASSERT_TRUE(reader->read(absl::MakeSpan(elements)).ok());
    EXPECT_EQ(elements, (std::vector<int>{round, round + 1, round + 2}));
  }
}

TEST(MessageQueueTest, nothing_is_read_or_written_when_it_does_not_all_fit) {
  MessageQueue<int> queue = MakeQueue<int>(4);
  ASSERT_TRUE(queue.write({1, 2, 3}).ok());
  EXPECT_EQ(queue.write({4, 5}).code(), absl::StatusCode::kDeadlineExceeded);
  std::vector<int> elements(4);
  EXPECT_EQ(queue.read(absl::MakeSpan(elements)).code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(*queue.availableToRead(), 3);
  EXPECT_EQ(queue.write({1, 2, 3, 4, 5}).code(), absl::StatusCode::kInvalidArgument);
  elements.resize(5);
  EXPECT_EQ(queue.readBlocking(absl::MakeSpan(elements), kLong).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(MessageQueueTest, blocking_calls_give_up_after_their_timeout) {
  MessageQueue<int> queue = MakeQueue<int>(1);
  int element = 0;
  const absl::Duration start = SteadyClock::System().Now();
  EXPECT_EQ(queue.readBlocking(absl::MakeSpan(&element, 1), absl::Milliseconds(30)).code(),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_GE(SteadyClock::System().Now() - start, absl::Milliseconds(30));
  ASSERT_TRUE(queue.write({1}).ok());
  EXPECT_EQ(queue.writeBlocking({2}, absl::Milliseconds(30)).code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST(MessageQueueTest, threads_pass_a_long_stream_through_a_short_queue) {
  constexpr int kElements = 200000;
  MessageQueue<int> queue = MakeQueue<int>(7);
  absl::StatusOr<MessageQueue<int>> reader = MessageQueue<int>::Open(queue.descriptor());
  ASSERT_TRUE(reader.ok());
  std::thread producer([&queue] {
    for (int next = 0; next < kElements;) {
      std::vector<int> batch(std::min(1 + next % 7, kElements - next));
      std::iota(batch.begin(), batch.end(), next);
      ASSERT_TRUE(queue.writeBlocking(batch, kLong).ok());
      next += static_cast<int>(batch.size());
    }
  });
  int wrong = 0;
  for (int next = 0; next < kElements;) {
    std::vector<int> batch(std::min(1 + next % 5, kElements - next));
    ASSERT_TRUE(reader->readBlocking(absl::MakeSpan(batch), kLong).ok());
    for (const int element : batch) wrong += element == next++ ? 0 : 1;
  }
  producer.join();
  EXPECT_EQ(wrong, 0);
}

TEST(MessageQueueTest, processes_answer_each_other_through_a_pair_of_queues) {
  MessageQueue<int> requests = MakeQueue<int>(2);
  MessageQueue<int> results = MakeQueue<int>(2);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int value = 0;
    for (int i = 0; i < 100; ++i) {
      if (!requests.readBlocking(absl::MakeSpan(&value, 1), kLong).ok()) _exit(1);
      if (!results.writeBlocking({value * value}, kLong).ok()) _exit(2);
    }
    _exit(0);
  }
  for (int i = 0; i < 100; ++i) {
    int result = -1;
    ASSERT_TRUE(requests.writeBlocking({i}, kLong).ok());
    ASSERT_TRUE(results.readBlocking(absl::MakeSpan(&result, 1), kLong).ok());
    EXPECT_EQ(result, i * i);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(MessageQueueTest, a_sleeping_reader_is_woken_by_a_write) {
  MessageQueue<int> queue = MakeQueue<int>(1);
  int element = 0;
  std::thread reader([&] {
    EXPECT_TRUE(queue.readBlocking(absl::MakeSpan(&element, 1), absl::InfiniteDuration()).ok());
  });
  absl::SleepFor(absl::Milliseconds(20));
  ASSERT_TRUE(queue.write({9}).ok());
  reader.join();
  EXPECT_EQ(element, 9);
}

TEST(MessageQueueTest, an_interrupted_reader_stops_waiting_and_waits_no_more) {
  MessageQueue<int> queue = MakeQueue<int>(2);
  int element = 0;
  absl::Status status;
  std::thread reader(
      [&] { status = queue.readBlocking(absl::MakeSpan(&element, 1), absl::InfiniteDuration()); });
  absl::SleepFor(absl::Milliseconds(20));
  queue.interrupt();
  reader.join();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(queue.readBlocking(absl::MakeSpan(&element, 1), kLong).code(),
            absl::StatusCode::kCancelled);
  ASSERT_TRUE(queue.write({4}).ok());
  EXPECT_TRUE(queue.readBlocking(absl::MakeSpan(&element, 1), kLong).ok());
}

TEST(MessageQueueTest, a_queue_is_as_new_once_nobody_else_has_it) {
  MessageQueue<int> queue = MakeQueue<int>(3);
  ASSERT_TRUE(queue.write({1, 2}).ok());
  {
    const absl::StatusOr<MessageQueue<int>> other = MessageQueue<int>::Open(queue.descriptor());
    ASSERT_TRUE(other.ok());
    EXPECT_FALSE(queue.renew());
    EXPECT_EQ(*other->availableToRead(), 2);
  }
  {
    const Memory memory = queue.descriptor().memory;
    EXPECT_FALSE(queue.renew());
  }
  queue.interrupt();
  EXPECT_EQ(*queue.availableToRead(), 2);
  EXPECT_TRUE(queue.renew());
  EXPECT_EQ(*queue.availableToRead(), 0);
  EXPECT_EQ(*queue.availableToWrite(), 3);
  int element = 0;
  EXPECT_THAT(queue.readBlocking(absl::MakeSpan(&element, 1), absl::Milliseconds(1)),
              StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("no 1 elements came")));
  ASSERT_TRUE(queue.write({7, 8, 9}).ok());
  ASSERT_TRUE(queue.read(absl::MakeSpan(&element, 1)).ok());
  EXPECT_EQ(element, 7);
}

TEST(MessageQueueTest, positions_that_the_other_side_scribbled_on_are_data_loss) {
  MessageQueue<uint64_t> queue = MakeQueue<uint64_t>(4);
  const absl::StatusOr<Mapping> shared = queue.descriptor().memory.Map(MemoryAccess::READ_WRITE);
  ASSERT_TRUE(shared.ok());
  ASSERT_TRUE(queue.write({1, 2}).ok());
  // The write position is the first field of the shared memory.
  const uint64_t impossible = 1000;
  std::memcpy(shared->data(), &impossible, sizeof impossible);
  uint64_t element = 0;
  const auto is_data_loss =
      StatusIs(absl::StatusCode::kDataLoss, HasSubstr("impossible: written 1000, read 0"));
  EXPECT_THAT(queue.read(absl::MakeSpan(&element, 1)), is_data_loss);
  EXPECT_THAT(queue.write({1}), is_data_loss);
  EXPECT_THAT(queue.availableToRead(), is_data_loss);
  // Whatever stands there, nothing outside the ring is touched (address sanitizer watches).
  std::memset(shared->data(), 0xFF, 128);
  EXPECT_EQ(*queue.availableToRead(), 0);
  ASSERT_TRUE(queue.write({1, 2, 3}).ok());
  ASSERT_TRUE(queue.read(absl::MakeSpan(&element, 1)).ok());
}

TEST(MessageQueueTest, descriptors_whose_sizes_do_not_fit_are_refused) {
  MessageQueue<int> queue = MakeQueue<int>(4);
  MQDescriptorSync<int> descriptor = queue.descriptor();
  const size_t size = descriptor.memory.size();
  descriptor.elementCount = 5;
  EXPECT_THAT(
      MessageQueue<int>::Open(descriptor),
      IsInvalid("a message queue of 5 elements of 4 bytes needs " + std::to_string(size + 4) +
                " bytes of memory, not " + std::to_string(size)));
  descriptor.elementCount = 0;
  EXPECT_THAT(MessageQueue<int>::Open(descriptor), IsInvalid("at least one element, not 0"));
  EXPECT_THAT(MessageQueue<int>::Create(0), IsInvalid("at least one element, not 0"));
  descriptor = queue.descriptor();
  descriptor.elementSize = 8;
  EXPECT_THAT(MessageQueue<int>::Open(descriptor),
              IsInvalid("the elements of the message queue have 8 bytes; expected 4"));
  descriptor = queue.descriptor();
  descriptor.memory = Memory();
  EXPECT_THAT(MessageQueue<int>::Open(descriptor), IsInvalid("bytes of memory, not 0"));
}

TEST(MessageQueueTest, memory_whose_positions_would_not_be_aligned_is_refused) {
  MQDescriptorSync<int> descriptor = MakeQueue<int>(4).descriptor();
  const Memory& memory = descriptor.memory;
  const absl::StatusOr<Memory> shifted =
      Memory::FromDescriptor(memory.descriptor(), memory.size() - 8, PROT_READ | PROT_WRITE, 8);
  ASSERT_TRUE(shifted.ok()) << shifted.status();
  descriptor.memory = *shifted;
  descriptor.elementCount = 1;
  EXPECT_THAT(MessageQueue<int>::Open(descriptor),
              IsInvalid("begins at offset 8 of its file; expected a multiple of 64"));
}

TEST(MessageQueueTest, memory_that_could_be_cut_short_is_refused) {
  const int descriptor = memfd_create("queue", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  ASSERT_EQ(ftruncate(descriptor, 4096), 0);
  const absl::StatusOr<Memory> memory =
      Memory::FromDescriptor(FileDescriptor::Adopt(descriptor), 4096, PROT_READ | PROT_WRITE);
  ASSERT_TRUE(memory.ok()) << memory.status();
  EXPECT_THAT(MessageQueue<int>::Open({.memory = *memory, .elementCount = 4}),
              IsInvalid("the memory of a message queue is not sealed against shrinking"));
}

TEST(BurstTypesTest, every_request_alternative_is_read_back_and_no_other) {
  using Datum = V1_2::FmqRequestDatum;
  const Datum::PacketInformation packet = {9, 1, 2, 3};
  const Datum::OperandInformation operand = {
      .hasNoValue = true, .location = {4, 5, 6}, .numberOfDimensions = 7};
  EXPECT_EQ(Datum::makePacketInformation(packet).packetInformation(), packet);
  EXPECT_EQ(Datum::makeInputOperandInformation(operand).inputOperandInformation(), operand);
  EXPECT_EQ(Datum::makeOutputOperandInformation(operand).outputOperandInformation(), operand);
  EXPECT_EQ(Datum::makeOutputOperandInformation(operand).inputOperandInformation(), std::nullopt);
  EXPECT_EQ(Datum::makeInputOperandDimensionValue(8).inputOperandDimensionValue(), 8);
  EXPECT_EQ(Datum::makeInputOperandDimensionValue(8).outputOperandDimensionValue(), std::nullopt);
  EXPECT_EQ(Datum::makeOutputOperandDimensionValue(8).outputOperandDimensionValue(), 8);
  EXPECT_EQ(Datum::makePoolIdentifier(-3).poolIdentifier(), -3);
  EXPECT_EQ(Datum::makePoolIdentifier(-3).packetInformation(), std::nullopt);
  EXPECT_EQ(Datum::makeMeasureTiming(V1_2::MeasureTiming::YES).measureTiming(),
            V1_2::MeasureTiming::YES);
  EXPECT_EQ(static_cast<int>(Datum::makeMeasureTiming({}).getDiscriminator()), 6);
}

TEST(BurstTypesTest, every_result_alternative_is_read_back_and_no_other) {
  using Datum = V1_2::FmqResultDatum;
  const Datum::PacketInformation packet = {9, V1_2::ErrorStatus::INVALID_ARGUMENT, 3};
  const Datum::OperandInformation operand = {.isSufficient = true, .numberOfDimensions = 2};
  const V1_2::Timing timing = {.timeOnDevice = 0x1'0000'0002, .timeInDriver = ~uint64_t{0}};
  EXPECT_EQ(Datum::makePacketInformation(packet).packetInformation(), packet);
  EXPECT_EQ(Datum::makePacketInformation(packet).operandInformation(), std::nullopt);
  EXPECT_EQ(Datum::makeOperandInformation(operand).operandInformation(), operand);
  EXPECT_EQ(Datum::makeOperandDimensionValue(8).operandDimensionValue(), 8);
  EXPECT_EQ(Datum::makeExecutionTiming(timing).executionTiming(), timing);
  EXPECT_EQ(Datum::makeExecutionTiming(timing).operandDimensionValue(), std::nullopt);
}

TEST(BurstTypesTest, padding_that_was_not_cleared_is_noticed_and_flags_of_any_bits_are_read) {
  using Datum = V1_2::FmqResultDatum;
  Datum datum = Datum::makeOperandInformation({.isSufficient = true, .numberOfDimensions = 2});
  EXPECT_TRUE(datum.paddingIsZero());
  std::vector<uint8_t> bytes(sizeof datum);
  std::memcpy(bytes.data(), &datum, sizeof datum);
  bytes[8] = 0x80;   // the flag
  bytes[10] = 0x01;  // one of the three bytes behind it
  std::memcpy(&datum, bytes.data(), sizeof datum);
  EXPECT_FALSE(datum.paddingIsZero());
  ASSERT_TRUE(datum.operandInformation().has_value());
  EXPECT_TRUE(datum.operandInformation()->isSufficient);
}

}  // namespace
}  // namespace nncert::hal
