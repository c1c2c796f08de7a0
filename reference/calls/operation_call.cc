// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/calls/operation_call.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/execution.h"
#include "hal/utils.h"
#include "reference/catalogue.h"
#include "reference/execution/model_validation.h"
#include "reference/native_elements.h"
#include "reference/storage.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;

// A model of the operation alone, all of whose operands come with the request.
Model ModelOf(const OperationCall& call) {
  Model model;
  hal::V1_2::Operation operation;
  operation.type = call.definition->type;
  const auto add = [&model](const ValuedOperand& value, OperandLifeTime lifetime) {
    Operand operand = value.operand;
    operand.numberOfConsumers = lifetime == OperandLifeTime::MODEL_OUTPUT ? 0 : 1;
    operand.lifetime = lifetime;
    operand.location = {};
    if (lifetime == OperandLifeTime::MODEL_OUTPUT) operand.dimensions.clear();
    model.operands.push_back(std::move(operand));
    return static_cast<uint32_t>(model.operands.size() - 1);
  };
  for (const ValuedOperand& value : call.inputs) {
    const OperandLifeTime lifetime =
        value.is_omitted ? OperandLifeTime::NO_VALUE : OperandLifeTime::MODEL_INPUT;
    operation.inputs.push_back(add(value, lifetime));
    if (!value.is_omitted) model.inputIndexes.push_back(operation.inputs.back());
  }
  for (const ValuedOperand& value : call.outputs) {
    operation.outputs.push_back(add(value, OperandLifeTime::MODEL_OUTPUT));
  }
  model.outputIndexes = operation.outputs;
  model.operations.push_back(std::move(operation));
  model.relaxComputationFloat32toFloat16 = call.is_relaxed;
  return model;
}

template <typename Stored>
void ReadIntegers(const std::vector<uint8_t>& bytes, std::vector<int64_t>& integers) {
  for (size_t i = 0; i + sizeof(Stored) <= bytes.size(); i += sizeof(Stored)) {
    Stored element;
    std::memcpy(&element, bytes.data() + i, sizeof(element));
    integers.push_back(element);
  }
}

template <typename Stored>
void WriteIntegers(absl::Span<const int64_t> integers, std::vector<uint8_t>& bytes) {
  for (size_t i = 0; i < integers.size() && (i + 1) * sizeof(Stored) <= bytes.size(); ++i) {
    const Stored element = static_cast<Stored>(integers[i]);
    std::memcpy(bytes.data() + i * sizeof(element), &element, sizeof(element));
  }
}

// Calls `visit` with an integer of the type that the value's elements are stored as, if they are
// integers; booleans are bytes.
template <typename Visit>
void VisitStored(const ValuedOperand& value, Visit visit) {
  VisitNative(value.operand.type, [&](auto native) {
    using Native = decltype(native);
    if constexpr (std::is_same_v<Native, bool>) {
      visit(uint8_t{});
    } else if constexpr (std::is_integral_v<Native>) {
      visit(native);
    }
  });
}

}  // namespace

bool ValuedOperand::is_tensor() const {
  return !hal::nonExtensionOperandTypeIsScalar(operand.type);
}

bool ValuedOperand::is_constant() const { return hal::isConstant(operand.lifetime); }

size_t ValuedOperand::count() const {
  const uint32_t size = hal::nonExtensionElementSize(operand.type);
  return size == 0 ? 0 : bytes.size() / size;
}

const ValuedOperand* OperationCall::Find(std::string_view slot) const {
  for (size_t i = 0; i < slots.size(); ++i) {
    if (definition->signature.inputs[i].name() != slot) continue;
    if (slots[i].count == 0) return nullptr;
    const ValuedOperand& value = inputs[slots[i].first];
    return value.is_omitted ? nullptr : &value;
  }
  return nullptr;
}

ValuedOperand* OperationCall::Find(std::string_view slot) {
  return const_cast<ValuedOperand*>(std::as_const(*this).Find(slot));
}

const ValuedOperand& OperationCall::FirstTensor() const {
  return *std::find_if(inputs.begin(), inputs.end() - 1, [](const ValuedOperand& value) {
    return value.is_tensor() && !value.is_omitted;
  });
}

ValuedOperand& OperationCall::FirstTensor() {
  return const_cast<ValuedOperand&>(std::as_const(*this).FirstTensor());
}

std::optional<int32_t> OperationCall::Integer(std::string_view slot) const {
  const ValuedOperand* const value = Find(slot);
  if (value == nullptr || value->is_tensor() || IsFloat(*value)) return std::nullopt;
  const std::vector<int64_t> integers = IntegersOf(*value);
  if (integers.size() != 1) return std::nullopt;
  return static_cast<int32_t>(integers.front());
}

bool OperationCall::SetInteger(std::string_view slot, int32_t value) {
  const std::optional<int32_t> before = Integer(slot);
  if (!before.has_value() || *before == value) return false;
  SetIntegers(*Find(slot), {value});
  return true;
}

bool OperationCall::SwapIntegers(std::string_view a, std::string_view b) {
  const std::optional<int32_t> value_of_a = Integer(a);
  const std::optional<int32_t> value_of_b = Integer(b);
  if (!value_of_a.has_value() || !value_of_b.has_value()) return false;
  SetInteger(b, *value_of_a);
  return SetInteger(a, *value_of_b);
}

bool OperationCall::SetReal(std::string_view slot, double value) {
  ValuedOperand* const found = Find(slot);
  if (found == nullptr || found->is_tensor() || !IsFloat(*found)) return false;
  SetReals(*found, {value});
  return true;
}

absl::StatusOr<OperationCall> CallOf(const Model& model, size_t operation,
                                     size_t largest_constant) {
  OperationCall call;
  const hal::V1_2::Operation& described = model.operations[operation];
  call.definition = FindOperation(described.type);
  if (call.definition == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat("operation ", operation, " is not in the catalogue"));
  }
  call.is_relaxed = model.relaxComputationFloat32toFloat16;
  call.operations_of_model = model.operations.size();
  for (const uint32_t index : described.inputs) {
    ValuedOperand value;
    value.operand = model.operands[index];
    value.index = index;
    value.is_omitted = value.operand.lifetime == OperandLifeTime::NO_VALUE;
    if (value.is_constant() && value.operand.location.length <= largest_constant) {
      absl::StatusOr<std::vector<uint8_t>> bytes = hal::constantBytes(model, index);
      if (!bytes.ok()) return bytes.status();
      value.bytes = *std::move(bytes);
    }
    call.inputs.push_back(std::move(value));
  }
  for (const uint32_t index : described.outputs) {
    ValuedOperand value;
    value.operand = model.operands[index];
    value.index = index;
    call.outputs.push_back(std::move(value));
  }
  if (absl::Status status = BindSlots(call); !status.ok()) return status;
  return call;
}

absl::Status BindSlots(OperationCall& call) {
  std::vector<OperandInfo> infos;
  infos.reserve(call.inputs.size() + call.outputs.size());
  const auto states_of = [&infos](const std::vector<ValuedOperand>& values) {
    std::vector<OperandState> states;
    for (const ValuedOperand& value : values) {
      infos.push_back(InfoOf(value.operand));
      states.push_back({&infos.back(), value.index, value.is_omitted, nullptr});
    }
    return states;
  };
  const std::vector<OperandState> inputs = states_of(call.inputs);
  const std::vector<OperandState> outputs = states_of(call.outputs);
  absl::StatusOr<SlotBindings> slots =
      MatchSignature(*call.definition, HalVersion::V1_2, inputs, outputs);
  if (!slots.ok()) return slots.status();
  call.slots = *std::move(slots);
  return absl::OkStatus();
}

absl::Status Evaluate(OperationCall& call) {
  absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph =
      PreparedGraph::Create(ModelOf(call), HalVersion::V1_2, GraphUse::kFloatAlone);
  if (!graph.ok()) return graph.status();
  std::vector<InputArgument> arguments;
  for (const ValuedOperand& value : call.inputs) {
    if (value.is_omitted) continue;
    InputArgument& argument = arguments.emplace_back();
    argument.dimensions.assign(value.operand.dimensions.begin(), value.operand.dimensions.end());
    argument.SetElements(value.bytes);
  }
  absl::StatusOr<std::vector<OutputValue>> results =
      (*graph)->Execute(NumberSystem::kFloat, arguments);
  if (!results.ok()) return results.status();
  for (size_t i = 0; i < call.outputs.size(); ++i) SetResult((*results)[i], call.outputs[i]);
  return absl::OkStatus();
}

void SetResult(const OutputValue& result, ValuedOperand& output) {
  output.operand.dimensions.assign(result.info.dimensions.begin(), result.info.dimensions.end());
  const auto* const first = reinterpret_cast<const uint8_t*>(result.elements.data());
  output.bytes.assign(first, first + result.elements.size());
}

bool IsFloat(const ValuedOperand& value) {
  const ElementKind kind = ElementKindOf(value.operand.type);
  return kind == ElementKind::kFloat32 || kind == ElementKind::kFloat16;
}

std::vector<double> RealsOf(const ValuedOperand& value) {
  std::vector<double> reals(value.count());
  LoadElements(NumberSystem::kFloat, InfoOf(value.operand), LoadAs::kReal, kFloat32Precision,
               reinterpret_cast<const std::byte*>(value.bytes.data()), reals.size(), reals.data());
  return reals;
}

void SetReals(ValuedOperand& value, absl::Span<const double> reals) {
  StoreElements(NumberSystem::kFloat, InfoOf(value.operand), LoadAs::kReal, kFloat32Precision,
                reals.data(), reals.size(), reinterpret_cast<std::byte*>(value.bytes.data()));
}

std::vector<int64_t> IntegersOf(const ValuedOperand& value) {
  std::vector<int64_t> integers;
  VisitStored(value, [&](auto stored) { ReadIntegers<decltype(stored)>(value.bytes, integers); });
  return integers;
}

void SetIntegers(ValuedOperand& value, absl::Span<const int64_t> integers) {
  VisitStored(value, [&](auto stored) { WriteIntegers<decltype(stored)>(integers, value.bytes); });
}

IntegerRange RangeOfElements(const ValuedOperand& value) { return RangeOf(value.operand.type); }

}  // namespace nncert
