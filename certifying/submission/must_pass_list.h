// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a complete run consists of.

#ifndef NNCERT_CERTIFYING_SUBMISSION_MUST_PASS_LIST_H_
#define NNCERT_CERTIFYING_SUBMISSION_MUST_PASS_LIST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "certifying/outcome/must_pass_outcome.h"
#include "certifying/report.h"
#include "harness/records/verdict.h"

namespace nncert {

/// A suite of a list.
struct ListedSuite {
  /// What --suites calls it.
  std::string name;
  /// How many tests it has.
  uint64_t count = 0;
  /// What its tests are made of, a word: for cases a digest of what is in them, for random graphs
  /// their seed; "-" where the version of nncert says it.
  std::string content = {};
  /// The full names of the tests, "GeneratedTests.add", in their order, each as often as it is run;
  /// none where tests have no names but their numbers.
  std::vector<std::string> tests = {};

  bool operator==(const ListedSuite&) const = default;
};

/// Cases as a list has them, as a suite of this name. Fails when one cannot be serialized.
absl::StatusOr<ListedSuite> ListCases(const char* name, absl::Span<const CaseInMode> cases);

/// Everything that must have a result before a driver of one HAL version is certified. It depends
/// on the version of nncert and on the HAL version, and on nothing else that a driver says.
struct MustPassList {
  std::string nncert = {};
  std::string hal_version = {};
  /// In the order in which they are run.
  std::vector<ListedSuite> suites = {};

  /// How many tests all suites have.
  uint64_t Tests() const;

  bool operator==(const MustPassList&) const = default;
};

/// The list as text, the same for the same list:
///
///     nncert-must-pass-list 1
///     nncert VERSION
///     hal 1.2
///     suite specs 2 0123456789abcdef
///     GeneratedTests.add
///     DynamicOutputShapeTest.add_dynamic_output_shape
///     suite random_graphs 14500 seed=1 unnamed
std::string MustPassListToText(const MustPassList& list);

/// Reads what MustPassListToText writes, and nothing else. InvalidArgument says in which line what
/// was expected.
absl::StatusOr<MustPassList> ParseMustPassList(std::string_view text);

/// The hash of a list: the SHA-256 of its text, in 64 hexadecimal digits.
std::string HashOf(const MustPassList& list);

/// What became of each test of a list.
struct ListVerdicts {
  /// By suite of the list: the verdict of each named test, MISSING where it has no result; of
  /// unnamed ones nothing.
  std::vector<std::vector<Verdict>> verdicts;
  MustPassOutcome outcome;
};

/// Holds a run against a list. Results are taken in their order, so that one that comes before its
/// turn stands for no test.
ListVerdicts CompareWithList(const RunReport& report, const MustPassList& list);

/// "VERDICT NAME" for each named test of the list, behind the "suite" lines of its text; behind
/// those of unnamed tests "VERDICT COUNT" for each verdict that `report` counts.
std::string VerdictsToText(const RunReport& report, const MustPassList& list,
                           const ListVerdicts& verdicts);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_MUST_PASS_LIST_H_
