// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/argument_memory.h"

#include <algorithm>
#include <utility>

namespace nncert::hal::replay {
namespace {

constexpr size_t kGuardBytes = 16;
constexpr size_t kAlignment = 4;

// Pools are whole pages, which memory consists of anyhow. Most are then of one size, so that a
// driver that takes one pool for another is not stopped by that.
constexpr size_t kPageBytes = 4096;

// No value that a driver is likely to write, and none that is all ones or all zeros.
constexpr uint8_t kGuard = 0xC5;

}  // namespace

V1_0::DataLocation ArgumentMemory::Add(const std::vector<uint8_t>& content) {
  const size_t offset = (content_.size() + kGuardBytes + kAlignment - 1) / kAlignment * kAlignment;
  content_.resize(offset, kGuard);
  content_.insert(content_.end(), content.begin(), content.end());
  return {pool_, static_cast<uint32_t>(offset), static_cast<uint32_t>(content.size())};
}

absl::StatusOr<Memory> ArgumentMemory::Share() {
  const size_t size = content_.size() + kGuardBytes;
  content_.resize((size + kPageBytes - 1) / kPageBytes * kPageBytes, kGuard);
  absl::StatusOr<Memory> memory = Memory::AllocateCopy(content_);
  if (!memory.ok()) return memory.status();
  absl::StatusOr<Mapping> mapping = memory->Map(MemoryAccess::READ_ONLY);
  if (!mapping.ok()) return mapping.status();
  mapping_ = *std::move(mapping);
  return memory;
}

absl::Span<const uint8_t> ArgumentMemory::At(const V1_0::DataLocation& location) const {
  return mapping_.bytes().subspan(location.offset, location.length);
}

bool ArgumentMemory::IsIntactOutside(absl::Span<const V1_0::RequestArgument> outputs) const {
  const uint8_t* const now = mapping_.data();
  const uint8_t* const before = content_.data();
  size_t begin = 0;
  for (const V1_0::RequestArgument& output : outputs) {
    const V1_0::DataLocation& location = output.location;
    if (!std::equal(now + begin, now + location.offset, before + begin)) return false;
    begin = size_t{location.offset} + location.length;
  }
  return std::equal(now + begin, now + content_.size(), before + begin);
}

}  // namespace nncert::hal::replay
