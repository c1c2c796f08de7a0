// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/checked_model.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/memory.h"
#include "hal/utils.h"
#include "reference/catalogue.h"
#include "reference/execution/model_validation.h"
#include "reference/operation_context.h"
#include "reference/operation_definition.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

// Constants up to so many bytes go into operandValues, as with Android's runtime; others into a
// pool, which copies of the model share.
constexpr size_t kMostBytesInModel = 128;

// Whether everything that the shape function reads is known from the model.
bool IsShapeDecided(const OperationContext& context) {
  const std::vector<OperandRule>& rules = context.definition().signature.inputs;
  for (int slot = 0; slot < static_cast<int>(rules.size()); ++slot) {
    if (!context.IsShapeKnown(slot)) return false;
    if (rules[slot].is_parameter() && !context.IsValueKnown(slot)) return false;
  }
  return true;
}

// Gives an output the quantization that the operation demands, if it demands one.
void SetDemandedQuantization(const OperandRule& rule, absl::Span<const OperandState> inputs,
                             OperandInfo& output) {
  for (const QuantizationRule& demand : rule.quantization()) {
    if (!IsQuantized(output.type)) return;
    if (demand.kind == QuantizationRule::Kind::kFixed &&
        demand.only_type.value_or(output.type) == output.type) {
      output.scale = demand.scale;
      output.zeroPoint = demand.zeroPoint;
    } else if (demand.kind == QuantizationRule::Kind::kSameAs &&
               static_cast<size_t>(demand.slot) < inputs.size() &&
               inputs[demand.slot].info->type == output.type) {
      output.scale = inputs[demand.slot].info->scale;
      output.zeroPoint = inputs[demand.slot].info->zeroPoint;
    }
  }
}

// Whether dimensions are whole numbers above 0: 0 would mean in a model that they are not known.
absl::Status CheckNotEmpty(const OperationDefinition& definition, const Shape& dimensions) {
  const uint64_t count = NumberOfElements(dimensions);
  if (count > 0 && count <= kLargestTensorElements) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(definition.name(), ": its output is of dimensions ", ShapeToString(dimensions),
                   "; expected from 1 to ", kLargestTensorElements, " elements"));
}

// How far the bytes of a constant are from where its elements may begin.
size_t PaddingBefore(size_t offset, OperandType type) {
  const size_t size = std::max<size_t>(hal::nonExtensionElementSize(type), 1);
  return (size - offset % size) % size;
}

// Places constants one after the other.
void Place(const std::vector<uint8_t>& bytes, std::vector<uint8_t>& all, Operand& operand) {
  all.resize(all.size() + PaddingBefore(all.size(), operand.type));
  operand.location.offset = static_cast<uint32_t>(all.size());
  operand.location.length = static_cast<uint32_t>(bytes.size());
  all.insert(all.end(), bytes.begin(), bytes.end());
}

}  // namespace

uint32_t CheckedModel::Add(const OperandSpec& spec, OperandLifeTime lifetime) {
  Operand operand;
  operand.type = spec.type;
  operand.dimensions = spec.dimensions;
  operand.scale = spec.scale;
  operand.zeroPoint = spec.zeroPoint;
  operand.extraParams = spec.extraParams;
  operand.lifetime = lifetime;
  operands_.push_back(std::move(operand));
  constants_.emplace_back();
  is_written_.push_back(false);
  return static_cast<uint32_t>(operands_.size() - 1);
}

uint32_t CheckedModel::AddConstant(const OperandSpec& spec, std::vector<uint8_t> bytes) {
  const uint32_t operand = Add(spec, OperandLifeTime::CONSTANT_COPY);
  constants_[operand] = std::move(bytes);
  return operand;
}

absl::Status CheckedModel::TakeBytes(uint64_t count) {
  if (count > constant_bytes_left_) {
    return absl::ResourceExhaustedError(
        "its constants come to many times more bytes than the file has");
  }
  constant_bytes_left_ -= count;
  return absl::OkStatus();
}

uint32_t CheckedModel::Tensor(const OperandSpec& spec) {
  return Add(spec, OperandLifeTime::TEMPORARY_VARIABLE);
}

uint32_t CheckedModel::Omitted(OperandType type) { return Add({type}, OperandLifeTime::NO_VALUE); }

absl::StatusOr<uint32_t> CheckedModel::Constant(const OperandSpec& spec,
                                                std::vector<uint8_t> bytes) {
  const std::optional<uint64_t> size = hal::nonExtensionSizeOfData(spec.type, spec.dimensions);
  if (!size.has_value() || *size == 0 || *size != bytes.size()) {
    return absl::InvalidArgumentError(absl::StrCat("a constant of dimensions ",
                                                   ShapeToString(spec.dimensions), " has ",
                                                   bytes.size(), " bytes"));
  }
  if (absl::Status status = TakeBytes(*size); !status.ok()) return status;
  return AddConstant(spec, std::move(bytes));
}

absl::StatusOr<uint32_t> CheckedModel::Zeros(const OperandSpec& spec) {
  const std::optional<uint64_t> size = hal::nonExtensionSizeOfData(spec.type, spec.dimensions);
  if (!size.has_value() || *size == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a tensor of dimensions ", ShapeToString(spec.dimensions), " would have no elements"));
  }
  if (absl::Status status = TakeBytes(*size); !status.ok()) return status;
  return AddConstant(spec, std::vector<uint8_t>(*size));
}

uint32_t CheckedModel::Int32(int32_t value) {
  return AddConstant({OperandType::INT32},
                     BytesOf(OperandType::INT32, {static_cast<double>(value)}));
}

uint32_t CheckedModel::Float32(float value) {
  return AddConstant({OperandType::FLOAT32}, BytesOf(OperandType::FLOAT32, {value}));
}

uint32_t CheckedModel::Bool(bool value) {
  return AddConstant({OperandType::BOOL}, BytesOf(OperandType::BOOL, {value ? 1.0 : 0.0}));
}

absl::StatusOr<std::vector<uint32_t>> CheckedModel::Operation(
    OperationType type, const std::vector<uint32_t>& inputs,
    const std::vector<OperandSpec>& outputs) {
  const OperationDefinition* const definition = FindOperation(type);
  if (definition == nullptr) return absl::InternalError("the catalogue lacks an operation");
  std::vector<OperandInfo> infos;
  infos.reserve(inputs.size() + outputs.size());
  std::vector<OperandState> input_states;
  for (const uint32_t input : inputs) {
    const Operand& operand = operands_[input];
    infos.push_back(InfoOf(operand));
    const std::vector<uint8_t>& value = constants_[input];
    input_states.push_back(
        {&infos.back(), input, operand.lifetime == OperandLifeTime::NO_VALUE,
         value.empty() ? nullptr : reinterpret_cast<const std::byte*>(value.data())});
  }
  // While nothing is known of the outputs' dimensions, they cannot contradict anything.
  const std::vector<OperandRule>& rules = definition->signature.outputs;
  std::vector<OperandState> output_states;
  for (size_t i = 0; i < outputs.size(); ++i) {
    OperandInfo& info = infos.emplace_back();
    info.type = outputs[i].type;
    info.scale = outputs[i].scale;
    info.zeroPoint = outputs[i].zeroPoint;
    if (!rules.empty()) {
      SetDemandedQuantization(rules[std::min(i, rules.size() - 1)], input_states, info);
    }
    output_states.push_back({&info, static_cast<uint32_t>(operands_.size() + i), false, nullptr});
  }
  const absl::StatusOr<SlotBindings> bindings =
      MatchSignature(*definition, HalVersion::V1_2, input_states, output_states);
  if (!bindings.ok()) return bindings.status();
  const OperationContext context(*definition, Stage::kModel, HalVersion::V1_2, *bindings,
                                 input_states, output_states);
  if (absl::Status status = CheckConstraints(context); !status.ok()) return status;
  std::vector<Shape> shapes(outputs.size());
  const bool is_decided = definition->shape != nullptr && IsShapeDecided(context);
  if (is_decided) {
    if (absl::Status status = definition->shape(context, shapes); !status.ok()) return status;
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!is_decided) shapes[i].assign(outputs[i].dimensions.begin(), outputs[i].dimensions.end());
    if (shapes[i].empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(definition->name(),
                       ": neither the model nor the file says the dimensions of output ", i));
    }
    if (absl::Status status = CheckNotEmpty(*definition, shapes[i]); !status.ok()) return status;
  }
  std::vector<uint32_t> added;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const OperandInfo& info = *output_states[i].info;
    added.push_back(Add({.type = info.type,
                         .dimensions = {shapes[i].begin(), shapes[i].end()},
                         .scale = info.scale,
                         .zeroPoint = info.zeroPoint},
                        OperandLifeTime::TEMPORARY_VARIABLE));
    is_written_[added.back()] = true;
  }
  for (const uint32_t input : inputs) ++operands_[input].numberOfConsumers;
  operations_.push_back({type, inputs, added});
  return added;
}

OperandSpec CheckedModel::SpecOf(uint32_t index) const {
  const Operand& operand = operands_[index];
  return {operand.type, operand.dimensions, operand.scale, operand.zeroPoint, operand.extraParams};
}

std::optional<absl::Span<const uint8_t>> CheckedModel::ConstantValue(uint32_t index) const {
  if (constants_[index].empty()) return std::nullopt;
  return constants_[index];
}

absl::StatusOr<uint32_t> CheckedModel::AsOutput(uint32_t operand, std::set<uint32_t>& taken) {
  if (IsWritten(operand) && taken.insert(operand).second) return operand;
  constexpr size_t kMostRankOfReshape = 4;
  const OperandSpec spec = SpecOf(operand);
  std::vector<uint32_t> inputs = {operand};
  OperationType type = OperationType::CAST;
  if (spec.type != OperandType::TENSOR_INT32 && spec.dimensions.size() <= kMostRankOfReshape) {
    const std::vector<double> dimensions(spec.dimensions.begin(), spec.dimensions.end());
    const absl::StatusOr<uint32_t> shape =
        Constant({OperandType::TENSOR_INT32, {static_cast<uint32_t>(dimensions.size())}},
                 BytesOf(OperandType::TENSOR_INT32, dimensions));
    if (!shape.ok()) return shape.status();
    inputs.push_back(*shape);
    type = OperationType::RESHAPE;
  }
  const absl::StatusOr<std::vector<uint32_t>> copy = Operation(type, inputs, {spec});
  if (!copy.ok()) return copy.status();
  taken.insert(copy->front());
  return copy->front();
}

absl::StatusOr<Model> CheckedModel::Finish(std::vector<uint32_t> inputs,
                                           std::vector<uint32_t> outputs) {
  for (const uint32_t input : inputs) operands_[input].lifetime = OperandLifeTime::MODEL_INPUT;
  for (const uint32_t output : outputs) operands_[output].lifetime = OperandLifeTime::MODEL_OUTPUT;
  Model model;
  std::vector<uint8_t> pool;
  for (size_t i = 0; i < operands_.size(); ++i) {
    if (operands_[i].lifetime != OperandLifeTime::CONSTANT_COPY) continue;
    if (constants_[i].size() <= kMostBytesInModel) {
      Place(constants_[i], model.operandValues, operands_[i]);
    } else {
      operands_[i].lifetime = OperandLifeTime::CONSTANT_REFERENCE;
      Place(constants_[i], pool, operands_[i]);
    }
    constants_[i] = {};
  }
  if (!pool.empty()) {
    absl::StatusOr<hal::Memory> memory = hal::Memory::AllocateCopy(pool);
    if (!memory.ok()) return memory.status();
    model.pools.push_back(*std::move(memory));
  }
  model.operands = std::exchange(operands_, {});
  model.operations = std::exchange(operations_, {});
  model.inputIndexes = std::move(inputs);
  model.outputIndexes = std::move(outputs);
  constants_.clear();
  is_written_.clear();
  return model;
}

}  // namespace nncert
