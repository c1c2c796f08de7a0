// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/reruns/reruns.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cases/case_file.h"
#include "cases/case_source.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "system/subprocess.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The full names of the cases that the process of a driver has run.
using Before = std::vector<std::string>;

// What the driver does with a case, told which ones its process has run before.
using Conduct = std::function<Verdict(const std::string& name, const Before& before)>;

bool Has(const Before& before, const std::string& name) {
  return std::find(before.begin(), before.end(), name) != before.end();
}

// What workers were asked for.
struct Record {
  std::mutex mutex;
  size_t processes = 0;
  std::map<std::string, size_t> runs;
};

class FakeWorker : public CaseWorker {
 public:
  FakeWorker(Conduct conduct, Record& record, bool is_renewed)
      : conduct_(std::move(conduct)), record_(record), is_renewed_(is_renewed) {}

  CaseResult RunTask(const DriverTask& task) override {
    const std::lock_guard<std::mutex> lock(record_.mutex);
    CaseResult result = task.blank;
    result.verdict = conduct_(task.full_name, before_);
    if (result.verdict == Verdict::CRASH) before_.clear();
    before_.push_back(task.full_name);
    ++record_.runs[task.full_name];
    if (lost_ != nullptr && task.full_name == *lost_) why_lost_ = "it is lost";
    return result;
  }

  bool Renew() override {
    const std::lock_guard<std::mutex> lock(record_.mutex);
    before_.clear();
    record_.processes += is_renewed_ ? 1 : 0;
    return is_renewed_;
  }

  std::string WhyLost() const override { return why_lost_; }

  // The driver is lost with a case of this name.
  void LoseWith(const std::string& name) { lost_ = std::make_unique<std::string>(name); }

 private:
  const Conduct conduct_;
  Record& record_;
  const bool is_renewed_;
  Before before_;
  std::unique_ptr<std::string> lost_;
  std::string why_lost_;
};

class RerunsTest : public ::testing::Test {
 protected:
  RerunsTest() { options_.time = absl::InfiniteDuration(); }

  // Adds a case in the static mode that came to this in the run, executed six times.
  void Add(const std::string& name, const std::string& operation, Verdict verdict) {
    auto& loaded = loaded_.emplace_back(std::make_unique<LoadedCase>());
    loaded->test_case = AddCase();
    loaded->test_case.name = name;
    loaded->test_case.dynamicOutputShapeName = absl::StrCat(name, "_dynamic");
    AddInMode(operation, verdict, TestMode::kStatic);
  }

  // Adds the case before in another mode.
  void AddInMode(const std::string& operation, Verdict verdict, TestMode mode) {
    cases_.push_back({loaded_.back().get(), mode});
    CaseResult& result = results_.emplace_back();
    result.name = NameInMode(loaded_.back()->test_case, mode);
    result.mode = mode;
    result.operation = operation;
    result.type = "TENSOR_FLOAT32";
    result.verdict = verdict;
    result.executions = 6;
    if (verdict != Verdict::PASS) result.detail = "what was wrong\n  nncert run it.case";
  }

  RerunOutcome Run(const Conduct& conduct, size_t workers = 1) {
    std::vector<std::unique_ptr<CaseWorker>> fakes;
    for (size_t i = 0; i < workers; ++i) {
      auto worker = std::make_unique<FakeWorker>(conduct, record_, is_renewed_);
      if (!lost_with_.empty()) worker->LoseWith(lost_with_);
      fakes.push_back(std::move(worker));
    }
    options_.sequences_directory = absl::StrCat(folder_.path(), "/sequences");
    options_.driver = "fake";
    return RerunFailures(fakes, cases_, options_, absl::MakeSpan(results_));
  }

  size_t Runs(const std::string& name) { return record_.runs[name]; }

  const TemporaryFolder folder_ = TemporaryFolder::Create().value();
  std::vector<std::unique_ptr<LoadedCase>> loaded_;
  std::vector<CaseInMode> cases_;
  std::vector<CaseResult> results_;
  RerunOptions options_;
  Record record_;
  bool is_renewed_ = true;
  std::string lost_with_;
};

// Spoils TANH once FLOOR has run.
Verdict FloorSpoilsTanh(const std::string& name, const Before& before) {
  const bool is_tanh = name.find("tanh") != std::string::npos;
  return is_tanh && Has(before, "GeneratedTests.floor") ? Verdict::FAIL : Verdict::PASS;
}

TEST_F(RerunsTest, WhatAlwaysFailsStaysWhatItIs) {
  Add("good", "ADD", Verdict::PASS);
  Add("bad", "MUL", Verdict::FAIL);
  Add("open", "MUL", Verdict::UNDECIDED);
  Add("broken", "DIV", Verdict::BROKEN_PROMISE);
  const RerunOutcome outcome = Run([](const std::string&, const Before&) { return Verdict::FAIL; });
  EXPECT_EQ(outcome.failing, 2u);
  EXPECT_EQ(outcome.again, 2u);
  EXPECT_EQ(outcome.limit, "");
  EXPECT_TRUE(outcome.flaky.empty());
  EXPECT_EQ(results_[1].verdict, Verdict::FAIL);
  EXPECT_THAT(results_[1].detail, StartsWith("what was wrong"));
  EXPECT_EQ(results_[3].verdict, Verdict::BROKEN_PROMISE);
  EXPECT_EQ(Runs("GeneratedTests.bad"), 8u);
  EXPECT_EQ(Runs("GeneratedTests.good") + Runs("GeneratedTests.open"), 0u);
}

TEST_F(RerunsTest, EachRunAloneIsTheFirstOfANewProcess) {
  Add("bad", "MUL", Verdict::FAIL);
  Add("worse", "MUL", Verdict::FAIL);
  Run(
      [](const std::string&, const Before& before) {
        EXPECT_TRUE(before.empty());
        return Verdict::FAIL;
      },
      /*workers=*/2);
  EXPECT_GE(record_.processes, 16u);
}

TEST_F(RerunsTest, WhatPassesNowAndThenIsFlakyWithItsOdds) {
  Add("bad", "MUL", Verdict::FAIL);
  int run = 0;
  const RerunOutcome outcome = Run([&](const std::string&, const Before&) {
    return run++ % 4 == 3 ? Verdict::TIMEOUT : Verdict::PASS;
  });
  ASSERT_EQ(outcome.flaky.size(), 1u);
  EXPECT_EQ(outcome.flaky[0].name, "GeneratedTests.bad");
  EXPECT_EQ(outcome.flaky[0].first, Verdict::FAIL);
  EXPECT_EQ(outcome.flaky[0].alone, (RunTally{2, 8}));
  EXPECT_EQ(outcome.flaky[0].after_others, RunTally());
  EXPECT_EQ(results_[0].verdict, Verdict::FLAKY);
  EXPECT_THAT(results_[0].detail,
              StartsWith("failed 3 of 9 runs: 2 of 8 alone in a new process, and in the run of all "
                         "cases\n  in the run of all cases FAIL: what was wrong\n"));
  EXPECT_THAT(results_[0].detail, EndsWith("nncert run it.case"));
  EXPECT_EQ(run, 8);
}

TEST_F(RerunsTest, APairIsNamedKeptAndShown) {
  for (int i = 0; i < 100; ++i) Add(absl::StrCat("add_", i), "ADD", Verdict::PASS);
  Add("floor", "FLOOR", Verdict::PASS);
  for (int i = 0; i < 50; ++i) Add(absl::StrCat("mul_", i), "MUL", Verdict::PASS);
  Add("tanh", "TANH", Verdict::FAIL);
  const RerunOutcome outcome = Run(FloorSpoilsTanh);
  ASSERT_EQ(outcome.flaky.size(), 1u);
  const FlakyCase& flaky = outcome.flaky[0];
  EXPECT_EQ(flaky.only_after, "GeneratedTests.floor");
  EXPECT_EQ(flaky.alone, (RunTally{0, 8}));
  EXPECT_GE(flaky.after_others.failed, 4u);
  EXPECT_LT(flaky.after_others.failed, flaky.after_others.runs);
  EXPECT_EQ(results_.back().verdict, Verdict::FLAKY);
  EXPECT_THAT(results_.back().detail, HasSubstr("; only after GeneratedTests.floor\n"));
  EXPECT_THAT(results_.back().detail, EndsWith(flaky.command));
  EXPECT_THAT(flaky.file, EndsWith("/sequences/tanh.sequence.case"));
  EXPECT_THAT(flaky.command,
              EndsWith(absl::StrCat(" run --driver fake --jobs 1 --modes static ", flaky.file)));
  const absl::StatusOr<std::vector<TestCase>> kept = ReadCaseFile(flaky.file);
  ASSERT_TRUE(kept.ok()) << kept.status();
  ASSERT_EQ(kept->size(), 2u);
  EXPECT_EQ((*kept)[0].name, "floor");
  EXPECT_EQ((*kept)[1].name, "tanh");
}

TEST_F(RerunsTest, TheCulpritOfOneCaseIsAskedFirstForTheNext) {
  Add("floor", "FLOOR", Verdict::PASS);
  for (int i = 0; i < 300; ++i) Add(absl::StrCat("add_", i), "ADD", Verdict::PASS);
  Add("tanh_1", "TANH", Verdict::FAIL);
  Add("tanh_2", "TANH", Verdict::FAIL);
  const RerunOutcome outcome = Run(FloorSpoilsTanh);
  ASSERT_EQ(outcome.flaky.size(), 2u);
  EXPECT_EQ(outcome.flaky[1].only_after, "GeneratedTests.floor");
  // Alone, the suspicion, twice more, the control, and as the command runs it.
  EXPECT_EQ(outcome.flaky[1].after_others, (RunTally{4, 5}));
}

TEST_F(RerunsTest, APairOfDifferentModesIsShownInAWayThatFails) {
  Add("floor", "FLOOR", Verdict::PASS);
  AddInMode("FLOOR", Verdict::PASS, TestMode::kDynamic);
  Add("add", "ADD", Verdict::PASS);
  Add("tanh", "TANH", Verdict::FAIL);
  // The dynamic one alone does it.
  const RerunOutcome outcome = Run([](const std::string& name, const Before& before) {
    return name == "GeneratedTests.tanh" && Has(before, "DynamicOutputShapeTest.floor_dynamic")
               ? Verdict::FAIL
               : Verdict::PASS;
  });
  ASSERT_EQ(outcome.flaky.size(), 1u);
  EXPECT_EQ(outcome.flaky[0].only_after, "DynamicOutputShapeTest.floor_dynamic");
  EXPECT_THAT(outcome.flaky[0].command, HasSubstr(" --jobs 1 /"));
}

TEST_F(RerunsTest, ACountOfExecutionsIsNoPair) {
  for (int i = 0; i < 40; ++i) Add(absl::StrCat("add_", i), "ADD", Verdict::PASS);
  for (int i = 0; i < 40; ++i) Add(absl::StrCat("mul_", i), "MUL", Verdict::PASS);
  Add("tanh", "TANH", Verdict::FAIL);
  const RerunOutcome outcome = Run([](const std::string&, const Before& before) {
    const size_t executed = before.size() * 6;
    return executed / 10 == (executed + 6) / 10 ? Verdict::PASS : Verdict::FAIL;
  });
  ASSERT_EQ(outcome.flaky.size(), 1u);
  EXPECT_EQ(outcome.flaky[0].only_after, "");
  EXPECT_GT(outcome.flaky[0].after_others.failed, 0u);
  EXPECT_EQ(outcome.flaky[0].command, "");
  EXPECT_FALSE(std::filesystem::exists(options_.sequences_directory));
}

TEST_F(RerunsTest, ADriverThatDiedOnceIsFlakyAndIsNotLookedForBehindOthers) {
  Add("add", "ADD", Verdict::PASS);
  Add("died", "MUL", Verdict::CRASH);
  Add("hung", "MUL", Verdict::TIMEOUT);
  const RerunOutcome outcome = Run([](const std::string&, const Before&) { return Verdict::PASS; });
  ASSERT_EQ(outcome.flaky.size(), 2u);
  EXPECT_EQ(outcome.flaky[0].first, Verdict::CRASH);
  EXPECT_EQ(outcome.flaky[0].Total(), (RunTally{1, 9}));
  EXPECT_THAT(results_[1].detail, HasSubstr("in the run of all cases CRASH: what was wrong"));
  EXPECT_EQ(outcome.flaky[1].first, Verdict::TIMEOUT);
  EXPECT_EQ(Runs("GeneratedTests.add"), 0u);
}

TEST_F(RerunsTest, WhatHangsAgainIsNotRunEightTimes) {
  Add("hung", "MUL", Verdict::TIMEOUT);
  const RerunOutcome outcome =
      Run([](const std::string&, const Before&) { return Verdict::TIMEOUT; });
  EXPECT_EQ(Runs("GeneratedTests.hung"), 1u);
  EXPECT_EQ(outcome.again, 1u);
  EXPECT_EQ(results_[0].verdict, Verdict::TIMEOUT);
}

TEST_F(RerunsTest, OfManyTheFirstOfEachKindComeFirstAndTheRestIsSaid) {
  for (int i = 0; i < 10; ++i) Add(absl::StrCat("mul_", i), "MUL", Verdict::FAIL);
  Add("hung", "MUL", Verdict::TIMEOUT);
  Add("add", "ADD", Verdict::FAIL);
  options_.most_cases = 3;
  const RerunOutcome outcome = Run([](const std::string&, const Before&) { return Verdict::FAIL; });
  EXPECT_EQ(outcome.failing, 12u);
  EXPECT_EQ(outcome.again, 3u);
  EXPECT_EQ(outcome.limit, "9 of 12 failing cases were not run again, since no more than 3 are");
  std::vector<std::string> names;
  for (const auto& [name, runs] : record_.runs) names.push_back(name);
  EXPECT_THAT(names,
              ElementsAre("GeneratedTests.add", "GeneratedTests.mul_0", "GeneratedTests.mul_1"));
}

TEST_F(RerunsTest, WhenTimeIsUpItIsSaidAndNothingIsFlaky) {
  Add("bad", "MUL", Verdict::FAIL);
  Add("worse", "ADD", Verdict::FAIL);
  int left = 12;
  options_.should_stop = [&left] { return left-- <= 0; };
  const RerunOutcome outcome = Run([](const std::string&, const Before&) { return Verdict::PASS; });
  // The first one passed eight times; behind others nothing could be run any more.
  EXPECT_EQ(outcome.again, 1u);
  ASSERT_EQ(outcome.flaky.size(), 1u);
  EXPECT_EQ(results_[1].verdict, Verdict::FAIL);
  EXPECT_EQ(
      outcome.limit,
      "it was ended before 1 of 2 were run again; it was ended while 1 of them were looked at "
      "behind other cases");
}

TEST_F(RerunsTest, ADriverThatIsLostIsRunNoFurther) {
  Add("bad", "MUL", Verdict::FAIL);
  Add("worse", "ADD", Verdict::FAIL);
  lost_with_ = "GeneratedTests.bad";
  const RerunOutcome outcome = Run([](const std::string&, const Before&) { return Verdict::PASS; });
  EXPECT_EQ(outcome.again, 0u);
  EXPECT_EQ(Runs("GeneratedTests.worse"), 0u);
  EXPECT_EQ(results_[0].verdict, Verdict::FAIL);
  EXPECT_THAT(outcome.limit, HasSubstr("it is lost"));
}

TEST_F(RerunsTest, WithoutAProcessToBeginAnewNothingIsRun) {
  Add("bad", "MUL", Verdict::FAIL);
  is_renewed_ = false;
  const RerunOutcome outcome = Run([](const std::string&, const Before&) { return Verdict::PASS; });
  EXPECT_EQ(outcome.failing, 1u);
  EXPECT_EQ(outcome.again, 0u);
  EXPECT_THAT(outcome.limit, HasSubstr("no process that nncert can begin anew"));
  EXPECT_EQ(results_[0].verdict, Verdict::FAIL);
}

TEST_F(RerunsTest, AFolderThatCannotBeWrittenIntoIsSaid) {
  Add("floor", "FLOOR", Verdict::PASS);
  Add("add", "ADD", Verdict::PASS);
  Add("tanh", "TANH", Verdict::FAIL);
  // A file is in the way of the folder.
  ASSERT_TRUE(WriteCaseFile(absl::StrCat(folder_.path(), "/sequences"), "test", {}).ok());
  const RerunOutcome outcome = Run(FloorSpoilsTanh);
  ASSERT_EQ(outcome.flaky.size(), 1u);
  EXPECT_EQ(outcome.flaky[0].only_after, "GeneratedTests.floor");
  EXPECT_EQ(outcome.flaky[0].command, "");
  EXPECT_THAT(outcome.limit, HasSubstr("a pair of cases is not kept: "));
}

TEST_F(RerunsTest, WhoIsFasterDecidesNothing) {
  Add("floor", "FLOOR", Verdict::PASS);
  for (int i = 0; i < 30; ++i) {
    Add(absl::StrCat("add_", i), "ADD", i % 3 == 0 ? Verdict::FAIL : Verdict::PASS);
    Add(absl::StrCat("tanh_", i), "TANH", Verdict::FAIL);
  }
  const std::vector<CaseResult> before = results_;
  const std::string of_one = RerunsToJson(Run(FloorSpoilsTanh, 1));
  results_ = before;
  EXPECT_EQ(RerunsToJson(Run(FloorSpoilsTanh, 4)), of_one);
}

}  // namespace
}  // namespace nncert
