// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Mutations of single operations: their types, and the lists of their operands.

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cases/model_values.h"
#include "hal/to_string.h"
#include "hal_tests/mutations/model_mutator.h"

namespace nncert {
namespace {

using hal::OperandTypeProperties;
using hal::ScaleRule;
using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::OperandType;
using hal::V1_2::Operation;
using hal::V1_2::OperationType;

// Gives an operand another type, and what an operand of that type has to have: dimensions or none,
// quantization, and for a constant as many bytes, the first of which stay.
void ChangeType(Model& model, uint32_t index, const OperandTypeProperties& type) {
  Operand& operand = model.operands[index];
  operand.type = type.type;
  if (type.isScalar) {
    operand.dimensions.clear();
  } else if (operand.dimensions.empty()) {
    operand.dimensions = {1};
  }
  const float before = operand.scale;
  operand.scale = type.scale == ScaleRule::POSITIVE ? (before > 0 ? before : 1.0F) : 0;
  operand.zeroPoint = std::clamp(operand.zeroPoint, 0, type.zeroPointMax);
  operand.extraParams = {};
  if (type.scale == ScaleRule::PER_CHANNEL) {
    operand.dimensions[0] = std::max<uint32_t>(operand.dimensions[0], 1);
    operand.extraParams = hal::V1_2::SymmPerChannelQuantParams{
        .scales = std::vector<float>(operand.dimensions[0], 1.0F), .channelDim = 0};
  }
  if (!hal::isConstant(operand.lifetime)) return;
  std::vector<uint8_t> bytes = ConstantValue(model, index).value_or(std::vector<uint8_t>());
  bytes.resize(hal::nonExtensionOperandSizeOfData(operand).value_or(0));
  SetConstant(model, index, bytes);
}

template <typename List, typename Index>
void RemoveAt(List& list, Index index) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
}

// Removes an operand from a list of operands; those behind it move up.
void RemoveFrom(std::vector<uint32_t>& list, uint32_t operand) {
  list.erase(std::remove(list.begin(), list.end(), operand), list.end());
  for (uint32_t& index : list) index -= index > operand ? 1 : 0;
}

uint32_t AddInt32(Model& model, OperandLifeTime lifetime, uint32_t consumers) {
  Operand operand;
  operand.type = OperandType::INT32;
  operand.lifetime = lifetime;
  operand.numberOfConsumers = consumers;
  return AddOperand(model, std::move(operand));
}

// Tells of an argument of an operation that is operand `number` of the model, which has none.
void TellOfIndexes(ModelMutator& mutator, bool is_output) {
  const auto beyond = static_cast<uint32_t>(mutator.model().operands.size());
  for (const MutationPlace& place : mutator.arguments()) {
    if (place.is_output != is_output) continue;
    for (const uint32_t index : {beyond, UINT32_MAX}) {
      mutator.Tell(
          place, index == UINT32_MAX ? 1 : 0,
          [&] { return absl::StrCat("operand ", index, " in its place"); },
          [&](ModelMutant& mutant) {
            Operation& operation = mutant.model.operations[*place.operation];
            if (!is_output) DropConsumer(mutant.model, *place.operand);
            (is_output ? operation.outputs : operation.inputs)[*place.position] = index;
          });
    }
  }
}

MutationPlace WholeOperation(size_t operation) {
  MutationPlace place;
  place.operation = operation;
  return place;
}

}  // namespace

void MutateOperationOperandType(ModelMutator& mutator) {
  constexpr int kTypes = static_cast<int>(hal::V1_2::OperandTypeRange::FUNDAMENTAL_MAX) + 1;
  for (const MutationPlace& place : mutator.arguments()) {
    const Operand& operand = mutator.model().operands[*place.operand];
    if (hal::isExtensionOperandType(operand.type)) continue;
    for (int number = 0; number < kTypes; ++number) {
      const auto type = static_cast<OperandType>(number);
      if (type == operand.type || !hal::isOperandTypeOf(mutator.version(), type)) continue;
      mutator.Tell(
          place, static_cast<uint64_t>(number),
          [&] {
            return absl::StrCat("type ", toString(type), " in place of ", toString(operand.type));
          },
          [&](ModelMutant& mutant) {
            ChangeType(mutant.model, *place.operand, *hal::operandTypeProperties(type));
          });
    }
  }
}

void MutateOperationType(ModelMutator& mutator) {
  int first_unknown = 0;
  while (hal::isOperationTypeOf(mutator.version(), static_cast<OperationType>(first_unknown))) {
    ++first_unknown;
  }
  const int oem = static_cast<int>(hal::V1_2::OperationTypeRange::OEM_MIN);
  for (size_t i = 0; i < mutator.model().operations.size(); ++i) {
    for (const int number : {-1, first_unknown, oem - 1, oem + 1}) {
      mutator.Tell(
          WholeOperation(i), static_cast<uint64_t>(number),
          [&] { return absl::StrCat("type ", number, " in its place"); },
          [&](ModelMutant& mutant) {
            mutant.model.operations[i].type = static_cast<OperationType>(number);
          });
    }
  }
}

void MutateOperationInputIndex(ModelMutator& mutator) { TellOfIndexes(mutator, false); }

void MutateOperationOutputIndex(ModelMutator& mutator) { TellOfIndexes(mutator, true); }

void RemoveOperand(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.operands()) {
    const uint32_t index = *place.operand;
    mutator.Tell(
        place, 0, [] { return std::string("removed with every reference to it"); },
        [&](ModelMutant& mutant) {
          Model& model = mutant.model;
          RemoveAt(model.operands, index);
          for (Operation& operation : model.operations) {
            RemoveFrom(operation.inputs, index);
            RemoveFrom(operation.outputs, index);
          }
          RemoveFrom(model.inputIndexes, index);
          RemoveFrom(model.outputIndexes, index);
        });
  }
}

void RemoveOperation(ModelMutator& mutator) {
  for (size_t i = 0; i < mutator.model().operations.size(); ++i) {
    mutator.Tell(
        WholeOperation(i), 0, [] { return std::string("removed"); },
        [&](ModelMutant& mutant) {
          Model& model = mutant.model;
          for (const uint32_t input : model.operations[i].inputs) DropConsumer(model, input);
          RemoveAt(model.operations, i);
        });
  }
}

void RemoveOperationInput(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.arguments()) {
    if (place.is_output) continue;
    mutator.Tell(
        place, 0, [] { return std::string("removed from the inputs"); },
        [&](ModelMutant& mutant) {
          DropConsumer(mutant.model, *place.operand);
          RemoveAt(mutant.model.operations[*place.operation].inputs, *place.position);
        });
  }
}

void RemoveOperationOutput(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.arguments()) {
    if (!place.is_output) continue;
    mutator.Tell(
        place, 0, [] { return std::string("removed from the outputs"); },
        [&](ModelMutant& mutant) {
          RemoveAt(mutant.model.operations[*place.operation].outputs, *place.position);
        });
  }
}

void AddOperationInput(ModelMutator& mutator) {
  for (size_t i = 0; i < mutator.model().operations.size(); ++i) {
    mutator.Tell(
        WholeOperation(i), 0,
        [] { return std::string("one more input, a model input of type INT32"); },
        [&](ModelMutant& mutant) {
          Model& model = mutant.model;
          const uint32_t input = AddInt32(model, OperandLifeTime::MODEL_INPUT, 1);
          model.operations[i].inputs.push_back(input);
          model.inputIndexes.push_back(input);
        });
  }
}

void AddOperationOutput(ModelMutator& mutator) {
  for (size_t i = 0; i < mutator.model().operations.size(); ++i) {
    mutator.Tell(
        WholeOperation(i), 0,
        [] { return std::string("one more output, a model output of type INT32"); },
        [&](ModelMutant& mutant) {
          Model& model = mutant.model;
          const uint32_t output = AddInt32(model, OperandLifeTime::MODEL_OUTPUT, 0);
          model.operations[i].outputs.push_back(output);
          model.outputIndexes.push_back(output);
        });
  }
}

}  // namespace nncert
