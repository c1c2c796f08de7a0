// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/matching.h"

#include <algorithm>

namespace nncert::hal::replay {

// Berge: a matching is greatest when no path of changes makes it greater.
std::vector<size_t> GreatestMatching(size_t left, size_t right,
                                     absl::FunctionRef<bool(size_t, size_t)> fits) {
  std::vector<size_t> right_of(left, kNoMatch);
  std::vector<size_t> left_of(right, kNoMatch);
  for (size_t i = 0; i < std::min(left, right); ++i) {
    if (fits(i, i)) right_of[i] = left_of[i] = i;
  }
  std::vector<size_t> reached_from(right);
  for (size_t start = 0; start < left; ++start) {
    if (right_of[start] != kNoMatch) continue;
    // What changes starting here reach on the right, each from one on the left.
    std::fill(reached_from.begin(), reached_from.end(), kNoMatch);
    std::vector<size_t> lefts = {start};
    size_t end = kNoMatch;
    for (size_t i = 0; i < lefts.size() && end == kNoMatch; ++i) {
      for (size_t k = 0; k < right; ++k) {
        if (reached_from[k] != kNoMatch || !fits(lefts[i], k)) continue;
        reached_from[k] = lefts[i];
        if (left_of[k] == kNoMatch) {
          end = k;
          break;
        }
        lefts.push_back(left_of[k]);
      }
    }
    while (end != kNoMatch) {
      const size_t from = reached_from[end];
      const size_t next = right_of[from];
      right_of[from] = end;
      left_of[end] = from;
      end = next;
    }
  }
  return right_of;
}

}  // namespace nncert::hal::replay
