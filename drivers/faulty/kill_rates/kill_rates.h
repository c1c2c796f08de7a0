// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How many faults suites find: the figures that a suite is judged by.

#ifndef NNCERT_DRIVERS_FAULTY_KILL_RATES_KILL_RATES_H_
#define NNCERT_DRIVERS_FAULTY_KILL_RATES_KILL_RATES_H_

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "drivers/faulty/rules/rule.h"

namespace nncert::faulty {

/// What a suite makes of a unit, from the best to the worst.
enum class Outcome {
  kFailed,           ///< a test fails
  kSuspect,          ///< no test fails, and there is a finding SUSPECT
  kBiased,           ///< neither, and there is a finding BIASED
  kExplained,        ///< tests give other results, some of them EXPLAINED or UNDECIDED
  kWithinThreshold,  ///< tests give other results, all of which pass
  kSameBits,         ///< tests reach the operation, under the condition, and give the same results
  kNotReached,       ///< no test has the operation, or has it meet the condition
};

inline constexpr size_t kOutcomes = 7;

/// "failed", "not_reached": in files.
std::string_view ToString(Outcome outcome);
/// "no test reaches it": for people.
std::string_view Describe(Outcome outcome);

/// Whether the suite shows the fault: one of the first three.
bool IsCaught(Outcome outcome);

/// What a suite makes of a unit, and by which test, where one fails.
struct UnitOutcome {
  Outcome outcome = Outcome::kNotReached;
  std::string witness;
};

/// A rule in one operation, under a condition or under none.
struct Unit {
  const Rule* rule = nullptr;
  /// "CONV_2D".
  std::string operation;
  /// As behind the @ in the name of a fault; empty for none.
  std::string condition;
  /// By suite.
  std::vector<UnitOutcome> by_suite;

  /// What all suites together make of it.
  const UnitOutcome& Best() const;
};

/// What suites make of faults.
///
/// The units of a rule are the operations of which it changes a result in any test of that
/// operation alone, also in those of suites that are not measured; and each of these under each
/// condition that the catalogue says operations can meet with a type of which the rule changes a
/// result (conditions.h). Whether the rule can still show under the condition, nobody knows: such
/// units count as survivors, for the reason kSameBits.
struct KillRates {
  std::vector<std::string> suites;
  std::vector<Unit> units;
};

/// How many units have each outcome.
struct OutcomeCount {
  std::array<size_t, kOutcomes> counts = {};

  void Add(Outcome outcome) { ++counts[static_cast<size_t>(outcome)]; }
  size_t Of(Outcome outcome) const { return counts[static_cast<size_t>(outcome)]; }
  size_t units() const;
  size_t caught() const;
  /// Units whose results some test has changed: all but kSameBits and kNotReached.
  size_t changed() const;
  /// Shares in percent, of all units and of those that are changed; 100 of none.
  double PercentCaught() const;
  double PercentOfChanged() const;
};

/// A hole that was found in the suites of Android, and the units that fall into it: faults of some
/// rules in some operations, under a condition or none.
struct Hole {
  /// What is not found: "strides that differ in width and height".
  std::string_view what;
  /// What Android's suites make of it.
  std::string_view android;
  std::vector<std::string_view> rules;
  /// All where there are none.
  std::vector<std::string_view> operations = {};
  std::string_view condition = {};
  /// What is to be said in place of figures, where there are no rules.
  std::string_view remark = {};

  bool Has(const Unit& unit) const;
};

/// The holes, as they were measured: generated tests of HAL 1.0 to 1.2, and random graph tests.
absl::Span<const Hole> KnownHoles();

/// {"suites": [...], "units", "killed", "suspect", "biased", "survived", "reasons": {OUTCOME: n},
/// "conditional": {the same}, "classes": [{"class", "units", ...}], "operations": [{"operation",
/// ..., "conditional": {...}}], "bySuite": [{"suite", ..., "conditional": {...}}], "holes":
/// [{"hole", "android", "units", ...}], "list": [{"rule", "operation", "condition", "outcome",
/// "suite", "test"}]}, indented. Figures are those of all suites together, but in "bySuite"; those
/// outside "conditional" are of units without a condition, but in "classes", where "conditional" is
/// a class of its own. "list" has every unit.
std::string KillRatesToJson(const KillRates& rates);

/// The same as tables in Markdown, with a line for each survivor outside conditions, and for each
/// rule those under conditions.
std::string KillRatesToMarkdown(const KillRates& rates);

/// What stands above the tables in a document.
inline constexpr std::string_view kTablesMark =
    "<!-- From here on written by nncert kill_rates --markdown=FILE -->\n";

/// A document with other tables: what it has above the mark, all of it if there is none, the mark
/// and the tables.
std::string WithTables(std::string_view document, std::string_view tables);

/// The line of a rule in the table of rules.
std::string RuleRow(const KillRates& rates, const Rule& rule);

/// A few lines: what came of all units, and of those under conditions, by suite.
std::string Summarize(const KillRates& rates);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_KILL_RATES_KILL_RATES_H_
