// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How often the operation that a failing graph names is the one at fault, as a table in Markdown:
// ./bazelw run //drivers/faulty:blamed_operations -- [--rules=REGEX] [--graphs=100000] [--seed=1]
//
// The graphs are those of a campaign that have several operations and ordinary elements. Each runs
// once, on a driver in which one rule bites one of the graph's operations, both drawn anew for each
// graph: whatever another operation is named for is an innocent one.

#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "drivers/faulty/foreseen_tests.h"
#include "drivers/faulty/kill_rates/measuring.h"
#include "drivers/faulty/rules/rule.h"
#include "hal/version.h"
#include "harness/case_runner.h"
#include "harness/execution_ways.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/case_result.h"
#include "random/split_mix.h"
#include "random_graph/campaign_graph.h"
#include "random_graph/campaign_run.h"
#include "random_graph/graph_plan.h"
#include "reference/catalogue.h"

ABSL_FLAG(std::string, rules, "", "the rules in whose names this regular expression occurs");
ABSL_FLAG(uint64_t, graphs, 100000, "how many graphs to run");
ABSL_FLAG(uint64_t, seed, nncert::kCertificationSeed, "which random graphs");

namespace nncert::faulty {
namespace {

// Of the failures of a rule.
struct Blame {
  size_t failures = 0;
  // "LOGISTIC, not ADD" -> how often the one was named where the other was at fault.
  std::map<std::string, size_t> wrong;
};

// The names of the operations of a model, each once, in the order of the alphabet.
std::vector<std::string> OperationsOf(const hal::V1_2::Model& model) {
  std::set<std::string> names;
  for (const hal::V1_2::Operation& operation : model.operations) {
    names.insert(OperationName(model, operation.type));
  }
  return {names.begin(), names.end()};
}

// By the names of rules.
absl::StatusOr<std::map<std::string, Blame>> CountBlame(const std::vector<const Rule*>& rules) {
  const uint64_t seed = absl::GetFlag(FLAGS_seed);
  GraphPlan plan(seed, hal::HalVersion::V1_2);
  SplitMix64 random(seed);
  std::map<std::string, Blame> blame;
  uint64_t number = 0;
  for (uint64_t turn = 0; turn < absl::GetFlag(FLAGS_graphs); ++number) {
    CampaignGraph graph = MakeGraph(plan, number);
    const std::vector<std::string> operations = OperationsOf(graph.test_case.model);
    if (operations.size() < 2 || graph.is_hostile()) continue;
    const std::string rule(rules[random.Below(rules.size())]->name);
    const std::string& guilty = operations[random.Below(operations.size())];
    const absl::StatusOr<std::unique_ptr<DriverSession>> session =
        OpenFaulty(absl::StrCat(rule, "@operation=", guilty), kDefaultDeadline);
    if (!session.ok()) return session.status();
    RunOptions options;
    options.only_way = WayOfTurn(turn++);
    const CaseResult result = RunCase(**session, graph.test_case, TestMode::kStatic, options);
    if (!IsFailure(result.verdict) || NoticeExtremes(graph)) continue;
    Blame& of_rule = blame[rule];
    ++of_rule.failures;
    if (result.operation != guilty) {
      ++of_rule.wrong[absl::StrCat(result.operation, ", not ", guilty)];
    }
  }
  return blame;
}

void Print(const std::map<std::string, Blame>& blame) {
  std::cout << "| rule | failures | the operation at fault named | another one |\n"
            << "|--|--|--|--|\n";
  size_t failures = 0;
  size_t wrong = 0;
  for (const auto& [rule, of_rule] : blame) {
    size_t wrong_here = 0;
    for (const auto& [pair, count] : of_rule.wrong) wrong_here += count;
    std::cout << absl::StrFormat(
        "| `%s` | %d | %d | %s |\n", rule, of_rule.failures, of_rule.failures - wrong_here,
        absl::StrJoin(of_rule.wrong, "; ", [](std::string* out, const auto& named) {
          absl::StrAppend(out, named.first, ": ", named.second);
        }));
    failures += of_rule.failures;
    wrong += wrong_here;
  }
  std::cout << absl::StrFormat(
      "\nOf %d failures of graphs of several operations %d name the one at fault%s.\n", failures,
      failures - wrong,
      failures == 0 ? ""
                    : absl::StrFormat(" (%.2f %%)", 100. * static_cast<double>(failures - wrong) /
                                                        static_cast<double>(failures)));
}

absl::Status Run() {
  const auto rules = MeasurableRulesNamed(absl::GetFlag(FLAGS_rules));
  if (!rules.ok()) return rules.status();
  const auto blame = CountBlame(*rules);
  if (!blame.ok()) return blame.status();
  Print(*blame);
  return absl::OkStatus();
}

int Main(int argument_count, char** arguments) {
  absl::ParseCommandLine(argument_count, arguments);
  const absl::Status status = Run();
  if (status.ok()) return 0;
  std::cerr << "blamed_operations: " << status.message() << std::endl;
  return 1;
}

}  // namespace
}  // namespace nncert::faulty

int main(int argument_count, char** arguments) {
  return nncert::faulty::Main(argument_count, arguments);
}
