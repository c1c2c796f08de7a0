// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Kill rates are what tests make of rules, and docs/kill_rates.md says what they are.

#include "drivers/faulty/kill_rates/kill_rates.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cases/case_source.h"
#include "drivers/faulty/kill_rates/measuring.h"
#include "drivers/faulty/rules/rule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert::faulty {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The cases of a folder whose names have a part.
MeasuredSuite SuiteOf(const std::string& name, const std::string& folder, const std::string& part) {
  absl::StatusOr<LoadedCases> loaded = LoadCases({folder});
  EXPECT_TRUE(loaded.ok()) << loaded.status();
  MeasuredSuite suite = {name, {}};
  if (!loaded.ok()) return suite;
  EXPECT_THAT(loaded->errors, IsEmpty());
  std::vector<TestCase> cases;
  for (LoadedCase& entry : loaded->cases) {
    if (absl::StrContains(entry.test_case.name, part)) cases.push_back(std::move(entry.test_case));
  }
  suite.tests = TestsOf(std::move(cases));
  return suite;
}

std::vector<MeasuredSuite> Suites(const std::string& part) {
  return {SuiteOf("specs", "spec_tests/specs", part),
          SuiteOf("systematic", "spec_tests/systematic", part)};
}

std::vector<const Rule*> RulesOf(const std::vector<std::string>& names) {
  std::vector<const Rule*> rules;
  for (const std::string& name : names) rules.push_back(FindRule(name));
  return rules;
}

KillRates Measure(const std::vector<std::string>& rules, const std::vector<MeasuredSuite>& suites,
                  const MeasuringOptions& options = {}) {
  absl::StatusOr<KillRates> rates = MeasureKillRates(RulesOf(rules), suites, options);
  EXPECT_TRUE(rates.ok()) << rates.status();
  return rates.ok() ? *std::move(rates) : KillRates();
}

// The unit of an operation, whose name is "OPERATION" or "OPERATION@CONDITION".
const Unit* Find(const KillRates& rates, const std::string& rule, const std::string& operation,
                 const std::string& condition = "") {
  for (const Unit& unit : rates.units) {
    if (unit.rule->name == rule && unit.operation == operation && unit.condition == condition) {
      return &unit;
    }
  }
  return nullptr;
}

TEST(KillRatesTest, AUnitIsCaughtByTheSuiteWhoseTestFails) {
  const std::vector<MeasuredSuite> suites = Suites("log_softmax");
  const KillRates rates = Measure({"middle_element"}, suites);
  EXPECT_EQ(rates.suites, (std::vector<std::string>{"specs", "systematic"}));
  const Unit* const unit = Find(rates, "middle_element", "LOG_SOFTMAX");
  ASSERT_NE(unit, nullptr);
  ASSERT_EQ(unit->by_suite.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(unit->by_suite[i].outcome, Outcome::kFailed);
    EXPECT_THAT(unit->by_suite[i].witness, HasSubstr("log_softmax"));
  }
  // No spec has such a case, and some systematic case has.
  const Unit* const wide = Find(rates, "middle_element", "LOG_SOFTMAX", "dimension>512");
  ASSERT_NE(wide, nullptr);
  EXPECT_EQ(wide->by_suite[0].outcome, Outcome::kNotReached);
  EXPECT_EQ(wide->by_suite[1].outcome, Outcome::kFailed);
  EXPECT_EQ(wide->Best().outcome, Outcome::kFailed);
  // What no operation can meet is no unit, and neither is what a rule does not change.
  EXPECT_EQ(Find(rates, "middle_element", "LOG_SOFTMAX", "nchw"), nullptr);
  EXPECT_EQ(Find(rates, "middle_element", "ADD"), nullptr);
}

TEST(KillRatesTest, WhatMayBeHonestSurvives) {
  const std::vector<MeasuredSuite> suites = Suites("_sin_");
  const KillRates rates = Measure({"relative_error_1e_6", "relative_error_1e_3"}, suites);
  const Unit* const unit = Find(rates, "relative_error_1e_6", "SIN");
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(unit->by_suite[1].outcome, Outcome::kWithinThreshold);
  EXPECT_EQ(unit->by_suite[1].witness, "");
  EXPECT_EQ(Find(rates, "relative_error_1e_3", "SIN")->Best().outcome, Outcome::kFailed);
}

TEST(KillRatesTest, FindingsOfModelsOfSeveralOperationsCount) {
  const std::vector<MeasuredSuite> suites = Suites("systematic_average_pool_2d");
  const KillRates rates = Measure({"quantized_off_by_one"}, suites);
  // What another operation wrote is read in models of several alone.
  const Unit* const unit = Find(rates, "quantized_off_by_one", "AVERAGE_POOL_2D", "internal");
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(unit->Best().outcome, Outcome::kSuspect);
}

TEST(KillRatesTest, SuitesThatAreNotMeasuredSayWhatRulesChange) {
  std::vector<MeasuredSuite> suites = Suites("log_softmax");
  suites[1].is_measured = false;
  suites[0].tests.clear();
  suites.push_back(SuiteOf("others", "spec_tests/specs", "tanh"));
  suites[0].is_measured = false;
  MeasuringOptions options;
  options.has_conditions = false;
  const KillRates rates = Measure({"middle_element"}, suites, options);
  EXPECT_EQ(rates.suites, (std::vector<std::string>{"others"}));
  const Unit* const missed = Find(rates, "middle_element", "LOG_SOFTMAX");
  ASSERT_NE(missed, nullptr);
  EXPECT_EQ(missed->Best().outcome, Outcome::kNotReached);
  ASSERT_NE(Find(rates, "middle_element", "TANH"), nullptr);
  EXPECT_EQ(rates.units.size(), 2u);
  const std::string json = KillRatesToJson(rates);
  EXPECT_THAT(json, HasSubstr("\"units\": 2, \"killed\": 1, \"suspect\": 0, \"biased\": 0, "
                              "\"survived\": 1, \"reasons\": {\"explained\": 0, "
                              "\"within_threshold\": 0, \"same_bits\": 0, \"not_reached\": 1}"));
  EXPECT_THAT(json, HasSubstr("{\"rule\": \"middle_element\", \"operation\": \"LOG_SOFTMAX\", "
                              "\"condition\": \"\", \"outcome\": \"not_reached\"}"));
  EXPECT_THAT(KillRatesToMarkdown(rates),
              AllOf(HasSubstr("| `middle_element` | LOG_SOFTMAX | no test reaches it |"),
                    HasSubstr("| TANH | 1 | 1 | 0 | 0 | 0 | 100.0 % | 100.0 % |")));
  EXPECT_THAT(Summarize(rates), HasSubstr("all suites: 1 of 2 units caught, 50.0 %"));
}

TEST(KillRatesTest, ARunGoesOnWithItsJournal) {
  const std::string path = testing::TempDir() + "/kill_rates.journal";
  const std::vector<MeasuredSuite> suites = Suites("log_softmax");
  MeasuringOptions options;
  options.journal = path;
  size_t told = 0;
  options.on_rule = [&told](absl::Span<const Unit> /*units*/, size_t /*left*/) { ++told; };
  options.should_stop = [] { return true; };
  const std::vector<std::string> rules = {"all_nan", "all_zero", "last_element"};
  EXPECT_EQ(MeasureKillRates(RulesOf(rules), suites, options).status().code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(told, 1u);
  // As a run that is killed leaves it.
  std::ofstream(path, std::ios::app) << "rule all_zero\nunit 0 fai";
  options.should_stop = nullptr;
  options.resume = true;
  const KillRates rates = Measure(rules, suites, options);
  EXPECT_EQ(KillRatesToJson(rates), KillRatesToJson(Measure(rules, suites)));
  // All is there now.
  std::stringstream journal;
  journal << std::ifstream(path).rdbuf();
  EXPECT_EQ(KillRatesToJson(rates), KillRatesToJson(Measure(rules, suites, options)));
  // Nor is it taken for a run of other tests.
  options.has_conditions = false;
  EXPECT_EQ(MeasureKillRates(RulesOf(rules), suites, options).status().code(),
            absl::StatusCode::kFailedPrecondition);
  options.journal += ".missing";
  EXPECT_EQ(MeasureKillRates(RulesOf(rules), suites, options).status().code(),
            absl::StatusCode::kNotFound);
}

std::string Document() {
  std::stringstream text;
  text << std::ifstream("docs/kill_rates.md").rdbuf();
  return text.str();
}

TEST(KillRatesTest, TheDocumentHasEveryRuleAndEveryHole) {
  const std::string document = Document();
  for (const Rule* rule : MeasurableRules()) {
    EXPECT_THAT(document, HasSubstr(absl::StrCat("\n| `", std::string(rule->name), "` | ")));
  }
  std::set<std::string_view> known;
  for (const Rule* rule : MeasurableRules()) known.insert(rule->name);
  for (const Hole& hole : KnownHoles()) {
    EXPECT_THAT(document, HasSubstr(absl::StrCat("\n| ", std::string(hole.what), " | ")));
    for (const std::string_view rule : hole.rules) EXPECT_TRUE(known.contains(rule)) << rule;
    EXPECT_EQ(hole.rules.empty(), !hole.remark.empty()) << hole.what;
  }
}

// Figures of a sample of rules are what they were measured to be.
TEST(KillRatesTest, TheDocumentIsTrue) {
  const std::string document = Document();
  const std::vector<std::string> sample = {"middle_element", "quantized_floors", "strides_swapped"};
  const KillRates rates = Measure(sample, Suites(""));
  for (const std::string& name : sample) {
    EXPECT_THAT(document, HasSubstr(RuleRow(rates, *FindRule(name))))
        << "nncert kill_rates --markdown=docs/kill_rates.md";
  }
}

TEST(KillRatesTest, TablesTakeThePlaceOfTables) {
  const std::string mark(kTablesMark);
  EXPECT_EQ(WithTables("", "tables"), mark + "tables");
  EXPECT_EQ(WithTables("# Title\n", "tables"), "# Title\n" + mark + "tables");
  EXPECT_EQ(WithTables("# Title\n" + mark + "old", "new"), "# Title\n" + mark + "new");
}

}  // namespace
}  // namespace nncert::faulty
