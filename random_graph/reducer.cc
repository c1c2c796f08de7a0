// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/reducer.h"

#include <rapidcheck.h>

#include <memory>
#include <utility>
#include <vector>

#include "hal/deadline.h"
#include "random_graph/case_shrinks.h"

namespace nncert {
namespace {

using SharedCase = std::shared_ptr<const EvaluatedCase>;

// What `shrink` makes of a case, if that is a case, and smaller.
rc::Maybe<SharedCase> Shrunk(const SharedCase& whole, const CaseShrink& shrink) {
  std::optional<TestCase> smaller = shrink();
  if (!smaller.has_value()) return rc::Nothing;
  smaller->name = whole->test_case.name;
  smaller->dynamicOutputShapeName = whole->test_case.dynamicOutputShapeName;
  absl::StatusOr<EvaluatedCase> evaluated = Evaluate(*std::move(smaller));
  if (!evaluated.ok()) return rc::Nothing;
  // Or there would be no end.
  if (SizeOf(evaluated->test_case) >= SizeOf(whole->test_case)) return rc::Nothing;
  return SharedCase(std::make_shared<EvaluatedCase>(*std::move(evaluated)));
}

// The cases that are smaller than one, with the number of the way in which they are.
using Shrink = std::pair<size_t, SharedCase>;

rc::Shrinkable<Shrink> ShrinkableOf(Shrink whole) {
  return rc::shrinkable::shrinkRecur(std::move(whole), [](const Shrink& from) {
    std::vector<std::pair<size_t, CaseShrink>> ways;
    for (CaseShrink& shrink : ShrinksOf(*from.second)) {
      ways.emplace_back(ways.size(), std::move(shrink));
    }
    // Ways that did not do a step before hardly do now: they come last.
    std::rotate(ways.begin(),
                ways.begin() + static_cast<std::ptrdiff_t>(std::min(from.first, ways.size())),
                ways.end());
    return rc::seq::mapMaybe(rc::seq::fromContainer(std::move(ways)), [from](const auto& way) {
      rc::Maybe<SharedCase> smaller = Shrunk(from.second, way.second);
      return smaller ? rc::Maybe<Shrink>(Shrink(way.first, *smaller)) : rc::Maybe<Shrink>();
    });
  });
}

}  // namespace

absl::StatusOr<Reduction> Reduce(const TestCase& test_case, size_t example,
                                 const std::function<bool(const TestCase&)>& fails,
                                 absl::Duration time) {
  const hal::Deadline deadline(time);
  absl::StatusOr<EvaluatedCase> evaluated = Evaluate(test_case, example);
  if (!evaluated.ok()) return evaluated.status();
  if (!fails(evaluated->test_case)) {
    return absl::FailedPreconditionError("the example by itself does not fail so");
  }
  rc::Shrinkable<Shrink> current =
      ShrinkableOf({0, std::make_shared<EvaluatedCase>(*std::move(evaluated))});
  Reduction reduction;
  while (!reduction.is_minimal && !deadline.HasPassed()) {
    rc::Seq<rc::Shrinkable<Shrink>> smaller = current.shrinks();
    reduction.is_minimal = true;
    while (auto next = smaller.next()) {
      if (deadline.HasPassed()) {
        reduction.is_minimal = false;
        break;
      }
      ++reduction.tries;
      if (!fails(next->value().second->test_case)) continue;
      ++reduction.steps;
      reduction.is_minimal = false;
      current = *next;
      break;
    }
  }
  reduction.smallest = current.value().second->test_case;
  return reduction;
}

absl::StatusOr<Reduction> ReduceFailure(const TestCase& test_case, const CaseResult& result,
                                        CaseWorker& worker, const RunOptions& options,
                                        absl::Duration time) {
  const auto fails = [&](const TestCase& smaller) {
    const CaseResult again = worker.Run(smaller, result.mode, options);
    return again.verdict == result.verdict && again.operation == result.operation &&
           again.type == result.type;
  };
  absl::Status last = absl::NotFoundError("the case has no examples");
  for (size_t example = 0; example < test_case.examples.size(); ++example) {
    absl::StatusOr<Reduction> reduction = Reduce(test_case, example, fails, time);
    if (reduction.ok()) return reduction;
    last = reduction.status();
  }
  return last;
}

}  // namespace nncert
