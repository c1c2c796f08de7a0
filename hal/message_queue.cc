// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/message_queue.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "hal/deadline.h"

namespace nncert::hal::internal {
namespace {

// Bytes between fields that different processes write, so that they do not share a cache line.
constexpr size_t kCacheLine = 64;

// How often a thread that waits lets others run before it goes to sleep.
constexpr int kYields = 20;

// Sleeps until `word` is woken or no longer `expected`, at most for `timeout`. May wake up early.
void FutexWait(std::atomic<uint32_t>& word, uint32_t expected, absl::Duration timeout) {
  const timespec wait = absl::ToTimespec(timeout);
  syscall(SYS_futex, &word, FUTEX_WAIT, expected, &wait, nullptr, 0);
}

void FutexWakeAll(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

}  // namespace

// What stands before the ring in the shared memory.
struct RawMessageQueue::Header {
  // Elements ever written and ever read; the writer alone moves the one, the reader the other.
  alignas(kCacheLine) std::atomic<uint64_t> write_position{0};
  alignas(kCacheLine) std::atomic<uint64_t> read_position{0};
  // Each counts the moves of one position so that the other side can sleep on it, and is not zero
  // while the other side sleeps.
  alignas(kCacheLine) std::atomic<uint32_t> writes{0};
  std::atomic<uint32_t> reader_sleeps{0};
  alignas(kCacheLine) std::atomic<uint32_t> reads{0};
  std::atomic<uint32_t> writer_sleeps{0};

  // Makes it as a new one. Nobody else looks at it, though somebody has until just now.
  void Clear() {
    write_position.store(0);
    read_position.store(0);
    for (std::atomic<uint32_t>* const word : {&writes, &reader_sleeps, &reads, &writer_sleeps}) {
      word->store(0);
    }
  }

  static_assert(std::atomic<uint64_t>::is_always_lock_free &&
                    std::atomic<uint32_t>::is_always_lock_free &&
                    sizeof(std::atomic<uint32_t>) == sizeof(uint32_t),
                "the fields are shared between processes and slept on as 32-bit words");
};

absl::StatusOr<RawMessageQueue> RawMessageQueue::Create(uint32_t elementSize,
                                                        uint32_t elementCount) {
  const absl::StatusOr<Memory> memory =
      Memory::Allocate(sizeof(Header) + size_t{elementSize} * elementCount);
  if (!memory.ok()) return memory.status();
  const absl::StatusOr<Mapping> mapping = memory->Map(MemoryAccess::READ_WRITE);
  if (!mapping.ok()) return mapping.status();
  new (mapping->data()) Header;
  return Open(*memory, elementSize, elementCount);
}

absl::StatusOr<RawMessageQueue> RawMessageQueue::Open(const Memory& memory, uint32_t elementSize,
                                                      uint32_t elementCount) {
  if (elementCount == 0) {
    return absl::InvalidArgumentError("a message queue must hold at least one element, not 0");
  }
  const size_t needed = sizeof(Header) + size_t{elementSize} * elementCount;
  if (memory.size() < needed) {
    return absl::InvalidArgumentError(
        absl::StrCat("a message queue of ", elementCount, " elements of ", elementSize,
                     " bytes needs ", needed, " bytes of memory, not ", memory.size()));
  }
  const int seals = fcntl(memory.fd(), F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) {
    return absl::InvalidArgumentError(
        "the memory of a message queue is not sealed against shrinking, as it must be");
  }
  const absl::StatusOr<Mapping> mapping = memory.Map(MemoryAccess::READ_WRITE);
  if (!mapping.ok()) return mapping.status();
  if (reinterpret_cast<uintptr_t>(mapping->data()) % alignof(Header) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the memory of a message queue begins at offset ", memory.offset(),
                     " of its file; expected a multiple of ", alignof(Header)));
  }
  RawMessageQueue queue;
  queue.memory_ = memory;
  queue.mapping_ = *mapping;
  queue.elementSize_ = elementSize;
  queue.elementCount_ = elementCount;
  return queue;
}

RawMessageQueue::Header& RawMessageQueue::header() const {
  return *std::launder(reinterpret_cast<Header*>(mapping_.data()));
}

uint8_t* RawMessageQueue::ring() const { return mapping_.data() + sizeof(Header); }

absl::StatusOr<size_t> RawMessageQueue::Filled(uint64_t writePosition,
                                               uint64_t readPosition) const {
  const uint64_t filled = writePosition - readPosition;
  if (filled > elementCount_) {
    return absl::DataLossError(absl::StrCat("the shared positions of a message queue of ",
                                            elementCount_, " elements are impossible: written ",
                                            writePosition, ", read ", readPosition));
  }
  return filled;
}

absl::StatusOr<size_t> RawMessageQueue::AvailableToRead() const {
  return Available(Direction::kToRead);
}

absl::StatusOr<size_t> RawMessageQueue::AvailableToWrite() const {
  return Available(Direction::kToWrite);
}

absl::StatusOr<size_t> RawMessageQueue::Available(Direction direction) const {
  // The own position first: the other one only ever grows towards more being available.
  const uint64_t read_position = header().read_position.load(std::memory_order_acquire);
  const uint64_t write_position = header().write_position.load(std::memory_order_acquire);
  absl::StatusOr<size_t> filled = Filled(write_position, read_position);
  if (!filled.ok() || direction == Direction::kToRead) return filled;
  return elementCount_ - *filled;
}

absl::Status RawMessageQueue::WaitFor(Direction direction, size_t count,
                                      absl::Duration timeout) const {
  const bool reading = direction == Direction::kToRead;
  if (count > elementCount_) {
    return absl::InvalidArgumentError(absl::StrCat("cannot ", reading ? "read " : "write ", count,
                                                   " elements at once: the message queue holds ",
                                                   elementCount_));
  }
  std::atomic<uint32_t>& event = reading ? header().writes : header().reads;
  std::atomic<uint32_t>& sleeps = reading ? header().reader_sleeps : header().writer_sleeps;
  // Most waits have an end before they begin, and need no clock.
  std::optional<Deadline> deadline;
  int yields = kYields;
  while (true) {
    absl::StatusOr<size_t> available = Available(direction);
    if (!available.ok()) return available.status();
    if (*available >= count) return absl::OkStatus();
    if (timeout <= absl::ZeroDuration()) break;
    if (interrupted_->load()) return absl::CancelledError("the message queue was interrupted");
    if (yields-- > 0) {
      std::this_thread::yield();
      continue;
    }
    if (!deadline.has_value()) deadline.emplace(timeout);
    if (deadline->HasPassed()) break;

    // Announce the sleep, then look once more: the other side moves its position before it looks
    // for sleepers, so one of the two sees the other.
    const uint32_t seen = event.load(std::memory_order_acquire);
    sleeps.store(1, std::memory_order_seq_cst);
    available = Available(direction);
    if (available.ok() && *available < count && !interrupted_->load()) {
      FutexWait(event, seen, deadline->Sleep());
    }
    sleeps.store(0, std::memory_order_seq_cst);
  }
  return absl::DeadlineExceededError(
      absl::StrCat("no ", count, reading ? " elements came" : " places fell free", " within ",
                   absl::FormatDuration(timeout), " in a message queue of ", elementCount_));
}

absl::Status RawMessageQueue::Read(void* elements, size_t count, absl::Duration timeout) {
  if (absl::Status status = WaitFor(Direction::kToRead, count, timeout); !status.ok()) {
    return status;
  }
  const uint64_t position = header().read_position.load(std::memory_order_relaxed);
  CopyOut(position, elements, count);
  header().read_position.store(position + count, std::memory_order_seq_cst);
  header().reads.fetch_add(1, std::memory_order_seq_cst);
  if (header().writer_sleeps.load(std::memory_order_seq_cst) != 0) FutexWakeAll(header().reads);
  return absl::OkStatus();
}

absl::Status RawMessageQueue::Write(const void* elements, size_t count, absl::Duration timeout) {
  if (absl::Status status = WaitFor(Direction::kToWrite, count, timeout); !status.ok()) {
    return status;
  }
  const uint64_t position = header().write_position.load(std::memory_order_relaxed);
  CopyIn(position, elements, count);
  header().write_position.store(position + count, std::memory_order_seq_cst);
  header().writes.fetch_add(1, std::memory_order_seq_cst);
  if (header().reader_sleeps.load(std::memory_order_seq_cst) != 0) FutexWakeAll(header().writes);
  return absl::OkStatus();
}

void RawMessageQueue::Interrupt() {
  interrupted_->store(true);
  // A sleeper that has not seen the flag sees the event it sleeps on change. To the other side that
  // is a wake-up for nothing, after which it goes back to sleep.
  for (std::atomic<uint32_t>* event : {&header().writes, &header().reads}) {
    event->fetch_add(1, std::memory_order_seq_cst);
    FutexWakeAll(*event);
  }
}

bool RawMessageQueue::Renew() {
  mapping_ = Mapping();
  const bool is_held_elsewhere = memory_.IsHeldElsewhere();
  // The pool is still mapped, so that this cannot fail.
  mapping_ = memory_.Map(MemoryAccess::READ_WRITE).value();
  if (is_held_elsewhere) return false;
  header().Clear();
  interrupted_->store(false);
  return true;
}

void RawMessageQueue::CopyOut(uint64_t position, void* elements, size_t count) const {
  if (count == 0) return;
  const size_t start = position % elementCount_;
  const size_t before_wrap = std::min(count, elementCount_ - start);
  auto* const to = static_cast<uint8_t*>(elements);
  std::memcpy(to, ring() + start * elementSize_, before_wrap * elementSize_);
  std::memcpy(to + before_wrap * elementSize_, ring(), (count - before_wrap) * elementSize_);
}

void RawMessageQueue::CopyIn(uint64_t position, const void* elements, size_t count) const {
  if (count == 0) return;
  const size_t start = position % elementCount_;
  const size_t before_wrap = std::min(count, elementCount_ - start);
  const auto* const from = static_cast<const uint8_t*>(elements);
  std::memcpy(ring() + start * elementSize_, from, before_wrap * elementSize_);
  std::memcpy(ring(), from + before_wrap * elementSize_, (count - before_wrap) * elementSize_);
}

}  // namespace nncert::hal::internal
