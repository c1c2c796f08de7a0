// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a run of a test case came to.

#ifndef NNCERT_HARNESS_RECORDS_VERDICT_H_
#define NNCERT_HARNESS_RECORDS_VERDICT_H_

#include <array>
#include <optional>
#include <ostream>
#include <string_view>

namespace nncert {

/// What a run of a test case came to. Only PASS and UNSUPPORTED need no attention.
enum class Verdict {
  /// Everything that was expected was compared, and was as expected.
  PASS,
  /// A result is wrong, or the driver broke a rule of the HAL.
  FAIL,
  /// The driver's process died.
  CRASH,
  /// The driver did not answer within the deadline.
  TIMEOUT,
  /// The driver said that it does not run this model, or the model needs a later HAL version.
  UNSUPPORTED,
  /// The driver claimed to support every operation of the model, and then did not run it.
  BROKEN_PROMISE,
  /// It failed, and passed when it was run again: the driver is right by chance, or by what it did
  /// before.
  FLAKY,
  /// Off by more than the documented threshold, but by no more than an honest implementation may
  /// be: the model is ill-conditioned for this input.
  EXPLAINED,
  /// Off by more than the documented threshold where no finite enclosure of the right answer is
  /// known, so that nobody can say whether the driver is wrong.
  UNDECIDED,
  /// It ran, but nothing was really compared. In a suite that must run, a defect of the suite,
  /// which fails the run.
  VACUOUS,
  /// It failed, and a waiver names it.
  WAIVED,
  /// The case itself is invalid: the model, an example, or how it is to be run. Nothing was judged.
  INVALID,
  /// What the case expects is wrong, and the driver is not: no honest implementation answers so, by
  /// the documentation.
  WRONG_EXPECTATION,
  /// It was to be judged, and nncert could not: the result was lost, or nncert disagrees with
  /// itself.
  MISSING,
};

/// All verdicts, in the order of the enumeration.
inline constexpr std::array<Verdict, 14> kVerdicts = {Verdict::PASS,
                                                      Verdict::FAIL,
                                                      Verdict::CRASH,
                                                      Verdict::TIMEOUT,
                                                      Verdict::UNSUPPORTED,
                                                      Verdict::BROKEN_PROMISE,
                                                      Verdict::FLAKY,
                                                      Verdict::EXPLAINED,
                                                      Verdict::UNDECIDED,
                                                      Verdict::VACUOUS,
                                                      Verdict::WAIVED,
                                                      Verdict::INVALID,
                                                      Verdict::WRONG_EXPECTATION,
                                                      Verdict::MISSING};

/// The enumerator's name: "BROKEN_PROMISE".
std::string_view toString(Verdict verdict);

/// The verdict of this name; nothing when there is none.
std::optional<Verdict> verdictFromString(std::string_view name);

/// Whether the verdict is a failure, which the exit status of the tools follows: FAIL, CRASH,
/// TIMEOUT, BROKEN_PROMISE, FLAKY, INVALID, WRONG_EXPECTATION and MISSING are.
bool IsFailure(Verdict verdict);

/// Whether the verdict of a test of a suite fails the suite: IsFailure, and VACUOUS.
bool FailsSuite(Verdict verdict);

/// Whether the verdict is about the case and not about the driver: INVALID and WRONG_EXPECTATION
/// are.
bool IsCaseError(Verdict verdict);

/// Writes toString(verdict).
std::ostream& operator<<(std::ostream& stream, Verdict verdict);

}  // namespace nncert

#endif  // NNCERT_HARNESS_RECORDS_VERDICT_H_
