// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/output_shapes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_judge.h"
#include "hal_tests/cases/case_mutants.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"
#include "harness/judging/judgement.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_0::ErrorStatus;
using hal::V1_2::Model;
using hal::V1_2::OutputShape;

constexpr std::string_view kSpecified = "fullySpecifiedOutputsTest";
constexpr std::string_view kUnspecified = "unspecifiedOutputsTest";
constexpr std::string_view kSufficient = "sufficientOutputsTest";
constexpr std::string_view kLarger = "largerBuffersTest";
constexpr std::string_view kInsufficientStatus = "insufficientStatusTest";
constexpr std::string_view kInsufficientFlags = "insufficientFlagsTest";
constexpr std::string_view kInsufficientDimensions = "insufficientDimensionsTest";
constexpr std::string_view kInsufficientMemory = "insufficientMemoryTest";

// Bytes that larger buffers are larger by: no multiple of anything.
constexpr size_t kSurplus = 13;

// An execution of a test.
struct Plan {
  enum class Buffers { kExact, kLarge, kShort };
  ExecutionWay way;
  Buffers buffers = Buffers::kExact;
  // The output that is too large for its buffer, how large it is, and how many bytes that has.
  size_t output = 0;
  size_t size = 0;
  size_t capacity = 0;
};

class OutputShapeTest : public PreparedCaseTest {
 public:
  OutputShapeTest(const CaseInMode& test_case, HalVersion version)
      : PreparedCaseTest(test_case, version) {
    const std::vector<ExecutionWay> ways = Ways();
    for (const ExecutionWay& way : ways) plans_.push_back({.way = way});
    const std::vector<size_t> sizes = Sizes();
    plans_.push_back({.way = ways[sizes.front() % ways.size()], .buffers = Plan::Buffers::kLarge});
    if (test_case.mode != TestMode::kDynamic) return;
    for (size_t i = 0; i < sizes.size(); ++i) {
      // Nobody says how large one is that is not looked at, and for one without elements any buffer
      // is large enough.
      const ExpectedOutput& expected = example().outputs[i];
      if (expected.ignored || expected.data.empty() || sizes[i] < 2) continue;
      for (const ExecutionWay& way : ways) AddInsufficient(way, i, sizes[i], sizes[i] - 1);
      if (sizes[i] > 2) AddInsufficient(ways[i % ways.size()], i, sizes[i], 1);
    }
  }

  std::string fixture() const override {
    return test_case().mode == TestMode::kDynamic ? "DynamicOutputShapeTest"
                                                  : "NeuralnetworksHidlTest";
  }
  size_t steps() const override { return plans_.size(); }

 protected:
  std::string_view preparation() const override {
    return test_case().mode == TestMode::kDynamic ? kUnspecified : kSpecified;
  }

  std::optional<CheckFailure> Use(ModelOnDriver& prepared, const GuardedRequest& /*request*/,
                                  TestRecord& record) const override {
    return RunSteps(record, [&](size_t step) {
      const Plan& plan = plans_[step];
      switch (plan.buffers) {
        case Plan::Buffers::kExact:
          break;
        case Plan::Buffers::kLarge:
          return ExecuteLarger(prepared, plan);
        case Plan::Buffers::kShort:
          return ExecuteInsufficient(prepared, plan);
      }
      return ExecuteExact(prepared, plan);
    });
  }

 private:
  const Example& example() const { return test_case().loaded->test_case.examples.front(); }
  const Model& model() const { return test_case().loaded->test_case.model; }

  std::vector<size_t> Sizes() const { return CapacitiesFor(model(), example()); }

  // Without timing: that is another suite's.
  std::vector<ExecutionWay> Ways() const {
    std::vector<ExecutionWay> ways = WaysWithShapesOf(version());
    std::erase_if(
        ways, [](const ExecutionWay& way) { return way.measure == hal::V1_2::MeasureTiming::YES; });
    return ways;
  }

  void AddInsufficient(const ExecutionWay& way, size_t output, size_t size, size_t capacity) {
    plans_.push_back({way, Plan::Buffers::kShort, output, size, capacity});
  }

  // What is wrong with the dimensions that are reported of an output. Where the execution failed,
  // those that the driver does not know are 0.
  std::optional<Problem> WrongDimensions(size_t output, const std::vector<uint32_t>& found,
                                         bool has_failed) const {
    const ExpectedOutput& expected = example().outputs[output];
    if (expected.ignored) return std::nullopt;
    bool fits = found.size() == expected.dimensions.size();
    for (size_t i = 0; fits && i < found.size(); ++i) {
      fits = found[i] == expected.dimensions[i] || (has_failed && found[i] == 0);
    }
    if (fits) return std::nullopt;
    return CaseJudge(test_case()).WrongDimensions(output, found);
  }

  std::optional<Problem> WrongDimensions(const std::vector<OutputShape>& shapes,
                                         bool has_failed) const {
    for (size_t i = 0; i < shapes.size(); ++i) {
      if (auto problem = WrongDimensions(i, shapes[i].dimensions, has_failed)) return problem;
    }
    return std::nullopt;
  }

  std::optional<Problem> WrongCount(const std::vector<OutputShape>& shapes,
                                    bool may_be_none) const {
    const size_t outputs = example().outputs.size();
    if (shapes.size() == outputs || (may_be_none && shapes.empty())) return std::nullopt;
    return Broken(absl::StrCat("it gave ", shapes.size(), " output shapes; expected ",
                               may_be_none ? "none or " : "", outputs));
  }

  std::vector<CheckOutcome> ExecuteExact(ModelOnDriver& prepared, const Plan& plan) const {
    const std::string_view check = preparation();
    std::string what = Describe(plan.way);
    const MadeRequest made = MakeRequest(test_case(), version(), {}, prepared);
    if (!made.request.has_value()) return {{check, what, made.problem}};
    const Executed executed = ExecuteCase(test_case(), prepared, *made.request, plan.way);
    if (executed.problem.has_value()) return {{check, what, executed.problem}};
    const std::vector<OutputShape>& shapes = executed.outcome.outputShapes;
    std::optional<Problem> wrong =
        WrongCount(shapes, HasFullySpecifiedOutputs(ModelInMode(test_case())));
    if (wrong.has_value()) return {{check, what, wrong}};
    std::optional<Problem> denied;
    for (size_t i = 0; i < shapes.size() && !denied.has_value(); ++i) {
      if (shapes[i].isSufficient) continue;
      denied = Broken(absl::StrCat(NameOfOutput(model(), i),
                                   " is not sufficient, with the status "
                                   "NONE; expected it to be"));
    }
    return {{check, what, WrongDimensions(shapes, /*has_failed=*/false)},
            {kSufficient, what, denied}};
  }

  std::vector<CheckOutcome> ExecuteLarger(ModelOnDriver& prepared, const Plan& plan) const {
    RequestLayout layout = {.capacities = Sizes()};
    for (size_t& capacity : layout.capacities) capacity += kSurplus;
    std::string what =
        absl::StrCat("buffers that are ", kSurplus, " bytes larger: ", Describe(plan.way));
    const MadeRequest made = MakeRequest(test_case(), version(), layout, prepared);
    if (!made.request.has_value()) return {{kLarger, what, made.problem}};
    const Executed executed = ExecuteCase(test_case(), prepared, *made.request, plan.way);
    if (executed.problem.has_value()) return {{kLarger, what, executed.problem}};
    for (size_t i = 0; i < executed.values.size(); ++i) {
      const absl::Status status = made.request->CheckRestOf(i, executed.values[i].size());
      if (status.ok()) continue;
      return {{kLarger, what,
               Broken(absl::StrCat("it ", status.message(), ", whose value has ",
                                   executed.values[i].size(),
                                   " bytes; expected no other to be "
                                   "written"))}};
    }
    return {{kLarger, what, std::nullopt}};
  }

  std::vector<CheckOutcome> ExecuteInsufficient(ModelOnDriver& prepared, const Plan& plan) const {
    RequestLayout layout = {.capacities = Sizes()};
    layout.capacities[plan.output] = plan.capacity;
    std::string what =
        absl::StrCat(NameOfOutput(model(), plan.output), " in a buffer of ", plan.capacity, " of ",
                     plan.size, " bytes: ", Describe(plan.way));
    const MadeRequest made = MakeRequest(test_case(), version(), layout, prepared);
    if (!made.request.has_value()) return {{kInsufficientStatus, what, made.problem}};
    const ExecutionOutcome outcome =
        prepared.Execute(made.request->request(), plan.way.executor, plan.way.measure);
    if (outcome.problem.has_value()) return {{kInsufficientStatus, what, outcome.problem}};
    std::vector<CheckOutcome> outcomes = {
        {kInsufficientStatus, what, WrongStatus(outcome.status)},
        {kInsufficientMemory, what, WrongMemory(*made.request)},
    };
    if (outcome.status != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) return outcomes;
    const std::vector<OutputShape>& shapes = outcome.outputShapes;
    std::optional<Problem> wrong = WrongCount(shapes, /*may_be_none=*/false);
    if (wrong.has_value()) {
      outcomes.push_back({kInsufficientFlags, what, wrong});
      return outcomes;
    }
    for (size_t i = 0; i < shapes.size() && !wrong.has_value(); ++i) {
      const bool is_sufficient = i != plan.output;
      if (shapes[i].isSufficient == is_sufficient) continue;
      wrong = Broken(absl::StrCat(NameOfOutput(model(), i), " is ",
                                  is_sufficient ? "not sufficient; expected it to be, for its "
                                                  "buffer is large enough"
                                                : "sufficient; expected it not to be"));
    }
    outcomes.push_back({kInsufficientFlags, what, wrong});
    outcomes.push_back(
        {kInsufficientDimensions, what, WrongDimensions(shapes, /*has_failed=*/true)});
    return outcomes;
  }

  static std::optional<Problem> WrongStatus(ErrorStatus status) {
    if (status == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) return std::nullopt;
    Problem problem = Broken(absl::StrCat("it ended with ", hal::toString(status),
                                          "; expected OUTPUT_INSUFFICIENT_SIZE"));
    // Which is what a driver says that does not take unknown dimensions.
    if (status == ErrorStatus::GENERAL_FAILURE) problem.verdict = Verdict::UNSUPPORTED;
    return problem;
  }

  static std::optional<Problem> WrongMemory(const GuardedRequest& request) {
    const absl::Status status = request.CheckGuards();
    if (status.ok()) return std::nullopt;
    return Broken(absl::StrCat("it ", status.message(), "; expected it to stay in the buffers"));
  }

  std::vector<Plan> plans_;
};

}  // namespace

std::vector<Check> OutputShapeChecks() {
  return {
      {kSpecified, "outputs whose dimensions the model says are reported with these, or not"},
      {kUnspecified, "outputs whose dimensions the model leaves open are reported with theirs"},
      {kSufficient, "buffers that are large enough are reported to be sufficient"},
      {kLarger, "nothing is written to a larger buffer behind the value"},
      {kInsufficientStatus, "an execution with a buffer that is too small ends as it has to"},
      {kInsufficientFlags, "exactly the buffer that is too small is reported to be"},
      {kInsufficientDimensions,
       "the dimensions of outputs are reported when a buffer is too small"},
      {kInsufficientMemory, "nothing is written past a buffer that is too small"},
  };
}

std::vector<std::unique_ptr<SuiteTest>> MakeOutputShapeTests(absl::Span<const CaseInMode> cases,
                                                             HalVersion version) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  if (version < HalVersion::V1_2) return tests;
  for (const CaseInMode& test_case : cases) {
    if (IsExecutable(test_case, version)) {
      tests.push_back(std::make_unique<OutputShapeTest>(test_case, version));
    }
  }
  return tests;
}

}  // namespace nncert
