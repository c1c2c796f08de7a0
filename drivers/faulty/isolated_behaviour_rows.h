// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_DRIVERS_FAULTY_ISOLATED_BEHAVIOUR_ROWS_H_
#define NNCERT_DRIVERS_FAULTY_ISOLATED_BEHAVIOUR_ROWS_H_

#include <optional>
#include <ostream>
#include <string_view>

#include "absl/types/span.h"
#include "harness/records/case_result.h"
#include "harness/records/verdict.h"

namespace nncert::faulty {

/// What a case comes to that a rule bites. In texts * stands for any text: figures that vary.
struct BehaviourOutcome {
  Verdict verdict = Verdict::PASS;
  std::string_view detail = {};
};

/// A rule, and what a run of the cases on the driver with it comes to.
struct BehaviourRow {
  std::string_view rule;
  /// The case of NEG in the static mode; and in the dynamic mode, where it is another one.
  BehaviourOutcome outcome = {};
  std::optional<BehaviourOutcome> when_dynamic = std::nullopt;
  /// The finding of the run, and another one where there are two.
  std::string_view finding = {};
  std::string_view second_finding = {};
  /// Why the driver cannot be opened: there is no run.
  std::string_view error = {};
  /// What stands behind the name of the rule.
  std::string_view rest = "@operation=NEG";

  const BehaviourOutcome& OutcomeIn(TestMode mode) const {
    return mode == TestMode::kDynamic && when_dynamic.has_value() ? *when_dynamic : outcome;
  }
};

/// Prints the name of the rule, for GoogleTest.
void PrintTo(const BehaviourRow& row, std::ostream* stream);

/// A row for each rule about behaviour.
absl::Span<const BehaviourRow> BehaviourRows();

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_ISOLATED_BEHAVIOUR_ROWS_H_
