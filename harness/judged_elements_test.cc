// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the elements of outputs come to: thresholds, the oracle, and the enclosure.

#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/isolation/driver_session.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "reference/driver/driver.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::HasSubstr;
using testing::StartsWith;

// ---- What the elements come to ----

TEST(RunCase, AWrongElementIsDescribedOnTheFirstLine) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) { SetElement(execution, 0, 3, std::nanf("")); };
  const CaseResult result = RunOnFake(lies, AddCase());
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_EQ(FirstLine(result),
            "ADD output 0 element [1, 1] (flat 3): expected 44, actual nan, |difference| nan > "
            "threshold 0.00045 (fp32: atol 1e-05 + rtol 1e-05 x |expected|); 1 of 4 elements "
            "differs; run: ASYNC, timing NO, FULLY_SPECIFIED");
  EXPECT_THAT(result.detail, HasSubstr("\n  6 of 6 executions failed"));
}

TEST(RunCase, TheFirstLineNamesTheRunThatFailed) {
  int execution_number = 0;
  Lies lies;
  // The order is ASYNC, SYNC and BURST without timing, then with it.
  lies.execution = [&](FakeExecution& execution) {
    if (++execution_number == 5) SetElement(execution, 0, 0, 12.0F);
  };
  const CaseResult result = RunOnFake(lies, AddCase());
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(result), testing::EndsWith("; run: SYNC, timing YES, FULLY_SPECIFIED"));
  EXPECT_THAT(result.detail, HasSubstr("\n  1 of 6 executions failed"));
}

TEST(RunCase, NanAndInfinityInPlaceOfANumberFail) {
  for (const float value : {std::nanf(""), INFINITY, -INFINITY}) {
    Lies lies;
    lies.execution = [value](FakeExecution& execution) { SetElement(execution, 0, 1, value); };
    EXPECT_EQ(RunOnFake(lies, AddCase()).verdict, Verdict::FAIL) << value;
  }
}

TEST(RunCase, ExpectedNanAndInfinityAreCompared) {
  TestCase test_case = AddCase();
  test_case.examples[0].inputs[0].data =
      BytesOf(OperandType::TENSOR_FLOAT32, {std::nan(""), INFINITY, -INFINITY, 0});
  test_case.examples[0].outputs[0].data =
      BytesOf(OperandType::TENSOR_FLOAT32, {std::nan(""), INFINITY, -INFINITY, 40});
  EXPECT_EQ(RunOnFake({}, test_case).verdict, Verdict::PASS);
  for (size_t i = 0; i < 3; ++i) {
    Lies lies;
    lies.execution = [i](FakeExecution& execution) { SetElement(execution, 0, i, 1.0F); };
    const CaseResult result = RunOnFake(lies, test_case);
    EXPECT_EQ(result.verdict, Verdict::FAIL) << i << " " << result.detail;
  }
}

TEST(RunCase, QuantizedElementsAreOffByTheToleranceOfTheCase) {
  TestCase test_case = AddCase(OperandType::TENSOR_QUANT8_ASYMM);
  const auto off_by = [&](int steps) {
    Lies lies;
    lies.execution = [steps](FakeExecution& execution) {
      SetElement(execution, 0, 2, static_cast<uint8_t>(33 + steps));
    };
    return RunOnFake(lies, test_case).verdict;
  };
  EXPECT_EQ(off_by(1), Verdict::PASS);
  EXPECT_EQ(off_by(-1), Verdict::PASS);
  EXPECT_EQ(off_by(2), Verdict::FAIL);
  test_case.quantizedTolerance = 2;
  EXPECT_EQ(off_by(2), Verdict::PASS);
  EXPECT_EQ(off_by(-3), Verdict::FAIL);
}

TEST(RunCase, RelaxedModelsAreHeldToHalfPrecision) {
  TestCase test_case = AddCase();
  Lies lies;
  lies.execution = [](FakeExecution& execution) { SetElement(execution, 0, 0, 11.01F); };
  EXPECT_EQ(RunOnFake(lies, test_case).verdict, Verdict::FAIL);
  test_case.model.relaxComputationFloat32toFloat16 = true;
  EXPECT_EQ(RunOnFake(lies, test_case).verdict, Verdict::PASS);
}

TEST(RunCase, AnOutputThatIsNotWrittenFails) {
  Lies lies;
  lies.compute = [](FakeExecution&) {};
  for (const OperandType type : {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_QUANT8_ASYMM,
                                 OperandType::TENSOR_FLOAT16}) {
    const CaseResult result = RunOnFake(lies, AddCase(type));
    EXPECT_EQ(result.verdict, Verdict::FAIL);
    EXPECT_THAT(FirstLine(result),
                HasSubstr(" output 0: the driver did not write the output; element "));
  }
}

TEST(RunCase, BooleansMayBeAsTheyWereByChance) {
  // A sum of numbers that cancel out may be above zero or not: the buffer of `expected` is filled
  // with the other answer. Elements that are the same have the same answer, however many.
  for (const auto& [addend, count] :
       {std::pair(1e-4, 1U), std::pair(-1e-4, 1U), std::pair(1e-4, 40U), std::pair(-1e-4, 40U)}) {
    ModelBuilder builder;
    const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {count}};
    const uint32_t none = builder.Int32(0);
    const uint32_t in = builder.Input(spec);
    const uint32_t sum = builder.Temporary(spec);
    const uint32_t difference = builder.Temporary(spec);
    const uint32_t large = builder.Constant({OperandType::TENSOR_FLOAT32, {1}}, {3000});
    builder.Operation(OperationType::ADD, {in, large, none}, {sum});
    builder.Operation(OperationType::SUB, {sum, large, none}, {difference});
    const uint32_t zero = builder.Constant({OperandType::TENSOR_FLOAT32, {1}}, {0});
    builder.Operation(OperationType::GREATER, {difference, zero},
                      {builder.Output({OperandType::TENSOR_BOOL8, {count}})});
    const double expected = addend > 0 ? 1 : 0;
    const TestCase test_case = CaseWith(builder.model(), {std::vector<double>(count, addend)},
                                        {std::vector<double>(count, expected)});
    Lies lies;
    lies.execution = [expected, count = count](FakeExecution& execution) {
      const auto output = execution.Output(0);
      if (output.size() == count) std::fill(output.begin(), output.end(), expected == 0);
    };
    const CaseResult result = RunOnFake(lies, test_case, TestMode::kDynamic);
    EXPECT_FALSE(IsFailure(result.verdict)) << result.detail;
    if (expected == 1) continue;
    // In place of false there was what nobody writes for true.
    Lies idle;
    idle.compute = [](FakeExecution&) {};
    EXPECT_THAT(FirstLine(RunOnFake(idle, test_case)),
                HasSubstr("the driver did not write the output"));
  }
}

TEST(RunCase, TheOperationOfTheWrongOutputIsUnderTest) {
  EXPECT_EQ(RunOnFake({}, AddMulCase()).operation, "MUL");
  for (const auto& [output, operation] :
       {std::pair(0, std::string("ADD")), std::pair(1, std::string("MUL"))}) {
    Lies lies;
    lies.execution = [output = output](FakeExecution& execution) {
      SetElement(execution, output, 0, 100.0F);
    };
    const CaseResult result = RunOnFake(lies, AddMulCase());
    EXPECT_EQ(result.verdict, Verdict::FAIL);
    EXPECT_EQ(result.operation, operation);
    EXPECT_THAT(result.detail, StartsWith(absl::StrCat(operation, " output ", output)));
  }
}

TEST(RunCase, IgnoredOutputsAreNotCompared) {
  TestCase test_case = AddMulCase();
  test_case.examples[0].outputs[0].ignored = true;
  Lies lies;
  lies.execution = [](FakeExecution& execution) { SetElement(execution, 0, 0, 100.0F); };
  const CaseResult result = RunOnFake(lies, test_case);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.compared_elements, 12U);
}

TEST(RunCase, ACaseThatComparesNothingIsVacuous) {
  TestCase test_case = AddCase();
  test_case.examples[0].outputs[0].ignored = true;
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    const CaseResult result = RunOnFake({}, test_case, mode);
    EXPECT_EQ(result.verdict, Verdict::VACUOUS);
    EXPECT_THAT(result.detail, StartsWith("nothing was compared"));
  }
}

TEST(RunCase, TheDimensionsOfAnEmptyOutputAreSomething) {
  TestCase test_case = AddCase();
  test_case.model.operands[test_case.model.outputIndexes[0]].dimensions = {0, 2};
  test_case.examples[0].outputs[0] = {false, {0, 2}, {}};
  Lies lies;
  lies.compute = [](FakeExecution& execution) {
    execution.result.outputShapes[0].dimensions = {0, 2};
  };
  EXPECT_EQ(RunOnFake(lies, test_case).verdict, Verdict::PASS);
  lies.compute = [](FakeExecution& execution) {
    execution.result.outputShapes[0].dimensions = {1, 2};
  };
  const CaseResult result = RunOnFake(lies, test_case);
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(result.detail,
              StartsWith("ADD output 0 has the dimensions [1, 2]; expected [0, 2]; run: "));
}

// ---- The oracle and the enclosure ----

TEST(RunCase, CancellationIsExplained) {
  // In single precision 1000 + 0.1 has steps of 6e-5.
  const TestCase test_case = SumOfThreeCase(1000, 0.1, -1000, 0.1);
  const CaseResult honest = RunOnFake({}, test_case);
  EXPECT_EQ(honest.verdict, Verdict::EXPLAINED) << honest.detail;
  EXPECT_THAT(FirstLine(honest), HasSubstr("all inside of the enclosure"));
  EXPECT_THAT(FirstLine(honest), HasSubstr("ill-conditioned, the radius is "));
  EXPECT_FALSE(IsFailure(honest.verdict));
  const CaseResult wrong = RunOnFake(Answer(100), test_case);
  EXPECT_EQ(wrong.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(wrong), HasSubstr("outside of the enclosure"));
  RunOptions options;
  options.explain = false;
  EXPECT_EQ(RunOnFake({}, test_case, TestMode::kStatic, options).verdict, Verdict::FAIL);
}

TEST(RunCase, AnEnclosureThatIsTooWideSaysNothing) {
  // In single precision 1e8 + 1.5 has steps of 8.
  const TestCase test_case = SumOfThreeCase(1e8, 1.5, -1e8, 1.5);
  const CaseResult whole = RunOnFake({}, test_case, TestMode::kDynamic);
  EXPECT_EQ(whole.verdict, Verdict::UNDECIDED) << whole.detail;
  EXPECT_THAT(FirstLine(whole), HasSubstr("which says nothing: at element 0 its radius is 2.38e+05 "
                                          "times the threshold"));
  // Each operation says enough.
  const CaseResult divided = RunOnFake({}, test_case);
  EXPECT_EQ(divided.verdict, Verdict::EXPLAINED) << divided.detail;
  EXPECT_THAT(divided.detail, HasSubstr("\n  each of its 2 operations is right, given "));
}

TEST(RunCase, AnEnclosureThatHoldsATrivialAnswerSaysNothing) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {2}};
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Temporary(spec);
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::ADD,
                    {sum, builder.Constant({OperandType::TENSOR_FLOAT32, {1}}, {-500}), none},
                    {builder.Output(spec)});
  // The sums have steps of 3e-5.
  const TestCase test_case = CaseWith(builder.model(), {{500, 500}, {2e-5, 4e-5}}, {{2e-5, 4e-5}});
  const CaseResult result = RunOnFake({}, test_case, TestMode::kDynamic);
  EXPECT_EQ(result.verdict, Verdict::UNDECIDED) << result.detail;
  EXPECT_THAT(FirstLine(result), HasSubstr("which says nothing: an answer of "));
}

TEST(RunCase, AnExpectedValueOutsideOfTheEnclosureIsACaseError) {
  const CaseResult result = RunOnFake({}, SumOfThreeCase(1, 2, 3, 7));
  EXPECT_EQ(result.verdict, Verdict::WRONG_EXPECTATION);
  EXPECT_TRUE(IsFailure(result.verdict));
  EXPECT_THAT(FirstLine(result), HasSubstr("expected 7, actual 6"));
  EXPECT_THAT(FirstLine(result), HasSubstr("the expected value is wrong, or a deviation"));
  EXPECT_EQ(result.deviation, "");
  // A driver that is wrong as well is what counts.
  const CaseResult wrong = RunOnFake(Answer(8), SumOfThreeCase(1, 2, 3, 7));
  EXPECT_EQ(wrong.verdict, Verdict::FAIL);
  EXPECT_FALSE(IsCaseError(wrong.verdict));
}

TEST(RunCase, ADriverThatIsWrongElsewhereFailsInSpiteOfAWrongExpectation) {
  TestCase test_case = AddMulCase();
  test_case.examples[0].outputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, {5, 7});
  Lies lies;
  lies.execution = [](FakeExecution& execution) { SetElement(execution, 1, 0, 100.0F); };
  const CaseResult result = RunOnFake(lies, test_case);
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(result), StartsWith("MUL output 1"));
  EXPECT_EQ(RunOnFake({}, test_case).verdict, Verdict::WRONG_EXPECTATION);
}

TEST(RunCase, ExpectedDimensionsThatAreWrongAreACaseError) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({OperandType::TENSOR_FLOAT32, {2}});
  const uint32_t multiples = builder.Int32Vector({2});
  builder.Operation(OperationType::TILE, {input, multiples},
                    {builder.Output({OperandType::TENSOR_FLOAT32, {0}})});
  TestCase test_case = CaseWith(builder.model(), {{1, 2}}, {{}});
  test_case.examples[0].outputs[0] = {
      false, {5}, BytesOf(OperandType::TENSOR_FLOAT32, {1, 2, 1, 2, 1})};
  const CaseResult result = RunOnFake({}, test_case, TestMode::kDynamic);
  EXPECT_EQ(result.verdict, Verdict::WRONG_EXPECTATION) << result.detail;
  EXPECT_THAT(FirstLine(result), HasSubstr("has the dimensions [4]; expected [5]; the reference"));
}

TEST(RunCase, ADeviationIsJudgedByTheDocumentation) {
  TestCase test_case = SumOfThreeCase(1, 2, 3, 7);
  test_case.deviation = "ADD-carry";
  const CaseResult honest = RunOnFake({}, test_case);
  EXPECT_EQ(honest.verdict, Verdict::PASS) << honest.detail;
  EXPECT_EQ(honest.deviation, "ADD-carry");
  EXPECT_EQ(honest.compared_elements, 6U);
  const CaseResult android = RunOnFake(Answer(7), test_case);
  EXPECT_EQ(android.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(android), HasSubstr("expected 6, actual 7"));
  EXPECT_THAT(FirstLine(android), testing::EndsWith("see docs/deviations.md: ADD-carry"));
}

TEST(RunCase, ADeviationLeavesIgnoredOutputsIgnored) {
  TestCase test_case = AddMulCase();
  test_case.examples[0].outputs[0].ignored = true;
  test_case.examples[0].outputs[1].data = BytesOf(OperandType::TENSOR_FLOAT32, {0, 0});
  test_case.deviation = "MUL-zero";
  Lies lies;
  lies.execution = [](FakeExecution& execution) { SetElement(execution, 0, 0, 100.0F); };
  const CaseResult result = RunOnFake(lies, test_case);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.compared_elements, 12U);
}

TEST(RunCase, WithoutAFiniteEnclosureItIsUndecided) {
  // In single precision the first sum overflows, so that nothing is known of the second.
  const TestCase test_case = SumOfThreeCase(3e38, 3e38, -3e38, 3e38);
  EXPECT_EQ(RunOnFake(Answer(2e38F), test_case, TestMode::kDynamic).verdict, Verdict::UNDECIDED);
  EXPECT_EQ(RunOnFake(Answer(3e38F), test_case, TestMode::kDynamic).verdict, Verdict::PASS);
  // Of an infinite sum and -3e38, neither is the sum.
  EXPECT_EQ(RunOnFake(Answer(3e38F), test_case).verdict, Verdict::FAIL);
  // An infinity in place of a number is wrong even so.
  EXPECT_EQ(RunOnFake({}, test_case).verdict, Verdict::FAIL);
}

TEST(RunCase, TheOracleExpectsWhatTheCaseDoesNot) {
  TestCase test_case = AddCase();
  test_case.examples[0].outputs.clear();
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    const CaseResult honest = RunOnFake({}, test_case, mode);
    EXPECT_EQ(honest.verdict, Verdict::PASS) << honest.detail;
    EXPECT_EQ(honest.compared_elements, 24U);
    const CaseResult wrong = RunOnFake(Answer(11.1F), test_case, mode);
    EXPECT_EQ(wrong.verdict, Verdict::FAIL);
    EXPECT_THAT(wrong.detail, HasSubstr("expected 11, actual 11.1"));
  }
}

// output = input * 1e30 * 1e-30, where the first product may be no float.
TestCase LargeProductCase(float input) {
  ModelBuilder builder;
  const OperandSpec number = {hal::V1_2::OperandType::TENSOR_FLOAT32, {1}};
  const uint32_t none = builder.Int32(0);
  const uint32_t product = builder.Temporary(number);
  builder.Operation(hal::V1_2::OperationType::MUL,
                    {builder.Input(number), builder.Constant(number, {1e30}), none}, {product});
  builder.Operation(hal::V1_2::OperationType::MUL,
                    {product, builder.Constant(number, {1e-30}), none}, {builder.Output(number)});
  TestCase test_case;
  test_case.name = "large_product";
  test_case.model = builder.model();
  InputValue value = {.hasNoValue = false, .dimensions = {1}, .data = {}};
  value.data.resize(sizeof(input));
  std::memcpy(value.data.data(), &input, sizeof(input));
  test_case.examples = {{.inputs = {value}, .outputs = {}}};
  return test_case;
}

TEST(RunCase, OnlyTestsOfTheReferenceExplainInfinities) {
  const auto session = DriverSession::FromDevice(MakeReferenceDriver(), "reference");
  ASSERT_TRUE(session.ok());
  RunOptions options;
  EXPECT_EQ(RunCase(**session, LargeProductCase(1e6F), TestMode::kStatic, options).verdict,
            Verdict::PASS);
  const CaseResult failure =
      RunCase(**session, LargeProductCase(1e10F), TestMode::kStatic, options);
  EXPECT_EQ(failure.verdict, Verdict::FAIL) << failure.detail;
  EXPECT_THAT(failure.detail, HasSubstr("actual inf"));
  options.explains_specials = true;
  const CaseResult result = RunCase(**session, LargeProductCase(1e10F), TestMode::kStatic, options);
  EXPECT_EQ(result.verdict, Verdict::EXPLAINED) << result.detail;
  EXPECT_THAT(result.detail, HasSubstr("the enclosure of element 0 is unbounded"));
  EXPECT_THAT(result.detail, HasSubstr("each of its 2 operations is right"));
}

}  // namespace
}  // namespace nncert
