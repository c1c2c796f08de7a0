// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/extension.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "hal/extension.h"
#include "hal/testing/status_is.h"
#include "reference/catalogue.h"
#include "reference/driver/driver.h"
#include "reference/execution/executor.h"
#include "reference/execution/model_validation.h"
#include "reference/kernel.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kName[] = "com.example.test";
constexpr uint16_t kBytes = 5;
constexpr uint16_t kTriple = 6;
constexpr uint16_t kNegate = 9;

// Two operand types: bytes whose zero point is the only byte of extraParams, and an opaque scalar
// of 12 bytes.
NNCERT_EXTENSION_DEFINITION(TEST) {
  return {
      .name = kName,
      .description = "For tests.",
      .operand_types = {{.name = "TENSOR_BYTES",
                         .type = kBytes,
                         .stored_as = OperandType::TENSOR_QUANT8_ASYMM,
                         .description = "Bytes.",
                         .extra_params = "The zero point.",
                         .interpret = [](absl::Span<const uint8_t> params,
                                         OperandInfo& info) -> absl::Status {
                           if (params.size() != 1) return absl::InvalidArgumentError("not 1 byte");
                           info.scale = 0.5;
                           info.zeroPoint = params[0];
                           return absl::OkStatus();
                         }},
                        {.name = "TRIPLE",
                         .type = kTriple,
                         .is_tensor = false,
                         .opaque_size = 12,
                         .description = "Three floats."}},
  };
}

// output = bias - input, where the bias is the last of three floats.
NNCERT_EXTENSION_OPERATION_DEFINITION(kName, kNegate, SUBTRACT_FROM) {
  const OperandType bytes = CatalogueOperandType(kName, kBytes);
  return {
      .summary = "output = bias - input",
      .description = "For tests.",
      .signature = {.inputs = {Tensor("input").Types({bytes}).Describe("The elements."),
                               OperandRule("bias", false)
                                   .Types({CatalogueOperandType(kName, kTriple)})
                                   .Describe("Three floats.")},
                    .outputs = {Tensor("output").TypeLike(0).QuantizedLike(0).Describe(
                        "Results.")}},
      .shape = SameShapeAsFirstInput,
      .kernel =
          Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) -> absl::Status {
            const auto input = context.Input(0);
            auto output = context.Output(0);
            if (!output.ok()) return output.status();
            float biases[3];
            std::memcpy(biases, context->State(1).value, sizeof(biases));
            for (size_t i = 0; i < input.size; ++i) {
              (*output)[i] = arithmetic.Subtract(arithmetic.Constant(biases[2]), input[i]);
            }
            return absl::OkStatus();
          }),
      .error_bound = "of a difference",
      .source = "this test",
  };
}

std::vector<uint8_t> Floats(const std::vector<float>& floats) {
  std::vector<uint8_t> bytes(floats.size() * sizeof(float));
  if (!floats.empty()) std::memcpy(bytes.data(), floats.data(), bytes.size());
  return bytes;
}

OperandSpec Bytes(const std::vector<uint32_t>& dimensions, uint8_t zero_point = 100) {
  return {.type = CatalogueOperandType(kName, kBytes),
          .dimensions = dimensions,
          .extraParams = std::vector<uint8_t>{zero_point}};
}

hal::V1_2::Model ModelOf(const OperandSpec& input, const std::vector<uint8_t>& biases,
                         const OperandSpec& output) {
  ModelBuilder builder;
  const uint32_t elements = builder.Input(input);
  const uint32_t triple = builder.ConstantBytes({CatalogueOperandType(kName, kTriple)}, biases);
  const uint32_t results = builder.Output(output);
  builder.Extension(kName).Operation(CatalogueOperationType(kName, kNegate), {elements, triple},
                                     {results});
  return builder.model();
}

// The model with other prefixes.
hal::V1_2::Model WithPrefix(hal::V1_2::Model model, uint16_t prefix) {
  const uint16_t old = model.extensionNameToPrefix[0].prefix;
  for (hal::V1_2::Operand& operand : model.operands) {
    if (hal::extensionPrefix(operand.type) != old) continue;
    operand.type = hal::makeExtensionOperandType(prefix, hal::typeWithinExtension(operand.type));
  }
  for (hal::V1_2::Operation& operation : model.operations) {
    operation.type =
        hal::makeExtensionOperationType(prefix, hal::typeWithinExtension(operation.type));
  }
  model.extensionNameToPrefix[0].prefix = prefix;
  return model;
}

std::string ErrorOf(const hal::V1_2::Model& model) {
  return std::string(PreparedGraph::Create(model).status().message());
}

const std::vector<uint8_t> kBiases = Floats({1, 2, 3});

TEST(ExtensionTest, IsFoundByName) {
  ASSERT_NE(FindExtension(kName), nullptr);
  EXPECT_EQ(FindExtension(kName)->name, kName);
  EXPECT_EQ(FindExtension("com.example.tests"), nullptr);
  EXPECT_THAT(AllExtensions(), ElementsAre(FindExtension(kName)));
}

TEST(ExtensionTest, IsListedAsADriverDoes) {
  EXPECT_THAT(ListExtensions(),
              ElementsAre(hal::V1_2::Extension{kName, {{kBytes, true, 1}, {kTriple, false, 12}}}));
}

TEST(ExtensionTest, TypesAreStoredAsTheDefinitionSays) {
  const OperandType bytes = CatalogueOperandType(kName, kBytes);
  EXPECT_EQ(NameOf(bytes), "com.example.test.TENSOR_BYTES");
  EXPECT_EQ(StoredAs(bytes), OperandType::TENSOR_QUANT8_ASYMM);
  EXPECT_TRUE(IsQuantized(bytes));
  EXPECT_FALSE(IsOpaque(bytes));
  EXPECT_EQ(ElementSize(NumberSystem::kFloat, bytes), 1u);
  EXPECT_EQ(RangeOf(bytes).highest, 255);
  const OperandType triple = CatalogueOperandType(kName, kTriple);
  EXPECT_TRUE(IsOpaque(triple));
  EXPECT_EQ(ElementSize(NumberSystem::kFloat, triple), 12u);
}

TEST(ExtensionTest, UnknownTypesAreOpaque) {
  for (const OperandType type :
       {hal::makeExtensionOperandType(1, 1), CatalogueOperandType(kName, 77)}) {
    EXPECT_TRUE(IsOpaque(type));
    EXPECT_FALSE(IsQuantized(type));
    EXPECT_EQ(FindExtensionOperandType(type), nullptr);
  }
  EXPECT_TRUE(IsOpaque(OperandType::OEM));
  EXPECT_TRUE(IsOpaque(OperandType::TENSOR_OEM_BYTE));
  EXPECT_FALSE(IsOpaque(OperandType::TENSOR_FLOAT32));
}

TEST(ExtensionTest, ComputesInEveryNumberSystemUnderAnyPrefix) {
  const hal::V1_2::Model model = ModelOf(Bytes({3}), kBiases, Bytes({3}));
  for (const uint16_t prefix : {1, 7, 0x8000, 0xFFFE, 0xFFFF}) {
    SCOPED_TRACE(prefix);
    // (q - 100) / 2 = 0, 1 and -10; 3 less that is 3, 2 and 13.
    const auto results = EvaluateInAllSystems(WithPrefix(model, prefix), {{100, 102, 80}});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_THAT((*results)[0].from_float, ElementsAre(106, 104, 126));
    EXPECT_THAT((*results)[0].from_double, ElementsAre(106, 104, 126));
  }
}

TEST(ExtensionTest, OthersMakeRoomForItsPrefix) {
  hal::V1_2::Model model = WithPrefix(ModelOf(Bytes({3}), kBiases, Bytes({3})), 1);
  const uint16_t own = hal::extensionPrefix(CatalogueOperandType(kName, 0));
  model.extensionNameToPrefix.push_back({"com.example.unknown", own});
  model.extensionNameToPrefix.push_back({"com.example.unknown2", 2});
  model.operands[2].type = hal::makeExtensionOperandType(own, kBytes);
  const hal::V1_2::Model numbered = WithCataloguePrefixes(model);
  EXPECT_EQ(numbered.operands[0].type, CatalogueOperandType(kName, kBytes));
  EXPECT_EQ(numbered.extensionNameToPrefix[0].prefix, own);
  // 1 and 2 are taken in the model, so 3 is the first free one.
  EXPECT_EQ(numbered.extensionNameToPrefix[1].prefix, 3);
  EXPECT_EQ(numbered.extensionNameToPrefix[2].prefix, 2);
  EXPECT_EQ(numbered.operands[2].type, hal::makeExtensionOperandType(3, kBytes));
  EXPECT_THAT(ErrorOf(model), HasSubstr("expected com.example.test.TENSOR_BYTES"));
}

TEST(ExtensionTest, PrefixesThatTheModelDoesNotListAreNotIts) {
  hal::V1_2::Model model = WithPrefix(ModelOf(Bytes({3}), kBiases, Bytes({3})), 1);
  const uint16_t own = hal::extensionPrefix(CatalogueOperandType(kName, 0));
  model.operands[2].type = hal::makeExtensionOperandType(own, kBytes);
  EXPECT_EQ(FindExtensionOperandType(WithCataloguePrefixes(model).operands[2].type), nullptr);
  EXPECT_THAT(ErrorOf(model), HasSubstr("a prefix that extensionNameToPrefix lists"));
}

TEST(ExtensionTest, RefusesWhatTheHalDoesNotLookAt) {
  EXPECT_THAT(
      ErrorOf(ModelOf(Bytes({3}), Floats({1, 2}), Bytes({3}))),
      HasSubstr("operand 1, com.example.test.TRIPLE: the constant has 8 bytes; expected 12"));
  OperandSpec without = Bytes({3});
  without.extraParams = std::monostate();
  EXPECT_THAT(ErrorOf(ModelOf(without, kBiases, Bytes({3}))),
              HasSubstr("operand 0, com.example.test.TENSOR_BYTES: not 1 byte"));
  hal::V1_2::Model model = ModelOf(Bytes({3}), kBiases, Bytes({3}));
  model.operands[1].dimensions = {1};
  EXPECT_THAT(ErrorOf(model), HasSubstr("a scalar has the dimensions [1]; expected none"));
  model = ModelOf(Bytes({3}), kBiases, Bytes({3}));
  model.operands[1].extraParams = std::vector<uint8_t>{1, 2};
  EXPECT_THAT(ErrorOf(model), HasSubstr("extraParams has 2 bytes; expected none for this type"));
  EXPECT_THAT(ErrorOf(ModelOf(Bytes({3}), kBiases, Bytes({3}, 99))),
              HasSubstr("expected scale 0.5 and zeroPoint 100"));
  EXPECT_THAT(ErrorOf(ModelOf(Bytes({3}), Floats({}), Bytes({3}))),
              HasSubstr("the constant has 0 bytes; expected 12"));
}

TEST(ExtensionTest, TensorsOfUnknownRankHaveOneInTheRequest) {
  const hal::V1_2::Model model = ModelOf(Bytes({}), kBiases, Bytes({}));
  const auto graph = PreparedGraph::Create(model);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<std::byte> elements(2, std::byte{100});
  InputArgument argument;
  argument.elements = elements;
  EXPECT_THAT(
      (*graph)->Execute(NumberSystem::kDouble, {argument}),
      hal::testing::StatusIs(
          absl::StatusCode::kInvalidArgument,
          HasSubstr(
              "request input 0 (operand 0): the model's dimensions [] are not fully specified")));
  argument.dimensions = {2};
  const auto outputs = (*graph)->Execute(NumberSystem::kDouble, {argument});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_THAT((*outputs)[0].doubles(), ElementsAre(106, 106));
}

TEST(ExtensionTest, OperationsAreNamed) {
  const hal::V1_2::Model model = WithPrefix(ModelOf(Bytes({3}), kBiases, Bytes({3})), 4);
  EXPECT_EQ(OperationName(model, model.operations[0].type), "com.example.test.SUBTRACT_FROM");
  EXPECT_EQ(OperationName(model, hal::makeExtensionOperationType(4, 8)), "com.example.test[8]");
  EXPECT_EQ(OperationName(model, hal::makeExtensionOperationType(5, 8)),
            "OperationType(0x00050008)");
  EXPECT_EQ(OperationName(model, OperationType::ADD), "ADD");
}

// ---- The reference driver ----

std::vector<bool> SupportedBy(hal::V1_2::IDevice& driver, const hal::V1_2::Model& model) {
  const auto result = driver.getSupportedOperations_1_2(model);
  EXPECT_EQ(result.status, hal::V1_0::ErrorStatus::NONE);
  return result.supportedOperations;
}

TEST(ReferenceDriverTest, SupportsTheExtensionsOfTheCatalogue) {
  const auto driver = MakeReferenceDriver();
  EXPECT_EQ(driver->getSupportedExtensions().extensions, ListExtensions());
  hal::V1_2::Model model = WithPrefix(ModelOf(Bytes({3}), kBiases, Bytes({3})), 9);
  EXPECT_THAT(SupportedBy(*driver, model), ElementsAre(true));
  model.extensionNameToPrefix[0].name = "com.example.unknown";
  EXPECT_THAT(SupportedBy(*driver, model), ElementsAre(false));
}

TEST(ReferenceDriverTest, OemOperationsAreValidAndNotSupported) {
  ModelBuilder builder;
  const OperandSpec bytes = {OperandType::TENSOR_OEM_BYTE, {4}};
  const uint32_t input = builder.Input(bytes);
  const uint32_t key = builder.ConstantBytes({OperandType::OEM}, {1, 2, 3, 4, 5});
  builder.Operation(OperationType::OEM_OPERATION, {input, key}, {builder.Output(bytes)});
  EXPECT_TRUE(ValidateModel(builder.model()).ok()) << ValidateModel(builder.model());
  for (const HalVersion version : {HalVersion::V1_0, HalVersion::V1_1}) {
    EXPECT_TRUE(ValidateModel(builder.model(), version).ok());
    EXPECT_TRUE(IsCompliantWith(builder.model(), version));
  }
  EXPECT_THAT(SupportedBy(*MakeReferenceDriver(), builder.model()), ElementsAre(false));
  EXPECT_TRUE(absl::IsUnimplemented(PreparedGraph::Create(builder.model()).status()));
}

}  // namespace
}  // namespace nncert
