// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/spare_pools.h"

#include <algorithm>
#include <utility>

#include "hal/transport/known_pools.h"

namespace nncert {
namespace {

// A case has two pools for each of its examples, and a third where its operations are judged one by
// one; cases that are run together have them at the same time. No more than a driver's process
// knows (hal/transport), so that each is mapped there once.
constexpr size_t kMostSpares = 40;
static_assert(kMostSpares <= hal::transport::kMostKnownPools &&
              SparePools::kLargestKept <= hal::transport::kLargestKnownPool);

}  // namespace

absl::StatusOr<hal::Memory> SparePools::Take(size_t size) {
  // Not the one that came back last: a driver that takes the memory of the last request for that of
  // the next one would be right by chance.
  const auto spare = std::find_if(spares_.begin(), spares_.end(), [size](const hal::Memory& pool) {
    return pool.size() == size && !pool.IsHeldElsewhere();
  });
  if (spare == spares_.end()) return hal::Memory::Allocate(size);
  hal::Memory pool = std::move(*spare);
  spares_.erase(spare);
  return pool;
}

void SparePools::GiveBack(hal::Memory pool) {
  // Sizes that nobody asks for any more are at the front.
  if (spares_.size() == kMostSpares) spares_.erase(spares_.begin());
  spares_.push_back(std::move(pool));
}

void SparePools::DropLarge() {
  std::erase_if(spares_, [](const hal::Memory& pool) { return pool.size() > kLargestKept; });
}

}  // namespace nncert
