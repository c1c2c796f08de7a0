// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/constant_input.h"

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/execution.h"
#include "hal/utils.h"

namespace nncert {

using hal::V1_0::OperandLifeTime;
using hal::V1_2::Model;
using hal::V1_2::Operand;

bool MakeConstantAnInput(TestCase& test_case) {
  Model& model = test_case.model;
  for (const uint32_t input : model.operations[0].inputs) {
    Operand& operand = model.operands[input];
    if (!hal::isConstant(operand.lifetime) || operand.dimensions.empty()) continue;
    const absl::StatusOr<std::vector<uint8_t>> bytes = hal::constantBytes(model, input);
    if (!bytes.ok()) continue;
    for (Example& example : test_case.examples) {
      example.inputs.push_back({false, operand.dimensions, *bytes});
    }
    operand.lifetime = OperandLifeTime::MODEL_INPUT;
    operand.location = {};
    model.inputIndexes.push_back(input);
    return true;
  }
  return false;
}

}  // namespace nncert
