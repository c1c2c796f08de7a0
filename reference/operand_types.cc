// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/operand_types.h"

namespace nncert {
namespace {

bool IsAllowed(const TypeAlternative& alternative, HalVersion version, const OperandTypes& types) {
  if (alternative.since > version) return false;
  return alternative.when_slot < 0 ||
         types.inputs[static_cast<size_t>(alternative.when_slot)] == alternative.when_type;
}

// Calls visit(type) for each type that the rule allows beside those before.
template <class Visitor>
void ForTypes(const OperandRule& rule, HalVersion version, const OperandTypes& types,
              Visitor visit) {
  if (rule.like_slot() >= 0) {
    visit(types.inputs[static_cast<size_t>(rule.like_slot())]);
    return;
  }
  for (const TypeAlternative& alternative : rule.types()) {
    if (IsAllowed(alternative, version, types)) visit(alternative.type);
  }
}

void AddOutputTypes(const Signature& signature, HalVersion version, OperandTypes& types,
                    std::vector<OperandTypes>& combinations) {
  if (types.outputs.size() == signature.outputs.size()) {
    combinations.push_back(types);
    return;
  }
  const OperandRule& rule = signature.outputs[types.outputs.size()];
  ForTypes(rule, version, types, [&](OperandType type) {
    types.outputs.push_back(type);
    AddOutputTypes(signature, version, types, combinations);
    types.outputs.pop_back();
  });
}

void AddInputTypes(const Signature& signature, HalVersion version, OperandTypes& types,
                   std::vector<OperandTypes>& combinations) {
  if (types.inputs.size() == signature.inputs.size()) {
    AddOutputTypes(signature, version, types, combinations);
    return;
  }
  const OperandRule& rule = signature.inputs[types.inputs.size()];
  const auto add = [&](OperandType type) {
    types.inputs.push_back(type);
    AddInputTypes(signature, version, types, combinations);
    types.inputs.pop_back();
  };
  // An operand that came later stands nowhere, so its type is of no importance.
  if (rule.since() > version) {
    add(OperandType::INT32);
  } else {
    ForTypes(rule, version, types, add);
  }
}

}  // namespace

std::vector<OperandTypes> TypeCombinations(const OperationDefinition& definition,
                                           HalVersion version) {
  std::vector<OperandTypes> combinations;
  if (definition.since() > version) return combinations;
  OperandTypes types;
  AddInputTypes(definition.signature, version, types, combinations);
  return combinations;
}

}  // namespace nncert
