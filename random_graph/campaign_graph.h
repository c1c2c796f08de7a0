// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The graphs of a campaign, and which of them are hostile.

#ifndef NNCERT_RANDOM_GRAPH_CAMPAIGN_GRAPH_H_
#define NNCERT_RANDOM_GRAPH_CAMPAIGN_GRAPH_H_

#include <cstdint>
#include <string>

#include "cases/test_case.h"
#include "random_graph/graph_plan.h"

namespace nncert {

/// A graph of a campaign, by its number.
struct CampaignGraph {
  uint64_t number = 0;
  TestCase test_case;
  /// What makes it hostile: the class of its elements, or "overflow", "underflow" or "undefined".
  /// Empty when it is not.
  std::string hostile_class = {};

  bool is_hostile() const { return !hostile_class.empty(); }
};

/// The graph of a number, which is hostile when its elements are.
CampaignGraph MakeGraph(GraphPlan& plan, uint64_t number);

/// Makes a graph hostile in which a number that an operation writes is finite, and
///   - larger than a sixteenth of the greatest number of the operand's type, or of halves in a
///     relaxed model ("overflow"); or
///   - not zero, and so small that its square is below the normal numbers of single precision
///     ("underflow"); or
///   - an infinity or NaN where the reference computes in single precision: what cancels out to
///     zero there, and leaves a little in double, may be divided by ("undefined").
/// What an honest driver computes with may then be infinite, or zero, and NaN comes of it, where
/// the expected values, which are not rounded in between, are numbers. Ranges of elements are
/// reckoned so that this is rare (GraphMaker), so it is looked for in graphs that fail. Whether the
/// graph became hostile by this.
bool NoticeExtremes(CampaignGraph& graph);

}  // namespace nncert

#endif  // NNCERT_RANDOM_GRAPH_CAMPAIGN_GRAPH_H_
