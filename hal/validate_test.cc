// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/validate.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "hal/conversion.h"
#include "hal/extension.h"
#include "hal/testing/expect_invalid.h"
#include "hal/testing/models.h"

namespace nncert::hal {
namespace {

using testing::ExpectInvalid;
using testing::OneOfEverything;
using testing::TwoAdditions;
using V1_2::Model;
using V1_2::OperandLifeTime;
using V1_2::OperandType;
using V1_2::OperationType;

// Operands of OneOfEverything.
constexpr int kPerChannel = 6;
constexpr int kExtension = 7;
constexpr int kOem = 8;
constexpr int kQuantized = 10;

// Expects that a valid model becomes invalid by a change, with a message that contains `message`.
void ExpectInvalidModel(Model model, const std::function<void(Model&)>& change,
                        const std::string& message, HalVersion version = HalVersion::V1_2) {
  ASSERT_TRUE(validateModelStructure(model, version).ok())
      << validateModelStructure(model, version);
  change(model);
  ExpectInvalid(validateModelStructure(model, version), message);
}

// Expects that a model stays valid in spite of a change.
void ExpectValidModel(Model model, const std::function<void(Model&)>& change) {
  change(model);
  EXPECT_TRUE(validateModelStructure(model).ok()) << validateModelStructure(model);
}

TEST(ValidateModelTest, a_simple_model_is_valid_in_every_version) {
  const Model model = TwoAdditions();
  EXPECT_TRUE(validateModelStructure(model).ok());
  EXPECT_TRUE(validateModelStructure(convertToV1_0(model)).ok());
  EXPECT_TRUE(validateModelStructure(convertToV1_1(model)).ok());
}

TEST(ValidateModelTest, one_of_everything_is_valid_in_1_2_alone) {
  const absl::Status status = validateModelStructure(OneOfEverything());
  EXPECT_TRUE(status.ok()) << status;
  ExpectInvalid(validateModelStructure(OneOfEverything(), HalVersion::V1_1), "HAL 1.1");
}

TEST(ValidateModelTest, a_model_must_have_operands_operations_inputs_and_outputs) {
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operands.clear(); }, "no operands");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operations.clear(); }, "no operations");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.inputIndexes.clear(); }, "no inputs");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.outputIndexes.clear(); }, "no outputs");
}

TEST(ValidateModelTest, operand_types_must_be_of_the_version) {
  for (const int32_t type : {-1, 14, 9999, 10002, 0xFFFF}) {
    ExpectInvalidModel(
        TwoAdditions(), [&](Model& m) { m.operands[3].type = static_cast<OperandType>(type); },
        "operand 3: the type is");
  }
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operands[3].type = OperandType::TENSOR_FLOAT16; },
      "operand 3: the type is TENSOR_FLOAT16; expected one of HAL 1.1", HalVersion::V1_1);
}

TEST(ValidateModelTest, operation_types_must_be_of_the_version) {
  for (const int32_t type : {95, 9999, 10001, 0xFFFF}) {
    ExpectInvalidModel(
        TwoAdditions(), [&](Model& m) { m.operations[1].type = static_cast<OperationType>(type); },
        "operation 1: the type is OperationType(" + std::to_string(type) + "); expected");
  }
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operations[0].type = OperationType::DIV; },
      "operation 0: the type is DIV; expected one of HAL 1.0", HalVersion::V1_0);
}

TEST(ValidateModelTest, extension_types_must_have_a_prefix_that_the_model_lists) {
  ExpectInvalidModel(
      OneOfEverything(),
      [](Model& m) { m.operands[kExtension].type = makeExtensionOperandType(8, 3); },
      "operand 7: the type is OperandType(0x00080003)");
  ExpectInvalidModel(
      OneOfEverything(), [](Model& m) { m.operations[2].type = makeExtensionOperationType(8, 3); },
      "operation 2: the type is OperationType(0x00080003)");
}

TEST(ValidateModelTest, extension_names_and_prefixes_must_be_one_to_one) {
  ExpectInvalidModel(
      OneOfEverything(),
      [](Model& m) {
        m.extensionNameToPrefix.push_back({"com.example.test", 9});
      },
      "has two prefixes, 7 and 9");
  ExpectInvalidModel(
      OneOfEverything(),
      [](Model& m) {
        m.extensionNameToPrefix.push_back({"com.other", 7});
      },
      "the prefix 7 stands for two extensions");
  ExpectInvalidModel(
      OneOfEverything(),
      [](Model& m) {
        m.extensionNameToPrefix.push_back({"com.other", 0});
      },
      "the prefix of the extension \"com.other\" is 0");
}

TEST(ValidateModelTest, pools_must_have_a_descriptor_and_be_of_a_kind_of_the_version) {
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.pools.emplace_back(); },
      "pool 1: the pool has no file descriptor");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.pools[0] = *Memory::Allocate(16, "ion"); },
      "pool 0: the memory is of kind \"ion\"");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.pools[0] = *Memory::Allocate(16, kHardwareBuffer); },
      "expected one that HAL 1.1 knows", HalVersion::V1_1);
  ExpectValidModel(TwoAdditions(),
                   [](Model& m) { m.pools[0] = *Memory::Allocate(16, kHardwareBuffer); });
}

TEST(ValidateModelTest, scalars_must_not_have_dimensions) {
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operands[2].dimensions = {1}; },
      "operand 2: the rank of a scalar is 1; expected 0");
}

TEST(ValidateModelTest, an_unknown_rank_is_legal_in_1_2_and_never_for_constants) {
  const auto forget_rank = [](Model& m) { m.operands[3].dimensions.clear(); };
  ExpectValidModel(TwoAdditions(), forget_rank);
  ExpectInvalidModel(TwoAdditions(), forget_rank,
                     "operand 3: the rank of a tensor before HAL 1.2 is unknown", HalVersion::V1_1);
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operands[1].dimensions.clear(); },
      "operand 1: the rank of a constant tensor is unknown");
}

TEST(ValidateModelTest, the_scale_must_be_what_the_type_wants) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float scale : {1.0F, -1.0F, nan}) {
    ExpectInvalidModel(
        TwoAdditions(), [&](Model& m) { m.operands[3].scale = scale; }, "operand 3: the scale is");
    ExpectInvalidModel(
        TwoAdditions(), [&](Model& m) { m.operands[2].scale = scale; }, "operand 2: the scale is");
    ExpectInvalidModel(
        OneOfEverything(), [&](Model& m) { m.operands[kPerChannel].scale = scale; },
        "operand 6: the scale is");
    ExpectInvalidModel(
        OneOfEverything(), [&](Model& m) { m.operands[kExtension].scale = scale; },
        "operand 7: the scale is");
  }
  for (const float scale : {0.0F, -1.0F, nan, infinity}) {
    ExpectInvalidModel(
        OneOfEverything(), [&](Model& m) { m.operands[kQuantized].scale = scale; },
        "expected more than 0 for TENSOR_QUANT16_ASYMM");
  }
  const auto int32_tensor = [](float scale) {
    return [scale](Model& m) {
      m.operands[3].type = OperandType::TENSOR_INT32;
      m.operands[3].scale = scale;
    };
  };
  ExpectValidModel(TwoAdditions(), int32_tensor(0));
  ExpectValidModel(TwoAdditions(), int32_tensor(0.5F));
  ExpectInvalidModel(TwoAdditions(), int32_tensor(-1), "the scale is -1; expected 0 or more");
  ExpectInvalidModel(TwoAdditions(), int32_tensor(nan), "operand 3: the scale is nan");
}

TEST(ValidateModelTest, the_zero_point_must_be_what_the_type_wants) {
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operands[3].zeroPoint = 1; },
      "operand 3: the zeroPoint is 1; expected 0 for TENSOR_FLOAT32");
  ExpectInvalidModel(
      OneOfEverything(), [](Model& m) { m.operands[kPerChannel].zeroPoint = 1; },
      "operand 6: the zeroPoint is 1");
  ExpectInvalidModel(
      OneOfEverything(), [](Model& m) { m.operands[kExtension].zeroPoint = 1; },
      "operand 7: the zeroPoint is 1");
  struct Limit {
    OperandType type;
    int32_t most;
  };
  for (const Limit& limit :
       {Limit{OperandType::TENSOR_QUANT8_ASYMM, 255},
        Limit{OperandType::TENSOR_QUANT16_ASYMM, 65535}, Limit{OperandType::TENSOR_QUANT8_SYMM, 0},
        Limit{OperandType::TENSOR_QUANT16_SYMM, 0}}) {
    const auto zero_point = [&](int32_t value) {
      return [&limit, value](Model& m) {
        m.operands[3].type = limit.type;
        m.operands[3].scale = 1;
        m.operands[3].zeroPoint = value;
      };
    };
    ExpectValidModel(TwoAdditions(), zero_point(0));
    ExpectValidModel(TwoAdditions(), zero_point(limit.most));
    ExpectInvalidModel(TwoAdditions(), zero_point(-1), "the zeroPoint is -1");
    ExpectInvalidModel(TwoAdditions(), zero_point(limit.most + 1), "the zeroPoint is");
  }
}

TEST(ValidateModelTest, extra_parameters_must_be_of_the_alternative_that_the_type_wants) {
  const V1_2::SymmPerChannelQuantParams channel_quant = {.scales = {1, 1}, .channelDim = 0};
  const std::vector<uint8_t> bytes = {1};
  ExpectInvalidModel(
      TwoAdditions(), [&](Model& m) { m.operands[3].extraParams = channel_quant; },
      "operand 3: the alternative of extraParams is channelQuant; expected none");
  ExpectInvalidModel(
      TwoAdditions(), [&](Model& m) { m.operands[3].extraParams = bytes; },
      "operand 3: the alternative of extraParams is extension; expected none");
  ExpectInvalidModel(
      TwoAdditions(),
      [&](Model& m) {
        m.operands[3].type = OperandType::FLOAT16;
        m.operands[3].dimensions.clear();
        m.operands[3].extraParams = bytes;
      },
      "expected none for FLOAT16");
  ExpectInvalidModel(
      OneOfEverything(), [](Model& m) { m.operands[kPerChannel].extraParams = std::monostate(); },
      "operand 6: the alternative of extraParams is none; expected channelQuant");
  ExpectInvalidModel(
      OneOfEverything(), [&](Model& m) { m.operands[kExtension].extraParams = channel_quant; },
      "operand 7: the alternative of extraParams is channelQuant; expected none or extension");
  ExpectValidModel(OneOfEverything(),
                   [](Model& m) { m.operands[kExtension].extraParams = std::monostate(); });
}

TEST(ValidateModelTest, channel_scales_must_fit_a_known_channel_dimension) {
  const auto change = [](const V1_2::SymmPerChannelQuantParams& params) {
    return [params](Model& m) { m.operands[kPerChannel].extraParams = params; };
  };
  ExpectInvalidModel(OneOfEverything(), change({{1, 1}, 2}),
                     "operand 6: the channelDim is 2; expected less than the rank 2");
  ExpectInvalidModel(OneOfEverything(), change({{1, 1, 1}, 1}),
                     "the number of channelQuant scales is 3; expected 2");
  ExpectInvalidModel(OneOfEverything(), change({{1, 0}, 1}), "channelQuant scale 1 is 0");
  ExpectInvalidModel(OneOfEverything(), change({{-1, 1}, 1}), "channelQuant scale 0 is -1");
  ExpectInvalidModel(OneOfEverything(), change({{1, std::nanf("")}, 1}), "channelQuant scale 1 is");
  ExpectInvalidModel(
      OneOfEverything(),
      [](Model& m) {
        m.operands[kPerChannel].dimensions = {2, 0};
      },
      "the channel dimension 1 is unknown");
}

TEST(ValidateModelTest, oem_operands_may_have_any_parameters_and_length) {
  ExpectValidModel(OneOfEverything(), [](Model& m) {
    m.operands[kOem].scale = std::numeric_limits<float>::quiet_NaN();
    m.operands[kOem].zeroPoint = 1 << 30;
    m.operands[kOem].extraParams = std::vector<uint8_t>{1};
    m.operands[kOem].location.length = 1;
  });
}

TEST(ValidateModelTest, constants_must_lie_within_operand_values_or_their_pool) {
  const uint32_t most = std::numeric_limits<uint32_t>::max();
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operands[1].location.poolIndex = 1; },
      "operand 1: the poolIndex of a CONSTANT_COPY operand is 1; expected 0");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operands[1].location.offset = 5; },
      "operand 1: the location ends at byte 13; operandValues has 12 bytes");
  ExpectInvalidModel(
      TwoAdditions(), [&](Model& m) { m.operands[1].location.offset = most; },
      "operand 1: the location ends at byte 4294967303");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operands[4].location.poolIndex = 1; },
      "operand 4: the poolIndex is 1; expected less than 1");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operands[4].location.offset = 9; },
      "operand 4: the location ends at byte 17; the pool has 16 bytes");
}

TEST(ValidateModelTest, constants_must_be_as_long_as_their_dimensions_say) {
  for (const int operand : {1, 4}) {
    for (const uint32_t length : {0U, 7U}) {
      ExpectInvalidModel(
          TwoAdditions(), [&](Model& m) { m.operands[operand].location.length = length; },
          "expected 8 for TENSOR_FLOAT32 of dimensions [2]");
    }
  }
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operands[2].location.length = 3; },
      "operand 2: the length of the constant is 3; expected 4");
  const uint32_t most = std::numeric_limits<uint32_t>::max();
  ExpectInvalidModel(
      TwoAdditions(),
      [&](Model& m) {
        m.operands[1].dimensions = {most, most, most};
      },
      "expected more than 64 bits can say");
}

TEST(ValidateModelTest, what_is_not_constant_must_not_have_a_location) {
  for (const int operand : {0, 3, 5}) {
    for (const V1_2::DataLocation& location :
         {V1_2::DataLocation{1, 0, 0}, V1_2::DataLocation{0, 1, 0}, V1_2::DataLocation{0, 0, 1}}) {
      ExpectInvalidModel(
          TwoAdditions(), [&](Model& m) { m.operands[operand].location = location; },
          "expected zeros for lifetime");
    }
  }
}

TEST(ValidateModelTest, a_lifetime_must_have_an_enumerator) {
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operands[3].lifetime = static_cast<OperandLifeTime>(6); },
      "operand 3: the lifetime is OperandLifeTime(6)");
}

TEST(ValidateModelTest, inputs_and_outputs_must_be_distinct_operands_of_their_lifetime) {
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.inputIndexes[0] = 6; },
      "the inputIndexes[0] is 6; expected less than 6");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.inputIndexes[0] = 3; },
      "inputIndexes[0] is operand 3 of lifetime TEMPORARY_VARIABLE; expected MODEL_INPUT");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.outputIndexes[0] = 0; },
      "outputIndexes[0] is operand 0 of lifetime MODEL_INPUT; expected MODEL_OUTPUT");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.outputIndexes.push_back(5); },
      "outputIndexes[1] is operand 5 for the second time");
}

TEST(ValidateModelTest, every_operand_with_the_lifetime_of_an_argument_must_be_one) {
  ExpectInvalidModel(
      OneOfEverything(), [](Model& m) { m.inputIndexes = {0}; },
      "operand 10: its lifetime is MODEL_INPUT; expected it to be listed in inputIndexes");
  ExpectInvalidModel(
      OneOfEverything(), [](Model& m) { m.outputIndexes = {5}; },
      "operand 7: its lifetime is MODEL_OUTPUT; expected it to be listed in outputIndexes");
}

TEST(ValidateModelTest, operations_must_name_operands_that_exist) {
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operations[1].inputs[1] = 6; },
      "operation 1 (ADD): the operand index of input 1 is 6; expected less than 6");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operations[0].outputs[0] = 1000; },
      "operation 0 (ADD): the operand index of output 0 is 1000");
}

TEST(ValidateModelTest, operations_must_write_only_temporaries_and_outputs) {
  for (const uint32_t operand : {0U, 1U, 4U}) {
    ExpectInvalidModel(
        TwoAdditions(), [&](Model& m) { m.operations[0].outputs[0] = operand; },
        "operation 0 (ADD): output 0 is operand " + std::to_string(operand) + " of lifetime");
  }
}

TEST(ValidateModelTest, every_temporary_and_output_must_be_written_exactly_once) {
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operations[1].outputs[0] = 3; },
      "operation 1 (ADD): output 0 is operand 3, which operation 0 writes already");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operations[1].outputs.clear(); },
      "operand 5: no operation writes it");
  ExpectInvalidModel(
      TwoAdditions(),
      [](Model& m) {
        m.operands.push_back(m.operands[3]);
        m.operands.back().numberOfConsumers = 0;
      },
      "operand 6: no operation writes it");
}

TEST(ValidateModelTest, operations_must_stand_in_execution_order) {
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { std::swap(m.operations[0], m.operations[1]); },
      "operation 0 (ADD): input 0 is operand 3, which only the later operation 1 writes");
}

TEST(ValidateModelTest, operations_must_not_form_a_cycle) {
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operations[0].inputs[0] = 3; },
      "operation 0 (ADD): input 0 is operand 3, which the operation itself writes");
  ExpectInvalidModel(
      TwoAdditions(), [](Model& m) { m.operations[0].inputs[0] = 5; },
      "operation 0 (ADD): input 0 is operand 5, which only the later operation 1 writes");
}

TEST(ValidateModelTest, consumers_must_be_counted_by_occurrence) {
  for (const uint32_t count : {0U, 2U}) {
    ExpectInvalidModel(
        TwoAdditions(), [&](Model& m) { m.operands[0].numberOfConsumers = count; },
        "operand 0: numberOfConsumers is " + std::to_string(count) + "; expected 1");
  }
  ExpectValidModel(TwoAdditions(), [](Model& m) {
    m.operations[0].inputs = {0, 0, 2};
    m.operands[0].numberOfConsumers = 2;
    m.operands[1].numberOfConsumers = 0;
  });
}

TEST(ValidateTest, execution_preferences_must_have_an_enumerator) {
  using V1_1::ExecutionPreference;
  EXPECT_TRUE(validateExecutionPreference(ExecutionPreference::LOW_POWER).ok());
  EXPECT_TRUE(validateExecutionPreference(ExecutionPreference::SUSTAINED_SPEED).ok());
  ExpectInvalid(validateExecutionPreference(static_cast<ExecutionPreference>(3)),
                "the execution preference is ExecutionPreference(3)");
  ExpectInvalid(validateExecutionPreference(static_cast<ExecutionPreference>(-1)), "expected");
}

}  // namespace
}  // namespace nncert::hal
