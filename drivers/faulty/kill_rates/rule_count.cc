// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/kill_rates/rule_count.h"

#include <algorithm>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "certifying/outcome/accuracy_findings.h"
#include "drivers/faulty/kill_rates/conditions.h"
#include "drivers/faulty/rule_executor.h"
#include "drivers/faulty/rules/fault.h"
#include "harness/case_runner.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/accuracy.h"
#include "reference/calls/operation_call.h"
#include "reference/catalogue.h"
#include "reference/extension.h"

namespace nncert::faulty {
namespace {

// What tests of a suite make of a unit.
struct Tally {
  bool has_failed = false;
  bool is_explained = false;
  std::string witness;
  // What findings are made of.
  CaseResult accuracy;
};

class Counter {
 public:
  Counter(const Rule& rule, const std::vector<CountedTest>& tests) : rule_(rule), tests_(tests) {}

  // The rule in operations, and under each condition by cases of single operations.
  absl::Status CountOperations() {
    return RunChanged(
        "", [this](const CountedTest& test) { return !IsSettled(test); },
        [this](const CountedTest& test, const CaseResult& result) { Count(test, result); });
  }

  // The rule under conditions by cases of several operations.
  absl::Status CountUnderConditions() {
    for (const std::string& condition : MeasuredConditions()) {
      absl::Status status = RunChanged(
          absl::StrCat("@", condition),
          [&](const CountedTest& test) {
            return test.is_judged && test.IsOfSeveral() && IsOpen(test, condition);
          },
          [&](const CountedTest& test, const CaseResult& result) {
            if (IsFailure(result.verdict) && test.conditions.contains(result.operation)) {
              AddFailure(test, UnitName(result.operation, condition));
            }
          });
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  void TellAll(const Tell& tell) {
    for (const auto& [operation, type] : changed_) {
      tell(absl::StrCat("changed ", operation, " ", type));
    }
    for (const auto& [key, tally] : tallies_) {
      tell(absl::StrCat("unit ", key.first, " ", std::string(ToString(OutcomeOf(tally))), " ",
                        key.second, " ", tally.witness));
    }
    tell("done");
  }

 private:
  static Outcome OutcomeOf(const Tally& tally) {
    if (tally.has_failed) return Outcome::kFailed;
    bool is_biased = false;
    for (const Finding& finding : FindingsOf({&tally.accuracy, 1})) {
      if (finding.kind == FindingKind::SUSPECT) return Outcome::kSuspect;
      is_biased |= finding.kind == FindingKind::BIASED;
    }
    if (is_biased) return Outcome::kBiased;
    return tally.is_explained ? Outcome::kExplained : Outcome::kWithinThreshold;
  }

  bool HasFailed(const CountedTest& test, const std::string& unit) const {
    const auto found = tallies_.find({test.suite, unit});
    return found != tallies_.end() && found->second.has_failed;
  }

  // Whether all is known that a test could show.
  bool IsSettled(const CountedTest& test) const {
    if (!test.is_judged) {
      const hal::V1_2::Model& model = test.test->test_case->model;
      return test.IsOfSeveral() || changed_.contains(OperationAndType(model));
    }
    return std::all_of(test.conditions.begin(), test.conditions.end(), [&](const auto& entry) {
      return HasFailed(test, entry.first) &&
             std::all_of(entry.second.begin(), entry.second.end(), [&](const auto& condition) {
               return HasFailed(test, UnitName(entry.first, condition));
             });
    });
  }

  // Whether an operation of a test, which has failed, meets a condition under which it has not.
  bool IsOpen(const CountedTest& test, const std::string& condition) const {
    return std::any_of(test.conditions.begin(), test.conditions.end(), [&](const auto& entry) {
      const std::vector<std::string>& met = entry.second;
      return HasFailed(test, entry.first) &&
             std::find(met.begin(), met.end(), condition) != met.end() &&
             !HasFailed(test, UnitName(entry.first, condition));
    });
  }

  static std::pair<std::string, std::string> OperationAndType(const hal::V1_2::Model& model) {
    const hal::V1_2::Operation& operation = model.operations.front();
    return {OperationName(model, operation.type),
            NameOf(model.operands[operation.inputs.front()].type)};
  }

  // Runs those tests that are wanted and whose outputs the rule changes, under a condition that
  // begins with @, or under none. Of those that are not judged it is noted that they change.
  template <class Wants, class Take>
  absl::Status RunChanged(const std::string& condition, Wants wants, Take take) {
    const std::string name = std::string(rule_.name) + condition;
    absl::StatusOr<std::vector<Fault>> parsed = ParseFaults(name);
    if (!parsed.ok()) return parsed.status();
    const auto faults = std::make_shared<const std::vector<Fault>>(*std::move(parsed));
    RunOptions options;
    options.only_way = 1;
    const absl::StatusOr<std::unique_ptr<DriverSession>> session =
        OpenFaulty(name, options.deadline);
    if (!session.ok()) return session.status();
    for (const CountedTest& test : tests_) {
      if (!wants(test)) continue;
      const TestCase& test_case = *test.test->test_case;
      if (OutputsOf(test_case, faults) == *test.test->healthy) continue;
      if (!test.IsOfSeveral()) changed_.insert(OperationAndType(test_case.model));
      if (!test.is_judged) continue;
      const CaseResult result = RunCase(**session, test_case, TestMode::kStatic, options);
      if (IsCaseError(result.verdict)) {
        return absl::InternalError(absl::StrCat(test.test->name, ": ", result.detail));
      }
      take(test, result);
    }
    return absl::OkStatus();
  }

  void Count(const CountedTest& test, const CaseResult& result) {
    std::vector<std::string> units = {result.operation};
    if (const auto found = test.conditions.find(result.operation); found != test.conditions.end()) {
      for (const std::string& condition : found->second) {
        units.push_back(UnitName(result.operation, condition));
      }
    }
    const bool is_failure = IsFailure(result.verdict);
    if (test.IsOfSeveral()) {
      // Only of the operation that is to blame it is known that it has changed.
      if (!is_failure) return;
      for (const std::string& unit : units) AddFailure(test, unit);
      return;
    }
    for (const std::string& unit : units) {
      if (is_failure) AddFailure(test, unit);
      Tally& tally = tallies_[{test.suite, unit}];
      tally.is_explained |=
          result.verdict == Verdict::EXPLAINED || result.verdict == Verdict::UNDECIDED;
      AddAccuracy(result.accuracy, tally.accuracy.accuracy);
    }
  }

  void AddFailure(const CountedTest& test, const std::string& unit) {
    Tally& tally = tallies_[{test.suite, unit}];
    if (!tally.has_failed) tally.witness = test.test->name;
    tally.has_failed = true;
  }

  const Rule& rule_;
  const std::vector<CountedTest>& tests_;
  std::set<std::pair<std::string, std::string>> changed_;
  // By suite and unit.
  std::map<std::pair<size_t, std::string>, Tally> tallies_;
};

}  // namespace

std::string UnitName(const std::string& operation, std::string_view condition) {
  return condition.empty() ? operation : absl::StrCat(operation, "@", std::string(condition));
}

CountedTest CountedTestOf(const Test& test, size_t suite, bool is_judged) {
  CountedTest counted = {&test, suite, is_judged, {}};
  const hal::V1_2::Model& model = test.test_case->model;
  std::map<std::string, int> counts;
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const std::string name = OperationName(model, model.operations[i].type);
    std::vector<std::string>& of_operation = counted.conditions[name];
    if (++counts[name] > 1) {
      of_operation.clear();
      continue;
    }
    constexpr size_t kLargestScalar = 8;
    const absl::StatusOr<OperationCall> call = CallOf(model, i, kLargestScalar);
    if (!call.ok()) continue;
    for (const size_t condition : MeasuredConditionsOf(*call)) {
      of_operation.push_back(MeasuredConditions()[condition]);
    }
  }
  return counted;
}

absl::Status CountRule(const Rule& rule, const std::vector<CountedTest>& tests, bool has_conditions,
                       const Tell& tell) {
  Counter counter(rule, tests);
  absl::Status status = counter.CountOperations();
  if (status.ok() && has_conditions) status = counter.CountUnderConditions();
  if (status.ok()) counter.TellAll(tell);
  return status;
}

absl::StatusOr<RuleCount> ReadRuleCount(std::string_view lines, size_t suites) {
  RuleCount count;
  count.suites.resize(suites);
  for (const absl::string_view line : absl::StrSplit(std::string(lines), '\n')) {
    if (line == "done") return count;
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    size_t suite = 0;
    if (words.size() == 3 && words[0] == "changed") {
      count.changed.insert({words[1], words[2]});
    } else if (words.size() == 5 && words[0] == "unit" && absl::SimpleAtoi(words[1], &suite) &&
               suite < suites) {
      UnitOutcome& unit = count.suites[suite][words[3]];
      for (size_t i = 0; i < kOutcomes; ++i) {
        if (ToString(static_cast<Outcome>(i)) == words[2]) unit.outcome = static_cast<Outcome>(i);
      }
      unit.witness = words[4];
    } else {
      return absl::InvalidArgumentError(absl::StrCat("unexpected line: \"", line, "\""));
    }
  }
  return absl::InvalidArgumentError("the lines have no end");
}

}  // namespace nncert::faulty
