// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Which random graphs a campaign has.

#ifndef NNCERT_RANDOM_GRAPH_GRAPH_PLAN_H_
#define NNCERT_RANDOM_GRAPH_GRAPH_PLAN_H_

#include <cstdint>
#include <vector>

#include "cases/test_case.h"
#include "random/split_mix.h"
#include "random_graph/graph_maker.h"

namespace nncert {

/// The graphs of a seed, by number: the same ones for ever, whatever the order in which they are
/// asked for.
///
/// In every round of as many numbers as there are combinations of operation, HAL version and types,
/// each of these has a graph that begins with it, in an order of the round's own. Most graphs are
/// one operation on small tensors, which shows the most mistakes in the least time; others are
/// longer, or have dimensions that only some code paths see.
class GraphPlan {
 public:
  /// The plan of a seed, for a driver of `version`.
  GraphPlan(uint64_t seed, hal::HalVersion version);

  /// Graph `number`, called "random_SEED_NUMBER"; see GraphMaker::Make.
  TestCase Make(uint64_t number);

  /// What graph `number` is to be like.
  GraphWishes WishesOf(uint64_t number) const;

  /// How many graphs have an operation of every kind, once.
  uint64_t round() const { return beginnings_.size(); }
  /// See GraphMaker::choices.
  const ChoiceCount& choices() const { return maker_.choices(); }

 private:
  // What a graph begins with.
  struct Beginning {
    const OperationDefinition* operation;
    hal::HalVersion version;
    OperandTypes types;
  };

  SplitMix64 RandomOf(uint64_t number) const;

  const uint64_t seed_;
  std::vector<Beginning> beginnings_;
  SplitMix64 random_;
  GraphMaker maker_;
};

}  // namespace nncert

#endif  // NNCERT_RANDOM_GRAPH_GRAPH_PLAN_H_
