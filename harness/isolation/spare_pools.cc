// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/spare_pools.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace nncert {
namespace {

// A case has two pools for each of its examples.
constexpr size_t kMostSpares = 16;

}  // namespace

absl::StatusOr<hal::Memory> SparePools::Take(size_t size) {
  // The one that came back last is the one that a driver is likeliest to know still.
  const auto spare = std::find_if(spares_.rbegin(), spares_.rend(),
                                  [size](const hal::Memory& pool) { return pool.size() == size; });
  if (spare == spares_.rend()) return hal::Memory::Allocate(size);
  hal::Memory pool = std::move(*spare);
  spares_.erase(std::next(spare).base());
  return pool;
}

void SparePools::GiveBack(hal::Memory pool) {
  if (pool.IsHeldElsewhere()) return;
  // Sizes that nobody asks for any more are at the front.
  if (spares_.size() == kMostSpares) spares_.erase(spares_.begin());
  spares_.push_back(std::move(pool));
}

void SparePools::DropLarge() {
  std::erase_if(spares_, [](const hal::Memory& pool) { return pool.size() > kLargestKept; });
}

}  // namespace nncert
