// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/argument_names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "reference/catalogue.h"
#include "reference/execution/model_validation.h"
#include "reference/extension.h"

namespace nncert {
namespace {

using hal::ArgumentNames;
using hal::V1_2::Model;
using hal::V1_2::Operation;

ArgumentNames NamesOf(const Operation& operation, const Model& model,
                      const std::vector<OperandInfo>& infos) {
  const OperationDefinition* const definition = FindOperation(operation.type);
  const auto exists = [&](uint32_t operand) { return operand < infos.size(); };
  if (definition == nullptr ||
      !std::all_of(operation.inputs.begin(), operation.inputs.end(), exists) ||
      !std::all_of(operation.outputs.begin(), operation.outputs.end(), exists)) {
    return {};
  }
  const OperationOperands states = StatesOf(operation, model, infos, {});
  const absl::StatusOr<SlotBindings> bindings =
      MatchSignature(*definition, HalVersion::V1_2, states.inputs, states.outputs);
  if (!bindings.ok()) return {};
  ArgumentNames names;
  names.inputs.resize(operation.inputs.size());
  for (size_t slot = 0; slot < bindings->size(); ++slot) {
    const auto [first, count] = (*bindings)[slot];
    for (int i = 0; i < count; ++i) {
      names.inputs[first + i] = definition->signature.inputs[slot].name();
    }
  }
  const std::vector<OperandRule>& outputs = definition->signature.outputs;
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    names.outputs.push_back(outputs[std::min(i, outputs.size() - 1)].name());
  }
  return names;
}

}  // namespace

std::vector<ArgumentNames> NamesOfArguments(const Model& model) {
  const Model numbered = WithCataloguePrefixes(model);
  std::vector<OperandInfo> infos;
  for (const hal::V1_2::Operand& operand : numbered.operands) infos.push_back(InfoOf(operand));
  std::vector<ArgumentNames> names;
  for (const Operation& operation : numbered.operations) {
    names.push_back(NamesOf(operation, numbered, infos));
  }
  return names;
}

}  // namespace nncert
