// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"

namespace nncert {
namespace {

// The least number of letters to insert, delete, replace or swap with the next to get from one word
// to the other (the optimal string alignment distance).
size_t EditDistance(absl::string_view from, absl::string_view to) {
  std::vector<std::vector<size_t>> distance(from.size() + 1, std::vector<size_t>(to.size() + 1));
  for (size_t i = 0; i <= from.size(); ++i) distance[i][0] = i;
  for (size_t j = 0; j <= to.size(); ++j) distance[0][j] = j;
  for (size_t i = 1; i <= from.size(); ++i) {
    for (size_t j = 1; j <= to.size(); ++j) {
      const bool same = from[i - 1] == to[j - 1];
      distance[i][j] = std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1,
                                 distance[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
      }
    }
  }
  return distance[from.size()][to.size()];
}

}  // namespace

std::string NearestName(absl::string_view typed, absl::Span<const std::string> names) {
  std::string nearest;
  size_t least = std::max<size_t>(typed.size() / 3, 1) + 1;
  for (const std::string& name : names) {
    // It is as far as they differ in length, at the least. What is typed may be of any length.
    const size_t longer = std::max(typed.size(), name.size());
    if (longer - std::min(typed.size(), name.size()) >= least) continue;
    const size_t distance = EditDistance(typed, name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string DidYouMean(absl::string_view typed, absl::Span<const std::string> names,
                       absl::string_view prefix) {
  const std::string nearest = NearestName(typed, names);
  return nearest.empty() ? "" : absl::StrCat("; did you mean ", prefix, nearest, "?");
}

}  // namespace nncert
