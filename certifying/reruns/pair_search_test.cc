// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/reruns/pair_search.h"

#include <functional>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using Places = std::vector<size_t>;

// Cases of three operations by turns, each executed six times.
std::vector<RanCase> CasesOf(size_t count) {
  std::vector<RanCase> cases;
  for (size_t i = 0; i < count; ++i) {
    cases.push_back({i % 3 == 0 ? "ADD" : i % 3 == 1 ? "MUL" : "TANH", 6, false});
  }
  return cases;
}

bool Has(const Places& before, size_t place) {
  for (const size_t one : before) {
    if (one == place) return true;
  }
  return false;
}

// A driver that makes a case fail as a function says, told what was run before it in its process.
class Driver {
 public:
  explicit Driver(std::function<bool(const Places& before)> fails, int runs = 1 << 20)
      : fails_(std::move(fails)), left_(runs) {}

  PairSearchResult Search(const std::vector<RanCase>& cases, size_t failing,
                          const Places& suspects = {}) {
    return FindCulprit(cases, failing, suspects,
                       [&](absl::Span<const size_t> places) -> std::optional<bool> {
                         if (left_-- <= 0) return std::nullopt;
                         EXPECT_EQ(places.back(), failing);
                         sequences_.emplace_back(places.begin(), places.end() - 1);
                         return fails_(sequences_.back());
                       });
  }

  const std::vector<Places>& sequences() const { return sequences_; }

 private:
  const std::function<bool(const Places& before)> fails_;
  int left_;
  std::vector<Places> sequences_;
};

TEST(PairSearchTest, TheOneCaseIsFoundWhereverItWas) {
  const std::vector<RanCase> cases = CasesOf(1000);
  for (const size_t culprit : {0u, 1u, 500u, 897u, 898u}) {
    Driver driver([&](const Places& before) { return Has(before, culprit); });
    const PairSearchResult result = driver.Search(cases, 899);
    EXPECT_EQ(result.culprit, culprit);
    EXPECT_FALSE(result.is_cut);
    // Halving a thousand takes ten steps of two runs.
    EXPECT_LE(driver.sequences().size(), 4u + 20u + 3u);
    EXPECT_EQ(result.runs.runs, driver.sequences().size());
  }
}

TEST(PairSearchTest, NearCasesAreRunBeforeAllOthers) {
  const std::vector<RanCase> cases = CasesOf(1000);
  Driver driver([&](const Places& before) { return Has(before, 890); });
  EXPECT_EQ(driver.Search(cases, 899).culprit, 890u);
  for (const Places& sequence : driver.sequences()) EXPECT_LE(sequence.size(), 64u);
}

TEST(PairSearchTest, WhatCameLaterMakesItFailWhenItIsRunLast) {
  const std::vector<RanCase> cases = CasesOf(100);
  Driver driver([&](const Places& before) { return Has(before, 70); });
  EXPECT_EQ(driver.Search(cases, 10).culprit, 70u);
  // The first one of a run has none before it.
  Driver other([&](const Places& before) { return Has(before, 70); });
  EXPECT_EQ(other.Search(cases, 0).culprit, 70u);
}

TEST(PairSearchTest, ACaseThatPassesBehindAllOthersHasNoCulprit) {
  const std::vector<RanCase> cases = CasesOf(100);
  Driver driver([](const Places&) { return false; });
  const PairSearchResult result = driver.Search(cases, 80);
  EXPECT_EQ(result.culprit, std::nullopt);
  EXPECT_EQ(result.runs, (RunTally{0, 3}));
  EXPECT_EQ(driver.sequences().back().size(), 99u);
}

TEST(PairSearchTest, WhatTakesTwoOthersIsNoPair) {
  const std::vector<RanCase> cases = CasesOf(100);
  Driver driver([](const Places& before) { return Has(before, 3) && Has(before, 60); });
  const PairSearchResult result = driver.Search(cases, 64);
  EXPECT_EQ(result.culprit, std::nullopt);
  EXPECT_GE(result.runs.failed, 1u);
}

TEST(PairSearchTest, ADriverThatCountsExecutionsIsNotTakenForAPair) {
  const std::vector<RanCase> cases = CasesOf(100);
  // Every tenth execution: the fourth of the case when one case was before it.
  const auto every_tenth = [](const Places& before) {
    const size_t executed = before.size() * 6;
    return executed / 10 != (executed + 6) / 10;
  };
  Driver driver(every_tenth);
  const PairSearchResult result = driver.Search(cases, 80);
  EXPECT_EQ(result.culprit, std::nullopt);
  EXPECT_GT(result.runs.failed, 0u);
  EXPECT_LT(result.runs.failed, result.runs.runs);
  // Nor where it fails behind one case each time: the control was asked.
  Driver suspicious(every_tenth);
  EXPECT_EQ(suspicious.Search(cases, 80, {20}).runs, (RunTally{4, 4}));
  EXPECT_THAT(suspicious.sequences(),
              ElementsAre(ElementsAre(20), ElementsAre(20), ElementsAre(20), ElementsAre(19)));
  // Nor a driver that is wrong from the seventh execution on.
  Driver worn_out([](const Places& before) { return !before.empty(); });
  EXPECT_EQ(worn_out.Search(cases, 80).culprit, std::nullopt);
}

TEST(PairSearchTest, TheControlIsOfAnotherOperationAndExecutedAsOften) {
  std::vector<RanCase> cases = CasesOf(9);
  // Place 4 is a MUL, and is executed twelve times; so is none of its neighbours.
  cases[4].executions = 12;
  cases[3].executions = 5;
  cases[5] = {"ADD", 12, true};
  Driver driver([](const Places& before) { return Has(before, 4); });
  EXPECT_EQ(driver.Search(cases, 8).culprit, 4u);
  // TANH is the operation of the case itself, and the neighbours are executed otherwise or ended
  // the process: the ADD that is executed six times is run twice.
  EXPECT_THAT(driver.sequences().back(), ElementsAre(6, 6));
}

TEST(PairSearchTest, WithoutAControlThereIsNoCulprit) {
  const std::vector<RanCase> cases = {{"FLOOR", 6, false}, {"FLOOR", 6, false}};
  Driver driver([](const Places& before) { return Has(before, 0); });
  EXPECT_EQ(driver.Search(cases, 1).culprit, std::nullopt);
  // The case itself will do.
  const std::vector<RanCase> others = {{"FLOOR", 6, false}, {"TANH", 6, false}};
  Driver driver_of_others([](const Places& before) { return Has(before, 0); });
  EXPECT_EQ(driver_of_others.Search(others, 1).culprit, 0u);
  EXPECT_THAT(driver_of_others.sequences().back(), ElementsAre(1));
}

TEST(PairSearchTest, AFailureThatDoesNotComeAgainIsNoPair) {
  const std::vector<RanCase> cases = CasesOf(30);
  // Fails behind others until there is one left, and then once more.
  int alone = 0;
  Driver driver([&](const Places& before) {
    if (!Has(before, 7)) return false;
    return before.size() > 1 || ++alone < 3;
  });
  EXPECT_EQ(driver.Search(cases, 20).culprit, std::nullopt);
}

TEST(PairSearchTest, SuspectsComeFirst) {
  const std::vector<RanCase> cases = CasesOf(100);
  Driver driver([](const Places& before) { return Has(before, 2); });
  EXPECT_EQ(driver.Search(cases, 95, {50, 2}).culprit, 2u);
  EXPECT_THAT(driver.sequences()[0], ElementsAre(50));
  EXPECT_THAT(driver.sequences()[1], ElementsAre(2));
  EXPECT_EQ(driver.sequences().size(), 5u);
}

TEST(PairSearchTest, CasesThatEndedTheProcessLeaveNothingBehind) {
  std::vector<RanCase> cases = CasesOf(20);
  cases[5].ended_process = true;
  Driver driver([](const Places&) { return false; });
  driver.Search(cases, 10);
  for (const Places& sequence : driver.sequences()) EXPECT_FALSE(Has(sequence, 5));
}

TEST(PairSearchTest, ASearchThatIsCutNamesNobody) {
  const std::vector<RanCase> cases = CasesOf(100);
  Driver whole([](const Places& before) { return Has(before, 2); });
  ASSERT_EQ(whole.Search(cases, 95).culprit, 2u);
  const int runs = static_cast<int>(whole.sequences().size());
  for (int allowed = 0; allowed < runs; ++allowed) {
    Driver driver([](const Places& before) { return Has(before, 2); }, allowed);
    const PairSearchResult result = driver.Search(cases, 95);
    EXPECT_EQ(result.culprit, std::nullopt) << allowed;
    EXPECT_TRUE(result.is_cut) << allowed;
    EXPECT_EQ(result.runs.runs, static_cast<uint64_t>(allowed));
  }
}

}  // namespace
}  // namespace nncert
