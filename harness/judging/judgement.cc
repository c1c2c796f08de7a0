// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/judgement.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hal/extension.h"
#include "reference/catalogue.h"

namespace nncert {

Judgement Fail(std::string text) { return {Verdict::FAIL, std::move(text), std::nullopt, 0}; }

const hal::V1_2::Operation* FindProducer(const hal::V1_2::Model& model, uint32_t operand) {
  const auto found =
      std::find_if(model.operations.begin(), model.operations.end(),
                   [operand](const hal::V1_2::Operation& operation) {
                     const std::vector<uint32_t>& outputs = operation.outputs;
                     return std::find(outputs.begin(), outputs.end(), operand) != outputs.end();
                   });
  return found == model.operations.end() ? nullptr : &*found;
}

std::string ProducerOf(const hal::V1_2::Model& model, uint32_t operand) {
  const hal::V1_2::Operation* const producer = FindProducer(model, operand);
  return producer == nullptr ? "" : OperationName(model, producer->type);
}

std::string TypeOfOperation(const hal::V1_2::Model& model, const hal::V1_2::Operation& operation) {
  const std::vector<uint32_t>& inputs = operation.inputs;
  if (inputs.empty() || inputs[0] >= model.operands.size()) return "";
  return hal::toString(model, model.operands[inputs[0]].type);
}

std::string NameOfOutput(const hal::V1_2::Model& model, size_t output) {
  return absl::StrCat(ProducerOf(model, model.outputIndexes[output]), " output ", output);
}

}  // namespace nncert
