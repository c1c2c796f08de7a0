// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/preferences.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_judge.h"
#include "hal_tests/cases/case_mutants.h"
#include "harness/isolation/device_calls.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_2::ExecutionPreference;
using hal::V1_2::Model;

constexpr std::string_view kPrepare = "preparePreferenceTest";
constexpr std::string_view kCompare = "comparePreferencesTest";

// Beside FAST_SINGLE_ANSWER, under which every suite has its models prepared.
constexpr ExecutionPreference kOthers[] = {ExecutionPreference::LOW_POWER,
                                           ExecutionPreference::SUSTAINED_SPEED};

class PreferenceTest : public PreparedCaseTest {
 public:
  PreferenceTest(const CaseInMode& test_case, HalVersion version)
      : PreparedCaseTest(test_case, version), way_(UntimedWayOf(test_case, version)) {}

  std::string fixture() const override { return "PreferenceTest"; }
  size_t steps() const override { return std::size(kOthers); }

 protected:
  std::string_view preparation() const override { return kPrepare; }

  std::optional<CheckFailure> Use(ModelOnDriver& prepared, const GuardedRequest& request,
                                  TestRecord& record) const override {
    const Executed fast = ExecuteCase(test_case(), prepared, request, way_);
    return RunSteps(record, [&](size_t step) -> std::vector<CheckOutcome> {
      if (fast.problem.has_value()) {
        return {{kCompare, absl::StrCat("FAST_SINGLE_ANSWER: ", Describe(way_)), fast.problem}};
      }
      return PrepareUnder(kOthers[step], prepared, fast.values);
    });
  }

 private:
  std::vector<CheckOutcome> PrepareUnder(ExecutionPreference preference, ModelOnDriver& prepared,
                                         const OutputValues& fast) const {
    const std::string what = absl::StrCat(hal::toString(preference), ": ", Describe(way_));
    DriverSession& session = prepared.session();
    ModelOnDriver other(session, prepared.deadline());
    if (auto problem =
            other.Adopt(PrepareCall(version()),
                        PrepareModel(session, version(),
                                     std::make_shared<const Model>(ModelInMode(test_case())),
                                     {.preference = preference}, prepared.deadline()))) {
      return {{kPrepare, what, problem}};
    }
    return {{kPrepare, what, std::nullopt}, {kCompare, what, Compare(other, prepared, fast)}};
  }

  std::optional<Problem> Compare(ModelOnDriver& other, ModelOnDriver& prepared,
                                 const OutputValues& fast) const {
    const MadeRequest made = MakeRequest(test_case(), version(), {}, prepared);
    if (!made.request.has_value()) return made.problem;
    const Executed executed = ExecuteCaseAgain(test_case(), other, *made.request, way_);
    if (executed.problem.has_value()) return executed.problem;
    if (auto problem = other.Release()) return problem;
    std::optional<Problem> difference =
        DifferenceOf(executed.values, "that", fast, "FAST_SINGLE_ANSWER");
    if (!difference.has_value()) return std::nullopt;
    std::optional<Problem> wrong =
        CaseJudge(test_case()).WrongOutputs(version(), *made.request, executed.outcome, way_);
    if (wrong.has_value()) wrong->text = absl::StrCat(difference->text, "; ", wrong->text);
    return wrong;
  }

  const ExecutionWay way_;
};

}  // namespace

std::vector<Check> PreferenceChecks() {
  return {
      {kPrepare, "models are prepared under every execution preference"},
      {kCompare, "results are within the documented precision under every execution preference"},
  };
}

std::vector<std::unique_ptr<SuiteTest>> MakePreferenceTests(absl::Span<const CaseInMode> cases,
                                                            HalVersion version) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  if (version < HalVersion::V1_1) return tests;
  for (const CaseInMode& test_case : cases) {
    if (IsExecutable(test_case, version)) {
      tests.push_back(std::make_unique<PreferenceTest>(test_case, version));
    }
  }
  return tests;
}

}  // namespace nncert
