// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/testing/witness_cases.h"

#include <utility>

#include "cases/testing/test_cases.h"
#include "hal/memory.h"
#include "reference/model_builder.h"

namespace nncert {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

Model ConvModel() {
  ModelBuilder builder;
  const uint32_t input = builder.Input({OperandType::TENSOR_QUANT8_ASYMM, {1, 2, 2, 2}, 0.5F, 128});
  const uint32_t filter =
      builder.Constant({.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
                        .dimensions = {2, 1, 1, 2},
                        .extraParams = hal::V1_2::SymmPerChannelQuantParams{.scales = {0.5F, 0.25F},
                                                                            .channelDim = 0}},
                       {1, 2, 3, 4});
  const uint32_t bias = builder.Constant({OperandType::TENSOR_INT32, {2}}, {1, 2});
  const uint32_t padding = builder.Int32(1);
  const uint32_t one = builder.Int32(1);
  const uint32_t activation = builder.Int32(0);
  const uint32_t output =
      builder.Output({OperandType::TENSOR_QUANT8_ASYMM, {1, 2, 2, 2}, 1.0F, 128});
  builder.Operation(OperationType::CONV_2D, {input, filter, bias, padding, one, one, activation},
                    {output});
  return builder.model();
}

Model InPool(Model model) {
  model.pools.push_back(*hal::Memory::AllocateCopy(model.operandValues));
  model.operandValues.clear();
  for (Operand& operand : model.operands) {
    if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
      operand.lifetime = OperandLifeTime::CONSTANT_REFERENCE;
    }
  }
  return model;
}

std::vector<LoadedCase> WitnessCases() {
  const std::vector<double> image = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<LoadedCase> cases;
  const auto add = [&](TestCase test_case, const char* name) {
    test_case.name = name;
    test_case.dynamicOutputShapeName = std::string(name) + "_dynamic_output_shape";
    cases.push_back({.test_case = std::move(test_case), .source_path = ""});
  };
  add(AddCase(), "add");
  add(AddCase(OperandType::TENSOR_QUANT8_ASYMM), "add_quant8");
  add(AddMulCase(), "add_mul");
  add(SumOfThreeCase(1, 2, 3, 6), "sum_of_three");
  add(CaseWith(ConvModel(), {image}, {image}), "conv");
  add(CaseWith(InPool(ConvModel()), {image}, {image}), "conv_in_pool");
  return cases;
}

}  // namespace nncert
