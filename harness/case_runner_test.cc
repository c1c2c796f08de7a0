// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/case_runner.h"

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"
#include "harness/execution_ways.h"
#include "harness/isolation/driver_session.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;

// ---- What is run ----

TEST(RunCase, AnHonestDevicePassesInSixStaticExecutions) {
  const CaseResult result = RunOnFake({}, AddCase());
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.name, "add");
  EXPECT_EQ(result.mode, TestMode::kStatic);
  EXPECT_EQ(result.operation, "ADD");
  EXPECT_EQ(result.detail, "");
  EXPECT_EQ(result.executions, 6);
  EXPECT_EQ(result.compared_elements, 24U);
  EXPECT_FALSE(IsCaseError(result.verdict));
  EXPECT_THAT(result.dumped_files, IsEmpty());
  EXPECT_GT(result.duration, absl::ZeroDuration());
}

TEST(RunCase, AnHonestDevicePassesInTwelveDynamicExecutions) {
  const CaseResult result = RunOnFake({}, AddCase(), TestMode::kDynamic);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.name, "add_dynamic_output_shape");
  EXPECT_EQ(result.executions, 12);
  EXPECT_EQ(result.compared_elements, 24U);
}

TEST(RunCase, ADriverInASharedObjectIsADriver) {
  const auto session = DriverSession::Open("harness/testing/fake_driver.so");
  ASSERT_TRUE(session.ok()) << session.status();
  const CaseResult result = RunCase(**session, AddCase(), TestMode::kStatic);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
}

TEST(RunCase, EveryWayToExecuteIsTaken) {
  std::multiset<std::string> kinds;
  Lies lies;
  lies.execution = [&](FakeExecution& execution) {
    kinds.insert(absl::StrCat(hal::toString(execution.measure), " ",
                              execution.request.outputs[0].location.length));
  };
  RunOnFake(lies, AddCase(), TestMode::kDynamic);
  EXPECT_THAT(kinds, ElementsAre("NO 15", "NO 15", "NO 15", "NO 16", "NO 16", "NO 16", "YES 15",
                                 "YES 15", "YES 15", "YES 16", "YES 16", "YES 16"));
}

TEST(RunCase, OnlyDynamicHidesOutputDimensions) {
  hal::V1_2::Model seen;
  Lies lies;
  lies.model = [&](const hal::V1_2::Model& model) { seen = model; };
  const TestCase test_case = AddCase();
  const uint32_t output = test_case.model.outputIndexes[0];
  RunOnFake(lies, test_case, TestMode::kStatic);
  EXPECT_EQ(seen, test_case.model);
  RunOnFake(lies, test_case, TestMode::kDynamic);
  EXPECT_THAT(seen.operands[output].dimensions, ElementsAre(0, 0));
}

TEST(RunCase, AnOutputOfOneByteCannotBeInsufficient) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_QUANT8_ASYMM, {1}, 1.0F};
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  builder.Operation(OperationType::ADD, {a, b, none}, {builder.Output(spec)});
  const CaseResult result =
      RunOnFake({}, CaseWith(builder.model(), {{1}, {2}}, {{3}}), TestMode::kDynamic);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.executions, 6);
}

TEST(RunCase, EveryExampleIsRun) {
  TestCase test_case = AddCase();
  test_case.examples.push_back(test_case.examples[0]);
  test_case.examples[1].outputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, {11, 22, 33, 45});
  RunOptions options;
  options.explain = false;
  const CaseResult result = RunOnFake({}, test_case, TestMode::kStatic, options);
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_EQ(result.executions, 12);
  EXPECT_THAT(FirstLine(result), HasSubstr("element [1, 1] (flat 3): expected 45, actual 44"));
  EXPECT_THAT(FirstLine(result), testing::EndsWith("FULLY_SPECIFIED, example 1"));
}

TEST(RunCase, EarlierDevicesExecuteOnce) {
  for (const std::shared_ptr<hal::V1_0::IDevice>& device :
       {MakeFakeDevice1_0(), std::shared_ptr<hal::V1_0::IDevice>(MakeFakeDevice1_1())}) {
    const CaseResult result = RunOnDevice(device, AddCase());
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
    EXPECT_EQ(result.executions, 1);
    EXPECT_EQ(result.compared_elements, 4U);
  }
}

TEST(RunCase, EarlierDevicesAreNotAskedWhatTheyCannotKnow) {
  const CaseResult dynamic = RunOnDevice(MakeFakeDevice1_1(), AddCase(), TestMode::kDynamic);
  EXPECT_EQ(dynamic.verdict, Verdict::UNSUPPORTED);
  EXPECT_THAT(dynamic.detail, StartsWith("needs HAL 1.2"));
  const CaseResult half = RunOnDevice(MakeFakeDevice1_0(), AddCase(OperandType::TENSOR_FLOAT16));
  EXPECT_EQ(half.verdict, Verdict::UNSUPPORTED);
  EXPECT_EQ(half.detail, "needs HAL 1.2: operation 0 (ADD)");

  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {2, 2}};
  const uint32_t input = builder.Input(spec);
  const uint32_t permutation = builder.Int32Vector({1, 0});
  builder.Operation(OperationType::TRANSPOSE, {input, permutation}, {builder.Output(spec)});
  const TestCase transpose = CaseWith(builder.model(), {{1, 2, 3, 4}}, {{1, 3, 2, 4}});
  EXPECT_EQ(RunOnDevice(MakeFakeDevice1_0(), transpose).detail,
            "needs HAL 1.1: operation 0 (TRANSPOSE)");
  EXPECT_EQ(RunOnDevice(MakeFakeDevice1_1(), transpose).verdict, Verdict::PASS);
}

TEST(FixtureName, IsAndroids) {
  EXPECT_EQ(FixtureName(TestMode::kStatic), "GeneratedTests");
  EXPECT_EQ(FixtureName(TestMode::kDynamic), "DynamicOutputShapeTest");
}

// ---- Cases that are wrong themselves ----

void ExpectCaseError(const TestCase& test_case, const std::string& reason,
                     TestMode mode = TestMode::kStatic) {
  bool was_asked = false;
  Lies lies;
  lies.supported = [&](hal::V1_0::GetSupportedOperationsResult&) { was_asked = true; };
  const CaseResult result = RunOnFake(lies, test_case, mode);
  EXPECT_EQ(result.verdict, Verdict::INVALID);
  EXPECT_THAT(result.detail, AllOf(StartsWith("invalid case: "), HasSubstr(reason)));
  EXPECT_FALSE(was_asked);
  EXPECT_THAT(result.dumped_files, IsEmpty());
}

TEST(RunCase, AnInvalidModelIsACaseError) {
  TestCase test_case = AddCase();
  test_case.model.operations[0].inputs[1] = 99;
  ExpectCaseError(test_case, "99");
  test_case = AddCase();
  // There is no activation of this number.
  test_case.model.operandValues[0] = 7;
  ExpectCaseError(test_case, "ADD");
  test_case.model = {};
  ExpectCaseError(test_case, "");
}

TEST(RunCase, AnExampleThatDoesNotFitIsACaseError) {
  TestCase test_case = AddCase();
  test_case.examples.push_back(test_case.examples[0]);
  test_case.examples[1].inputs[0].data.clear();
  ExpectCaseError(test_case, "example 1: input 0: has 0 bytes; expected 16");
  test_case.examples.clear();
  ExpectCaseError(test_case, "it has no examples");
}

TEST(RunCase, ACaseWithoutANameInTheModeIsACaseError) {
  TestCase test_case = AddCase();
  test_case.dynamicOutputShapeName = "";
  ExpectCaseError(test_case, "not to be run with unspecified output dimensions",
                  TestMode::kDynamic);
}

// ---- Dumps ----

class DumpTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.dump_directory = absl::StrCat(
        testing::TempDir(), "/", testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(options_.dump_directory);
  }

  RunOptions options_;
};

TEST_F(DumpTest, AFailureIsDumpedAndTellsHowToRunItAgain) {
  const CaseResult result = RunOnFake(Answer(0), AddCase(), TestMode::kStatic, options_);
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  ASSERT_THAT(result.dumped_files, SizeIs(4));
  for (const std::string& file : result.dumped_files) {
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  }
  EXPECT_EQ(result.dumped_files[0], options_.dump_directory + "/add.case");
  EXPECT_THAT(result.detail, testing::EndsWith(absl::StrCat("\n  nncert run --driver fake ",
                                                            result.dumped_files[0])));
}

TEST_F(DumpTest, NothingElseIsDumped) {
  for (const CaseResult& result :
       {RunOnFake({}, AddCase(), TestMode::kStatic, options_),
        RunOnFake({}, SumOfThreeCase(1e8, 1.5, -1e8, 1.5), TestMode::kStatic, options_),
        RunOnFake({}, TestCase(), TestMode::kStatic, options_)}) {
    EXPECT_THAT(result.dumped_files, IsEmpty());
    EXPECT_THAT(result.detail, testing::Not(HasSubstr("nncert run")));
  }
  EXPECT_FALSE(std::filesystem::exists(options_.dump_directory));
}

TEST_F(DumpTest, WithoutADumpTheSourceIsRunAgain) {
  options_.dump_directory = "";
  options_.source_path = "specs/add.mod.py";
  const CaseResult result = RunOnFake(Answer(0), AddCase(), TestMode::kStatic, options_);
  EXPECT_THAT(result.detail, testing::EndsWith("\n  nncert run --driver fake specs/add.mod.py"));
  TestCase with_line = AddCase();
  with_line.line = {12};
  EXPECT_THAT(RunOnFake(Answer(0), with_line, TestMode::kStatic, options_).detail,
              testing::EndsWith("\n  expected by specs/add.mod.py:12\n  nncert run --driver fake "
                                "specs/add.mod.py"));
}

TEST(WayOfTurnTest, ComesToAllWaysAndToABurstOneTimeInEight) {
  std::map<uint64_t, int> turns;
  for (uint64_t turn = 0; turn < 32; ++turn) ++turns[WayOfTurn(turn)];
  // Asynchronously, synchronously, by a burst; and the same with timing.
  EXPECT_THAT(turns,
              ElementsAre(Pair(0, 7), Pair(1, 7), Pair(2, 2), Pair(3, 7), Pair(4, 7), Pair(5, 2)));
}

}  // namespace
}  // namespace nncert
