// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a case came to on a driver.

#ifndef NNCERT_HARNESS_RECORDS_CASE_RESULT_H_
#define NNCERT_HARNESS_RECORDS_CASE_RESULT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "cases/test_case.h"
#include "harness/records/accuracy.h"
#include "harness/records/verdict.h"

namespace nncert {

/// The two ways in which a case is run, each of which Android counts as a test of its own.
enum class TestMode {
  /// Every dimension of every output is known from the model or the request.
  kStatic,
  /// No dimension of any output is known, only its rank; and then a buffer is too small. HAL 1.2.
  kDynamic,
};

/// The fixture that Android's tests of this mode belong to: "GeneratedTests" or
/// "DynamicOutputShapeTest". Fixture, dot and CaseResult::name are the test's full name.
std::string_view FixtureName(TestMode mode);

/// The case's name in this mode: TestCase::name or TestCase::dynamicOutputShapeName.
const std::string& NameInMode(const TestCase& test_case, TestMode mode);

/// The first line of a detail, which says it all.
std::string FirstLine(const std::string& detail);

/// What a case came to.
struct CaseResult {
  /// The case's name in this mode, without the fixture.
  std::string name;
  /// How it was run.
  TestMode mode = TestMode::kStatic;
  /// The operation under test: that of a model of one operation; else the first that errs by
  /// itself, or is EXPLAINED or UNDECIDED; else the first one with a suspect element; else the one
  /// whose output is wrong, or the model's last one. The HAL's name.
  std::string operation;
  /// The type of that operation's first input, "TENSOR_FLOAT32"; empty when it has none.
  std::string type;
  /// What it came to. The first run that fails decides; when none fails, the most remarkable one.
  Verdict verdict = Verdict::MISSING;
  /// Empty for PASS. The first line says it all; further lines are further mismatches and, for
  /// failures, how to reproduce it.
  std::string detail;
  /// The name of the file that the case was read from, up to the first dot: "conv_relu6". Cases of
  /// one are variations of each other, and their names begin with it. Empty for other cases, and
  /// when nobody has said it; the journal does not keep it.
  std::string spec;
  /// The files of the failure dump, the case file first.
  std::vector<std::string> dumped_files;
  /// From the beginning to the verdict.
  absl::Duration duration;
  /// Not empty: the case was judged by the documentation in place of its expected outputs, for this
  /// deviation; see TestCase::deviation.
  std::string deviation;
  /// How often the model was executed.
  int executions = 0;
  /// How many elements of outputs were compared, in all executions.
  uint64_t compared_elements = 0;
  /// Why the operations of a model of several were not judged one by one, a sentence without a full
  /// stop; empty when they were.
  std::string undivided;
  /// What the elements of outputs are like that passed or were explained.
  std::vector<OperationAccuracy> accuracy;
};

/// The test's full name: "GeneratedTests.add".
std::string FullName(const CaseResult& result);

}  // namespace nncert

#endif  // NNCERT_HARNESS_RECORDS_CASE_RESULT_H_
