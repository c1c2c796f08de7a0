// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a suite of the interface's calls is made of: checks, and tests that make them on a driver.

#ifndef NNCERT_HAL_TESTS_CHECK_H_
#define NNCERT_HAL_TESTS_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "harness/isolation/callback_check.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/verdict.h"

namespace nncert {

/// One thing that a suite finds out about a driver, in many places.
struct Check {
  /// What Android's suite calls it, or a name of that kind where it has none.
  std::string_view name;
  /// What a driver that passes it is known to refuse, or to do: a clause.
  std::string_view proves;
};

/// How often a check was made.
struct CheckCount {
  uint64_t passed = 0;
  uint64_t failed = 0;
  /// It was not made, because what would have been sent is legal after all.
  uint64_t skipped = 0;
  /// It could not be made, because the driver does not support what it takes.
  uint64_t unsupported = 0;

  CheckCount& operator+=(const CheckCount& other);
  bool operator==(const CheckCount&) const = default;
};

/// A check that failed.
struct CheckFailure {
  std::string_view check;
  Verdict verdict = Verdict::FAIL;
  /// What was broken, what the driver answered and what was expected.
  std::string detail;
};

/// What a test is at when it looks for a shorter way to a failure that it has found. While there is
/// one, a loss of the driver is no failure: Run is called again and goes on with it.
struct FailureSearch {
  virtual ~FailureSearch() = default;
  /// The failure, by the shortest way so far.
  CheckFailure failure;
};

/// What a test came to, as far as it has been run.
struct TestRecord {
  /// The step that is under way, or the next one. Steps before it are not run again.
  size_t next = 0;
  std::map<std::string_view, CheckCount> counts;
  /// The first failures, no more than kMostFailures.
  std::vector<CheckFailure> failures;
  /// Steps that were left out, since the driver had been lost too often.
  size_t left_out = 0;
  /// Null while no failure is looked into.
  std::shared_ptr<FailureSearch> search;

  static constexpr size_t kMostFailures = 16;

  /// A check has failed.
  void AddFailure(CheckFailure failure);
  /// How often all checks together were made.
  CheckCount Total() const;
  /// PASS, UNSUPPORTED when nothing could be checked for want of support, VACUOUS when nothing was
  /// checked at all; else the verdict of the first failure.
  Verdict verdict() const;
  /// The failures, a line each; the first says it all. For UNSUPPORTED what was not.
  std::string Detail() const;
};

/// A test of a suite, made of steps. It holds nothing of a run, so that it can be run again.
class SuiteTest {
 public:
  virtual ~SuiteTest() = default;

  /// The fixture and the name that Android's suite gives the test.
  virtual std::string fixture() const = 0;
  virtual std::string name() const = 0;
  /// Both, "FIXTURE.NAME".
  std::string full_name() const { return absl::StrCat(fixture(), ".", name()); }
  /// The operation that it is about; empty when it is about none.
  virtual std::string operation() const = 0;
  /// How many steps there are.
  virtual size_t steps() const = 0;

  /// Runs the steps from record.next on. When the driver ends or hangs, gives the check that was
  /// under way and why; record.next is then that step. `deadline` is that of each call.
  virtual std::optional<CheckFailure> Run(DriverSession& session, absl::Duration deadline,
                                          TestRecord& record) const = 0;
};

/// A suite. Adding one takes an entry in AllSuites.
struct Suite {
  /// What --suites and reports call it: "validate_model".
  std::string_view name;
  /// What JUnit calls it, and its member in report.json: "ValidateModel", "validateModel".
  std::string_view junit;
  std::string_view member;
  /// What a test is called, for people, and several: "test of invalid models".
  std::string_view test;
  std::string_view tests;
  /// What a driver that passes is known to do: a sentence without a full stop.
  std::string_view proves;
  /// Whether its tests call the driver by several threads at a time: held on one processor it would
  /// answer by turns, and hardly ever show that these get in each other's way.
  bool needs_processors = false;
  /// Whether it chooses among the systematic cases as well (spec_tests/systematic), for those that
  /// take long to execute: the bundled ones are small.
  bool takes_systematic = false;
  /// Its checks, in order.
  std::vector<Check> (*checks)();
  /// Its tests on a device of `version`, of the cases where it is about cases; what these are of
  /// outlives them. The same cases make the same tests.
  std::vector<std::unique_ptr<SuiteTest>> (*make_tests)(absl::Span<const CaseInMode> cases,
                                                        hal::HalVersion version);
};

/// Every suite, in the order in which they are run.
absl::Span<const Suite> AllSuites();

/// The suite of this name, or null.
const Suite* FindSuite(std::string_view name);

/// The cases that the tests of a suite are made of: the bundled specs and, behind them, the
/// systematic ones where it takes them.
std::vector<CaseInMode> CasesFor(const Suite& suite, absl::Span<const CaseInMode> specs,
                                 absl::Span<const CaseInMode> systematic);

/// The failure of a check by a problem with a call: `what` says what was done to the driver.
CheckFailure FailureOf(std::string_view check, std::string_view what, const Problem& problem);

/// Whether the driver cannot be called after this.
bool EndsSession(Verdict verdict);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CHECK_H_
