// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a run makes of each rule about behaviour when the driver is in a process of its own, as it
// is for everybody who certifies one: the verdict and the message of the cases that the rule bites,
// and that nothing else comes of it.

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "cases/case_source.h"
#include "cases/testing/test_cases.h"
#include "certifying/case_batch.h"
#include "certifying/case_run.h"
#include "certifying/driver_names.h"
#include "drivers/faulty/isolated_behaviour_rows.h"
#include "drivers/faulty/rules/rule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/deadline.h"
#include "reference/model_builder.h"

namespace nncert::faulty {
namespace {

using ::testing::IsEmpty;

// For one call. A case takes some milliseconds.
constexpr absl::Duration kDeadline = absl::Seconds(2);

// For all cases, most of which is for the deadlines of those that are bitten.
constexpr absl::Duration kLongestRun = absl::Seconds(40);

// For processes and threads that are told to end, on a machine that is busy with other things.
constexpr absl::Duration kLongestEnd = absl::Seconds(30);

// Whether a text is as `pattern` says.
bool Matches(absl::string_view text, absl::string_view pattern) {
  const std::vector<absl::string_view> parts = absl::StrSplit(pattern, '*');
  if (parts.size() == 1) return text == pattern;
  if (!absl::ConsumePrefix(&text, parts.front())) return false;
  for (size_t i = 1; i + 1 < parts.size(); ++i) {
    const size_t found = text.find(parts[i]);
    if (found == text.npos) return false;
    text.remove_prefix(found + parts[i].size());
  }
  return absl::EndsWith(text, parts.back());
}

// The messages that a row expects.
std::vector<std::string_view> MessagesOf(const BehaviourRow& row) {
  std::vector<std::string_view> messages;
  for (const std::string_view message :
       {row.outcome.detail, row.OutcomeIn(TestMode::kDynamic).detail, row.finding,
        row.second_finding, row.error}) {
    if (!message.empty()) messages.push_back(message);
  }
  return messages;
}

// Fails when a message is not that of `row`, or might be that of another rule.
void ExpectMessage(const std::string& message, std::string_view expected, const BehaviourRow& row) {
  EXPECT_TRUE(Matches(message, std::string(expected))) << "the message is\n"
                                                       << message << "\nexpected\n"
                                                       << expected;
  for (const BehaviourRow& other : BehaviourRows()) {
    if (other.rule == row.rule) continue;
    for (const std::string_view pattern : MessagesOf(other)) {
      EXPECT_FALSE(Matches(message, std::string(pattern)))
          << "the message of " << row.rule << " may be one of " << other.rule << ": " << message;
    }
  }
}

const OperandSpec kPair = {OperandType::TENSOR_FLOAT32, {2}};

// A case of one operation that takes one tensor, [2], of floats.
TestCase Unary(OperationType type, const std::vector<double>& input,
               const std::vector<double>& output, const std::string& name) {
  ModelBuilder builder;
  const uint32_t operand = builder.Input(kPair);
  builder.Operation(type, {operand}, {builder.Output(kPair)});
  return CaseWith(builder.model(), {input}, {output}, name);
}

// e^0 / (e^0 + e^0) each.
TestCase Softmax() {
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {1, 2}};
  ModelBuilder builder;
  const uint32_t input = builder.Input(spec);
  builder.Operation(OperationType::SOFTMAX, {input, builder.Float32(1)}, {builder.Output(spec)});
  return CaseWith(builder.model(), {{0, 0}}, {{0.5, 0.5}}, "softmax");
}

// The cases, each in both modes. One of them has the operation NEG. SOFTMAX comes after it.
std::vector<LoadedCase> Cases() {
  TestCase quantized = AddCase(OperandType::TENSOR_QUANT8_ASYMM);
  quantized.name = "add_quant8";
  quantized.dynamicOutputShapeName = "add_quant8_dynamic_output_shape";
  std::vector<LoadedCase> cases;
  for (TestCase& test_case : std::vector<TestCase>{
           AddCase(), quantized, Unary(OperationType::RELU, {-1, 2}, {0, 2}, "relu"),
           Unary(OperationType::NEG, {-1, 2}, {1, -2}, "neg"), Softmax(), AddMulCase(),
           Unary(OperationType::ABS, {-1, 2}, {1, 2}, "abs"),
           Unary(OperationType::FLOOR, {-1.5, 2.5}, {-2, 2}, "floor")}) {
    cases.push_back({std::move(test_case), ""});
  }
  return cases;
}

// What there is of this process in the system that a run may leave behind.
struct Belongings {
  std::multiset<std::string> descriptors;  // what they refer to
  std::multiset<std::string> mappings;     // of memory without a file, and of removed files
  std::set<std::string> shared_memory;
  std::set<std::string> files;

  bool operator==(const Belongings& other) const = default;

  static Belongings Now() {
    Belongings now;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      // The folder that is being read is among them.
      const std::string target = std::filesystem::read_symlink(entry.path(), error).string();
      if (!absl::StrContains(target, "/fd")) now.descriptors.insert(KindOf(target));
    }
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      if (absl::StrContains(line, "/memfd:")) now.mappings.insert(line);
    }
    now.shared_memory = FilesIn("/dev/shm");
    now.files = FilesIn(::testing::TempDir());
    for (const std::string& file : FilesIn(".")) now.files.insert(file);
    return now;
  }

  // "socket:[123]" is "socket", for the numbers are new each time.
  static std::string KindOf(const std::string& target) {
    return target.substr(0, target.find(":["));
  }

  static std::set<std::string> FilesIn(const std::string& folder) {
    std::set<std::string> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      files.insert(entry->path().string());
    }
    return files;
  }
};

// Fails when there is something that was not there before, or the other way round. What belongs to
// a connection goes with the last of its threads, which nobody waits for.
void ExpectSame(const Belongings& before) {
  const hal::Deadline deadline(kLongestEnd);
  Belongings after = Belongings::Now();
  while (after != before && !deadline.HasPassed()) {
    absl::SleepFor(absl::Milliseconds(5));
    after = Belongings::Now();
  }
  EXPECT_EQ(after.descriptors, before.descriptors);
  EXPECT_EQ(after.mappings, before.mappings);
  EXPECT_EQ(after.shared_memory, before.shared_memory);
  EXPECT_EQ(after.files, before.files);
}

// Whether there is no child left. Those of children that have ended become children of this
// process; when they end they may be found here for a moment.
bool HasNoChild() {
  const hal::Deadline deadline(kLongestEnd);
  while (!deadline.HasPassed()) {
    const pid_t child = waitpid(-1, nullptr, WNOHANG);
    if (child < 0 && errno == ECHILD) return true;
    if (child == 0) absl::SleepFor(absl::Milliseconds(5));
  }
  return false;
}

class IsolatedRunTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (healthy_ != nullptr) return;
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    before_ = new Belongings(Belongings::Now());
    cases_ = new std::vector<LoadedCase>(Cases());
    // A fault that bites none of the cases.
    const absl::StatusOr<RunReport> report = Run("all_nan@rank>8");
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(report->findings, IsEmpty());
    for (const CaseResult& result : report->results) {
      EXPECT_EQ(result.verdict, Verdict::PASS) << result.name << ": " << result.detail;
    }
    ASSERT_EQ(report->results.size(), 2 * cases_->size());
    healthy_ = new RunReport(*report);
  }

  // Runs the cases in both modes on the driver with a fault, as the command does; or goes on with
  // the run of a journal.
  static absl::StatusOr<RunReport> Run(const std::string& fault, const std::string& journal = "",
                                       bool resume = false) {
    const absl::StatusOr<NamedDriver> driver = FindDriver("faulty:" + fault);
    if (!driver.ok()) return driver.status();
    absl::StatusOr<OpenedDriver> opened = OpenDriver(*driver, Isolation::kUnpinned, kDeadline);
    if (!opened.ok()) return opened.status();
    const absl::StatusOr<std::vector<CaseInMode>> cases =
        SelectCases(*cases_, {TestMode::kStatic, TestMode::kDynamic}, "");
    if (!cases.ok()) return cases.status();
    CaseRunOptions options;
    options.run.deadline = kDeadline;
    options.running_directory = absl::StrCat(::testing::TempDir(), "/running");
    options.journal = journal;
    options.resume = resume;
    absl::StatusOr<CaseRun> run = RunCasesOn(*opened, *cases, options);
    if (!run.ok()) return run.status();
    return std::move(run->report);
  }

  static void Check(const RunReport& report, const BehaviourRow& row) {
    ASSERT_EQ(report.results.size(), healthy_->results.size());
    for (size_t i = 0; i < report.results.size(); ++i) {
      const CaseResult& result = report.results[i];
      const CaseResult& healthy = healthy_->results[i];
      ASSERT_EQ(result.name, healthy.name);
      if (result.operation != "NEG") {
        EXPECT_EQ(result.verdict, healthy.verdict) << result.name << ": " << result.detail;
        EXPECT_EQ(result.detail, healthy.detail) << result.name;
        continue;
      }
      const BehaviourOutcome& expected = row.OutcomeIn(result.mode);
      EXPECT_EQ(result.verdict, expected.verdict) << result.name << ": " << result.detail;
      ExpectMessage(result.detail, expected.detail, row);
    }
    std::vector<std::string_view> expected;
    for (const std::string_view finding : {row.finding, row.second_finding}) {
      if (!finding.empty()) expected.push_back(finding);
    }
    ASSERT_EQ(report.findings.size(), expected.size()) << ::testing::PrintToString(report.findings);
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(report.findings[i].kind, FindingKind::PROCESS);
      ExpectMessage(report.findings[i].detail, expected[i], row);
    }
  }

  static std::vector<LoadedCase>* cases_;
  static RunReport* healthy_;
  static Belongings* before_;  // before any run
};

std::vector<LoadedCase>* IsolatedRunTest::cases_ = nullptr;
RunReport* IsolatedRunTest::healthy_ = nullptr;
Belongings* IsolatedRunTest::before_ = nullptr;

class IsolatedBehaviourTest : public IsolatedRunTest,
                              public ::testing::WithParamInterface<BehaviourRow> {};

TEST_P(IsolatedBehaviourTest, HasAVerdictOfItsOwnAndLeavesNothingBehind) {
  const BehaviourRow& row = GetParam();
#ifdef __SANITIZE_THREAD__
  if (row.rule == "execute_keeps_memory") {
    GTEST_SKIP() << "the sanitizer makes several times as much of it, more than a driver may have";
  }
#endif
  ASSERT_TRUE(HasNoChild());
  const absl::Duration start = hal::SteadyClock::System().Now();
  const absl::StatusOr<RunReport> report =
      Run(absl::StrCat(std::string(row.rule), std::string(row.rest)));
  EXPECT_LT(hal::SteadyClock::System().Now() - start, kLongestRun);
  if (row.error.empty()) {
    ASSERT_TRUE(report.ok()) << report.status();
    Check(*report, row);
  } else {
    ASSERT_FALSE(report.ok());
    ExpectMessage(std::string(report.status().message()), row.error, row);
  }
  EXPECT_TRUE(HasNoChild());
  ExpectSame(*before_);
}

INSTANTIATE_TEST_SUITE_P(Rules, IsolatedBehaviourTest, ::testing::ValuesIn(BehaviourRows()),
                         [](const ::testing::TestParamInfo<BehaviourRow>& row) {
                           return std::string(row.param.rule);
                         });

TEST_F(IsolatedRunTest, ARunThatIsResumedHasTheSameFindings) {
  const std::string journal = absl::StrCat(::testing::TempDir(), "/journal");
  const std::string fault = "execute_crashes_later@operation=NEG+execute_dawdles@operation=SOFTMAX";
  const absl::StatusOr<RunReport> first = Run(fault, journal);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->findings.size(), 1u);
  const absl::StatusOr<RunReport> resumed = Run(fault, journal, /*resume=*/true);
  ASSERT_TRUE(resumed.ok()) << resumed.status();
  EXPECT_EQ(resumed->findings, first->findings);
  EXPECT_EQ(resumed->results.size(), first->results.size());
  std::filesystem::remove(journal);
}

TEST(IsolatedBehaviourRowsTest, EveryRuleAboutBehaviourHasOne) {
  std::set<std::string_view> rules;
  for (const BehaviourRow& row : BehaviourRows())
    EXPECT_TRUE(rules.insert(row.rule).second) << row.rule;
  std::set<std::string_view> behaviours;
  for (const Rule* rule : AllRules()) {
    if (rule->fault_class < FaultClass::kStatus) continue;
    // What shows neither in cases nor in the process is found by the suites of hal_tests/.
    if (rule->passes && rule->fault_class != FaultClass::kProcess) continue;
    behaviours.insert(rule->name);
  }
  EXPECT_EQ(rules, behaviours);
}

TEST(IsolatedBehaviourRowsTest, NoTwoRulesHaveTheSameMessage) {
  std::map<std::string_view, std::string_view> rules;
  for (const BehaviourRow& row : BehaviourRows()) {
    const std::vector<std::string_view> messages = MessagesOf(row);
    for (const std::string_view message :
         std::set<std::string_view>(messages.begin(), messages.end())) {
      const auto [other, is_new] = rules.try_emplace(message, row.rule);
      EXPECT_TRUE(is_new) << row.rule << " and " << other->second << ": " << message;
    }
  }
}

}  // namespace
}  // namespace nncert::faulty
