// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/dimension_judge.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "reference/execution/model_validation.h"

namespace nncert {
namespace {

// A driver may report any number of dimensions; messages show so many.
constexpr size_t kShownDimensions = 8;

std::string DimensionsText(const std::vector<uint32_t>& dimensions) {
  if (dimensions.size() <= kShownDimensions) return hal::dimensionsToString(dimensions);
  const std::vector<uint32_t> shown(dimensions.begin(), dimensions.begin() + kShownDimensions);
  return absl::StrCat(hal::dimensionsToString(shown), " and ", dimensions.size() - kShownDimensions,
                      " more");
}

// Whether an undecided output may have so many rows, as far as that is known.
bool MayHaveRows(const OutputValue& value, const std::vector<uint32_t>& dimensions) {
  if (value.possible_rows == nullptr || value.possible_rows->have_counts || dimensions.empty()) {
    return true;
  }
  size_t least = 0;
  size_t most = 0;
  for (const PossibleRows::Group& group : value.possible_rows->groups) {
    least += group.least;
    most += group.most;
  }
  return dimensions[0] >= least && dimensions[0] <= most;
}

}  // namespace

Judgement JudgeDimensions(const TestCase& test_case, Oracle* oracle, size_t example, size_t output,
                          const std::vector<uint32_t>& found) {
  const hal::V1_2::Model& model = test_case.model;
  const ExpectedOutput& expected = test_case.examples[example].outputs[output];
  Judgement judgement =
      Fail(absl::StrCat(NameOfOutput(model, output), " has the dimensions ", DimensionsText(found),
                        "; expected ", hal::dimensionsToString(expected.dimensions)));
  judgement.operand = model.outputIndexes[output];
  // Where dimensions depend on values, they can be as uncertain as the values are.
  const absl::Status declared =
      CheckDeclaredDimensions(model.operands[model.outputIndexes[output]].dimensions, found);
  if (oracle != nullptr && declared.ok()) {
    const absl::StatusOr<const std::vector<OutputValue>*> enclosures = oracle->Enclosures(example);
    if (enclosures.ok() && !(**enclosures)[output].undecided.ok()) {
      if (!MayHaveRows((**enclosures)[output], found)) return judgement;
      judgement.verdict = Verdict::UNDECIDED;
      absl::StrAppend(&judgement.text, "; the enclosure does not decide: ",
                      (**enclosures)[output].undecided.message());
    } else if (enclosures.ok() && std::equal(found.begin(), found.end(),
                                             (**enclosures)[output].info.dimensions.begin(),
                                             (**enclosures)[output].info.dimensions.end())) {
      judgement.verdict = Verdict::WRONG_EXPECTATION;
      absl::StrAppend(&judgement.text,
                      "; the reference has the driver's dimensions: ", kWrongExpectation);
    }
  }
  return judgement;
}

}  // namespace nncert
