// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/determinism.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_2::Model;
using hal::V1_2::OperationType;

constexpr std::string_view kRepeat = "repeatExecutionTest";
constexpr std::string_view kOverwrite = "overwriteOutputsTest";
constexpr std::string_view kCompare = "compareExecutionsTest";
constexpr std::string_view kCompileAgain = "compileAgainTest";

// Flips every bit of what is in the outputs' buffers: a bit that the driver does not write is not
// the same afterwards.
constexpr uint8_t kEveryBit = 0xFF;

// Whether the documentation has the driver draw lots: seeds that are 0 stand for any.
bool IsLeftToChance(const TestCase& test_case) {
  return std::any_of(test_case.model.operations.begin(), test_case.model.operations.end(),
                     [](const hal::V1_2::Operation& operation) {
                       return operation.type == OperationType::RANDOM_MULTINOMIAL;
                     }) &&
         std::any_of(test_case.examples.front().inputs.begin(),
                     test_case.examples.front().inputs.end(), [](const InputValue& input) {
                       return std::all_of(input.data.begin(), input.data.end(),
                                          [](uint8_t byte) { return byte == 0; });
                     });
}

class DeterminismTest : public PreparedCaseTest {
 public:
  DeterminismTest(const CaseInMode& test_case, HalVersion version)
      : PreparedCaseTest(test_case, version), ways_(UntimedWaysOf(version)) {}

  std::string fixture() const override { return "DeterminismTest"; }
  // A step for each way, and one for the model that is prepared again.
  size_t steps() const override { return ways_.size() + 1; }

 protected:
  std::string_view preparation() const override { return kRepeat; }

  std::optional<CheckFailure> Use(ModelOnDriver& prepared, const GuardedRequest& /*request*/,
                                  TestRecord& record) const override {
    // What the first execution of all gave, once there is one.
    std::optional<OutputValues> first;
    return RunSteps(record, [&](size_t step) {
      MadeRequest made = MakeRequest(test_case(), version(), {}, prepared);
      if (!made.request.has_value()) {
        return std::vector<CheckOutcome>{{kRepeat, "the first request", made.problem}};
      }
      return step < ways_.size() ? ExecuteIn(ways_[step], prepared, *made.request, first)
                                 : CompileAgain(prepared, *made.request, first);
    });
  }

 private:
  std::vector<CheckOutcome> ExecuteIn(const ExecutionWay& way, ModelOnDriver& prepared,
                                      GuardedRequest& request,
                                      std::optional<OutputValues>& first) const {
    const std::string what = Describe(way);
    Executed once = first.has_value() ? ExecuteCaseAgain(test_case(), prepared, request, way)
                                      : ExecuteCase(test_case(), prepared, request, way);
    if (once.problem.has_value()) return {{kRepeat, what, once.problem}};
    std::vector<CheckOutcome> outcomes;
    if (first.has_value()) {
      outcomes.push_back(
          {kCompare, what, DifferenceOf(once.values, "this", *first, Describe(ways_.front()))});
    }
    request.Reset();
    const Executed again = ExecuteCaseAgain(test_case(), prepared, request, way);
    outcomes.push_back({kRepeat, what,
                        again.problem.has_value() ? again.problem
                                                  : DifferenceOf(again.values, "a second execution",
                                                                 once.values, "the first one")});
    if (again.problem.has_value()) return outcomes;
    request.Reset(kEveryBit);
    const Executed other = ExecuteCaseAgain(test_case(), prepared, request, way);
    outcomes.push_back(
        {kOverwrite, what,
         other.problem.has_value()
             ? other.problem
             : DifferenceOf(other.values, "an execution with other bytes in the buffer",
                            once.values, "the first one")});
    if (!first.has_value()) first = std::move(once.values);
    return outcomes;
  }

  std::vector<CheckOutcome> CompileAgain(ModelOnDriver& prepared, GuardedRequest& request,
                                         std::optional<OutputValues>& first) const {
    const std::string what = "a model that is prepared again";
    const ExecutionWay& way = ways_.front();
    if (!first.has_value()) {
      Executed executed = ExecuteCase(test_case(), prepared, request, way);
      if (executed.problem.has_value()) return {{kCompileAgain, what, executed.problem}};
      first = std::move(executed.values);
      request.Reset();
    }
    ModelOnDriver other(prepared.session(), prepared.deadline());
    if (auto problem = other.Prepare(std::make_shared<const Model>(ModelInMode(test_case())))) {
      return {{kCompileAgain, what, problem}};
    }
    const Executed executed = ExecuteCaseAgain(test_case(), other, request, way);
    if (executed.problem.has_value()) return {{kCompileAgain, what, executed.problem}};
    if (auto problem = other.Release()) return {{kCompileAgain, what, problem}};
    return {{kCompileAgain, what,
             DifferenceOf(executed.values, "the second preparation", *first, "the first one")}};
  }

  const std::vector<ExecutionWay> ways_;
};

}  // namespace

std::vector<Check> DeterminismChecks() {
  return {
      {kRepeat, "a request that is executed twice in one way gives the same bytes"},
      {kOverwrite, "what an execution gives does not depend on what was in the outputs' buffers"},
      {kCompare, "a request gives the same bytes in every way of executing"},
      {kCompileAgain, "a model that is prepared a second time gives the same bytes"},
  };
}

std::vector<std::unique_ptr<SuiteTest>> MakeDeterminismTests(absl::Span<const CaseInMode> cases,
                                                             HalVersion version) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  for (const CaseInMode& test_case : cases) {
    if (IsExecutable(test_case, version) && !IsLeftToChance(test_case.loaded->test_case)) {
      tests.push_back(std::make_unique<DeterminismTest>(test_case, version));
    }
  }
  return tests;
}

}  // namespace nncert
