// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/kill_run.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "cases/case_source.h"
#include "cases/coverage/coverage_counter.h"
#include "certifying/accuracy_findings.h"
#include "drivers/faulty/fault.h"
#include "drivers/faulty/faulty_driver.h"
#include "drivers/faulty/rule_executor.h"
#include "harness/case_runner.h"
#include "harness/isolation/call_thread.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/accuracy.h"
#include "reference/calls/operation_call.h"
#include "reference/catalogue.h"

namespace nncert::faulty {
namespace {

constexpr char kOwnPrefix[] = "own.";
constexpr absl::Duration kShortDeadline = absl::Seconds(2);

bool IsOwn(const Test& test) { return absl::StartsWith(test.name, kOwnPrefix); }

// What is told of a run from one process to the other: where a fault is not about operations, the
// test that is about to run, on a line of its own; and in the end the kill.
using Tell = std::function<void(const std::string& line)>;

// The bytes of all outputs of a case; none of an example that cannot be executed.
std::vector<std::vector<uint8_t>> OutputsOf(const TestCase& test_case, const Faults& faults) {
  std::vector<std::vector<uint8_t>> outputs;
  const absl::StatusOr<std::unique_ptr<RuleGraph>> graph =
      RuleGraph::Create(test_case.model, faults);
  if (!graph.ok()) return outputs;
  for (const Example& example : test_case.examples) {
    std::vector<RuleGraph::Argument> arguments;
    for (const InputValue& input : example.inputs) {
      arguments.push_back({input.hasNoValue, input.dimensions, input.data});
    }
    absl::StatusOr<std::vector<ValuedOperand>> values = (*graph)->Run(std::move(arguments));
    if (!values.ok()) continue;
    for (ValuedOperand& value : *values) {
      // Other dimensions are another output.
      const auto* const first = reinterpret_cast<const uint8_t*>(value.operand.dimensions.data());
      value.bytes.insert(value.bytes.end(), first,
                         first + value.operand.dimensions.size() * sizeof(uint32_t));
      outputs.push_back(std::move(value.bytes));
    }
  }
  return outputs;
}

// Makes the driver with a fault, and a session of it.
absl::StatusOr<std::unique_ptr<DriverSession>> OpenFaulty(const std::string& fault,
                                                          absl::Duration deadline) {
  CallThread calls;
  absl::StatusOr<absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>>> device =
      calls.Run(deadline, [fault] { return MakeFaultyDriver(fault); });
  if (!device.ok()) return device.status();
  if (!device->ok()) return device->status();
  return DriverSession::FromDevice(**device, "faulty:" + fault, deadline);
}

absl::StatusOr<Kill> RunAndTell(const std::string& fault, const std::vector<Test>& tests,
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

// A process that runs a fault, and where it tells of it.
struct Running {
  std::string fault;
  pid_t process;
  int output;
};

// Has a copy of this process do `work`, which tells of it.
absl::StatusOr<Running> Start(const std::string& fault,
                              const std::function<void(const Tell& tell)>& work) {
  std::array<int, 2> ends;
  // Closed in the programs that a driver starts, which may go on for longer.
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "pipe2");
  const pid_t process = fork();
  if (process < 0) return absl::ErrnoToStatus(errno, "fork");
  if (process == 0) {
    close(ends[0]);
    const Tell tell = [out = ends[1]](const std::string& line) {
      const std::string text = line + "\n";
      if (write(out, text.data(), text.size()) < 0) std::_Exit(1);
    };
    work(tell);
    // Threads of the driver may be stalled, so nothing is torn down.
    std::_Exit(0);
  }
  close(ends[1]);
  return Running{fault, process, ends[0]};
}

// What a process told, and its status, when it has ended.
std::pair<std::string, int> Finish(const Running& running) {
  std::string lines;
  std::array<char, 4096> buffer;
  ssize_t count = 0;
  while ((count = read(running.output, buffer.data(), buffer.size())) > 0 ||
         (count < 0 && errno == EINTR)) {
    if (count > 0) lines.append(buffer.data(), static_cast<size_t>(count));
  }
  close(running.output);
  int status = 0;
  while (waitpid(running.process, &status, 0) < 0 && errno == EINTR) {
  }
  return {lines, status};
}

absl::StatusOr<Running> StartKill(const std::string& fault, const std::vector<Test>& tests) {
  return Start(fault, [&](const Tell& tell) { tell(ToLine(RunAndTell(fault, tests, tell))); });
}

absl::StatusOr<Kill> FinishKill(const Running& running) {
  const auto [lines, status] = Finish(running);
  return FromLines(running.fault, lines, status);
}

// The operation of this name in a model; nothing when there are several, or none.
std::optional<size_t> OnlyOperation(const hal::V1_2::Model& model, const std::string& name) {
  std::optional<size_t> only;
  for (size_t i = 0; i < model.operations.size(); ++i) {
    if (OperationName(model, model.operations[i].type) != name) continue;
    if (only.has_value()) return std::nullopt;
    only = i;
  }
  return only;
}

// What an operation is counted as: by its name, and with each condition that it meets.
std::vector<std::string> UnitsOf(const TestCase& test_case, const std::string& operation,
                                 bool with_conditions) {
  std::vector<std::string> names = {operation};
  const std::optional<size_t> index =
      with_conditions ? OnlyOperation(test_case.model, operation) : std::nullopt;
  if (!index.has_value()) return names;
  constexpr size_t kLargestScalar = 8;
  const absl::StatusOr<OperationCall> call = CallOf(test_case.model, *index, kLargestScalar);
  if (!call.ok()) return names;
  for (const size_t condition : ConditionsOf(*call)) {
    names.push_back(absl::StrCat(operation, "@", std::string(CoverageConditions()[condition])));
  }
  return names;
}

// Runs static tests, and tells of each operation.
absl::Status CountAndTell(const std::string& fault, const std::vector<Test>& tests,
                          bool with_conditions, const Tell& tell) {
  absl::StatusOr<std::vector<Fault>> faults = ParseFaults(fault);
  if (!faults.ok()) return faults.status();
  const auto shared_faults = std::make_shared<const std::vector<Fault>>(*std::move(faults));
  const absl::StatusOr<std::unique_ptr<DriverSession>> session =
      OpenFaulty(fault, RunOptions().deadline);
  if (!session.ok()) return session.status();
  RunOptions options;
  if (with_conditions) options.only_way = 1;
  std::map<std::string, UnitCount> units;
  // What findings are made of, by unit.
  std::map<std::string, CaseResult> accuracy;
  for (const Test& test : tests) {
    if (IsOwn(test) || test.mode != TestMode::kStatic) continue;
    const TestCase& test_case = *test.test_case;
    const bool is_single = test_case.model.operations.size() == 1;
    if (!is_single && !with_conditions) continue;
    if (OutputsOf(test_case, shared_faults) == *test.healthy) continue;
    const CaseResult result = RunCase(**session, test_case, test.mode, options);
    // Of several operations only the one that is to blame is known to have changed.
    if (!is_single && !IsFailure(result.verdict)) continue;
    for (const std::string& name : UnitsOf(test_case, result.operation, with_conditions)) {
      UnitCount& unit = units[name];
      ++unit.changed;
      unit.failed += IsFailure(result.verdict);
      if (is_single) AddAccuracy(result.accuracy, accuracy[name].accuracy);
    }
  }
  for (const auto& [name, result] : accuracy) {
    for (const Finding& finding : FindingsOf({&result, 1})) {
      if (finding.kind == FindingKind::SUSPECT) units[name].is_suspect = true;
      if (finding.kind == FindingKind::BIASED) units[name].is_biased = true;
    }
  }
  for (const auto& [operation, unit] : units) {
    tell(absl::StrCat("unit ", unit.changed, " ", unit.failed, " ", unit.is_suspect ? 1 : 0, " ",
                      unit.is_biased ? 1 : 0, " ", operation));
  }
  return absl::OkStatus();
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

// Keeps `jobs` processes at work on `faults`, and finishes them in order.
template <class Starter, class Finisher>
absl::Status RunEach(const std::vector<std::string>& faults, size_t jobs, Starter start,
                     Finisher finish) {
  std::deque<Running> running;
  for (size_t next = 0; next < faults.size() || !running.empty();) {
    if (next < faults.size() && running.size() < jobs) {
      absl::StatusOr<Running> started = start(faults[next++]);
      if (!started.ok()) return started.status();
      running.push_back(*std::move(started));
      continue;
    }
    if (absl::Status status = finish(running.front()); !status.ok()) return status;
    running.pop_front();
  }
  return absl::OkStatus();
}

}  // namespace

bool EndsProcess(const Rule& rule) {
  const auto is_absent = [](const Delivery* delivery) {
    return delivery != nullptr && (delivery->calls == 0 || delivery->delay > absl::ZeroDuration());
  };
  return rule.fault_class == FaultClass::kProcess || is_absent(rule.prepare_delivery) ||
         is_absent(rule.execute_delivery);
}

absl::StatusOr<std::vector<Test>> LoadTests(const std::string& folder) {
  const absl::StatusOr<LoadedCases> loaded = LoadCases({folder});
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

std::vector<Test> TestsOf(std::vector<TestCase> cases) {
  std::vector<Test> tests;
  const auto none = std::make_shared<const std::vector<Fault>>();
  for (TestCase& test_case : cases) {
    Test& test = tests.emplace_back();
    test.name = test_case.name;
    test.healthy =
        std::make_shared<const std::vector<std::vector<uint8_t>>>(OutputsOf(test_case, none));
    test.test_case = std::make_shared<const TestCase>(std::move(test_case));
  }
  return tests;
}

absl::StatusOr<Kill> RunFaultApart(const std::string& fault, const std::vector<Test>& tests) {
  const absl::StatusOr<Running> running = StartKill(fault, tests);
  if (!running.ok()) return running.status();
  return FinishKill(*running);
}

absl::StatusOr<std::vector<Kill>> RunFaultsApart(
    const std::vector<std::string>& faults, const std::vector<Test>& tests, size_t jobs,
    const std::function<void(const Kill& kill)>& done) {
  std::vector<Kill> kills;
  const absl::Status status = RunEach(
      faults, jobs, [&](const std::string& fault) { return StartKill(fault, tests); },
      [&](const Running& running) {
        absl::StatusOr<Kill> kill = FinishKill(running);
        if (!kill.ok()) return kill.status();
        done(*kill);
        kills.push_back(*std::move(kill));
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return kills;
}

absl::Status CountUnitsApart(const std::vector<std::string>& faults, const std::vector<Test>& tests,
                             bool with_conditions, size_t jobs,
                             const std::function<void(const FaultCount& count)>& done) {
  return RunEach(
      faults, jobs,
      [&](const std::string& fault) {
        return Start(fault, [&](const Tell& tell) {
          const absl::Status status = CountAndTell(fault, tests, with_conditions, tell);
          tell(status.ok() ? "done" : absl::StrCat("error ", std::string(status.message())));
        });
      },
      [&](const Running& running) {
        const auto [lines, status] = Finish(running);
        absl::StatusOr<FaultCount> count = CountFromLines(running.fault, lines, status);
        if (!count.ok()) return count.status();
        done(*count);
        return absl::OkStatus();
      });
}

}  // namespace nncert::faulty
