// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/buffer_plan.h"

#include <algorithm>

#include "reference/execution/memory.h"

namespace nncert {
namespace {

bool LiveAtOnce(const BufferDemand& a, const BufferDemand& b) {
  return a.first <= b.last && b.first <= a.last;
}

void PlaceInArena(absl::Span<const BufferDemand> demands, std::vector<size_t>& indexes,
                  BufferPlan& plan) {
  // The largest first; those of the same size as they are given.
  std::sort(indexes.begin(), indexes.end(), [&](size_t a, size_t b) {
    return *demands[a].size != *demands[b].size ? *demands[a].size > *demands[b].size : a < b;
  });
  std::vector<size_t> placed;  // by offset
  placed.reserve(indexes.size());
  for (const size_t index : indexes) {
    const size_t size = Aligned(*demands[index].size);
    size_t offset = 0;
    for (const size_t other : placed) {
      if (!LiveAtOnce(demands[index], demands[other])) continue;
      if (plan.places[other].position >= offset + size) break;
      offset = std::max(offset, plan.places[other].position + Aligned(*demands[other].size));
    }
    plan.places[index] = {true, offset};
    plan.arena_size = std::max(plan.arena_size, offset + size);
    const auto next = std::upper_bound(
        placed.begin(), placed.end(), offset,
        [&](size_t value, size_t other) { return value < plan.places[other].position; });
    placed.insert(next, index);
  }
}

void PlaceInGrowingBuffers(absl::Span<const BufferDemand> demands, std::vector<size_t>& indexes,
                           BufferPlan& plan) {
  std::sort(indexes.begin(), indexes.end(), [&](size_t a, size_t b) {
    return demands[a].first != demands[b].first ? demands[a].first < demands[b].first : a < b;
  });
  std::vector<uint32_t> last;  // of the latest value of each buffer
  for (const size_t index : indexes) {
    size_t buffer = 0;
    while (buffer < last.size() && last[buffer] >= demands[index].first) ++buffer;
    if (buffer == last.size()) last.push_back(0);
    last[buffer] = demands[index].last;
    plan.places[index] = {false, buffer};
  }
  plan.growing_buffers = last.size();
}

}  // namespace

BufferPlan PlanBuffers(absl::Span<const BufferDemand> demands) {
  BufferPlan plan;
  plan.places.resize(demands.size(), {true, 0});
  std::vector<size_t> known;
  std::vector<size_t> unknown;
  known.reserve(demands.size());
  for (size_t i = 0; i < demands.size(); ++i) {
    if (demands[i].size == 0) continue;
    (demands[i].size.has_value() ? known : unknown).push_back(i);
  }
  PlaceInArena(demands, known, plan);
  PlaceInGrowingBuffers(demands, unknown, plan);
  return plan;
}

}  // namespace nncert
