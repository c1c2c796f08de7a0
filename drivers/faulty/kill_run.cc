// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/kill_run.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cases/case_source.h"
#include "drivers/faulty/process_run.h"
#include "drivers/faulty/rule_executor.h"
#include "drivers/faulty/rules/fault.h"
#include "harness/case_runner.h"
#include "harness/isolation/driver_session.h"
#include "system/processor.h"

namespace nncert::faulty {
namespace {

constexpr char kOwnPrefix[] = "own.";
constexpr absl::Duration kShortDeadline = absl::Seconds(2);

// Tells, where a fault is not about operations, which test is about to run, on a line of its own.
absl::StatusOr<Kill> RunAndTell(const std::string& fault, absl::Span<const Test> tests,
                                const Tell& tell) {
  absl::StatusOr<std::vector<Fault>> faults = ParseFaults(fault);
  if (!faults.ok()) return faults.status();
  const auto is_some = [&faults](auto is) {
    return std::any_of(faults->begin(), faults->end(), is);
  };
  const bool ends_process = is_some([](const Fault& one) { return EndsProcess(*one.rule); });
  const bool is_general = is_some([](const Fault& one) { return !one.IsAboutOperations(); });
  const bool can_be_foreseen =
      !is_general && !is_some([](const Fault& one) { return one.every() > 1; });
  const auto shared_faults = std::make_shared<const std::vector<Fault>>(*faults);
  RunOptions options;
  if (ends_process) options.deadline = kShortDeadline;
  Kill kill;
  kill.fault = fault;
  // The driver may end the process, or be found out, before any test runs on it.
  if (is_general && !tests.empty()) tell(absl::StrCat("at ", tests.front().name));
  const OnProcessor scope(CurrentProcessor());
  const absl::StatusOr<std::unique_ptr<DriverSession>> session =
      OpenFaulty(fault, options.deadline);
  if (!session.ok()) {
    if (!is_general || tests.empty()) return session.status();
    kill.verdict = absl::IsDeadlineExceeded(session.status()) ? Verdict::TIMEOUT : Verdict::FAIL;
    kill.tests = 1;
    kill.operations = 1;
    kill.witness = tests.front().name;
    return kill;
  }
  const bool passes = is_some([](const Fault& one) { return one.rule->passes; });
  std::set<std::string> operations;
  std::map<const TestCase*, bool> is_changed;
  for (const Test& test : tests) {
    // Own cases are for what the suite does not kill.
    if (IsOwn(test) && (kill.tests > 0 || IsFailure(kill.verdict))) break;
    if (can_be_foreseen) {
      const auto [known, is_new] = is_changed.try_emplace(test.test_case.get(), true);
      if (is_new) known->second = OutputsOf(*test.test_case, shared_faults) != *test.healthy;
      if (!known->second) continue;
    }
    if (is_general) tell(absl::StrCat("at ", test.name));
    const CaseResult result = RunCase(**session, *test.test_case, test.mode, options);
    if (IsCaseError(result.verdict)) {
      return absl::InternalError(absl::StrCat(test.name, ": ", result.detail));
    }
    if (passes) {
      kill.verdict = result.verdict;
      kill.witness = test.name;
      break;
    }
    if (result.verdict == Verdict::PASS || result.verdict == Verdict::UNSUPPORTED) continue;
    const bool is_failure = IsFailure(result.verdict);
    if (is_failure && !IsOwn(test)) {
      ++kill.tests;
      operations.insert(result.operation);
    }
    if (kill.witness.empty() || (is_failure && !IsFailure(kill.verdict))) {
      kill.verdict = result.verdict;
      kill.witness = test.name;
    }
    if (is_failure && is_general) break;
  }
  kill.operations = operations.size();
  return kill;
}

std::string ToLine(const absl::StatusOr<Kill>& kill) {
  if (!kill.ok()) return absl::StrCat("error ", std::string(kill.status().message()));
  return absl::StrCat("kill ", std::string(toString(kill->verdict)), " ", kill->tests, " ",
                      kill->operations, " ", kill->witness);
}

// Reads what the other process told: how far it came, and what it found.
absl::StatusOr<Kill> FromLines(const std::string& fault, const std::string& lines, int status) {
  Kill kill;
  kill.fault = fault;
  for (const absl::string_view line : absl::StrSplit(lines, '\n')) {
    if (absl::StartsWith(line, "error ")) {
      return absl::InternalError(absl::StrCat(fault, ": ", absl::StripPrefix(line, "error ")));
    }
    if (absl::StartsWith(line, "at ")) kill.witness = std::string(absl::StripPrefix(line, "at "));
    if (!absl::StartsWith(line, "kill ")) continue;
    const std::vector<std::string> words = absl::StrSplit(line, absl::MaxSplits(' ', 4));
    const std::optional<Verdict> verdict = verdictFromString(words[1]);
    if (words.size() != 5 || !verdict.has_value() || !absl::SimpleAtoi(words[2], &kill.tests) ||
        !absl::SimpleAtoi(words[3], &kill.operations)) {
      return absl::InternalError(absl::StrCat(fault, ": unexpected line: ", line));
    }
    kill.verdict = *verdict;
    kill.witness = words[4];
    return kill;
  }
  if (kill.witness.empty()) {
    return absl::InternalError(
        absl::StrCat(fault, ": the process ended with status ", status, " before the first test"));
  }
  kill.verdict = Verdict::CRASH;
  kill.tests = 1;
  kill.operations = 1;
  return kill;
}

}  // namespace

bool IsOwn(const Test& test) { return absl::StartsWith(test.name, kOwnPrefix); }

absl::StatusOr<std::vector<Test>> LoadTests(absl::Span<const std::string> folders) {
  const absl::StatusOr<LoadedCases> loaded = LoadCases(folders);
  if (!loaded.ok()) return loaded.status();
  if (!loaded->errors.empty()) return loaded->errors.front();
  std::vector<Test> cases;
  const auto none = std::make_shared<const std::vector<Fault>>();
  const auto add_case = [&](const TestCase& test_case) {
    auto healthy =
        std::make_shared<const std::vector<std::vector<uint8_t>>>(OutputsOf(test_case, none));
    cases.push_back(
        {std::make_shared<const TestCase>(test_case), TestMode::kStatic, std::move(healthy), ""});
  };
  for (const LoadedCase& entry : loaded->cases) add_case(entry.test_case);
  std::vector<Test> tests;
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    for (Test test : cases) {
      const std::string& name = NameInMode(*test.test_case, mode);
      if (name.empty()) continue;
      test.mode = mode;
      test.name = absl::StrCat(std::string(FixtureName(mode)), ".", name);
      tests.push_back(std::move(test));
    }
  }
  cases.clear();
  for (const TestCase& own : OwnCases()) add_case(own);
  for (Test& test : cases) {
    test.name = absl::StrCat(kOwnPrefix, test.test_case->name);
    tests.push_back(std::move(test));
  }
  return tests;
}

absl::StatusOr<std::vector<Kill>> RunFaultsApart(
    const std::vector<std::string>& faults, const TestsForFault& tests_for, size_t jobs,
    const std::function<void(const Kill& kill)>& done) {
  std::vector<Kill> kills;
  const absl::Status status = RunApart(
      faults, jobs,
      [&](const std::string& fault, const Tell& tell) {
        tell(ToLine(RunAndTell(fault, tests_for(fault), tell)));
      },
      [&](const std::string& fault, const std::string& lines, int exit_status) {
        absl::StatusOr<Kill> kill = FromLines(fault, lines, exit_status);
        if (!kill.ok()) return kill.status();
        done(*kill);
        kills.push_back(*std::move(kill));
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return kills;
}

}  // namespace nncert::faulty
