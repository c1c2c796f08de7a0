// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Matchings: which of some things goes with which of some others, each with one at the most.

#ifndef NNCERT_HAL_REPLAY_MATCHING_H_
#define NNCERT_HAL_REPLAY_MATCHING_H_

#include <cstddef>
#include <limits>
#include <vector>

#include "absl/functional/function_ref.h"

namespace nncert::hal::replay {

/// In a matching: nothing.
inline constexpr size_t kNoMatch = std::numeric_limits<size_t>::max();

/// Matches as many of `left` things with one of `right` others each as can be, where fits(i, k) for
/// i below `left` and k below `right`: element i is what i goes with, or kNoMatch. Of equal
/// numbers, those that fit go with each other if that does not stand in the way of others.
std::vector<size_t> GreatestMatching(size_t left, size_t right,
                                     absl::FunctionRef<bool(size_t, size_t)> fits);

}  // namespace nncert::hal::replay

#endif  // NNCERT_HAL_REPLAY_MATCHING_H_
