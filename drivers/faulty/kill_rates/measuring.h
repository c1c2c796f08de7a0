// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Measures what suites make of rules, each rule in a process of its own.

#ifndef NNCERT_DRIVERS_FAULTY_KILL_RATES_MEASURING_H_
#define NNCERT_DRIVERS_FAULTY_KILL_RATES_MEASURING_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "drivers/faulty/foreseen_tests.h"
#include "drivers/faulty/kill_rates/kill_rates.h"
#include "drivers/faulty/rules/rule.h"

namespace nncert::faulty {

/// Static tests that belong together.
struct MeasuredSuite {
  std::string name;
  std::vector<Test> tests;
  /// Whether faults are to be judged by it. If not, it only tells which operations rules change.
  bool is_measured = true;
};

/// How to measure.
struct MeasuringOptions {
  /// Whether to look at rules under conditions as well.
  bool has_conditions = true;
  /// How many rules run at the same time.
  size_t jobs = 1;
  /// Where what each rule came to is written as soon as it is known; empty for nowhere.
  std::string journal;
  /// Whether to go on with that journal, which must be of the same suites and options.
  bool resume = false;
  /// Asked after each rule; null for never. True ends with Cancelled.
  std::function<bool()> should_stop = nullptr;
  /// Is told the units of each rule, and how many rules are left. Null for nobody.
  std::function<void(absl::Span<const Unit> units, size_t left)> on_rule = nullptr;
};

/// The rules that change single operations and leave the process as it is.
std::vector<const Rule*> MeasurableRules();

/// Those of them in whose names a regular expression occurs, which the flag --rules has.
/// InvalidArgument, with that name, when it is none, and when it leaves no rule.
absl::StatusOr<std::vector<const Rule*>> MeasurableRulesNamed(const std::string& expression);

/// Measures rules, which are measurable, by all suites. Fails with the first error, and when the
/// journal cannot be read or written or is of another run. To be called while there is no other
/// thread.
absl::StatusOr<KillRates> MeasureKillRates(absl::Span<const Rule* const> rules,
                                           const std::vector<MeasuredSuite>& suites,
                                           const MeasuringOptions& options);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_KILL_RATES_MEASURING_H_
