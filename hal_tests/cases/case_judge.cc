// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/cases/case_judge.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal_tests/cases/case_mutants.h"
#include "harness/judging/case_completion.h"
#include "harness/judging/dimension_judge.h"
#include "harness/judging/judge.h"

namespace nncert {
namespace {

// The first example; only that is executed.
TestCase FirstExampleOf(const TestCase& test_case) {
  TestCase first = CaseToComplete(test_case);
  first.examples.resize(1);
  return first;
}

std::optional<Problem> ProblemOf(Judgement judgement) {
  if (!IsFailure(judgement.verdict) || IsCaseError(judgement.verdict)) return std::nullopt;
  return Problem{Verdict::FAIL, std::move(judgement.text)};
}

}  // namespace

CaseJudge::CaseJudge(const CaseInMode& test_case)
    : case_(test_case),
      complete_(FirstExampleOf(test_case.loaded->test_case)),
      oracle_(complete_),
      status_(CompleteCase(complete_, oracle_)) {}

std::optional<Problem> CaseJudge::WrongDimensions(size_t output,
                                                  const std::vector<uint32_t>& found) {
  if (!status_.ok()) return Problem{Verdict::MISSING, std::string(status_.message())};
  if (complete_.examples.front().outputs[output].dimensions == found) return std::nullopt;
  return ProblemOf(JudgeDimensions(complete_, &oracle_, 0, output, found));
}

std::optional<Problem> CaseJudge::WrongOutputs(hal::HalVersion version,
                                               const GuardedRequest& request,
                                               const ExecutionOutcome& outcome,
                                               const ExecutionWay& way) {
  if (!status_.ok()) return Problem{Verdict::MISSING, std::string(status_.message())};
  const bool is_dynamic = case_.mode == TestMode::kDynamic;
  Judge judge({.elements = {.test_case = complete_,
                            .oracle = &oracle_,
                            .kernels = oracle_.options().kernels,
                            .explains_specials = false},
               .is_fully_supported = true,
               .has_fully_specified_outputs = HasFullySpecifiedOutputs(ModelInMode(case_)),
               .has_output_shapes = version >= hal::HalVersion::V1_2});
  return ProblemOf(
      judge(0,
            {way.executor, way.measure,
             is_dynamic ? OutputSpecification::UNSPECIFIED : OutputSpecification::FULLY_SPECIFIED},
            outcome, request));
}

}  // namespace nncert
