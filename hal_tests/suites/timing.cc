// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/timing.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "hal/deadline.h"
#include "hal/to_string.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_0::ErrorStatus;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Timing;

constexpr std::string_view kUnasked = "timingNotMeasuredTest";
constexpr std::string_view kOrder = "timingOnDeviceTest";
constexpr std::string_view kWithinCall = "timingWithinCallTest";
constexpr std::string_view kFailed = "timingOfFailureTest";

constexpr uint64_t kNoTime = std::numeric_limits<uint64_t>::max();

// What a driver's clock may be off by: a tick of the coarsest one that systems have, and a share
// for clocks that do not go at the same speed.
constexpr absl::Duration kTick = absl::Milliseconds(10);
constexpr double kDrift = 0.01;

// The greatest time that a driver can have measured within a call that took so long.
uint64_t MostMicroseconds(absl::Duration call) {
  return static_cast<uint64_t>(absl::ToInt64Microseconds(call * (1 + kDrift) + kTick));
}

class TimingTest : public PreparedCaseTest {
 public:
  TimingTest(const CaseInMode& test_case, HalVersion version)
      : PreparedCaseTest(test_case, version), ways_(WaysWithShapesOf(version)) {
    const TestCase& loaded = test_case.loaded->test_case;
    can_fail_ = test_case.mode == TestMode::kDynamic &&
                CanBeInsufficient(loaded.model, loaded.examples.front()) &&
                !loaded.examples.front().outputs.front().ignored;
  }

  std::string fixture() const override { return "TimingTest"; }
  // Each way, and those that measure once more with too little room.
  size_t steps() const override { return ways_.size() + (can_fail_ ? ways_.size() / 2 : 0); }

 protected:
  std::string_view preparation() const override { return kUnasked; }

  std::optional<CheckFailure> Use(ModelOnDriver& prepared, const GuardedRequest& request,
                                  TestRecord& record) const override {
    return RunSteps(record, [&](size_t step) {
      // Those that measure are the second half.
      return step < ways_.size() ? Execute(prepared, request, ways_[step])
                                 : Fail(prepared, ways_[step - ways_.size() / 2]);
    });
  }

 private:
  std::vector<CheckOutcome> Execute(ModelOnDriver& prepared, const GuardedRequest& request,
                                    const ExecutionWay& way) const {
    const std::string what = Describe(way);
    const bool is_measured = way.measure == MeasureTiming::YES;
    const absl::Duration start = hal::SteadyClock::System().Now();
    const Executed executed = ExecuteCase(test_case(), prepared, request, way);
    const uint64_t most = MostMicroseconds(hal::SteadyClock::System().Now() - start);
    if (executed.problem.has_value()) {
      return {{is_measured ? kWithinCall : kUnasked, what, executed.problem}};
    }
    const Timing& timing = executed.outcome.timing;
    if (!is_measured)
      return {{kUnasked, what, WrongUnlessNone(timing, "since none was asked for")}};
    std::vector<CheckOutcome> outcomes;
    // Either may be left out.
    if (timing.timeOnDevice != kNoTime && timing.timeInDriver != kNoTime &&
        timing.timeOnDevice > timing.timeInDriver) {
      outcomes.push_back({kOrder, what,
                          Broken(absl::StrCat("the timing is ", hal::toString(timing),
                                              "; expected no more time on the device than in the "
                                              "driver"))});
    } else {
      outcomes.push_back({kOrder, what, std::nullopt});
    }
    for (const uint64_t time : {timing.timeInDriver, timing.timeOnDevice}) {
      if (time == kNoTime || time <= most) continue;
      outcomes.push_back(
          {kWithinCall, what,
           Broken(absl::StrCat("the timing is ", hal::toString(timing), "; expected no more than ",
                               most, " us, since the call did not take longer"))});
      return outcomes;
    }
    outcomes.push_back({kWithinCall, what, std::nullopt});
    return outcomes;
  }

  // The buffer of the first output is one byte short.
  std::vector<CheckOutcome> Fail(ModelOnDriver& prepared, const ExecutionWay& way) const {
    const std::string what = absl::StrCat("a buffer that is one byte short: ", Describe(way));
    const TestCase& loaded = test_case().loaded->test_case;
    RequestLayout layout = {.capacities = CapacitiesFor(loaded.model, loaded.examples.front())};
    --layout.capacities.front();
    const MadeRequest made = MakeRequest(test_case(), version(), layout, prepared);
    if (!made.request.has_value()) return {{kFailed, what, made.problem}};
    const ExecutionOutcome outcome =
        prepared.Execute(made.request->request(), way.executor, way.measure);
    if (outcome.problem.has_value()) return {{kFailed, what, outcome.problem}};
    // That it fails is another suite's to see.
    if (outcome.status == ErrorStatus::NONE) {
      return {{kFailed, what, Problem{Verdict::VACUOUS, "it succeeded"}}};
    }
    return {{kFailed, what,
             WrongUnlessNone(outcome.timing,
                             absl::StrCat("since it ended with ", toString(outcome.status)))}};
  }

  static std::optional<Problem> WrongUnlessNone(const Timing& timing, std::string_view since) {
    if (timing == Timing()) return std::nullopt;
    return Broken(absl::StrCat("the timing is ", hal::toString(timing),
                               "; expected UINT64_MAX for both, ", std::string(since)));
  }

  const std::vector<ExecutionWay> ways_;
  bool can_fail_ = false;
};

}  // namespace

std::vector<Check> TimingChecks() {
  return {
      {kUnasked, "there is no timing that was not asked for"},
      {kOrder, "the time on the device is a part of that in the driver"},
      {kWithinCall, "no time is longer than the call itself"},
      {kFailed, "executions that fail have no timing"},
  };
}

std::vector<std::unique_ptr<SuiteTest>> MakeTimingTests(absl::Span<const CaseInMode> cases,
                                                        HalVersion version) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  if (version < HalVersion::V1_2) return tests;
  for (const CaseInMode& test_case : cases) {
    if (IsExecutable(test_case, version)) {
      tests.push_back(std::make_unique<TimingTest>(test_case, version));
    }
  }
  return tests;
}

}  // namespace nncert
