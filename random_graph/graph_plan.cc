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

// What the graphs of a round have in common.
enum class Theme {
  kSmall,          // one operation, or a few, on small tensors
  kConstantFirst,  // the first operation's first tensor is a constant
  kAlike,          // operands are alike, and the same tensor is several of them
  kChain,          // operations that read what others wrote, small values with several readers
  kLong,           // many of them
  kHostile,        // elements at the ends of what types can hold
  kExamples,       // a model is executed on several examples
  kRepeated,       // states are fed back
  kEmpty,          // tensors without elements
  kLength16,       // a dimension of 8 to 16, and so on: where code has thresholds, which are those
  kLength40,       // of vectors and tiles, with and without a remainder
  kLength130,
  kLength600,
  kLength4200,
};

// Those that show most come first, and more than once.
constexpr std::array kThemes = {
    Theme::kSmall,   Theme::kLength40,  Theme::kAlike,    Theme::kChain,
    Theme::kHostile, Theme::kLength130, Theme::kSmall,    Theme::kConstantFirst,
    Theme::kLong,    Theme::kLength16,  Theme::kExamples, Theme::kLength600,
    Theme::kSmall,   Theme::kRepeated,  Theme::kEmpty,    Theme::kLength4200};

constexpr uint64_t kMostSmall = 256;

// How many times as far elements go in some graphs: beyond 1000, and beyond 100 where products of
// two halves are to be finite.
constexpr double kReach = 512;
constexpr double kReachOfHalves = 64;

// Whether what an operation computes with may be half precision.
bool MayBeHalf(const OperandTypes& types, bool is_relaxed) {
  return is_relaxed || std::any_of(types.inputs.begin(), types.inputs.end(), [](OperandType type) {
           return ElementKindOf(type) == ElementKind::kFloat16;
         });
}

// How many graphs of a round begin with an operation, at the least.
constexpr size_t kLeastGraphs = 5;

// Of the numbers of random numbers that a graph takes none is as high.
constexpr uint64_t kNumbersOfShuffle = uint64_t{1} << 40;

// A dimension in [lowest, highest], and few elements beside.
void SetLength(uint32_t lowest, uint32_t highest, SplitMix64& random, GraphWishes& wishes) {
  wishes.operands.dimension = random.Between(lowest, highest);
  wishes.operands.most_elements =
      std::max<uint64_t>(kMostSmall, uint64_t{4} * wishes.operands.dimension);
}

void SetTheme(Theme theme, SplitMix64& random, GraphWishes& wishes) {
  switch (theme) {
    case Theme::kSmall:
      if (random.OneIn(3)) wishes.operations = random.Between<size_t>(2, 4);
      break;
    case Theme::kConstantFirst:
      wishes.is_first_constant = true;
      wishes.are_all_inputs = false;
      break;
    case Theme::kAlike:
      wishes.operands.are_alike = true;
      break;
    case Theme::kChain:
      wishes.operations = random.Between<size_t>(3, 8);
      break;
    case Theme::kLong:
      wishes.operations =
          random.OneIn(64) ? random.Between<size_t>(41, 600) : random.Between<size_t>(9, 40);
      break;
    case Theme::kHostile:
      wishes.elements = random.OneOf(kHostileClasses);
      break;
    case Theme::kExamples:
      wishes.examples = random.Between<size_t>(2, 3);
      break;
    case Theme::kRepeated:
      wishes.is_repeated = true;
      break;
    case Theme::kEmpty:
      wishes.is_empty = true;
      break;
    case Theme::kLength16:
      SetLength(8, 16, random, wishes);
      break;
    case Theme::kLength40:
      SetLength(17, 40, random, wishes);
      break;
    case Theme::kLength130:
      SetLength(65, 130, random, wishes);
      break;
    case Theme::kLength600:
      SetLength(513, 600, random, wishes);
      break;
    case Theme::kLength4200:
      SetLength(4097, 4200, random, wishes);
      break;
  }
}

}  // namespace

GraphPlan::GraphPlan(uint64_t seed, HalVersion version)
    : seed_(seed), random_(seed), maker_(random_) {
  const auto add = [&](const OperationDefinition* operation) {
    const size_t before = beginnings_.size();
    for (const HalVersion its_version : hal::kHalVersions) {
      if (its_version > version) continue;
      for (OperandTypes& types : ChoosableTypes(*operation, its_version)) {
        beginnings_.push_back({operation, its_version, std::move(types)});
      }
    }
    // Those of few types again, so that there is more than one throw at everything.
    for (size_t i = before; i < beginnings_.size() && beginnings_.size() < before + kLeastGraphs;
         ++i) {
      beginnings_.push_back(Beginning(beginnings_[i]));
    }
  };
  for (const OperationDefinition* operation : AllOperations()) add(operation);
  for (const OperationDefinition* operation : AllExtensionOperations()) add(operation);
}

uint64_t GraphPlan::cycle() const { return round() * kThemes.size(); }

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
  wishes.operands.most_elements = kMostSmall;
  wishes.elements = random.OneIn(4) ? ElementClass::kLattice : ElementClass::kAny;
  wishes.is_relaxed = wishes.version >= HalVersion::V1_1 && random.OneIn(8);
  wishes.has_pool = random.OneIn(8);
  wishes.are_all_inputs = random.OneIn(16);
  SetTheme(kThemes[its_round % kThemes.size()], random, wishes);
  if (random.OneIn(4)) {
    wishes.operands.reach = MayBeHalf(beginning.types, wishes.is_relaxed) ? kReachOfHalves : kReach;
  }
  return wishes;
}

TestCase GraphPlan::Make(uint64_t number) {
  random_ = RandomOf(number);
  // Not the numbers that the wishes were made of.
  random_.Skip(kNumbersOfShuffle);
  const GraphWishes wishes = WishesOf(number);
  TestCase graph = maker_.Make(wishes);
  graph.name = absl::StrCat("random_", seed_, "_", number);
  if (IsHostile(wishes.elements)) {
    absl::StrAppend(&graph.name, "_", std::string(toString(wishes.elements)));
  }
  graph.dynamicOutputShapeName = absl::StrCat(graph.name, "_dynamic_output_shape");
  return graph;
}

}  // namespace nncert
