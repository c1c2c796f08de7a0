// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/execution_ways.h"

#include <cstddef>
#include <iterator>

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_2::MeasureTiming;

// Asynchronously, synchronously and by a burst.
constexpr Executor kExecutors[] = {Executor::ASYNC, Executor::SYNC, Executor::BURST};

// With and without timing.
constexpr size_t kWays = 2 * std::size(kExecutors);

}  // namespace

std::vector<ExecutionKind> KindsOf(TestMode mode, HalVersion version,
                                   const std::optional<uint64_t>& only_way) {
  if (version < HalVersion::V1_2) return {{Executor::ASYNC}};
  std::vector<ExecutionKind> kinds;
  const std::vector<OutputSpecification> specifications =
      mode == TestMode::kStatic
          ? std::vector{OutputSpecification::FULLY_SPECIFIED}
          : std::vector{OutputSpecification::UNSPECIFIED, OutputSpecification::INSUFFICIENT};
  for (const OutputSpecification outputs : specifications) {
    for (const MeasureTiming measure : {MeasureTiming::NO, MeasureTiming::YES}) {
      for (const Executor executor : kExecutors) {
        kinds.push_back({executor, measure, outputs});
      }
    }
  }
  if (!only_way.has_value()) return kinds;
  std::vector<ExecutionKind> of_one_way;
  for (size_t i = *only_way % kWays; i < kinds.size(); i += kWays) of_one_way.push_back(kinds[i]);
  return of_one_way;
}

uint64_t WayOfTurn(uint64_t turn) {
  constexpr uint64_t kBurstEvery = 8;
  constexpr auto is_burst = [](size_t way) {
    return kExecutors[way % std::size(kExecutors)] == Executor::BURST;
  };
  std::vector<size_t> bursts;
  std::vector<size_t> others;
  for (size_t way = 0; way < kWays; ++way) (is_burst(way) ? bursts : others).push_back(way);
  const uint64_t round = turn / kBurstEvery;
  if (turn % kBurstEvery == kBurstEvery - 1) return bursts[round % bursts.size()];
  return others[(turn - round) % others.size()];
}

}  // namespace nncert
