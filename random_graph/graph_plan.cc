// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/graph_plan.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using hal::HalVersion;

// Dimensions that code has thresholds at: vectors and tiles, with and without a remainder.
constexpr std::array<std::pair<uint32_t, uint32_t>, 4> kLengths = {
    {{8, 16}, {17, 40}, {65, 130}, {513, 600}}};
constexpr uint64_t kMostSmall = 256;
constexpr uint64_t kMostLarge = 6000;

// Of the numbers of random numbers that a graph takes none is as high.
constexpr uint64_t kNumbersOfShuffle = uint64_t{1} << 40;

size_t OperationCount(SplitMix64& random) {
  const uint64_t chance = random.Below(1000);
  if (chance < 600) return 1;
  if (chance < 900) return random.Between<size_t>(2, 8);
  if (chance < 998) return random.Between<size_t>(9, 40);
  return random.Between<size_t>(41, 600);
}

SizeWishes Sizes(SplitMix64& random, size_t operations) {
  SizeWishes sizes = {.most_elements = kMostSmall};
  const uint64_t chance = random.Below(16);
  // Rather in short graphs: it takes time, and one operation shows it.
  if (operations > 8 || chance > 3) return sizes;
  if (chance == 0) {
    sizes.most_elements = kMostLarge;
    return sizes;
  }
  const auto [lowest, highest] = random.OneOf(kLengths);
  sizes.dimension = random.Between(lowest, highest);
  sizes.most_elements = std::max<uint64_t>(kMostSmall, uint64_t{4} * sizes.dimension);
  return sizes;
}

}  // namespace

GraphPlan::GraphPlan(uint64_t seed, HalVersion version)
    : seed_(seed), random_(seed), maker_(random_) {
  const auto add = [&](const OperationDefinition* operation) {
    for (const HalVersion its_version : hal::kHalVersions) {
      if (its_version > version) continue;
      for (OperandTypes& types : TypeCombinations(*operation, its_version)) {
        beginnings_.push_back({operation, its_version, std::move(types)});
      }
    }
  };
  for (const OperationDefinition* operation : AllOperations()) add(operation);
  for (const OperationDefinition* operation : AllExtensionOperations()) add(operation);
}

SplitMix64 GraphPlan::RandomOf(uint64_t number) const {
  SplitMix64 seeds(seed_);
  seeds.Skip(number);
  return SplitMix64(seeds.Bits());
}

GraphWishes GraphPlan::WishesOf(uint64_t number) const {
  // The order of a round: a step that has no divisor in common with the number of beginnings comes
  // to each of them once.
  const uint64_t count = beginnings_.size();
  const uint64_t its_round = number / count;
  SplitMix64 order(seed_ ^ (kNumbersOfShuffle + its_round));
  uint64_t step = order.Below(count) + 1;
  while (std::gcd(step, count) != 1) ++step;
  const uint64_t first = order.Below(count);
  const Beginning& beginning = beginnings_[(first + number % count * step) % count];

  SplitMix64 random = RandomOf(number);
  GraphWishes wishes;
  wishes.version = beginning.version;
  wishes.operation = beginning.operation;
  wishes.types = beginning.types;
  wishes.operations = OperationCount(random);
  wishes.sizes = Sizes(random, wishes.operations);
  wishes.elements = random.OneIn(4) ? ElementClass::kLattice : ElementClass::kAny;
  wishes.is_relaxed = wishes.version >= HalVersion::V1_1 && random.OneIn(8);
  return wishes;
}

TestCase GraphPlan::Make(uint64_t number) {
  random_ = RandomOf(number);
  // Not the numbers that the wishes were made of.
  random_.Skip(kNumbersOfShuffle);
  TestCase graph = maker_.Make(WishesOf(number));
  graph.name = absl::StrCat("random_", seed_, "_", number);
  graph.dynamicOutputShapeName = absl::StrCat(graph.name, "_dynamic_output_shape");
  return graph;
}

}  // namespace nncert
