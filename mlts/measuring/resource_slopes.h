// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a process has more of after each round of the same work.

#ifndef NNCERT_MLTS_MEASURING_RESOURCE_SLOPES_H_
#define NNCERT_MLTS_MEASURING_RESOURCE_SLOPES_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "harness/isolation/resource_growth.h"
#include "mlts/results/results.h"

namespace nncert {

/// By how much what a process has rises with each round, by least squares; the low end is no more
/// than by what it rises in either half of the rounds. For a step is no slope: an allocator that
/// takes its next arena in one of many rounds leaves nothing behind in each.
struct ResourceSlopes {
  Estimate bytes;
  Estimate descriptors;
  Estimate threads;
  Estimate processes;
};

/// The slopes of what a process had after rounds that are as far apart as each other.
ResourceSlopes SlopesOf(absl::Span<const ResourceUse> uses, double rounds_apart = 1);

/// What a round leaves behind: more, beyond the interval, than a tenth of a descriptor, of a thread
/// or of a process, or than 16 KiB of memory. Each with its figure: "descriptors, 1 [1, 1] a load";
/// `round` is what a round is called.
std::vector<std::string> GrowingThings(const ResourceSlopes& slopes, const std::string& round);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_RESOURCE_SLOPES_H_
