// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Operations that the catalogue does not have: those of extensions, and OEM operations.

#include <memory>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "reference/driver/driver.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::HasSubstr;

// An extension's operation, of which nobody here knows what it does.
TestCase ExtensionCase() {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {2}};
  const uint32_t input = builder.Input(spec);
  builder.Operation(OperationType{0x10001}, {input}, {builder.Output(spec)});
  TestCase test_case = CaseWith(builder.model(), {{1, 2}}, {{3, 4}});
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
  TestCase unused = AddCase();
  unused.model.extensionNameToPrefix = {{"com.example.test", 1}};
  EXPECT_EQ(RunOnFake({}, unused).verdict, Verdict::PASS);
}

TEST(RunCase, ExtensionsNeedHal1_2) {
  const CaseResult result = RunOnDevice(MakeFakeDevice1_1(), ExtensionCase());
  EXPECT_EQ(result.verdict, Verdict::UNSUPPORTED);
  EXPECT_THAT(result.detail, HasSubstr("needs HAL 1.2"));
}

TEST(RunCase, TheDriverSeesTheModelAsItIs) {
  TestCase test_case = ExtensionCase();
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
  TestCase test_case = CaseWith(builder.model(), {{0}}, {{0}});
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
TestCase OemCase() {
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

TEST(RunCase, OemOperationsAreUnsupportedByTheReferenceDriver) {
  const CaseResult result = RunOnDevice(MakeReferenceDriver(), OemCase());
  EXPECT_EQ(result.verdict, Verdict::UNSUPPORTED) << result.detail;
  EXPECT_THAT(result.detail, HasSubstr("OEM_OPERATION"));
}

TEST(RunCase, ADeviationOfAnOperationOutsideOfTheCatalogueIsACaseError) {
  TestCase test_case = ExtensionCase();
  test_case.deviation = "EXTENSION-what";
  const CaseResult result = RunOnFake(ComputeWithExtension(3, 4), test_case);
  EXPECT_EQ(result.verdict, Verdict::INVALID);
  EXPECT_THAT(result.detail, HasSubstr("the oracle does not give the documented answer"));
}

TEST(RunCase, OperationsOutsideOfTheCatalogueWithoutExpectationAreVacuous) {
  TestCase test_case = ExtensionCase();
  test_case.examples[0].outputs.clear();
  EXPECT_EQ(RunOnFake(ComputeWithExtension(3, 4), test_case).verdict, Verdict::VACUOUS);
}

}  // namespace
}  // namespace nncert
