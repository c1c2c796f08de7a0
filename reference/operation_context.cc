// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/operation_context.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "hal/float16.h"
#include "reference/operation_definition.h"

namespace nncert {
namespace {

template <class T>
T ReadValue(const std::byte* bytes, size_t index = 0) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}

}  // namespace

bool OperationContext::FindShapeKnown(int slot) const {
  if (!definition_.signature.inputs[slot].is_tensor()) return true;
  for (int i = 0; i < Count(slot); ++i) {
    if (State(slot, i).is_omitted) continue;
    const Shape& dimensions = Input(slot, i).dimensions;
    if (dimensions.empty() || std::count(dimensions.begin(), dimensions.end(), 0u) != 0)
      return false;
  }
  return true;
}

bool OperationContext::FindAllShapesKnown() const {
  if (stage_ == Stage::kExecution) return true;
  for (int slot = 0; slot < static_cast<int>(bindings_.size()); ++slot) {
    if (!FindShapeKnown(slot)) return false;
  }
  return true;
}

bool OperationContext::IsValueKnown(int slot) const {
  for (int i = 0; i < Count(slot); ++i) {
    const OperandState& state = State(slot, i);
    if (!state.is_omitted && state.value == nullptr) return false;
  }
  return true;
}

int32_t OperationContext::Int32(int slot, int32_t otherwise) const {
  return Has(slot) ? ReadValue<int32_t>(State(slot).value) : otherwise;
}

bool OperationContext::Bool(int slot, bool otherwise) const {
  return Has(slot) ? ReadValue<uint8_t>(State(slot).value) != 0 : otherwise;
}

double OperationContext::Real(int slot, double otherwise) const {
  if (!Has(slot)) return otherwise;
  const std::byte* value = State(slot).value;
  return Input(slot).type == OperandType::FLOAT16 ? hal::Float16ToFloat(ReadValue<uint16_t>(value))
                                                  : ReadValue<float>(value);
}

std::vector<int32_t> OperationContext::Int32s(int slot) const {
  std::vector<int32_t> values;
  if (!Has(slot)) return values;
  values.resize(NumberOfElements(Input(slot).dimensions));
  if (!values.empty())
    std::memcpy(values.data(), State(slot).value, values.size() * sizeof(int32_t));
  return values;
}

absl::Status OperationContext::Error(std::string_view message) const {
  return absl::InvalidArgumentError(
      absl::StrCat(definition_.name(), ": ", absl::string_view(message.data(), message.size())));
}

absl::Status OperationContext::InputError(int slot, std::string_view message, int i) const {
  return absl::InvalidArgumentError(
      absl::StrCat(definition_.name(), " ", DescribeInput(slot, i), ": ",
                   absl::string_view(message.data(), message.size())));
}

std::string OperationContext::DescribeInput(int slot, int i) const {
  const std::string& name = definition_.signature.inputs[slot].name();
  if (bindings_[slot].count == 0) return absl::StrCat("input '", name, "' (not given)");
  return absl::StrCat("input ", bindings_[slot].first + i, " '", name, "' (operand ",
                      State(slot, i).operand_index, ")");
}

std::string OperationContext::DescribeOutput(int index) const {
  const std::vector<OperandRule>& rules = definition_.signature.outputs;
  const std::string& name = rules[std::min<size_t>(index, rules.size() - 1)].name();
  return absl::StrCat("output ", index, " '", name, "' (operand ", outputs_[index].operand_index,
                      ")");
}

absl::Status UndecidedError(std::string_view reason) {
  return absl::AbortedError(
      absl::StrCat("undecided: ", absl::string_view(reason.data(), reason.size())));
}

bool IsUndecided(const absl::Status& status) { return absl::IsAborted(status); }

}  // namespace nncert
