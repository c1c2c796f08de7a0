// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Greedy non-maximum suppression of boxes, hard and soft.
//
// Again and again the box with the greatest score is selected, and the scores of the boxes that
// overlap it are lowered; boxes whose score falls below a threshold are dropped. In an enclosure
// the box with the greatest score, or whether one is dropped, may be open. Then every course that
// the selection may take is followed, and the result says what they agree on.

#ifndef NNCERT_REFERENCE_OPS_COMMON_SUPPRESSION_H_
#define NNCERT_REFERENCE_OPS_COMMON_SUPPRESSION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/operation_context.h"
#include "reference/ops/common/selection.h"

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
  /// For kHard: what overlaps is dropped and nothing else, whatever its score; scores stay.
  bool drops_by_overlap_alone = false;
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
  /// Whether it may have been dropped.
  bool may_be_dropped = false;
  /// In an enclosure, the score that the reference itself comes to, by which it orders boxes; the
  /// middle of `score` when not set.
  std::optional<double> order = std::nullopt;
};

/// Several boxes.
template <class Number>
using Selected = std::vector<Candidate<Number>>;

/// What a selection comes to.
template <class Number>
struct Selection {
  /// The boxes. In an enclosure, those of every outcome, which may be dropped unless they are in
  /// all of them; the scores hold those of every outcome.
  Selected<Number> boxes = {};
  /// How many boxes there are.
  size_t least = 0;
  size_t most = 0;
  /// In an enclosure, scores in descending order that are reached whatever the outcome: the n-th
  /// greatest score of every outcome is at least the n-th of these, of which there are `least`.
  std::vector<double> reached = {};
  /// Why it is open which boxes there are; empty when it is not.
  std::string doubt = {};
};

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

/// Whether `score` is at least `threshold`; undecided where it may be either.
template <class A>
Truth IsAtLeast(const A& arithmetic, const typename A::Number& score,
                const typename A::Number& threshold) {
  if (arithmetic.Less(threshold, score) == Truth::kTrue) return Truth::kTrue;
  if (arithmetic.Equal(threshold, score) == Truth::kTrue) return Truth::kTrue;
  // A NaN is not.
  if constexpr (!kIsEnclosure<A>) return Truth::kFalse;
  return arithmetic.Less(score, threshold) == Truth::kTrue ? Truth::kFalse : Truth::kUndecided;
}

/// The same where it is open what becomes of a score that is just the threshold: some
/// implementations, Android's own among them, leave it out where the documentation does not.
template <class A>
Truth PassesThreshold(const A& arithmetic, const typename A::Number& score,
                      const typename A::Number& threshold) {
  const Truth passes = IsAtLeast(arithmetic, score, threshold);
  if constexpr (kIsEnclosure<A>) {
    if (arithmetic.Less(threshold, score) != passes) return Truth::kUndecided;
  }
  return passes;
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

  /// What suppression leaves of these candidates: in the order in which they are selected; those of
  /// an enclosure by box. There may be more boxes than the limit: those of the greatest scores are
  /// among them.
  Selection<Number> Run(Selected<Number> candidates) const {
    const auto may_be_negative = [](const Candidate<Number>& candidate) {
      return LeastOf(candidate.score) < 0;
    };
    if (kIsEnclosure<A> && !settings_.drops_by_overlap_alone &&
        std::any_of(candidates.begin(), candidates.end(), may_be_negative)) {
      return Anything(candidates, "scores may be below zero, where overlap raises them");
    }
    const auto may_be_nan = [](const Candidate<Number>& candidate) {
      return MayBeNaN(candidate.score);
    };
    if (kIsEnclosure<A> && std::any_of(candidates.begin(), candidates.end(), may_be_nan)) {
      return Anything(candidates, "a score may not be a number, and is then in no order");
    }
    if constexpr (kIsEnclosure<A>) SetOrder(candidates);
    std::vector<Selected<Number>> outcomes;
    std::vector<Course> courses;
    courses.push_back({candidates, {}});
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
        return Anything(candidates, "too many boxes may have the greatest score, or be dropped");
      }
      for (size_t i = 0; i + 1 < fronts.size(); ++i) {
        courses.push_back(course);
        Select(courses.back(), fronts[i]);
      }
      courses.push_back(std::move(course));
      Select(courses.back(), fronts.back());
    }
    if constexpr (kIsEnclosure<A>) return Common(outcomes);
    const size_t count = outcomes[0].size();
    return {.boxes = std::move(outcomes[0]), .least = count, .most = count};
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

  // What is known when the courses cannot be followed.
  Selection<Number> Anything(Selected<Number> candidates, std::string_view doubt) const {
    Selection<Number> selection = {.most = candidates.size(), .doubt = std::string(doubt)};
    for (Candidate<Number>& candidate : candidates) {
      candidate.may_be_dropped = true;
      if (MayBeNaN(candidate.score) || LeastOf(candidate.score) < 0) {
        candidate.score = arithmetic_.Unspecified();
      } else if (!KeepsScores()) {
        candidate.score =
            arithmetic_.Select(Truth::kUndecided, candidate.score, arithmetic_.Constant(0));
      }
    }
    selection.boxes = std::move(candidates);
    return selection;
  }

  // What outcomes have in common.
  static Selection<Ball> Common(const std::vector<Selected<Ball>>& outcomes) {
    Selection<Ball> selection = {.least = std::numeric_limits<size_t>::max()};
    std::map<size_t, size_t> places;  // of boxes in the selection
    std::vector<size_t> times;        // that it has each of these
    for (const Selected<Ball>& outcome : outcomes) {
      std::vector<double> scores;
      for (const Candidate<Ball>& candidate : outcome) {
        scores.push_back(candidate.score.Lower());
        const auto [place, is_new] = places.try_emplace(candidate.box, selection.boxes.size());
        if (is_new) {
          selection.boxes.push_back(candidate);
          times.push_back(0);
        }
        Ball& score = selection.boxes[place->second].score;
        score = Hull(score, candidate.score);
        ++times[place->second];
      }
      std::sort(scores.begin(), scores.end(), std::greater<>());
      if (&outcome == &outcomes.front()) selection.reached = scores;
      selection.reached.resize(std::min(selection.reached.size(), scores.size()));
      for (size_t k = 0; k < selection.reached.size(); ++k) {
        selection.reached[k] = std::min(selection.reached[k], scores[k]);
      }
      selection.least = std::min(selection.least, outcome.size());
      selection.most = std::max(selection.most, outcome.size());
    }
    for (size_t i = 0; i < times.size(); ++i) {
      selection.boxes[i].may_be_dropped = times[i] < outcomes.size();
      if (selection.boxes[i].may_be_dropped) {
        selection.doubt = "which boxes are selected depends on close numbers";
      }
    }
    std::sort(selection.boxes.begin(), selection.boxes.end(),
              [](const auto& x, const auto& y) { return x.box < y.box; });
    return selection;
  }

  // Whether a box that stays has the score that it had: what hard suppression makes 0 is dropped.
  bool KeepsScores() const {
    return settings_.drops_by_overlap_alone ||
           (settings_.kernel == SuppressionKernel::kHard &&
            arithmetic_.Less(arithmetic_.Constant(0), settings_.drop_threshold) == Truth::kTrue);
  }

  // Follows the course that the reference takes, by the middles of all numbers.
  void SetOrder(Selected<Ball>& candidates) const {
    if (settings_.drops_by_overlap_alone) return;  // scores do not change
    const DoubleArithmetic real;
    const SuppressionSettings<double> settings = {
        .kernel = settings_.kernel,
        .overlap_threshold = settings_.overlap_threshold.midpoint,
        .sigma = settings_.sigma.midpoint,
        .drop_threshold = settings_.drop_threshold.midpoint,
        .limit = settings_.limit};
    std::vector<double> corners;
    Selected<double> middles;
    for (size_t i = 0; i < candidates.size(); ++i) {
      middles.push_back({i, candidates[i].score.midpoint});
      for (size_t k = 0; k < 4; ++k) corners.push_back(corners_(candidates[i].box)[k].midpoint);
    }
    const auto corners_of = [&corners](size_t i) { return corners.data() + 4 * i; };
    const Selection<double> selection =
        Suppression<DoubleArithmetic, decltype(corners_of)>(real, settings, corners_of)
            .Run(std::move(middles));
    for (const Candidate<double>& selected : selection.boxes) {
      candidates[selected.box].order = selected.score;
    }
  }

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
      if (settings_.drops_by_overlap_alone) continue;
      // A score that is not lowered is still held against the threshold.
      for (const size_t k : {i, front}) {
        if (IsAtLeast(arithmetic_, pending[k].score, settings_.drop_threshold) != Truth::kTrue) {
          return false;
        }
      }
    }
    return true;
  }

  Number Overlap(const Candidate<Number>& a, const Candidate<Number>& b) const {
    const Number* const x = corners_(a.box);
    const Number* const y = corners_(b.box);
    // Most boxes are apart, which takes little time to see of real numbers.
    if constexpr (!kIsEnclosure<A>) {
      if (x[2] <= y[0] || y[2] <= x[0] || x[3] <= y[1] || y[3] <= x[1]) return Number{0};
    }
    return IntersectionOverUnion(arithmetic_, x, y);
  }

  // Whether so much overlap leaves a score as it is.
  Truth IsUntouched(const Number& overlap) const {
    return settings_.kernel == SuppressionKernel::kGaussian
               ? arithmetic_.Equal(overlap, arithmetic_.Constant(0))
               : arithmetic_.Less(overlap, settings_.overlap_threshold);
  }

  // `score` after `overlap` with a box that was selected.
  Number Lowered(const Number& score, const Number& overlap) const {
    const Truth is_untouched = IsUntouched(overlap);
    if (is_untouched == Truth::kTrue) return score;
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
    return arithmetic_.Select(is_untouched, score, lowered);
  }

  // Whether a candidate stays after its score was lowered.
  Truth Stays(const Number& score, const Number& overlap) const {
    if (settings_.drops_by_overlap_alone) return IsUntouched(overlap);
    const Truth stays = IsAtLeast(arithmetic_, score, settings_.drop_threshold);
    if (!kIsEnclosure<A> || settings_.kernel != SuppressionKernel::kHard) return stays;
    // The drop threshold is documented as that of soft suppression. Whether hard suppression also
    // drops by it, or just what overlaps, is open where the two differ.
    return stays == IsUntouched(overlap) ? stays : Truth::kUndecided;
  }

  // Selects the candidate at `front`, and lowers the scores of the others.
  void Select(Course& course, size_t front) const {
    const Candidate<Number> chosen = course.pending[front];
    const bool keeps_scores = KeepsScores();
    size_t kept = 0;
    for (size_t i = 0; i < course.pending.size(); ++i) {
      if (i == front) continue;
      Candidate<Number> candidate = course.pending[i];
      const Number overlap = Overlap(candidate, chosen);
      const Number lowered = Lowered(candidate.score, overlap);
      const Truth stays = Stays(lowered, overlap);
      if (stays == Truth::kFalse) continue;
      if (!keeps_scores) candidate.score = lowered;
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

/// Says which boxes are certain to have one of the `most` greatest scores, and whether all are.
inline void MarkCertain(Selection<Ball>& selection, size_t most) {
  Selected<Ball>& boxes = selection.boxes;
  if (boxes.size() == selection.least) {
    for (Candidate<Ball>& box : boxes) box.may_be_dropped = false;
  } else if (boxes.size() > most) {
    std::vector<double> highest;
    for (const Candidate<Ball>& box : boxes) {
      highest.push_back(box.score.IsBounded() ? box.score.Upper()
                                              : std::numeric_limits<double>::infinity());
    }
    std::sort(highest.begin(), highest.end(), std::greater<>());
    // Which has `most` others that may be as great may be left out for these.
    for (Candidate<Ball>& box : boxes) {
      box.may_be_dropped |= !box.score.IsBounded() || highest[most] >= box.score.Lower();
    }
  }
  const auto certain = std::count_if(
      boxes.begin(), boxes.end(), [](const Candidate<Ball>& box) { return !box.may_be_dropped; });
  selection.least = std::max(selection.least, static_cast<size_t>(certain));
  if (selection.least == boxes.size()) {
    selection.doubt.clear();
  } else if (selection.least < selection.most) {
    absl::StrAppend(&selection.doubt, selection.doubt.empty() ? "" : ": ", "there may be from ",
                    selection.least, " to ", selection.most, " boxes");
  } else if (selection.doubt.empty()) {
    selection.doubt = absl::StrCat("which ", selection.least, " of ", boxes.size(),
                                   " boxes have the greatest scores depends on close numbers");
  }
}

/// The boxes of the `limit` greatest scores (all when it is negative) of several selections: in
/// descending order of score, equal ones by selection and then as they are there.
template <class Number>
Selection<Number> BestOf(const std::vector<Selection<Number>>& selections, int64_t limit) {
  const size_t most = limit < 0 ? std::numeric_limits<size_t>::max() : static_cast<size_t>(limit);
  Selection<Number> best;
  for (const Selection<Number>& selection : selections) {
    best.boxes.insert(best.boxes.end(), selection.boxes.begin(), selection.boxes.end());
    best.reached.insert(best.reached.end(), selection.reached.begin(), selection.reached.end());
    best.least += selection.least;
    best.most += selection.most;
    if (best.doubt.empty()) best.doubt = selection.doubt;
  }
  if constexpr (std::is_same_v<Number, Ball>) {
    std::sort(best.reached.begin(), best.reached.end(), std::greater<>());
    // A lower score is not among the greatest, as many others are certain to be above it.
    if (best.reached.size() > most) {
      const double bar =
          most == 0 ? std::numeric_limits<double>::infinity() : best.reached[most - 1];
      best.boxes.erase(std::remove_if(best.boxes.begin(), best.boxes.end(),
                                      [bar](const Candidate<Ball>& candidate) {
                                        return candidate.score.IsBounded() &&
                                               candidate.score.Upper() < bar;
                                      }),
                       best.boxes.end());
      best.reached.resize(most);
    }
    best.least = std::min(best.least, most);
    best.most = std::min({best.most, most, best.boxes.size()});
    MarkCertain(best, most);
    std::stable_sort(best.boxes.begin(), best.boxes.end(), [](const auto& a, const auto& b) {
      return a.order.value_or(a.score.midpoint) > b.order.value_or(b.score.midpoint);
    });
  } else {
    std::stable_sort(best.boxes.begin(), best.boxes.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    if (best.boxes.size() > most) best.boxes.resize(most);
    best.least = best.most = best.boxes.size();
  }
  return best;
}

// ---- Choices ----

/// Settles the elements of scores that are not given: mostly no two alike, so that it is decided
/// which are the greatest. Now and then they are left to chance, which makes some equal.
inline void ChooseScores(OperandChooser& choose, int slot) {
  if (choose.IsGiven(slot) || choose.OneIn(4)) return;
  std::vector<double> scores(NumberOfElements(choose.Dimensions(slot)));
  for (size_t i = 0; i < scores.size(); ++i) {
    scores[i] = static_cast<double>(i + 1) / static_cast<double>(scores.size() + 1);
    std::swap(scores[i], scores[choose.random().Below(i + 1)]);
  }
  choose.SetValues(slot, std::move(scores));
}

/// A threshold by chance in the lower half of the range of scores.
inline double RandomThreshold(const OperandChooser& choose, int scores) {
  const ValueRange range = choose.Range(scores);
  const double lowest = std::max(range.lowest, 0.0);
  return choose.random().Uniform(lowest, (lowest + std::max(range.highest, lowest)) / 2);
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_SUPPRESSION_H_
