// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs a test case on a driver and judges what comes back.

#ifndef NNCERT_HARNESS_CASE_RUNNER_H_
#define NNCERT_HARNESS_CASE_RUNNER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "cases/test_case.h"
#include "harness/case_driver.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/case_answers.h"
#include "harness/records/case_result.h"
#include "reference/execution/executor.h"

namespace nncert {

/// How a case is to be run.
struct RunOptions {
  /// Where a case that fails is written to (see DumpCase); made when it does not exist. Empty:
  /// nowhere.
  std::string dump_directory;
  /// Where the case was read from, for the reproduce line of a failure that is not dumped.
  std::string source_path;
  /// What the reproduce line says of how the driver is run: flags of "nncert run", a space before
  /// each. Empty: what is usual fails again.
  std::string reproduce_flags;
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
  /// Nothing runs the case asynchronously, synchronously and by a burst, without and with timing; a
  /// number in one of these six ways alone, this one modulo 6. For many cases in little time.
  std::optional<uint64_t> only_way = std::nullopt;
  /// Whether all calls of a case with small inputs and outputs are made at once where that can be
  /// (CaseDriver::CallAtOnce), which saves a driver in another process most of the time that small
  /// models take. What goes wrong so is asked again call by call.
  bool at_once = false;
  /// The most steps that the oracle may take for one execution (see ExecutionOptions).
  double most_steps = kMostSteps;
  /// Whether CaseResult::accuracy is wanted, which the verdict does not depend on.
  bool measures_accuracy = true;
  /// What the driver answers goes there, in place of all before; null for nowhere. Not owned.
  AnswersBuilder* answers = nullptr;
};

/// Runs every example of a case in every way that belongs to `mode`: on 1.2 devices asynchronously,
/// synchronously and by a burst, with and without timing, each with outputs fully specified
/// (kStatic), or unspecified and with a buffer one byte short (kDynamic); on earlier devices once,
/// if the model can be converted to their version. Follows Android's VTS where this says nothing
/// else.
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
CaseResult RunCase(DriverSession& session, const TestCase& test_case, TestMode mode,
                   const RunOptions& options = {});

/// The same on whatever answers; RunOptions::answers is not filled.
CaseResult RunCase(CaseDriver& driver, const TestCase& test_case, TestMode mode,
                   const RunOptions& options);

}  // namespace nncert

#endif  // NNCERT_HARNESS_CASE_RUNNER_H_
