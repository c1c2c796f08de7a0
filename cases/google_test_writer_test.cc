// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the sources say. (That they compile and fail on wrong drivers is for //tools:all, which has
// cases of every kind.)

#include "cases/google_test_writer.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandLifeTime;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// What is accepted is what is expected, but for 1 below and 2 above each element.
std::vector<AcceptedAnswer> AcceptedOf(const TestCase& test_case) {
  std::vector<AcceptedAnswer> accepted;
  for (const Example& example : test_case.examples) {
    AcceptedAnswer& answer = accepted.emplace_back();
    for (size_t i = 0; i < example.outputs.size(); ++i) {
      AcceptedOutput& output = answer.outputs.emplace_back();
      if (example.outputs[i].ignored) continue;
      const OperandType type = test_case.model.operands[test_case.model.outputIndexes[i]].type;
      for (const double number : NumbersOf(type, example.outputs[i].data)) {
        output.elements.push_back({number - 1, number + 2});
      }
    }
  }
  return accepted;
}

std::string Write(const TestCase& test_case) {
  const absl::StatusOr<std::string> source = WriteGoogleTest({{test_case, AcceptedOf(test_case)}});
  EXPECT_TRUE(source.ok()) << source.status();
  return source.value_or("");
}

TEST(WriteGoogleTest, IncludesNothingButHalAndGoogleTest) {
  for (const absl::string_view line : absl::StrSplit(Write(AddCase()), '\n')) {
    if (line.substr(0, 9) != "#include ") continue;
    EXPECT_THAT(std::string(line), testing::AnyOf(HasSubstr("\"hal/"), HasSubstr("\"gtest/gtest.h"),
                                                  ContainsRegex("<[a-z]+>")));
  }
}

TEST(WriteGoogleTest, SaysTheModel) {
  const std::string source = Write(AddCase());
  EXPECT_THAT(source, HasSubstr("// The test case add, written by nncert.\n"));
  EXPECT_THAT(source, HasSubstr("enum : uint32_t {\n  kA = 0,  // TENSOR_FLOAT32 [2, 2]\n"));
  EXPECT_THAT(source,
              HasSubstr("  model.operands[kActivation] = MakeOperand(OperandType::INT32, {}, "
                        "OperandLifeTime::CONSTANT_COPY);\n"
                        "  model.operands[kActivation].location = Put(Bytes<int32_t>({0}), "
                        "model.operandValues, 0);\n"));
  EXPECT_THAT(source, HasSubstr("  // Operation 0: ADD.\n"
                                "  model.operations.push_back({OperationType::ADD, {kA, "
                                "kB, kActivation}, {kOutput}});\n"
                                "  model.inputIndexes = {kA, kB};\n"
                                "  model.outputIndexes = {kOutput};\n"));
  EXPECT_THAT(source, Not(HasSubstr("relaxComputation")));
  EXPECT_THAT(source, Not(HasSubstr("numberOfConsumers")));
}

TEST(WriteGoogleTest, SaysWhatIsFedAndWhatIsAccepted) {
  const std::string source = Write(AddCase());
  EXPECT_THAT(source, HasSubstr("  // kB\n"
                                "  examples[0].inputs.push_back(Value({2, 2}, "
                                "Bytes<float>({10.0F, 20.0F, 30.0F, 40.0F})));\n"));
  EXPECT_THAT(source, HasSubstr("  // kOutput\n"
                                "  examples[0].outputs.push_back(Elements<float>({2, 2}, {\n"
                                "      {11.0F, 0x1.4p+3, 0x1.ap+3},  // [0, 0]\n"
                                "      {22.0F, 0x1.5p+4, 0x1.8p+4},  // [0, 1]\n"));
  EXPECT_THAT(Write(AddCase(OperandType::TENSOR_QUANT8_ASYMM)),
              HasSubstr("      {44, 43, 46},  // [1, 1]\n"));
}

TEST(WriteGoogleTest, HasATestForEachName) {
  TestCase test_case = AddCase();
  test_case.name = "a-b\n\"c\"\\";
  EXPECT_THAT(Write(test_case), AllOf(HasSubstr("// The test case a-b?\"c\"?, written by nncert."),
                                      HasSubstr("\nTEST(GeneratedTests, a_b__c__) {\n"
                                                "  RunCase(OutputDimensions::kKnown);\n}\n"),
                                      HasSubstr("\nTEST(DynamicOutputShapeTest, "
                                                "add_dynamic_output_shape) {\n"
                                                "  RunCase(OutputDimensions::kUnknown);\n}\n")));
  test_case.dynamicOutputShapeName = "";
  EXPECT_THAT(Write(test_case), Not(HasSubstr("DynamicOutputShapeTest")));
}

TEST(WriteGoogleTest, SeveralCasesDoNotGetInEachOthersWay) {
  const TestCase add = AddCase();
  const TestCase both = AddMulCase();
  const std::vector<AcceptedAnswer> of_add = AcceptedOf(add);
  const std::vector<AcceptedAnswer> of_both = AcceptedOf(both);
  const absl::StatusOr<std::string> source = WriteGoogleTest({{add, of_add}, {both, of_both}});
  ASSERT_TRUE(source.ok()) << source.status();
  const size_t boundary = source->find("\n}  // namespace case0\n\nnamespace case1 {\n");
  ASSERT_NE(boundary, std::string::npos);
  EXPECT_THAT(source->substr(0, boundary), AllOf(HasSubstr("\nnamespace case0 {\n"),
                                                 HasSubstr("\nTEST(GeneratedTests, add) {")));
  EXPECT_THAT(source->substr(boundary), HasSubstr("\nTEST(GeneratedTests, add_mul) {"));
  EXPECT_THAT(Write(add), Not(HasSubstr("namespace case")));
  EXPECT_THAT(WriteGoogleTest({}),
              hal::testing::StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no case")));
}

TEST(WriteGoogleTest, SaysTheLowestVersionThatHasTheModel) {
  EXPECT_THAT(Write(AddCase()), HasSubstr("HalVersion::V1_0, /*must_fail=*/false"));
  TestCase half = AddCase(OperandType::TENSOR_FLOAT16);
  half.expectFailure = true;
  EXPECT_THAT(Write(half), HasSubstr("HalVersion::V1_2, /*must_fail=*/true"));
  EXPECT_THAT(Write(half), HasSubstr("outputs.push_back(NotCompared({2, 2}, 8));"));
}

TEST(WriteGoogleTest, WhatIsExactIsSaidOnce) {
  const TestCase test_case = AddCase();
  std::vector<AcceptedAnswer> accepted = AcceptedOf(test_case);
  for (AcceptedElement& element : accepted[0].outputs[0].elements) {
    element.lowest += 1;
    element.highest = element.lowest;
  }
  EXPECT_THAT(*WriteGoogleTest({{test_case, accepted}}),
              HasSubstr("outputs.push_back(Exactly<float>({2, 2}, Bytes<float>({11.0F, 22.0F, "
                        "33.0F, 44.0F})));"));
}

TEST(WriteGoogleTest, LongOutputsAreBytes) {
  constexpr uint32_t kCount = 10000;
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_QUANT8_ASYMM, {kCount}, 1};
  const uint32_t input = builder.Input(spec);
  builder.Operation(OperationType::RELU, {input}, {builder.Output(spec)});
  const std::vector<double> values(kCount, 3);
  const std::string source = Write(CaseWith(builder.model(), {values}, {values}));
  EXPECT_THAT(source, AllOf(HasSubstr("      \"030303"), HasSubstr(",  // what is expected\n"),
                            HasSubstr("      \"020202"), HasSubstr(",  // the lowest that"),
                            HasSubstr("      \"050505"), HasSubstr("));  // the highest that")));
  EXPECT_LT(source.size(), 10 * kCount);
}

TEST(WriteGoogleTest, SaysWhatIsOmittedAndWhatIsNotCompared) {
  TestCase test_case = AddMulCase();
  test_case.examples[0].inputs[1] = {true, {}, {}};
  test_case.examples[0].outputs[0].ignored = true;
  const std::string source = Write(test_case);
  EXPECT_THAT(source, HasSubstr("examples[0].inputs.push_back(Omitted());"));
  EXPECT_THAT(source, HasSubstr("examples[0].outputs.push_back(NotCompared({2}, 8));"));
}

TEST(WriteGoogleTest, SaysRowsWithoutAnOrderAndCaveats) {
  const TestCase test_case = AddMulCase();
  std::vector<AcceptedAnswer> accepted = AcceptedOf(test_case);
  accepted[0].outputs[1].caveat = "less is accepted";
  accepted[0].unordered_rows = {{{0, 1}, 2, {{0, 1}, {1, 1}}}};
  const absl::StatusOr<std::string> source = WriteGoogleTest({{test_case, accepted}});
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_THAT(*source, ContainsRegex("  // kOutput_[0-9]: less is accepted\\.\n"));
  EXPECT_THAT(*source,
              HasSubstr("  examples[0].unordered_rows.push_back({{0, 1}, 2, {{0, 1}, {1, 1}}});"));
}

TEST(WriteGoogleTest, SaysWhereConstantsLieAndWhatElseOperandsHave) {
  TestCase test_case = AddCase();
  hal::V1_2::Model& model = test_case.model;
  model.relaxComputationFloat32toFloat16 = true;
  model.pools = {hal::Memory::Allocate(4).value(),
                 hal::Memory::AllocateCopy({9, 9, 9, 9, 1, 0, 0, 0, 9}, hal::kMmapFd).value()};
  model.operands[2].lifetime = OperandLifeTime::CONSTANT_REFERENCE;
  model.operands[2].location = {1, 4, 4};
  model.operands[0].numberOfConsumers = 9;
  model.operands[1].scale = 0.1F;
  model.operands[1].zeroPoint = -3;
  model.operands[3].extraParams = hal::V1_2::SymmPerChannelQuantParams{{0.5F, 0.25F}, 1};
  const std::string source = Write(test_case);
  EXPECT_THAT(source, HasSubstr("  std::vector<uint8_t> pool1(9);\n"));
  EXPECT_THAT(source, HasSubstr(".location = Put(Bytes<int32_t>({1}), pool1, 4, 1);\n"));
  EXPECT_THAT(source, HasSubstr("  model.pools.push_back(Memory::AllocateCopy(pool1, "
                                "\"mmap_fd\").value());\n"));
  EXPECT_THAT(source, HasSubstr("  model.operands[kA].numberOfConsumers = 9;\n"));
  EXPECT_THAT(source, HasSubstr("0.1F, -3);\n"));
  EXPECT_THAT(source, HasSubstr("V1_2::SymmPerChannelQuantParams{{0.5F, 0.25F}, 1};\n"));
  EXPECT_THAT(source, HasSubstr("  model.relaxComputationFloat32toFloat16 = true;\n"));
}

TEST(WriteGoogleTest, SaysExtensionsAndTypesWithoutAName) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({.type = OperandType{0x70003},
                                        .dimensions = {2},
                                        .extraParams = std::vector<uint8_t>{0, 127, 255}});
  builder.Extension("com.example.b", 7);
  builder.Operation(OperationType{0x70009}, {input},
                    {builder.Output({.type = OperandType{0x70003}, .dimensions = {0}})});
  builder.Operation(OperationType{95}, {input}, {});
  TestCase test_case = CaseWith(builder.model(), {{0}}, {{0}});
  test_case.examples[0].inputs[0].data = {1, 2, 3, 4};
  test_case.examples[0].outputs[0] = {false, {1}, {9, 8}};
  std::vector<AcceptedAnswer> accepted(1);
  accepted[0].outputs.resize(1);
  const absl::StatusOr<std::string> source = WriteGoogleTest({{test_case, accepted}});
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_THAT(*source, HasSubstr("MakeOperand(\n      makeExtensionOperandType(7, 3), {2}, "));
  EXPECT_THAT(*source, HasSubstr("  kOp0 = 0,  // com.example.b[3] [2]\n"));
  EXPECT_THAT(*source, HasSubstr("].extraParams = Hex(\"007fff\");\n"));
  EXPECT_THAT(*source,
              HasSubstr("  // Operation 0: com.example.b[9].\n"
                        "  model.operations.push_back({makeExtensionOperationType(7, 9), "));
  EXPECT_THAT(*source, HasSubstr("push_back({OperationType{95}, {kOp0}, {}});\n"));
  EXPECT_THAT(*source, HasSubstr("extensionNameToPrefix.push_back({\"com.example.b\", 7});\n"));
  EXPECT_THAT(*source, HasSubstr("Exactly<uint8_t>({1}, Bytes<uint8_t>({9, 8}))"));
}

TEST(WriteGoogleTest, LinesAreNoLongerThanUsual) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {10, 10}};
  std::vector<uint32_t> inputs;
  for (int i = 0; i < 40; ++i) inputs.push_back(builder.Input(spec));
  builder.Operation(OperationType::CONCATENATION, inputs, {builder.Output(spec)});
  const std::vector<double> values(100, 1 / 3.0);
  const TestCase test_case =
      CaseWith(builder.model(), std::vector<std::vector<double>>(40, values), {values}, "many");
  for (const absl::string_view line : absl::StrSplit(Write(test_case), '\n')) {
    EXPECT_LE(line.size(), 100U) << line;
  }
}

void ExpectError(const TestCase& test_case, absl::StatusCode code, const std::string& text) {
  EXPECT_THAT(WriteGoogleTest({{test_case, AcceptedOf(test_case)}}),
              hal::testing::StatusIs(code, HasSubstr(text)));
}

TEST(WriteGoogleTest, SaysWhatASourceCannotSay) {
  TestCase test_case = AddCase();
  test_case.examples[0].outputs.clear();
  ExpectError(test_case, absl::StatusCode::kUnimplemented, "example 0 has 2 inputs and 0 outputs");
  for (const float scale : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    test_case = AddCase();
    test_case.model.operands[1].scale = scale;
    ExpectError(test_case, absl::StatusCode::kUnimplemented, "operand 1 has a scale");
    test_case = AddCase();
    test_case.model.operands[3].extraParams = hal::V1_2::SymmPerChannelQuantParams{{1, scale}, 0};
    ExpectError(test_case, absl::StatusCode::kUnimplemented, "operand 3 has a scale");
  }
  test_case = AddCase();
  test_case.model.operands[0].lifetime = OperandLifeTime{6};
  ExpectError(test_case, absl::StatusCode::kUnimplemented, "operand 0 has the lifetime");
}

TEST(WriteGoogleTest, WhatIsAcceptedMustFitTheCase) {
  const TestCase test_case = AddCase();
  std::vector<AcceptedAnswer> accepted = AcceptedOf(test_case);
  accepted[0].outputs[0].elements.pop_back();
  const auto is_invalid = [&](const std::string& text) {
    return testing::Value(
        WriteGoogleTest({{test_case, accepted}}),
        hal::testing::StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)));
  };
  EXPECT_TRUE(is_invalid("3 accepted elements of output 0"));
  accepted[0].outputs.clear();
  EXPECT_TRUE(is_invalid("0 accepted outputs of example 0"));
  accepted.clear();
  EXPECT_TRUE(is_invalid("accepted answers to 0 examples"));
}

TEST(WriteGoogleTest, EveryIndexAndConstantMustBeThere) {
  for (const auto& corrupt : std::vector<std::function<void(hal::V1_2::Model&)>>{
           [](hal::V1_2::Model& model) { model.operations[0].inputs[0] = 4096; },
           [](hal::V1_2::Model& model) { model.operands[2].location.offset = 0xFFFFFFFF; }}) {
    TestCase test_case = AddCase();
    corrupt(test_case.model);
    EXPECT_TRUE(absl::IsOutOfRange(WriteGoogleTest({{test_case, AcceptedOf(test_case)}}).status()));
  }
}

}  // namespace
}  // namespace nncert
