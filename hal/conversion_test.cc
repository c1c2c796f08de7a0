// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/conversion.h"

#include <cfloat>
#include <set>

#include "gtest/gtest.h"
#include "hal/capabilities.h"
#include "hal/testing/models.h"
#include "hal/to_string.h"

namespace nncert::hal {
namespace {

using testing::OneOfEverything;
using testing::TwoAdditions;
using V1_2::OperandType;
using V1_2::OperationType;
using V1_2::PerformanceInfo;

constexpr PerformanceInfo kFloat = {.execTime = 0.5F, .powerUsage = 0.25F};
constexpr PerformanceInfo kQuantized = {.execTime = 0.1F, .powerUsage = 0.2F};
constexpr PerformanceInfo kRelaxed = {.execTime = 0.3F, .powerUsage = 0.2F};

TEST(ConversionTest, a_model_that_every_version_can_express_survives_every_round_trip) {
  const V1_2::Model model = TwoAdditions();
  EXPECT_TRUE(compliantWithV1_0(model));
  EXPECT_TRUE(compliantWithV1_1(model));
  EXPECT_EQ(convertToV1_2(convertToV1_0(model)), model);
  EXPECT_EQ(convertToV1_2(convertToV1_1(model)), model);
  EXPECT_EQ(convertToV1_2(convertToV1_1(convertToV1_0(model))), model);
  const V1_1::Model middle = convertToV1_1(model);
  EXPECT_TRUE(compliantWithV1_0(middle));
  EXPECT_EQ(convertToV1_1(convertToV1_0(middle)), middle);
}

TEST(ConversionTest, relaxed_arithmetic_is_kept_in_1_1_and_does_not_keep_a_model_from_1_0) {
  V1_2::Model model = TwoAdditions();
  model.relaxComputationFloat32toFloat16 = true;
  EXPECT_TRUE(compliantWithV1_0(model));
  EXPECT_TRUE(convertToV1_1(model).relaxComputationFloat32toFloat16);
  EXPECT_EQ(convertToV1_2(convertToV1_1(model)), model);
  EXPECT_FALSE(convertToV1_2(convertToV1_0(model)).relaxComputationFloat32toFloat16);
}

TEST(ConversionTest, operations_comply_with_the_versions_that_have_them) {
  V1_2::Model model = TwoAdditions();
  model.operations[1].type = OperationType::DIV;
  std::set<uint32_t> noncompliant;
  EXPECT_FALSE(compliantWithV1_0(model, &noncompliant));
  EXPECT_EQ(noncompliant, std::set<uint32_t>{1});
  EXPECT_FALSE(compliantWithV1_0(convertToV1_1(model)));
  noncompliant.clear();
  EXPECT_TRUE(compliantWithV1_1(model, &noncompliant));
  EXPECT_TRUE(noncompliant.empty());
  model.operations[0].type = OperationType::MAXIMUM;
  EXPECT_FALSE(compliantWithV1_1(model, &noncompliant));
  EXPECT_EQ(noncompliant, std::set<uint32_t>{0});
}

TEST(ConversionTest, operands_comply_by_type_and_known_rank) {
  V1_2::Operand operand;
  operand.type = OperandType::TENSOR_FLOAT32;
  EXPECT_FALSE(compliantWith(HalVersion::V1_1, operand)) << "unknown rank";
  EXPECT_TRUE(compliantWith(HalVersion::V1_2, operand));
  operand.dimensions = {0};
  EXPECT_TRUE(compliantWith(HalVersion::V1_0, operand)) << "unknown dimension";
  operand.extraParams = V1_2::SymmPerChannelQuantParams{};
  EXPECT_FALSE(compliantWith(HalVersion::V1_0, operand));
  operand = {};
  operand.type = OperandType::BOOL;
  EXPECT_FALSE(compliantWith(HalVersion::V1_1, operand));
  operand.type = OperandType::INT32;
  EXPECT_TRUE(compliantWith(HalVersion::V1_0, operand));
}

TEST(ConversionTest, an_operand_of_a_later_type_makes_only_its_operations_noncompliant) {
  V1_2::Model model = TwoAdditions();
  model.operands[5].type = OperandType::TENSOR_FLOAT16;
  std::set<uint32_t> noncompliant;
  EXPECT_FALSE(compliantWithV1_1(model, &noncompliant));
  EXPECT_EQ(noncompliant, std::set<uint32_t>{1});
}

TEST(ConversionTest, a_constant_in_a_kind_of_pool_that_the_version_lacks_is_noncompliant) {
  V1_2::Model model = TwoAdditions();
  model.pools[0] = *Memory::Allocate(16, kHardwareBufferBlob);
  std::set<uint32_t> noncompliant;
  EXPECT_FALSE(compliantWithV1_0(model, &noncompliant));
  EXPECT_EQ(noncompliant, std::set<uint32_t>{1});
  EXPECT_TRUE(compliantWith(HalVersion::V1_2, model));
}

TEST(ConversionTest, corrupt_indexes_are_noncompliant_and_do_not_crash) {
  V1_2::Model model = TwoAdditions();
  model.operations[0].inputs[0] = 100;
  model.operands[4].location.poolIndex = 9;
  std::set<uint32_t> noncompliant;
  EXPECT_FALSE(compliantWithV1_0(model, &noncompliant));
  EXPECT_EQ(noncompliant, (std::set<uint32_t>{0, 1}));
  EXPECT_EQ(convertToV1_0(model).operations[0].inputs[0], 100);
}

TEST(ConversionTest, a_predicate_adds_what_the_version_demands_of_operations) {
  const V1_2::Model model = TwoAdditions();
  std::set<uint32_t> noncompliant;
  const OperationPredicate refuse_first = [](const V1_2::Model&, uint32_t index,
                                             HalVersion version) {
    EXPECT_EQ(version, HalVersion::V1_1);
    return index != 0;
  };
  EXPECT_FALSE(compliantWithV1_1(model, &noncompliant, refuse_first));
  EXPECT_EQ(noncompliant, std::set<uint32_t>{0});
}

TEST(ConversionTest, what_an_earlier_version_cannot_hold_is_dropped_and_the_rest_kept) {
  const V1_2::Model model = OneOfEverything();
  EXPECT_FALSE(compliantWithV1_0(model));
  const V1_2::Model back = convertToV1_2(convertToV1_0(model));
  V1_2::Model expected = model;
  for (V1_2::Operand& operand : expected.operands) operand.extraParams = std::monostate();
  expected.extensionNameToPrefix.clear();
  expected.relaxComputationFloat32toFloat16 = false;
  EXPECT_EQ(back, expected);
}

TEST(ConversionTest, types_keep_their_numbers) {
  EXPECT_EQ(convertToV1_0(OperandType::TENSOR_OEM_BYTE), V1_0::OperandType::TENSOR_OEM_BYTE);
  EXPECT_EQ(convertToV1_2(V1_0::OperandType::UINT32), OperandType::UINT32);
  EXPECT_EQ(convertToV1_0(V1_1::OperationType::TANH), V1_0::OperationType::TANH);
  EXPECT_EQ(convertToV1_1(OperationType::MEAN), V1_1::OperationType::MEAN);
  EXPECT_EQ(convertToV1_1(V1_0::OperationType::OEM_OPERATION), V1_1::OperationType::OEM_OPERATION);
  EXPECT_EQ(static_cast<int>(convertToV1_0(OperationType::SQRT)), 88);
}

V1_2::Capabilities CapabilitiesOf1_2() {
  V1_2::Capabilities capabilities = {
      .relaxedFloat32toFloat16PerformanceScalar = kRelaxed,
      .relaxedFloat32toFloat16PerformanceTensor = kRelaxed,
      .operandPerformance = nonExtensionOperandPerformance(kQuantized)};
  update(&capabilities.operandPerformance, OperandType::FLOAT32, kFloat);
  update(&capabilities.operandPerformance, OperandType::TENSOR_FLOAT32, kFloat);
  return capabilities;
}

TEST(ConversionTest, capabilities_of_1_0_and_1_1_survive_the_way_up_and_down) {
  const V1_0::Capabilities of_1_0 = {.float32Performance = kFloat,
                                     .quantized8Performance = kQuantized};
  EXPECT_TRUE(compliantWithV1_0(convertToV1_1(of_1_0)));
  EXPECT_TRUE(compliantWithV1_0(convertToV1_2(of_1_0)));
  EXPECT_EQ(convertToV1_0(convertToV1_1(of_1_0)), of_1_0);
  EXPECT_EQ(convertToV1_0(convertToV1_2(of_1_0)), of_1_0);

  const V1_1::Capabilities of_1_1 = {.float32Performance = kFloat,
                                     .quantized8Performance = kQuantized,
                                     .relaxedFloat32toFloat16Performance = kRelaxed};
  EXPECT_FALSE(compliantWithV1_0(of_1_1));
  EXPECT_TRUE(compliantWithV1_1(convertToV1_2(of_1_1)));
  EXPECT_FALSE(compliantWithV1_0(convertToV1_2(of_1_1)));
  EXPECT_EQ(convertToV1_1(convertToV1_2(of_1_1)), of_1_1);
  EXPECT_EQ(convertToV1_0(of_1_1), of_1_0);
}

TEST(ConversionTest, capabilities_of_1_0_say_nothing_of_types_of_1_2) {
  const V1_2::Capabilities capabilities = convertToV1_2(V1_0::Capabilities{kFloat, kQuantized});
  EXPECT_EQ(capabilities.operandPerformance.size(), 8);
  EXPECT_EQ(lookup(capabilities.operandPerformance, OperandType::BOOL).execTime, FLT_MAX);
  EXPECT_EQ(lookup(capabilities.operandPerformance, OperandType::OEM), kQuantized);
  EXPECT_EQ(capabilities.relaxedFloat32toFloat16PerformanceScalar, kFloat);
}

TEST(ConversionTest, capabilities_of_1_2_comply_when_each_figure_of_1_1_has_one_value) {
  const V1_2::Capabilities capabilities = CapabilitiesOf1_2();
  EXPECT_TRUE(compliantWithV1_1(capabilities));
  EXPECT_FALSE(compliantWithV1_0(capabilities));
  for (const OperandType type :
       {OperandType::FLOAT32, OperandType::TENSOR_FLOAT32, OperandType::INT32, OperandType::UINT32,
        OperandType::TENSOR_INT32, OperandType::OEM, OperandType::TENSOR_OEM_BYTE,
        OperandType::TENSOR_QUANT8_ASYMM}) {
    V1_2::Capabilities other = capabilities;
    update(&other.operandPerformance, type, {.execTime = 9, .powerUsage = 9});
    EXPECT_FALSE(compliantWithV1_1(other)) << type;
  }
  V1_2::Capabilities other = capabilities;
  update(&other.operandPerformance, OperandType::BOOL, {.execTime = 9, .powerUsage = 9});
  EXPECT_TRUE(compliantWithV1_1(other)) << "1.1 has no BOOL";
  other.relaxedFloat32toFloat16PerformanceScalar = kFloat;
  EXPECT_FALSE(compliantWithV1_1(other));
}

}  // namespace
}  // namespace nncert::hal
