// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What becomes of cases that are to fail (TestCase::expectFailure).

#include <memory>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/records/case_result.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "reference/driver/driver.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::HasSubstr;
using testing::StartsWith;

// A case that is to fail: an addition with the activation 7, which there is not.
TestCase UnknownActivationCase() {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {2}};
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t activation = builder.Int32(7);
  builder.Operation(OperationType::ADD, {a, b, activation}, {builder.Output(spec)});
  TestCase test_case = CaseWith(builder.model(), {{1, 2}, {10, 20}}, {{11, 22}});
  test_case.expectFailure = true;
  return test_case;
}

// A case whose model is fine and whose execution is to fail: a row that a table does not have.
TestCase MissingRowCase() {
  ModelBuilder builder;
  const uint32_t rows = builder.Input({OperandType::TENSOR_INT32, {1}});
  const uint32_t table = builder.Input({OperandType::TENSOR_FLOAT32, {2, 1}});
  builder.Operation(OperationType::EMBEDDING_LOOKUP, {rows, table},
                    {builder.Output({OperandType::TENSOR_FLOAT32, {1, 1}})});
  TestCase test_case = CaseWith(builder.model(), {{2}, {5, 6}}, {{0}});
  test_case.expectFailure = true;
  return test_case;
}

// Takes every model, and ends every execution with `status`.
Lies EndsWith(ErrorStatus status) {
  Lies lies;
  lies.compute = [status](FakeExecution& execution) {
    execution.result.status = status;
    if (status != ErrorStatus::NONE) execution.result.outputShapes.clear();
  };
  return lies;
}

TEST(ExpectFailure, ADriverThatDoesNotPrepareTheModelPasses) {
  const CaseResult result = RunOnFake({}, UnknownActivationCase());
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.detail, "");
  EXPECT_EQ(result.executions, 0);
  EXPECT_EQ(RunOnDevice(MakeFakeDevice1_1(), MissingRowCase()).verdict, Verdict::PASS);
}

TEST(ExpectFailure, ADriverThatSupportsNothingPasses) {
  Lies lies;
  lies.supported = [](hal::V1_0::GetSupportedOperationsResult& result) {
    result.supportedOperations.assign(1, false);
  };
  EXPECT_EQ(RunOnFake(lies, UnknownActivationCase()).verdict, Verdict::PASS);
}

TEST(ExpectFailure, ADriverThatDoesNotEvenSayWhatItSupportsPasses) {
  Lies lies;
  lies.supported = [](hal::V1_0::GetSupportedOperationsResult& result) {
    result = {ErrorStatus::INVALID_ARGUMENT, {}};
  };
  EXPECT_EQ(RunOnFake(lies, UnknownActivationCase()).verdict, Verdict::PASS);
  EXPECT_EQ(RunOnFake(lies, AddCase()).verdict, Verdict::FAIL);
}

TEST(ExpectFailure, TheReferencePasses) {
  for (const TestCase& test_case : {UnknownActivationCase(), MissingRowCase()}) {
    const CaseResult result = RunOnDevice(MakeReferenceDriver(), test_case);
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  }
}

TEST(ExpectFailure, ADriverThatFailsEveryExecutionPasses) {
  for (const ErrorStatus status : {ErrorStatus::INVALID_ARGUMENT, ErrorStatus::GENERAL_FAILURE}) {
    const CaseResult result = RunOnFake(EndsWith(status), UnknownActivationCase());
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
    EXPECT_EQ(result.executions, 6);
  }
  EXPECT_EQ(RunOnFake({}, MissingRowCase()).executions, 6);
  EXPECT_EQ(RunOnFake({}, MissingRowCase(), TestMode::kDynamic).verdict, Verdict::PASS);
}

TEST(ExpectFailure, ADriverThatSucceedsFails) {
  for (const TestCase& test_case : {UnknownActivationCase(), MissingRowCase()}) {
    const CaseResult result = RunOnFake(EndsWith(ErrorStatus::NONE), test_case);
    EXPECT_EQ(result.verdict, Verdict::FAIL);
    EXPECT_THAT(result.detail,
                StartsWith("the execution succeeded; expected the driver to refuse the model or to "
                           "fail; run: ASYNC, timing NO, FULLY_SPECIFIED"));
  }
}

TEST(ExpectFailure, ADriverThatSucceedsOnceFails) {
  Lies lies = EndsWith(ErrorStatus::GENERAL_FAILURE);
  int executions = 0;
  lies.execution = [&](FakeExecution& execution) {
    if (++executions == 2) execution.result.status = ErrorStatus::NONE;
  };
  const CaseResult result = RunOnFake(lies, UnknownActivationCase());
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(result.detail, HasSubstr("1 of 6 executions failed"));
}

TEST(ExpectFailure, BreakingARuleIsNoWayToFail) {
  Lies writes = EndsWith(ErrorStatus::GENERAL_FAILURE);
  writes.execution = [](FakeExecution& execution) { execution.Pool(0)[0] ^= 1; };
  EXPECT_EQ(RunOnFake(writes, UnknownActivationCase()).verdict, Verdict::FAIL);

  Lies times = EndsWith(ErrorStatus::GENERAL_FAILURE);
  times.execution = [](FakeExecution& execution) { execution.result.timing = {3, 5}; };
  EXPECT_EQ(RunOnFake(times, UnknownActivationCase()).verdict, Verdict::FAIL);

  Lies gives_nothing = EndsWith(ErrorStatus::GENERAL_FAILURE);
  gives_nothing.prepare = [](const auto& callback, const auto&) {
    callback->notify(ErrorStatus::NONE, nullptr);
    return ErrorStatus::NONE;
  };
  EXPECT_EQ(RunOnFake(gives_nothing, UnknownActivationCase()).verdict, Verdict::FAIL);

  Lies gives_both = EndsWith(ErrorStatus::GENERAL_FAILURE);
  gives_both.prepare = [](const auto& callback, const auto& model) {
    callback->notify(ErrorStatus::GENERAL_FAILURE, model);
    return ErrorStatus::NONE;
  };
  EXPECT_EQ(RunOnFake(gives_both, UnknownActivationCase()).verdict, Verdict::FAIL);
}

TEST(ExpectFailure, WhatHasAResultIsACaseError) {
  TestCase test_case = AddCase();
  test_case.expectFailure = true;
  const CaseResult result = RunOnFake({}, test_case);
  EXPECT_EQ(result.verdict, Verdict::INVALID);
  EXPECT_EQ(result.detail,
            "invalid case: example 0 is to fail, but the documentation gives it a result");
}

TEST(ExpectFailure, ADeviationIsThatTheDocumentationHasAResult) {
  TestCase test_case = AddCase();
  test_case.expectFailure = true;
  test_case.deviation = "ADD-carry";
  test_case.examples[0].outputs[0].data.assign(16, 0);
  const CaseResult result = RunOnFake({}, test_case);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.compared_elements, 24U);
  EXPECT_EQ(result.deviation, "ADD-carry");
  EXPECT_EQ(RunOnFake(EndsWith(ErrorStatus::GENERAL_FAILURE), test_case).verdict,
            Verdict::BROKEN_PROMISE);
  test_case.deviation = "";
  EXPECT_EQ(RunOnFake({}, test_case).verdict, Verdict::INVALID);
}

TEST(ExpectFailure, AModelThatIsNotWholeIsACaseError) {
  TestCase test_case = UnknownActivationCase();
  test_case.model.operations[0].inputs[0] = 99;
  const CaseResult result = RunOnFake({}, test_case);
  EXPECT_EQ(result.verdict, Verdict::INVALID);
}

TEST(ExpectFailure, TheModelSaysHowLargeOutputsAreThatTheCaseDoesNotHave) {
  TestCase test_case = MissingRowCase();
  test_case.examples[0].outputs.clear();
  EXPECT_EQ(RunOnFake({}, test_case).verdict, Verdict::PASS);
  test_case.model.operands[test_case.model.outputIndexes[0]].dimensions = {0, 0};
  const CaseResult result = RunOnFake({}, test_case);
  EXPECT_EQ(result.verdict, Verdict::INVALID);
  EXPECT_EQ(result.detail,
            "invalid case: example 0 has no outputs, and the model does not say how large");
}

}  // namespace
}  // namespace nncert
