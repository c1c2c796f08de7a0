// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/reducer.h"

#include <rapidcheck.h>

#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "cases/case_elements.h"
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

// Each example by itself, and, where there are several, all of them.
std::vector<TestCase> ByExamples(const TestCase& test_case) {
  std::vector<TestCase> cases;
  for (const Example& example : test_case.examples) {
    cases.push_back(test_case);
    cases.back().examples = {example};
  }
  if (cases.size() > 1) cases.push_back(test_case);
  return cases;
}

// What to begin with, evaluated.
absl::StatusOr<EvaluatedCase> FirstThatFails(const TestCase& test_case,
                                             const std::function<bool(const TestCase&)>& fails) {
  if (test_case.examples.empty()) return absl::NotFoundError("the case has no examples");
  TestCase without_pools = test_case;
  if (absl::Status status = TakeInConstants(without_pools.model); !status.ok()) return status;
  std::vector<TestCase> candidates = ByExamples(without_pools);
  if (!test_case.model.pools.empty()) {
    std::vector<TestCase> with_pools = ByExamples(test_case);
    std::move(with_pools.begin(), with_pools.end(), std::back_inserter(candidates));
  }
  absl::Status last;
  for (TestCase& candidate : candidates) {
    absl::StatusOr<EvaluatedCase> evaluated = Evaluate(std::move(candidate));
    if (evaluated.ok() && fails(evaluated->test_case)) return evaluated;
    last = evaluated.status();
  }
  if (!last.ok()) return last;
  return absl::FailedPreconditionError(
      "neither an example by itself nor all of them together fail so");
}

}  // namespace

absl::StatusOr<Reduction> Reduce(const TestCase& test_case,
                                 const std::function<bool(const TestCase&)>& fails,
                                 const ReductionLimits& limits) {
  const hal::Deadline deadline(limits.time);
  absl::StatusOr<EvaluatedCase> evaluated = FirstThatFails(test_case, fails);
  if (!evaluated.ok()) return evaluated.status();
  rc::Shrinkable<Shrink> current =
      ShrinkableOf({0, std::make_shared<EvaluatedCase>(*std::move(evaluated))});
  Reduction reduction;
  const auto may_go_on = [&] { return reduction.tries < limits.tries && !deadline.HasPassed(); };
  while (!reduction.is_minimal && may_go_on()) {
    rc::Seq<rc::Shrinkable<Shrink>> smaller = current.shrinks();
    reduction.is_minimal = true;
    while (auto next = smaller.next()) {
      if (!may_go_on()) {
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
                                        const ReductionLimits& limits, FailingType type) {
  const auto fails = [&](const TestCase& smaller) {
    const CaseResult again = worker.Run(smaller, result.mode, options);
    return again.verdict == result.verdict && again.operation == result.operation &&
           (type == FailingType::kAny || again.type == result.type);
  };
  return Reduce(test_case, fails, limits);
}

}  // namespace nncert
