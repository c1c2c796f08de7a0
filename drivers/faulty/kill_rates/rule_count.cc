// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/kill_rates/rule_count.h"

#include <algorithm>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
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
#include "system/processor.h"

namespace nncert::faulty {
namespace {

// What tests of a suite make of a unit.
struct Tally {
  bool has_failed = false;
  bool is_explained = false;
  // Whether a result of the operation is known to be another one.
  bool has_changed = false;
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
        tests_, "", [this](const CountedTest& test) { return !IsSettled(test); },
        [this](const CountedTest& test, const CaseResult& result) { return Count(test, result); });
  }

  // The rule under conditions by cases of several operations.
  absl::Status CountUnderConditions() {
    for (const std::string& condition : MeasuredConditions()) {
      absl::Status status = RunChanged(
          tests_, absl::StrCat("@", condition),
          [&](const CountedTest& test) {
            return test.is_judged && test.IsOfSeveral() && IsOpen(test, condition);
          },
          [&](const CountedTest& test, const CaseResult& result) {
            return AddFailureOfSeveral(test, result, {UnitName(result.operation, condition)},
                                       condition);
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
      const Outcome outcome = OutcomeOf(tally);
      if (outcome == Outcome::kSameBits) continue;
      tell(absl::StrCat("unit ", key.first, " ", std::string(ToString(outcome)), " ", key.second,
                        " ", tally.witness));
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
    if (tally.is_explained) return Outcome::kExplained;
    return tally.has_changed ? Outcome::kWithinThreshold : Outcome::kSameBits;
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

  // Runs those of `tests` that are wanted and whose outputs the rule changes, under conditions that
  // begin with @, or under none. Of those that are not judged it is noted that they change.
  template <class Wants, class Take>
  absl::Status RunChanged(absl::Span<const CountedTest> tests, const std::string& condition,
                          Wants wants, Take take) {
    const std::string name = std::string(rule_.name) + condition;
    absl::StatusOr<std::vector<Fault>> parsed = ParseFaults(name);
    if (!parsed.ok()) return parsed.status();
    const auto faults = std::make_shared<const std::vector<Fault>>(*std::move(parsed));
    RunOptions options;
    options.only_way = 1;
    const OnProcessor scope(CurrentProcessor());
    const absl::StatusOr<std::unique_ptr<DriverSession>> session =
        OpenFaulty(name, options.deadline);
    if (!session.ok()) return session.status();
    for (const CountedTest& test : tests) {
      if (!wants(test)) continue;
      const TestCase& test_case = *test.test->test_case;
      if (OutputsOf(test_case, faults) == *test.test->healthy) continue;
      if (!test.IsOfSeveral()) changed_.insert(OperationAndType(test_case.model));
      if (!test.is_judged) continue;
      const CaseResult result = RunCase(**session, test_case, TestMode::kStatic, options);
      if (IsCaseError(result.verdict)) {
        return absl::InternalError(absl::StrCat(test.test->name, ": ", result.detail));
      }
      if (absl::Status status = take(test, result); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status Count(const CountedTest& test, const CaseResult& result) {
    // Each operation of a case of several is held against what its own inputs are, so what is
    // found of it is its own doing, whichever of them the rule has changed.
    for (const OperationAccuracy& of_operation : result.accuracy) {
      for (const std::string& unit : UnitsOf(test, of_operation.operation)) {
        AddAccuracy({of_operation}, tallies_[{test.suite, unit}].accuracy.accuracy);
      }
    }
    const std::vector<std::string> units = UnitsOf(test, result.operation);
    // Of a case of several operations only the one that is to blame is known to have changed.
    if (test.IsOfSeveral()) return AddFailureOfSeveral(test, result, units, "");
    for (const std::string& unit : units) {
      if (IsFailure(result.verdict)) AddFailure(test, unit);
      Tally& tally = tallies_[{test.suite, unit}];
      tally.has_changed = true;
      tally.is_explained |=
          result.verdict == Verdict::EXPLAINED || result.verdict == Verdict::UNDECIDED;
    }
    return absl::OkStatus();
  }

  // Adds the failure of a case of several operations to units of the one that is to blame, if it
  // fails as well where that one alone has the rule: what each of them errs by may be too much
  // together, and a mistake of one may be blamed on another.
  absl::Status AddFailureOfSeveral(const CountedTest& test, const CaseResult& result,
                                   const std::vector<std::string>& units,
                                   const std::string& condition) {
    if (!IsFailure(result.verdict) || !test.conditions.contains(result.operation) ||
        std::all_of(units.begin(), units.end(),
                    [&](const std::string& unit) { return HasFailed(test, unit); })) {
      return absl::OkStatus();
    }
    return RunChanged(
        absl::MakeConstSpan(&test, 1),
        absl::StrCat("@operation=", result.operation, condition.empty() ? "" : "@", condition),
        [](const CountedTest& /*test*/) { return true; },
        [&](const CountedTest& /*test*/, const CaseResult& alone) {
          if (!IsFailure(alone.verdict)) return absl::OkStatus();
          for (const std::string& unit : units) AddFailure(test, unit);
          return absl::OkStatus();
        });
  }

  // What a test tells of one of its operations: the rule, and the rule under each condition that
  // the operation meets.
  static std::vector<std::string> UnitsOf(const CountedTest& test, const std::string& operation) {
    std::vector<std::string> units = {operation};
    if (const auto found = test.conditions.find(operation); found != test.conditions.end()) {
      for (const std::string& condition : found->second) {
        units.push_back(UnitName(operation, condition));
      }
    }
    return units;
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
