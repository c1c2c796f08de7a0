// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/kill_rates/measuring.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cases/case_file.h"
#include "certifying/name_filter.h"
#include "drivers/faulty/kill_rates/conditions.h"
#include "drivers/faulty/kill_rates/rule_count.h"
#include "drivers/faulty/process_run.h"
#include "drivers/faulty/rules/fault.h"
#include "reference/catalogue.h"
#include "reference/extension.h"
#include "system/digest.h"

namespace nncert::faulty {
namespace {

// A journal begins with this and a digest of what is measured. What follows is for each rule a line
// "rule NAME" and the lines of ReadRuleCount, the last of which is "done".
constexpr std::string_view kJournalHead = "nncert kill rates ";
constexpr std::string_view kRuleHead = "rule ";

// The journal's first line: other suites, cases or conditions have another one.
absl::StatusOr<std::string> JournalHeadOf(const std::vector<MeasuredSuite>& suites,
                                          bool has_conditions) {
  Digest digest;
  for (const MeasuredSuite& suite : suites) {
    digest.Add(suite.name);
    digest.Add(suite.is_measured ? "measured" : "known");
    for (const Test& test : suite.tests) {
      const absl::StatusOr<std::vector<uint8_t>> bytes = SerializeCaseFile("", {*test.test_case});
      if (!bytes.ok()) return bytes.status();
      digest.Add(*bytes);
    }
  }
  for (const std::string& condition : MeasuredConditions()) digest.Add(condition);
  digest.Add(has_conditions ? "conditions" : "");
  return absl::StrCat(std::string(kJournalHead), absl::Hex(digest.value()));
}

// The lines of each rule that a journal has to its end.
absl::StatusOr<std::map<std::string, std::string>> ReadJournal(const std::string& path,
                                                               const std::string& head) {
  std::ifstream stream(path);
  if (!stream.good()) {
    return absl::NotFoundError(absl::StrCat(path, ": there is no run to go on with"));
  }
  std::string line;
  if (!std::getline(stream, line) || line != head) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": it is of a run of other suites or conditions; begin anew"));
  }
  std::map<std::string, std::string> rules;
  std::string rule;
  std::string lines;
  while (std::getline(stream, line)) {
    if (absl::StartsWith(line, std::string(kRuleHead))) {
      rule = std::string(absl::StripPrefix(line, std::string(kRuleHead)));
      lines.clear();
      continue;
    }
    absl::StrAppend(&lines, line, "\n");
    if (line == "done") rules[rule] = lines;
  }
  return rules;
}

// What a rule came to, as units.
class UnitMaker {
 public:
  explicit UnitMaker(const std::vector<CountedTest>& tests, size_t suites, bool has_conditions)
      : reached_(suites), has_conditions_(has_conditions) {
    for (const CountedTest& test : tests) {
      if (!test.is_judged) continue;
      for (const auto& [operation, conditions] : test.conditions) {
        reached_[test.suite].insert(operation);
        for (const std::string& condition : conditions) {
          reached_[test.suite].insert(UnitName(operation, condition));
        }
      }
    }
  }

  std::vector<Unit> UnitsOf(const Rule& rule, const RuleCount& count) const {
    std::map<std::string, std::vector<OperandType>> changed;
    for (const auto& [operation, type] : count.changed) {
      std::vector<OperandType>& types = changed[operation];
      for (const OperationDefinition* definition : AllOperations()) {
        if (definition->name() != operation) continue;
        for (const TypeAlternative& alternative : definition->signature.inputs[0].types()) {
          if (NameOf(alternative.type) == type) types.push_back(alternative.type);
        }
      }
    }
    std::vector<Unit> units;
    for (const OperationDefinition* definition : AllOperations()) {
      const std::string name = definition->name();
      const auto found = changed.find(name);
      if (found == changed.end()) continue;
      units.push_back(UnitOf(rule, name, "", count));
      if (!has_conditions_) continue;
      for (const std::string& condition : MeasuredConditions()) {
        const bool can_meet = std::any_of(
            found->second.begin(), found->second.end(),
            [&](OperandType type) { return CanMeetMeasured(*definition, type, condition); });
        if (can_meet) units.push_back(UnitOf(rule, name, condition, count));
      }
    }
    return units;
  }

 private:
  Unit UnitOf(const Rule& rule, const std::string& operation, const std::string& condition,
              const RuleCount& count) const {
    Unit unit = {&rule, operation, condition, {}};
    const std::string name = UnitName(operation, condition);
    for (size_t suite = 0; suite < reached_.size(); ++suite) {
      const auto found = count.suites[suite].find(name);
      if (found != count.suites[suite].end()) {
        unit.by_suite.push_back(found->second);
      } else {
        unit.by_suite.push_back(
            {reached_[suite].contains(name) ? Outcome::kSameBits : Outcome::kNotReached, ""});
      }
    }
    return unit;
  }

  // By suite, the names of the units that tests reach.
  std::vector<std::set<std::string>> reached_;
  const bool has_conditions_;
};

}  // namespace

std::vector<const Rule*> MeasurableRules() {
  std::vector<const Rule*> rules;
  for (const Rule* rule : AllRules()) {
    const absl::StatusOr<std::vector<Fault>> faults = ParseFaults(std::string(rule->name));
    if (!faults.ok() || EndsProcess(*rule)) continue;
    if (faults->front().IsAboutOperations()) rules.push_back(rule);
  }
  return rules;
}

absl::StatusOr<std::vector<const Rule*>> MeasurableRulesNamed(const std::string& expression) {
  const absl::StatusOr<NameFilter> filter = NameFilter::Of(expression, "--rules");
  if (!filter.ok()) return filter.status();
  std::vector<const Rule*> rules;
  for (const Rule* rule : MeasurableRules()) {
    if (filter->Leaves(std::string(rule->name))) rules.push_back(rule);
  }
  if (rules.empty()) {
    return absl::InvalidArgumentError("--rules leaves none of the rules about operations");
  }
  return rules;
}

absl::StatusOr<KillRates> MeasureKillRates(absl::Span<const Rule* const> rules,
                                           const std::vector<MeasuredSuite>& suites,
                                           const MeasuringOptions& options) {
  KillRates rates;
  std::vector<CountedTest> tests;
  for (const MeasuredSuite& suite : suites) {
    for (const Test& test : suite.tests) {
      tests.push_back(CountedTestOf(test, rates.suites.size(), suite.is_measured));
    }
    if (suite.is_measured) rates.suites.push_back(suite.name);
  }
  const UnitMaker maker(tests, rates.suites.size(), options.has_conditions);
  std::map<std::string, std::string> known;
  std::ofstream journal;
  if (!options.journal.empty()) {
    const absl::StatusOr<std::string> head = JournalHeadOf(suites, options.has_conditions);
    if (!head.ok()) return head.status();
    if (options.resume) {
      absl::StatusOr<std::map<std::string, std::string>> read = ReadJournal(options.journal, *head);
      if (!read.ok()) return read.status();
      known = *std::move(read);
    }
    journal.open(options.journal, options.resume ? std::ios::app : std::ios::trunc);
    // A run that was killed may have left half a line.
    journal << (options.resume ? "\n" : absl::StrCat(*head, "\n")) << std::flush;
    if (!journal.good()) {
      return absl::UnavailableError(absl::StrCat(options.journal, ": cannot write the journal"));
    }
  }
  std::map<std::string, std::vector<Unit>> units;
  size_t left = rules.size();
  const auto take = [&](const std::string& name, const std::string& lines) -> absl::Status {
    const absl::StatusOr<RuleCount> count = ReadRuleCount(lines, rates.suites.size());
    if (!count.ok()) {
      return absl::InternalError(absl::StrCat(name, ": ", count.status().message()));
    }
    units[name] = maker.UnitsOf(*FindRule(name), *count);
    --left;
    if (options.on_rule != nullptr) options.on_rule(units[name], left);
    return absl::OkStatus();
  };
  std::vector<std::string> names;
  for (const Rule* rule : rules) {
    const auto found = known.find(std::string(rule->name));
    if (found == known.end()) {
      names.emplace_back(rule->name);
    } else if (absl::Status status = take(found->first, found->second); !status.ok()) {
      return status;
    }
  }
  const absl::Status status = RunApart(
      names, options.jobs,
      [&](const std::string& name, const Tell& tell) {
        const absl::Status counted =
            CountRule(*FindRule(name), tests, options.has_conditions, tell);
        if (!counted.ok()) tell(absl::StrCat("error ", std::string(counted.message())));
      },
      [&](const std::string& name, const std::string& lines, int exit_status) -> absl::Status {
        if (lines.empty()) {
          return absl::InternalError(
              absl::StrCat(name, ": the process ended with status ", exit_status));
        }
        if (absl::Status taken = take(name, lines); !taken.ok()) return taken;
        if (journal.is_open()) {
          journal << kRuleHead << name << "\n" << lines << std::flush;
          if (!journal.good()) {
            return absl::UnavailableError(
                absl::StrCat(options.journal, ": cannot write the journal"));
          }
        }
        if (left > 0 && options.should_stop != nullptr && options.should_stop()) {
          return absl::CancelledError(absl::StrCat("interrupted with ", left, " rules left"));
        }
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  for (const Rule* rule : rules) {
    for (Unit& unit : units[std::string(rule->name)]) rates.units.push_back(std::move(unit));
  }
  return rates;
}

}  // namespace nncert::faulty
