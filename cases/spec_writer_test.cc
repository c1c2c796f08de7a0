// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Writes specs, has the spec reader read them, and compares.

#include "cases/spec_writer.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cases/case_source.h"
#include "cases/testing/same_case.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandLifeTime;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::HasSubstr;
using testing::Not;

// The case that the spec of a case is read back as.
absl::StatusOr<TestCase> WriteAndRead(const TestCase& test_case) {
  const absl::StatusOr<std::string> spec = WriteSpec(test_case);
  if (!spec.ok()) return spec.status();
  const std::string path = testing::TempDir() + "/written.mod.py";
  std::ofstream(path, std::ios::trunc) << *spec;
  absl::StatusOr<LoadedCases> loaded = LoadCases({path}, {.spec_reader = "generators/spec_reader"});
  if (!loaded.ok()) return loaded.status();
  if (!loaded->errors.empty()) return loaded->errors[0];
  if (loaded->cases.size() != 1) return absl::InternalError("not one case");
  return loaded->cases[0].test_case;
}

void ExpectSame(const TestCase& test_case) {
  const absl::StatusOr<TestCase> read = WriteAndRead(test_case);
  ASSERT_TRUE(read.ok()) << read.status() << "\n" << WriteSpec(test_case).value_or("");
  EXPECT_EQ(DifferenceOf(test_case, *read), "") << WriteSpec(test_case).value();
}

// One input and one output of a type, with these bytes for both.
TestCase CopyCase(OperandType type, const std::vector<uint8_t>& bytes) {
  const uint32_t count = bytes.size() / BytesOf(type, {0}).size();
  const OperandSpec spec = {type, {count}, hal::isQuantized(type) ? 0.1F : 0.0F};
  ModelBuilder builder;
  const uint32_t input = builder.Input(spec);
  builder.Operation(OperationType::RELU, {input}, {builder.Output(spec)});
  TestCase test_case = CaseWith(builder.model(), {{0}}, {{0}}, "copy");
  test_case.examples[0].inputs[0].data = bytes;
  test_case.examples[0].outputs[0].data = bytes;
  return test_case;
}

std::vector<uint8_t> Bytes(const std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes(words.size() * 4);
  if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

TEST(WriteSpec, ReadsBackAsTheSameCase) {
  for (const OperandType type : {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16,
                                 OperandType::TENSOR_QUANT8_ASYMM}) {
    ExpectSame(AddCase(type));
  }
  ExpectSame(AddMulCase());
}

TEST(WriteSpec, CallsOperandsAsTheirOperationsDo) {
  ModelBuilder builder;
  const OperandSpec image = {OperandType::TENSOR_FLOAT32, {1, 4, 4, 1}};
  const uint32_t input = builder.Input(image);
  const auto pool = [&](uint32_t from, uint32_t to) {
    builder.Operation(OperationType::MAX_POOL_2D,
                      {from, builder.Int32(1), builder.Int32(1), builder.Int32(1), builder.Int32(2),
                       builder.Int32(3), builder.Int32(0)},
                      {to});
  };
  const OperandSpec one = {OperandType::TENSOR_FLOAT32, {1, 1, 1, 1}};
  const uint32_t output = builder.Output({OperandType::TENSOR_FLOAT32, {1, 4, 4, 1}});
  pool(input, output);
  const TestCase alone =
      CaseWith(builder.model(), {std::vector<double>(16)}, {std::vector<double>(16)}, "alone");
  const std::string spec = *WriteSpec(alone);
  EXPECT_THAT(spec, HasSubstr("strideWidth = Parameter(\"strideWidth\", (\"INT32\", []), [1])\n"));
  EXPECT_THAT(spec, HasSubstr("feed0[0][input] = "));
  ExpectSame(alone);

  // Of two operations some names are the same, and then have the operands' numbers.
  pool(output, builder.Output(one));
  const TestCase two =
      CaseWith(builder.model(), {std::vector<double>(16)}, {std::vector<double>(16), {0}}, "two");
  EXPECT_THAT(*WriteSpec(two), HasSubstr("\noutput_1 = Output("));
  ExpectSame(two);
}

TEST(WriteSpec, KeepsNamesVersionsAndTolerances) {
  TestCase test_case = AddCase();
  test_case.name = "a n\u00e4me \"quoted\" \\ with\nlines";
  test_case.dynamicOutputShapeName = "";
  test_case.minimumVersion = hal::HalVersion::V1_0;
  test_case.specVersion = hal::HalVersion::V1_1;
  test_case.quantizedTolerance = 2;
  test_case.multinomialDistributionTolerance = 0.025F;
  test_case.deviation = "ADD-\"carry\"";
  ExpectSame(test_case);
  test_case.dynamicOutputShapeName = "other";
  test_case.minimumVersion.reset();
  test_case.specVersion.reset();
  test_case.model.relaxComputationFloat32toFloat16 = true;
  test_case.quantizedTolerance = 0;
  ExpectSame(test_case);
}

TEST(WriteSpec, KeepsThatACaseIsToFail) {
  TestCase test_case = AddCase();
  test_case.expectFailure = true;
  ExpectSame(test_case);
}

TEST(WriteSpec, KeepsHostileFloats) {
  const float values[] = {0.0F,
                          -0.0F,
                          0.1F,
                          1.0F / 3,
                          16777217.0F,
                          std::numeric_limits<float>::max(),
                          std::numeric_limits<float>::lowest(),
                          std::numeric_limits<float>::min(),
                          std::numeric_limits<float>::denorm_min(),
                          -std::numeric_limits<float>::denorm_min(),
                          std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()};
  std::vector<uint32_t> words;
  for (const float value : values) words.push_back(std::bit_cast<uint32_t>(value));
  // Everywhere between powers of two and of ten.
  for (uint32_t exponent = 0; exponent < 255; ++exponent) {
    for (const uint32_t fraction : {0x0U, 0x1U, 0x2AAAAAU, 0x555555U, 0x7FFFFEU, 0x7FFFFFU}) {
      words.push_back(exponent << 23 | fraction);
    }
  }
  const TestCase test_case = CopyCase(OperandType::TENSOR_FLOAT32, Bytes(words));
  EXPECT_THAT(*WriteSpec(test_case), Not(HasSubstr("Bytes(")));
  ExpectSame(test_case);
}

TEST(WriteSpec, KeepsEveryNan) {
  const TestCase test_case =
      CopyCase(OperandType::TENSOR_FLOAT32,
               Bytes({0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF, 0x7FC12345, 0x3F800000}));
  EXPECT_THAT(*WriteSpec(test_case), HasSubstr("Bytes("));
  ExpectSame(test_case);
}

TEST(WriteSpec, KeepsEveryHalf) {
  std::vector<uint8_t> bytes;
  for (uint32_t half = 0; half < 0x10000; half += 7) {
    if ((half & 0x7C00) == 0x7C00 && (half & 0x3FF) != 0) continue;
    bytes.push_back(half & 0xFF);
    bytes.push_back(half >> 8);
  }
  const TestCase test_case = CopyCase(OperandType::TENSOR_FLOAT16, bytes);
  EXPECT_THAT(*WriteSpec(test_case), Not(HasSubstr("Bytes(")));
  ExpectSame(test_case);
  ExpectSame(CopyCase(OperandType::TENSOR_FLOAT16, {0x01, 0x7C, 0x00, 0xFE, 0x00, 0x7C}));
}

TEST(WriteSpec, KeepsEveryKindOfElement) {
  std::vector<uint8_t> all(256);
  for (int i = 0; i < 256; ++i) all[i] = i;
  for (const OperandType type : {OperandType::TENSOR_INT32, OperandType::TENSOR_QUANT8_ASYMM,
                                 OperandType::TENSOR_QUANT8_SYMM, OperandType::TENSOR_QUANT16_ASYMM,
                                 OperandType::TENSOR_QUANT16_SYMM, OperandType::TENSOR_OEM_BYTE}) {
    SCOPED_TRACE(hal::toString(type));
    ExpectSame(CopyCase(type, all));
  }
  ExpectSame(CopyCase(OperandType::TENSOR_BOOL8, {0, 1, 1, 0}));
  // Other bytes than 1 are true as well, and stay what they are.
  ExpectSame(CopyCase(OperandType::TENSOR_BOOL8, {0, 1, 255, 2}));
}

TEST(WriteSpec, GivesLongValuesByTheirBytes) {
  const TestCase test_case =
      CopyCase(OperandType::TENSOR_QUANT8_ASYMM, std::vector<uint8_t>(70000, 3));
  EXPECT_THAT(*WriteSpec(test_case), HasSubstr("Bytes("));
  ExpectSame(test_case);
}

// A convolution's operands, with constants of several alignments in both places.
TestCase CaseWithConstants() {
  ModelBuilder builder;
  hal::V1_2::SymmPerChannelQuantParams quantization;
  quantization.scales = {0.1F, 1.0F / 3, 1e-20F};
  quantization.channelDim = 0;
  const uint32_t input = builder.Input({OperandType::TENSOR_QUANT8_ASYMM, {1, 1, 1, 1}, 0.1F, 128});
  const uint32_t filter = builder.Constant(
      {OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, {3, 1, 1, 1}, 0, 0, quantization},
      {-128, 0, 127});
  const uint32_t layout = builder.Bool(true);
  const uint32_t bias =
      builder.Constant({OperandType::TENSOR_INT32, {3}, 0.25F}, {-7, 0, 2147483647});
  const uint32_t scalar = builder.Float32(-0.0F);
  const uint32_t omitted = builder.Omitted({OperandType::TENSOR_FLOAT32, {2, 0}});
  const uint32_t empty = builder.Constant({OperandType::TENSOR_FLOAT32, {0, 2}}, {});
  const uint32_t temporary = builder.Temporary({OperandType::TENSOR_QUANT8_ASYMM, {}, 1e-30F, 3});
  const uint32_t output = builder.Output({OperandType::TENSOR_QUANT8_ASYMM, {0, 0, 0, 3}, 3e38F});
  builder.Operation(OperationType::CONV_2D, {input, filter, bias, scalar, omitted, empty, layout},
                    {temporary});
  builder.Operation(OperationType::RELU, {temporary}, {output});
  TestCase test_case = CaseWith(builder.model(), {{7}}, {{}}, "constants");
  test_case.examples[0].outputs[0] = {false, {1, 1, 1, 3}, {1, 2, 3}};
  // As the reader lays them out: aligned to the size of their elements.
  std::vector<uint8_t>& values = test_case.model.operandValues;
  std::vector<uint8_t> old = std::move(values);
  std::vector<uint8_t> pool;
  values.clear();
  for (const uint32_t constant : {filter, layout, bias, scalar, empty}) {
    hal::V1_2::Operand& operand = test_case.model.operands[constant];
    const bool in_pool = constant == filter || constant == bias;
    std::vector<uint8_t>& place = in_pool ? pool : values;
    const size_t alignment = BytesOf(operand.type, {0}).size();
    place.resize((place.size() + alignment - 1) / alignment * alignment);
    const uint32_t offset = place.size();
    place.insert(place.end(), old.begin() + operand.location.offset,
                 old.begin() + operand.location.offset + operand.location.length);
    operand.location.offset = offset;
    if (in_pool) operand.lifetime = OperandLifeTime::CONSTANT_REFERENCE;
  }
  test_case.model.pools = {hal::Memory::AllocateCopy(pool).value()};
  return test_case;
}

TEST(WriteSpec, KeepsConstantsQuantizationAndUnknownDimensions) { ExpectSame(CaseWithConstants()); }

TEST(WriteSpec, KeepsConstantsThatLieElsewhereByValue) {
  // Each in a pool of its own, with something before it.
  TestCase test_case = CaseWithConstants();
  hal::V1_2::Model& model = test_case.model;
  const std::vector<uint8_t> bytes = {9, 9, 9, 9, 9, 0x80, 0, 0x7F, 9};
  model.pools.push_back(hal::Memory::AllocateCopy(bytes, hal::kMmapFd).value());
  model.operands[1].location = {1, 5, 3};
  const absl::StatusOr<TestCase> read = WriteAndRead(test_case);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(DifferenceOf(CaseWithConstants(), *read), "");
}

TEST(WriteSpec, KeepsOmittedInputsAndDimensionsOfRequests) {
  TestCase test_case = AddCase();
  test_case.model.operands[test_case.model.inputIndexes[0]].dimensions = {0, 2};
  test_case.examples[0].inputs[1] = {true, {}, {}};
  test_case.examples.push_back(AddCase().examples[0]);
  ExpectSame(test_case);
}

TEST(WriteSpec, KeepsIgnoredAndEmptyOutputs) {
  TestCase test_case = AddMulCase();
  test_case.examples[0].outputs[0] = {true, {2}, {}};
  ExpectSame(test_case);
  test_case.model.operands[test_case.model.outputIndexes[0]].dimensions = {0};
  ExpectSame(test_case);
  test_case.examples[0].outputs[0] = {false, {0}, {}};
  ExpectSame(test_case);
  test_case.model.operands[test_case.model.outputIndexes[0]].dimensions = {};
  test_case.examples[0].outputs[0] = {false, {0, 3}, {}};
  ExpectSame(test_case);
}

TEST(WriteSpec, KeepsTheOrderOfInputsAndOutputsAndUnusedOperands) {
  TestCase test_case = AddMulCase();
  hal::V1_2::Model& model = test_case.model;
  std::swap(model.inputIndexes[0], model.inputIndexes[1]);
  std::swap(model.outputIndexes[0], model.outputIndexes[1]);
  hal::V1_2::Operand& unused = model.operands.emplace_back();
  unused.type = OperandType::TENSOR_FLOAT32;
  unused.dimensions = {1};
  ExpectSame(test_case);
}

TEST(WriteSpec, KeepsACaseWithoutExamples) {
  TestCase test_case = AddCase();
  test_case.examples.clear();
  ExpectSame(test_case);
}

TEST(WriteSpec, KeepsOperationsThatHaveNoName) {
  TestCase test_case = AddCase();
  test_case.model.operations[0].type = OperationType{95};
  ExpectSame(test_case);
}

TEST(WriteSpec, KeepsManyOperands) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {1}};
  uint32_t last = builder.Input(spec);
  for (int i = 0; i < 300; ++i) {
    const uint32_t next = i == 299 ? builder.Output(spec) : builder.Temporary(spec);
    builder.Operation(OperationType::ADD, {last, last, builder.Int32(0)}, {next});
    last = next;
  }
  ExpectSame(CaseWith(builder.model(), {{1}}, {{1}}, "chain"));
}

TEST(WriteSpec, LinesAreNoLongerThanUsual) {
  TestCase test_case = CopyCase(OperandType::TENSOR_QUANT8_ASYMM, std::vector<uint8_t>(1000, 255));
  for (const TestCase& written : {test_case, CaseWithConstants()}) {
    const std::string spec = WriteSpec(written).value();
    size_t begin = 0;
    for (size_t end = spec.find('\n'); end != std::string::npos; end = spec.find('\n', begin)) {
      EXPECT_LE(end - begin, 120U) << spec.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

// Two extensions that nobody here knows, by prefixes that no spec would choose.
TEST(WriteSpec, KeepsExtensions) {
  ModelBuilder builder;
  const OperandSpec spec = {.type = OperandType{0x70003},
                            .dimensions = {2},
                            .extraParams = std::vector<uint8_t>{0, 127, 255}};
  const uint32_t input = builder.Input(spec);
  const uint32_t floats = builder.Constant({OperandType::TENSOR_FLOAT32, {2}}, {1, 2});
  const uint32_t blob = builder.ConstantBytes({OperandType{0x50001}}, {1, 2, 3});
  const uint32_t output = builder.Output({.type = OperandType{0x70003}, .dimensions = {0}});
  builder.Extension("com.example.b", 7).Extension("com.example.unused", 2);
  builder.Extension("com.example.a", 5);
  builder.Operation(OperationType{0x70009}, {input, floats, blob}, {output});
  TestCase test_case = CaseWith(builder.model(), {{0}}, {{0}}, "extensions");
  test_case.examples[0].inputs[0].data = {1, 2, 3, 4, 5, 6};
  test_case.examples[0].outputs[0] = {false, {3}, {9, 8, 7, 6, 5, 4, 3, 2, 1}};
  ExpectSame(test_case);
  EXPECT_THAT(*WriteSpec(test_case), HasSubstr("\"com.example.b.OPERATION_9\""));
  EXPECT_THAT(*WriteSpec(test_case), HasSubstr("\"com.example.a.TYPE_1\""));
}

TEST(WriteSpec, KeepsOemOperandsAndOperations) {
  ModelBuilder builder;
  const OperandSpec bytes = {OperandType::TENSOR_OEM_BYTE, {3}};
  const uint32_t input = builder.Input(bytes);
  const uint32_t scalar = builder.Input({OperandType::OEM});
  const uint32_t key = builder.ConstantBytes({OperandType::OEM}, {255, 0, 7, 7, 7});
  builder.Operation(OperationType::OEM_OPERATION, {input, scalar, key}, {builder.Output(bytes)});
  TestCase test_case = CaseWith(builder.model(), {{1, 2, 3}, {0}}, {{3, 2, 1}}, "oem");
  test_case.examples[0].inputs[1].data = {4, 5, 6, 7, 8, 9, 10};
  ExpectSame(test_case);
}

void ExpectUnimplemented(const TestCase& test_case, const std::string& text) {
  const absl::Status status = WriteSpec(test_case).status();
  EXPECT_TRUE(absl::IsUnimplemented(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(text));
}

TEST(WriteSpec, SaysWhatASpecCannotSay) {
  TestCase test_case = AddCase();
  test_case.examples[0].outputs.clear();
  ExpectUnimplemented(test_case, "example 0 has 2 inputs and 0 outputs");
  test_case = AddCase();
  test_case.model.extensionNameToPrefix = {{"com.example.test", 1}, {"com.example.test", 2}};
  ExpectUnimplemented(test_case, "the extension \"com.example.test\" with the prefix 2");
  test_case.model.extensionNameToPrefix = {{"com.example.a", 1}, {"com.example.b", 1}};
  ExpectUnimplemented(test_case, "the extension \"com.example.b\" with the prefix 1");
  test_case.model.extensionNameToPrefix = {{"com.example.a", 0}};
  ExpectUnimplemented(test_case, "the extension \"com.example.a\" with the prefix 0");
  test_case.model.extensionNameToPrefix = {{"", 1}};
  ExpectUnimplemented(test_case, "the extension \"\" with the prefix 1");
  test_case = AddCase();
  test_case.model.operands[0].type = OperandType{0x10001};
  ExpectUnimplemented(test_case, "operand 0 is of type OperandType(0x00010001)");
  test_case = AddCase();
  test_case.model.operands[0].scale = std::nanf("");
  ExpectUnimplemented(test_case, "operand 0 has the scale NaN");
  test_case = AddCase();
  test_case.model.operands[0].numberOfConsumers = 9;
  ExpectUnimplemented(test_case, "operand 0 has numberOfConsumers 9; operations read it 1 times");
  test_case = AddCase();
  test_case.examples.push_back(test_case.examples[0]);
  test_case.examples[1].outputs[0].ignored = true;
  ExpectUnimplemented(test_case, "output 0 is ignored in one example and not in another");
}

TEST(WriteSpec, EveryIndexMustBeThatOfAnOperand) {
  for (const auto& corrupt : std::vector<std::function<void(hal::V1_2::Model&)>>{
           [](hal::V1_2::Model& model) { model.operations[0].inputs[0] = 4096; },
           [](hal::V1_2::Model& model) { model.operations[0].outputs[0] = 4096; },
           [](hal::V1_2::Model& model) { model.inputIndexes[0] = 4096; },
           [](hal::V1_2::Model& model) { model.outputIndexes[0] = 4096; }}) {
    TestCase test_case = AddCase();
    corrupt(test_case.model);
    const absl::Status status = WriteSpec(test_case).status();
    EXPECT_TRUE(absl::IsOutOfRange(status)) << status;
    EXPECT_THAT(status.message(), HasSubstr("refer to operand 4096"));
  }
}

TEST(WriteSpec, ConstantsMustLieInTheirMemory) {
  TestCase test_case = AddCase();
  test_case.model.operands[2].location.offset = 1;
  EXPECT_TRUE(absl::IsOutOfRange(WriteSpec(test_case).status()));
  test_case.model.operands[2].location = {0, 0xFFFFFFFF, 0xFFFFFFFF};
  EXPECT_TRUE(absl::IsOutOfRange(WriteSpec(test_case).status()));
  test_case.model.operands[2].lifetime = OperandLifeTime::CONSTANT_REFERENCE;
  EXPECT_TRUE(absl::IsOutOfRange(WriteSpec(test_case).status()));
}

}  // namespace
}  // namespace nncert
