// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/unit_count.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cases/coverage/coverage_counter.h"
#include "cases/coverage/coverage_items.h"
#include "certifying/accuracy_findings.h"
#include "drivers/faulty/process_run.h"
#include "drivers/faulty/rule_executor.h"
#include "drivers/faulty/rules/fault.h"
#include "harness/case_runner.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/accuracy.h"
#include "reference/calls/operation_call.h"
#include "reference/catalogue.h"

namespace nncert::faulty {
namespace {

// The operations of a test, by name, with the conditions that each meets; none for one that comes
// several times, which may meet a condition here and be to blame there.
using ConditionsByOperation = std::map<std::string, std::vector<std::string_view>>;

ConditionsByOperation ConditionsOfOperations(const hal::V1_2::Model& model) {
  ConditionsByOperation conditions;
  std::map<std::string, int> counts;
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const std::string name = OperationName(model, model.operations[i].type);
    std::vector<std::string_view>& of_operation = conditions[name];
    if (++counts[name] > 1) {
      of_operation.clear();
      continue;
    }
    constexpr size_t kLargestScalar = 8;
    const absl::StatusOr<OperationCall> call = CallOf(model, i, kLargestScalar);
    if (!call.ok()) continue;
    for (const size_t condition : ConditionsOf(*call)) {
      of_operation.push_back(CoverageConditions()[condition].text);
    }
  }
  return conditions;
}

std::string UnitName(const std::string& operation, std::string_view condition) {
  return absl::StrCat(operation, "@", std::string(condition));
}

// Counts the units of one fault.
class Counter {
 public:
  Counter(std::string fault, const std::vector<Test>& tests,
          const std::vector<ConditionsByOperation>& conditions)
      : fault_(std::move(fault)), tests_(tests), conditions_(conditions) {}

  // The fault in operations, by their cases alone.
  absl::Status CountOperations() {
    return RunChanged(
        "", RunOptions(), [this](size_t i) { return !IsOfSeveral(i); },
        [this](size_t, const CaseResult& result) { CountSingle(result, {result.operation}); });
  }

  // The fault in operations, and under each condition.
  absl::Status CountUnderConditions() {
    RunOptions options;
    options.only_way = 1;
    absl::Status status = RunChanged(
        "", options, [this](size_t i) { return !IsSettled(i); },
        [this](size_t i, const CaseResult& result) { CountWithConditions(i, result); });
    for (const CoverageCondition& counted : CoverageConditions()) {
      if (!status.ok()) return status;
      const std::string_view condition = counted.text;
      status = RunChanged(
          absl::StrCat("@", std::string(condition)), options,
          [&](size_t i) { return IsOfSeveral(i) && IsOpen(i, condition); },
          [&](size_t i, const CaseResult& result) {
            if (IsFailure(result.verdict) && conditions_[i].contains(result.operation)) {
              CountFailure(UnitName(result.operation, condition));
            }
          });
    }
    return status;
  }

  // With the findings of all cases.
  std::map<std::string, UnitCount> Units() {
    for (const auto& [unit, result] : accuracy_) {
      for (const Finding& finding : FindingsOf({&result, 1})) {
        if (finding.kind == FindingKind::SUSPECT) units_[unit].is_suspect = true;
        if (finding.kind == FindingKind::BIASED) units_[unit].is_biased = true;
      }
    }
    return units_;
  }

 private:
  bool IsOfSeveral(size_t i) const { return tests_[i].test_case->model.operations.size() > 1; }

  bool HasFailed(const std::string& unit) const {
    const auto found = units_.find(unit);
    return found != units_.end() && found->second.failed > 0;
  }

  // Whether all has failed that a test could show.
  bool IsSettled(size_t i) const {
    return std::all_of(conditions_[i].begin(), conditions_[i].end(), [this](const auto& entry) {
      return HasFailed(entry.first) &&
             std::all_of(entry.second.begin(), entry.second.end(), [&](std::string_view condition) {
               return HasFailed(UnitName(entry.first, condition));
             });
    });
  }

  // Whether an operation of a test, which has failed, meets a condition under which it has not.
  bool IsOpen(size_t i, std::string_view condition) const {
    return std::any_of(conditions_[i].begin(), conditions_[i].end(), [&](const auto& entry) {
      const std::vector<std::string_view>& met = entry.second;
      return HasFailed(entry.first) && std::find(met.begin(), met.end(), condition) != met.end() &&
             !HasFailed(UnitName(entry.first, condition));
    });
  }

  // Runs those tests that are wanted and whose outputs the fault changes, under a condition that
  // begins with @, or under none.
  template <class Wants, class Take>
  absl::Status RunChanged(const std::string& condition, const RunOptions& options, Wants wants,
                          Take take) {
    const std::string name = fault_ + condition;
    absl::StatusOr<std::vector<Fault>> parsed = ParseFaults(name);
    if (!parsed.ok()) return parsed.status();
    const auto faults = std::make_shared<const std::vector<Fault>>(*std::move(parsed));
    const absl::StatusOr<std::unique_ptr<DriverSession>> session =
        OpenFaulty(name, options.deadline);
    if (!session.ok()) return session.status();
    for (size_t i = 0; i < tests_.size(); ++i) {
      const Test& test = tests_[i];
      if (IsOwn(test) || test.mode != TestMode::kStatic || !wants(i)) continue;
      if (OutputsOf(*test.test_case, faults) == *test.healthy) continue;
      take(i, RunCase(**session, *test.test_case, test.mode, options));
    }
    return absl::OkStatus();
  }

  void CountWithConditions(size_t i, const CaseResult& result) {
    std::vector<std::string> units = {result.operation};
    const auto found = conditions_[i].find(result.operation);
    if (found != conditions_[i].end()) {
      for (const std::string_view condition : found->second) {
        units.push_back(UnitName(result.operation, condition));
      }
    }
    if (!IsOfSeveral(i)) {
      CountSingle(result, units);
    } else if (IsFailure(result.verdict)) {
      // Only of the operation that is to blame it is known that it has changed.
      for (const std::string& unit : units) CountFailure(unit);
    }
  }

  void CountSingle(const CaseResult& result, const std::vector<std::string>& units) {
    for (const std::string& unit : units) {
      ++units_[unit].changed;
      units_[unit].failed += IsFailure(result.verdict);
      AddAccuracy(result.accuracy, accuracy_[unit].accuracy);
    }
  }

  void CountFailure(const std::string& unit) {
    ++units_[unit].changed;
    ++units_[unit].failed;
  }

  const std::string fault_;
  const std::vector<Test>& tests_;
  const std::vector<ConditionsByOperation>& conditions_;  // of each test
  std::map<std::string, UnitCount> units_;
  // What findings are made of, by unit.
  std::map<std::string, CaseResult> accuracy_;
};

std::string ToLine(const std::string& name, const UnitCount& unit) {
  return absl::StrCat("unit ", unit.changed, " ", unit.failed, " ", unit.is_suspect ? 1 : 0, " ",
                      unit.is_biased ? 1 : 0, " ", name);
}

absl::StatusOr<FaultCount> CountFromLines(const std::string& fault, const std::string& lines,
                                          int status) {
  FaultCount count = {fault, {}};
  for (const absl::string_view line : absl::StrSplit(lines, '\n')) {
    if (line == "done") return count;
    if (absl::StartsWith(line, "error ")) {
      return absl::InternalError(absl::StrCat(fault, ": ", absl::StripPrefix(line, "error ")));
    }
    const std::vector<std::string> words = absl::StrSplit(line, absl::MaxSplits(' ', 5));
    UnitCount unit;
    int is_suspect = 0;
    int is_biased = 0;
    if (words.size() != 6 || words[0] != "unit" || !absl::SimpleAtoi(words[1], &unit.changed) ||
        !absl::SimpleAtoi(words[2], &unit.failed) || !absl::SimpleAtoi(words[3], &is_suspect) ||
        !absl::SimpleAtoi(words[4], &is_biased)) {
      return absl::InternalError(absl::StrCat(fault, ": unexpected line: ", line));
    }
    unit.is_suspect = is_suspect != 0;
    unit.is_biased = is_biased != 0;
    count.units[words[5]] = unit;
  }
  return absl::InternalError(absl::StrCat(fault, ": the process ended with status ", status));
}

}  // namespace

absl::Status CountUnitsApart(const std::vector<std::string>& faults, const std::vector<Test>& tests,
                             CountedFaults counted, size_t jobs,
                             const std::function<void(const FaultCount& count)>& done) {
  std::vector<ConditionsByOperation> conditions;
  for (const Test& test : tests)
    conditions.push_back(ConditionsOfOperations(test.test_case->model));
  return RunApart(
      faults, jobs,
      [&](const std::string& fault, const Tell& tell) {
        Counter counter(fault, tests, conditions);
        const absl::Status status = counted == CountedFaults::kInOperations
                                        ? counter.CountOperations()
                                        : counter.CountUnderConditions();
        if (!status.ok()) return tell(absl::StrCat("error ", std::string(status.message())));
        for (const auto& [name, unit] : counter.Units()) tell(ToLine(name, unit));
        tell("done");
      },
      [&](const std::string& fault, const std::string& lines, int status) {
        absl::StatusOr<FaultCount> count = CountFromLines(fault, lines, status);
        if (count.ok()) done(*count);
        return count.status();
      });
}

}  // namespace nncert::faulty
