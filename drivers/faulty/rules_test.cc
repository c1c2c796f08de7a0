// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The README is what the tables of rules are, and every rule is told from none by its witness.

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "drivers/faulty/kill_run.h"
#include "drivers/faulty/readme.h"
#include "drivers/faulty/rules/rule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/isolation/driver_session.h"
#include "reference/driver/driver.h"
#include "system/processor.h"

namespace nncert::faulty {
namespace {

using ::testing::HasSubstr;

std::string Readme() {
  std::stringstream text;
  text << std::ifstream("drivers/faulty/README.md").rdbuf();
  return text.str();
}

std::vector<Kill> KillsInReadme() {
  const absl::StatusOr<std::vector<Kill>> kills = ReadKills(Readme());
  EXPECT_TRUE(kills.ok()) << kills.status();
  return kills.value_or(std::vector<Kill>());
}

TEST(RulesTest, TheReadmeListsEveryRule) {
  const std::vector<Kill> kills = KillsInReadme();
  const std::vector<std::string> sentences = ReadSentences(Readme());
  const std::vector<const Rule*> rules = AllRules();
  ASSERT_EQ(kills.size(), rules.size()) << "./bazelw run //drivers/faulty:update_readme";
  for (size_t i = 0; i < rules.size(); ++i) {
    EXPECT_EQ(kills[i].fault, rules[i]->name);
    EXPECT_EQ(sentences[i], rules[i]->breaks);
  }
}

TEST(RulesTest, TheReadmeIsAsItIsWritten) {
  const std::string readme = Readme();
  const size_t mark = readme.find(kReadmeMark);
  ASSERT_NE(mark, readme.npos);
  const std::string tables = readme.substr(mark + kReadmeMark.size());
  // The figures of conditions are not read again.
  const std::string written = ReadmeTables(KillsInReadme(), {});
  EXPECT_EQ(tables.substr(0, written.size()), written);
  for (const std::string& fault : ConditionalFaults()) {
    EXPECT_THAT(tables, HasSubstr("| `" + fault + "` | "));
  }
}

// Every rule is in a process of its own, as a copy of this one that has no other threads. The
// sample driver comes last, for it brings threads.
TEST(RulesTest, EveryRuleIsToldFromNoneByItsWitness) {
  const absl::StatusOr<std::vector<faulty::Test>> tests = LoadTests({"spec_tests/specs"});
  ASSERT_TRUE(tests.ok()) << tests.status();
  std::map<std::string, const faulty::Test*> by_name;
  for (const faulty::Test& test : *tests) by_name[test.name] = &test;
  std::map<std::string, const faulty::Test*> witnesses;
  std::map<std::string, Kill> kills;
  std::vector<std::string> faults;
  for (const Kill& kill : KillsInReadme()) {
    const auto witness = by_name.find(kill.witness);
    if (witness == by_name.end()) {
      ADD_FAILURE() << kill.fault << ": there is no test " << kill.witness;
      continue;
    }
    witnesses.insert(*witness);
    const Rule* const rule = FindRule(kill.fault);
    ASSERT_NE(rule, nullptr) << kill.fault;
    EXPECT_EQ(kill.verdict == Verdict::PASS, rule->passes) << kill.fault;
    kills[kill.fault] = kill;
    faults.push_back(kill.fault);
  }
  // What stalls a driver is waited for, and all else is done meanwhile.
  const absl::StatusOr<std::vector<Kill>> found = RunFaultsApart(
      faults,
      [&](const std::string& fault) {
        return absl::MakeConstSpan(witnesses.at(kills.at(fault).witness), 1);
      },
      /*jobs=*/8, [](const Kill&) {});
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->size(), faults.size());
  for (size_t i = 0; i < faults.size(); ++i) {
    EXPECT_EQ(found->at(i).fault, faults[i]);
    const Kill& kill = kills.at(faults[i]);
    EXPECT_EQ(found->at(i).verdict, kill.verdict) << kill.fault << " on " << kill.witness;
  }
  const OnProcessor scope(CurrentProcessor());
  const auto session = DriverSession::FromDevice(MakeReferenceDriver(), "sample");
  ASSERT_TRUE(session.ok()) << session.status();
  for (const auto& [name, test] : witnesses) {
    const CaseResult result = RunCase(**session, *test->test_case, test->mode);
    EXPECT_EQ(result.verdict, Verdict::PASS) << name << ": " << result.detail;
  }
}

}  // namespace
}  // namespace nncert::faulty
