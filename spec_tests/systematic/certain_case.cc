// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "spec_tests/systematic/certain_case.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cases/element_values.h"
#include "harness/judging/comparator.h"
#include "harness/judging/oracle.h"
#include "reference/catalogue.h"
#include "reference/execution/executor.h"
#include "reference/number/ball.h"

namespace nncert {
namespace {

// A case is to be run in a moment, and judged.
constexpr double kMostStepsOfCase = 5e6;

bool HasSamples(const hal::V1_2::Model& model) {
  return std::any_of(model.operations.begin(), model.operations.end(), [](const auto& operation) {
    const OperationDefinition* const definition = FindOperation(operation.type);
    return definition != nullptr && definition->outputs_are_random;
  });
}

// Whether nothing is known of an output. Where results are beyond what the type can hold nothing is
// either, but that is no case to be had.
bool IsAnything(const OutputValue& enclosure, const ExpectedOutput& expected) {
  const absl::Span<const Ball> balls = enclosure.balls();
  const auto is_bounded = [](const Ball& ball) { return ball.IsBounded(); };
  if (!enclosure.undecided.ok() || balls.empty() ||
      std::any_of(balls.begin(), balls.end(), is_bounded)) {
    return false;
  }
  const std::vector<double> elements = DecodeElements(enclosure.info.type, expected.data);
  return std::all_of(elements.begin(), elements.end(),
                     [](double element) { return std::isfinite(element); });
}

// How many thresholds the enclosure may reach from what is expected, at the most; the judge
// explains nothing beyond 16.
double MostReach(Certainty certainty) { return certainty == Certainty::kPasses ? 1 : 8; }

bool IsCertain(const Ball& ball, double expected, const Criterion& criterion, Certainty certainty) {
  if (!ball.IsBounded() || !std::isfinite(expected) || !ball.Contains(expected)) return false;
  const double most = MostReach(certainty) * criterion.ThresholdFor(expected);
  return std::max(ball.Upper() - expected, expected - ball.Lower()) <= most;
}

// Whether the reference in single precision passes.
absl::Status CheckFloats(const TestCase& test_case, size_t example,
                         absl::Span<const ExpectedOutput> expected) {
  const absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph =
      PreparedGraph::Create(test_case.model);
  if (!graph.ok()) return graph.status();
  const absl::StatusOr<std::vector<OutputValue>> values =
      (**graph).Execute(NumberSystem::kFloat, ArgumentsOf(test_case.examples[example]));
  if (!values.ok()) return values.status();
  for (size_t i = 0; i < values->size(); ++i) {
    if (expected[i].ignored) continue;
    const OutputValue& value = (*values)[i];
    const absl::StatusOr<ElementComparison> compared = CompareElements(
        value.info.type, CriterionFor(test_case, i), expected[i].data, value.bytes());
    if (!compared.ok()) return compared.status();
    if (!compared->mismatches.empty()) {
      return absl::FailedPreconditionError("the reference in single precision does not pass");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckOutput(const OutputValue& enclosure, const ExpectedOutput& expected,
                         const Criterion& criterion, Certainty certainty) {
  if (!enclosure.undecided.ok()) {
    return absl::FailedPreconditionError(enclosure.undecided.message());
  }
  const std::vector<double> elements = DecodeElements(enclosure.info.type, expected.data);
  const absl::Span<const Ball> balls = enclosure.balls();
  if (balls.size() != elements.size()) {
    return absl::FailedPreconditionError("its dimensions are not certain");
  }
  for (size_t i = 0; i < elements.size(); ++i) {
    if (IsCertain(balls[i], elements[i], criterion, certainty)) continue;
    return absl::FailedPreconditionError(absl::StrCat("element ", i, " is expected to be ",
                                                      elements[i], ", and may be ",
                                                      balls[i].Lower(), " to ", balls[i].Upper()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CompleteIfCertain(TestCase& test_case, Certainty certainty) {
  Oracle oracle(test_case, {.most_steps = kMostStepsOfCase});
  const bool has_samples = HasSamples(test_case.model);
  for (size_t example = 0; example < test_case.examples.size(); ++example) {
    absl::StatusOr<std::vector<ExpectedOutput>> expected = oracle.Expected(example);
    if (!expected.ok()) return expected.status();
    if (!has_samples) {
      const absl::StatusOr<const std::vector<OutputValue>*> enclosures = oracle.Enclosures(example);
      if (!enclosures.ok()) return enclosures.status();
      size_t compared = 0;
      for (size_t i = 0; i < expected->size(); ++i) {
        const OutputValue& enclosure = (**enclosures)[i];
        ExpectedOutput& output = (*expected)[i];
        output.ignored = IsAnything(enclosure, output);
        if (output.ignored) continue;
        ++compared;
        const absl::Status status =
            CheckOutput(enclosure, output, CriterionFor(test_case, i), certainty);
        if (!status.ok()) {
          return absl::Status(status.code(), absl::StrCat("example ", example, " output ", i, ": ",
                                                          status.message()));
        }
      }
      if (certainty == Certainty::kIsExplained) {
        absl::Status status = CheckFloats(test_case, example, *expected);
        if (!status.ok()) return status;
      }
      if (compared == 0) return absl::FailedPreconditionError("nothing is known of its outputs");
    }
    test_case.examples[example].outputs = *std::move(expected);
  }
  return absl::OkStatus();
}

}  // namespace nncert
