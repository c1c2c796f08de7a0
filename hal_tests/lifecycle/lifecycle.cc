// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/lifecycle/lifecycle.h"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/deadline.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "hal_tests/lifecycle/lifecycle_rules.h"
#include "hal_tests/lifecycle/lifecycle_run.h"

namespace nncert {
namespace {

using hal::HalVersion;

// How many models a test has, and commands.
constexpr size_t kModels = 3;
constexpr size_t kCommands = 60;

// How long a shorter sequence is looked for, and how many processes of the driver that may cost.
constexpr absl::Duration kLongestSearch = absl::Seconds(5);
constexpr int kMostLosses = 12;

constexpr auto kChecks = std::to_array<Check>({
    {"prepareInSequenceTest",
     "a model is prepared, also from what was saved, whatever has happened before"},
    {"executeInSequenceTest",
     "a prepared model gives the same result for the same request, whatever has happened before"},
    {"burstInSequenceTest",
     "a burst gives the same result for the same request, whatever has happened before"},
    {"invalidRequestInSequenceTest",
     "a prepared model refuses an invalid request, whatever has happened before"},
    {"releaseInSequenceTest",
     "a prepared model is released without a word, whatever has happened before"},
    {"askInSequenceTest",
     "the device is available and tells the same capabilities, whatever has happened before"},
});

using Plan = std::vector<LifecycleCommand>;

// A plan, and simpler ones: made by one thread; with some commands left out, and those that are not
// legal then.
rc::Shrinkable<Plan> ShrinkableOf(Plan plan, const LifecycleRoom& room) {
  return rc::shrinkable::shrinkRecur(std::move(plan), [room](const Plan& whole) {
    rc::Seq<Plan> shorter = rc::seq::map(rc::shrink::removeChunks(whole), [room](const Plan& part) {
      return LegalPartOf(room, part);
    });
    Plan by_one_thread = whole;
    for (LifecycleCommand& command : by_one_thread) command.thread = 0;
    if (by_one_thread == whole) return shorter;
    return rc::seq::concat(rc::seq::just(std::move(by_one_thread)), std::move(shorter));
  });
}

struct PlanSearch : public FailureSearch {
  PlanSearch(CheckFailure found, Plan plan, const LifecycleRoom& its_room,
             std::vector<LifecycleCase> its_cases)
      : room(its_room),
        cases(std::move(its_cases)),
        current(ShrinkableOf(std::move(plan), its_room)),
        shorter(current.shrinks()) {
    failure = std::move(found);
  }

  const LifecycleRoom room;
  const std::vector<LifecycleCase> cases;
  const hal::Deadline deadline = hal::Deadline(kLongestSearch);
  int losses = 0;
  rc::Shrinkable<Plan> current;
  rc::Seq<rc::Shrinkable<Plan>> shorter;
};

class LifecycleTest : public SuiteTest {
 public:
  LifecycleTest(std::vector<CaseInMode> cases, uint64_t seed)
      : cases_(std::move(cases)), seed_(seed) {}

  std::string fixture() const override { return "LifecycleTest"; }
  std::string name() const override { return NameOf(cases_.front()); }
  std::string operation() const override { return OperationOf(cases_.front()); }
  // The sequence.
  size_t steps() const override { return 1; }

  std::optional<CheckFailure> Run(DriverSession& session, absl::Duration deadline,
                                  TestRecord& record) const override {
    if (record.next >= steps()) return std::nullopt;
    if (record.search == nullptr) {
      std::vector<LifecycleCase> cases;
      if (auto lost = Choose(session, deadline, record, cases)) return lost;
      if (cases.empty()) return std::nullopt;
      const LifecycleRoom room = RoomOf(session, static_cast<uint8_t>(cases.size()), deadline);
      Plan plan = MakeLifecyclePlan(room, seed_, kCommands);
      LifecycleOutcome outcome = RunLifecycle(session, deadline, room, cases, plan);
      for (const auto& [check, count] : outcome.passed) record.counts[check].passed += count;
      if (!outcome.failure.has_value()) {
        ++record.next;
        return std::nullopt;
      }
      const CheckFailure& failure = *outcome.failure;
      record.search =
          std::make_shared<PlanSearch>(failure, std::move(plan), room, std::move(cases));
      if (EndsSession(failure.verdict)) return failure;
    }
    return Search(session, deadline, record);
  }

 private:
  // Those of the cases that the driver supports.
  std::optional<CheckFailure> Choose(DriverSession& session, absl::Duration deadline,
                                     TestRecord& record, std::vector<LifecycleCase>& cases) const {
    constexpr std::string_view kCheck = kChecks.front().name;
    for (const CaseInMode& test_case : cases_) {
      LifecycleCase asked = {.test_case = test_case, .alone = {}};
      const std::optional<Problem> problem = AskAlone(session, deadline, asked);
      if (!problem.has_value()) {
        cases.push_back(std::move(asked));
        continue;
      }
      if (problem->verdict == Verdict::UNSUPPORTED) continue;
      CheckFailure failure = FailureOf(kCheck, NameOf(test_case), *problem);
      if (EndsSession(problem->verdict)) return failure;
      record.AddFailure(std::move(failure));
    }
    if (cases.empty()) {
      ++record.counts[kCheck].unsupported;
      ++record.next;
    }
    return std::nullopt;
  }

  // Looks for a shorter sequence that fails in the same check with the same verdict.
  std::optional<CheckFailure> Search(DriverSession& session, absl::Duration deadline,
                                     TestRecord& record) const {
    PlanSearch& search = static_cast<PlanSearch&>(*record.search);
    while (!search.deadline.HasPassed() && search.losses < kMostLosses) {
      const auto next = search.shorter.next();
      if (!next) break;
      const LifecycleOutcome outcome =
          RunLifecycle(session, deadline, search.room, search.cases, next->value());
      if (!outcome.failure.has_value()) continue;
      const CheckFailure& failure = *outcome.failure;
      if (failure.check == search.failure.check && failure.verdict == search.failure.verdict) {
        search.failure = failure;
        search.current = *next;
        search.shorter = search.current.shrinks();
      }
      if (EndsSession(failure.verdict)) {
        ++search.losses;
        return failure;
      }
    }
    record.AddFailure(std::move(search.failure));
    record.search = nullptr;
    ++record.next;
    return std::nullopt;
  }

  const std::vector<CaseInMode> cases_;
  const uint64_t seed_;
};

}  // namespace

std::vector<Check> LifecycleChecks() { return {kChecks.begin(), kChecks.end()}; }

std::vector<std::unique_ptr<SuiteTest>> MakeLifecycleTests(absl::Span<const CaseInMode> cases,
                                                           HalVersion version) {
  const std::vector<CaseInMode> chosen = OneOfEachKind(cases, version);
  std::vector<std::unique_ptr<SuiteTest>> tests;
  for (size_t i = 0; i < chosen.size(); ++i) {
    std::vector<CaseInMode> members;
    for (size_t k = 0; k < std::min(kModels, chosen.size()); ++k) {
      members.push_back(chosen[(i + k) % chosen.size()]);
    }
    tests.push_back(std::make_unique<LifecycleTest>(std::move(members), i));
  }
  return tests;
}

}  // namespace nncert
