// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/case_runner.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"
#include "harness/driver_session.h"
#include "harness/judge.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "harness/testing/test_cases.h"
#include "reference/driver.h"
#include "reference/testing/model_builder.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

// ---- What is run ----

TEST(RunCase, AnHonestDevicePassesInFourStaticExecutions) {
  const CaseResult result = RunOnFake({}, AddCase());
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.name, "add");
  EXPECT_EQ(result.mode, TestMode::kStatic);
  EXPECT_EQ(result.operation, "ADD");
  EXPECT_EQ(result.detail, "");
  EXPECT_EQ(result.executions, 4);
  EXPECT_EQ(result.compared_elements, 16U);
  EXPECT_FALSE(result.is_case_error);
  EXPECT_THAT(result.dumped_files, IsEmpty());
  EXPECT_GT(result.duration, absl::ZeroDuration());
}

TEST(RunCase, AnHonestDevicePassesInEightDynamicExecutions) {
  const CaseResult result = RunOnFake({}, AddCase(), TestMode::kDynamic);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.name, "add_dynamic_output_shape");
  EXPECT_EQ(result.executions, 8);
  EXPECT_EQ(result.compared_elements, 16U);
}

TEST(RunCase, EveryWayToExecuteIsTaken) {
  std::multiset<std::string> kinds;
  Lies lies;
  lies.execution = [&](FakeExecution& execution) {
    kinds.insert(absl::StrCat(hal::toString(execution.measure), " ",
                              execution.request.outputs[0].location.length));
  };
  RunOnFake(lies, AddCase(), TestMode::kDynamic);
  EXPECT_THAT(kinds, ElementsAre("NO 15", "NO 15", "NO 16", "NO 16", "YES 15", "YES 15", "YES 16",
                                 "YES 16"));
}

TEST(RunCase, OnlyDynamicHidesOutputDimensions) {
  hal::V1_2::Model seen;
  Lies lies;
  lies.model = [&](const hal::V1_2::Model& model) { seen = model; };
  const hal::TestCase test_case = AddCase();
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
  EXPECT_EQ(result.executions, 4);
}

TEST(RunCase, EveryExampleIsRun) {
  hal::TestCase test_case = AddCase();
  test_case.examples.push_back(test_case.examples[0]);
  test_case.examples[1].outputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, {11, 22, 33, 45});
  RunOptions options;
  options.explain = false;
  const CaseResult result = RunOnFake({}, test_case, TestMode::kStatic, options);
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_EQ(result.executions, 8);
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
  const hal::TestCase transpose = CaseWith(builder.model(), {{1, 2, 3, 4}}, {{1, 3, 2, 4}});
  EXPECT_EQ(RunOnDevice(MakeFakeDevice1_0(), transpose).detail,
            "needs HAL 1.1: operation 0 (TRANSPOSE)");
  EXPECT_EQ(RunOnDevice(MakeFakeDevice1_1(), transpose).verdict, Verdict::PASS);
}

TEST(FixtureName, IsAndroids) {
  EXPECT_EQ(FixtureName(TestMode::kStatic), "GeneratedTests");
  EXPECT_EQ(FixtureName(TestMode::kDynamic), "DynamicOutputShapeTest");
}

// ---- Cases that are wrong themselves ----

void ExpectCaseError(const hal::TestCase& test_case, const std::string& reason,
                     TestMode mode = TestMode::kStatic) {
  bool was_asked = false;
  Lies lies;
  lies.supported = [&](hal::V1_0::GetSupportedOperationsResult&) { was_asked = true; };
  const CaseResult result = RunOnFake(lies, test_case, mode);
  EXPECT_EQ(result.verdict, Verdict::MISSING);
  EXPECT_TRUE(result.is_case_error);
  EXPECT_THAT(result.detail, AllOf(StartsWith("invalid case: "), HasSubstr(reason)));
  EXPECT_FALSE(was_asked);
  EXPECT_THAT(result.dumped_files, IsEmpty());
}

TEST(RunCase, AnInvalidModelIsACaseError) {
  hal::TestCase test_case = AddCase();
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
  hal::TestCase test_case = AddCase();
  test_case.examples.push_back(test_case.examples[0]);
  test_case.examples[1].inputs[0].data.clear();
  ExpectCaseError(test_case, "example 1: input 0: has 0 bytes; expected 16");
  test_case.examples.clear();
  ExpectCaseError(test_case, "it has no examples");
}

TEST(RunCase, ACaseWithoutANameInTheModeIsACaseError) {
  hal::TestCase test_case = AddCase();
  test_case.dynamicOutputShapeName = "";
  ExpectCaseError(test_case, "not to be run with unspecified output dimensions",
                  TestMode::kDynamic);
}

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
  EXPECT_THAT(result.detail, HasSubstr("\n  4 of 4 executions failed"));
}

TEST(RunCase, TheFirstLineNamesTheRunThatFailed) {
  int execution_number = 0;
  Lies lies;
  // The order is ASYNC and SYNC without timing, then with it.
  lies.execution = [&](FakeExecution& execution) {
    if (++execution_number == 4) SetElement(execution, 0, 0, 12.0F);
  };
  const CaseResult result = RunOnFake(lies, AddCase());
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(result), testing::EndsWith("; run: SYNC, timing YES, FULLY_SPECIFIED"));
  EXPECT_THAT(result.detail, HasSubstr("\n  1 of 4 executions failed"));
}

TEST(RunCase, NanAndInfinityInPlaceOfANumberFail) {
  for (const float value : {std::nanf(""), INFINITY, -INFINITY}) {
    Lies lies;
    lies.execution = [value](FakeExecution& execution) { SetElement(execution, 0, 1, value); };
    EXPECT_EQ(RunOnFake(lies, AddCase()).verdict, Verdict::FAIL) << value;
  }
}

TEST(RunCase, ExpectedNanAndInfinityAreCompared) {
  hal::TestCase test_case = AddCase();
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
  hal::TestCase test_case = AddCase(OperandType::TENSOR_QUANT8_ASYMM);
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
  hal::TestCase test_case = AddCase();
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
    EXPECT_THAT(FirstLine(result), HasSubstr("; the driver did not write the output; run: "));
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
  hal::TestCase test_case = AddMulCase();
  test_case.examples[0].outputs[0].ignored = true;
  Lies lies;
  lies.execution = [](FakeExecution& execution) { SetElement(execution, 0, 0, 100.0F); };
  const CaseResult result = RunOnFake(lies, test_case);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.compared_elements, 8U);
}

TEST(RunCase, ACaseThatComparesNothingIsVacuous) {
  hal::TestCase test_case = AddCase();
  test_case.examples[0].outputs[0].ignored = true;
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    const CaseResult result = RunOnFake({}, test_case, mode);
    EXPECT_EQ(result.verdict, Verdict::VACUOUS);
    EXPECT_THAT(result.detail, StartsWith("nothing was compared"));
  }
}

TEST(RunCase, TheDimensionsOfAnEmptyOutputAreSomething) {
  hal::TestCase test_case = AddCase();
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

// (a + b) + c, one element.
hal::TestCase SumOfThree(double a, double b, double c, double expected) {
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {1}};
  ModelBuilder builder;
  const uint32_t inputs[] = {builder.Input(spec), builder.Input(spec), builder.Input(spec)};
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Temporary(spec);
  const uint32_t result = builder.Output(spec);
  builder.Operation(OperationType::ADD, {inputs[0], inputs[1], none}, {sum});
  builder.Operation(OperationType::ADD, {sum, inputs[2], none}, {result});
  return CaseWith(builder.model(), {{a}, {b}, {c}}, {{expected}});
}

Lies Answer(float answer) {
  Lies lies;
  lies.execution = [answer](FakeExecution& execution) { SetElement(execution, 0, 0, answer); };
  return lies;
}

TEST(RunCase, CancellationIsExplained) {
  // In single precision 1e8 + 1.5 has steps of 8.
  const hal::TestCase test_case = SumOfThree(1e8, 1.5, -1e8, 1.5);
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

TEST(RunCase, AnExpectedValueOutsideOfTheEnclosureIsACaseError) {
  const CaseResult result = RunOnFake({}, SumOfThree(1, 2, 3, 7));
  EXPECT_EQ(result.verdict, Verdict::MISSING);
  EXPECT_TRUE(result.is_case_error);
  EXPECT_TRUE(IsFailure(result.verdict));
  EXPECT_THAT(FirstLine(result), HasSubstr("expected 7, actual 6"));
  EXPECT_THAT(FirstLine(result), HasSubstr("the expected value is wrong, or a deviation"));
  EXPECT_EQ(result.deviation, "");
  // A driver that is wrong as well is what counts.
  const CaseResult wrong = RunOnFake(Answer(8), SumOfThree(1, 2, 3, 7));
  EXPECT_EQ(wrong.verdict, Verdict::FAIL);
  EXPECT_FALSE(wrong.is_case_error);
}

TEST(RunCase, ADriverThatIsWrongElsewhereFailsInSpiteOfAWrongExpectation) {
  hal::TestCase test_case = AddMulCase();
  test_case.examples[0].outputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, {5, 7});
  Lies lies;
  lies.execution = [](FakeExecution& execution) { SetElement(execution, 1, 0, 100.0F); };
  const CaseResult result = RunOnFake(lies, test_case);
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(result), StartsWith("MUL output 1"));
  EXPECT_EQ(RunOnFake({}, test_case).verdict, Verdict::MISSING);
}

TEST(RunCase, ExpectedDimensionsThatAreWrongAreACaseError) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({OperandType::TENSOR_FLOAT32, {2}});
  const uint32_t multiples = builder.Int32Vector({2});
  builder.Operation(OperationType::TILE, {input, multiples},
                    {builder.Output({OperandType::TENSOR_FLOAT32, {0}})});
  hal::TestCase test_case = CaseWith(builder.model(), {{1, 2}}, {{}});
  test_case.examples[0].outputs[0] = {
      false, {5}, BytesOf(OperandType::TENSOR_FLOAT32, {1, 2, 1, 2, 1})};
  const CaseResult result = RunOnFake({}, test_case, TestMode::kDynamic);
  EXPECT_EQ(result.verdict, Verdict::MISSING) << result.detail;
  EXPECT_TRUE(result.is_case_error);
  EXPECT_THAT(FirstLine(result), HasSubstr("has the dimensions [4]; expected [5]; the reference"));
}

TEST(RunCase, ADeviationIsJudgedByTheDocumentation) {
  hal::TestCase test_case = SumOfThree(1, 2, 3, 7);
  test_case.deviation = "ADD-carry";
  const CaseResult honest = RunOnFake({}, test_case);
  EXPECT_EQ(honest.verdict, Verdict::PASS) << honest.detail;
  EXPECT_EQ(honest.deviation, "ADD-carry");
  EXPECT_EQ(honest.compared_elements, 4U);
  const CaseResult android = RunOnFake(Answer(7), test_case);
  EXPECT_EQ(android.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(android), HasSubstr("expected 6, actual 7"));
  EXPECT_THAT(FirstLine(android), testing::EndsWith("see docs/deviations.md: ADD-carry"));
}

TEST(RunCase, ADeviationLeavesIgnoredOutputsIgnored) {
  hal::TestCase test_case = AddMulCase();
  test_case.examples[0].outputs[0].ignored = true;
  test_case.examples[0].outputs[1].data = BytesOf(OperandType::TENSOR_FLOAT32, {0, 0});
  test_case.deviation = "MUL-zero";
  Lies lies;
  lies.execution = [](FakeExecution& execution) { SetElement(execution, 0, 0, 100.0F); };
  const CaseResult result = RunOnFake(lies, test_case);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.compared_elements, 8U);
}

TEST(RunCase, WithoutAFiniteEnclosureItIsUndecided) {
  // In single precision the first sum overflows, so that nothing is known of the second.
  const hal::TestCase test_case = SumOfThree(3e38, 3e38, -3e38, 3e38);
  EXPECT_EQ(RunOnFake(Answer(2e38F), test_case).verdict, Verdict::UNDECIDED);
  EXPECT_EQ(RunOnFake(Answer(3e38F), test_case).verdict, Verdict::PASS);
  // An infinity in place of a number is wrong even so.
  EXPECT_EQ(RunOnFake({}, test_case).verdict, Verdict::FAIL);
}

TEST(RunCase, TheOracleExpectsWhatTheCaseDoesNot) {
  hal::TestCase test_case = AddCase();
  test_case.examples[0].outputs.clear();
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    const CaseResult honest = RunOnFake({}, test_case, mode);
    EXPECT_EQ(honest.verdict, Verdict::PASS) << honest.detail;
    EXPECT_EQ(honest.compared_elements, 16U);
    const CaseResult wrong = RunOnFake(Answer(11.1F), test_case, mode);
    EXPECT_EQ(wrong.verdict, Verdict::FAIL);
    EXPECT_THAT(wrong.detail, HasSubstr("expected 11, actual 11.1"));
  }
}

// An extension's operation, of which nobody here knows what it does.
hal::TestCase ExtensionCase() {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {2}};
  const uint32_t input = builder.Input(spec);
  builder.Operation(OperationType{0x10001}, {input}, {builder.Output(spec)});
  hal::TestCase test_case = CaseWith(builder.model(), {{1, 2}}, {{3, 4}});
  test_case.model.extensionNameToPrefix = {{"com.example.test", 1}};
  return test_case;
}

Lies Compute(float first, float second) {
  Lies lies;
  lies.compute = [first, second](FakeExecution& execution) {
    SetElement(execution, 0, 0, first);
    SetElement(execution, 0, 1, second);
  };
  return lies;
}

// The same by a device that lists the extension.
Lies ComputeWithExtension(float first, float second) {
  Lies lies = Compute(first, second);
  lies.extensions = [](hal::V1_2::GetSupportedExtensionsResult& result) {
    result.extensions = {{"com.example.other", {}}, {"com.example.test", {}}};
  };
  return lies;
}

TEST(RunCase, OperationsOutsideOfTheCatalogueAreComparedWithTheCase) {
  EXPECT_EQ(RunOnFake(ComputeWithExtension(3, 4), ExtensionCase()).verdict, Verdict::PASS);
  const CaseResult wrong = RunOnFake(ComputeWithExtension(3, 5), ExtensionCase());
  EXPECT_EQ(wrong.verdict, Verdict::FAIL);
  EXPECT_EQ(wrong.operation, "com.example.test[1]");
  EXPECT_THAT(FirstLine(wrong), HasSubstr("expected 4, actual 5"));
}

TEST(RunCase, ExtensionsThatTheDriverDoesNotListAreUnsupported) {
  bool was_asked = false;
  Lies lies = Compute(3, 4);
  lies.model = [&](const hal::V1_2::Model&) { was_asked = true; };
  const CaseResult result = RunOnFake(lies, ExtensionCase());
  EXPECT_EQ(result.verdict, Verdict::UNSUPPORTED);
  EXPECT_EQ(result.detail, "needs the extension com.example.test, which the driver does not list");
  EXPECT_FALSE(was_asked);
  // What the model names and does not use is not needed.
  hal::TestCase unused = AddCase();
  unused.model.extensionNameToPrefix = {{"com.example.test", 1}};
  EXPECT_EQ(RunOnFake({}, unused).verdict, Verdict::PASS);
}

TEST(RunCase, ExtensionsNeedHal1_2) {
  const CaseResult result = RunOnDevice(MakeFakeDevice1_1(), ExtensionCase());
  EXPECT_EQ(result.verdict, Verdict::UNSUPPORTED);
  EXPECT_THAT(result.detail, HasSubstr("needs HAL 1.2"));
}

TEST(RunCase, TheDriverSeesTheModelAsItIs) {
  hal::TestCase test_case = ExtensionCase();
  test_case.model.operations[0].type = OperationType{static_cast<int32_t>(0xFFFF0001)};
  test_case.model.extensionNameToPrefix[0].prefix = 0xFFFF;
  Lies lies = ComputeWithExtension(3, 4);
  hal::V1_2::Model seen;
  lies.model = [&](const hal::V1_2::Model& model) { seen = model; };
  EXPECT_EQ(RunOnFake(lies, test_case).verdict, Verdict::PASS);
  EXPECT_EQ(seen.operations, test_case.model.operations);
  EXPECT_EQ(seen.extensionNameToPrefix, test_case.model.extensionNameToPrefix);
}

// Values of an extension that nobody here knows: every byte is compared.
TEST(RunCase, OperandsOfUnknownExtensionsAreBytes) {
  ModelBuilder builder;
  const OperandSpec spec = {.type = OperandType{0x10002},
                            .dimensions = {2},
                            .extraParams = std::vector<uint8_t>{1, 2, 3}};
  const uint32_t input = builder.Input(spec);
  builder.Operation(OperationType{0x10001}, {input}, {builder.Output(spec)});
  hal::TestCase test_case = CaseWith(builder.model(), {{0}}, {{0}});
  test_case.model.extensionNameToPrefix = {{"com.example.test", 1}};
  // Two elements of 8 bytes, by the looks of it.
  test_case.examples[0].inputs[0].data = std::vector<uint8_t>(16, 5);
  test_case.examples[0].outputs[0].data = std::vector<uint8_t>(16, 6);
  for (const bool is_right : {true, false}) {
    Lies lies = ComputeWithExtension(0, 0);
    lies.compute = [&](FakeExecution& execution) {
      for (size_t i = 0; i < 16; ++i) SetElement<uint8_t>(execution, 0, i, 6);
      if (!is_right) SetElement<uint8_t>(execution, 0, 15, 7);
    };
    const CaseResult result = RunOnFake(lies, test_case);
    EXPECT_EQ(result.verdict, is_right ? Verdict::PASS : Verdict::FAIL) << result.detail;
    EXPECT_THAT(FirstLine(result), HasSubstr(is_right ? "" : "byte 15 of 16 is not as expected"));
  }
}

// ---- OEM operations ----

// OEM_OPERATION(input, key) adds the key, a scalar of five bytes, to the input byte by byte.
hal::TestCase OemCase() {
  ModelBuilder builder;
  const OperandSpec bytes = {OperandType::TENSOR_OEM_BYTE, {5}};
  const uint32_t input = builder.Input(bytes);
  const uint32_t key = builder.ConstantBytes({OperandType::OEM}, {1, 2, 3, 4, 5});
  builder.Operation(OperationType::OEM_OPERATION, {input, key}, {builder.Output(bytes)});
  return CaseWith(builder.model(), {{10, 10, 10, 10, 10}}, {{11, 12, 13, 14, 15}}, "oem");
}

// A device whose maker knows what OEM_OPERATION is. Whoever takes a wrong key computes it wrong.
Lies OemDevice(uint8_t error) {
  Lies lies;
  const auto key = std::make_shared<std::vector<uint8_t>>();
  lies.model = [key](const hal::V1_2::Model& model) {
    const hal::V1_2::DataLocation& location = model.operands[1].location;
    const auto begin = model.operandValues.begin() + location.offset;
    key->assign(begin, begin + location.length);
  };
  lies.compute = [key, error](FakeExecution& execution) {
    const hal::V1_0::DataLocation& input = execution.request.inputs[0].location;
    for (size_t i = 0; i < key->size(); ++i) {
      const uint8_t byte = execution.Pool(input.poolIndex)[input.offset + i];
      SetElement<uint8_t>(execution, 0, i, byte + (*key)[i] + error);
    }
  };
  return lies;
}

TEST(RunCase, OemOperationsReachADriverThatHasThem) {
  const CaseResult result = RunOnFake(OemDevice(0), OemCase());
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.operation, "OEM_OPERATION");
  EXPECT_EQ(RunOnFake(OemDevice(1), OemCase()).verdict, Verdict::FAIL);
  // They exist since 1.0.
  EXPECT_EQ(RunOnDevice(MakeFakeDevice1_0(OemDevice(0)), OemCase()).verdict, Verdict::PASS);
}

// output = input * 1e30 * 1e-30, where the first product may be no float.
hal::TestCase LargeProductCase(float input) {
  ModelBuilder builder;
  const OperandSpec number = {hal::V1_2::OperandType::TENSOR_FLOAT32, {1}};
  const uint32_t none = builder.Int32(0);
  const uint32_t product = builder.Temporary(number);
  builder.Operation(hal::V1_2::OperationType::MUL,
                    {builder.Input(number), builder.Constant(number, {1e30}), none}, {product});
  builder.Operation(hal::V1_2::OperationType::MUL,
                    {product, builder.Constant(number, {1e-30}), none}, {builder.Output(number)});
  hal::TestCase test_case;
  test_case.name = "large_product";
  test_case.model = builder.model();
  hal::InputValue value = {.hasNoValue = false, .dimensions = {1}, .data = {}};
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
  EXPECT_EQ(result.verdict, Verdict::UNDECIDED) << result.detail;
  EXPECT_THAT(result.detail, HasSubstr("the enclosure of element 0 is unbounded"));
}

TEST(RunCase, OemOperationsAreUnsupportedByTheReferenceDriver) {
  const CaseResult result = RunOnDevice(MakeReferenceDriver(), OemCase());
  EXPECT_EQ(result.verdict, Verdict::UNSUPPORTED) << result.detail;
  EXPECT_THAT(result.detail, HasSubstr("OEM_OPERATION"));
}

TEST(RunCase, ADeviationOfAnOperationOutsideOfTheCatalogueIsACaseError) {
  hal::TestCase test_case = ExtensionCase();
  test_case.deviation = "EXTENSION-what";
  const CaseResult result = RunOnFake(ComputeWithExtension(3, 4), test_case);
  EXPECT_EQ(result.verdict, Verdict::MISSING);
  EXPECT_TRUE(result.is_case_error);
  EXPECT_THAT(result.detail, HasSubstr("the oracle does not give the documented answer"));
}

TEST(RunCase, OperationsOutsideOfTheCatalogueWithoutExpectationAreVacuous) {
  hal::TestCase test_case = ExtensionCase();
  test_case.examples[0].outputs.clear();
  EXPECT_EQ(RunOnFake(ComputeWithExtension(3, 4), test_case).verdict, Verdict::VACUOUS);
}

// ---- Samples ----

hal::TestCase MultinomialCase(float tolerance) {
  ModelBuilder builder;
  const uint32_t logits = builder.Input({OperandType::TENSOR_FLOAT32, {2, 3}});
  const uint32_t count = builder.Int32(4);
  const uint32_t seeds = builder.Constant({OperandType::TENSOR_INT32, {2}}, {37, 42});
  const uint32_t samples = builder.Output({OperandType::TENSOR_INT32, {2, 4}});
  builder.Operation(OperationType::RANDOM_MULTINOMIAL, {logits, count, seeds}, {samples});
  // Half of the first two classes, then the last class alone.
  hal::TestCase test_case =
      CaseWith(builder.model(), {{0, 0, -1000, -1000, -1000, 0}}, {{0, 0, 0, 0, 0, 0, 0, 0}});
  test_case.examples[0].outputs[0].ignored = true;
  test_case.multinomialDistributionTolerance = tolerance;
  return test_case;
}

Lies Samples(const std::vector<int32_t>& samples) {
  Lies lies;
  lies.compute = [samples](FakeExecution& execution) {
    for (size_t i = 0; i < samples.size(); ++i) SetElement(execution, 0, i, samples[i]);
  };
  return lies;
}

TEST(RunCase, SamplesAreComparedByFrequency) {
  const CaseResult right = RunOnFake(Samples({0, 1, 1, 0, 2, 2, 2, 2}), MultinomialCase(0.025F));
  EXPECT_EQ(right.verdict, Verdict::PASS) << right.detail;
  EXPECT_EQ(right.compared_elements, 32U);
  const CaseResult wrong = RunOnFake(Samples({0, 1, 1, 1, 2, 2, 2, 2}), MultinomialCase(0.025F));
  EXPECT_EQ(wrong.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(wrong), StartsWith("RANDOM_MULTINOMIAL output 0: class 0 has frequency"));
  EXPECT_EQ(RunOnFake(Samples({0, 1, 1, 1, 2, 2, 2, 2}), MultinomialCase(0.3F)).verdict,
            Verdict::PASS);
}

TEST(RunCase, SamplesMustBeClasses) {
  for (const int32_t sample : {3, -1, 1024}) {
    const CaseResult result =
        RunOnFake(Samples({0, 1, 1, 0, 2, 2, 2, sample}), MultinomialCase(0.9F));
    EXPECT_EQ(result.verdict, Verdict::FAIL);
    EXPECT_THAT(FirstLine(result), HasSubstr("sample [1, 3] is"));
  }
}

TEST(RunCase, SamplesAreComparedWithConstantLogits) {
  hal::TestCase test_case = MultinomialCase(0.025F);
  hal::V1_2::Model& model = test_case.model;
  // The logits become a constant, and the seeds an input in their place.
  hal::V1_2::Operand& logits = model.operands[model.inputIndexes[0]];
  logits.lifetime = hal::V1_2::OperandLifeTime::CONSTANT_COPY;
  logits.location = {0, static_cast<uint32_t>(model.operandValues.size()), 24};
  const std::vector<uint8_t>& values = test_case.examples[0].inputs[0].data;
  model.operandValues.insert(model.operandValues.end(), values.begin(), values.end());
  const uint32_t seeds = model.operations[0].inputs[2];
  model.operands[seeds].lifetime = hal::V1_2::OperandLifeTime::MODEL_INPUT;
  model.operands[seeds].location = {};
  model.inputIndexes = {seeds};
  test_case.examples[0].inputs[0] = {false, {2}, BytesOf(OperandType::TENSOR_INT32, {1, 2})};
  const CaseResult right = RunOnFake(Samples({0, 1, 1, 0, 2, 2, 2, 2}), test_case);
  EXPECT_EQ(right.verdict, Verdict::PASS) << right.detail;
  EXPECT_EQ(RunOnFake(Samples({0, 1, 1, 1, 2, 2, 2, 2}), test_case).verdict, Verdict::FAIL);
}

TEST(RunCase, SamplesOfAnUnknownDistributionAreUndecided) {
  hal::TestCase test_case = MultinomialCase(0.025F);
  test_case.examples[0].inputs[0].data =
      BytesOf(OperandType::TENSOR_FLOAT32, {0, 0, -INFINITY, -1000, -1000, 0});
  const CaseResult result = RunOnFake(Samples({0, 1, 1, 0, 2, 2, 2, 2}), test_case);
  EXPECT_EQ(result.verdict, Verdict::UNDECIDED) << result.detail;
  EXPECT_THAT(result.detail, HasSubstr("cannot be compared with their distribution"));
}

TEST(RunCase, SamplesWithoutAToleranceAreTestedStatistically) {
  const CaseResult right = RunOnFake(Samples({0, 1, 1, 1, 2, 2, 2, 2}), MultinomialCase(0));
  EXPECT_EQ(right.verdict, Verdict::PASS) << right.detail;
  EXPECT_EQ(right.compared_elements, 32U);
  // The last class alone can be in the second row.
  const CaseResult wrong = RunOnFake(Samples({0, 1, 1, 1, 0, 1, 1, 1}), MultinomialCase(0));
  EXPECT_EQ(wrong.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(wrong), HasSubstr("not drawn from the softmax of the logits"));
}

TEST(RunCase, SamplesOfTheReferencePass) {
  for (const float tolerance : {0.0F, 1.0F}) {
    const CaseResult result = RunOnFake({}, MultinomialCase(tolerance));
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  }
}

TEST(RunCase, DimensionsOfSamplesAreCompared) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    if (!execution.result.outputShapes.empty()) execution.result.outputShapes[0].dimensions = {8};
  };
  const CaseResult result = RunOnFake(lies, MultinomialCase(0), TestMode::kDynamic);
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(result), HasSubstr("has the dimensions [8]; expected [2, 4]"));
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
  ASSERT_THAT(result.dumped_files, SizeIs(3));
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
        RunOnFake({}, SumOfThree(1e8, 1.5, -1e8, 1.5), TestMode::kStatic, options_),
        RunOnFake({}, hal::TestCase(), TestMode::kStatic, options_)}) {
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
}

}  // namespace
}  // namespace nncert
