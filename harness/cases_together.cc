// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/cases_together.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "hal/deadline.h"
#include "harness/case_driver.h"
#include "harness/case_under_way.h"

namespace nncert {
namespace {

// How long one call may take. Nobody is accused for a longer one, and a driver that hangs is soon
// asked case by case.
constexpr absl::Duration kDeadline = absl::Seconds(1);
// The most pools in the calls that are made at once. A message carries 253 descriptors.
constexpr size_t kMostPools = 128;

size_t PoolsOf(const PlannedModel& planned) {
  size_t pools = planned.model->pools.size();
  for (const PlannedExecution& execution : planned.executions) {
    pools += execution.request.request().pools.size();
  }
  return pools;
}

// Has calls made at once, as many as a message takes at a time.
class Caller {
 public:
  Caller(CaseDriver& driver, absl::Duration deadline) : driver_(driver), deadline_(deadline) {}

  // Adds the models of a case. Whether the driver has done all that it must so far.
  bool Add(absl::Span<const PlannedModel* const> models) {
    size_t pools = 0;
    for (const PlannedModel* const model : models) pools += PoolsOf(*model);
    if (pools_ + pools > kMostPools && !Call()) return false;
    models_.insert(models_.end(), models.begin(), models.end());
    pools_ += pools;
    return true;
  }

  bool Call() {
    const std::vector<const PlannedModel*> models = std::exchange(models_, {});
    pools_ = 0;
    if (models.empty()) return true;
    if (driver_.CallAtOnce(models, deadline_).has_value()) return false;
    return driver_.ViolationAtOnce().empty() && driver_.IsAnswered(*models.front());
  }

 private:
  CaseDriver& driver_;
  const absl::Duration deadline_;
  std::vector<const PlannedModel*> models_;
  size_t pools_ = 0;
};

// A case under way.
struct Member {
  Member(CaseDriver& driver, const CaseToRun& of)
      : result(BlankResult(*of.test_case, of.mode)),
        run(driver, *of.test_case, of.mode, of.options, result) {}

  CaseResult result;
  CaseUnderWay run;
  bool is_begun = false;
};

}  // namespace

TogetherOutcome RunTogether(DriverSession& session, absl::Span<const CaseToRun> cases) {
  const absl::Duration start = hal::SteadyClock::System().Now();
  const int abandoned = session.calls().abandoned();
  LiveCaseDriver driver(session);
  if (!driver.CanCallAtOnce()) return {};
  absl::Duration deadline = kDeadline;
  for (const CaseToRun& of : cases) deadline = std::min(deadline, of.options.deadline);
  Caller caller(driver, deadline);
  std::deque<Member> members;
  bool is_regular = true;
  for (const CaseToRun& of : cases) {
    Member& member = members.emplace_back(driver, of);
    member.is_begun = member.run.Begin();
    is_regular = !member.is_begun || caller.Add(member.run.Plan());
    if (!is_regular) break;
  }
  if (!is_regular || !caller.Call()) {
    TogetherOutcome nothing;
    const std::string violation = driver.ViolationAtOnce();
    const bool is_slow = session.calls().abandoned() > abandoned;
    if (!violation.empty() && !is_slow) nothing.problem = Problem{Verdict::FAIL, violation};
    return nothing;
  }
  TogetherOutcome outcome;
  for (Member& member : members) {
    if (member.is_begun) member.run.Finish();
    outcome.results.push_back(std::move(member.result));
  }
  driver.spare_pools().DropLarge();
  const absl::Duration duration = hal::SteadyClock::System().Now() - start;
  for (CaseResult& result : outcome.results) {
    result.duration = duration / static_cast<double>(cases.size());
  }
  return outcome;
}

}  // namespace nncert
