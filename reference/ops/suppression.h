// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Greedy non-maximum suppression of boxes, hard and soft.
//
// Again and again the box with the greatest score is selected, and the scores of the boxes that
// overlap it are lowered; boxes whose score falls below a threshold are dropped. In an enclosure
// the box with the greatest score, or whether one is dropped, may be open. Then every course that
// the selection may take is followed: it has not one outcome but several.

#ifndef NNCERT_REFERENCE_OPS_SUPPRESSION_H_
#define NNCERT_REFERENCE_OPS_SUPPRESSION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "reference/operation_context.h"
#include "reference/ops/selection.h"

namespace nncert {

/// How overlap lowers a score (types.hal 1.2, BOX_WITH_NMS_LIMIT).
enum class SuppressionKernel {
  kHard,     ///< to 0, unless the overlap is below the threshold
  kLinear,   ///< by the factor 1 - overlap, unless the overlap is below the threshold
  kGaussian  ///< by the factor exp(-overlap^2 / sigma)
};

/// What a suppression depends on beside the boxes.
template <class Number>
struct SuppressionSettings {
  SuppressionKernel kernel = SuppressionKernel::kHard;
  /// Boxes with lower scores take no part.
  Number score_threshold{};
  /// Overlap from which on a box is suppressed; not for kGaussian.
  Number overlap_threshold{};
  /// For kGaussian; above 0.
  Number sigma{};
  /// Boxes whose score gets lower than that are dropped.
  Number drop_threshold{};
  /// How many boxes of the greatest scores are wanted; negative for all.
  int64_t limit = -1;
};

/// A box that takes part.
template <class Number>
struct Candidate {
  size_t box = 0;
  Number score{};
  /// Whether it may have been dropped already.
  bool may_be_dropped = false;
};

/// Boxes in the order in which they were selected.
template <class Number>
using Selected = std::vector<Candidate<Number>>;

/// The share of two boxes' union that both have, from 0 to 1: their areas' intersection over union.
/// Corners are [x1, y1, x2, y2] with x1 <= x2 and y1 <= y2. Two boxes without area have no such
/// share: real numbers then give 0, an enclosure anything.
template <class A>
typename A::Number IntersectionOverUnion(const A& arithmetic, const typename A::Number* a,
                                         const typename A::Number* b) {
  using Number = typename A::Number;
  const Number zero = arithmetic.Constant(0);
  const auto area = [&](const Number* box) {
    return arithmetic.Multiply(arithmetic.Subtract(box[2], box[0]),
                               arithmetic.Subtract(box[3], box[1]));
  };
  const auto extent = [&](int low, int high) {
    return arithmetic.Max(
        arithmetic.Subtract(arithmetic.Min(a[high], b[high]), arithmetic.Max(a[low], b[low])),
        zero);
  };
  const Number intersection = arithmetic.Multiply(extent(0, 2), extent(1, 3));
  const Number both = arithmetic.Subtract(arithmetic.Add(area(a), area(b)), intersection);
  if (arithmetic.Less(zero, both) == Truth::kTrue) return arithmetic.Divide(intersection, both);
  return arithmetic.Unspecified();
}

/// Suppression among the boxes of one class.
///
/// Scores and corners are called by box: corners(box) points to four numbers.
template <class A, class Corners>
class Suppression {
 public:
  using Number = typename A::Number;

  Suppression(const A& arithmetic, const SuppressionSettings<Number>& settings, Corners corners)
      : arithmetic_(arithmetic), settings_(settings), corners_(corners) {}

  /// Every outcome that suppression among these candidates may have: one, unless the numbers are
  /// enclosures. An outcome may have more boxes than the limit: those of the greatest scores are
  /// among them. UndecidedError when there are too many outcomes to follow.
  absl::StatusOr<std::vector<Selected<Number>>> Run(Selected<Number> candidates) const {
    const auto may_be_negative = [](const Candidate<Number>& candidate) {
      return LeastOf(candidate.score) < 0;
    };
    if (kIsEnclosure<A> && std::any_of(candidates.begin(), candidates.end(), may_be_negative)) {
      return UndecidedError("scores may be below zero, where overlap raises them");
    }
    std::vector<Selected<Number>> outcomes;
    std::vector<Course> courses;
    courses.push_back({std::move(candidates), {}});
    while (!courses.empty()) {
      Course course = std::move(courses.back());
      courses.pop_back();
      if (IsFinished(course)) {
        outcomes.push_back(std::move(course.selected));
        continue;
      }
      Candidate<Number>& leader = course.pending[LeaderOf(course.pending)];
      if (leader.may_be_dropped) {
        courses.push_back(course);
        Selected<Number>& others = courses.back().pending;
        others.erase(others.begin() + (&leader - course.pending.data()));
        leader.may_be_dropped = false;
      }
      const std::vector<size_t> fronts = FrontsOf(course.pending);
      if (outcomes.size() + courses.size() + fronts.size() > kMostCourses) {
        return UndecidedError("too many boxes may have the greatest score, or be dropped");
      }
      for (size_t i = 0; i + 1 < fronts.size(); ++i) {
        courses.push_back(course);
        Select(courses.back(), fronts[i]);
      }
      courses.push_back(std::move(course));
      Select(courses.back(), fronts.back());
    }
    return outcomes;
  }

  /// Whether `score` is at least `threshold`; undecided where it may be either.
  Truth IsAtLeast(const Number& score, const Number& threshold) const {
    if (arithmetic_.Less(threshold, score) == Truth::kTrue) return Truth::kTrue;
    if (arithmetic_.Equal(threshold, score) == Truth::kTrue) return Truth::kTrue;
    // A NaN is not.
    if constexpr (!kIsEnclosure<A>) return Truth::kFalse;
    return arithmetic_.Less(score, threshold) == Truth::kTrue ? Truth::kFalse : Truth::kUndecided;
  }

 private:
  static constexpr size_t kMostCourses = 256;
  // Each takes time in proportion to the number of boxes.
  static constexpr size_t kMostIndependenceChecks = 32;

  // A selection under way.
  struct Course {
    Selected<Number> pending;
    Selected<Number> selected;
  };

  // Whether nothing that is pending can be among the `limit` greatest scores. Scores are only
  // lowered, so nothing selected later has a greater score than what is pending now.
  bool IsFinished(const Course& course) const {
    if (course.pending.empty()) return true;
    if (settings_.limit < 0 || course.selected.size() < static_cast<size_t>(settings_.limit)) {
      return false;
    }
    if constexpr (!kIsEnclosure<A>) return true;
    double greatest = -std::numeric_limits<double>::infinity();
    for (const auto& candidate : course.pending) {
      greatest = std::max(greatest, GreatestOf(candidate.score));
    }
    const auto is_settled = [greatest](const Candidate<Number>& candidate) {
      return LeastOf(candidate.score) > greatest;
    };
    return std::count_if(course.selected.begin(), course.selected.end(), is_settled) >=
           settings_.limit;
  }

  // The position of the candidate whose score is certain to reach highest; the first of several.
  static size_t LeaderOf(const Selected<Number>& pending) {
    const auto leader = std::max_element(
        pending.begin(), pending.end(),
        [](const auto& a, const auto& b) { return LeastOf(a.score) < LeastOf(b.score); });
    return static_cast<size_t>(leader - pending.begin());
  }

  // The candidates one of which is selected next, as positions in `pending`. For real numbers, the
  // first of the greatest score. In an enclosure, all that may have the greatest score; but one
  // alone when it does not matter whether it or its rivals come first. The leader is certain to be
  // there.
  std::vector<size_t> FrontsOf(const Selected<Number>& pending) const {
    const size_t leader = LeaderOf(pending);
    std::vector<size_t> fronts;
    if constexpr (kIsEnclosure<A>) {
      for (size_t i = 0; i < pending.size(); ++i) {
        if (arithmetic_.Less(pending[i].score, pending[leader].score) == Truth::kTrue) continue;
        fronts.push_back(i);
      }
      if (fronts.size() == 1) return fronts;
      for (size_t i = 0; i < std::min(fronts.size(), kMostIndependenceChecks); ++i) {
        if (IsIndependent(pending, fronts[i])) return {fronts[i]};
      }
    } else {
      fronts.push_back(leader);
    }
    return fronts;
  }

  // Whether a candidate is certainly there, and neither suppresses nor is suppressed by any that
  // may come before it.
  bool IsIndependent(const Selected<Number>& pending, size_t front) const {
    if (pending[front].may_be_dropped) return false;
    for (size_t i = 0; i < pending.size(); ++i) {
      if (i == front || arithmetic_.Less(pending[i].score, pending[front].score) == Truth::kTrue) {
        continue;
      }
      if (IsUntouched(Overlap(pending[i], pending[front])) != Truth::kTrue) return false;
      // A score that is not lowered is still held against the threshold.
      if (IsAtLeast(pending[i].score, settings_.drop_threshold) != Truth::kTrue) return false;
      if (IsAtLeast(pending[front].score, settings_.drop_threshold) != Truth::kTrue) return false;
    }
    return true;
  }

  Number Overlap(const Candidate<Number>& a, const Candidate<Number>& b) const {
    return IntersectionOverUnion(arithmetic_, corners_(a.box), corners_(b.box));
  }

  // Whether so much overlap leaves a score as it is.
  Truth IsUntouched(const Number& overlap) const {
    return settings_.kernel == SuppressionKernel::kGaussian
               ? arithmetic_.Equal(overlap, arithmetic_.Constant(0))
               : arithmetic_.Less(overlap, settings_.overlap_threshold);
  }

  // `score` after `overlap` with a box that was selected.
  Number Lowered(const Number& score, const Number& overlap) const {
    Number lowered = arithmetic_.Constant(0);
    switch (settings_.kernel) {
      case SuppressionKernel::kHard:
        break;
      case SuppressionKernel::kLinear:
        lowered =
            arithmetic_.Multiply(score, arithmetic_.Subtract(arithmetic_.Constant(1), overlap));
        break;
      case SuppressionKernel::kGaussian:
        lowered = arithmetic_.Multiply(score, arithmetic_.Exp(arithmetic_.Negate(arithmetic_.Divide(
                                                  arithmetic_.Square(overlap), settings_.sigma))));
        break;
    }
    return arithmetic_.Select(IsUntouched(overlap), score, lowered);
  }

  // Whether a candidate stays after its score was lowered.
  Truth Stays(const Number& score, const Number& overlap) const {
    const Truth stays = IsAtLeast(score, settings_.drop_threshold);
    if (!kIsEnclosure<A> || settings_.kernel != SuppressionKernel::kHard) return stays;
    // The drop threshold is documented as that of soft suppression. Whether hard suppression also
    // drops by it, or just what overlaps, is open where the two differ.
    return stays == IsUntouched(overlap) ? stays : Truth::kUndecided;
  }

  // Selects the candidate at `front`, and lowers the scores of the others.
  void Select(Course& course, size_t front) const {
    const Candidate<Number> chosen = course.pending[front];
    const bool drops_zeros =
        settings_.kernel == SuppressionKernel::kHard &&
        arithmetic_.Less(arithmetic_.Constant(0), settings_.drop_threshold) == Truth::kTrue;
    size_t kept = 0;
    for (size_t i = 0; i < course.pending.size(); ++i) {
      if (i == front) continue;
      Candidate<Number> candidate = course.pending[i];
      const Number overlap = Overlap(candidate, chosen);
      const Number lowered = Lowered(candidate.score, overlap);
      const Truth stays = Stays(lowered, overlap);
      if (stays == Truth::kFalse) continue;
      // What hard suppression makes 0 does not stay, so what stays was not lowered.
      if (!drops_zeros) candidate.score = lowered;
      candidate.may_be_dropped |= stays == Truth::kUndecided;
      course.pending[kept++] = candidate;
    }
    course.pending.resize(kept);
    course.selected.push_back(chosen);
  }

  const A& arithmetic_;
  const SuppressionSettings<Number> settings_;
  const Corners corners_;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_SUPPRESSION_H_
