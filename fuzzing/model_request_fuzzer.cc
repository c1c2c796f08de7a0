// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the reference driver and everything that judges it with models and requests.
//
// A case that the catalogue accepts is run as the suites run it, without expected values, so that
// float is held against double and the enclosure, and so is double: a wrong answer is as much of a
// finding as a crash. A case that it does not accept must be refused by the driver.

#include <algorithm>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cases/case_file.h"
#include "fuzzing/fuzz_target.h"
#include "glog/logging.h"
#include "hal/utils.h"
#include "harness/case_runner.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/driver_session.h"
#include "reference/driver/driver.h"
#include "reference/execution/model_validation.h"

namespace nncert {
namespace {

// Cases beyond these are left alone: a fuzzer learns nothing from one that takes seconds.
constexpr uint64_t kGreatestElements = 1 << 14;
constexpr size_t kGreatestOperations = 16;
constexpr size_t kGreatestExamples = 2;
constexpr double kMostStepsOfExecution = 1 << 20;

bool IsSmall(const TestCase& test_case) {
  uint64_t bytes = 0;
  for (const hal::V1_2::Operand& operand : test_case.model.operands) {
    const std::optional<uint64_t> size = hal::nonExtensionOperandSizeOfData(operand);
    if (!size.has_value() || *size > kGreatestElements) return false;
    bytes += *size;
  }
  return bytes <= 4 * kGreatestElements &&
         test_case.model.operations.size() <= kGreatestOperations &&
         test_case.examples.size() <= kGreatestExamples;
}

DriverSession& Session() {
  static DriverSession* const session = [] {
    absl::StatusOr<std::unique_ptr<DriverSession>> opened =
        DriverSession::FromDevice(MakeReferenceDriverOf(kMostStepsOfExecution), "reference");
    CHECK(opened.ok()) << opened.status();
    return opened->release();
  }();
  return *session;
}

void Run(TestCase test_case) {
  // Without expected values the oracle's are the ones that count.
  for (Example& example : test_case.examples) example.outputs.clear();
  test_case.name = "fuzz";
  test_case.dynamicOutputShapeName = "fuzz_dynamic_output_shape";
  test_case.multinomialDistributionTolerance = 0;
  test_case.quantizedTolerance = 1;
  test_case.deviation.clear();
  test_case.expectFailure = false;
  const absl::Status valid = ValidateModel(test_case.model);
  if (!valid.ok()) {
    ModelOnDriver model(Session(), absl::Seconds(60));
    const std::optional<Problem> problem =
        model.Prepare(std::make_shared<const hal::V1_2::Model>(test_case.model));
    CHECK(problem.has_value()) << "the driver prepared an invalid model: " << valid;
    return;
  }
  RunOptions options;
  options.most_steps = kMostStepsOfExecution;
  // What overflows in single precision alone may be any answer; a fuzzer finds that everywhere.
  options.explains_specials = true;
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    const CaseResult result = RunCase(Session(), test_case, mode, options);
    // A case that is wrong only when its answer is looked at has an answer of the oracle that the
    // enclosure does not hold.
    const bool is_refused = IsCaseError(result.verdict) && result.executions == 0;
    CHECK(!IsFailure(result.verdict) || is_refused)
        << toString(result.verdict) << " " << result.operation << ": " << result.detail;
  }
}

}  // namespace
}  // namespace nncert

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  absl::StatusOr<nncert::CaseFile> file = nncert::ParseCaseFile(absl::MakeConstSpan(data, size));
  if (!file.ok()) return 0;
  for (nncert::TestCase& test_case : file->cases) {
    if (nncert::IsSmall(test_case)) nncert::Run(std::move(test_case));
  }
  return 0;
}
