// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/kill_rates/kill_rates.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "system/escape.h"

namespace nncert::faulty {
namespace {

// The class of all units under conditions.
constexpr char kConditional[] = "conditional";

constexpr Outcome kAllOutcomes[] = {
    Outcome::kFailed,          Outcome::kSuspect,  Outcome::kBiased,     Outcome::kExplained,
    Outcome::kWithinThreshold, Outcome::kSameBits, Outcome::kNotReached,
};

bool IsAlone(const Unit& unit) { return unit.condition.empty(); }
bool IsConditional(const Unit& unit) { return !IsAlone(unit); }

using Outcomes = std::function<Outcome(const Unit& unit)>;

Outcome OutcomeOfAll(const Unit& unit) { return unit.Best().outcome; }

template <class Predicate>
OutcomeCount CountOf(const KillRates& rates, Predicate is_counted,
                     const Outcomes& outcome_of = &OutcomeOfAll) {
  OutcomeCount count;
  for (const Unit& unit : rates.units) {
    if (is_counted(unit)) count.Add(outcome_of(unit));
  }
  return count;
}

// The counts of groups of units, by the names of the groups.
using NamedCounts = std::vector<std::pair<std::string, OutcomeCount>>;

NamedCounts CountClasses(const KillRates& rates) {
  std::map<FaultClass, OutcomeCount> classes;
  for (const Unit& unit : rates.units) {
    if (IsAlone(unit)) classes[unit.rule->fault_class].Add(OutcomeOfAll(unit));
  }
  NamedCounts counts;
  for (const auto& [fault_class, count] : classes) {
    counts.emplace_back(std::string(ToString(fault_class)), count);
  }
  return counts;
}

NamedCounts CountOperations(const KillRates& rates, bool (*is_counted)(const Unit&)) {
  std::map<std::string, OutcomeCount> operations;
  for (const Unit& unit : rates.units) {
    OutcomeCount& count = operations[unit.operation];
    if (is_counted(unit)) count.Add(OutcomeOfAll(unit));
  }
  return {operations.begin(), operations.end()};
}

// Those of one suite alone.
OutcomeCount CountSuite(const KillRates& rates, size_t suite, bool (*is_counted)(const Unit&)) {
  return CountOf(rates, is_counted,
                 [suite](const Unit& unit) { return unit.by_suite[suite].outcome; });
}

bool HasConditions(const KillRates& rates) {
  return std::any_of(rates.units.begin(), rates.units.end(), &IsConditional);
}

// Those of each suite alone, outside conditions and, where there are any, under them.
NamedCounts CountSuites(const KillRates& rates) {
  NamedCounts counts;
  for (size_t i = 0; i < rates.suites.size(); ++i) {
    counts.emplace_back(rates.suites[i], CountSuite(rates, i, &IsAlone));
    if (HasConditions(rates)) {
      counts.emplace_back(absl::StrCat(rates.suites[i], ", under conditions"),
                          CountSuite(rates, i, &IsConditional));
    }
  }
  return counts;
}

// {"units": ...}, without braces.
std::string CountToJson(const OutcomeCount& count) {
  std::vector<std::string> reasons;
  for (const Outcome outcome : kAllOutcomes) {
    if (!IsCaught(outcome)) {
      reasons.push_back(
          absl::StrCat("\"", std::string(ToString(outcome)), "\": ", count.Of(outcome)));
    }
  }
  return absl::StrCat("\"units\": ", count.units(), ", \"killed\": ", count.Of(Outcome::kFailed),
                      ", \"suspect\": ", count.Of(Outcome::kSuspect),
                      ", \"biased\": ", count.Of(Outcome::kBiased),
                      ", \"survived\": ", count.units() - count.caught(), ", \"reasons\": {",
                      absl::StrJoin(reasons, ", "), "}");
}

std::string ListToJson(std::string_view name, const std::vector<std::string>& entries) {
  return absl::StrCat("  \"", std::string(name), "\": [\n    ", absl::StrJoin(entries, ",\n    "),
                      "\n  ]");
}

std::string Percent(double percent) { return absl::StrFormat("%.1f %%", percent); }

// The columns of a table of counts behind the first one.
constexpr char kCountHeader[] =
    " units | FAIL | SUSPECT | BIASED | survived | caught | of those that change |\n"
    "|--|--|--|--|--|--|--|--|\n";

std::string CountColumns(const OutcomeCount& count) {
  return absl::StrCat(" ", count.units(), " | ", count.Of(Outcome::kFailed), " | ",
                      count.Of(Outcome::kSuspect), " | ", count.Of(Outcome::kBiased), " | ",
                      count.units() - count.caught(), " | ", Percent(count.PercentCaught()), " | ",
                      Percent(count.PercentOfChanged()), " |\n");
}

// The survivors under conditions of a rule, by reason and operation: "same results: ADD (rank>3)".
std::string ConditionalSurvivors(const std::vector<const Unit*>& survivors) {
  std::map<Outcome, std::map<std::string, std::vector<std::string>>> by_reason;
  for (const Unit* unit : survivors) {
    by_reason[OutcomeOfAll(*unit)][unit->operation].push_back(
        absl::StrCat("`", unit->condition, "`"));
  }
  std::vector<std::string> reasons;
  for (const auto& [reason, operations] : by_reason) {
    std::vector<std::string> parts;
    for (const auto& [operation, conditions] : operations) {
      parts.push_back(absl::StrCat(operation, " (", absl::StrJoin(conditions, ", "), ")"));
    }
    reasons.push_back(
        absl::StrCat("**", std::string(Describe(reason)), "**: ", absl::StrJoin(parts, ", ")));
  }
  return absl::StrJoin(reasons, "; ");
}

void AppendSurvivors(const KillRates& rates, std::string& text) {
  absl::StrAppend(&text,
                  "\n## Survivors outside conditions\n\n"
                  "| rule | operation | why |\n|--|--|--|\n");
  for (const Unit& unit : rates.units) {
    if (!IsAlone(unit) || IsCaught(OutcomeOfAll(unit))) continue;
    absl::StrAppend(&text, "| `", std::string(unit.rule->name), "` | ", unit.operation, " | ",
                    std::string(Describe(OutcomeOfAll(unit))), " |\n");
  }
  if (!HasConditions(rates)) return;
  absl::StrAppend(&text, "\n## Survivors under conditions\n");
  std::vector<std::pair<const Rule*, std::vector<const Unit*>>> rules;
  for (const Unit& unit : rates.units) {
    if (IsAlone(unit) || IsCaught(OutcomeOfAll(unit))) continue;
    if (rules.empty() || rules.back().first != unit.rule) rules.push_back({unit.rule, {}});
    rules.back().second.push_back(&unit);
  }
  for (const auto& [rule, survivors] : rules) {
    absl::StrAppend(&text, "\n- `", std::string(rule->name), "`, ", survivors.size(), ": ",
                    ConditionalSurvivors(survivors));
  }
  absl::StrAppend(&text, "\n");
}

}  // namespace

std::string_view ToString(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFailed:
      return "failed";
    case Outcome::kSuspect:
      return "suspect";
    case Outcome::kBiased:
      return "biased";
    case Outcome::kExplained:
      return "explained";
    case Outcome::kWithinThreshold:
      return "within_threshold";
    case Outcome::kSameBits:
      return "same_bits";
    case Outcome::kNotReached:
      return "not_reached";
  }
  return "";
}

std::string_view Describe(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFailed:
      return "a test fails";
    case Outcome::kSuspect:
      return "a finding SUSPECT";
    case Outcome::kBiased:
      return "a finding BIASED";
    case Outcome::kExplained:
      return "other results, EXPLAINED";
    case Outcome::kWithinThreshold:
      return "other results, within the threshold";
    case Outcome::kSameBits:
      return "the same results";
    case Outcome::kNotReached:
      return "no test reaches it";
  }
  return "";
}

bool IsCaught(Outcome outcome) { return outcome <= Outcome::kBiased; }

const UnitOutcome& Unit::Best() const {
  return *std::min_element(
      by_suite.begin(), by_suite.end(),
      [](const UnitOutcome& a, const UnitOutcome& b) { return a.outcome < b.outcome; });
}

size_t OutcomeCount::units() const {
  return std::accumulate(counts.begin(), counts.end(), size_t{0});
}

size_t OutcomeCount::caught() const {
  return Of(Outcome::kFailed) + Of(Outcome::kSuspect) + Of(Outcome::kBiased);
}

size_t OutcomeCount::changed() const {
  return units() - Of(Outcome::kSameBits) - Of(Outcome::kNotReached);
}

double OutcomeCount::PercentCaught() const {
  return units() == 0 ? 100 : 100.0 * static_cast<double>(caught()) / static_cast<double>(units());
}

double OutcomeCount::PercentOfChanged() const {
  return changed() == 0 ? 100
                        : 100.0 * static_cast<double>(caught()) / static_cast<double>(changed());
}

std::string KillRatesToJson(const KillRates& rates) {
  const OutcomeCount conditional = CountOf(rates, &IsConditional);
  std::vector<std::string> suites;
  std::vector<std::string> by_suite;
  for (size_t i = 0; i < rates.suites.size(); ++i) {
    suites.push_back(absl::StrCat("\"", EscapeJson(rates.suites[i]), "\""));
    by_suite.push_back(absl::StrCat(
        "{\"suite\": ", suites.back(), ", ", CountToJson(CountSuite(rates, i, &IsAlone)),
        ", \"conditional\": {", CountToJson(CountSuite(rates, i, &IsConditional)), "}}"));
  }
  std::vector<std::string> classes;
  NamedCounts counts = CountClasses(rates);
  counts.emplace_back(kConditional, conditional);
  for (const auto& [name, count] : counts) {
    classes.push_back(
        absl::StrCat("{\"class\": \"", EscapeJson(name), "\", ", CountToJson(count), "}"));
  }
  std::vector<std::string> operations;
  const NamedCounts under_conditions = CountOperations(rates, &IsConditional);
  size_t i = 0;
  for (const auto& [name, count] : CountOperations(rates, &IsAlone)) {
    operations.push_back(absl::StrCat("{\"operation\": \"", EscapeJson(name), "\", ",
                                      CountToJson(count), ", \"conditional\": {",
                                      CountToJson(under_conditions[i++].second), "}}"));
  }
  std::vector<std::string> holes;
  for (const Hole& hole : KnownHoles()) {
    const OutcomeCount count = CountOf(rates, [&hole](const Unit& unit) { return hole.Has(unit); });
    holes.push_back(absl::StrCat("{\"hole\": \"", EscapeJson(std::string(hole.what)),
                                 "\", \"android\": \"", EscapeJson(std::string(hole.android)),
                                 "\", ", CountToJson(count), "}"));
  }
  std::vector<std::string> list;
  for (const Unit& unit : rates.units) {
    const UnitOutcome& best = unit.Best();
    const size_t suite = static_cast<size_t>(&best - unit.by_suite.data());
    std::string entry = absl::StrCat(
        "{\"rule\": \"", std::string(unit.rule->name), "\", \"operation\": \"",
        EscapeJson(unit.operation), "\", \"condition\": \"", EscapeJson(unit.condition),
        "\", \"outcome\": \"", std::string(ToString(best.outcome)), "\"");
    if (IsCaught(best.outcome)) absl::StrAppend(&entry, ", \"suite\": ", suites[suite]);
    if (!best.witness.empty()) {
      absl::StrAppend(&entry, ", \"test\": \"", EscapeJson(best.witness), "\"");
    }
    list.push_back(absl::StrCat(entry, "}"));
  }
  return absl::StrCat("{\n  \"suites\": [", absl::StrJoin(suites, ", "), "],\n  ",
                      CountToJson(CountOf(rates, &IsAlone)), ",\n  \"", kConditional, "\": {",
                      CountToJson(conditional), "},\n", ListToJson("classes", classes), ",\n",
                      ListToJson("operations", operations), ",\n", ListToJson("bySuite", by_suite),
                      ",\n", ListToJson("holes", holes), ",\n", ListToJson("list", list), "\n}\n");
}

std::string WithTables(std::string_view document, std::string_view tables) {
  const std::string_view above = document.substr(0, document.find(kTablesMark));
  return absl::StrCat(std::string(above), std::string(kTablesMark), std::string(tables));
}

std::string RuleRow(const KillRates& rates, const Rule& rule) {
  const OutcomeCount alone =
      CountOf(rates, [&rule](const Unit& unit) { return unit.rule == &rule && IsAlone(unit); });
  const OutcomeCount conditional = CountOf(
      rates, [&rule](const Unit& unit) { return unit.rule == &rule && IsConditional(unit); });
  return absl::StrCat("| `", std::string(rule.name), "` | ", alone.units(), " | ",
                      alone.Of(Outcome::kFailed), " | ", alone.Of(Outcome::kSuspect), " | ",
                      alone.Of(Outcome::kBiased), " | ", alone.units() - alone.caught(), " | ",
                      conditional.units(), " | ", conditional.caught(), " | ",
                      conditional.changed() - conditional.caught(), " |\n");
}

std::string KillRatesToMarkdown(const KillRates& rates) {
  std::string text = absl::StrCat("\n## By class\n\n| class |", kCountHeader);
  const auto add = [&text](const std::string& name, const OutcomeCount& count) {
    absl::StrAppend(&text, "| ", name, " |", CountColumns(count));
  };
  for (const auto& [name, count] : CountClasses(rates)) add(name, count);
  add("all of these", CountOf(rates, &IsAlone));
  if (HasConditions(rates)) {
    add("one gross error under a condition", CountOf(rates, [](const Unit& unit) {
          return IsConditional(unit) && unit.rule->name == "middle_element";
        }));
    add("every rule under every condition", CountOf(rates, &IsConditional));
  }
  absl::StrAppend(&text, "\n## By suite, each alone\n\n| suite |", kCountHeader);
  for (const auto& [name, count] : CountSuites(rates)) add(name, count);
  absl::StrAppend(&text,
                  "\n## Where the holes of Android's suites were\n\n"
                  "| | Android's | rules | units | caught |\n|--|--|--|--|--|\n");
  for (const Hole& hole : KnownHoles()) {
    const OutcomeCount count = CountOf(rates, [&hole](const Unit& unit) { return hole.Has(unit); });
    absl::StrAppend(&text, "| ", std::string(hole.what), " | ", std::string(hole.android), " | ",
                    absl::StrJoin(hole.rules, ", ",
                                  [](std::string* out, std::string_view rule) {
                                    absl::StrAppend(out, "`", std::string(rule), "`");
                                  }),
                    " | ", hole.remark.empty() ? absl::StrCat(count.units()) : "", " | ",
                    hole.remark.empty() ? absl::StrCat(count.caught()) : std::string(hole.remark),
                    " |\n");
  }
  absl::StrAppend(&text, "\n## By operation\n\n| operation |", kCountHeader);
  for (const auto& [name, count] : CountOperations(rates, &IsAlone)) add(name, count);
  if (HasConditions(rates)) {
    absl::StrAppend(&text, "\n## By operation, under conditions\n\n| operation |", kCountHeader);
    for (const auto& [name, count] : CountOperations(rates, &IsConditional)) add(name, count);
  }
  absl::StrAppend(&text,
                  "\n## By rule\n\n| rule | operations | FAIL | SUSPECT | BIASED | survived | "
                  "under conditions | caught | changed and survived |\n"
                  "|--|--|--|--|--|--|--|--|--|\n");
  const Rule* last = nullptr;
  for (const Unit& unit : rates.units) {
    if (unit.rule != last) absl::StrAppend(&text, RuleRow(rates, *unit.rule));
    last = unit.rule;
  }
  AppendSurvivors(rates, text);
  return text;
}

std::string Summarize(const KillRates& rates) {
  std::string text;
  const auto add = [&text](std::string_view what, const OutcomeCount& count) {
    absl::StrAppend(&text, std::string(what), ": ", count.caught(), " of ", count.units(),
                    " units caught, ", Percent(count.PercentCaught()), " (FAIL ",
                    count.Of(Outcome::kFailed), ", SUSPECT ", count.Of(Outcome::kSuspect),
                    ", BIASED ", count.Of(Outcome::kBiased), "); survived ",
                    count.units() - count.caught());
    std::vector<std::string> reasons;
    for (const Outcome outcome : kAllOutcomes) {
      if (IsCaught(outcome) || count.Of(outcome) == 0) continue;
      reasons.push_back(absl::StrCat(std::string(Describe(outcome)), " ", count.Of(outcome)));
    }
    absl::StrAppend(&text, reasons.empty() ? "" : ": ", absl::StrJoin(reasons, ", "), "\n");
  };
  add("all suites", CountOf(rates, &IsAlone));
  if (HasConditions(rates)) add("under conditions", CountOf(rates, &IsConditional));
  if (rates.suites.size() < 2) return text;
  for (const auto& [name, count] : CountSuites(rates)) add(name, count);
  return text;
}

}  // namespace nncert::faulty
