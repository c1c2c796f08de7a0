// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "diagnosis/accuracy/accuracy_count.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/failing_cases.h"
#include "diagnosis/hypothesis.h"
#include "drivers/faulty/process_run.h"
#include "drivers/faulty/rules/fault.h"
#include "hal/deadline.h"
#include "harness/case_runner.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/verdict.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using faulty::Test;

std::set<std::string> RulesOf(const std::string& fault) {
  const std::vector<std::string> names = absl::StrSplit(fault, '+');
  return {names.begin(), names.end()};
}

// Whether a name has each rule, or one of its twins.
bool Names(const std::set<std::string>& named, const std::vector<std::set<std::string>>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&named](const std::set<std::string>& twins) {
    return std::any_of(twins.begin(), twins.end(),
                       [&named](const std::string& twin) { return named.contains(twin); });
  });
}

// `most` of them, spread evenly.
template <class Entry>
std::vector<Entry> Spread(std::vector<Entry> all, size_t most) {
  if (all.size() <= most) return all;
  std::vector<Entry> some;
  for (size_t i = 0; i < most; ++i) some.push_back(std::move(all[i * all.size() / most]));
  return some;
}

// Diagnoses the units of one fault.
class Counter {
 public:
  Counter(std::string fault, const std::vector<Test>& tests, const AccuracyOptions& options)
      : fault_(std::move(fault)), tests_(tests), options_(options) {}

  absl::StatusOr<std::vector<DiagnosedUnit>> Count() {
    absl::StatusOr<std::vector<faulty::Fault>> parsed = faulty::ParseFaults(fault_);
    if (!parsed.ok()) return parsed.status();
    is_about_operations_ =
        std::all_of(parsed->begin(), parsed->end(),
                    [](const faulty::Fault& one) { return one.IsAboutOperations(); });
    faults_ = std::make_shared<const std::vector<faulty::Fault>>(*std::move(parsed));
    absl::StatusOr<std::unique_ptr<DriverSession>> session =
        faulty::OpenFaulty(fault_, kDefaultDeadline);
    if (!session.ok()) return session.status();
    session_ = *std::move(session);
    std::map<std::string, std::vector<const TestCase*>> changed;
    for (const Test& test : tests_) {
      if (IsOwn(test) || test.mode != TestMode::kStatic) continue;
      const hal::V1_2::Model& model = test.test_case->model;
      if (model.operations.size() != 1 || test.test_case->expectFailure) continue;
      const bool is_changed =
          !is_about_operations_ || OutputsOf(*test.test_case, faults_) != *test.healthy;
      if (!is_changed) continue;
      changed[OperationName(model, model.operations.front().type)].push_back(test.test_case.get());
    }
    std::vector<DiagnosedUnit> units;
    for (const auto& [operation, cases] : changed) {
      std::vector<const TestCase*> failing;
      // Of a rule about executions, which bites in all cases alike, some are enough.
      const std::vector<const TestCase*> tried =
          is_about_operations_ ? cases : Spread(cases, 2 * options_.most_failures);
      for (const TestCase* const one : tried) {
        const CaseResult result = RunCase(*session_, *one, TestMode::kStatic);
        if (IsFailure(result.verdict) && !IsCaseError(result.verdict)) failing.push_back(one);
      }
      if (failing.empty()) continue;
      std::optional<DiagnosedUnit> unit =
          Diagnose(operation, Spread(std::move(failing), options_.most_failures));
      if (unit.has_value()) units.push_back(*std::move(unit));
    }
    return units;
  }

 private:
  std::optional<DiagnosedUnit> Diagnose(const std::string& operation,
                                        const std::vector<const TestCase*>& failing) {
    const hal::SteadyClock& clock = hal::SteadyClock::System();
    const absl::Duration start = clock.Now();
    DiagnosedUnit unit;
    unit.fault = fault_;
    unit.operation = operation;
    std::vector<Failure> failures;
    for (const TestCase* const one : failing) {
      absl::StatusOr<Failure> failure = FailureOf(*session_, *one, operation, kDefaultDeadline);
      if (failure.ok()) failures.push_back(*std::move(failure));
    }
    unit.failures = failures.size();
    // It fails by something other than its results: memory, for example.
    if (failures.empty()) return std::nullopt;
    const OperationDiagnosis diagnosis(std::move(failures));
    const std::vector<Cause> causes = diagnosis.Causes();
    unit.time = clock.Now() - start;
    for (const Cause& cause : causes) unit.named.push_back(cause.rule);
    std::vector<std::set<std::string>> wanted;
    for (const std::string& rule : RulesOf(fault_)) wanted.push_back(diagnosis.Twins(rule));
    for (const Cause& cause : causes) {
      const bool is_as_good = cause.explained == causes.front().explained &&
                              cause.identical == causes.front().identical;
      unit.is_right |= is_as_good && Names(RulesOf(cause.rule), wanted);
    }
    unit.is_alone = !causes.empty() && causes.front().rivals == 0;
    for (const std::string& rule : RulesOf(fault_)) {
      unit.is_hidden |= wanted.size() > 1 && diagnosis.IsAsBy(rule);
    }
    unit.is_left_out = options_.left_out_every > 0 && wanted.size() == 1 &&
                       units_++ % options_.left_out_every == 0;
    if (unit.is_left_out) {
      const std::vector<Cause> others = diagnosis.Causes(wanted.front());
      if (!others.empty()) unit.named_without = others.front().rule;
    }
    return unit;
  }

  const std::string fault_;
  const std::vector<Test>& tests_;
  const AccuracyOptions& options_;
  faulty::Faults faults_;
  bool is_about_operations_ = true;
  std::unique_ptr<DriverSession> session_;
  size_t units_ = 0;
};

// A unit as a line, and back.
std::string ToLine(const DiagnosedUnit& unit) {
  return absl::StrCat(
      "unit\t", unit.operation, "\t", unit.failures, "\t", absl::ToInt64Microseconds(unit.time),
      "\t", unit.is_right ? 1 : 0, "\t", unit.is_alone ? 1 : 0, "\t", unit.is_hidden ? 1 : 0, "\t",
      unit.is_left_out ? 1 : 0, "\t", unit.named_without, "\t", absl::StrJoin(unit.named, ","));
}

absl::StatusOr<DiagnosedUnit> FromLine(const std::string& fault, absl::string_view line) {
  const std::vector<std::string> words = absl::StrSplit(line, '\t');
  DiagnosedUnit unit;
  unit.fault = fault;
  int64_t time = 0;
  if (words.size() != 10 || words[0] != "unit" || !absl::SimpleAtoi(words[2], &unit.failures) ||
      !absl::SimpleAtoi(words[3], &time)) {
    return absl::InternalError(absl::StrCat(fault, ": unexpected line: ", line));
  }
  unit.operation = words[1];
  unit.time = absl::Microseconds(time);
  unit.is_right = words[4] == "1";
  unit.is_alone = words[5] == "1";
  unit.is_hidden = words[6] == "1";
  unit.is_left_out = words[7] == "1";
  unit.named_without = words[8];
  if (!words[9].empty()) unit.named = absl::StrSplit(words[9], ',');
  return unit;
}

absl::StatusOr<std::vector<DiagnosedUnit>> FromLines(const std::string& fault,
                                                     const std::string& lines, int status) {
  std::vector<DiagnosedUnit> units;
  for (const absl::string_view line : absl::StrSplit(lines, '\n')) {
    if (line == "done") return units;
    if (absl::StartsWith(line, "error ")) {
      return absl::InternalError(absl::StrCat(fault, ": ", absl::StripPrefix(line, "error ")));
    }
    absl::StatusOr<DiagnosedUnit> unit = FromLine(fault, line);
    if (!unit.ok()) return unit.status();
    units.push_back(*std::move(unit));
  }
  return absl::InternalError(absl::StrCat(fault, ": the process ended with status ", status));
}

}  // namespace

std::vector<std::string> RulesToDiagnose() {
  std::vector<std::string> names;
  for (const Hypothesis& hypothesis : SingleHypotheses()) names.push_back(hypothesis.Name());
  return names;
}

absl::Status DiagnoseUnitsApart(const std::vector<std::string>& faults,
                                const std::vector<Test>& tests, const AccuracyOptions& options,
                                size_t jobs,
                                const std::function<void(const DiagnosedUnit& unit)>& done) {
  return faulty::RunApart(
      faults, jobs,
      [&](const std::string& fault, const faulty::Tell& tell) {
        const absl::StatusOr<std::vector<DiagnosedUnit>> units =
            Counter(fault, tests, options).Count();
        if (!units.ok()) {
          return tell(absl::StrCat("error ", std::string(units.status().message())));
        }
        for (const DiagnosedUnit& unit : *units) tell(ToLine(unit));
        tell("done");
      },
      [&](const std::string& fault, const std::string& lines, int status) {
        const absl::StatusOr<std::vector<DiagnosedUnit>> units = FromLines(fault, lines, status);
        if (!units.ok()) return units.status();
        for (const DiagnosedUnit& unit : *units) done(unit);
        return absl::OkStatus();
      });
}

}  // namespace nncert
