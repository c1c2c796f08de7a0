// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The HAL's fast message queue: a ring of fixed-size elements in shared memory with one writer and
// one reader, which may be in different processes. Bursts send requests and results through a pair
// of them.
//
// Nothing the other side does to the shared memory can make this side read or write outside it:
// positions are checked at every step, and impossible ones are reported as DataLoss.
//
// Whoever waits lets other threads run a few times before it goes to sleep: of two sides that share
// a processor and answer each other by turns, neither then has to be woken.

#ifndef NNCERT_HAL_MESSAGE_QUEUE_H_
#define NNCERT_HAL_MESSAGE_QUEUE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "hal/memory.h"

namespace nncert::hal {

/// Everything that a process needs to open a queue which another has created (the HAL's
/// `fmq_sync`).
template <typename Element>
struct MQDescriptorSync {
  /// The shared memory; its size must fit elementCount.
  Memory memory;
  /// Bytes of one element.
  uint32_t elementSize = sizeof(Element);
  /// How many elements the queue can hold.
  uint32_t elementCount = 0;
  /// No flag is defined yet: 0.
  uint32_t flags = 0;

  bool operator==(const MQDescriptorSync&) const = default;
};

namespace internal {

/// The queue of untyped elements that MessageQueue<Element> is a typed view of.
class RawMessageQueue {
 public:
  RawMessageQueue() = default;

  static absl::StatusOr<RawMessageQueue> Create(uint32_t elementSize, uint32_t elementCount);
  static absl::StatusOr<RawMessageQueue> Open(const Memory& memory, uint32_t elementSize,
                                              uint32_t elementCount);

  const Memory& memory() const { return memory_; }
  uint32_t elementCount() const { return elementCount_; }
  absl::StatusOr<size_t> AvailableToRead() const;
  absl::StatusOr<size_t> AvailableToWrite() const;
  absl::Status Read(void* elements, size_t count, absl::Duration timeout);
  absl::Status Write(const void* elements, size_t count, absl::Duration timeout);
  void Interrupt();
  bool Renew();

 private:
  struct Header;
  enum class Direction { kToRead, kToWrite };

  Header& header() const;
  uint8_t* ring() const;
  absl::StatusOr<size_t> Filled(uint64_t writePosition, uint64_t readPosition) const;
  absl::StatusOr<size_t> Available(Direction direction) const;
  absl::Status WaitFor(Direction direction, size_t count, absl::Duration timeout) const;
  void CopyOut(uint64_t position, void* elements, size_t count) const;
  void CopyIn(uint64_t position, const void* elements, size_t count) const;

  Memory memory_;
  Mapping mapping_;
  uint32_t elementSize_ = 0;
  uint32_t elementCount_ = 0;
  // Whether this side has given up; shared by copies of the queue.
  std::shared_ptr<std::atomic<bool>> interrupted_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace internal

/// A queue of elements of a type that may be copied byte by byte. One thread (of one process) may
/// write and one may read at a time.
template <typename Element>
class MessageQueue {
  static_assert(std::is_trivially_copyable_v<Element>,
                "elements travel through shared memory as bytes");

 public:
  /// A new, empty queue for `elementCount` elements, at least one.
  static absl::StatusOr<MessageQueue> Create(uint32_t elementCount) {
    return Wrap(internal::RawMessageQueue::Create(sizeof(Element), elementCount));
  }

  /// The queue that somebody else created. Fails with InvalidArgument when the descriptor's sizes
  /// do not fit this element type or its memory, or when the memory is not sealed against shrinking
  /// (see Memory::Allocate): whoever cuts it short would kill all who read it.
  static absl::StatusOr<MessageQueue> Open(const MQDescriptorSync<Element>& descriptor) {
    if (descriptor.elementSize != sizeof(Element)) {
      return absl::InvalidArgumentError(absl::StrCat("the elements of the message queue have ",
                                                     descriptor.elementSize, " bytes; expected ",
                                                     sizeof(Element)));
    }
    return Wrap(internal::RawMessageQueue::Open(descriptor.memory, descriptor.elementSize,
                                                descriptor.elementCount));
  }

  /// What the other side opens this queue with.
  MQDescriptorSync<Element> descriptor() const {
    return {.memory = queue_.memory(), .elementCount = queue_.elementCount()};
  }

  /// How many elements the queue can hold.
  size_t capacity() const { return queue_.elementCount(); }

  /// How many elements wait to be read. DataLoss when the shared positions are impossible.
  absl::StatusOr<size_t> availableToRead() const { return queue_.AvailableToRead(); }

  /// For how many elements there is room. DataLoss when the shared positions are impossible.
  absl::StatusOr<size_t> availableToWrite() const { return queue_.AvailableToWrite(); }

  /// Takes exactly elements.size() elements out of the queue, waiting up to `timeout` for them.
  /// Takes none and fails with DeadlineExceeded when they have not come by then, InvalidArgument
  /// when the queue can never hold so many, DataLoss when the shared positions are impossible.
  absl::Status readBlocking(absl::Span<Element> elements, absl::Duration timeout) {
    return queue_.Read(elements.data(), elements.size(), timeout);
  }

  /// Like readBlocking, without waiting.
  absl::Status read(absl::Span<Element> elements) {
    return readBlocking(elements, absl::ZeroDuration());
  }

  /// Waits up to `timeout` for an element, and takes all that there are then. Of `usual` elements
  /// none is moved in memory. Fails as readBlocking does.
  absl::StatusOr<std::vector<Element>> readAll(absl::Duration timeout, size_t usual) {
    std::vector<Element> elements;
    elements.reserve(usual);
    elements.resize(1);
    if (absl::Status status = readBlocking(absl::MakeSpan(elements), timeout); !status.ok()) {
      return status;
    }
    const absl::StatusOr<size_t> rest = availableToRead();
    if (!rest.ok()) return rest.status();
    elements.resize(1 + *rest);
    absl::Status status = read(absl::MakeSpan(elements).subspan(1));
    if (!status.ok()) return status;
    return elements;
  }

  /// Puts all the elements into the queue at once, waiting up to `timeout` for room. Puts none and
  /// fails as readBlocking does.
  absl::Status writeBlocking(absl::Span<const Element> elements, absl::Duration timeout) {
    return queue_.Write(elements.data(), elements.size(), timeout);
  }

  /// Like writeBlocking, without waiting.
  absl::Status write(absl::Span<const Element> elements) {
    return writeBlocking(elements, absl::ZeroDuration());
  }

  /// Makes every call of this side that waits, now or later, fail with Cancelled; what does not
  /// need to wait still succeeds. The other side notices nothing. May be called from any thread.
  void interrupt() { queue_.Interrupt(); }

  /// Makes the queue empty, and as it was when it was created, for another use; unless anybody else
  /// in this process still has it, or its memory: then nothing changes, and the answer is false.
  bool renew() { return queue_.Renew(); }

 private:
  explicit MessageQueue(internal::RawMessageQueue queue) : queue_(std::move(queue)) {}

  static absl::StatusOr<MessageQueue> Wrap(absl::StatusOr<internal::RawMessageQueue> queue) {
    if (!queue.ok()) return queue.status();
    return MessageQueue(*std::move(queue));
  }

  internal::RawMessageQueue queue_;
};

}  // namespace nncert::hal

#endif  // NNCERT_HAL_MESSAGE_QUEUE_H_
