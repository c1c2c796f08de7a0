// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Fast kernels that are wrong: their mistakes are nncert's own, and no driver's.

#include <algorithm>
#include <cmath>
#include <string>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/testing/run_on_fake.h"
#include "reference/driver/driver.h"
#include "reference/fast_kernel.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::HasSubstr;

// output = input + the second template argument, which is no operation's meaning.
template <class A, int kOff>
absl::Status Off(const A& arithmetic, FastContext<A>& context) {
  const auto input = context.Input(0);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  for (size_t i = 0; i < input.size; ++i) {
    (*output)[i] = arithmetic.Add(input[i], arithmetic.Constant(kOff));
  }
  return absl::OkStatus();
}

// Encloses anything.
absl::Status Unbounded(const BallArithmetic& /*arithmetic*/, FastContext<BallArithmetic>& context) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  std::fill_n(output->data, output->size, Ball{0, HUGE_VAL});
  return absl::OkStatus();
}

// The sine of a little less, which is as good of large numbers.
absl::Status SineOfLess(const DoubleArithmetic& arithmetic,
                        FastContext<DoubleArithmetic>& context) {
  const auto input = context.Input(0);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  for (size_t i = 0; i < input.size; ++i) (*output)[i] = arithmetic.Sin(input[i] * (1 - 0x1p-24));
  return absl::OkStatus();
}

// The drivers below compute in float, by definitions.
NNCERT_FAST_KERNEL(ABS,
                   {.with_double = Off<DoubleArithmetic, 1>, .with_ball = Off<BallArithmetic, 1>});
NNCERT_FAST_KERNEL(SQRT, {.with_ball = Off<BallArithmetic, 3>});
NNCERT_FAST_KERNEL(TANH, {.with_ball = Unbounded});
NNCERT_FAST_KERNEL(SIN, {.with_double = SineOfLess});

TestCase CaseOf(OperationType operation, const std::vector<double>& input,
                const std::vector<double>& expected) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {2}};
  const uint32_t in = builder.Input(spec);
  builder.Operation(operation, {in}, {builder.Output(spec)});
  TestCase test_case = CaseWith(builder.model(), {input}, {expected});
  return test_case;
}

TestCase WithoutExpectations(TestCase test_case) {
  for (Example& example : test_case.examples) example.outputs.clear();
  return test_case;
}

TEST(SecondOpinionTest, AWrongExpectationOfAFastKernelIsNoFailureOfTheDriver) {
  const TestCase test_case = WithoutExpectations(CaseOf(OperationType::ABS, {-1, 2}, {1, 2}));
  const CaseResult result = RunOnDevice(MakeReferenceDriver(), test_case);
  EXPECT_EQ(result.verdict, Verdict::MISSING);
  EXPECT_THAT(FirstLine(result), HasSubstr("nncert disagrees with itself"));
  // Both opinions, with their values.
  EXPECT_THAT(FirstLine(result), HasSubstr("by fast kernels: FAIL, ABS output 0"));
  EXPECT_THAT(FirstLine(result), HasSubstr("expected 0, actual 1"));
  EXPECT_THAT(FirstLine(result), HasSubstr("by the definitions: PASS"));
}

TEST(SecondOpinionTest, WhatIsJudgedByDefinitionsAloneNeverAsksAFastKernel) {
  const TestCase test_case = WithoutExpectations(CaseOf(OperationType::ABS, {-1, 2}, {1, 2}));
  RunOptions options;
  options.kernels = KernelChoice::kDefinitions;
  const CaseResult result =
      RunOnDevice(MakeReferenceDriver(), test_case, TestMode::kStatic, options);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
}

TEST(SecondOpinionTest, AWrongEnclosureOfAFastKernelExcusesNoDriver) {
  // The driver says 2 + 3, the ball of the fast kernel for 4 is around 4 + 3.
  const TestCase test_case = CaseOf(OperationType::SQRT, {4, 4}, {2, 2});
  const CaseResult result = RunOnFake(Answer(7), test_case);
  EXPECT_NE(result.verdict, Verdict::EXPLAINED) << result.detail;
  EXPECT_NE(result.verdict, Verdict::PASS) << result.detail;
}

TEST(SecondOpinionTest, AFailureByBothIsOne) {
  // Neither opinion holds 40.
  const TestCase test_case = CaseOf(OperationType::SQRT, {4, 4}, {2, 2});
  const CaseResult result = RunOnFake(Answer(40), test_case);
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(result), HasSubstr("expected 2, actual 40"));
  // What is said of it is what the definition says.
  EXPECT_THAT(FirstLine(result), HasSubstr("outside of the enclosure 2 +/-"));
}

TEST(SecondOpinionTest, WhatIsIllConditionedFastKernelsMayExpectOtherwise) {
  const TestCase test_case = WithoutExpectations(CaseOf(OperationType::SIN, {1e4, 2e4}, {0, 0}));
  const CaseResult result = RunOnDevice(MakeReferenceDriver(), test_case);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  RunOptions options;
  options.explain = false;
  EXPECT_EQ(RunOnDevice(MakeReferenceDriver(), test_case, TestMode::kStatic, options).verdict,
            Verdict::MISSING);
}

TEST(SecondOpinionTest, SamplesOfWhatAFastKernelEnclosesTooWidelyAreJudgedByTheDefinition) {
  ModelBuilder builder;
  const uint32_t logits = builder.Temporary({OperandType::TENSOR_FLOAT32, {1, 2}});
  builder.Operation(OperationType::TANH, {builder.Input({OperandType::TENSOR_FLOAT32, {1, 2}})},
                    {logits});
  builder.Operation(OperationType::RANDOM_MULTINOMIAL,
                    {logits, builder.Int32(1000), builder.Int32Vector({1, 2})},
                    {builder.Output({OperandType::TENSOR_INT32, {1, 1000}})});
  const TestCase test_case = WithoutExpectations(CaseWith(builder.model(), {{1, 2}}, {{}}));
  CaseResult result = RunOnDevice(MakeReferenceDriver(), test_case);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  // The first class comes about as often as the second, and not always.
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    const absl::Span<uint8_t> samples = execution.Output(0);
    std::fill(samples.begin(), samples.end(), 0);
  };
  result = RunOnFake(lies, test_case);
  EXPECT_EQ(result.verdict, Verdict::FAIL) << result.detail;
}

}  // namespace
}  // namespace nncert
