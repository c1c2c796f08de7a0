// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs a test case on a driver and judges what comes back.

#ifndef NNCERT_HARNESS_CASE_RUNNER_H_
#define NNCERT_HARNESS_CASE_RUNNER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "hal/test_case.h"
#include "harness/driver_session.h"
#include "harness/verdict.h"
#include "reference/executor.h"

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
const std::string& NameInMode(const hal::TestCase& test_case, TestMode mode);

/// How a case is to be run.
struct RunOptions {
  /// Where a case that fails is written to, as a case file, a spec and a graph; made when it does
  /// not exist. Empty: nowhere.
  std::string dump_directory;
  /// Where the case was read from, for the reproduce line of a failure that is not dumped.
  std::string source_path;
  /// How long the driver may take for one call, and from a launch until its callback.
  absl::Duration deadline = kDefaultDeadline;
  /// Whether results outside of the documented threshold are looked at with the enclosure. Without,
  /// every such result is a FAIL.
  bool explain = true;
  /// Whether the enclosure may also explain a NaN or an infinity where a number is expected: that
  /// of a value in between which is too large for the driver's precision, and not for the oracle's.
  /// For tests of the reference itself, by values that nobody computes with; to a driver it is a
  /// FAIL.
  bool explains_specials = false;
  /// Which kernels expected values and enclosures come from. With kFast, whatever is not PASS is
  /// judged once more with kDefinitions before anybody hears of it.
  KernelChoice kernels = KernelChoice::kFast;
  /// The most steps that the oracle may take for one execution (see ExecutionOptions).
  double most_steps = kMostSteps;
};

/// What a case came to.
struct CaseResult {
  /// The case's name in this mode, without the fixture.
  std::string name;
  /// How it was run.
  TestMode mode = TestMode::kStatic;
  /// The operation under test: that of a model of one operation; else the one whose output is
  /// wrong; else the model's last one. The HAL's name.
  std::string operation;
  /// What it came to. The first run that fails decides; when none fails, the most remarkable one.
  Verdict verdict = Verdict::MISSING;
  /// Empty for PASS. The first line says it all; further lines are further mismatches and, for
  /// failures, how to reproduce it.
  std::string detail;
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
};

/// Runs every example of a case in every way that belongs to `mode`: on 1.2 devices asynchronously
/// and synchronously, with and without timing, each with outputs fully specified (kStatic), or
/// unspecified and with a buffer one byte short (kDynamic); on earlier devices once, if the model
/// can be converted to their version. Follows Android's VTS where this says nothing else.
///
/// The result is INVALID when the model or an example is invalid, or when the case has no name in
/// this mode; WRONG_EXPECTATION when the driver differs from an expected value that no honest
/// implementation gives, and is itself inside of the enclosure. Then the case is wrong, or the
/// documentation is contradicted: a case with a deviation is judged by the oracle alone.
///
/// What makes a result FAIL, EXPLAINED or UNDECIDED is judged by the definitions of the operations
/// in the end, whatever fast kernels said first. Where the two disagree nncert is wrong, not the
/// driver: the result is MISSING, with both opinions.
///
/// A case that is to fail (TestCase::expectFailure) passes when the driver refuses the model by a
/// status, supported or not, or when no execution succeeds; it is INVALID when the oracle has a
/// result for it. Such a model must be valid in structure.
CaseResult RunCase(DriverSession& session, const hal::TestCase& test_case, TestMode mode,
                   const RunOptions& options = {});

}  // namespace nncert

#endif  // NNCERT_HARNESS_CASE_RUNNER_H_
