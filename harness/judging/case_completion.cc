// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/case_completion.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "harness/isolation/guarded_request.h"
#include "reference/extension.h"

namespace nncert {
namespace {

// Gives outputs to the examples that leave them to the oracle. Where the catalogue does not have an
// operation, the dimensions of the model must do, and nothing is compared.
absl::Status CompleteOutputs(TestCase& test_case, Oracle& oracle) {
  for (size_t i = 0; i < test_case.examples.size(); ++i) {
    std::vector<ExpectedOutput>& outputs = test_case.examples[i].outputs;
    if (!outputs.empty()) continue;
    absl::StatusOr<std::vector<ExpectedOutput>> expected = oracle.Expected(i);
    if (expected.ok()) {
      outputs = *std::move(expected);
      continue;
    }
    if (!absl::IsUnimplemented(expected.status()) || !HasFullySpecifiedOutputs(test_case.model)) {
      return absl::Status(expected.status().code(),
                          absl::StrCat("example ", i,
                                       " has no expected outputs, and the oracle "
                                       "does not give them: ",
                                       expected.status().message()));
    }
    for (const uint32_t output : test_case.model.outputIndexes) {
      outputs.push_back({true, test_case.model.operands[output].dimensions, {}});
    }
  }
  return absl::OkStatus();
}

// Checks that the documentation gives no example of a case that is to fail a result, and gives
// outputs, whose buffers are needed, to the examples without.
absl::Status CheckExpectedFailure(TestCase& test_case, Oracle& oracle) {
  for (size_t i = 0; i < test_case.examples.size(); ++i) {
    if (oracle.Expected(i).ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("example ", i, " is to fail, but the documentation gives it a result"));
    }
    std::vector<ExpectedOutput>& outputs = test_case.examples[i].outputs;
    if (!outputs.empty()) continue;
    if (!HasFullySpecifiedOutputs(test_case.model)) {
      return absl::InvalidArgumentError(
          absl::StrCat("example ", i, " has no outputs, and the model does not say how large"));
    }
    for (const uint32_t output : test_case.model.outputIndexes) {
      outputs.push_back({true, test_case.model.operands[output].dimensions, {}});
    }
  }
  return absl::OkStatus();
}

// Puts what the documentation says in place of the outputs that the case expects. What is ignored
// stays so.
absl::Status FollowDocumentation(TestCase& test_case, Oracle& oracle) {
  for (size_t i = 0; i < test_case.examples.size(); ++i) {
    absl::StatusOr<std::vector<ExpectedOutput>> documented = oracle.Expected(i);
    if (!documented.ok()) {
      return absl::Status(documented.status().code(),
                          absl::StrCat("it has the deviation ", test_case.deviation,
                                       ", but the oracle does not give the documented answer to "
                                       "example ",
                                       i, ": ", documented.status().message()));
    }
    std::vector<ExpectedOutput>& outputs = test_case.examples[i].outputs;
    for (size_t k = 0; k < outputs.size(); ++k) {
      if (!outputs[k].ignored) outputs[k] = std::move((*documented)[k]);
    }
  }
  return absl::OkStatus();
}

}  // namespace

TestCase CaseToComplete(TestCase test_case) {
  if (!test_case.deviation.empty()) test_case.expectFailure = false;
  test_case.model = WithCataloguePrefixes(std::move(test_case.model));
  return test_case;
}

absl::Status CompleteCase(TestCase& test_case, Oracle& oracle) {
  if (absl::Status status = test_case.expectFailure ? CheckExpectedFailure(test_case, oracle)
                                                    : CompleteOutputs(test_case, oracle);
      !status.ok()) {
    return status;
  }
  return test_case.deviation.empty() ? absl::OkStatus() : FollowDocumentation(test_case, oracle);
}

}  // namespace nncert
