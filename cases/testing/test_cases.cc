// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/testing/test_cases.h"

namespace nncert {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

TestCase CaseWith(const hal::V1_2::Model& model, const std::vector<std::vector<double>>& inputs,
                  const std::vector<std::vector<double>>& outputs, const std::string& name) {
  TestCase test_case;
  test_case.name = name;
  test_case.dynamicOutputShapeName = name + "_dynamic_output_shape";
  test_case.model = model;
  Example& example = test_case.examples.emplace_back();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const hal::V1_2::Operand& operand = model.operands[model.inputIndexes[i]];
    example.inputs.push_back({false, operand.dimensions, BytesOf(operand.type, inputs[i])});
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const hal::V1_2::Operand& operand = model.operands[model.outputIndexes[i]];
    example.outputs.push_back({false, operand.dimensions, BytesOf(operand.type, outputs[i])});
  }
  return test_case;
}

TestCase AddCase(OperandType type) {
  const OperandSpec spec = {type, {2, 2}, type == OperandType::TENSOR_QUANT8_ASYMM ? 1.0F : 0.0F};
  ModelBuilder builder;
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Output(spec);
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  return CaseWith(builder.model(), {{1, 2, 3, 4}, {10, 20, 30, 40}}, {{11, 22, 33, 44}}, "add");
}

TestCase AddMulCase() {
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {2}};
  ModelBuilder builder;
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Output(spec);
  const uint32_t product = builder.Output(spec);
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::MUL, {a, b, none}, {product});
  return CaseWith(builder.model(), {{1, 2}, {3, 4}}, {{4, 6}, {3, 8}}, "add_mul");
}

TestCase SumOfThreeCase(double a, double b, double c, double expected) {
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

}  // namespace nncert
