// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/model_builder.h"

#include "hal/extension.h"
#include "reference/extension.h"
#include "reference/storage.h"
#include "reference/tensor.h"

namespace nncert {

using hal::V1_2::OperandLifeTime;

std::vector<uint8_t> BytesOf(OperandType type, absl::Span<const double> values) {
  std::vector<uint8_t> bytes(values.size() * NativeElementSize(ElementKindOf(type)));
  ExportElements(NumberSystem::kDouble, type, reinterpret_cast<const std::byte*>(values.data()),
                 values.size(), reinterpret_cast<std::byte*>(bytes.data()));
  return bytes;
}

std::vector<double> NumbersOf(OperandType type, absl::Span<const uint8_t> bytes) {
  std::vector<double> values(bytes.size() / NativeElementSize(ElementKindOf(type)));
  ImportElements(NumberSystem::kDouble, type, reinterpret_cast<const std::byte*>(bytes.data()),
                 values.size(), reinterpret_cast<std::byte*>(values.data()));
  return values;
}

uint32_t ModelBuilder::Add(OperandSpec spec, OperandLifeTime lifetime) {
  hal::V1_2::Operand operand;
  operand.type = spec.type;
  operand.dimensions = std::move(spec.dimensions);
  operand.scale = spec.scale;
  operand.zeroPoint = spec.zeroPoint;
  operand.extraParams = std::move(spec.extraParams);
  operand.lifetime = lifetime;
  model_.operands.push_back(std::move(operand));
  return static_cast<uint32_t>(model_.operands.size() - 1);
}

uint32_t ModelBuilder::Input(OperandSpec spec) {
  const uint32_t index = Add(std::move(spec), OperandLifeTime::MODEL_INPUT);
  model_.inputIndexes.push_back(index);
  return index;
}

uint32_t ModelBuilder::Output(OperandSpec spec) {
  const uint32_t index = Add(std::move(spec), OperandLifeTime::MODEL_OUTPUT);
  model_.outputIndexes.push_back(index);
  return index;
}

uint32_t ModelBuilder::Temporary(OperandSpec spec) {
  return Add(std::move(spec), OperandLifeTime::TEMPORARY_VARIABLE);
}

uint32_t ModelBuilder::Constant(OperandSpec spec, const std::vector<double>& values) {
  const OperandType type = spec.type;
  return ConstantBytes(std::move(spec), BytesOf(type, values));
}

uint32_t ModelBuilder::ConstantBytes(OperandSpec spec, const std::vector<uint8_t>& bytes) {
  const uint32_t index = Add(std::move(spec), OperandLifeTime::CONSTANT_COPY);
  // Elements stand at multiples of four bytes, where any type may be read.
  model_.operandValues.resize((model_.operandValues.size() + 3) / 4 * 4);
  hal::V1_2::DataLocation& location = model_.operands[index].location;
  location.poolIndex = 0;
  location.offset = static_cast<uint32_t>(model_.operandValues.size());
  location.length = static_cast<uint32_t>(bytes.size());
  model_.operandValues.insert(model_.operandValues.end(), bytes.begin(), bytes.end());
  return index;
}

uint32_t ModelBuilder::Int32Vector(const std::vector<int32_t>& values) {
  return Constant({OperandType::TENSOR_INT32, {static_cast<uint32_t>(values.size())}},
                  std::vector<double>(values.begin(), values.end()));
}

uint32_t ModelBuilder::Omitted(OperandSpec spec) {
  return Add(std::move(spec), OperandLifeTime::NO_VALUE);
}

ModelBuilder& ModelBuilder::Operation(hal::V1_2::OperationType type, std::vector<uint32_t> inputs,
                                      std::vector<uint32_t> outputs) {
  for (const uint32_t input : inputs) ++model_.operands[input].numberOfConsumers;
  hal::V1_2::Operation operation;
  operation.type = type;
  operation.inputs = std::move(inputs);
  operation.outputs = std::move(outputs);
  model_.operations.push_back(std::move(operation));
  return *this;
}

ModelBuilder& ModelBuilder::Extension(std::string_view name, uint16_t prefix) {
  model_.extensionNameToPrefix.push_back({std::string(name), prefix});
  return *this;
}

ModelBuilder& ModelBuilder::Extension(std::string_view name) {
  return Extension(name, hal::extensionPrefix(CatalogueOperandType(name, 0)));
}

ModelBuilder& ModelBuilder::Relaxed(bool is_relaxed) {
  model_.relaxComputationFloat32toFloat16 = is_relaxed;
  return *this;
}

}  // namespace nncert
