// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/memory.h"

#include <algorithm>
#include <utility>

namespace nncert {

bool Buffer::Reserve(size_t size) {
  // More than any machine has; allocators need not be asked.
  constexpr size_t kLargestBuffer = size_t{1} << 38;
  if (size <= size_) return true;
  // The old bytes go first, so that there are never both.
  bytes_.reset();
  size_ = 0;
  if (size > kLargestBuffer) return false;
  void* const bytes = ::operator new[](size, std::align_val_t(kBufferAlignment), std::nothrow);
  if (bytes == nullptr) return false;
  bytes_.reset(static_cast<std::byte*>(bytes));
  size_ = size;
  return true;
}

void Arena::AddBlock(size_t size) {
  // Small demands share blocks, which grow up to a limit beyond which nothing is wasted.
  constexpr size_t kSmallestBlock = 4096;
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
