// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Which random graphs a campaign has.

#ifndef NNCERT_RANDOM_GRAPH_GRAPH_PLAN_H_
#define NNCERT_RANDOM_GRAPH_GRAPH_PLAN_H_

#include <cstdint>
#include <vector>

#include "cases/test_case.h"
#include "generators/graphs/graph_maker.h"
#include "random/split_mix.h"

namespace nncert {

/// The graphs of a seed, by number: the same ones for ever, whatever the order in which they are
/// asked for.
///
/// In every round each combination of operation, HAL version and types has a graph that begins with
/// it, in an order of the round's own, and operations of few combinations have several. Rounds have
/// themes, sixteen of them in turn: small tensors, dimensions that only some code paths see, first
/// operands that are constant, the same operand twice, chains of operations, and so on. What a
/// driver is asked thus depends on no other graph, and whoever runs all themes has asked everything
/// of every operation.
class GraphPlan {
 public:
  /// The plan of a seed, for a driver of `version`.
  GraphPlan(uint64_t seed, hal::HalVersion version);

  /// Graph `number`, called "random_SEED_NUMBER", with the class of hostile elements behind it; see
  /// GraphMaker::Make.
  TestCase Make(uint64_t number);

  /// What graph `number` is to be like.
  GraphWishes WishesOf(uint64_t number) const;

  /// How many graphs have an operation of every kind, once.
  uint64_t round() const { return beginnings_.size(); }
  /// How many graphs have all themes of all of them, once.
  uint64_t cycle() const;
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
