// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace nncert {

bool Buffer::Reserve(size_t size) {
  // More than any machine has; allocators need not be asked.
  constexpr size_t kLargestBuffer = size_t{1} << 38;
  if (size <= size_) return true;
  // The old bytes go first, so that there are never both.
  storage_.reset();
  bytes_ = nullptr;
  size_ = 0;
  if (size > kLargestBuffer) return false;
  // Allocators serve plain requests much faster than aligned ones.
  storage_.reset(new (std::nothrow) std::byte[size + kBufferAlignment - 1]);
  if (storage_ == nullptr) return false;
  const auto address = reinterpret_cast<uintptr_t>(storage_.get());
  bytes_ = storage_.get() + (Aligned(address) - address);
  size_ = size;
  return true;
}

void DiscardPages(const std::byte* begin, const std::byte* end) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t first = (reinterpret_cast<uintptr_t>(begin) + page - 1) / page * page;
  const uintptr_t last = reinterpret_cast<uintptr_t>(end) / page * page;
  // A refusal costs memory, and nothing else.
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

void Arena::AddBlock(size_t size) {
  // Small demands share blocks, which grow up to a limit beyond which nothing is wasted.
  constexpr size_t kSmallestBlock = 960;
  constexpr size_t kLargestSharedBlock = 65536;
  const size_t shared = std::clamp(capacity(), kSmallestBlock, kLargestSharedBlock);
  Buffer block;
  if (!block.Reserve(std::max(size, shared))) throw std::bad_alloc();
  next_ = block.data();
  end_ = next_ + block.size();
  blocks_.push_back(std::move(block));
}

void Arena::Reset() {
  if (blocks_.empty()) return;
  if (blocks_.size() > 1) {
    // From now on, one block has room for all.
    const size_t total = capacity();
    blocks_.clear();
    next_ = end_ = nullptr;
    AddBlock(total);
  }
  next_ = blocks_.back().data();
}

size_t Arena::capacity() const {
  size_t total = 0;
  for (const Buffer& block : blocks_) total += block.size();
  return total;
}

}  // namespace nncert
