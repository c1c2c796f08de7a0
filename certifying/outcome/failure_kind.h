// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What is known of the failures of one kind: what is wrong, how it is seen again, and what may be
// the cause.

#ifndef NNCERT_CERTIFYING_OUTCOME_FAILURE_KIND_H_
#define NNCERT_CERTIFYING_OUTCOME_FAILURE_KIND_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "diagnosis/diagnosis.h"
#include "harness/records/case_result.h"
#include "harness/records/verdict.h"

namespace nncert {

/// An element of an output that is outside of its threshold.
struct WrongElement {
  /// Which example, and which output, counted from 0.
  size_t example = 0;
  size_t output = 0;
  /// Where it is: "[0, 1, 0]".
  std::string place;
  /// Real numbers, or the integers of a quantized or integer output.
  double expected = 0;
  double actual = 0;
  /// By how many times the allowed difference it is off; nothing where none is allowed, or where
  /// the difference is no number.
  std::optional<double> thresholds = std::nullopt;
  /// The bounds of what an honest implementation may give; nothing where they are not known.
  std::optional<double> lowest = std::nullopt;
  std::optional<double> highest = std::nullopt;
};

/// What is wrong with the outputs of one execution.
struct WrongElements {
  /// What they are held to, "fp32"; see Criterion.
  std::string criterion;
  /// How many elements are wrong, of how many.
  uint64_t wrong = 0;
  uint64_t compared = 0;
  /// Those that are off by most, the worst first.
  std::vector<WrongElement> worst;
};

/// The smallest case that shows a failure.
struct Reproducer {
  /// The case file, and the model's drawing for Graphviz; the latter may be empty.
  std::string file;
  std::string drawing;
  /// What its run came to, in a line.
  std::string detail;
  /// The line for a shell that runs it again.
  std::string command;
  /// How many operations the model has.
  size_t operations = 0;
  /// Whether no way to make it still smaller is known.
  bool is_smallest = false;
  /// Nothing where no element is wrong by itself.
  std::optional<WrongElements> elements;
};

/// The failures of one verdict of one operation on one type, of all cases or in one other suite.
struct FailureKind {
  /// The name of the suite, of suites of cases that of the first one.
  std::string suite;
  /// Whether it is a suite of cases: all of these have their failures in common.
  bool is_of_cases = false;
  /// The HAL's names; empty where it is about none.
  std::string operation;
  std::string type;
  Verdict verdict = Verdict::FAIL;
  /// How many cases or tests fail so, of how many of that operation and type that ran, which those
  /// that the driver does not support did not; nothing where the latter is not known.
  uint64_t failed = 0;
  std::optional<uint64_t> of;
  /// The specs that the cases are variations of (CaseResult::spec), with how many are of each,
  /// those of the most first.
  std::vector<std::pair<std::string, uint64_t>> specs;
  /// The first of them.
  CaseResult first;
  /// Nothing before it is looked for, and where there is no case to be run again.
  std::optional<Reproducer> reproducer;
  /// The likely causes, best first.
  std::vector<Cause> causes;
  /// Why no cause was looked for, or found: a sentence without a full stop. Empty before.
  std::string obstacle;
};

/// The full name of the first of them: of a test that is no case its own, of a graph its number.
std::string NameOfFirst(const FailureKind& kind);

/// [{"suite", "operation", "type", "verdict", "failed", "of", "first", "detail", "reproducer":
/// {"file", "command", "detail", "operations", "isSmallest", "elements": {"criterion", "wrong",
/// "compared", "worst": [{"example", "output", "place", "expected", "actual", "thresholds",
/// "enclosure": [lowest, highest]}]}}, "causes": see CausesToJson, "obstacle"}], for a member two
/// spaces deep. What is not known is not there; NaN and infinities are strings.
std::string FailureKindsToJson(absl::Span<const FailureKind> kinds);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_OUTCOME_FAILURE_KIND_H_
