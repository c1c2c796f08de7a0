// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/reruns/pair_search.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace nncert {
namespace {

// How many of the nearest cases are run at first, and by how many times that grows.
constexpr size_t kNearest = 64;
constexpr size_t kGrowth = 8;
// How often a culprit has to show itself again.
constexpr int kConfirmations = 2;

using Places = std::vector<size_t>;

size_t Distance(size_t a, size_t b) { return a < b ? b - a : a - b; }

class PairSearch {
 public:
  PairSearch(absl::Span<const RanCase> cases, size_t failing, LastFails last_fails)
      : cases_(cases), failing_(failing), last_fails_(last_fails) {}

  PairSearchResult Run(absl::Span<const size_t> suspects) {
    for (const size_t suspect : suspects) {
      if (!Fails({suspect})) continue;
      if (IsCulprit(suspect)) result_.culprit = suspect;
      return result_;
    }
    const Places before = WhatItFailsBehind();
    if (before.empty()) return result_;
    const std::optional<size_t> one = Halve(before);
    if (one.has_value() && IsCulprit(*one)) result_.culprit = one;
    return result_;
  }

 private:
  // Whether the case fails behind these. Not once no more cases are to be run.
  bool Fails(Places places) {
    if (result_.is_cut) return false;
    places.push_back(failing_);
    const std::optional<bool> fails = last_fails_(places);
    result_.is_cut = !fails.has_value();
    if (result_.is_cut) return false;
    ++result_.runs.runs;
    result_.runs.failed += *fails ? 1 : 0;
    return *fails;
  }

  // Cases that the case fails behind; none when it does not.
  Places WhatItFailsBehind() {
    Places earlier;
    Places others;
    for (size_t i = 0; i < cases_.size(); ++i) {
      if (i == failing_ || cases_[i].ended_process) continue;
      others.push_back(i);
      if (i < failing_) earlier.push_back(i);
    }
    for (size_t count = kNearest; !earlier.empty(); count *= kGrowth) {
      const size_t taken = std::min(count, earlier.size());
      Places nearest(earlier.end() - static_cast<std::ptrdiff_t>(taken), earlier.end());
      if (Fails(nearest)) return nearest;
      if (taken == earlier.size()) break;
    }
    return others.size() > earlier.size() && Fails(others) ? others : Places();
  }

  // The one of the cases that the case fails behind; nothing when it takes more than one.
  std::optional<size_t> Halve(Places places) {
    while (places.size() > 1) {
      const auto middle = places.begin() + static_cast<std::ptrdiff_t>(places.size() / 2);
      const Places near(middle, places.end());
      const Places far(places.begin(), middle);
      if (Fails(near)) {
        places = near;
      } else if (Fails(far)) {
        places = far;
      } else {
        return std::nullopt;
      }
    }
    return places.front();
  }

  // Whether the case fails because of this very one.
  bool IsCulprit(size_t suspect) {
    for (int i = 0; i < kConfirmations; ++i) {
      if (!Fails({suspect})) return false;
    }
    const Places control = ControlOf(suspect);
    return !control.empty() && !Fails(control) && !result_.is_cut;
  }

  // Cases, all the same one, of another operation that are executed as often as the suspect: the
  // nearest there is of an operation that is not the case's own either, and the case itself only
  // where there is no other. None where there is none.
  Places ControlOf(size_t suspect) const {
    const int executions = cases_[suspect].executions;
    std::optional<std::tuple<bool, bool, int, size_t, size_t>> best;
    for (size_t i = 0; i < cases_.size(); ++i) {
      const RanCase& one = cases_[i];
      if (one.ended_process || one.operation == cases_[suspect].operation) continue;
      if (one.executions <= 0 || executions % one.executions != 0) continue;
      const auto candidate = std::tuple(i == failing_, one.operation == cases_[failing_].operation,
                                        executions / one.executions, Distance(i, suspect), i);
      if (!best.has_value() || candidate < *best) best = candidate;
    }
    if (!best.has_value() || executions <= 0) return {};
    return Places(static_cast<size_t>(std::get<2>(*best)), std::get<4>(*best));
  }

  const absl::Span<const RanCase> cases_;
  const size_t failing_;
  const LastFails last_fails_;
  PairSearchResult result_;
};

}  // namespace

PairSearchResult FindCulprit(absl::Span<const RanCase> cases, size_t failing,
                             absl::Span<const size_t> suspects, LastFails last_fails) {
  return PairSearch(cases, failing, last_fails).Run(suspects);
}

}  // namespace nncert
