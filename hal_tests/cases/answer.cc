// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/cases/answer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"

namespace nncert {

using hal::V1_0::ErrorStatus;

Answer AnswerOf(const GuardedRequest& request, Executor executor, const ExecutionOutcome& outcome) {
  Answer answer;
  answer.problem = outcome.problem;
  if (answer.problem.has_value()) return answer;
  if (const absl::Status status = request.CheckMemory(); !status.ok()) {
    answer.problem = Broken(
        absl::StrCat("the driver ", status.message(), "; expected nothing but outputs to change"));
    return answer;
  }
  answer.status = outcome.status;
  if (executor != Executor::ASYNC_1_0) answer.shapes = outcome.outputShapes;
  for (size_t i = 0; i < request.request().outputs.size(); ++i) {
    const absl::Span<const uint8_t> bytes = request.output(i);
    answer.outputs.emplace_back(bytes.begin(), bytes.end());
  }
  return answer;
}

Answer ExecuteExample(ModelOnDriver& prepared, const CaseInMode& test_case, const Example& example,
                      hal::HalVersion version, SparePools& spares, const ExecutionWay& way) {
  const absl::StatusOr<GuardedRequest> request = RequestOf(test_case, example, version, spares);
  if (!request.ok()) {
    Answer answer;
    answer.problem =
        Problem{Verdict::MISSING, absl::StrCat("no request: ", request.status().message())};
    return answer;
  }
  return AnswerOf(*request, way.executor,
                  prepared.Execute(request->request(), way.executor, way.measure));
}

std::string DifferenceFrom(const Answer& before, const Answer& now, const std::string& earlier) {
  if (now.status != before.status) {
    return absl::StrCat("it ended with ", toString(now.status), "; expected ",
                        toString(before.status), " as ", earlier);
  }
  if (now.status != ErrorStatus::NONE) return "";
  if (now.shapes.has_value() && before.shapes.has_value() && *now.shapes != *before.shapes) {
    return absl::StrCat("the output shapes differ; expected the same as ", earlier);
  }
  for (size_t i = 0; i < std::min(now.outputs.size(), before.outputs.size()); ++i) {
    const std::vector<uint8_t>& bytes = now.outputs[i];
    const auto [found, expected] = std::mismatch(
        bytes.begin(), bytes.end(), before.outputs[i].begin(), before.outputs[i].end());
    if (found == bytes.end()) continue;
    return absl::StrCat("byte ", found - bytes.begin(), " of output ", i, " is ", *found,
                        "; expected ", *expected, " as ", earlier);
  }
  return "";
}

}  // namespace nncert
